"""Commands that print the rules with figures, and the players' glossary."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from sumito.cli.common import Output, examples, tr
from sumito.cli.language import LanguageOption, reader_language
from sumito.drawing import Show, terminal
from sumito.i18n.messages import N_
from sumito.teaching import LANGUAGES, Figured, Section, figures, rulebook, texts
from sumito.teaching import words as player_words


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(epilog=examples("rules", "rules sumito", "rules --language de", "rules | less -R"))(
        rules
    )
    app.command(epilog=examples("words", "words --language nl"))(words)


def rules(
    section: Annotated[
        str, typer.Argument(metavar="SECTION", show_default=False, help="Only this section.")
    ] = "",
    language: LanguageOption = "",
) -> None:
    """Read the rules, with their figures."""
    strings = texts(reader_language(language))
    console = Output()
    known = {one.id: one for one in rulebook()}
    if section and section not in known:
        raise typer.BadParameter(
            tr(
                N_("{section!r} is not a section; there are {known}"),
                section=section,
                known=", ".join(known),
            ),
            param_hint="SECTION",
        )
    if not section:
        console.print(Markdown(f"# {strings['rules.title']}"))
    for one in [known[section]] if section else rulebook():
        _print_section(console, one, strings)


def _print_section(console: Console, section: Section, strings: Mapping[str, str]) -> None:
    console.print(Markdown(f"## {strings[section.title]}"))
    for block in section.blocks:
        if isinstance(block, Figured):
            _print_figure(console, block, strings)
        else:
            console.print(Markdown(strings[block.key]))
            console.print()


def _print_figure(console: Console, figure: Figured, strings: Mapping[str, str]) -> None:
    for board in figures()[figure.name]:
        drawn = terminal.board(board.board, show=Show.COORDINATES, palette=_palette(console))
        console.print(Text.from_ansi(drawn))
        moves = [str(move) for move in board.show] + [f"({move})" for move in board.refuse]
        if moves:
            console.print(Text("   " + "  ".join(moves), style="dim"))
    console.print(Text(f"   {strings[figure.caption]}", style="italic"))
    console.print()


def _palette(console: Console) -> terminal.Palette:
    palettes = {
        "256": terminal.Palette.ANSI256,
        "truecolor": terminal.Palette.TRUECOLOUR,
    }
    return palettes.get(console.color_system or "", terminal.Palette.NONE)


def words(language: LanguageOption = "") -> None:
    """Show the players' glossary in four languages, with meaning and use."""
    reader = reader_language(language)
    strings = texts(reader)
    others = [one for one in LANGUAGES if one != reader]
    console = Output(highlight=False)
    for word in player_words():
        console.print(Text(strings[word.name], style="bold"))
        elsewhere = ", ".join(f"{one} {texts(one)[word.name]}" for one in others)
        _print_indented(console, elsewhere, style="dim")
        _print_indented(console, f"{strings[word.meaning]} {strings[word.use]}")
        console.print()


def _print_indented(console: Console, text: str, style: str = "") -> None:
    margin = "   "
    lines = textwrap.wrap(text, console.width, initial_indent=margin, subsequent_indent=margin)
    console.print(Text("\n".join(lines), style=style), soft_wrap=True)
