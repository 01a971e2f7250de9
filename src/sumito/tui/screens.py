"""Screens with a board, and what they share: navigation, turning, analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Static

from sumito import record
from sumito.drawing import scene
from sumito.errors import SumitoError
from sumito.i18n.messages import N_
from sumito.record import Record
from sumito.rules.board import Board
from sumito.rules.cells import CELLS, Cell
from sumito.rules.modes import Colour
from sumito.tui.board import BoardView
from sumito.tui.localisation import Localiser
from sumito.tui.panels import AnalysisPanel, Chat, Moves, Players, brief
from sumito.tui.picture import Marks

_TALL: Final = 26
"""Height from which a narrow window has two lines for the game's state above the board."""


def bindings(*named: tuple[str, str, str]) -> list[BindingType]:
    """Return key bindings; their English texts are translated in the footer by `localise`."""
    return [Binding(key, action, text, show=bool(text)) for key, action, text in named]


def trail(board: Board) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells that the last move left, and those it reached."""
    effect = board.last_effect()
    if effect is None:
        return frozenset(), frozenset()
    cells = effect.moved + effect.pushed
    reached = {cell.step(effect.direction) for cell in cells}
    return frozenset(set(cells) - reached), frozenset(cell for cell in reached if cell is not None)


class LocalisedScreen(Screen[None]):
    """A screen with its key descriptions in the reader's language."""

    first_keys: ClassVar[tuple[str, ...]] = ()
    """Keys listed first in the footer, since a narrow window shows only a few."""

    def __init__(self, tr: Localiser) -> None:
        super().__init__()
        self.tr = tr
        known = self._bindings.key_to_bindings
        ordered = {key: known[key] for key in (*self.first_keys, *known)}
        self._bindings.key_to_bindings = ordered
        for key, bound in ordered.items():
            ordered[key] = [
                Binding(
                    one.key,
                    one.action,
                    tr(one.description) if one.description else "",
                    show=one.show,
                    key_display=one.key_display,
                    priority=one.priority,
                )
                for one in bound
            ]


