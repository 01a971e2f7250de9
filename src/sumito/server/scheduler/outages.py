"""Whether the server is there: a pulse in the database, and what a silence means.

A time in which no process could write is charged to nobody: when it is over, it is noted, and all
games with a clock go on where they stood. That holds for a server that was killed, and for one
whose database was away while it lived.
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
from sumito.server.games.writer import is_away
from sumito.server.scheduler.tasks import failed
from sumito.server.storage import UnavailableError

_log = structlog.get_logger()

SILENCE_MS: Final = 3_000
"""Silence of this length means that no process was there."""
_SLOW_S: Final = 2.0
"""A pulse that takes longer to be stored means that nothing can be."""
_FORGET_MS: Final = 30 * 86_400_000


class Outages:
    """Writes the pulse, and gives back what an outage took."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._process = secrets.token_hex(8)
        self._beating = asyncio.Lock()
        self.down = False
        """Can nothing be stored now? Then no flag falls either."""
        self._owed: set[str] = set()
        """Games open here that haven't been given back the last outage's time."""
        self._writing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Find out whether the server was away."""
        store = self._games.store
        behind = self._games.not_before(await store.latest() or 0)
        if behind:
            _log.warning("the system clock was set back; games go on where they stood", ms=behind)
        now = self._games.now()
        last = await store.last_pulse()
        if last is not None and (not self._games.hub.shared or now - last > SILENCE_MS):
            await store.record_outage(last, now)
        await store.pulse(self._process, now)
        await store.forget_before(now - _FORGET_MS)

    async def stop(self) -> None:
        await self._games.store.pulse(self._process, self._games.now())

    def begin(self) -> None:
        """Something couldn't be stored."""
        self.down = True

    async def recover(self) -> None:
        """See whether an outage is over, before anything is charged for it."""
        if self.down:
            await self.beat()

    async def beat(self) -> None:
        """One pulse; the first after a silence finds out how long it was."""
        async with self._beating:
            await self._beat()

    async def _beat(self) -> None:
        store = self._games.store
        try:
            await self._written()
            last = await store.last_pulse() if self.down else None
            now = self._games.now()
            self._writing = asyncio.create_task(store.pulse(self._process, now))
            await self._written()
        except Exception:
            self.down = True
            raise
        if not self.down:
            return
        if last is not None and now - last > SILENCE_MS:
            _log.warning("nothing could be stored for a while", ms=now - last)
            await store.record_outage(last, now)
            self._owed.update(room.id for room in self._games.rooms.known())
        await self._give_back()
        self.down = False

    async def _written(self) -> None:
        """Wait for the pulse that is on its way, but not for as long as a locked database does.

        Another is not sent before: written late, it would hide how long the silence was.
        """
        if self._writing is None:
            return
        done, _ = await asyncio.wait([self._writing], timeout=_SLOW_S)
        if not done:
            raise UnavailableError("the pulse is not stored yet")
        writing, self._writing = self._writing, None
        await writing

    async def _give_back(self) -> None:
        """Let all games go on that were open here; should the database go again, the rest later."""
        for room in self._games.rooms.known():
            if room.id not in self._owed:
                continue
            try:
                async with room.lock:
                    await self.resume(room)
            except Exception as error:
                if is_away(error):
                    raise
                failed("give back an outage", error, game=room.id)
            self._owed.discard(room.id)
        self._owed.clear()

    async def resume(self, room: Room) -> None:
        """A game that an outage interrupted goes on where it stood; by one who holds its lock."""
        if room.status != "playing" or room.terms.control.control().budget is None:
            return
        stopped_at = await self._games.store.outage_after(room.at)
        if stopped_at is not None:
            await self._games.changer.change_locked(
                room, lambda room, at: apply(room, commands.Resume(min(stopped_at, at)), at)
            )
