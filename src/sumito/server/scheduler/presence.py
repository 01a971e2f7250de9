"""Who is there, who has been gone for too long, and games that nobody comes to any more.

Spectators come and go in crowds: their number is told at most once a second.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

from sumito.game import commands
from sumito.protocol import frames
from sumito.server.games import presenter
from sumito.server.games.decisions import Decision, apply, cancel_waiting
from sumito.server.games.event_rows import Cancelled
from sumito.server.games.room import Room
from sumito.server.games.service import Games
from sumito.server.games.writer import channel
from sumito.server.realtime.hub import Notice
from sumito.server.refusals import Refusal
from sumito.server.scheduler.backoff import Backoff
from sumito.server.scheduler.outages import Outages
from sumito.server.scheduler.tasks import Background, Work, each, failed

_CROWD_S: Final = 1.0
_AGAIN_S: Final = 5.0
_LISTED_MS: Final = 3_600_000
"""How long a listed game waits for players while nobody is there."""
_QUEUED_MS: Final = 60_000
"""The same of one made by quick pairing whose maker's leaving nobody noticed."""
_DAY_MS: Final = 86_400_000
_FIRST_PAUSE_S: Final = 600.0
_LONGEST_PAUSE_S: Final = 86_400.0


class Attendance:
    """Tells who is there, and notes in the game who is away."""

    def __init__(self, games: Games, background: Background, outages: Outages) -> None:
        self._games = games
        self._background = background
        self._outages = outages
        self._checks: dict[str, asyncio.TimerHandle] = {}
        self._claims: dict[str, asyncio.TimerHandle] = {}
        self._crowds: dict[str, asyncio.TimerHandle] = {}
        self._broken = Backoff(_FIRST_PAUSE_S, _LONGEST_PAUSE_S)
        """Games that couldn't be called off."""

    def stop(self) -> None:
        for timers in (self._checks, self._claims, self._crowds):
            for timer in timers.values():
                timer.cancel()

    async def came(self, game_id: str, person_id: str) -> None:
        """Somebody has connected to a game."""
        room = await self._games.room(game_id)
        away = room.game.away if room.game and room.status == "playing" else {}
        for colour in room.seats_of(person_id):
            if colour in away:
                await self._note(game_id, commands.Returned(colour))
        await self._noticed(room, person_id)

    async def went(self, game_id: str, person_id: str) -> None:
        """Somebody's connection to a game is gone."""
        await self._noticed(await self._games.room(game_id), person_id)

    async def visited(self, game_id: str, person_id: str) -> None:
        """Somebody asks by HTTP, and is there as if connected."""
        if await self._games.presence.visit(game_id, person_id):
            await self.came(game_id, person_id)

    async def _noticed(self, room: Room, person_id: str) -> None:
        if person_id in room.people:
            await self.tell(room.id)
            self._check_later(room.id, self._games.settings.away_ms / 1000)
        elif room.id not in self._crowds:
            self._crowds[room.id] = self._background.later(
                _CROWD_S, "presence", self._crowd, room.id
            )

    def _check_later(self, game_id: str, seconds: float) -> None:
        if game_id not in self._checks:
            self._checks[game_id] = self._background.later(
                seconds, "presence", self._check, game_id
            )

    async def _crowd(self, game_id: str) -> None:
        self._crowds.pop(game_id, None)
        await self.tell(game_id)

    async def tell(self, game_id: str) -> None:
        """Tell everybody at a game who is there, and the players what they may do about it."""
        room = await self._games.room(game_id)
        online = await self._games.presence.people(game_id)
        mine = {}
        if room.game is not None and room.game.away:
            at = self._games.now()
            for person in room.people:
                mine[person] = frames.encode(presenter.mine_of(room, person, at))
        notice = Notice(presenter.presence_frame(room, online), mine=mine)
        await self._games.hub.tell(channel(game_id), notice)

    async def _check(self, game_id: str) -> None:
        """Note who is away, if anybody is there to mind."""
        self._checks.pop(game_id, None)
        room = await self._games.fresh(game_id)
        online = set(await self._games.presence.people(game_id))
        if room.queued and room.status == "waiting":
            await self._check_queue(room, online)
            return
        if room.status != "playing" or not online & room.people:
            return
        if self._outages.down or not self._games.presence.complete:
            # Nobody is away whom we only can't see.
            self._check_later(game_id, _AGAIN_S)
            return
        assert room.game is not None
        for colour, seat in room.seats.items():
            gone = seat.kind == "person" and seat.person_id not in online
            if gone and colour not in room.game.away and colour not in room.game.out:
                await self._note(game_id, commands.Left(colour))

    async def _check_queue(self, room: Room, online: set[str]) -> None:
        """Call a game off whose maker doesn't wait for an opponent any more."""
        if self._outages.down or not self._games.presence.complete:
            self._check_later(room.id, _AGAIN_S)
        elif room.creator not in online:
            await self._games.change(room.id, cancel_waiting)

    async def _note(self, game_id: str, command: commands.Command) -> None:
        """If the game has moved on meanwhile, it doesn't matter any more."""
        with contextlib.suppress(Refusal):
            await self._games.change(game_id, lambda room, at: apply(room, command, at))

    def set_claim_timer(self, room: Room) -> None:
        """Tell the others when the next of those who went away can be claimed against."""
        old = self._claims.pop(room.id, None)
        if old:
            old.cancel()
        away = room.game.away if room.game and room.status == "playing" else {}
        now = self._games.now()
        waits = [since + room.terms.grace_ms - now for since in away.values()]
        # What is ripe already was announced when it became so, or is seen by who connects.
        later = [ms for ms in waits if ms > 0]
        if later:
            self._claims[room.id] = self._background.later(
                min(later) / 1000 + 0.05, "presence", self._claim_is_ripe, room.id
            )

    async def _claim_is_ripe(self, game_id: str) -> None:
        self._claims.pop(game_id, None)
        await self.tell(game_id)
        self.set_claim_timer(await self._games.room(game_id))

    async def refresh(self) -> None:
        """Say again who is here; look after those whose visit has ended."""
        await each("presence", await self._games.presence.refresh(), self._look_after)

    async def _look_after(self, game_id: str) -> None:
        await self.tell(game_id)
        await self._check(game_id)

    async def clear_away(self) -> None:
        """End games that have waited for players, or for a move, too long with nobody there."""
        store, now, days = self._games.store, self._games.now(), self._games.settings.abandon_days
        before = now - days * _DAY_MS if days else 0
        self._broken.forget_old()
        last = ""
        while stale := await store.stale(now - _LISTED_MS, before, now - _QUEUED_MS, last):
            await self._each(stale, self._clear_away)
            last = stale[-1]
        last = ""
        while abandoned := await store.abandoned(before, last):
            await self._each(abandoned, self._call_off)
            last = abandoned[-1]

    async def _each(self, games: Sequence[str], work: Work) -> None:
        """Do something for each game; one for which it fails is left alone for a while."""
        for game_id in games:
            if self._broken.waits(game_id):
                continue
            try:
                await work(game_id)
            except Exception as error:
                failed("clear away", error, game=game_id)
                self._broken.fail(game_id)
            else:
                self._broken.clear(game_id)

    async def _clear_away(self, game_id: str) -> None:
        if not await self._games.presence.people(game_id):
            await self._games.change(game_id, cancel_waiting)

    async def _call_off(self, game_id: str) -> None:
        room = await self._games.fresh(game_id)
        if not room.people.intersection(await self._games.presence.people(game_id)):
            await self._games.change(game_id, _cancel_playing)


def _cancel_playing(room: Room, _: int) -> Decision:
    return Decision((Cancelled(),) if room.status == "playing" else ())
