"""`OnlineSession`: follows a game at a server over a WebSocket.

A lost connection is reopened with exponential backoff; the server then sends the present state.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Literal

from websockets.exceptions import InvalidStatus, WebSocketException

from sumito.client import Client, GameConnection, RemoteGame, ServerError
from sumito.game.clock import Delay, Fischer, SuddenDeath
from sumito.i18n.messages import N_
from sumito.protocol import frames, requests, views
from sumito.protocol.scalars import Ability
from sumito.record import Record
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move
from sumito.tui.localisation import Localiser
from sumito.tui.session import GameAction, GameSession
from sumito.tui.setup import HERE, OPEN, GameTerms

_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 10.0

_ACTIONS: Final[dict[Ability, GameAction]] = {
    "ask_takeback": GameAction.TAKE_BACK,
    "accept_takeback": GameAction.ACCEPT_TAKEBACK,
    "decline_takeback": GameAction.DECLINE_TAKEBACK,
    "offer_draw": GameAction.OFFER_DRAW,
    "accept_draw": GameAction.ACCEPT_DRAW,
    "decline_draw": GameAction.DECLINE_DRAW,
    "abort": GameAction.ABORT,
    "resign": GameAction.RESIGN,
    "claim_win": GameAction.CLAIM_WIN,
    "claim_draw": GameAction.CLAIM_DRAW,
    "rematch": GameAction.REMATCH,
}


_NEWS: Final[dict[type, str]] = {
    frames.Started: N_("The game begins."),
    frames.Cancelled: N_("The game was aborted."),
    frames.DrawDeclined: N_("No draw this time."),
    frames.TakebackDeclined: N_("The move stands."),
    frames.TakenBack: N_("The last move is taken back."),
}
_SEAT_NEWS: Final[dict[type, str]] = {
    frames.DrawOffered: N_("{colour} offers a draw."),
    frames.TakebackAsked: N_("{colour} would like to take a move back."),
    frames.PlayerEliminated: N_("{colour} is eliminated; the others play on."),
    frames.Disconnected: N_("{colour} has lost the connection."),
    frames.Reconnected: N_("{colour} is back."),
    frames.RematchOffered: N_("{colour} would like another game."),
}


PHRASES: Final = {
    "hello": N_("Hello!"),
    "good-luck": N_("Good luck!"),
    "good-game": N_("Good game!"),
    "well-played": N_("Well played!"),
    "thanks": N_("Thank you!"),
    "sorry": N_("Sorry!"),
    "one-moment": N_("One moment, please."),
    "oops": N_("Oops!"),
    "bye": N_("Goodbye!"),
}
"""Quick chat phrases, translated for the reader."""


def new_game_request(terms: GameTerms) -> requests.NewGame:
    """Return the request for a game; the first seat played here is the client's own."""
    seats: dict[Any, requests.Seating] = {}
    mine = False
    for colour in terms.mode.colours:
        who = terms.seats.get(colour, OPEN)
        if who == OPEN:
            seats[str(colour)] = requests.SeatOpen()
        elif who != HERE:
            seats[str(colour)] = requests.SeatComputer(level=who)
        else:
            seats[str(colour)] = requests.SeatHere() if mine else requests.SeatMe()
            mine = True
    control: requests.Control
    match terms.control:
        case Fischer(ms=ms, increment_ms=increment):
            control = requests.Fischer(ms, increment)
        case Delay(ms=ms, delay_ms=delay):
            control = requests.Delay(ms, delay)
        case SuddenDeath(ms=ms):
            control = requests.SuddenDeath(ms)
        case _:
            control = requests.NoClock()
    preset: Literal["rulebook", "tournament"] = (
        "tournament" if terms.preset == "tournament" else "rulebook"
    )
    return requests.NewGame(
        mode=str(terms.mode),  # type: ignore[arg-type]
        layout=terms.layout,
        rules=preset,
        control=control,
        seats=seats,
        listed=True,
    )


