"""Commands that read and write games: check records; convert records, moves and positions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from sumito import record
from sumito.cli.common import (
    FAULTS,
    LayoutOption,
    ModeOption,
    board_of,
    echo,
    examples,
    is_stdin,
    play_all,
    progress_bar,
    readable,
    records_source,
    tr,
)
from sumito.errors import SumitoError
from sumito.i18n.messages import N_, NN_
from sumito.output import open_output
from sumito.position import Form, Position
from sumito.rules.notations import Notation

if TYPE_CHECKING:
    from sumito.game import Game


def register(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command(epilog=examples("check games.apgn", "check club/*.apgn"))(check)
    convert = typer.Typer(
        help="Convert records, moves or positions from one form to another.",
        no_args_is_help=False,
        epilog=examples(
            "convert record games.apgn --to nacre",
            "convert moves a1b2 i9h8 --to nacre",
            "convert position --to playstrategy 5/6/7/8/2bbw4/8/7/6/5 b 0,0 0 1",
        ),
    )
    convert.command("record", epilog=examples("convert record games.apgn --to nacre -o new.apgn"))(
        convert_record
    )
    convert.command(
        "moves", epilog=examples("convert moves a1b2 i9h8 --to nacre --layout standard")
    )(convert_moves)
    convert.command(
        "position",
        epilog=examples(
            "convert position --to playstrategy 5/6/7/8/2bbw4/8/7/6/5 b 0,0 0 1",
            "convert position --from kaa 0e34_0e5",
        ),
    )(convert_position)
    app.add_typer(convert, name="convert")


File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        callback=readable,
        help="A file of games; - for standard input.",
    ),
]
Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILES",
        callback=readable,
        help="The records; - for standard input.",
    ),
]


def check(files: Files) -> None:
    """Replay every game of some records and list what is wrong in them."""
    games = 0
    faults: list[str] = []
    with progress_bar() as progress:
        for path in files:
            bar = progress.add_task(path.name, total=_count_games(path))
            for game in record.read(records_source(path), errors="collect"):
                games += 1
                faults += [f"{path}: {fault}" for fault in game.errors]
                progress.advance(bar)
    for fault in faults:
        typer.echo(fault)
    counted = tr(NN_("{count:,} game", "{count:,} games"), count=games)
    fault_count = tr(NN_("{count:,} fault", "{count:,} faults"), count=len(faults))
    echo(
        N_("{games}, {faults}"),
        games=counted,
        faults=fault_count if faults else tr(N_("no faults")),
    )
    if faults:
        raise typer.Exit(FAULTS)


def _count_games(path: Path) -> int | None:
    """Estimate the number of games, for the bar: each begins with the same tag."""
    if is_stdin(path) or not path.is_file():
        return None  # a pipe can be read only once
    with path.open("rb") as file:
        return sum(line.startswith(b"[Event ") for line in file)


def convert_record(
    file: File,
    notation: Annotated[
        Notation | None,
        typer.Option("--to", help="Notation to write; by default, the file's own."),
    ] = None,
    positions_form: Annotated[
        Form | None,
        typer.Option("--positions", help="Write each position in this form, not the moves."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write.")
    ] = None,
) -> None:
    """Write the games of a record again, moves in another notation or position by position."""
    try:
        with writing(output) as target:
            if positions_form is None:
                record.write(record.read(records_source(file)), target, notation=notation)
            else:
                _write_positions(file, positions_form, target)
    except SumitoError as error:
        raise SumitoError(N_("{path}: {problem}"), path=file, problem=error.sentence) from None


def _write_positions(file: Path, form: Form, target: IO[str]) -> None:
    for number, game in enumerate(record.read(records_source(file))):
        if number:
            target.write("\n")
        for board in game.boards():
            target.write(board.position.text(form) + "\n")


@contextmanager
def writing(path: Path | None) -> Iterator[IO[str]]:
    """Open standard output, or a file that appears only when it is written completely."""
    if path is None:
        yield sys.stdout
        return
    with open_output(path) as file:
        yield file


def convert_moves(
    moves: Annotated[list[str], typer.Argument(metavar="MOVES", help="Moves from the start.")],
    source: Annotated[Notation, typer.Option("--from", help="Notation they are written in.")] = (
        Notation.ABA_PRO
    ),
    target: Annotated[Notation, typer.Option("--to", help="Notation to write.")] = Notation.ABA_PRO,
    layout: LayoutOption = None,
    mode: ModeOption = None,
    start: Annotated[
        str | None, typer.Option("--position", metavar="TEXT", help="Where they begin.")
    ] = None,
) -> None:
    """Write moves in another notation; they must be legal one after another."""
    board = board_of(start.split() if start else None, layout, mode)
    played = play_all(board.copy(), " ".join(moves), source).moves
    typer.echo(board.variation_text(played, notation=target))


def convert_position(
    text: Annotated[list[str], typer.Argument(metavar="POSITION", help="A position text.")],
    source: Annotated[Form, typer.Option("--from", help="Format of the text.")] = Form.SUMITO,
    target: Annotated[Form, typer.Option("--to", help="Format to write.")] = Form.SUMITO,
) -> None:
    """Write a position as another program's text."""
    typer.echo(Position.parse(" ".join(text), source).text(target))


def save_game(game: Game, path: Path) -> None:
    """Write a game played here to a file of its own."""
    tags = {"Event": "Played at one table", "Date": f"{date.today():%Y.%m.%d}"}
    written = record.Record.from_game(game, tags)
    with writing(path) as file:
        record.write(written, file)
