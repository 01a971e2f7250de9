"""Shared by the commands: options that describe a board, translated messages and output.

Messages are formatted here: by `echo` from a template and values, by `error_text` from an error.
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

from sumito.cli.language import format_message, render
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
"""Exit code when the input was read and has errors."""
BAD_INPUT: Final = 2
"""Exit code when the input could not be read, or for wrong usage."""

_PIPE_WIDTH: Final = 200
"""Width of tables in files and pipes: wide enough that nothing is cut."""

LARGEST_SEED: Final = 2**63 - 1


class Preset(StrEnum):
    """Named rule sets."""

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
    """Raise `typer.BadParameter` for a table larger than the available memory."""
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
    """Raise `typer.BadParameter` for `nan`, which range checks let through, and infinities."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(tr(N_("{value} is not a finite number"), value=value))
    return value


def tr(template: Template, /, **values: object) -> str:
    """Translate a template, marked with `N_` or `NN_`, and fill in its values."""
    return format_message(template, values)


def echo(template: Template, /, *, err: bool = False, **values: object) -> None:
    """Print a translated message to standard output or standard error."""
    typer.echo(tr(template, **values), err=err)


def error_text(error: BaseException) -> str:
    """Return the message of an error as one line, without the system's error number."""
    match error:
        case SumitoError():
            text = render(error.sentence)
        case OSError(strerror=str(reason), filename=name) if name is not None:
            text = tr(N_("{file}: {reason}"), file=os.fsdecode(name), reason=reason)
        case OSError(strerror=str(reason)):
            text = reason
        case MemoryError():
            text = tr(N_("there is not enough memory for this"))
        case _:
            text = str(error)
    return " ".join(text.split())


def is_stdin(path: Path) -> bool:
    """Whether the name stands for standard input."""
    return str(path) == "-"


def records_source(path: Path) -> Path | BinaryIO:
    """Return what to read records from: the file of that name, or standard input for `-`."""
    return sys.stdin.buffer if is_stdin(path) else path


def readable(value: Path | list[Path]) -> Path | list[Path]:
    """Raise `typer.BadParameter` for a file that can't be read; `-` is standard input."""
    for path in value if isinstance(value, list) else [value]:
        if is_stdin(path):
            continue
        if path.is_dir():
            raise typer.BadParameter(f"file {str(path)!r} is a directory.")
        if not path.exists():
            raise typer.BadParameter(f"file {str(path)!r} does not exist.")
    return value


def examples(*lines: str) -> str:
    """Return the examples at the foot of a help page."""
    head = "Example:" if len(lines) == 1 else "Examples:"
    # The leading \b keeps Typer from joining the lines.
    return "\n".join(("\b", head, *(f"  [cyan]sumito {line}[/cyan]" for line in lines)))


def board_of(
    words: list[str] | None,
    layout: str | None,
    mode: Mode | None,
    form: Form = Form.SUMITO,
    rules: Rules = Preset.RULEBOOK.rules,
) -> Board:
    """Return the board that the options of a command describe."""
    if not words:
        return Board(layout, mode or Mode.TWO, rules=rules)
    if layout is not None or mode is not None:
        raise SumitoError(N_("give a position, or a layout and a mode, but not both"))
    return Board.parse(" ".join(words), rules=rules, form=form)


def play_all(board: Board, moves: str, notation: Notation) -> Board:
    """Play moves separated by spaces; an error names the number of the move."""
    for number, word in enumerate(moves.split(), start=1):
        try:
            board.push_text(word.lower(), notation=notation)
        except SumitoError as error:
            raise SumitoError(
                N_("move {number}: {problem}"), number=number, problem=error.sentence
            ) from None
    return board


class Output(Console):
    """Console that raises `BrokenPipeError` when its reader is gone, where Rich would exit."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def screen() -> Console:
    """Return the console for results, on standard output."""
    console = Output(highlight=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def progress_bar() -> Progress:
    """Return a progress bar, shown only on a terminal.

    Print results after it is closed: they may go to the same terminal.
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
    """Return an empty table; its first column is never cut, numbers are right-aligned."""
    result = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        justify: JustifyMethod = "right" if column in numbers else "left"
        result.add_column(tr(column), justify=justify, no_wrap=column == columns[0])
    return result


def picture(board: Board, console: Console) -> str:
    """Return the board as text, in the colours that the terminal supports."""
    palette = terminal.Palette.NONE
    if console.is_terminal and not console.no_color:
        palettes = {"256": terminal.Palette.ANSI256, "truecolor": terminal.Palette.TRUECOLOUR}
        palette = palettes.get(console.color_system or "", palette)
    effect = board.last_effect()
    return terminal.board(board, palette=palette, last_move=effect, render=render)
