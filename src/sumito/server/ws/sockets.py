"""WebSockets: one connection to one game, or to the lobby.

Everything for a connection goes through its one bounded queue, so answers and events keep their
order, and a reader that has gone to sleep is let go without anybody waiting for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import Any, Final

import msgspec
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sumito.cells import Cell, Direction
from sumito.errors import IllegalMoveError, InvalidMoveError, SumitoError
from sumito.move import Move
from sumito.server import i18n as words
from sumito.server import metrics
from sumito.server.bus.local import Answer, Happened, Missed, Said, Subscription, Told
from sumito.server.game.change import LOBBY, channel
from sumito.server.game.room import Room
from sumito.server.http.errors import Refusal, refusal_of
from sumito.server.http.operations import address_of, check_origin, error_body, language_of
from sumito.server.i18n import N_
from sumito.server.people.accounts import COOKIE, Identity
from sumito.server.services import House
from sumito.server.wire import messages, views

_log = structlog.get_logger()

LARGEST: Final = 4_096
_SEND_S: Final = 20.0
_TRY_AGAIN: Final = 1013
_POLICY: Final = 1008
_DECODER: Final = msgspec.json.Decoder(messages.Heard)


class _RefField(msgspec.Struct):
    ref: str = ""


async def game_socket(websocket: WebSocket) -> None:
    """A connection to a game."""
    house: House = websocket.app.state.house
    try:
        identity = await _admit(websocket, house)
        with house.limits.connection(address_of(websocket)):
            room = await house.games.fresh(str(websocket.path_params["id"]))
            await websocket.accept()
            await GameConnection(websocket, house, identity, room.id).run()
    except Refusal as refusal:
        await _turn_away(websocket, refusal)


async def lobby_socket(websocket: WebSocket) -> None:
    """A connection to the lobby: it only listens."""
    house: House = websocket.app.state.house
    try:
        await _admit(websocket, house)
        with house.limits.connection(address_of(websocket)):
            await websocket.accept()
            await LobbyConnection(websocket, house).run()
    except Refusal as refusal:
        await _turn_away(websocket, refusal)


async def _admit(websocket: WebSocket, house: House) -> Identity:
    identity = await house.people.identify(
        websocket.cookies.get(COOKIE), websocket.headers.get("authorization")
    )
    if not identity.by_token:
        check_origin(websocket, house.settings.origin_list)
    return identity


async def _turn_away(websocket: WebSocket, refusal: Refusal) -> None:
    """Say why not, then close; a page can't read the body of a failed handshake."""
    if websocket.client_state is WebSocketState.DISCONNECTED:
        return
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        if refusal.code == "wrong-origin":
            await websocket.close(_POLICY)
            return
        if websocket.application_state is WebSocketState.CONNECTING:
            await websocket.accept()
        body = error_body(refusal, language_of(websocket))
        content = {"type": "error", "ref": ""} | msgspec.structs.asdict(body)
        await websocket.send_text(views.encode_frame(content))
        await websocket.close(_POLICY, refusal.code)


