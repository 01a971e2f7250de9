"""Work in the background that outlives its failures: each is logged, counted, and tried again."""

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
_LONGEST_PAUSE: Final = 15.0


class Background:
    """Tasks and timers of one process; what fails in them ends nothing else."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: set[asyncio.TimerHandle] = set()

    def run(self, name: str, work: Work, *about: Any) -> asyncio.Task[None]:
        """Do something once."""
        return self._start(_once(name, work, *about))

    def repeat(self, name: str, pause: float, work: Work) -> None:
        """Do something again and again, with a pause between; longer while it fails."""
        self._start(_for_ever(name, pause, work))

    def later(self, seconds: float, name: str, work: Work, *about: Any) -> asyncio.TimerHandle:
        """Do something once after a while."""
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


async def each(name: str, games: Iterable[str], work: Work) -> None:
    """Do something for each of many games; what fails for one is left to the next round."""
    for game_id in games:
        await _once(name, work, game_id)


async def _once(name: str, work: Work, *about: Any) -> bool:
    try:
        await work(*about)
    except Exception as error:
        failed(name, error, about=[one for one in about if isinstance(one, str)])
        return False
    return True


async def _for_ever(name: str, pause: float, work: Work) -> None:
    wait = pause
    while True:
        await asyncio.sleep(wait)
        done = await _once(name, work)
        wait = pause if done else min(max(wait, 0.5) * 2, _LONGEST_PAUSE, pause * 8)


def failed(name: str, error: Exception, **about: Any) -> None:
    """Say that something failed; a database that is away needs no traceback."""
    metrics.FAILURES.labels(name).inc()
    if isinstance(error, Refusal | UnavailableError):
        _log.warning("something in the background has to wait", work=name, why=str(error), **about)
    else:
        _log.error("something in the background failed", work=name, exc_info=error, **about)
