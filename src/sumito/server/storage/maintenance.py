"""Database maintenance: opening with readable errors, migration, backup."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from alembic.util import CommandError
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from sumito.errors import SumitoError
from sumito.i18n.messages import N_
from sumito.server.base.logs import redact
from sumito.server.base.settings import Settings, SettingsError
from sumito.server.storage.database import Database, UnavailableError, open_database

T = TypeVar("T")


async def open_and_migrate(settings: Settings, *, serves: bool = True) -> None:
    """Open the database and migrate it; raise `SettingsError` if it can't be used.

    A process that `serves` claims the database; one that only adds to it may run beside it.
    """

    async def migrate(database: Database) -> None:
        if serves:
            database.claim(shared=bool(settings.redis))
        await database.migrate()

    await _with_database(settings, migrate)


async def pending(settings: Settings) -> list[str]:
    """Return the pending migrations without running them."""
    if (file := _file(settings.database)) is not None and not file.exists():
        raise SettingsError(N_("there is no database {source}"), source=file)
    return await _with_database(settings, lambda database: database.pending())


async def _with_database(settings: Settings, work: Callable[[Database], Awaitable[T]]) -> T:
    """Run work on the database; raise `SettingsError` if it can't be used."""
    named = redact(settings.database)
    try:
        database = open_database(settings.database)
        try:
            return await work(database)
        finally:
            await database.close()
    except SettingsError:
        raise
    except CommandError as error:
        raise SettingsError(
            "the database {named} is of a newer version of Sumito than this one ({error})",
            named=named,
            error=str(error),
        ) from None
    except (ArgumentError, ValueError):
        raise SettingsError("{named} is no address of a database", named=named) from None
    except ModuleNotFoundError as error:
        raise SettingsError(
            "PostgreSQL needs {name}; install it with: pip install 'sumito[cluster]'",
            name=error.name,
        ) from None
    except TimeoutError:
        raise SettingsError("the database {named} doesn't answer", named=named) from None
    except (SQLAlchemyError, OSError, UnavailableError) as error:
        raise _unusable(named, error) from None
    except Exception as error:
        # asyncpg's errors have no common base class with others.
        if not type(error).__module__.startswith("asyncpg"):
            raise
        raise _unusable(named, error) from None


def _unusable(named: str, error: Exception) -> SettingsError:
    return SettingsError("can't use the database {named}: {why}", named=named, why=_why(error))


def _why(error: Exception) -> str:
    origin = error.orig if isinstance(error, DBAPIError) and error.orig else error
    first = str(origin).partition("\n")[0]
    # Where a driver quotes another's error, the readable part comes last.
    return redact(first.rpartition(">: ")[2] or first)


def backup(database: str, target: Path) -> None:
    """Copy a running server's SQLite database into a new file, as a consistent snapshot."""
    source = _file(database)
    if source is None:
        raise SumitoError("PostgreSQL has its own way: pg_dump --format=custom")
    if not source.is_file():
        raise SumitoError("there is no database {source}", source=source)
    try:
        # Created for its owner only, as the database itself.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise SumitoError(
            "can't write {target}: {why}", target=target, why=error.strerror
        ) from None
    try:
        _copy(source, target)
    except sqlite3.Error as error:
        target.unlink()
        raise SumitoError("can't copy {source}: {why}", source=source, why=str(error)) from None


def _file(database: str) -> Path | None:
    """Return the file of an SQLite database; None for PostgreSQL."""
    if "://" in database and not database.startswith("sqlite:"):
        return None
    return Path(database.removeprefix("sqlite:///")).expanduser()


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(target)) as copy:
        # All pages in one step: otherwise every write of the server would restart the copy.
        live.backup(copy, pages=-1)
        # A copy is one file, without a write-ahead log beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
        found = copy.execute("PRAGMA quick_check").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)