class Connection:
    """A WebSocket with a queue before it."""

    def __init__(self, websocket: WebSocket, house: House) -> None:
        self.websocket = websocket
        self.house = house
        self.id = secrets.token_hex(8)
        self.language = language_of(websocket)
        self.queue: Subscription

    async def run(self) -> None:
        """Serve the connection until either side ends it."""
        metrics.SOCKETS.inc()
        self.queue = await self.house.hub.listen(self.channel)
        await self.begun()
        tasks = [
            asyncio.create_task(self._receive()),
            asyncio.create_task(self._send()),
            asyncio.create_task(self.queue.overrun.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            await self.house.hub.leave(self.queue)
            metrics.SOCKETS.dec()
            await self.gone()
            for result in results:
                if isinstance(result, Exception) and not _is_hang_up(result):
                    _log.error("a connection failed", exc_info=result)
            await self._close()

    @property
    def channel(self) -> str:
        """What the connection listens to."""
        raise NotImplementedError

    async def begun(self) -> None:
        """The connection listens from now on."""

    async def heard(self, text: str) -> None:
        """A message has come."""

    async def told(self, told: Told) -> None:
        """The hub has told something."""
        if isinstance(told, Said | Answer):
            await self.send(told.frame)

    async def gone(self) -> None:
        """The connection is no more."""

    def answer(self, content: dict[str, Any]) -> None:
        """Queue a frame for this connection."""
        self.queue.put(Answer(views.encode_frame(content)))

    def refuse(self, refusal: Refusal, ref: str) -> None:
        """Queue an error."""
        body = error_body(refusal, self.language)
        self.answer({"type": "error", "ref": ref} | msgspec.structs.asdict(body))

    async def send(self, frame: str) -> None:
        async with asyncio.timeout(_SEND_S):
            await self.websocket.send_text(frame)

    async def _send(self) -> None:
        while True:
            await self.told(await self.queue.queue.get())

    async def _receive(self) -> None:
        while True:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not await self.house.limits.message(self.id):
                self.refuse(
                    Refusal("too-many", N_("that was too much at once; please wait a moment")), ""
                )
                # Reading on would only fill the queue: the sender waits with us.
                await asyncio.sleep(1)
                continue
            text = message.get("text")
            if text is None:
                self.refuse(Refusal("not-text", N_("messages are JSON texts")), "")
            elif len(text) > LARGEST:
                self.refuse(Refusal("too-large", N_("this request is too large")), "")
            else:
                await self.heard(text)

    async def _close(self) -> None:
        if self.websocket.client_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(1):
                    await self.websocket.close(_TRY_AGAIN)


def _is_hang_up(error: Exception) -> bool:
    return isinstance(error, WebSocketDisconnect | TimeoutError | RuntimeError | ConnectionError)


class LobbyConnection(Connection):
    """Somebody who looks at the lobby."""

    @property
    def channel(self) -> str:
        return LOBBY

    async def begun(self) -> None:
        self.queue.put(Answer(await self.house.games.lobby_frame()))


class GameConnection(Connection):
    """Somebody at a game, on a seat or watching."""

    def __init__(
        self, websocket: WebSocket, house: House, identity: Identity, game_id: str
    ) -> None:
        super().__init__(websocket, house)
        self.identity = identity
        self.game_id = game_id
        self.version: int | None = None
        """Up to where the client knows the story; None before its hello."""

    @property
    def channel(self) -> str:
        return channel(self.game_id)

    # From the hub.

    async def told(self, told: Told) -> None:
        match told:
            case Answer(frame=frame):
                await self.send(frame)
            case Said(frame=frame) if self.version is not None:
                await self.send(frame)
            case Happened():
                await self._pass_on(told)
            case Missed():
                await self._catch_up()

    async def _pass_on(self, happened: Happened) -> None:
        for version, frame in enumerate(happened.frames, happened.first):
            if self.version is None or version <= self.version:
                continue
            if version > self.version + 1:
                await self._catch_up()
                continue
            self.version = version
            await self.send(self._for_me(frame, happened.people) if happened.people else frame)

    def _for_me(self, frame: str, people: dict[str, str | None]) -> str:
        """The frame with the reader's own seats marked."""
        content = msgspec.json.decode(frame)
        patch = content["patch"]
        if "seats" in patch:
            mine = [colour for colour, person in people.items() if person == self.identity.id]
            for seat in patch["seats"]:
                seat["you"] = seat["colour"] in mine
            patch["you"] = mine
        return views.encode_frame(content)

    async def _catch_up(self) -> None:
        if self.version is None:
            return
        room = await self.house.games.fresh(self.game_id)
        frames = await self.house.games.frames_since(room, self.version)
        if frames is None:
            frames = [await self._state(room)]
        self.version = room.version
        for frame in frames:
            await self.send(frame)

    async def _state(self, room: Room) -> str:
        game = await self.house.games.view(room, self.identity.id)
        return views.encode_frame({"type": "state", "game": game})

    # From the client.

    async def heard(self, text: str) -> None:
        try:
            message = _DECODER.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            refusal = Refusal(
                "invalid", N_("this message can't be understood: {why}"), why=str(error)
            )
            self.refuse(refusal, _ref_of(text))
            return
        try:
            await self._obey(message)
        except Refusal as refusal:
            self.refuse(refusal, message.ref)
        except SumitoError as error:
            self.refuse(refusal_of(error), message.ref)

    async def _obey(self, message: messages.Heard) -> None:
        match message:
            case messages.Hello():
                await self._hello(message)
                return
            case messages.Ping(sent=sent):
                self.answer({"type": "pong", "sent": sent, "at": self.house.games.now()})
                return
        if self.version is None:
            raise Refusal("hello-first", N_("say hello first"))
        if isinstance(message, messages.Why):
            self.answer(await self._why(message))
            return
        version = await self.house.games.command(self.game_id, self.identity.id, message)
        self.answer({"type": "ack", "ref": message.ref, "version": version})

    async def _hello(self, hello: messages.Hello) -> None:
        games = self.house.games
        newcomer = self.version is None
        if newcomer:
            await self.house.presence.enter(self.game_id, self.id, self.identity.id)
        room = await games.fresh(self.game_id)
        frames = None if hello.since is None else await games.frames_since(room, hello.since)
        if frames is None:
            frames = [await self._state(room)]
        # No waiting from here on: what is queued later continues exactly this.
        self.version = room.version
        for frame in frames:
            self.queue.put(Answer(frame))
        self.answer(await self.house.watch.presence_frame(room))
        if newcomer:
            await self.house.watch.came(self.game_id, self.identity.id)

    async def _why(self, why: messages.Why) -> dict[str, Any]:
        """The rule that forbids a try, in the reader's words."""
        room = await self.house.games.fresh(self.game_id)
        answer = {"type": "why", "ref": why.ref, "message": "", "reason": None}
        try:
            move = move_of(why.cells, why.direction)
            room.board.effect(move)
        except IllegalMoveError as error:
            answer["message"] = words.sentence(self.language, error.problem)
            answer["reason"] = str(error.reason)
        except InvalidMoveError:
            answer["message"] = words.say(
                self.language, N_("these marbles don't form a row of one, two or three")
            )
            answer["reason"] = "no-row"
        return answer

    async def gone(self) -> None:
        if self.version is not None:
            await self.house.presence.leave(self.game_id, self.id)
            await self.house.watch.went(self.game_id)


def move_of(cells: list[str], direction: str) -> Move:
    """The move that a player means who takes these marbles and goes that way."""
    found = sorted({Cell.parse(name) for name in cells})
    if direction not in Direction.__members__:
        raise Refusal("no-such-direction", N_("directions are E, NE, NW, W, SW and SE"))
    way = Direction[direction]
    first, last = found[0], found[-1]
    if len(found) == 1:
        return Move.in_line(first, way)
    for axis in (Direction.E, Direction.NE, Direction.NW):
        row = [first.step(axis, count) for count in range(len(found))]
        if row == found:
            break
    else:
        raise InvalidMoveError("not a row")
    if way.axis is axis:
        return Move.in_line(first if way is axis else last, way)
    return Move.side_step(first, last, way)


def _ref_of(text: str) -> str:
    """The ref of a message that is wrong otherwise, so that the sender knows which one it was."""
    try:
        return msgspec.json.decode(text, type=_RefField).ref[:64]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
