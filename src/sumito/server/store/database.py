"""Opening the database: one SQLite file, or PostgreSQL, with the tables as this version wants them.

Work on the database is a plain function of a connection, so it is written once for both. SQLite
has one writer: its work is done by one thread, and what has come in while a commit was under way
goes into the next commit together. It runs with a write-ahead log and waits for the disk at every
commit, so what has been acknowledged outlives the process.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, Executable, create_engine, event, text
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from sumito.server.settings import SettingsError

T = TypeVar("T")
Work = Callable[[Connection], T]

_MIGRATING: Final = 5_201_314
"""A number of our own for PostgreSQL's advisory lock, so that only one process migrates."""
_READERS: Final = 4
_PATIENCE_S: Final = 10
"""How long to wait for a database that is locked, or doesn't answer."""
_PACE_S: Final = 0.005
"""Where many write, a commit begins so long after the last one: it costs as much as many rows."""
_PRAGMAS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    f"busy_timeout={_PATIENCE_S * 1000}",
)


class UnavailableError(Exception):
    """The database is away, locked or full: what was asked may or may not have been done."""


def unavailable(error: Exception) -> Exception:
    """The same error, or that the database is away; without the values that were to be stored."""
    if isinstance(error, OSError | PoolTimeoutError):
        return UnavailableError(f"{type(error).__name__}: {error}")
    ours = IntegrityError | ProgrammingError | DataError
    if isinstance(error, DBAPIError) and not isinstance(error, ours):
        return UnavailableError(f"{type(error.orig).__name__}: {error.orig}")
    return error


class Prepared:
    """A statement that is run all the time: it is compiled once for each kind of database.

    SQLAlchemy works out a statement's parameters anew at every run, which takes several times as
    long as SQLite takes to run it.
    """

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, list[str]]] = {}

    def run(self, connection: Connection, values: Mapping[str, Any]) -> None:
        compiled = self._compiled.get(connection.dialect.name)
        if compiled is None:
            made: Any = self._statement.compile(dialect=connection.dialect)  # type: ignore[attr-defined]
            compiled = self._compiled[connection.dialect.name] = (str(made), made.positiontup)
        text, names = compiled
        connection.exec_driver_sql(text, tuple([values[name] for name in names]))


class Database(ABC):
    """A place to read from and write to."""

    kind: str

    @abstractmethod
    async def read(self, work: Work[T]) -> T:
        """Do work that changes nothing."""

    @abstractmethod
    async def write(self, work: Work[T]) -> T:
        """Do work in a transaction: all of it, committed to the disk, or nothing."""

    @abstractmethod
    async def migrate(self) -> None:
        """Bring the tables up to this version."""

    @abstractmethod
    async def look(self) -> None:
        """Read what is really there, not what is remembered of it; raises what is wrong."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what is under way, then let go."""


def _secure(file: Path) -> None:
    """The database is its owner's alone: it holds password hashes and the key of all cookies."""
    if file.is_dir():
        raise SettingsError("{file} is a folder; the database is a file", file=file)
    if not file.parent.is_dir():
        raise SettingsError("there is no folder {folder} for the database", folder=file.parent)
    try:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        mode = file.stat().st_mode
        if mode & 0o007:
            file.chmod(mode & 0o770)
    except OSError as error:
        raise SettingsError(
            "can't use the database {file}: {why}", file=file, why=error.strerror
        ) from None


def open_database(database: str) -> Database:
    """The database of a file name or a URL."""
    scheme, separator, rest = database.partition("://")
    if not separator:
        return SqliteDatabase(Path(database).expanduser().absolute())
    match scheme:
        case "sqlite":
            return SqliteDatabase(Path(rest.removeprefix("/")).expanduser().absolute())
        case "postgres" | "postgresql":
            return PostgresDatabase(f"postgresql+asyncpg://{rest}")
    raise SettingsError(
        "{scheme}:// is no database of ours: give a file or postgresql://…", scheme=scheme
    )


