"""A bounded pool of engines that think off the event loop, with priority queues of jobs.

Each engine takes one move at a time. There are two lanes, so that a weak level never waits for a
strong one to finish thinking. Within a lane, jobs are ordered by when they were asked plus how
long they will take, so quick ones go first and none waits for ever. A person's own waiting moves
count as delay: many games of one person don't hold up another's only game. Under load, every
thought is shorter.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

import structlog

from sumito.rules.board import Board
from sumito.rules.move import Move
from sumito.server.base import metrics
from sumito.server.engines.levels import seconds_for

if TYPE_CHECKING:
    from sumito.engine import Variation

_log = structlog.get_logger()

_MEMORY_MB: Final = 16
_QUICK_S: Final = 0.4
"""Moves that take no longer go into the quick lane."""


class Thinker(Protocol):
    """Chooses moves: the kernel's engine, or a stand-in in tests."""

    async def move(self, board: Board, level: str, seconds: float, seed: int) -> Move:
        """Choose a move within a time limit."""

    def close(self) -> None:
        """Release all resources."""


class EngineThinker:
    """The kernel's engine as a `Thinker`."""

    def __init__(self, threads: int = 1, hash_mb: int = _MEMORY_MB) -> None:
        from sumito.engine import Engine

        self._engine = Engine(threads=threads, hash_mb=hash_mb)

    async def move(self, board: Board, level: str, seconds: float, seed: int) -> Move:
        from sumito.engine import Level, Limit

        line = await self._engine.play_async(
            board, Limit(time=seconds), level=Level.parse(level), seed=seed
        )
        return line.move

    async def analyse(
        self,
        board: Board,
        lines: int,
        seconds: float,
        report: Callable[[tuple[Variation, ...]], None],
    ) -> None:
        """Report the best lines of each depth, within a time limit."""
        from sumito.engine import Limit

        async with self._engine.analysis(board, Limit(time=seconds), lines) as analysis:
            async for best in analysis:
                report(best)

    def close(self) -> None:
        self._engine.close()


@dataclass(order=True, slots=True)
class Job:
    """Work for an engine, ordered by `priority`, then in the order of submission."""

    priority: float
    number: int
    work: Callable[[Any, int], Awaitable[Any]] = field(compare=False)
    """Called with the engine and the number of jobs that wait behind this one."""
    label: str = field(compare=False)
    submitted_at: float = field(compare=False)
    result: asyncio.Future[Any] = field(compare=False)

    def fail(self, error: BaseException) -> None:
        """Log an error, and raise it for those who await the result."""
        _log.error("the engine failed", level=self.label, exc_info=error)
        if not self.result.done():
            self.result.set_exception(error)


class Lane:
    """A priority queue of jobs and the engines that serve it.

    Workers start with the first job, and each makes its engine then: engines take memory and
    threads, and a server on which nobody needs them has none.
    """

    def __init__(
        self, engines: int, make: Callable[[], Any], on_change: Callable[[], None] = lambda: None
    ) -> None:
        self._engines = engines
        self._make = make
        self._on_change = on_change
        self._queue: asyncio.PriorityQueue[Job] = asyncio.PriorityQueue()
        self._workers: list[asyncio.Task[None]] = []
        self._submitted = 0

    @property
    def waiting(self) -> int:
        """The number of jobs in the queue."""
        return self._queue.qsize()

    def submit(
        self, work: Callable[[Any, int], Awaitable[Any]], label: str, delay: float
    ) -> asyncio.Future[Any]:
        """Queue work as if it had been asked `delay` seconds later; return its future result.

        Cancelling the future stops the work.
        """
        if not self._workers:
            self._workers = [asyncio.create_task(self._work()) for _ in range(self._engines)]
        self._submitted += 1
        now = monotonic()
        result = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(Job(now + delay, self._submitted, work, label, now, result))
        self._on_change()
        return result

    async def close(self) -> None:
        """Stop the workers and close their engines."""
        for worker in self._workers:
            worker.cancel()
        for worker in self._workers:
            with contextlib.suppress(asyncio.CancelledError):
                await worker
        self._workers = []

    async def _work(self) -> None:
        engine: Any = None
        try:
            while True:
                job = await self._queue.get()
                self._on_change()
                try:
                    if engine is None:
                        engine = await asyncio.to_thread(self._make)
                except Exception as error:
                    # The next job tries to make an engine again.
                    job.fail(error)
                    continue
                if not job.result.done():
                    await self._run(engine, job)
        finally:
            if engine is not None:
                engine.close()

    async def _run(self, engine: Any, job: Job) -> None:
        running = asyncio.ensure_future(job.work(engine, self.waiting))
        job.result.add_done_callback(lambda _: running.cancel())
        try:
            await asyncio.wait([running])
        finally:
            running.cancel()
        if running.cancelled() or job.result.done():
            return
        error = running.exception()
        if error is not None:
            job.fail(error)
            return
        metrics.THINKING_SECONDS.labels(job.label).observe(monotonic() - job.submitted_at)
        job.result.set_result(running.result())


class EnginePool:
    """Engines that choose moves: `count` for quick moves, and as many for slow ones."""

    def __init__(self, count: int, make: Callable[[], Thinker] = EngineThinker) -> None:
        self._quick = Lane(count, make, self._update_metric)
        self._slow = Lane(count, make, self._update_metric)
        self._waiting_by_owner: Counter[str] = Counter()

    async def move(
        self, board: Board, level: str, left_ms: int | None, seed: int, owner: str = ""
    ) -> Move:
        """Return a level's move once an engine is free. Cancelling the wait stops the search."""
        seconds = seconds_for(level, left_ms, 0)
        snapshot = board.copy()

        def work(thinker: Thinker, waiting: int) -> Awaitable[Move]:
            return thinker.move(snapshot, level, seconds_for(level, left_ms, waiting), seed)

        # As if all moves that the same owner waits for were searched one after the other.
        delay = seconds * (1 + (self._waiting_by_owner[owner] if owner else 0))
        lane = self._quick if seconds <= _QUICK_S else self._slow
        self._waiting_by_owner[owner] += 1
        result = lane.submit(work, level, delay)
        result.add_done_callback(partial(self._on_done, owner))
        move: Move = await result
        return move

    async def close(self) -> None:
        """Stop all engines."""
        await self._quick.close()
        await self._slow.close()

    def _on_done(self, owner: str, _: asyncio.Future[Any]) -> None:
        self._waiting_by_owner[owner] -= 1
        if not self._waiting_by_owner[owner]:
            del self._waiting_by_owner[owner]

    def _update_metric(self) -> None:
        metrics.WAITING.set(self._quick.waiting + self._slow.waiting)
