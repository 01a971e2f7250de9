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
from sumito.server.refusals import Refusal, ServerError
from sumito.server.scheduler.backoff import Backoff
from sumito.server.scheduler.outages import Outages
from sumito.server.scheduler.tasks import BackgroundTasks, log_failure

_SLACK_MS: Final = 2_000
_BATCH: Final = 200
_FIRST_PAUSE_S: Final = 5.0
_LONGEST_PAUSE_S: Final = 600.0


class ClockWatcher:
    """Looks at each game when something is due in it, and at those nobody looks after."""

    def __init__(self, games: Games, tasks: BackgroundTasks, outages: Outages) -> None:
        self._games = games
        self._tasks = tasks
        self._outages = outages
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.backoff = Backoff(_FIRST_PAUSE_S, _LONGEST_PAUSE_S)
        """Games that couldn't be looked at."""
        self.on_checked: Callable[[Room], Awaitable[None]]
        self.pending_computer_moves: Callable[[], int] = lambda: 0
        """How many games are due, but looked after here: they must not crowd out the others."""

    @property
    def has_timers(self) -> bool:
        """Does any clock run here?"""
        return bool(self._timers)

    def set_timer(self, room: Room) -> None:
        """Wait for the flag of whoever is to move."""
        old = self._timers.pop(room.id, None)
        if old:
            old.cancel()
        deadline = room.game.deadline if room.game and room.status == "playing" else None
        if deadline is not None:
            seconds = (deadline - self._games.now()) / 1000 + 0.005
            self._timers[room.id] = self._tasks.call_later(
                seconds, "flag", self._on_deadline, room.id
            )

    def stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()

    async def _on_deadline(self, game_id: str) -> None:
        self._timers.pop(game_id, None)
        await self.check(game_id)

    async def check_all_running(self) -> None:
        """Look at every game in play, as after a start."""
        for game_id in await self._games.store.games_with_deadline():
            await self.check(game_id)

    async def check_overdue(self) -> None:
        """Look at games that somebody should have looked at."""
        self.backoff.forget_old()
        limit = _BATCH + len(self.backoff) + self.pending_computer_moves()
        overdue = await self._games.store.overdue_games(self._games.now() - _SLACK_MS, limit)
        for game_id in [*overdue, *self._games.writer.unconfirmed]:
            await self.check(game_id)

    async def check(self, game_id: str) -> None:
        """See whether something is due in a game, and do it; one that fails is left for a while."""
        if self._outages.is_down or self.backoff.waits(game_id):
            return
        try:
            await self._check(game_id)
        except Exception as error:
            log_failure("look at a game", error, game=game_id)
            self.backoff.fail(game_id)
        else:
            self.backoff.clear(game_id)

    async def _check(self, game_id: str) -> None:
        room = await self._games.synced_room(game_id)
        deadline = room.game.deadline if room.game else None
        if deadline is not None and self._games.now() >= deadline:
            try:
                await self._games.change(game_id, lambda room, at: apply(room, commands.Flag(), at))
            except Refusal as refusal:
                # The game has moved on, or the flag could not be stored: that is tried again.
                if isinstance(refusal, ServerError):
                    raise
        await self.on_checked(room)