class PostgresDatabase(Database):
    """PostgreSQL by way of asyncpg."""

    kind = "postgresql"

    def __init__(self, url: str) -> None:
        from sqlalchemy.ext.asyncio import create_async_engine

        self._engine = create_async_engine(
            url,
            pool_size=10,
            max_overflow=10,
            pool_pre_ping=True,
            hide_parameters=True,
            # One that hangs is as good as away; a TimeoutError is an OSError.
            connect_args={"timeout": _PATIENCE_S, "command_timeout": _PATIENCE_S},
        )
        self._reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    async def read(self, work: Work[T]) -> T:
        try:
            async with self._reading.connect() as connection:
                return await connection.run_sync(work)
        except (SQLAlchemyError, OSError) as error:
            raise unavailable(error) from error

    async def write(self, work: Work[T]) -> T:
        try:
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)
        except (SQLAlchemyError, OSError) as error:
            raise unavailable(error) from error

    async def look(self) -> None:
        await self.read(lambda connection: connection.scalar(text("SELECT 1")))

    async def migrate(self) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
            await connection.run_sync(_upgrade)

    async def close(self) -> None:
        await self._engine.dispose()


class SqliteDatabase(Database):
    """One file; the threads wait for it, so that the event loop doesn't."""

    kind = "sqlite"

    def __init__(self, file: Path) -> None:
        _secure(file)
        self._file = file
        # An error's text would quote the parameters, and a log would keep them.
        self._engine = create_engine(
            f"sqlite:///{file}", connect_args={"check_same_thread": False}, hide_parameters=True
        )
        _prepare(self._engine)
        self._reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._readers = ThreadPoolExecutor(_READERS, "sumito-read")
        self._writer = ThreadPoolExecutor(1, "sumito-write")
        self._waiting: list[tuple[Work[Any], asyncio.Future[Any]]] = []
        self._draining: asyncio.Task[None] | None = None
        self._written: Connection | None = None

    async def read(self, work: Work[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def _read(self, work: Work[T]) -> T:
        try:
            with self._reading.connect() as connection:
                return work(connection)
        except (SQLAlchemyError, OSError) as error:
            raise unavailable(error) from error

    async def write(self, work: Work[T]) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._draining is None:
            self._draining = asyncio.create_task(self._drain())
        return await done

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        next_at = 0.0
        while self._waiting:
            await asyncio.sleep(next_at - loop.time())
            next_at = loop.time() + _PACE_S
            batch, self._waiting = self._waiting, []
            works = [work for work, _ in batch]
            results = await loop.run_in_executor(self._writer, self._commit, works)
            for (_, done), result in zip(batch, results, strict=True):
                if done.cancelled():
                    continue
                if isinstance(result, Exception):
                    done.set_exception(result)
                else:
                    done.set_result(result)
        self._draining = None

    def _commit(self, works: list[Work[Any]]) -> list[Any]:
        """Do all works in one transaction; each result is what it returned or raised.

        If one fails, nothing is kept, and each is done again in a transaction of its own: rare,
        and cheaper than a savepoint for every work.
        """
        try:
            with self._writing() as connection, connection.begin():
                return [work(connection) for work in works]
        except Exception as error:
            if len(works) == 1:
                return [unavailable(error)]
            return [result for work in works for result in self._commit([work])]

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """The one connection that writes; a new one after an error."""
        if self._written is None:
            self._written = self._engine.connect()
        try:
            yield self._written
        except BaseException:
            written, self._written = self._written, None
            written.close()
            raise

    async def look(self) -> None:
        await asyncio.to_thread(self._look)

    def _look(self) -> None:
        # A connection that has been open for long answers from memory, whatever the disk says.
        with closing(sqlite3.connect(self._file, timeout=1)) as fresh:
            for (table,) in fresh.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
                fresh.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()  # noqa: S608

    async def migrate(self) -> None:
        def upgrade() -> None:
            with self._engine.begin() as connection:
                _upgrade(connection)

        await asyncio.get_running_loop().run_in_executor(self._writer, upgrade)

    async def close(self) -> None:
        if self._draining is not None:
            await self._draining
        if self._written is not None:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._written.close)
        await asyncio.to_thread(self._writer.shutdown)
        await asyncio.to_thread(self._readers.shutdown)
        self._engine.dispose()


def _prepare(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: object) -> None:
        # The driver would begin transactions late and weakly; we begin them ourselves.
        connection.isolation_level = None
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # Taking the write lock at once means no transaction fails half way for want of it.
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql("BEGIN IMMEDIATE")


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
