"""Games at a server, by its API: what one asks of it, and a game that follows its events.

A connection that breaks is opened again, and hears what it missed; meanwhile the reader is told.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, TypeVar
from urllib.parse import SplitResult, parse_qs, urlsplit

import httpx
import msgspec
from platformdirs import user_data_path
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from sumito.errors import SumitoError
from sumito.game.clock import Delay, Fischer, SuddenDeath
from sumito.i18n.messages import N_
from sumito.protocol import frames, requests, views
from sumito.protocol.scalars import Ability
from sumito.record import Record
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move
from sumito.rules.rules import Outcome, Reason, Rules
from sumito.tui.match import Deed, TerminalMatch
from sumito.tui.setup import HERE, OPEN, WantedGame
from sumito.tui.words import Words

_PATIENCE: Final = 10.0
_LONGEST_PAUSE: Final = 10.0
_FRAMES: Final = msgspec.json.Decoder[frames.Frame](frames.Frame)
View = TypeVar("View")

_DEEDS: Final[dict[Ability, Deed]] = {
    "ask_takeback": Deed.TAKE_BACK,
    "accept_takeback": Deed.ACCEPT_TAKEBACK,
    "decline_takeback": Deed.DECLINE_TAKEBACK,
    "offer_draw": Deed.OFFER_DRAW,
    "accept_draw": Deed.ACCEPT_DRAW,
    "decline_draw": Deed.DECLINE_DRAW,
    "abort": Deed.ABORT,
    "resign": Deed.RESIGN,
    "claim_win": Deed.CLAIM_WIN,
    "claim_draw": Deed.CLAIM_DRAW,
    "rematch": Deed.REMATCH,
}


_NEWS: Final[dict[type, str]] = {
    frames.Started: N_("The game begins."),
    frames.Cancelled: N_("The game was called off."),
    frames.DrawDeclined: N_("No draw this time."),
    frames.TakebackDeclined: N_("The move stands."),
    frames.TakenBack: N_("The last move is taken back."),
}
_SEAT_NEWS: Final[dict[type, str]] = {
    frames.DrawOffered: N_("{colour} offers a draw."),
    frames.TakebackAsked: N_("{colour} would like to take a move back."),
    frames.LeftGame: N_("{colour} is out; the others play on."),
    frames.WentAway: N_("{colour} has lost the connection."),
    frames.CameBack: N_("{colour} is back."),
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
"""What others can say without typing, as it is read here."""


class ServerError(SumitoError):
    """The server is away, or refuses."""


class Server:
    """A server and who one is there: a token, kept for the next time."""

    def __init__(self, url: str, language: str, tokens: Path | None = None) -> None:
        link = _parts(url if "://" in url else f"http://{url}")
        if link is None or link.scheme not in ("http", "https") or not link.hostname:
            raise ServerError(
                N_("{url!r} is no address of a server; it is like {example}"),
                url=url,
                example="http://127.0.0.1:8000",
            )
        self.url = f"{link.scheme}://{link.netloc}"
        self._tokens = tokens or user_data_path("sumito") / "tokens.json"
        self._http = httpx.AsyncClient(
            base_url=self.url, headers={"Accept-Language": language}, timeout=_PATIENCE
        )
        self._token = ""

    async def close(self) -> None:
        await self._http.aclose()

    async def sign_in(self) -> None:
        """Be somebody there: the one of the last time, or a new guest."""
        kept = _read_tokens(self._tokens)
        self._token = kept.get(self.url, "")
        if self._token:
            try:
                await self.ask(views.MeView, "GET", "/api/me")
            except ServerError as error:
                if error.code != "bad-token":
                    raise
            else:
                return
        self._token = ""
        self._token = (await self.ask(views.TokenView, "POST", "/api/tokens")).token
        _write_tokens(self._tokens, kept | {self.url: self._token})

    @property
    def credentials(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}

    async def ask(
        self, kind: type[View], method: str, path: str, body: object = None, **query: str
    ) -> View:
        """What the server answers; an error says why it doesn't."""
        content = None if body is None else msgspec.json.encode(body)
        try:
            answer = await self._http.request(
                method, path, content=content, params=query, headers=self.credentials
            )
        except httpx.HTTPError as error:
            raise self.away(error) from None
        try:
            if answer.is_success:
                return msgspec.json.decode(answer.content, type=kind)
            refused = msgspec.json.decode(answer.content, type=views.ErrorAnswer).error
        except msgspec.MsgspecError:
            raise ServerError(
                N_("{url} answers, but it is no Sumito server of this version"),
                code="not-sumito",
                url=self.url,
            ) from None
        raise ServerError(N_("{message}"), code=refused.code, message=refused.message)

    def away(self, error: Exception) -> ServerError:
        """The error for a server that doesn't answer."""
        if isinstance(error, httpx.TimeoutException | TimeoutError):
            return ServerError(N_("{url} doesn't answer"), code="away", url=self.url)
        return ServerError(N_("{url} can't be reached"), code="away", url=self.url)

    async def open_games(self) -> list[views.Summary]:
        """Games that wait for somebody."""
        return (await self.ask(views.Lobby, "GET", "/api/lobby")).games

    async def my_games(self) -> list[views.Summary]:
        return (await self.ask(views.GameList, "GET", "/api/games", mine="1")).games

    async def live_games(self) -> list[views.Summary]:
        """Games that are on and may be watched."""
        return (await self.ask(views.GameList, "GET", "/api/games", live="1")).games

    async def create(self, terms: WantedGame) -> views.Created:
        return await self.ask(views.Created, "POST", "/api/games", _new_game(terms))

    async def join(self, link: str) -> str:
        """Take a seat of a game by its link or id; returns its id. Without a free one, watch."""
        parts = urlsplit(link)
        id = parts.path.rpartition("/")[2]
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        wanted = {name: query[name] for name in ("seat", "key") if name in query}
        try:
            await self.ask(views.Snapshot, "POST", f"/api/games/{id}/join", wanted)
        except ServerError as error:
            if error.code in ("away", "not-sumito", "no-such-game", "not-found"):
                raise
            await self.ask(views.Snapshot, "GET", f"/api/games/{id}")
        return id

    def socket(self, id: str) -> connect:
        return connect(
            f"ws{self.url[4:]}/ws/games/{id}",
            additional_headers=self.credentials,
            open_timeout=_PATIENCE,
        )


