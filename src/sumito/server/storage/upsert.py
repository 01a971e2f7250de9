"""Writing rows that may exist already, on SQLite and PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, and_, insert, update
from sqlalchemy.dialects import postgresql, sqlite


def insert_missing(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert those rows whose key is new; give them in key order, so that no two writers deadlock.

    A row that another transaction is inserting is waited for: afterwards it can be locked.
    """
    on_postgres = connection.dialect.name == "postgresql"
    statement = (postgresql if on_postgres else sqlite).insert(table).on_conflict_do_nothing()
    for row in rows:
        connection.execute(statement.values(dict(row)))


def update_or_insert(
    connection: Connection,
    table: Table,
    key: Mapping[str, Any],
    values: Mapping[str, Any],
    *,
    only_new: Mapping[str, Any] | None = None,
) -> None:
    """Set the values of the row with this key; a new row also gets those of `only_new`.

    Two transactions that insert the same key meet: the later one raises `IntegrityError`.
    """
    is_row = and_(*(table.c[name] == value for name, value in key.items()))
    if not connection.execute(update(table).where(is_row).values(dict(values))).rowcount:
        row = {**key, **values, **(only_new or {})}
        connection.execute(insert(table).values(row))
