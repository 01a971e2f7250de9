"""The games of a server: open ones to join, one's own, and those that may be watched."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import DataTable, Footer, Input, Static

from sumito.errors import SumitoError
from sumito.i18n.messages import N_
from sumito.protocol import views
from sumito.rules.modes import Mode
from sumito.tui.online import OnlineMatch, Server
from sumito.tui.play import GameScreen
from sumito.tui.screens import WordedScreen, bindings
from sumito.tui.setup import SetupForm, WantedGame
from sumito.tui.words import Words

USUAL: Final = "http://127.0.0.1:8000"
_COLUMNS: Final = (N_("Which"), N_("Players"), N_("Mode"), N_("Moves"))
_WIDE: Final = 84
"""From so many columns on there is room for everything."""


class LobbyScreen(WordedScreen):
    """What goes on at a server."""

    CSS = """
    LobbyScreen Input { border: none; height: 1; padding: 0 1; }
    LobbyScreen #said { height: auto; padding: 0 1; margin: 0 0 1 0; }
    LobbyScreen #said.-refused { color: $text-warning; text-style: bold; }
    LobbyScreen DataTable { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        ("n", "new", N_("New game")),
        ("g", "look_again", N_("Look again")),
        ("slash", "address", N_("Another server")),
        ("l", "link", N_("Open a link")),
        ("escape", "leave", N_("Menu")),
    )

    def __init__(self, words: Words, url: str = USUAL) -> None:
        super().__init__(words)
        self._url = url
        self._server: Server | None = None
        self._games: list[str] = []

    def compose(self) -> ComposeResult:
        yield Input(self._url, placeholder=USUAL, id="address", compact=True)
        yield Input(
            placeholder=self.words(N_("The link or the number of a game")), id="link", compact=True
        )
        yield Static(id="said")
        table: DataTable[str] = DataTable(cursor_type="row", zebra_stripes=True)
        for label in _COLUMNS:
            table.add_column(self.words(label), key=label, width=8)
        yield table
        yield Footer()

    @on(events.Resize)
    def _fit(self, event: events.Resize) -> None:
        """Give each column its room; names get what the others leave."""
        which, mode, moves = (14, 22, 7) if event.size.width >= _WIDE else (9, 14, 5)
        players = max(8, event.size.width - which - mode - moves - 2 * len(_COLUMNS))
        table = self.query_one(DataTable)
        for column, width in zip(table.ordered_columns, (which, players, mode, moves), strict=True):
            column.width = width
        table._require_update_dimensions = True
        table.refresh(layout=True)

    def on_mount(self) -> None:
        self.query_one(DataTable).focus()
        self._attempt(self._look())

    async def on_unmount(self) -> None:
        if self._server is not None:
            await self._server.close()

    def say(self, text: str, *, is_refused: bool = False) -> None:
        """Tell the reader something."""
        said = self.query_one("#said", Static)
        said.set_class(is_refused, "-refused")
        said.update(text)

    def _attempt(self, deed: Coroutine[Any, Any, None]) -> None:
        self.run_worker(self._attempted(deed), exclusive=True, group="server")

    async def _attempted(self, deed: Coroutine[Any, Any, None]) -> None:
        try:
            await deed
        except SumitoError as error:
            self.say(self.words.error(error), is_refused=True)

    async def _connected(self) -> Server:
        """The server of the address, with somebody to be there."""
        server = Server(self.query_one("#address", Input).value, self.words.language)
        try:
            await server.sign_in()
        except SumitoError:
            await server.close()
            raise
        return server

    async def _look(self) -> None:
        self.say(self.words(N_("Asking the server …")))
        if self._server is not None:
            await self._server.close()
            self._server = None
        table = self.query_one(DataTable)
        table.clear()
        self._games = []
        self._server = server = await self._connected()
        for kind, games in (
            (N_("open"), await server.open_games()),
            (N_("mine"), await server.my_games()),
            (N_("to watch"), await server.live_games()),
        ):
            for game in games:
                if game.id not in self._games:
                    self._games.append(game.id)
                    table.add_row(*self._row(kind, game))
        if self._games:
            self.say(self.words(N_("Enter opens a game.")))
        else:
            self.say(self.words(N_("No games here now. Press n for a new one.")))

    def _row(self, kind: str, game: views.Summary) -> list[str]:
        names = " – ".join(seat.name or "…" for seat in game.seats)
        return [self.words(kind), names, self.words.mode(Mode(game.mode)), str(game.moves)]

    @on(DataTable.RowSelected)
    def _chosen(self, event: DataTable.RowSelected) -> None:
        self._attempt(self._open(self._games[event.cursor_row]))

    async def _open(self, link: str) -> None:
        """Sit down at a game, or watch it."""
        server = await self._connected()
        try:
            id = await server.join(link)
            game = await server.ask(views.Snapshot, "GET", f"/api/games/{id}")
        except SumitoError:
            await server.close()
            raise
        self.app.push_screen(GameScreen(self.words, OnlineMatch(self.words, server, game)))

    def action_new(self) -> None:
        self.app.push_screen(SetupForm(self.words, is_online=True), self._create)

    def _create(self, terms: WantedGame | None) -> None:
        if terms is not None:
            self._attempt(self._created(terms))

    async def _created(self, terms: WantedGame) -> None:
        server = await self._connected()
        try:
            made = await server.create(terms)
        except SumitoError:
            await server.close()
            raise
        match = OnlineMatch(self.words, server, made.game)
        match.invitations = {str(seat): link for seat, link in made.invitations.items()}
        self.app.push_screen(GameScreen(self.words, match))

    def action_look_again(self) -> None:
        self._attempt(self._look())

    def action_address(self) -> None:
        self.query_one("#address", Input).focus()

    def action_link(self) -> None:
        self.query_one("#link", Input).focus()

    @on(Input.Submitted, "#address")
    def _addressed(self) -> None:
        self.query_one(DataTable).focus()
        self._attempt(self._look())

    @on(Input.Submitted, "#link")
    def _linked(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self._attempt(self._open(event.value.strip()))

    def action_leave(self) -> None:
        if self.query_one(DataTable).has_focus:
            self.dismiss()
        else:
            self.query_one(DataTable).focus()
