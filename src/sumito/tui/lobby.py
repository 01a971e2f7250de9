"""The lobby screen: a server's open games, one's own, and those to watch."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import DataTable, Footer, Input, Static

from sumito.client import Client, TokenStore
from sumito.errors import SumitoError
from sumito.i18n.messages import N_
from sumito.protocol import views
from sumito.rules.modes import Mode
from sumito.tui.localisation import Localiser
from sumito.tui.online import OnlineSession, new_game_request
from sumito.tui.play import GameScreen
from sumito.tui.screens import LocalisedScreen, bindings
from sumito.tui.setup import GameTerms, SetupForm

_COLUMNS: Final = (N_("Which"), N_("Players"), N_("Mode"), N_("Moves"))
_WIDE: Final = 84
"""Columns from which on there is room for the whole table."""


class LobbyScreen(LocalisedScreen):
    """The lobby of a server."""

    CSS = """
    LobbyScreen Input { border: none; height: 1; padding: 0 1; }
    LobbyScreen #message { height: auto; padding: 0 1; margin: 0 0 1 0; }
    LobbyScreen #message.-refused { color: $text-warning; text-style: bold; }
    LobbyScreen DataTable { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        ("n", "new", N_("New game")),
        ("g", "look_again", N_("Refresh")),
        ("slash", "address", N_("Another server")),
        ("l", "link", N_("Open a link")),
        ("escape", "leave", N_("Menu")),
    )

    def __init__(self, tr: Localiser, url: str) -> None:
        super().__init__(tr)
        self._url = url
        self._client: Client | None = None
        self._games: list[str] = []

    def compose(self) -> ComposeResult:
        yield Input(self._url, placeholder=self._url, id="address", compact=True)
        yield Input(
            placeholder=self.tr(N_("The link or the number of a game")), id="link", compact=True
        )
        yield Static(id="message")
        table: DataTable[str] = DataTable(cursor_type="row", zebra_stripes=True)
        for label in _COLUMNS:
            table.add_column(self.tr(label), key=label, width=8)
        yield table
        yield Footer()

    @on(events.Resize)
    def _fit(self, event: events.Resize) -> None:
        """Resize the columns; names get what the others leave."""
        which, mode, moves = (14, 22, 7) if event.size.width >= _WIDE else (9, 14, 5)
        players = max(8, event.size.width - which - mode - moves - 2 * len(_COLUMNS))
        table = self.query_one(DataTable)
        for column, width in zip(table.ordered_columns, (which, players, mode, moves), strict=True):
            column.width = width
        table._require_update_dimensions = True
        table.refresh(layout=True)

    def on_mount(self) -> None:
        self.query_one(DataTable).focus()
        self._run_action(self._refresh_games())

    async def on_unmount(self) -> None:
        if self._client is not None:
            await self._client.close()

    def say(self, text: str, *, is_refused: bool = False) -> None:
        """Show a message."""
        message = self.query_one("#message", Static)
        message.set_class(is_refused, "-refused")
        message.update(text)

    def _run_action(self, action: Coroutine[Any, Any, None]) -> None:
        self.run_worker(self._run_and_report(action), exclusive=True, group="server")

    async def _run_and_report(self, action: Coroutine[Any, Any, None]) -> None:
        try:
            await action
        except SumitoError as error:
            self.say(self.tr.error(error), is_refused=True)

    async def _connect(self) -> Client:
        """Return a client of the server, signed in."""
        client = Client(self.query_one("#address", Input).value, self.tr.language, TokenStore())
        try:
            await client.sign_in()
        except SumitoError:
            await client.close()
            raise
        return client

    async def _refresh_games(self) -> None:
        self.say(self.tr(N_("Loading games …")))
        if self._client is not None:
            await self._client.close()
            self._client = None
        table = self.query_one(DataTable)
        table.clear()
        self._games = []
        self._client = client = await self._connect()
        for kind, games in (
            (N_("open"), await client.open_games()),
            (N_("mine"), await client.my_games()),
            (N_("to watch"), await client.live_games()),
        ):
            for game in games:
                if game.id not in self._games:
                    self._games.append(game.id)
                    table.add_row(*self._row(kind, game))
        if self._games:
            self.say(self.tr(N_("Enter opens a game.")))
        else:
            self.say(self.tr(N_("No games here now. Press n for a new one.")))

    def _row(self, kind: str, game: views.Summary) -> list[str]:
        names = " – ".join(seat.name or "…" for seat in game.seats)
        return [self.tr(kind), names, self.tr.mode(Mode(game.mode)), str(game.moves)]

    @on(DataTable.RowSelected)
    def _chosen(self, event: DataTable.RowSelected) -> None:
        self._run_action(self._open(self._games[event.cursor_row]))

    async def _open(self, link: str) -> None:
        """Open a game, to play or to watch it."""
        client = await self._connect()
        try:
            id = await client.join(link)
            game = await client.game(id)
        except SumitoError:
            await client.close()
            raise
        self.app.push_screen(GameScreen(self.tr, OnlineSession(self.tr, client, game)))

    def action_new(self) -> None:
        self.app.push_screen(SetupForm(self.tr, is_online=True), self._create)

    def _create(self, terms: GameTerms | None) -> None:
        if terms is not None:
            self._run_action(self._create_game(terms))

    async def _create_game(self, terms: GameTerms) -> None:
        client = await self._connect()
        try:
            created = await client.create_game(new_game_request(terms))
        except SumitoError:
            await client.close()
            raise
        session = OnlineSession(self.tr, client, created.game)
        session.invitations = {str(seat): link for seat, link in created.invitations.items()}
        self.app.push_screen(GameScreen(self.tr, session))

    def action_look_again(self) -> None:
        self._run_action(self._refresh_games())

    def action_address(self) -> None:
        self.query_one("#address", Input).focus()

    def action_link(self) -> None:
        self.query_one("#link", Input).focus()

    @on(Input.Submitted, "#address")
    def _addressed(self) -> None:
        self.query_one(DataTable).focus()
        self._run_action(self._refresh_games())

    @on(Input.Submitted, "#link")
    def _linked(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self._run_action(self._open(event.value.strip()))

    def action_leave(self) -> None:
        if self.query_one(DataTable).has_focus:
            self.dismiss()
        else:
            self.query_one(DataTable).focus()
