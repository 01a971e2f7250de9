"""The scheduler: starts all background work of a process and reacts to changes of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sumito.game.events import Disconnected, DrawOffered, Event, TakebackAsked
from sumito.server.archive.archive import Archive
from sumito.server.engines.pool import EnginePool
from sumito.server.games.event_rows import Joined, Rematched
from sumito.server.games.room import Room
from sumito.server.games.service import Games
from sumito.server.scheduler.clocks import ClockWatcher
from sumito.server.scheduler.computers import ComputerPlayers
from sumito.server.scheduler.outages import Outages
from sumito.server.scheduler.presence import PresenceTracker
from sumito.server.scheduler.tasks import BackgroundTasks
from sumito.server.storage import LivenessRepository

PULSE_S: Final = 1.0
OVERDUE_S: Final = 2.0
REFRESH_S: Final = 5.0
IDLE_GAMES_S: Final = 300.0
PURGE_S: Final = 86_400.0


class Scheduler:
    """Runs the background work of one process, also for games of dead processes."""

    def __init__(
        self, games: Games, engines: EnginePool, archive: Archive, liveness: LivenessRepository
    ) -> None:
        self._games = games
        self._archive = archive
        self._tasks = BackgroundTasks()
        self.outages = Outages(games, liveness)
        self.clocks = ClockWatcher(games, self._tasks, self.outages)
        self.computers = ComputerPlayers(games, engines, self._tasks)
        self.presence = PresenceTracker(games, self._tasks, self.outages)
        self.clocks.on_checked = self._on_checked
        self.clocks.pending_computer_moves = lambda: self.computers.pending
        games.writer.on_change = self.on_change
        games.writer.on_unavailable = self.outages.mark_down
        games.writer.after_outage = self.outages.recover
        games.rooms.on_load = self._on_load

    async def start(self) -> None:
        """Detect an outage, then check all games in play and start the periodic work."""
        await self.outages.start()
        self._tasks.run("check running games", self.clocks.check_all_running)
        self._tasks.run("archive", self._archive.catch_up)
        self._tasks.repeat("check overdue games", OVERDUE_S, self._check_overdue)
        self._tasks.repeat("pulse", PULSE_S, self._pulse)
        self._tasks.repeat("presence", REFRESH_S, self.presence.refresh)
        self._tasks.repeat("archive", IDLE_GAMES_S, self._archive.catch_up)
        self._tasks.repeat("call off idle games", IDLE_GAMES_S, self.presence.call_off_idle_games)
        # At the start too: a server that is restarted every night would never purge.
        self._tasks.run("purge", self._purge)
        self._tasks.repeat("purge", PURGE_S, self._purge)

    async def stop(self) -> None:
        """Cancel all work, finish writes under way and store a last pulse."""
        self.clocks.stop()
        self.presence.stop()
        await self._tasks.stop()
        await self._games.writer.finish()
        await self.outages.stop()

    async def _check_overdue(self) -> None:
        self.computers.backoff.forget_old()
        await self.clocks.check_overdue()

    async def _pulse(self) -> None:
        # Without a running clock an outage costs nobody time.
        if self.clocks.has_timers or self.outages.is_down:
            await self.outages.pulse()

    async def _purge(self) -> None:
        await self._games.people.purge(self._games.settings.guest_days)

    async def _on_load(self, room: Room) -> None:
        """Resume a game that was loaded into memory, perhaps after a restart."""
        await self.outages.resume(room)
        self.presence.set_claim_timer(room)

    async def _on_checked(self, room: Room) -> None:
        await self.on_change(room, ())

    async def on_change(self, room: Room, events: Sequence[Event]) -> None:
        """Set timers, start computers' searches and answer offers after a change."""
        self.clocks.set_timer(room)
        self.computers.sync(room)
        if events and room.status == "over" and room.listed:
            self._tasks.run("archive", self._archive.add_finished, room.id)
        for event in events:
            match event:
                case DrawOffered(seat=seat) | TakebackAsked(seat=seat):
                    is_takeback = isinstance(event, TakebackAsked)
                    self._tasks.run(
                        "answer an offer", self.computers.answer_offer, room, seat, is_takeback
                    )
                case Rematched(id=id):
                    self._tasks.run("check a game", self.clocks.check, id)
                case Disconnected():
                    self.presence.set_claim_timer(room)
                case Joined():
                    # A spectator who took a seat is counted as a player from now on.
                    self._tasks.run("presence", self.presence.publish, room.id)
