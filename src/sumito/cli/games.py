"""Command that imports records into the server's archive: `sumito games import FILE…`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

import typer
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from sumito import record
from sumito.cli.common import FAULTS, echo, error_text, examples, is_stdin, readable, screen
from sumito.errors import RecordError
from sumito.i18n.messages import N_

if TYPE_CHECKING:
    from sumito.server.storage.archive_repo import ArchivedGame, ArchiveRepository

BATCH: Final = 200
"""Games inserted in one transaction."""
MOST_REPORTED: Final = 20
"""Invalid games that are reported one by one; the rest is counted."""

games = typer.Typer(no_args_is_help=True, help="The games of the server's archive.")


def register(app: typer.Typer) -> None:
    """Register the commands of this module."""
    games.command(
        "import",
        epilog=examples("games import club.apgn", "games import *.apgn --database games.sqlite3"),
    )(import_games)
    app.add_typer(games, name="games")


@dataclass(slots=True)
class ImportTally:
    """Counts of the games so far: new, already known and invalid."""

    new: int = 0
    known: int = 0
    bad: int = 0
    faults: list[tuple[Path, RecordError]] = field(default_factory=list)

    def fault(self, file: Path, error: RecordError) -> None:
        self.bad += 1
        if len(self.faults) < MOST_REPORTED:
            self.faults.append((file, error))


def import_games(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…", callback=readable, help="Records in APGN; - for standard input."
        ),
    ],
    database: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|URL",
            help="SQLite file or postgresql://…; by default, a file in your data folder.",
        ),
    ] = None,
) -> None:
    """Import records into the archive, each game once; invalid games are reported and skipped."""
    tally = asyncio.run(_import(files, database))
    for file, error in tally.faults:
        echo(N_("{file}: {problem}"), file=file, problem=error_text(error), err=True)
    if tally.bad > len(tally.faults):
        echo(N_("… and {count} more"), count=tally.bad - len(tally.faults), err=True)
    echo(
        N_("{new:,} games added, {known:,} were there already, {bad:,} can't be read"),
        new=tally.new,
        known=tally.known,
        bad=tally.bad,
    )
    if tally.bad:
        raise typer.Exit(FAULTS)


async def _import(files: list[Path], database: str | None) -> ImportTally:
    from sumito.server.base.settings import Settings
    from sumito.server.storage import maintenance, open_database
    from sumito.server.storage.archive_repo import ArchiveRepository

    settings = Settings.read(database=database).with_defaults()
    await maintenance.open_and_migrate(settings, serves=False)
    opened = open_database(settings.database)
    tally = ImportTally()
    try:
        store = ArchiveRepository(opened)
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
        with Progress(*columns, TimeRemainingColumn(), console=screen()) as progress:
            for file in files:
                task = progress.add_task(file.name, total=_size(file))
                await _import_file(file, store, tally, progress, task)
    finally:
        await opened.close()
    return tally


async def _import_file(
    file: Path, store: ArchiveRepository, tally: ImportTally, progress: Progress, task: TaskID
) -> None:
    with nullcontext(sys.stdin.buffer) if is_stdin(file) else file.open("rb") as raw:
        archived = _archived(file, raw, tally)
        while batch := await asyncio.to_thread(_take, archived):
            new = await store.add(batch)
            tally.new += new
            tally.known += len(batch) - new
            if raw.seekable():
                progress.update(task, completed=raw.tell())
    progress.update(task, completed=_size(file))


def _size(file: Path) -> int | None:
    """Return the size in bytes; None for a pipe."""
    return max(1, file.stat().st_size) if file.is_file() else None


def _take(games: Iterator[ArchivedGame]) -> list[ArchivedGame]:
    return list(islice(games, BATCH))


def _archived(file: Path, raw: BinaryIO, tally: ImportTally) -> Iterator[ArchivedGame]:
    """Yield the valid games of a file, converted for the archive."""
    from sumito.server.archive.archive import of_record

    try:
        for game in record.read(raw, errors="collect"):
            if game.errors:
                tally.fault(file, game.errors[0])
            elif game.moves:
                yield of_record(game)
    except RecordError as error:
        tally.fault(file, error)
