"""Background tasks and timers: failures are logged, counted and retried."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

import structlog

from sumito.server.base import metrics
from sumito.server.refusals import Refusal
from sumito.server.storage import UnavailableError

_log = structlog.get_logger()

Work = Callable[..., Awaitable[object]]
_MAX_PAUSE_S: Final = 15.0


class BackgroundTasks:
    """Tasks and timers of one process; a failure in one doesn't affect the others."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: set[asyncio.TimerHandle] = set()

    def run(self, name: str, work: Work, *about: Any) -> asyncio.Task[None]:
        """Run work once."""
        return self._start(_once(name, work, *about))

    def repeat(self, name: str, pause: float, work: Work) -> None:
        """Run work periodically; the pause grows while it fails."""
        self._start(_repeat_forever(name, pause, work))

    def call_later(self, seconds: float, name: str, work: Work, *about: Any) -> asyncio.TimerHandle:
        """Run work once after a delay."""
        loop = asyncio.get_running_loop()
        return loop.call_later(max(0.0, seconds), self.run, name, work, *about)

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def for_each(name: str, games: Iterable[str], work: Work) -> None:
    """Run work for each game; one that fails is left to the next round."""
    for game_id in games:
        await _once(name, work, game_id)


async def _once(name: str, work: Work, *about: Any) -> bool:
    try:
        await work(*about)
    except Exception as error:
        log_failure(name, error, about=[one for one in about if isinstance(one, str)])
        return False
    return True


async def _repeat_forever(name: str, pause: float, work: Work) -> None:
    wait = pause
    while True:
        await asyncio.sleep(wait)
        done = await _once(name, work)
        wait = pause if done else min(max(wait, 0.5) * 2, _MAX_PAUSE_S, pause * 8)


def log_failure(name: str, error: Exception, **about: Any) -> None:
    """Log and count a failure; one of the database needs no traceback."""
    metrics.FAILURES.labels(name).inc()
    if isinstance(error, Refusal | UnavailableError):
        _log.warning("background work has to wait", work=name, why=str(error), **about)
    else:
        _log.error("background work failed", work=name, exc_info=error, **about)
