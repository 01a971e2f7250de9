"""Outages: a periodic pulse in the database, and the time of an outage given back to players.

A time in which no process could write is charged to nobody: when it is over, it is recorded, and
all games with a clock resume where they stood. This holds for a killed server and for one whose
database was unavailable.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Final

import structlog

from sumito.game import commands
from sumito.server.games.decisions import apply
from sumito.server.games.room import Room
from sumito.server.games.service import Games
from sumito.server.games.writer import Command, is_database_unavailable
from sumito.server.scheduler.tasks import log_failure
from sumito.server.storage import LivenessRepository, UnavailableError

_log = structlog.get_logger()

SILENCE_MS: Final = 3_000
"""A gap between pulses of this length means that no process was running."""
_PULSE_TIMEOUT_S: Final = 2.0
"""A pulse that takes longer to be stored means that the database is unavailable."""
_RETENTION_MS: Final = 30 * 86_400_000


class Outages:
    """Writes the pulse, detects outages and resumes games after them."""

    def __init__(self, games: Games, store: LivenessRepository) -> None:
        self._games = games
        self.store = store
        self._process = secrets.token_hex(8)
        self._lock = asyncio.Lock()
        self.is_down = False
        """Whether the database is unavailable; then no flag falls either."""
        self._to_resume: set[str] = set()
        """Games open here that have not been resumed after the last outage."""
        self._writing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Detect an outage before this start, and a system clock that was set back."""
        store = self.store
        behind = self._games.not_before(await store.latest_time() or 0)
        if behind:
            _log.warning("the system clock was set back; games go on where they stood", ms=behind)
        now = self._games.now()
        last = await store.last_pulse()
        if last is not None and (not self._games.hub.is_shared or now - last > SILENCE_MS):
            await store.record_outage(last, now)
        await store.pulse(self._process, now)
        await store.delete_before(now - _RETENTION_MS)

    async def stop(self) -> None:
        await self.store.pulse(self._process, self._games.now())

    def mark_down(self) -> None:
        """Note that something couldn't be stored."""
        self.is_down = True

    async def recover(self) -> None:
        """Check whether an outage is over, before its time is charged to anybody."""
        if self.is_down:
            await self.pulse()

    async def pulse(self) -> None:
        """Store a pulse; the first after an outage records how long it was."""
        async with self._lock:
            await self._pulse()

    async def _pulse(self) -> None:
        store = self.store
        try:
            await self._await_pulse()
            last = await store.last_pulse() if self.is_down else None
            now = self._games.now()
            self._writing = asyncio.create_task(store.pulse(self._process, now))
            await self._await_pulse()
        except Exception:
            self.is_down = True
            raise
        if not self.is_down:
            return
        if last is not None and now - last > SILENCE_MS:
            _log.warning("nothing could be stored for a while", ms=now - last)
            await store.record_outage(last, now)
            self._to_resume.update(room.id for room in self._games.rooms.open_rooms())
        await self._resume_games()
        self.is_down = False

    async def _await_pulse(self) -> None:
        """Wait for the pulse under way, but not for as long as a locked database does.

        Another is not sent before: written late, it would hide how long the outage was.
        """
        if self._writing is None:
            return
        done, _ = await asyncio.wait([self._writing], timeout=_PULSE_TIMEOUT_S)
        if not done:
            raise UnavailableError("the pulse is not stored yet")
        writing, self._writing = self._writing, None
        await writing

    async def _resume_games(self) -> None:
        """Resume all games that were open here; after another outage, the rest later."""
        for room in self._games.rooms.open_rooms():
            if room.id not in self._to_resume:
                continue
            try:
                async with room.lock:
                    await self.resume(room)
            except Exception as error:
                if is_database_unavailable(error):
                    raise
                log_failure("resume a game", error, game=room.id)
            self._to_resume.discard(room.id)
        self._to_resume.clear()

    async def resume(self, room: Room) -> None:
        """Resume a game that an outage interrupted; the caller holds the room's lock."""
        if room.status != "playing" or room.terms.control.control().budget is None:
            return
        stopped_at = await self.store.outage_after(room.at)
        if stopped_at is not None:
            command = Command(
                lambda room, at: apply(room, commands.Resume(min(stopped_at, at)), at)
            )
            await self._games.writer.change_locked(room, command)
