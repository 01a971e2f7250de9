"""The command `terminal`: games in the terminal, full screen (`sumito.tui`) or line by line.

Line by line, two to four people type their moves, and the board is drawn after each. Without a
terminal, lines are read from standard input, so that a game can be piped in.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from sumito.cli.boards import list_moves
from sumito.cli.common import (
    FormOption,
    LayoutOption,
    ModeOption,
    NotationOption,
    PositionWords,
    Preset,
    board_of,
    echo,
    error_text,
    examples,
    picture,
    screen,
    tr,
)
from sumito.cli.language import LanguageOption, reader_language, render, set_language
from sumito.cli.records import save_game
from sumito.errors import SumitoError
from sumito.game import Game, commands, events
from sumito.game.clock import Control, clock_text
from sumito.game.local import LocalGame, now, typed_move
from sumito.i18n.messages import N_
from sumito.position import Form
from sumito.rules.modes import Colour
from sumito.rules.notations import Notation
from sumito.rules.rules import RULEBOOK, Outcome

if TYPE_CHECKING:
    from sumito.rules.modes import Mode

_SCREEN_NEEDS: Final = ("textual",)
_SERVER_NEEDS: Final = ("httpx", "websockets", "msgspec", "platformdirs")
_YES: Final = ("y", "yes", "j", "ja", "o", "oui")
"""Affirmative answers in all languages."""

_HOW_TO_WRITE: Final = {
    Notation.ABA_PRO: N_("""\
In line, type the rear marble's cell and the next one: a1b2. A side-step is the two ends of the row
and where the first one goes: c3c5d4."""),
    Notation.NACRE: N_("""\
In line, type the rear marble's cell and where the front one lands: a1d4. A side-step is one end's
cell and the other end's landing, whichever two lie farthest apart: c3d6."""),
    Notation.PLAYSTRATEGY: N_("""\
In line, type the rear marble's cell and the first cell beyond all that moved: a1d4. A side-step is
one end's cell and the other end's landing, whichever two lie farthest apart: c3d6."""),
}


def register(app: typer.Typer) -> None:
    """Register the command of this module."""
    app.command(
        epilog=examples(
            "terminal",
            "terminal --level keen --clock 600+5",
            "terminal --records games.apgn",
            "terminal --server http://127.0.0.1:8000",
            "terminal --plain --layout belgian-daisy --rules tournament --clock 600+5",
            "terminal --mode three --black Ann --white Ben --red Cas",
        )
    )(terminal)


Name = Annotated[str | None, typer.Option(metavar="NAME", help="Name of the player.")]


