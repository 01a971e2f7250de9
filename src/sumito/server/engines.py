"""Computer players: a few engines that think off the event loop, and queues before them.

Each engine takes one move at a time. There are two lanes, so that a friendly level never waits
for a champion to finish thinking; in a lane the quick go before the slow that came at the same
moment, but waiting counts too, so nobody waits for ever. Whoever has many games waiting waits for
them in turn: one person's hundred games don't stand before another's one. When many wait, all
think less.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final, Protocol

import structlog

from sumito.board import Board
from sumito.move import Move
from sumito.server import metrics
from sumito.server.http.errors import Refusal
from sumito.server.i18n import N_
from sumito.server.wire.views import LevelView

_log = structlog.get_logger()

_MEMORY_MB: Final = 16
_SHORTEST: Final = 0.02
_QUICK: Final = 0.4
"""Seconds up to which a move goes into the quick lane."""


class Thinker(Protocol):
    """What an engine has to be able to do."""

    async def move(self, board: Board, level: str, seconds: float, seed: int) -> Move:
        """Choose a move, thinking for at most so long."""

    def close(self) -> None:
        """Give everything back."""


class EngineThinker:
    """The engine as a thinker."""

    def __init__(self) -> None:
        from sumito.engine import Engine

        self._engine = Engine(threads=1, hash_mb=_MEMORY_MB)

    async def move(self, board: Board, level: str, seconds: float, seed: int) -> Move:
        from sumito.engine import Level, Limit

        line = await self._engine.play_async(
            board, Limit(time=seconds), level=Level.parse(level), seed=seed
        )
        return line.move

    def close(self) -> None:
        self._engine.close()


def levels() -> list[LevelView]:
    """The strengths there are, weakest first."""
    level_type = _level_type()
    return [LevelView(str(one), str(one).capitalize(), int(one)) for one in level_type]


def check_level(name: str) -> str:
    """The name of a level that exists."""
    known = [level.id for level in levels()]
    if name not in known:
        raise Refusal(
            "no-such-level",
            N_("there is no level {level}; there are {known}"),
            level=name,
            known=", ".join(known),
        )
    return name


def _level_type() -> Any:
    try:
        from sumito.engine import Level
    except ImportError:
        raise Refusal(
            "no-computer", N_("this installation has no engine to play with"), status=503
        ) from None
    return Level


def seconds_for(level: str, left_ms: int | None, waiting: int) -> float:
    """How long a level may think: the strong longer, all less under load or with little time."""
    number = next((one.number for one in levels() if one.id == level), 1)
    seconds: float = _level_type()(number).seconds(None if left_ms is None else left_ms / 1000)
    return max(_SHORTEST, seconds / (1 + waiting / 4))


@dataclass(order=True, slots=True)
class _Job:
    order: float
    number: int
    board: Board = field(compare=False)
    level: str = field(compare=False)
    left_ms: int | None = field(compare=False)
    seed: int = field(compare=False)
    asked: float = field(compare=False)
    owner: str = field(compare=False)
    answer: asyncio.Future[Move] = field(compare=False)


_Lane = asyncio.PriorityQueue[_Job]


class Computers:
    """A bounded pool of thinkers: so many for each lane."""

    def __init__(self, count: int, make: Callable[[], Thinker] = EngineThinker) -> None:
        self._count = count
        self._make = make
        self._quick: _Lane = asyncio.PriorityQueue()
        self._slow: _Lane = asyncio.PriorityQueue()
        self._workers: list[asyncio.Task[None]] = []
        self._number = 0
        self._waiting: Counter[str] = Counter()
        """How many moves each owner waits for."""

    def _served(self, owner: str) -> None:
        self._waiting[owner] -= 1
        if not self._waiting[owner]:
            del self._waiting[owner]

    async def move(
        self, board: Board, level: str, left_ms: int | None, seed: int, owner: str = ""
    ) -> Move:
        """A level's move; waits its turn. Cancelling the wait stops the thinking."""
        if not self._workers:
            # Engines take memory and threads: a server on which nobody plays them has none.
            lanes = (self._quick, self._slow) * self._count
            self._workers = [asyncio.create_task(self._work(lane)) for lane in lanes]
        self._number += 1
        now = monotonic()
        seconds = seconds_for(level, left_ms, 0)
        job = _Job(
            # As if all that the same owner has waiting were thought about one after the other.
            order=now + seconds * (1 + (self._waiting[owner] if owner else 0)),
            number=self._number,
            board=board.copy(),
            level=level,
            left_ms=left_ms,
            seed=seed,
            asked=now,
            owner=owner,
            answer=asyncio.get_running_loop().create_future(),
        )
        self._waiting[owner] += 1
        job.answer.add_done_callback(lambda _: self._served(owner))
        lane = self._quick if seconds <= _QUICK else self._slow
        lane.put_nowait(job)
        self._count_waiting()
        return await job.answer

    async def close(self) -> None:
        for worker in self._workers:
            worker.cancel()
        for worker in self._workers:
            with contextlib.suppress(asyncio.CancelledError):
                await worker
        self._workers = []

    def _count_waiting(self) -> None:
        metrics.WAITING.set(self._quick.qsize() + self._slow.qsize())

    async def _work(self, lane: _Lane) -> None:
        # An engine is made when its lane is first used.
        thinker: Thinker | None = None
        try:
            while True:
                job = await lane.get()
                self._count_waiting()
                try:
                    if thinker is None:
                        thinker = await asyncio.to_thread(self._make)
                except Exception as error:
                    # Nothing for an engine now; the next who asks may have more luck.
                    _fail(job, error)
                    continue
                if not job.answer.done():
                    await self._answer(thinker, job, lane.qsize())
        finally:
            if thinker is not None:
                thinker.close()

    async def _answer(self, thinker: Thinker, job: _Job, waiting: int) -> None:
        seconds = seconds_for(job.level, job.left_ms, waiting)
        thinking = asyncio.create_task(thinker.move(job.board, job.level, seconds, job.seed))
        job.answer.add_done_callback(lambda _: thinking.cancel())
        try:
            await asyncio.wait([thinking])
        finally:
            thinking.cancel()
        if thinking.cancelled() or job.answer.done():
            return
        error = thinking.exception()
        if error is not None:
            _fail(job, error)
            return
        metrics.THINKING_SECONDS.labels(job.level).observe(monotonic() - job.asked)
        job.answer.set_result(thinking.result())


def _fail(job: _Job, error: BaseException) -> None:
    _log.error("the engine failed", level=job.level, exc_info=error)
    if not job.answer.done():
        job.answer.set_exception(error)
