"""What happens in games without anybody asking: flags fall, computers move, people go away.

Nothing here is the truth. A timer that is lost with its process is found again by its `due_at`,
and two processes that do the same thing meet at the database, where only one wins.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import structlog

from sumito.game import commands
from sumito.game.events import DrawOffered, Event, TakebackAsked, WentAway
from sumito.modes import Colour
from sumito.server.bus.local import Said
from sumito.server.engines import Computers
from sumito.server.game.change import Games, channel
from sumito.server.game.codec import Joined, Rematched
from sumito.server.game.commands import Decision, apply
from sumito.server.game.room import Room
from sumito.server.http.errors import Refusal
from sumito.server.wire import views

_log = structlog.get_logger()

Work = Callable[..., Awaitable[None]]

PULSE_S: Final = 1.0
SWEEP_S: Final = 2.0
OUTAGE_MS: Final = 3_000
"""Among several processes, silence of this length means that none was there."""
_SLACK_MS: Final = 2_000
_FORGET_MS: Final = 30 * 86_400_000


class Watch:
    """Looks after the games of one process, and after those that nobody looks after."""

    def __init__(self, games: Games, computers: Computers) -> None:
        self._games = games
        self._computers = computers
        self._process = secrets.token_hex(8)
        self._flags: dict[str, asyncio.TimerHandle] = {}
        self._checks: dict[str, asyncio.TimerHandle] = {}
        self._claims: dict[str, asyncio.TimerHandle] = {}
        self._thinking: dict[str, tuple[int, asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        games.on_change = self.changed
        games.on_load = self._loaded

    async def start(self) -> None:
        """Find out whether the server was away, then take up all games in play."""
        store, now = self._games.store, self._games.now()
        last = await store.last_pulse()
        if last is not None and (not self._games.hub.shared or now - last > OUTAGE_MS):
            await store.record_outage(last, now)
        await store.pulse(self._process, now)
        await store.forget_before(now - _FORGET_MS)
        self._run(self._take_up)
        self._run(self._beat)

    async def stop(self) -> None:
        """Let go of everything, and note when."""
        for timers in (self._flags, self._checks, self._claims):
            for timer in timers.values():
                timer.cancel()
        tasks = [*self._tasks, *(task for _, task in self._thinking.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._games.store.pulse(self._process, self._games.now())

    def _run(self, work: Work, *about: Any) -> None:
        task = asyncio.create_task(_logged(work, *about))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take_up(self) -> None:
        for game_id in await self._games.store.awaited():
            await self.look(game_id)
        while True:
            await asyncio.sleep(SWEEP_S)
            for game_id in await self._games.store.due(self._games.now() - _SLACK_MS):
                await self.look(game_id)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(PULSE_S)
            if self._flags:
                await self._games.store.pulse(self._process, self._games.now())
            await self._games.presence.refresh()

    # Games.

    async def _loaded(self, room: Room) -> None:
        """A game that an outage interrupted goes on where it stood: nobody is charged for it."""
        if room.status != "playing" or room.terms.control.control().budget is None:
            return
        stopped_at = await self._games.store.outage_after(room.at)
        if stopped_at is not None:
            await self._games.change_locked(
                room, lambda room, at: apply(room, commands.Resume(min(stopped_at, at)), at)
            )

    async def look(self, game_id: str) -> None:
        """See whether something is due in a game, and do it."""
        try:
            room = await self._games.fresh(game_id)
            deadline = room.game.deadline if room.game else None
            if deadline is not None and self._games.now() >= deadline:
                await self._server_command(game_id, commands.Flag())
            await self.changed(room, ())
        except Refusal as refusal:
            _log.warning("couldn't look at a game", game=game_id, why=refusal.message)

    async def changed(self, room: Room, events: Sequence[Event]) -> None:
        """Something happened: set timers, let computers think, answer for those who can't."""
        self._set_flag_timer(room)
        self._let_think(room)
        for event in events:
            match event:
                case DrawOffered(seat=seat) | TakebackAsked(seat=seat):
                    is_takeback = isinstance(event, TakebackAsked)
                    self._run(self._answer_offer, room, seat, is_takeback)
                case Rematched(id=id):
                    self._run(self.look, id)
                case WentAway():
                    self._set_claim_timer(room)
                case Joined():
                    # Who came to watch and then sat down is a spectator no more.
                    self._run(self._tell_presence, room.id)

    def _set_flag_timer(self, room: Room) -> None:
        old = self._flags.pop(room.id, None)
        if old:
            old.cancel()
        deadline = room.game.deadline if room.game and room.game.turn is not None else None
        if deadline is not None:
            self._flags[room.id] = self._later(
                (deadline - self._games.now()) / 1000 + 0.005, self._flag_fell, room.id
            )

    def _later(self, seconds: float, work: Work, game_id: str) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        return loop.call_later(max(0.0, seconds), self._run, work, game_id)

    async def _flag_fell(self, game_id: str) -> None:
        self._flags.pop(game_id, None)
        await self.look(game_id)

    async def _server_command(self, game_id: str, command: commands.Command) -> None:
        """A command of the server's own; if the game has moved on, it doesn't matter any more."""
        with contextlib.suppress(Refusal):
            await self._games.change(game_id, lambda room, at: apply(room, command, at))

    # Computers.

    def _let_think(self, room: Room) -> None:
        seat = room.turn_seat
        ply = room.board.ply
        thought = self._thinking.get(room.id)
        if thought and thought[0] == ply and seat is not None and not thought[1].done():
            return
        if thought:
            thought[1].cancel()
            del self._thinking[room.id]
        if seat is not None and seat.kind == "computer":
            task = asyncio.create_task(
                _logged(self._think, room, Colour.parse(seat.colour), seat.level or "")
            )
            self._thinking[room.id] = (ply, task)
            task.add_done_callback(lambda done: self._thought(room.id, done))

    def _thought(self, game_id: str, task: asyncio.Task[None]) -> None:
        if self._thinking.get(game_id, (0, None))[1] is task:
            del self._thinking[game_id]

    async def _think(self, room: Room, seat: Colour, level: str) -> None:
        ply = room.board.ply
        assert room.game is not None
        left = room.game.clocks(max(self._games.now(), room.at))[seat]
        await self._say(room.id, {"type": "thinking", "seat": str(seat), "on": True})
        try:
            move = await self._computers.move(
                room.board, level, left, seed=secrets.randbelow(1 << 31)
            )
        finally:
            await self._say(room.id, {"type": "thinking", "seat": str(seat), "on": False})

        def decide(room: Room, at: int) -> Decision:
            if room.board.ply != ply or room.status != "playing":
                return Decision(())
            return apply(room, commands.Play(seat, move), at)

        # From here on the thinking is over, and the move must not be lost to a cancellation.
        self._thinking.pop(room.id, None)
        await self._games.change(room.id, decide)

    async def _answer_offer(self, room: Room, asker: Colour, is_takeback: bool) -> None:
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
            if is_takeback:
                await self._server_command(room.id, commands.AcceptTakeback(colour))
            elif own:
                await self._server_command(room.id, commands.AcceptDraw(colour))
            else:
                await self._server_command(room.id, commands.DeclineDraw(colour))

    # Presence.

    async def came(self, game_id: str, person_id: str) -> None:
        """Somebody has connected to a game."""
        room = await self._games.room(game_id)
        if room.game:
            for colour in room.seats_of(person_id):
                if colour in room.game.away:
                    await self._server_command(game_id, commands.Returned(colour))
        await self._tell_presence(game_id)

    async def went(self, game_id: str) -> None:
        """Somebody's connection to a game is gone."""
        await self._tell_presence(game_id)

    async def _tell_presence(self, game_id: str) -> None:
        room = await self._games.room(game_id)
        await self._say(game_id, await self.presence_frame(room))
        if game_id not in self._checks:
            self._checks[game_id] = self._later(
                self._games.settings.away_ms / 1000, self._check_presence, game_id
            )

    async def presence_frame(self, room: Room) -> dict[str, Any]:
        """Who is there, as a frame."""
        online = await self._games.presence.people(room.id)
        audience = views.Audience(frozenset(online))
        return {
            "type": "presence",
            "seats": {one["colour"]: one["online"] for one in views.seat_fields(room, online)},
            "spectators": audience.spectators(room),
            "claimable": [str(colour) for colour in room.claimable(self._games.now())],
        }

    async def _check_presence(self, game_id: str) -> None:
        """Note who is away, if anybody is there to mind."""
        self._checks.pop(game_id, None)
        room = await self._games.fresh(game_id)
        online = set(await self._games.presence.people(game_id))
        people = {seat.person_id for seat in room.seats.values() if seat.person_id}
        if room.game is None or room.game.turn is None or not online & people:
            return
        for colour, seat in room.seats.items():
            gone = seat.kind == "person" and seat.person_id not in online
            if gone and colour not in room.game.away and colour not in room.game.out:
                await self._server_command(game_id, commands.Left(colour))

    def _set_claim_timer(self, room: Room) -> None:
        old = self._claims.pop(room.id, None)
        if old:
            old.cancel()
        self._claims[room.id] = self._later(
            room.terms.grace_ms / 1000 + 0.05, self._claim_is_ripe, room.id
        )

    async def _claim_is_ripe(self, game_id: str) -> None:
        self._claims.pop(game_id, None)
        room = await self._games.room(game_id)
        await self._say(game_id, await self.presence_frame(room))

    async def _say(self, game_id: str, content: dict[str, Any]) -> None:
        await self._games.hub.tell(channel(game_id), Said(views.encode_frame(content)))


async def _logged(work: Work, *about: Any) -> None:
    """Work in the background must not fail in silence."""
    try:
        await work(*about)
    except asyncio.CancelledError:
        raise
    except Exception:
        _log.exception("something failed in the background")
