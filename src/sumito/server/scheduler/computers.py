"""Computer players: search for a move when it is their turn, and answer offers."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import Final

import structlog

from sumito.game import commands
from sumito.position import Position
from sumito.protocol import frames
from sumito.rules.modes import Colour
from sumito.server.engines.pool import EnginePool
from sumito.server.games import presenter
from sumito.server.games.decisions import Decision, apply
from sumito.server.games.event_rows import Cancelled
from sumito.server.games.room import Room
from sumito.server.games.service import Games
from sumito.server.games.writer import channel
from sumito.server.realtime.hub import Broadcast
from sumito.server.refusals import Refusal, ServerError
from sumito.server.scheduler.backoff import Backoff
from sumito.server.scheduler.tasks import BackgroundTasks, log_failure
from sumito.server.storage import SeatRow

_log = structlog.get_logger()

_UNWATCHED_S: Final = 60.0
"""How long a game among computers goes on without a spectator."""
_POLL_S: Final = 2.0
MAX_FAILURES: Final = 7
"""After how many failed searches in a row a game is called off."""
FIRST_PAUSE_S: Final = 5.0
_LONGEST_PAUSE_S: Final = 600.0


def owner_of(room: Room) -> str:
    """Return whose share of the engines a game uses: that of its creator, if there is one."""
    return room.creator or min(room.people, default=room.id)


class ComputerPlayers:
    """Runs the computers' searches, at most one for each game."""

    def __init__(self, games: Games, engines: EnginePool, tasks: BackgroundTasks) -> None:
        self._games = games
        self._engines = engines
        self._tasks = tasks
        self._searches: dict[str, tuple[Position, asyncio.Task[None]]] = {}
        self.backoff = Backoff(FIRST_PAUSE_S, _LONGEST_PAUSE_S)
        """Games in which the last search failed."""

    @property
    def pending(self) -> int:
        """How many games wait for a computer here, including those whose last search failed."""
        return len(self._searches) + len(self.backoff)

    def sync(self, room: Room) -> None:
        """Start a search if a computer is to move; cancel it if not."""
        seat = room.turn_seat if room.status == "playing" else None
        position = room.board.position
        search = self._searches.get(room.id)
        if search and search[0] == position and seat is not None and not search[1].done():
            return
        if search:
            search[1].cancel()
            del self._searches[room.id]
        if seat is not None and seat.kind == "computer" and not self.backoff.waits(room.id):
            task = self._tasks.run("think", self._think, room, seat, position)
            self._searches[room.id] = (position, task)
            task.add_done_callback(lambda done: self._on_done(room.id, done))

    def _on_done(self, game_id: str, task: asyncio.Task[None]) -> None:
        if self._searches.get(game_id, (None, None))[1] is task:
            del self._searches[game_id]

    async def _think(self, room: Room, seat: SeatRow, position: Position) -> None:
        if not room.people and not await self._is_watched(room):
            await self._cancel(room)
            return
        assert room.game is not None
        colour = Colour.parse(seat.colour)
        left = room.game.clocks(max(self._games.now(), room.at))[colour]
        await self._publish_thinking(room, colour, True)
        try:
            move = await self._engines.move(
                room.board,
                seat.level or "",
                left,
                seed=secrets.randbelow(1 << 31),
                owner=owner_of(room),
            )
        except Exception as error:
            await self._fail(room, error)
            return
        finally:
            await self._publish_thinking(room, colour, False)

        def decide(room: Room, at: int) -> Decision:
            # After a take-back meanwhile, the move no longer fits the position.
            if room.status != "playing" or room.board.position != position:
                return Decision(())
            return apply(room, commands.Play(colour, move), at)

        # The search is over: from here on `sync` must not cancel the task.
        self._searches.pop(room.id, None)
        try:
            await self._games.change(room.id, decide)
        except Refusal as refusal:
            if isinstance(refusal, ServerError):
                raise
            await self._fail(room, refusal)
        else:
            self.backoff.clear(room.id)

    async def _fail(self, room: Room, error: Exception) -> None:
        """Retry after a growing pause; after too many failures, call the game off."""
        log_failure("think", error, game=room.id)
        if self.backoff.fail(room.id) < MAX_FAILURES:
            return
        _log.error("a game is called off: its computer can't move", game=room.id)
        await self._cancel(room)
        self.backoff.clear(room.id)

    async def _is_watched(self, room: Room) -> bool:
        """Whether somebody watches the game, or starts to within a while."""
        for _ in range(int(_UNWATCHED_S / _POLL_S)):
            if await self._games.presence.people(room.id):
                return True
            await asyncio.sleep(_POLL_S)
        return False

    async def _cancel(self, room: Room) -> None:
        self._searches.pop(room.id, None)

        def decide(room: Room, _: int) -> Decision:
            return Decision((Cancelled(),) if room.status == "playing" else ())

        await self._games.change(room.id, decide)

    async def _publish_thinking(self, room: Room, colour: Colour, on: bool) -> None:
        frame = frames.encode(frames.ThinkingFrame(presenter.colour_name(colour), on))
        await self._games.hub.publish(channel(room.id), Broadcast(frame))

    async def answer_offer(self, room: Room, asker: Colour, is_takeback: bool) -> None:
        """Answer an offer for computers, and for a person who plays both sides."""
        person = room.seats[asker].person_id
        for side in room.mode.sides:
            if asker in side:
                continue
            seats = [room.seats[colour] for colour in side]
            own = any(seat.person_id == person for seat in seats)
            if not own and any(seat.kind == "person" for seat in seats):
                continue
            colour = next(
                (one for one, seat in zip(side, seats, strict=True) if seat.person_id == person),
                side[0],
            )
            answer: commands.Command
            if is_takeback:
                answer = commands.AcceptTakeback(colour)
            else:
                answer = commands.AcceptDraw(colour) if own else commands.DeclineDraw(colour)
            await self._answer(room, answer)

    async def _answer(self, room: Room, answer: commands.Command) -> None:
        try:
            with contextlib.suppress(Refusal):
                await self._games.change(room.id, lambda room, at: apply(room, answer, at))
        except Exception as error:
            log_failure("answer an offer", error, game=room.id)