class BoardScreen(LocalisedScreen):
    """A board with players, moves and analysis beside it."""

    DEFAULT_CSS = """
    BoardScreen #table { height: 1fr; }
    BoardScreen #left { width: 1fr; }
    BoardScreen #side { width: 36; border-left: solid $primary; }
    BoardScreen #message { height: auto; max-height: 2; padding: 0 1; }
    BoardScreen #message.-refused { color: $text-warning; text-style: bold; }
    BoardScreen #status { height: auto; padding: 0 1; text-style: bold; margin: 0 0 1 0; }
    BoardScreen #heading { height: auto; padding: 0 1; color: $text-muted; }
    BoardScreen #brief { display: none; height: auto; max-height: 4; text-align: center; }
    BoardScreen.-narrow #side { display: none; }
    BoardScreen.-narrow #brief { display: block; }
    BoardScreen.-low #brief { text-wrap: nowrap; text-overflow: ellipsis; }
    """
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (78, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-low"),
        (_TALL, "-tall"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        ("a", "analyse", N_("Analyse")),
        ("f", "flip", N_("Turn")),
        ("s", "save", N_("Save")),
        ("pageup,comma", "look(-1)", ""),
        ("pagedown,full_stop", "look(1)", ""),
        ("home", "look(-9999)", ""),
        ("end", "look(9999)", ""),
        ("escape", "leave", N_("Menu")),
    )

    is_played: ClassVar[bool] = True
    """Whether the arrow keys move over the board's cells."""

    def __init__(self, tr: Localiser) -> None:
        super().__init__(tr)
        self.at = 0
        """Index of the displayed board."""
        self.turns = 0
        self._shown: Board | None = None

    # Overridden by the kinds of screens.

    @property
    def boards(self) -> Sequence[Board]:
        raise NotImplementedError

    def heading(self) -> str:
        return ""

    def names(self) -> Mapping[Colour, str]:
        raise NotImplementedError

    def turn(self) -> Colour | None:
        return self.board.turn

    def clocks(self) -> Mapping[Colour, int | None]:
        return {}

    def thinking(self) -> Colour | None:
        return None

    def status(self) -> str:
        return self.capitalised(self.tr.sentence(scene.status(self.board)))

    def marks(self) -> Marks:
        left, reached = trail(self.board)
        return Marks(left=left, reached=reached)

    def game_record(self) -> Record:
        raise NotImplementedError

    # Layout.

    @property
    def board(self) -> Board:
        """The displayed board."""
        return self.boards[min(self.at, len(self.boards) - 1)]

    @property
    def is_at_end(self) -> bool:
        return self.at >= len(self.boards) - 1

    def compose(self) -> ComposeResult:
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield Static(id="brief")
                view = BoardView(self.tr, id="board")
                view.can_focus = self.is_played
                yield view
                yield Static(id="message")
                yield from self.compose_below()
            with Vertical(id="side"):
                yield Static(id="heading")
                yield Players(id="players")
                yield Static(id="status")
                yield Moves(id="moves")
                yield Chat(id="chat")
                yield AnalysisPanel(self.tr, id="analysis")
        yield Footer()

    def compose_below(self) -> ComposeResult:
        """Widgets below the board."""
        yield from ()

    @on(events.Mount)
    def _show_first(self) -> None:
        if self.is_played:
            self.query_one(BoardView).focus()
        self.update()

    def update(self) -> None:
        """Update everything."""
        board = self.board
        self.query_one(BoardView).show(
            {cell: colour for cell in CELLS if (colour := board[cell]) is not None},
            self.marks(),
            self.turns,
        )
        self.update_players()
        self.query_one("#heading", Static).update(self.heading())
        self.query_one("#status", Static).update(self.status())
        self.query_one(Moves).show(self.boards, min(self.at, len(self.boards) - 1))
        if self._shown is None or self._shown is not board:
            self._shown = board
            self.query_one(AnalysisPanel).think_about(board)
        self.refresh_bindings()

    def update_players(self) -> None:
        """Update the clocks."""
        board, turn, clocks = self.board, self.turn(), self.clocks()
        self.query_one(Players).show(board, self.names(), turn, clocks, self.thinking())
        between = "\n" if self.size.height >= _TALL else "   "
        parts = [brief(board, turn, clocks), Text(self.status(), style="bold")]
        self.query_one("#brief", Static).update(Text(between).join(parts))

    def say(self, text: str) -> None:
        """Show a message."""
        message = self.query_one("#message", Static)
        message.set_class(False, "-refused")
        message.update(self.capitalised(text))

    def refuse(self, error: BaseException) -> None:
        """Show the message of an error."""
        message = self.query_one("#message", Static)
        message.set_class(True, "-refused")
        message.update(self.tr.error(error))

    @staticmethod
    def capitalised(text: str) -> str:
        return text[:1].upper() + text[1:]

    # Key actions.

    def action_analyse(self) -> None:
        self.query_one(AnalysisPanel).toggle(self.board)
        if self.has_class("-narrow"):
            self.say(self.tr(N_("Widen the window to see the variations beside the board.")))

    def action_flip(self) -> None:
        """Turn the board to the next player's seat."""
        seats = [-edge % 6 for edge in scene.SEATS[self.board.mode].values()]
        later = [turns for turns in seats if turns > self.turns]
        self.turns = min(later) if later else min(seats)
        self.update()

    def action_look(self, steps: int) -> None:
        """Show an earlier or a later position."""
        self.at = max(0, min(len(self.boards) - 1, min(self.at, len(self.boards) - 1) + steps))
        self.update()

    def action_leave(self) -> None:
        self.dismiss()

    def action_save(self) -> None:
        """Write the game to a new file here."""
        try:
            path = _free_name(Path.cwd())
            record.write([self.game_record()], path)
        except (SumitoError, OSError) as error:
            self.refuse(error)
        else:
            self.say(self.tr(N_("Saved to {path}."), path=path))


def _free_name(folder: Path) -> Path:
    number = 1
    while (path := folder / f"sumito-{number}.apgn").exists():
        number += 1
    return path
