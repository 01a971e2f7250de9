"""A WebSocket connection to a game, of a player or a spectator."""

from __future__ import annotations

from time import monotonic_ns
from typing import Final

from starlette.websockets import WebSocket

from sumito.errors import IllegalMoveError, InvalidMoveError
from sumito.protocol import commands, frames
from sumito.rules.move import Move
from sumito.server.accounts.sessions import Identity
from sumito.server.base import i18n as words
from sumito.server.base.i18n import N_
from sumito.server.games import presenter
from sumito.server.games.room import Room
from sumito.server.games.writer import channel
from sumito.server.realtime.hub import Broadcast, DirectFrame, GameEvents, HubMessage, Resync
from sumito.server.refusals import BadRequest, Refusal, database_unavailable
from sumito.server.services import Services
from sumito.server.sockets.connection import Connection, admit, turn_away
from sumito.server.storage import UnavailableError
from sumito.server.web.operations import address_of

NO_ROW: Final = N_("These marbles don't form a row of one, two or three.")
_MEASURE_S: Final = 15
"""How often the lag is measured, at most."""


async def game_socket(websocket: WebSocket) -> None:
    """Serve a connection to a game."""
    services: Services = websocket.app.state.services
    try:
        identity = await admit(websocket, services)
        sessions = services.people.sessions
        with (
            services.limits.connection(address_of(websocket)),
            sessions.connection(identity) as opened,
        ):
            room = await services.games.synced_room(str(websocket.path_params["id"]))
            connection = GameConnection(websocket, services, identity, room.id)
            await websocket.accept()
            opened.on_end = connection.end
            if not opened.ended:
                await connection.run()
    except Refusal as refusal:
        await turn_away(websocket, refusal)
    except UnavailableError:
        await turn_away(websocket, database_unavailable())


class GameConnection(Connection):
    """A player's or spectator's connection to a game."""

    def __init__(
        self, websocket: WebSocket, services: Services, identity: Identity, game_id: str
    ) -> None:
        super().__init__(websocket, services, identity)
        self.game_id = game_id
        self.version: int | None = None
        """The version of the game that the client has; None before its hello."""
        self.lag = 0
        """Round-trip time in ms, as measured here."""
        self._pinged_at = 0
        self._is_present = False
        self._is_announced = False

    @property
    def channel(self) -> str:
        return channel(self.game_id)

    # From the hub.

    async def on_hub_message(self, message: HubMessage) -> None:
        match message:
            case DirectFrame(frame=frame):
                await self.send(frame)
            case Broadcast(frame=frame, only=only, mine=mine) if self.version is not None:
                if only is None or self.identity.id in only:
                    await self.send(self._with_mine(frame, mine))
            case GameEvents():
                await self._pass_on(message)
            case Resync():
                await self._catch_up()

    def _with_mine(self, frame: str, mine: dict[str, str]) -> str:
        own = mine.get(self.identity.id) or mine.get("")
        return frames.with_mine(frame, own) if own else frame

    async def _pass_on(self, events: GameEvents) -> None:
        last = events.first + len(events.frames) - 1
        for version, frame in enumerate(events.frames, events.first):
            if self.version is None or version <= self.version:
                continue
            if version > self.version + 1:
                await self._catch_up()
                continue
            self.version = version
            await self.send(self._with_mine(frame, events.mine) if version == last else frame)

    async def _catch_up(self) -> None:
        if self.version is None:
            return
        room = await self.services.games.synced_room(self.game_id)
        missed = await self._missed(room, self.version)
        self.version = room.version
        for frame in missed:
            await self.send(frame)

    async def _missed(self, room: Room, since: int | None) -> list[str]:
        """Return what a client doesn't have yet: some events, or the whole game."""
        games = self.services.games
        missed = None if since is None else await games.frames_since(room, since)
        if missed is None:
            game = await games.view(room, self.identity.id)
            return [frames.encode(frames.StateFrame(game))]
        if missed and self.identity.id in room.people:
            mine = frames.encode(presenter.viewer_fields(room, self.identity.id, games.now()))
            missed[-1] = frames.with_mine(missed[-1], mine)
        return missed

    # From the client.

    async def handle(self, message: commands.Message) -> None:
        games = self.services.games
        arrived = games.now()
        if isinstance(message, commands.Hello):
            await self._hello(message)
            return
        if self.version is None:
            raise BadRequest("hello-first", N_("The first message must be `hello`."))
        match message:
            case commands.Why():
                self.answer(await self._why(message))
            case commands.Pong(sent=sent):
                self._measure_lag(sent)
            case commands.Ping():
                pass
            case _:
                if isinstance(message, commands.Chat):
                    await self.services.limits.chat(self.identity.id)
                version = await games.command(
                    self.game_id, self.identity.id, message, arrived, self.lag
                )
                self.answer(frames.AckFrame(message.ref, version))
                self._ping()

    async def _hello(self, hello: commands.Hello) -> None:
        room = await self.services.games.synced_room(self.game_id)
        was_present = self._is_present
        if not was_present:
            self._is_present = True
            await self.services.presence.enter(self.game_id, self.id, self.identity.id)
        try:
            await self._welcome(room, hello)
        except Exception:
            if not was_present:
                await self._leave()
            raise
        if not self._is_announced:
            self._ping()
            await self.services.scheduler.presence.on_connect(self.game_id, self.identity.id)
            self._is_announced = True

    async def _welcome(self, room: Room, hello: commands.Hello) -> None:
        games = self.services.games
        lines = []
        if hello.since is not None:
            lines = await games.chat.lines(room, self.identity.id, hello.heard)
        online = await games.presence.people(self.game_id)
        missed = await self._missed(room, hello.since)
        # No await from here on: what is queued later continues exactly this.
        self.version = room.version
        for frame in missed:
            self.queue.put(DirectFrame(frame))
        for line in lines:
            self.queue.put(DirectFrame(f'{{"type":"chat","line":{line}}}'))
        self.queue.put(DirectFrame(presenter.presence_frame(room, online)))

    def _ping(self) -> None:
        """Measure the client's lag, but not often."""
        now = monotonic_ns()
        if now - self._pinged_at > _MEASURE_S * 1_000_000_000:
            self._pinged_at = now
            self.answer(frames.PingFrame(now // 1_000_000))

    def _measure_lag(self, sent: int) -> None:
        # Only an answer to the last ping counts, and lag is compensated up to a limit.
        if sent == self._pinged_at // 1_000_000:
            self.lag = min(monotonic_ns() // 1_000_000 - sent, self.services.settings.lag_ms)

    async def _why(self, why: commands.Why) -> frames.WhyFrame:
        """Return the rule that forbids a move, in the reader's language."""
        room = await self.services.games.synced_room(self.game_id)
        try:
            room.board.effect(Move.from_cells(why.cells, why.direction))
        except IllegalMoveError as error:
            message = words.sentence(self.language, error.problem)
            return frames.WhyFrame(why.ref, message, str(error.reason), error.values)
        except InvalidMoveError:
            message = words.say(self.language, NO_ROW)
            return frames.WhyFrame(why.ref, message, "no-row")
        return frames.WhyFrame(why.ref, "", None)

    async def on_close(self) -> None:
        if self._is_present:
            await self._leave()
            await self.services.scheduler.presence.on_disconnect(self.game_id, self.identity.id)

    async def _leave(self) -> None:
        self._is_present = False
        await self.services.presence.leave(self.game_id, self.id)