def _parts(url: str) -> SplitResult | None:
    try:
        httpx.URL(url)
        parts = urlsplit(url)
        has_port = parts.port != 0  # raises for one that is none
    except (ValueError, httpx.InvalidURL):
        return None
    return parts if has_port else None


def _read_tokens(path: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return {}


def _write_tokens(path: Path, tokens: dict[str, str]) -> None:
    with suppress(OSError):  # who can't write it is somebody new the next time
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_bytes(msgspec.json.encode(tokens))
        os.chmod(path, 0o600)  # noqa: PTH101


def _new_game(terms: WantedGame) -> requests.NewGame:
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


def rules_of(view: views.RulesView) -> Rules:
    """The rules that a game at the server is played by."""
    options = msgspec.structs.asdict(view)
    del options["preset"]
    options["first"] = Colour.parse(options["first"])
    return Rules(**options)


class OnlineMatch(TerminalMatch):
    """A game at a server, followed over a WebSocket."""

    def __init__(self, words: Words, server: Server, game: views.Snapshot) -> None:
        super().__init__(words)
        self.server = server
        self.invitations: dict[str, str] = {}
        self.is_connected = False
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._loop: asyncio.Task[None] | None = None
        self._next: str | None = None
        self._take(game)

    def _take(self, game: views.Snapshot) -> None:
        """The whole game anew."""
        self.game = game
        self._seen_at = time.monotonic()
        board = Board.parse(game.start, rules=rules_of(game.rules))
        self.boards = [board]
        self._plies: list[tuple[Move, int | None]] = []
        self._leavings: list[tuple[int, Colour]] = []
        for played in game.moves:
            while self.board.turn is not Colour.parse(played.seat):
                self._leave(self.board.turn)  # a snapshot says who is out, but not since when
            self._push(Move.of(played.move), played.clock)
        for seat in game.seats:
            if seat.out:
                self._leave(Colour.parse(seat.colour))
        self.chat = [self._said(line) for line in game.chat]
        self._seat()

    def _push(self, move: Move, clock: int | None) -> None:
        board = self.board.copy()
        board.push(move)
        self.boards.append(board)
        self._plies.append((move, clock))

    def _leave(self, seat: Colour) -> None:
        """Let a player out of the game, unless the board knows it: one who can't move may be."""
        if seat not in self.board.out:
            board = self.board.copy()
            board.leave(seat)
            self.boards[-1] = board
            self._leavings.append((len(self._plies), seat))

    def _seat(self) -> None:
        self.hands = frozenset(Colour.parse(seat) for seat in self.game.you)
        self.names = {Colour.parse(seat.colour): self._name(seat) for seat in self.game.seats}

    def _name(self, seat: views.SeatView) -> str:
        if seat.kind == "open":
            return self.words(N_("(free)"))
        rating = f" ({seat.rating})" if seat.rating else ""
        is_away = seat.kind == "person" and not seat.online and self.game.status == "playing"
        return seat.name + rating + (" " + self.words(N_("(away)")) if is_away else "")

    # The connection.

    async def begin(self, tell: Callable[[str], None]) -> None:
        await super().begin(tell)
        self._loop = asyncio.create_task(self._stay_connected())

    async def close(self) -> None:
        if self._loop is not None:
            self._loop.cancel()
            with suppress(asyncio.CancelledError):
                await self._loop
        await self.server.close()

    async def _stay_connected(self) -> None:
        pause = 0.5
        while True:
            try:
                if self._next is not None:
                    await self._go_on(self._next)
                async with self.server.socket(self.game.id) as socket:
                    self._socket = socket
                    await self._send({"type": "hello", "since": None})
                    pause = 0.5
                    await self._listen(socket)
                if self._next is not None:
                    continue
            except InvalidStatus as error:
                if error.response.status_code in (401, 403, 404):
                    self._tell(self.words(N_("The server doesn't know this game any more.")))
                    return
            except (OSError, WebSocketException, TimeoutError, ServerError):
                pass
            finally:
                self._lose()
            self._tell(
                self.words(
                    N_("The connection is gone; trying again in {seconds} s."),
                    seconds=max(1, round(pause)),
                )
            )
            await asyncio.sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)

    async def _go_on(self, id: str) -> None:
        """Show another game from now on."""
        game = await self.server.ask(views.Snapshot, "GET", f"/api/games/{id}")
        self._next, self.invitations = None, {}
        self._take(game)
        self._tell(self.words(N_("The next game begins.")))

    def _lose(self) -> None:
        self._socket, self.is_connected = None, False
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(
                    ServerError(
                        N_("the connection is gone; perhaps it arrived, perhaps not"), code="away"
                    )
                )
        self._waiting = {}

    async def _listen(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for text in socket:
                try:
                    frame = _FRAMES.decode(text)
                except msgspec.MsgspecError:
                    continue  # what a newer server says to newer pages
                await self._hear(frame)

    async def _send(self, message: dict[str, object]) -> None:
        if self._socket is None:
            raise ServerError(N_("there is no connection to the server just now"), code="away")
        try:
            await self._socket.send(json.dumps(message))
        except ConnectionClosed:
            raise ServerError(
                N_("there is no connection to the server just now"), code="away"
            ) from None

    async def _hear(self, frame: frames.Frame) -> None:
        match frame:
            case frames.StateFrame(game=game):
                is_new = not self.is_connected
                self.is_connected = True
                self._take(game)
                self._tell(self.words(N_("Connected.")) if is_new else "")
            case frames.EventFrame():
                await self._happen(frame)
            case frames.PresenceFrame(online=online, mine=mine):
                self._change(mine)
                seats = [
                    msgspec.structs.replace(seat, online=seat.colour in online)
                    if seat.kind == "person"
                    else seat
                    for seat in self.game.seats
                ]
                self.game = msgspec.structs.replace(self.game, seats=seats)
                self._seat()
                self._tell("")
            case frames.ThinkingFrame(seat=seat, on=on):
                self.thinking = Colour.parse(seat) if on else None
                self._tell("")
            case frames.PingFrame(sent=sent):
                await self._send({"type": "pong", "sent": sent})
            case frames.ChatFrame(line=line):
                said = self._said(line)
                self.chat = [*self.chat, said]
                self._tell(": ".join(said))
            case frames.AckFrame(ref=ref):
                self._answer(ref, None)
            case frames.ErrorFrame(ref=ref, code=code, message=message):
                error = ServerError(N_("{message}"), code=code, message=message)
                if not self._answer(ref, error):
                    self._tell(message)

    def _answer(self, ref: str, error: ServerError | None) -> bool:
        waiting = self._waiting.pop(ref, None)
        if waiting is None or waiting.done():
            return False
        if error is None:
            waiting.set_result(None)
        else:
            waiting.set_exception(error)
        return True

    async def _happen(self, frame: frames.EventFrame) -> None:
        if frame.version != self.game.version + 1:
            await self._send({"type": "hello", "since": None})
            return
        match frame.event:
            case frames.Moved(move=move, clock=clock):
                self._push(Move.of(move), clock)
            case frames.TakenBack(plies=plies):
                del self.boards[len(self.boards) - plies :]
                del self._plies[len(self._plies) - plies :]
            case frames.LeftGame(seat=seat):
                self._leave(Colour.parse(seat))
        self._change(frame.patch)
        self._change(frame.mine)
        self.game = msgspec.structs.replace(self.game, version=frame.version)
        self._seen_at = time.monotonic()
        self._seat()
        self._tell(self._news(frame.event))
        if isinstance(frame.event, frames.Rematched) and self.hands:
            await self._follow()

    async def _follow(self) -> None:
        """Leave this game for the one that follows it."""
        self._next = self.game.rematch
        if self._socket is not None:
            await self._socket.close()

    def _said(self, line: views.ChatLine) -> tuple[str, str]:
        """Who said what, in words of this reader."""
        seat = next((one for one in self.game.seats if one.colour == line.sender), None)
        text = line.text or self.words(PHRASES.get(line.phrase or "", "…"))
        return seat.name if seat else line.sender, text

    def _change(self, changes: frames.Patch | frames.Mine | msgspec.UnsetType) -> None:
        if not isinstance(changes, msgspec.UnsetType):
            known = {
                name: value
                for name, value in msgspec.structs.asdict(changes).items()
                if value is not msgspec.UNSET
            }
            self.game = msgspec.structs.replace(self.game, **known)

    def _news(self, event: frames.GameEvent) -> str:
        match event:
            case frames.Joined(seat=seat, name=name):
                return self.words(
                    N_("{name} plays {colour}."), name=name, colour=Colour.parse(seat)
                )
            case frames.Rematched():
                return self.words(N_("There is another game: press x to see it."))
            case frames.SeatHappening(seat=seat) if type(event) in _SEAT_NEWS:
                return self.words(_SEAT_NEWS[type(event)], colour=Colour.parse(seat))
        return self.words(_NEWS[type(event)]) if type(event) in _NEWS else ""

    # What is asked.

    async def _command(self, type: str, **content: object) -> None:
        """Have something done, and wait until the server has it, or says why not."""
        ref = secrets.token_hex(8)
        waiting = self._waiting[ref] = asyncio.get_running_loop().create_future()
        try:
            await self._send({"type": type, "ref": ref} | content)
            async with asyncio.timeout(_PATIENCE):
                await waiting
        except TimeoutError as error:
            raise self.server.away(error) from None
        finally:
            self._waiting.pop(ref, None)

    async def play(self, move: Move) -> None:
        self.board.check(move)
        await self._command("play", ply=self.game.ply, move=move.index)

    @property
    def may_chat(self) -> bool:  # type: ignore[override]  # the server says it anew each time
        return "chat" in self.game.can

    async def say(self, text: str) -> None:
        await self._command("chat", text=text)

    async def do(self, deed: Deed) -> None:
        if deed is Deed.FOLLOW:
            await self._follow()
        elif deed is Deed.CLAIM_WIN:
            await self._command("claim", result="win")
        elif deed is Deed.CLAIM_DRAW:
            await self._command("claim", result="draw")
        else:
            await self._command(next(one for one, known in _DEEDS.items() if known is deed))

    def deeds(self) -> list[Deed]:
        follow = [Deed.FOLLOW] if self.game.rematch else []
        return follow + [_DEEDS[one] for one in self.game.can if one in _DEEDS]

    # What there is to see.

    def clocks(self) -> dict[Colour, int | None]:
        if self.game.clocks is None:
            return {}
        gone = round((time.monotonic() - self._seen_at) * 1000)
        delay = self.game.control.delay_ms if isinstance(self.game.control, requests.Delay) else 0
        return {
            Colour.parse(seat): max(0, left - max(0, gone - delay))
            if seat == self.game.turn
            else left
            for seat, left in self.game.clocks.items()
        }

    def turn(self) -> Colour | None:
        return None if self.game.turn is None else Colour.parse(self.game.turn)

    def heading(self) -> str:
        return f"{super().heading()} · {self.server.url}"

    def status(self) -> str:
        game = self.game
        if game.status == "waiting":
            link = next(iter(self.invitations.values()), "")
            waits = self.words(N_("Waiting for players."))
            return f"{waits} {self.server.url}{link}" if link else waits
        outcome = self._outcome()
        if outcome is not None:
            told = self.words.sentence(outcome.sentence(Mode(game.mode), self.board.rules))
        elif self.turn() in self.hands:
            told = self.words(N_("your turn"))
        else:
            told = self.words(N_("{turn} to move"), turn=self.board.turn)
        return told[:1].upper() + told[1:]

    def _outcome(self) -> Outcome | None:
        if self.game.outcome is None:
            return None
        winner = self.game.outcome.winner
        return Outcome(
            None if winner is None else Colour.parse(winner), Reason(self.game.outcome.reason)
        )

    def record(self) -> Record:
        tags = {Colour.parse(seat.colour).name.capitalize(): seat.name for seat in self.game.seats}
        outs: dict[int, tuple[Colour, ...]] = {}
        for plies, seat in self._leavings:
            outs[plies] = (*outs.get(plies, ()), seat)
        start = Board.parse(self.game.start, rules=rules_of(self.game.rules))
        return Record.from_moves(
            start.position,
            [move for move, _ in self._plies],
            rules=start.rules,
            clocks=[clock for _, clock in self._plies],
            outs=outs,
            tags=tags | {"TimeControl": str(self.game.control.control())},
            result=self._outcome(),
        )
