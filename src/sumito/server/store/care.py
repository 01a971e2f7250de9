"""Looking after the database: opening it with plain words for what is wrong, and copying it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from alembic.util import CommandError
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from sumito.errors import SumitoError
from sumito.server.logs import hidden
from sumito.server.settings import Settings, SettingsError
from sumito.server.store.database import UnavailableError, open_database

_TRY_S: Final = 60.0


async def prepare(settings: Settings) -> None:
    """Open the database and bring its tables up to this version, or say what is wrong with it."""
    named = hidden(settings.database)
    try:
        async with asyncio.timeout(_TRY_S):
            database = open_database(settings.database)
            try:
                await database.migrate()
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
        # asyncpg's own errors are no relatives of any other.
        if not type(error).__module__.startswith("asyncpg"):
            raise
        raise _unusable(named, error) from None


def _unusable(named: str, error: Exception) -> SettingsError:
    return SettingsError("can't use the database {named}: {why}", named=named, why=_why(error))


def _why(error: Exception) -> str:
    origin = error.orig if isinstance(error, DBAPIError) and error.orig else error
    first = str(origin).partition("\n")[0]
    # Where a driver quotes another's error, the words for people come last.
    return hidden(first.rpartition(">: ")[2] or first)


def backup(database: str, target: Path) -> None:
    """Copy a running server's SQLite database into a new file, as of one moment."""
    if "://" in database and not database.startswith("sqlite:"):
        raise SumitoError("PostgreSQL has its own way: pg_dump --format=custom")
    source = Path(database.removeprefix("sqlite:///")).expanduser()
    if not source.is_file():
        raise SumitoError("there is no database {source}", source=source)
    try:
        # Made here and for its owner only: it holds what the database holds.
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


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(target)) as copy:
        # All pages in one step: in several, every write of the server would start the copy again.
        live.backup(copy, pages=-1)
        # A copy stands alone: no log beside it that could be forgotten.
        copy.execute("PRAGMA journal_mode=DELETE")
        found = copy.execute("PRAGMA quick_check").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)
