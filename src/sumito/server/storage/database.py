"""The database: one SQLite file, or PostgreSQL; reads, transactions, migrations.

Work on the database is a plain function of a connection, so it is written once for both. SQLite
has one writer thread: work that arrives during a commit shares the next commit. It uses a
write-ahead log and syncs to disk at every commit, so acknowledged writes survive a crash.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import RevisionError
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, Executable, create_engine, event, func, select, text
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import NullPool

from sumito.errors import InputError
from sumito.i18n.messages import N_
from sumito.server.base.settings import SettingsError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

T = TypeVar("T")
Work = Callable[[Connection], T]

_MIGRATING: Final = 5_201_314
"""The number of PostgreSQL's advisory lock that lets only one process migrate."""
_READERS: Final = 4
_PATIENCE_S: Final = 10
"""How long to wait for a database that is locked or doesn't answer, in seconds."""
_UNIQUE_VIOLATION: Final = "23505"
_DATA_EXCEPTIONS: Final = "22"
_LOST: Final = frozenset({"40001", "40P01"})
"""PostgreSQL's codes for a serialization failure and a deadlock."""
_WRITE_TRIES: Final = 5
_RETRY_S: Final = 0.02
"""The longest pause before the first retry of a transaction; it grows with each."""
_PACE_S: Final = 0.005
"""Time between the starts of two commits: a commit costs as much as many rows."""
_PRAGMAS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    f"busy_timeout={_PATIENCE_S * 1000}",
)


class UnavailableError(Exception):
    """Raised if the database is unavailable, locked or full; a write may have been done or not."""


class ValueRangeError(InputError):
    """Raised for a value that no column can hold: a NUL character, a number of too many digits."""


def unavailable(error: Exception) -> Exception:
    """Return what an error of the database means, without the values that were to be stored.

    Bad values are the sender's mistake (`ValueRangeError`). Violated constraints, wrong statements
    and transactions that lost a conflict stay what they are. Everything else means that the
    database can't be reached (`UnavailableError`).
    """
    if isinstance(error, OverflowError | DataError) or _is_bad_value(error):
        return ValueRangeError(
            N_("A text or number in this request can't be stored: it has a NUL or is too large.")
        )
    if isinstance(error, OSError | PoolTimeoutError):
        return UnavailableError(f"{type(error).__name__}: {error}")
    ours = IntegrityError | ProgrammingError
    if isinstance(error, DBAPIError) and not isinstance(error, ours) and not _lost(error):
        return UnavailableError(f"{type(error.orig).__name__}: {error.orig}")
    return error


def lock_across_processes(connection: Connection, number: int) -> None:
    """Take a lock that is held until the end of the transaction.

    SQLite needs none: it has one writing transaction at a time.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(number)))


def violated_table(error: IntegrityError) -> str | None:
    """Return the table in which a key or unique value was taken; None for other violations."""
    if _sqlstate(error) == _UNIQUE_VIOLATION:
        name: str | None = getattr(getattr(error.orig, "__cause__", None), "table_name", None)
        return name
    found = re.match(r"UNIQUE constraint failed: (\w+)\.", str(error.orig))
    return found[1] if found else None


def _sqlstate(error: Exception) -> str:
    """PostgreSQL's code of an error; empty for other errors."""
    return str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")


def _is_bad_value(error: Exception) -> bool:
    """Whether PostgreSQL, or its driver before sending, has rejected a value."""
    cause = getattr(getattr(error, "orig", None), "__cause__", None)
    names = {kind.__name__ for kind in type(cause).__mro__}
    return _sqlstate(error).startswith(_DATA_EXCEPTIONS) or (
        type(cause).__module__.startswith("asyncpg") and "DataError" in names
    )


def _lost(error: Exception) -> bool:
    """Whether a transaction lost against another, so that it can be retried."""
    return _sqlstate(error) in _LOST


