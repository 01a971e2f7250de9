"""Opening the database: one SQLite file, or PostgreSQL, with the tables as this version wants them.

SQLite runs with a write-ahead log and waits for the disk at every commit, so what has been
acknowledged outlives the process. It has one writer: writes queue here instead of failing there.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from sumito.server.settings import SettingsError

_MIGRATING = 5_201_314
"""A number of our own for PostgreSQL's advisory lock, so that only one process migrates."""


def url_of(database: str) -> str:
    """SQLAlchemy's address of a database given as a file or a URL."""
    if "://" not in database:
        return f"sqlite+aiosqlite:///{Path(database).expanduser().absolute()}"
    scheme, rest = database.split("://", 1)
    match scheme:
        case "sqlite":
            return f"sqlite+aiosqlite://{rest}"
        case "postgres" | "postgresql":
            return f"postgresql+asyncpg://{rest}"
        case "sqlite+aiosqlite" | "postgresql+asyncpg":
            return database
    raise SettingsError(f"{scheme}:// is no database of ours: give a file or postgresql://…")


class Database:
    """Connections for reading, and transactions for writing."""

    def __init__(self, database: str) -> None:
        url = url_of(database)
        self.is_sqlite = url.startswith("sqlite")
        self._engine: AsyncEngine = create_async_engine(
            url, pool_size=5, max_overflow=5, pool_pre_ping=not self.is_sqlite
        )
        self._reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._one_writer = asyncio.Lock() if self.is_sqlite else None
        if self.is_sqlite:
            _prepare_sqlite(self._engine)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection for single statements that change nothing."""
        async with self._reading.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: committed, to the disk, when the block ends well."""
        async with self._one_writer or nullcontext(), self._engine.begin() as connection:
            yield connection

    async def migrate(self) -> None:
        """Bring the tables up to this version."""
        async with self._engine.connect() as connection:
            if not self.is_sqlite:
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
            await connection.run_sync(_upgrade)
            await connection.commit()

    async def close(self) -> None:
        await self._engine.dispose()


def _prepare_sqlite(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _: object) -> None:
        # The driver would begin transactions late and weakly; we begin them ourselves.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "busy_timeout=10000",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        # Taking the write lock at once means no transaction fails half way for want of it.
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql("BEGIN IMMEDIATE")


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
