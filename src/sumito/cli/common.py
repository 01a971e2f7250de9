"""What the commands share: options that describe a board, and how things are said and printed.

Everything a person reads is made here, by `say` from a template and values, or by `sentence` from
an error: the one place for another language.
"""

from __future__ import annotations

import math
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import typer
from rich import box
from rich.console import Console, JustifyMethod
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from sumito.cli.language import format_message, translated
from sumito.drawing import terminal
from sumito.engine.engine import most_hash_mb
from sumito.errors import SumitoError
from sumito.i18n.messages import N_, Template
from sumito.position import Form
from sumito.rules.board import Board
from sumito.rules.modes import Mode
from sumito.rules.notations import Notation
from sumito.rules.rules import PRESETS, Rules

FAULTS: Final = 1
"""The exit code when the input could be read and something in it is wrong."""
BAD_INPUT: Final = 2
"""The exit code when the input could not be read, or the command was not understood."""

_PIPE_WIDTH: Final = 200
"""Columns of a table that goes into a file or another program: wide enough not to be cut."""

LARGEST_SEED: Final = 2**63 - 1


class Preset(StrEnum):
    """The rule sets that have a name."""

    RULEBOOK = "rulebook"
    TOURNAMENT = "tournament"

    @property
    def rules(self) -> Rules:
        return PRESETS[self]


PositionWords = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION",
        show_default=False,
        help="Position text; by default, the start position.",
    ),
]
LayoutOption = Annotated[
    str | None,
    typer.Option("--layout", "-l", metavar="ID", help="A start position; see `sumito layouts`."),
]
LayoutsOption = Annotated[
    list[str] | None,
    typer.Option("--layout", "-l", metavar="ID", help="Layouts to play; all by default."),
]
ModeOption = Annotated[Mode | None, typer.Option("--mode", "-m", help="Game mode.")]
FormOption = Annotated[Form, typer.Option("--form", "-f", help="Format of the position text.")]
NotationOption = Annotated[
    Notation, typer.Option("--notation", "-n", help="Notation of the moves.")
]
SeedOption = Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Random seed.")]


def check_hash(value: int) -> int:
    """Refuse a table that doesn't fit into the memory that is available."""
    most = most_hash_mb()
    if not 1 <= value <= most:
        raise typer.BadParameter(
            tr(
                N_("{value} MB are out of range: 1 to {most} MB are available"),
                value=value,
                most=most,
            )
        )
    return value


HashOption = Annotated[
    int,
    typer.Option("--hash", callback=check_hash, metavar="MB", help="Memory in megabytes."),
]


def finite(value: float | None) -> float | None:
    """Refuse `nan`, which is neither too small nor too large."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(tr(N_("{value} is not a finite number"), value=value))
    return value


def tr(template: Template, /, **values: object) -> str:
    """A text for people: a template, marked with `N_` or `NN_`, and its values."""
    return format_message(template, values)


def say(template: Template, /, *, err: bool = False, **values: object) -> None:
    """Tell a person something, on standard output or beside it."""
    typer.echo(tr(template, **values), err=err)


def sentence(error: BaseException) -> str:
    """What went wrong, in one line and without the system's numbers."""
    match error:
        case SumitoError():
            told = translated(error.sentence)
        case OSError(strerror=str(reason), filename=name) if name is not None:
            told = tr(N_("{file}: {reason}"), file=os.fsdecode(name), reason=reason)
        case OSError(strerror=str(reason)):
            told = reason
        case MemoryError():
            told = tr(N_("there is not enough memory for this"))
        case _:
            told = str(error)
    return " ".join(told.split())


def is_stdin(path: Path) -> bool:
    """Does the name stand for standard input?"""
    return str(path) == "-"


def records_source(path: Path) -> Path | BinaryIO:
    """Return what to read records from: the file of that name, or standard input for `-`."""
    return sys.stdin.buffer if is_stdin(path) else path


def readable(value: Path | list[Path]) -> Path | list[Path]:
    """Refuse the name of a file that can't be read; - stands for standard input."""
    for path in value if isinstance(value, list) else [value]:
        if is_stdin(path):
            continue
        if path.is_dir():
            raise typer.BadParameter(f"file {str(path)!r} is a directory.")
        if not path.exists():
            raise typer.BadParameter(f"file {str(path)!r} does not exist.")
    return value


def examples(*lines: str) -> str:
    """The foot of a help page."""
    head = "Example:" if len(lines) == 1 else "Examples:"
    # The mark at the beginning keeps the help page from running the lines together.
    return "\n".join(("\b", head, *(f"  [cyan]sumito {line}[/cyan]" for line in lines)))


def board_of(
    words: list[str] | None,
    layout: str | None,
    mode: Mode | None,
    form: Form = Form.SUMITO,
    rules: Rules = Preset.RULEBOOK.rules,
) -> Board:
    """The board that the options of a command describe."""
    if not words:
        return Board(layout, mode or Mode.TWO, rules=rules)
    if layout is not None or mode is not None:
        raise SumitoError(N_("give a position, or a layout and a mode, but not both"))
    return Board.parse(" ".join(words), rules=rules, form=form)


def play_all(board: Board, moves: str, notation: Notation) -> Board:
    """Play the moves of a text with blanks between; an error says which one it was."""
    for number, word in enumerate(moves.split(), start=1):
        try:
            board.push_text(word.lower(), notation=notation)
        except SumitoError as error:
            raise SumitoError(
                N_("move {number}: {problem}"), number=number, problem=error.sentence
            ) from None
    return board


class Output(Console):
    """Standard output that raises `BrokenPipeError` when its reader is gone; Rich would exit."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def screen() -> Console:
    """Where results go."""
    console = Output(highlight=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def progress_bar() -> Progress:
    """A bar for tasks that are counted; only where someone can see it.

    Print results when it is gone: they may go to the same terminal, or to a file.
    """
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,
        disable=not console.is_terminal,
    )


def table(*columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """Return an empty table; the first column is never cut, numbers are set to the right."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        justify: JustifyMethod = "right" if column in numbers else "left"
        made.add_column(tr(column), justify=justify, no_wrap=column == columns[0])
    return made


def picture(board: Board, console: Console) -> str:
    """The board as text, in the colours that the terminal has."""
    palette = terminal.Palette.NONE
    if console.is_terminal and not console.no_color:
        palettes = {"256": terminal.Palette.ANSI256, "truecolor": terminal.Palette.TRUECOLOUR}
        palette = palettes.get(console.color_system or "", palette)
    effect = board.last_effect()
    return terminal.board(board, palette=palette, last_move=effect, say=translated)