def terminal(
    position: PositionWords = None,
    layout: LayoutOption = None,
    mode: ModeOption = None,
    form: FormOption = Form.SUMITO,
    notation: NotationOption = Notation.ABA_PRO,
    rules: Annotated[
        Preset,
        typer.Option(
            help="Rule set; tournament rules draw when a position occurs for the third time."
        ),
    ] = Preset.RULEBOOK,
    win_at: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of ejections that win.")
    ] = RULEBOOK.win_at,
    time_control: Annotated[
        str,
        typer.Option(
            "--clock",
            metavar="TIME",
            help="Seconds per player: 900, with increment 600+5, with delay 600d3, or - for none.",
        ),
    ] = "-",
    black: Name = None,
    white: Name = None,
    red: Name = None,
    blue: Name = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL", help="Level of the computer, which plays every seat but the first."
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, metavar="FILE", help="Browse a file of games."),
    ] = None,
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Play online at this server.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line, not on the full screen.")
    ] = False,
    language: LanguageOption = "",
) -> None:
    """Play in this terminal: on the full screen, or line by line where it has none.

    Without options it opens with a menu. Line by line, type moves such as a1b2 or c3c5d4, or
    `help`.
    """
    if language:
        set_language(language)
    rule_set = replace(rules.rules, win_at=win_at)
    if records is not None and server is not None:
        raise SumitoError(N_("--records and --server can't be combined"))
    is_full = not plain and has_full_screen()
    if not is_full and (records or server or level):
        raise SumitoError(
            N_("--records, --server and --level need the full screen of a terminal, and {extra}"),
            extra='pip install "sumito[tui]"',
        )
    if server and any(find_spec(name) is None for name in _SERVER_NEEDS):
        raise SumitoError(
            N_("--server needs packages of {extra}"), extra='pip install "sumito[client]"'
        )
    if is_full:
        from sumito.tui.app import SumitoApp
        from sumito.tui.localisation import Localiser

        words = Localiser(reader_language(language))
        if records or server:
            SumitoApp(words, records=records, server=server).run()
            return
        described = (position, layout, mode, level, black, white, red, blue)
        if not any(described) and time_control == "-" and rule_set == RULEBOOK:
            SumitoApp(words).run()
            return
    board = board_of(position, layout, mode, form, rule_set)
    game = Game(
        _seats(board.mode, (black, white, red, blue)),
        mode=board.mode,
        start=board.position,
        rules=rule_set,
        control=Control.parse(time_control),
        start_at=now(),
    )
    if is_full:
        from sumito.engine import Level

        strength = None if level is None else Level.parse(level)
        others = game.mode.order[1:] if strength is not None else ()
        levels = {colour: strength for colour in others if strength is not None}
        SumitoApp(words, game=game, levels=levels, notation=notation).run()
    else:
        TerminalGame(game, notation).run()


