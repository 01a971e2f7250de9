"""Inserting rows that may be there already, on SQLite and PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_missing(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert those rows whose key is new; give them in key order, so that no two writers deadlock.

    A row that another transaction is inserting is waited for: afterwards it can be locked.
    """
    on_postgres = connection.dialect.name == "postgresql"
    statement = (postgresql if on_postgres else sqlite).insert(table).on_conflict_do_nothing()
    for row in rows:
        connection.execute(statement.values(dict(row)))
