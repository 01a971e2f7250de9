"""Clock timers: one for each running clock, and a periodic check of overdue games.

The timers hold no state of their own. The game of a lost timer is found by its `due_at`, and of
two processes that handle the same game only one can store the event.
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
    """Checks games when their flag may fall, and overdue games of dead processes."""

    def __init__(self, games: Games, tasks: BackgroundTasks, outages: Outages) -> None:
        self._games = games
        self._tasks = tasks
        self._outages = outages
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.backoff = Backoff(_FIRST_PAUSE_S, _LONGEST_PAUSE_S)
        """Games whose check failed."""
        self.on_checked: Callable[[Room], Awaitable[None]]
        self.pending_computer_moves: Callable[[], int] = lambda: 0
        """How many overdue games wait for a computer here: they must not crowd out others."""

    @property
    def has_timers(self) -> bool:
        """Whether any clock runs in this process."""
        return bool(self._timers)

    def set_timer(self, room: Room) -> None:
        """Set the timer for the flag of the player to move."""
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
        """Check every game in play, after a start."""
        for game_id in await self._games.store.games_with_deadline():
            await self.check(game_id)

    async def check_overdue(self) -> None:
        """Check games whose `due_at` has passed."""
        self.backoff.forget_old()
        limit = _BATCH + len(self.backoff) + self.pending_computer_moves()
        overdue = await self._games.store.overdue_games(self._games.now() - _SLACK_MS, limit)
        for game_id in [*overdue, *self._games.writer.unconfirmed]:
            await self.check(game_id)

    async def check(self, game_id: str) -> None:
        """Apply what is due in a game; after a failure, back off."""
        if self._outages.is_down or self.backoff.waits(game_id):
            return
        try:
            await self._check(game_id)
        except Exception as error:
            log_failure("check a game", error, game=game_id)
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
                # The game has moved on, or the flag could not be stored: then retry.
                if isinstance(refusal, ServerError):
                    raise
        await self.on_checked(room)