def has_full_screen() -> bool:
    """Whether the terminal can show a full screen and the app is installed."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    missing = [name for name in _SCREEN_NEEDS if find_spec(name) is None]
    if missing:
        echo(
            N_("For the full-screen board: {command}\n"),
            command='pip install "sumito[tui]"',
            err=True,
        )
    return not missing


def _seats(mode: Mode, names: tuple[str | None, ...]) -> dict[Colour, str]:
    seats = {}
    for colour in Colour:
        name = names[colour]
        if colour in mode.colours:
            seats[colour] = name or str(colour).capitalize()
        elif name is not None:
            raise SumitoError(
                N_("mode {mode} has no {colour} for {name} to play"),
                mode=mode,
                colour=colour,
                name=name,
            )
    return seats


class TerminalGame:
    """A game played line by line."""

    def __init__(self, game: Game, notation: Notation) -> None:
        self.local = LocalGame(game)
        self.notation = notation
        self.saved: set[Path] = set()
        self.console = screen()
        self.leaving = False

    @property
    def game(self) -> Game:
        return self.local.game

    def run(self) -> None:
        """Play until a player leaves or the input ends."""
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  # lets people edit what they type
        echo(N_("Type a move, or help.\n"))
        self.draw_board()
        while not self.leaving:
            line = self._ask(self._prompt())
            if line is None:
                break
            try:
                self.handle(line)
            except (SumitoError, ValueError, OSError) as error:  # the last two: a bad file name
                typer.echo(f"  {error_text(error)}")

    def _ask(self, prompt: str) -> str | None:
        """Read a line; None at the end of the input."""
        try:
            line = input(prompt)
        except EOFError:
            typer.echo()
            return None
        if not sys.stdin.isatty():
            typer.echo(line)  # echo piped input between the answers
        return line

    def _prompt(self) -> str:
        turn = self.game.turn
        if turn is None:
            return tr(N_("game over> "))
        left = self.local.clocks()[turn]
        return f"{self._name(turn)}{'' if left is None else ' ' + clock_text(left)}> "

    def _name(self, seat: Colour) -> str:
        name, colour = self.game.seats[seat], tr("{colour}", colour=seat)
        return colour if name.lower() == str(seat) else f"{colour} ({name})"

    def draw_board(self) -> None:
        typer.echo(picture(self.game.board, self.console))

    def handle(self, line: str) -> None:
        """Run a typed line; raise if it is invalid."""
        move = typed_move(line)
        if move is not None:
            self._show(self.local.play(self.local.parse_move(move, self.notation)))
            return
        word, *rest = line.split() or [""]
        command = COMMANDS.get(word.lower())
        if command is None:
            if word:
                raise SumitoError(
                    N_("{text!r} is neither a move nor a command; try help"), text=line.strip()
                )
            return
        command.run(self, " ".join(rest))

    def _show(self, changes: Iterable[events.Event]) -> None:
        """Draw the board after each move, and print the news."""
        for event in changes:
            if isinstance(event, events.Moved | events.TakenBack):
                self.draw_board()
            if isinstance(event, events.Ended):
                typer.echo(self._outcome_text(event.outcome))
            news = self.local.news(event, self._name)
            if news is not None:
                typer.echo(render(news))

    def _outcome_text(self, outcome: Outcome) -> str:
        text = render(outcome.sentence(self.game.mode, self.game.rules))
        return f"{text[0].upper()}{text[1:]}."

    def _named_seat(self, text: str) -> Colour:
        """Return the seat that a command names; by default, the one to move."""
        return Colour.parse(text.lower()) if text else self.local.seat

    # Commands besides moves.

    def help(self, _: str) -> None:
        echo(_HOW_TO_WRITE[self.notation])
        for name, command in COMMANDS.items():
            typer.echo(f"  {name:<8} {tr(command.help)}")

    def board(self, _: str) -> None:
        self.draw_board()
        typer.echo(str(self.game.board.position))
        if self.game.outcome is not None:
            typer.echo(self._outcome_text(self.game.outcome))

    def moves(self, _: str) -> None:
        if self.game.outcome is not None:
            raise SumitoError(N_("the game is over"))
        list_moves(self.game.board, self.notation)

    def undo(self, _: str) -> None:
        self._show(self.local.take_back())

    def resign(self, text: str) -> None:
        self._show(self.local.apply(commands.Resign(self._named_seat(text))))

    def draw(self, text: str) -> None:
        seat = self._named_seat(text)
        self._show(self.local.apply(commands.OfferDraw(seat)))
        for other in self.local.others(seat):
            answer = (
                self._ask(
                    tr(N_("{player}, do you accept a draw? (yes or no) "), player=self._name(other))
                )
                or "no"
            )
            if answer.strip().lower() not in _YES:
                self._show(self.local.apply(commands.DeclineDraw(other)))
                return
            self._show(self.local.apply(commands.AcceptDraw(other)))
            if self.game.outcome is not None:
                return

    def save(self, text: str) -> None:
        if not text:
            raise SumitoError(N_("no file name given; type save FILE"))
        path = Path(text)
        with suppress(RuntimeError):  # an unknown ~user stays as it is
            path = path.expanduser()
        if path.exists() and path not in self.saved:
            raise SumitoError(N_("{path} exists already; choose another name"), path=path)
        save_game(self.game, path)
        self.saved.add(path)
        echo(N_("Saved to {path}."), path=path)

    def quit(self, _: str) -> None:
        self.leaving = True


class TypedCommand(NamedTuple):
    """A command besides moves, with its line in the list of commands."""

    run: Callable[[TerminalGame, str], None]
    help: str


COMMANDS: Final = {
    "help": TypedCommand(TerminalGame.help, N_("this list")),
    "board": TypedCommand(TerminalGame.board, N_("draw the board again, with the position text")),
    "moves": TypedCommand(TerminalGame.moves, N_("list the legal moves")),
    "undo": TypedCommand(TerminalGame.undo, N_("take the last move back")),
    "resign": TypedCommand(
        TerminalGame.resign, N_("resign; `resign white` resigns for another player")
    ),
    "draw": TypedCommand(TerminalGame.draw, N_("offer a draw; the others are asked")),
    "save": TypedCommand(TerminalGame.save, N_("write the game to a record: save FILE")),
    "quit": TypedCommand(TerminalGame.quit, N_("leave the game")),
}
