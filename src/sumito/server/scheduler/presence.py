"""Presence: publishes who is connected, records absences, calls off idle games.

Spectators come and go in crowds: their number is published at most once a second.
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
from sumito.server.realtime.hub import Broadcast
from sumito.server.refusals import Refusal
from sumito.server.scheduler.backoff import Backoff
from sumito.server.scheduler.outages import Outages
from sumito.server.scheduler.tasks import BackgroundTasks, Work, for_each, log_failure

_SPECTATORS_S: Final = 1.0
_RETRY_S: Final = 5.0
_LISTED_MS: Final = 3_600_000
"""How long a listed game waits for players while nobody is connected."""
_QUEUED_MS: Final = 60_000
"""How long one made by quick pairing waits if its creator disconnected unnoticed."""
_DAY_MS: Final = 86_400_000
_FIRST_PAUSE_S: Final = 600.0
_LONGEST_PAUSE_S: Final = 86_400.0


class PresenceTracker:
    """Publishes who is connected, and records in the game who is away."""

    def __init__(self, games: Games, tasks: BackgroundTasks, outages: Outages) -> None:
        self._games = games
        self._tasks = tasks
        self._outages = outages
        self._absence_timers: dict[str, asyncio.TimerHandle] = {}
        self._claim_timers: dict[str, asyncio.TimerHandle] = {}
        self._spectator_timers: dict[str, asyncio.TimerHandle] = {}
        self._backoff = Backoff(_FIRST_PAUSE_S, _LONGEST_PAUSE_S)
        """Games that couldn't be called off."""

    def stop(self) -> None:
        for timers in (self._absence_timers, self._claim_timers, self._spectator_timers):
            for timer in timers.values():
                timer.cancel()

    async def on_connect(self, game_id: str, person_id: str) -> None:
        """Publish a new connection; a player who was away has come back."""
        room = await self._games.room(game_id)
        away = room.game.away if room.game and room.status == "playing" else {}
        for colour in room.seats_of(person_id):
            if colour in away:
                await self._apply(game_id, commands.Reconnect(colour))
        await self._schedule_publish(room, person_id)

    async def on_disconnect(self, game_id: str, person_id: str) -> None:
        """Publish the end of a connection and schedule an absence check."""
        await self._schedule_publish(await self._games.room(game_id), person_id)

    async def on_visit(self, game_id: str, person_id: str) -> None:
        """Count somebody who asks by HTTP as connected."""
        if await self._games.presence.visit(game_id, person_id):
            await self.on_connect(game_id, person_id)

    async def _schedule_publish(self, room: Room, person_id: str) -> None:
        if person_id in room.people:
            await self.publish(room.id)
            self._schedule_absence_check(room.id, self._games.settings.away_ms / 1000)
        elif room.id not in self._spectator_timers:
            self._spectator_timers[room.id] = self._tasks.call_later(
                _SPECTATORS_S, "presence", self._publish_spectators, room.id
            )

    def _schedule_absence_check(self, game_id: str, seconds: float) -> None:
        if game_id not in self._absence_timers:
            self._absence_timers[game_id] = self._tasks.call_later(
                seconds, "presence", self._check_absences, game_id
            )

    async def _publish_spectators(self, game_id: str) -> None:
        self._spectator_timers.pop(game_id, None)
        await self.publish(game_id)

    async def publish(self, game_id: str) -> None:
        """Publish who is connected, and to players what they may do about absences."""
        room = await self._games.room(game_id)
        online = await self._games.presence.people(game_id)
        mine = {}
        if room.game is not None and room.game.away:
            at = self._games.now()
            for person in room.people:
                mine[person] = frames.encode(presenter.viewer_fields(room, person, at))
        notice = Broadcast(presenter.presence_frame(room, online), mine=mine)
        await self._games.hub.publish(channel(game_id), notice)

    async def _check_absences(self, game_id: str) -> None:
        """Record who is away, if another player is connected."""
        self._absence_timers.pop(game_id, None)
        room = await self._games.synced_room(game_id)
        online = set(await self._games.presence.people(game_id))
        if room.queued and room.status == "waiting":
            await self._check_queue(room, online)
            return
        if room.status != "playing" or not online & room.people:
            return
        if self._outages.is_down or not self._games.presence.is_complete:
            # Somebody who seems absent may be connected to another process.
            self._schedule_absence_check(game_id, _RETRY_S)
            return
        assert room.game is not None
        for colour, seat in room.seats.items():
            is_absent = seat.kind == "person" and seat.person_id not in online
            if is_absent and colour not in room.game.away and colour not in room.game.eliminated:
                await self._apply(game_id, commands.Disconnect(colour))

    async def _check_queue(self, room: Room, online: set[str]) -> None:
        """Call a queued game off whose creator has disconnected."""
        if self._outages.is_down or not self._games.presence.is_complete:
            self._schedule_absence_check(room.id, _RETRY_S)
        elif room.creator not in online:
            await self._games.change(room.id, cancel_waiting)

    async def _apply(self, game_id: str, command: commands.Command) -> None:
        """Apply a command unless the game has moved on meanwhile."""
        with contextlib.suppress(Refusal):
            await self._games.change(game_id, lambda room, at: apply(room, command, at))

    def set_claim_timer(self, room: Room) -> None:
        """Publish when the next absence can be claimed."""
        old = self._claim_timers.pop(room.id, None)
        if old:
            old.cancel()
        away = room.game.away if room.game and room.status == "playing" else {}
        now = self._games.now()
        waits = [since + room.terms.grace_ms - now for since in away.values()]
        # Claims that are possible already were published, or are in the game's snapshot.
        later = [ms for ms in waits if ms > 0]
        if later:
            self._claim_timers[room.id] = self._tasks.call_later(
                min(later) / 1000 + 0.05, "presence", self._on_claim_due, room.id
            )

    async def _on_claim_due(self, game_id: str) -> None:
        self._claim_timers.pop(game_id, None)
        await self.publish(game_id)
        self.set_claim_timer(await self._games.room(game_id))

    async def refresh(self) -> None:
        """Renew presence entries; check the games whose visitors have expired."""
        await for_each("presence", await self._games.presence.refresh(), self._update)

    async def _update(self, game_id: str) -> None:
        await self.publish(game_id)
        await self._check_absences(game_id)

    async def call_off_idle_games(self) -> None:
        """Call off games that have waited too long for players or for a move, with nobody there."""
        store, now, days = self._games.store, self._games.now(), self._games.settings.abandon_days
        before = now - days * _DAY_MS if days else 0
        self._backoff.forget_old()
        last = ""
        while stale := await store.stale_waiting(now - _LISTED_MS, before, now - _QUEUED_MS, last):
            await self._for_each(stale, self._cancel_unattended)
            last = stale[-1]
        last = ""
        while abandoned := await store.abandoned(before, last):
            await self._for_each(abandoned, self._cancel_abandoned)
            last = abandoned[-1]

    async def _for_each(self, games: Sequence[str], work: Work) -> None:
        """Run work for each game; one for which it fails backs off."""
        for game_id in games:
            if self._backoff.waits(game_id):
                continue
            try:
                await work(game_id)
            except Exception as error:
                log_failure("call off idle games", error, game=game_id)
                self._backoff.fail(game_id)
            else:
                self._backoff.clear(game_id)

    async def _cancel_unattended(self, game_id: str) -> None:
        if not await self._games.presence.people(game_id):
            await self._games.change(game_id, cancel_waiting)

    async def _cancel_abandoned(self, game_id: str) -> None:
        room = await self._games.synced_room(game_id)
        if not room.people.intersection(await self._games.presence.people(game_id)):
            await self._games.change(game_id, _cancel_playing)


def _cancel_playing(room: Room, _: int) -> Decision:
    return Decision((Cancelled(),) if room.status == "playing" else ())