class OnlineSession(GameSession):
    """A `GameSession` of a game at a server, followed over a WebSocket."""

    def __init__(self, tr: Localiser, client: Client, game: views.Snapshot) -> None:
        super().__init__(tr)
        self.client = client
        self.invitations: dict[str, str] = {}
        self.is_connected = False
        self._connection: GameConnection | None = None
        self._following: asyncio.Task[None] | None = None
        self._next: str | None = None
        self._remote = RemoteGame(game)
        self._update()

    @property
    def game(self) -> views.Snapshot:
        """The game as the server describes it."""
        return self._remote.view

    @property
    def boards(self) -> list[Board]:
        """The boards of the moves played, the start first."""
        return self._remote.boards

    def _update(self) -> None:
        self.local_seats = self._remote.my_seats
        self.names = {Colour.parse(seat.colour): self._name(seat) for seat in self.game.seats}
        self.chat = [self._chat_line(line) for line in self.game.chat]

    def _name(self, seat: views.SeatView) -> str:
        if seat.kind == "open":
            return self.tr(N_("(free)"))
        rating = f" ({seat.rating})" if seat.rating else ""
        is_away = seat.kind == "person" and not seat.online and self.game.status == "playing"
        return seat.name + rating + (" " + self.tr(N_("(away)")) if is_away else "")

    # Connection.

    async def begin(self, notify: Callable[[str], None]) -> None:
        await super().begin(notify)
        self._following = asyncio.create_task(self._follow())

    async def close(self) -> None:
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following
        await self.client.close()

    async def _follow(self) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            try:
                if self._next is not None:
                    await self._open_next(self._next)
                async with GameConnection(self.client, self._remote) as connection:
                    self._connection = connection
                    async for frame in connection:
                        pause = _FIRST_PAUSE_S
                        await self._handle(frame)
                if self._next is not None:
                    continue
            except InvalidStatus as error:
                if error.response.status_code in (401, 403, 404):
                    self._notify(self.tr(N_("The server no longer has this game.")))
                    return
            except (OSError, WebSocketException, TimeoutError, ServerError):
                pass
            finally:
                self._connection, self.is_connected = None, False
            self._notify(
                self.tr(
                    N_("Connection lost; reconnecting in {seconds} s."),
                    seconds=max(1, round(pause)),
                )
            )
            await asyncio.sleep(pause)
            pause = min(_LONGEST_PAUSE_S, pause * 2)

    async def _open_next(self, id: str) -> None:
        """Switch to another game."""
        game = await self.client.game(id)
        self._next, self.invitations = None, {}
        self._remote = RemoteGame(game)
        self._update()
        self._notify(self.tr(N_("The next game begins.")))

    async def _handle(self, frame: frames.Frame) -> None:
        match frame:
            case frames.StateFrame():
                was_connected, self.is_connected = self.is_connected, True
                self._update()
                self._notify("" if was_connected else self.tr(N_("Connected.")))
            case frames.EventFrame(event=event):
                self._update()
                self._notify(self._news(event))
                if isinstance(event, frames.Rematched) and self.local_seats:
                    await self._leave_for_next()
            case frames.PresenceFrame():
                self._update()
                self._notify("")
            case frames.ThinkingFrame(seat=seat, on=on):
                self.thinking = Colour.parse(seat) if on else None
                self._notify("")
            case frames.ChatFrame(line=line):
                self._update()
                self._notify(": ".join(self._chat_line(line)))
            case frames.ErrorFrame(message=message):
                self._notify(message)

    async def _leave_for_next(self) -> None:
        """Close this game's connection, so that the next game's is opened."""
        self._next = self.game.rematch
        if self._connection is not None:
            await self._connection.close()

    def _chat_line(self, line: views.ChatLine) -> tuple[str, str]:
        """Return the name of the sender, and the text in the reader's language."""
        seat = next((one for one in self.game.seats if one.colour == line.sender), None)
        text = line.text or self.tr(PHRASES.get(line.phrase or "", "…"))
        return seat.name if seat else line.sender, text

    def _news(self, event: frames.GameEvent) -> str:
        match event:
            case frames.Joined(seat=seat, name=name):
                return self.tr(N_("{name} plays {colour}."), name=name, colour=Colour.parse(seat))
            case frames.Rematched():
                return self.tr(N_("There is another game: press x to see it."))
            case frames.SeatEvent(seat=seat) if type(event) in _SEAT_NEWS:
                return self.tr(_SEAT_NEWS[type(event)], colour=Colour.parse(seat))
        return self.tr(_NEWS[type(event)]) if type(event) in _NEWS else ""

    # Commands.

    async def _command(self, type: str, **content: object) -> None:
        if self._connection is None:
            raise ServerError(N_("not connected to the server"), code="unreachable")
        await self._connection.command(type, **content)

    async def play(self, move: Move) -> None:
        self.board.check(move)
        await self._command("play", ply=self.game.ply, move=move.index)

    @property
    def may_chat(self) -> bool:  # type: ignore[override]  # the server says it each time
        return "chat" in self.game.can

    async def say(self, text: str) -> None:
        await self._command("chat", text=text)

    async def do(self, action: GameAction) -> None:
        if action is GameAction.FOLLOW:
            await self._leave_for_next()
        elif action is GameAction.CLAIM_WIN:
            await self._command("claim", result="win")
        elif action is GameAction.CLAIM_DRAW:
            await self._command("claim", result="draw")
        else:
            await self._command(next(one for one, known in _ACTIONS.items() if known is action))

    def actions(self) -> list[GameAction]:
        follow = [GameAction.FOLLOW] if self.game.rematch else []
        return follow + [_ACTIONS[one] for one in self.game.can if one in _ACTIONS]

    # Views.

    def clocks(self) -> dict[Colour, int | None]:
        return dict(self._remote.clocks())

    def turn(self) -> Colour | None:
        return self._remote.turn

    def heading(self) -> str:
        return f"{super().heading()} · {self.client.url}"

    def status(self) -> str:
        game = self.game
        if game.status == "waiting":
            link = next(iter(self.invitations.values()), "")
            waits = self.tr(N_("Waiting for players."))
            return f"{waits} {self.client.url}{link}" if link else waits
        outcome = self._remote.outcome
        if outcome is not None:
            status = self.tr.sentence(outcome.sentence(Mode(game.mode), self.board.rules))
        elif self.turn() in self.local_seats:
            status = self.tr(N_("your turn"))
        else:
            status = self.tr(N_("{turn} to move"), turn=self.board.turn)
        return status[:1].upper() + status[1:]

    def record(self) -> Record:
        return self._remote.record()
