"""Flags fall, whoever is looking: a timer for each running clock, and a sweep for lost ones.

Nothing here is the truth. A timer that is lost with its process is found again by its `due_at`,
and two processes that do the same thing meet at the database, where only one wins.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final

from sumito.game import commands
from sumito.server.game.commands import apply
from sumito.server.game.games import Games
from sumito.server.game.room import Room
from sumito.server.http.errors import Refusal
from sumito.server.timers.loops import Background, failed
from sumito.server.timers.outages import Outages

_SLACK_MS: Final = 2_000
_ONCE: Final = 200
_FIRST_PAUSE_S: Final = 5.0
_LONGEST_PAUSE_S: Final = 600.0


class Flags:
    """Looks at each game when something is due in it, and at those nobody looks after."""

    def __init__(self, games: Games, background: Background, outages: Outages) -> None:
        self._games = games
        self._background = background
        self._outages = outages
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._broken: dict[str, tuple[float, float]] = {}
        """Games that couldn't be looked at: until when they are left alone, and the pause."""
        self.on_look: Callable[[Room], Awaitable[None]]

    @property
    def waiting(self) -> bool:
        """Does any clock run here?"""
        return bool(self._timers)

    def set(self, room: Room) -> None:
        """Wait for the flag of whoever is to move."""
        old = self._timers.pop(room.id, None)
        if old:
            old.cancel()
        deadline = room.game.deadline if room.game and room.status == "playing" else None
        if deadline is not None:
            seconds = (deadline - self._games.now()) / 1000 + 0.005
            self._timers[room.id] = self._background.later(seconds, "flag", self._fell, room.id)

    def stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()

    async def _fell(self, game_id: str) -> None:
        self._timers.pop(game_id, None)
        await self.look(game_id)

    async def take_up(self) -> None:
        """Look at every game in play, as after a start."""
        for game_id in await self._games.store.awaited():
            await self.look(game_id)

    async def sweep(self) -> None:
        """Look at games that somebody should have looked at."""
        self._broken = {
            id: broken for id, broken in self._broken.items() if broken[0] + broken[1] > monotonic()
        }
        limit = _ONCE + len(self._broken)
        due = await self._games.store.due(self._games.now() - _SLACK_MS, limit)
        for game_id in [*due, *self._games.changer.doubtful]:
            await self.look(game_id)

    async def look(self, game_id: str) -> None:
        """See whether something is due in a game, and do it; one that can't be read waits."""
        until, pause = self._broken.get(game_id, (0.0, _FIRST_PAUSE_S))
        if self._outages.down or monotonic() < until:
            return
        try:
            await self._look(game_id)
        except Exception as error:
            failed("look at a game", error, game=game_id)
            self._broken[game_id] = (monotonic() + pause, min(2 * pause, _LONGEST_PAUSE_S))
        else:
            self._broken.pop(game_id, None)

    async def _look(self, game_id: str) -> None:
        room = await self._games.fresh(game_id)
        deadline = room.game.deadline if room.game else None
        if deadline is not None and self._games.now() >= deadline:
            with contextlib.suppress(Refusal):
                await self._games.change(game_id, lambda room, at: apply(room, commands.Flag(), at))
        await self.on_look(room)