class CompiledStatement:
    """A frequent statement, compiled once for each kind of database.

    SQLAlchemy works out a statement's parameters again at every run, which takes several times as
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
    """A database for reads and transactions."""

    kind: str

    @abstractmethod
    async def read(self, work: Work[T]) -> T:
        """Run work that changes nothing."""

    @abstractmethod
    async def write(self, work: Work[T]) -> T:
        """Run work in a transaction, committed to disk."""

    @abstractmethod
    async def migrate(self) -> None:
        """Run the pending migrations."""

    @abstractmethod
    async def pending(self) -> list[str]:
        """Return the pending migrations, oldest first: number and purpose of each."""

    def claim(self, *, shared: bool) -> None:  # noqa: B027 - most databases serve many processes
        """Hold the database as long as this process lives, alone or with others that share it.

        Raises `SettingsError` if another process holds it in a way that excludes this one.
        """

    @abstractmethod
    async def check_readable(self) -> None:
        """Read from the file or server, past any cache; raise if that fails."""

    @abstractmethod
    async def close(self) -> None:
        """Finish the work under way, then close the connections."""


def _secure(file: Path) -> None:
    """Restrict the file to its owner: it holds password hashes and the key of all cookies."""
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
    """Return the database of a file name or URL."""
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
    """PostgreSQL through asyncpg."""

    kind = "postgresql"

    def __init__(self, url: str) -> None:
        from sqlalchemy.ext.asyncio import create_async_engine

        self._url = url
        self._engine = create_async_engine(
            url,
            pool_size=10,
            max_overflow=10,
            pool_pre_ping=True,
            hide_parameters=True,
            # A server that hangs counts as unavailable; a TimeoutError is an OSError.
            connect_args={"timeout": _PATIENCE_S, "command_timeout": _PATIENCE_S},
        )
        self._reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    async def read(self, work: Work[T]) -> T:
        try:
            async with self._reading.connect() as connection:
                return await connection.run_sync(work)
        except (SQLAlchemyError, OSError, OverflowError) as error:
            raise unavailable(error) from error

    async def write(self, work: Work[T]) -> T:
        for tried in range(1, _WRITE_TRIES):
            try:
                return await self._write(work)
            except DBAPIError as error:
                if not _lost(error):
                    raise
            await asyncio.sleep(random.uniform(0, _RETRY_S * tried))  # noqa: S311
        return await self._write(work)

    async def _write(self, work: Work[T]) -> T:
        try:
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)
        except (SQLAlchemyError, OSError, OverflowError) as error:
            raise unavailable(error) from error

    async def check_readable(self) -> None:
        await self.read(lambda connection: connection.scalar(text("SELECT 1")))

    async def migrate(self) -> None:
        # A server that doesn't answer fails here; migrations have no timeout, nor has the wait
        # for another process's migration.
        await self.check_readable()
        async with self._patient() as engine, engine.begin() as connection:
            await connection.execute(text("SET LOCAL statement_timeout = 0"))
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
            await connection.run_sync(_upgrade)

    async def pending(self) -> list[str]:
        return await self.read(_pending)

    @asynccontextmanager
    async def _patient(self) -> AsyncIterator[AsyncEngine]:
        """Open an engine without a statement timeout."""
        from sqlalchemy.ext.asyncio import create_async_engine

        engine = create_async_engine(
            self._url,
            poolclass=NullPool,
            hide_parameters=True,
            connect_args={"timeout": _PATIENCE_S},
        )
        try:
            yield engine
        finally:
            await engine.dispose()

    async def close(self) -> None:
        await self._engine.dispose()


class SqliteDatabase(Database):
    """One file, read and written in threads."""

    kind = "sqlite"

    def __init__(self, file: Path) -> None:
        _secure(file)
        self._file = file
        # Errors would quote the parameters, and a log would store them.
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
        self._claim: sqlite3.Connection | None = None

    async def read(self, work: Work[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def _read(self, work: Work[T]) -> T:
        try:
            with self._reading.connect() as connection:
                return work(connection)
        except (SQLAlchemyError, OSError, OverflowError) as error:
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
        """Run all works in one transaction; each result is what it returned or raised.

        If one fails, all are rolled back and each is run in a transaction of its own: rare, and
        cheaper than a savepoint for every work.
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
        """Yield the writing connection; after an error it is replaced."""
        if self._written is None:
            self._written = self._engine.connect()
        try:
            yield self._written
        except BaseException:
            written, self._written = self._written, None
            written.close()
            raise

    async def check_readable(self) -> None:
        await asyncio.to_thread(self._check_readable)

    def _check_readable(self) -> None:
        # A connection that has been open for long answers from memory, whatever the disk says.
        with closing(sqlite3.connect(self._file, timeout=1)) as fresh:
            for (table,) in fresh.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
                fresh.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()  # noqa: S608

    async def migrate(self) -> None:
        def upgrade() -> None:
            with self._engine.begin() as connection:
                _upgrade(connection)

        await asyncio.get_running_loop().run_in_executor(self._writer, upgrade)

    async def pending(self) -> list[str]:
        return await self.read(_pending)

    def claim(self, *, shared: bool) -> None:
        # A lock of SQLite's own, on a file beside the database: the system releases it whatever
        # way the process ends, and it works wherever SQLite does.
        file = self._file.with_name(self._file.name + ".lock")
        _secure(file)
        claim = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            if shared:
                claim.execute("BEGIN")
                claim.execute("SELECT count(*) FROM sqlite_master").fetchone()
            else:
                claim.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            claim.close()
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise OSError(f"{file}: {error}") from error
            raise SettingsError(
                N_(
                    "another process uses the database {file} already; several need --redis,"
                    " all of them the same"
                ),
                file=self._file,
            ) from None
        self._claim = claim

    async def close(self) -> None:
        if self._draining is not None:
            await self._draining
        if self._written is not None:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._written.close)
        await asyncio.to_thread(self._writer.shutdown)
        await asyncio.to_thread(self._readers.shutdown)
        self._engine.dispose()
        if self._claim is not None:
            self._claim.close()
            self._claim = None


def _prepare(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: object) -> None:
        # The driver would begin transactions late and without the write lock.
        connection.isolation_level = None
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # Taking the write lock at once means no transaction fails half way because it can't get it.
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql("BEGIN IMMEDIATE")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def _upgrade(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _pending(connection: Connection) -> list[str]:
    current = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(_config())
    try:
        steps = list(scripts.iterate_revisions("head", current or "base"))
    except RevisionError as error:
        raise CommandError(str(error)) from error
    return [f"{step.revision}: {step.doc}" for step in reversed(steps)]
