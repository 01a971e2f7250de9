"""Computers on seats: they think when it is their turn, and answer what they are asked."""

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
from sumito.server.engines.pool import Computers
from sumito.server.games import presenter
from sumito.server.games.decisions import Decision, apply
from sumito.server.games.event_rows import Cancelled
from sumito.server.games.room import Room
from sumito.server.games.service import Games
from sumito.server.games.writer import channel
from sumito.server.realtime.hub import Notice
from sumito.server.refusals import SERVER_ERROR, Refusal
from sumito.server.scheduler.backoff import Backoff
from sumito.server.scheduler.tasks import Background, failed
from sumito.server.storage import SeatRow

_log = structlog.get_logger()

_NOBODY_S: Final = 60.0
"""A game among computers that nobody has watched for so long ends."""
_LOOK_S: Final = 2.0
TRIES: Final = 7
"""A game is called off when so many thoughts in a row have failed."""
FIRST_PAUSE_S: Final = 5.0
_LONGEST_PAUSE_S: Final = 600.0


def owner_of(room: Room) -> str:
    """Whose game it is: all games of one person share that person's turn with the engines."""
    return room.creator or min(room.people, default=room.id)


class Thinking:
    """Lets computers move; one thought for each game at most."""

    def __init__(self, games: Games, computers: Computers, background: Background) -> None:
        self._games = games
        self._computers = computers
        self._background = background
        self._thoughts: dict[str, tuple[Position, asyncio.Task[None]]] = {}
        self.failing = Backoff(FIRST_PAUSE_S, _LONGEST_PAUSE_S)
        """Games in which the last thought failed."""

    @property
    def in_hand(self) -> int:
        """How many games wait for a computer here, those included in which it failed lately."""
        return len(self._thoughts) + len(self.failing)

    def let_think(self, room: Room) -> None:
        """Begin to think about a game where a computer is to move; stop where it isn't."""
        seat = room.turn_seat if room.status == "playing" else None
        position = room.board.position
        thought = self._thoughts.get(room.id)
        if thought and thought[0] == position and seat is not None and not thought[1].done():
            return
        if thought:
            thought[1].cancel()
            del self._thoughts[room.id]
        if seat is not None and seat.kind == "computer" and not self.failing.waits(room.id):
            task = self._background.run("think", self._think, room, seat, position)
            self._thoughts[room.id] = (position, task)
            task.add_done_callback(lambda done: self._thought(room.id, done))

    def _thought(self, game_id: str, task: asyncio.Task[None]) -> None:
        if self._thoughts.get(game_id, (None, None))[1] is task:
            del self._thoughts[game_id]

    async def _think(self, room: Room, seat: SeatRow, position: Position) -> None:
        if not room.people and not await self._watched(room):
            await self._end(room)
            return
        assert room.game is not None
        colour = Colour.parse(seat.colour)
        left = room.game.clocks(max(self._games.now(), room.at))[colour]
        await self._tell(room, colour, True)
        try:
            move = await self._computers.move(
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
            await self._tell(room, colour, False)

        def decide(room: Room, at: int) -> Decision:
            # A take-back may have come between: the move is for the position it was found in.
            if room.status != "playing" or room.board.position != position:
                return Decision(())
            return apply(room, commands.Play(colour, move), at)

        # From here on the thinking is over, and the move must not be lost to a cancellation.
        self._thoughts.pop(room.id, None)
        try:
            await self._games.change(room.id, decide)
        except Refusal as refusal:
            if refusal.status >= SERVER_ERROR:
                raise
            await self._fail(room, refusal)
        else:
            self.failing.clear(room.id)

    async def _fail(self, room: Room, error: Exception) -> None:
        """Try again after a growing pause; call the game off if nothing helps."""
        failed("think", error, game=room.id)
        if self.failing.fail(room.id) < TRIES:
            return
        _log.error("a game is called off: its computer can't move", game=room.id)
        await self._end(room)
        self.failing.clear(room.id)

    async def _watched(self, room: Room) -> bool:
        """Does somebody watch computers play, or come to do so in a while?"""
        for _ in range(int(_NOBODY_S / _LOOK_S)):
            if await self._games.presence.people(room.id):
                return True
            await asyncio.sleep(_LOOK_S)
        return False

    async def _end(self, room: Room) -> None:
        self._thoughts.pop(room.id, None)

        def decide(room: Room, _: int) -> Decision:
            return Decision((Cancelled(),) if room.status == "playing" else ())

        await self._games.change(room.id, decide)

    async def _tell(self, room: Room, colour: Colour, on: bool) -> None:
        frame = frames.encode(frames.ThinkingFrame(presenter.name(colour), on))
        await self._games.hub.tell(channel(room.id), Notice(frame))

    async def answer_offer(self, room: Room, asker: Colour, is_takeback: bool) -> None:
        """Computers answer for themselves; one who holds both sides agrees with themselves."""
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
            failed("answer an offer", error, game=room.id)
