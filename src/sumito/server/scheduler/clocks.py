"""Flags fall, whoever is looking: a timer for each running clock, and a sweep for lost ones.

Nothing here is the truth. A timer that is lost with its process is found again by its `due_at`,
and two processes that do the same thing meet at the database, where only one wins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from sumito.game import commands
from sumito.server.games.decisions import apply
from sumito.server.games.room import Room
from sumito.server.games.service import Games
from sumito.server.refusals import SERVER_ERROR, Refusal
from sumito.server.scheduler.backoff import Backoff
from sumito.server.scheduler.outages import Outages
from sumito.server.scheduler.tasks import Background, failed

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
        self.broken = Backoff(_FIRST_PAUSE_S, _LONGEST_PAUSE_S)
        """Games that couldn't be looked at."""
        self.on_look: Callable[[Room], Awaitable[None]]
        self.in_hand: Callable[[], int] = lambda: 0
        """How many games are due, but looked after here: they must not crowd out the others."""

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
        self.broken.forget_old()
        limit = _ONCE + len(self.broken) + self.in_hand()
        due = await self._games.store.due(self._games.now() - _SLACK_MS, limit)
        for game_id in [*due, *self._games.changer.doubtful]:
            await self.look(game_id)

    async def look(self, game_id: str) -> None:
        """See whether something is due in a game, and do it; one that fails is left for a while."""
        if self._outages.down or self.broken.waits(game_id):
            return
        try:
            await self._look(game_id)
        except Exception as error:
            failed("look at a game", error, game=game_id)
            self.broken.fail(game_id)
        else:
            self.broken.clear(game_id)

    async def _look(self, game_id: str) -> None:
        room = await self._games.fresh(game_id)
        deadline = room.game.deadline if room.game else None
        if deadline is not None and self._games.now() >= deadline:
            try:
                await self._games.change(game_id, lambda room, at: apply(room, commands.Flag(), at))
            except Refusal as refusal:
                # The game has moved on, or the flag could not be stored: that is tried again.
                if refusal.status >= SERVER_ERROR:
                    raise
        await self.on_look(room)
