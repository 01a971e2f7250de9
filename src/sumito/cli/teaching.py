"""Commands that teach: the rules, in the reader's language, with their figures."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from sumito.cli.common import examples
from sumito.drawing import Show, terminal
from sumito.teaching import LANGUAGES, Figured, Section, figures, rulebook, texts

_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a terminal says which language it speaks, the strongest first, as gettext reads them."""

LanguageOption = Annotated[
    str,
    typer.Option(
        "--language", metavar="CODE", show_default=False, help=f"One of {', '.join(LANGUAGES)}."
    ),
]


def reader_language(wanted: str = "") -> str:
    """The language asked for, else the terminal's, else English."""
    if wanted:
        texts(wanted)  # raises for one that isn't there
        return wanted
    for variable in _VARIABLES:
        for locale in os.environ.get(variable, "").split(":"):
            code = re.split(r"[_.@-]", locale.lower())[0]
            if code in LANGUAGES:
                return code
            if code:  # an explicit choice of a language that isn't here, or of none ("C")
                return "en"
    return "en"


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(epilog=examples("rules", "rules sumito", "rules --language de", "rules | less -R"))(
        rules
    )


def rules(
    section: Annotated[
        str, typer.Argument(metavar="SECTION", show_default=False, help="Only this section.")
    ] = "",
    language: LanguageOption = "",
) -> None:
    """Read the rules, with their figures."""
    said = texts(reader_language(language))
    console = Console()
    known = {one.id: one for one in rulebook()}
    if section and section not in known:
        raise typer.BadParameter(
            f"{section!r} is not a section; there are {', '.join(known)}", param_hint="SECTION"
        )
    if not section:
        console.print(Markdown(f"# {said['rules.title']}"))
    for one in [known[section]] if section else rulebook():
        _print_section(console, one, said)


def _print_section(console: Console, section: Section, said: Mapping[str, str]) -> None:
    console.print(Markdown(f"## {said[section.title]}"))
    for block in section.blocks:
        if isinstance(block, Figured):
            _print_figure(console, block, said)
        else:
            console.print(Markdown(said[block.key]))
            console.print()


def _print_figure(console: Console, figure: Figured, said: Mapping[str, str]) -> None:
    for board in figures()[figure.number]:
        drawn = terminal.board(board.board, show=Show.COORDINATES, palette=_palette(console))
        console.print(Text.from_ansi(drawn))
        moves = [str(move) for move in board.show] + [f"({move})" for move in board.refuse]
        if moves:
            console.print(Text("   " + "  ".join(moves), style="dim"))
    console.print(Text(f"   {figure.number}  {said[figure.caption]}", style="italic"))
    console.print()


def _palette(console: Console) -> terminal.Palette:
    palettes = {
        "256": terminal.Palette.ANSI256,
        "truecolor": terminal.Palette.TRUECOLOUR,
    }
    return palettes.get(console.color_system or "", terminal.Palette.NONE)
