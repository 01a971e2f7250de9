"""The Textual app: a menu, and the screens it opens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Final

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

import sumito
from sumito.engine import Level
from sumito.game import Game
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.cells import CELLS
from sumito.rules.modes import Colour
from sumito.rules.notations import Notation
from sumito.tui.board import BoardView
from sumito.tui.local import LocalSession
from sumito.tui.localisation import Localiser
from sumito.tui.picture import Marks
from sumito.tui.play import GameScreen
from sumito.tui.records import BrowserScreen
from sumito.tui.screens import LocalisedScreen, bindings
from sumito.tui.setup import HERE, GameTerms, SetupForm

DEFAULT_SERVER: Final = "http://127.0.0.1:8000"
_MENU: Final = {
    "computer": N_("Play against the computer"),
    "table": N_("Play at this keyboard, two to four people"),
    "online": N_("Play online, at a server"),
    "records": N_("Open a file of games"),
    "quit": N_("Leave"),
}


class SumitoApp(App[None]):
    """Sumito in a terminal."""

    TITLE = "Sumito"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False, priority=True),
    ]

    def __init__(
        self,
        tr: Localiser | None = None,
        *,
        game: Game | None = None,
        levels: dict[Colour, Level] | None = None,
        records: Path | None = None,
        server: str | None = None,
        notation: Notation = Notation.ABA_PRO,
    ) -> None:
        """Open a game, a file or a server if given, else the menu."""
        super().__init__()
        self.tr = tr or Localiser()
        self._game = game
        self._levels = levels or {}
        self._records = records
        self._server = server
        self._notation = notation

    def on_mount(self) -> None:
        self.push_screen(MenuScreen(self.tr))
        if self._game is not None:
            self.play(self._game, self._levels)
        elif self._records is not None:
            self.push_screen(BrowserScreen(self.tr, self._records))
        elif self._server is not None:
            self.open_lobby(self._server)

    def open_lobby(self, server: str = DEFAULT_SERVER) -> None:
        """Show the games of a server."""
        # Imported here since a local game does without the packages it needs.
        from sumito.tui.lobby import LobbyScreen

        self.push_screen(LobbyScreen(self.tr, server))

    def play(self, game: Game, levels: dict[Colour, Level]) -> None:
        """Play a game at this keyboard."""
        session = LocalSession(self.tr, game, levels)
        self.push_screen(GameScreen(self.tr, session, self._notation))


class MenuScreen(LocalisedScreen):
    """The main menu, beside a board."""

    CSS = """
    MenuScreen { layout: horizontal; }
    MenuScreen #menu { width: 48; padding: 2 3; align-vertical: middle; }
    MenuScreen #name { text-style: bold; color: $text-primary; }
    MenuScreen #version { color: $text-muted; margin: 0 0 1 0; }
    MenuScreen OptionList { height: auto; background: transparent; border: none; padding: 0; }
    MenuScreen.-narrow BoardView { display: none; }
    MenuScreen.-narrow #menu { width: 1fr; }
    """
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (92, "-wide"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = bindings(("q", "app.quit", N_("Leave")))

    def compose(self) -> ComposeResult:
        with Vertical(id="menu"):
            yield Static("S u m i t o", id="name")
            yield Static(
                self.tr(N_("Abalone for two, three and four players")) + f"\n{sumito.__version__}",
                id="version",
            )
            yield OptionList(*(Option(self.tr(text), id=id) for id, text in _MENU.items()))
        yield BoardView(self.tr)
        yield Footer()

    def on_mount(self) -> None:
        board = Board("belgian-daisy")
        view = self.query_one(BoardView)
        view.can_focus = False
        view.show({one: colour for one in CELLS if (colour := board[one]) is not None}, Marks())
        self.query_one(OptionList).focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        open_: dict[str, Callable[[], object]] = {
            "computer": lambda: self._set_up(str(Level.FRIENDLY)),
            "table": lambda: self._set_up(HERE),
            "online": self._open_lobby,
            "records": lambda: self.app.push_screen(BrowserScreen(self.tr)),
            "quit": self.app.exit,
        }
        open_[str(event.option.id)]()

    def _open_lobby(self) -> None:
        assert isinstance(self.app, SumitoApp)
        self.app.open_lobby()

    def _set_up(self, against: str) -> None:
        self.app.push_screen(SetupForm(self.tr, against=against), self._begin)

    def _begin(self, terms: GameTerms | None) -> None:
        if terms is not None:
            assert isinstance(self.app, SumitoApp)
            self.app.play(terms.game(self.tr), terms.levels())
