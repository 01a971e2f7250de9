"""Computer players: a few engines that think off the event loop, and queues before them.

Each engine takes one move at a time. There are two lanes, so that a friendly level never waits
for a champion to finish thinking; in a lane the quick go before the slow that came at the same
moment, but waiting counts too, so nobody waits for ever. Whoever has many games waiting waits for
them in turn: one person's hundred games don't stand before another's one. When many wait, all
think less.

A third lane, with one engine, is for those who look at a position on the analysis board: no game
waits for them. Everybody has one look at a time, and the next one ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

import structlog

from sumito.protocol.views import LevelView
from sumito.rules.board import Board
from sumito.rules.move import Move
from sumito.server.base import metrics
from sumito.server.base.i18n import N_
from sumito.server.refusals import Refusal

if TYPE_CHECKING:
    from sumito.engine import Line

_log = structlog.get_logger()

_MEMORY_MB: Final = 16
_SHORTEST: Final = 0.02
_QUICK: Final = 0.4
"""Seconds up to which a move goes into the quick lane."""
_LOOK_MEMORY_MB: Final = 128
_MOST_LOOK_THREADS: Final = 8
_MOST_LOOKS: Final = 32
"""How many people's looks are taken on at once; the others' pages look for themselves."""


class Thinker(Protocol):
    """What an engine has to be able to do."""

    async def move(self, board: Board, level: str, seconds: float, seed: int) -> Move:
        """Choose a move, thinking for at most so long."""

    def close(self) -> None:
        """Give everything back."""


class EngineThinker:
    """The engine as a thinker."""

    def __init__(self, threads: int = 1, hash_mb: int = _MEMORY_MB) -> None:
        from sumito.engine import Engine

        self._engine = Engine(threads=threads, hash_mb=hash_mb)

    async def move(self, board: Board, level: str, seconds: float, seed: int) -> Move:
        from sumito.engine import Level, Limit

        line = await self._engine.play_async(
            board, Limit(time=seconds), level=Level.parse(level), seed=seed
        )
        return line.move

    async def look(
        self, board: Board, lines: int, seconds: float, tell: Callable[[tuple[Line, ...]], None]
    ) -> None:
        """Tell the best lines of each depth, for so long."""
        from sumito.engine import Limit

        async with self._engine.analysis(board, Limit(time=seconds), lines) as analysis:
            async for found in analysis:
                tell(found)

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
    work: Callable[[Any, int], Awaitable[Any]] = field(compare=False)
    """What a thinker does for it, while so many others wait."""
    label: str = field(compare=False)
    asked: float = field(compare=False)
    answer: asyncio.Future[Any] = field(compare=False)


_Lane = asyncio.PriorityQueue[_Job]


class Computers:
    """A bounded pool of thinkers: so many for each lane."""

    def __init__(self, count: int, make: Callable[[], Thinker] = EngineThinker) -> None:
        self._count = count
        self._make = make
        self._quick: _Lane = asyncio.PriorityQueue()
        self._slow: _Lane = asyncio.PriorityQueue()
        self._deep: _Lane = asyncio.PriorityQueue()
        self._workers: list[asyncio.Task[None]] = []
        self._analyst: asyncio.Task[None] | None = None
        self._looking: dict[str, asyncio.Future[None]] = {}
        """Everybody's look, under way or waiting."""
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
            self._workers = [asyncio.create_task(self._work(lane, self._make)) for lane in lanes]
        seconds = seconds_for(level, left_ms, 0)
        asked = board.copy()

        def work(thinker: Thinker, waiting: int) -> Awaitable[Move]:
            return thinker.move(asked, level, seconds_for(level, left_ms, waiting), seed)

        # As if all that the same owner has waiting were thought about one after the other.
        wait = seconds * (1 + (self._waiting[owner] if owner else 0))
        job = self._job(work, level, wait)
        self._waiting[owner] += 1
        job.answer.add_done_callback(lambda _: self._served(owner))
        lane = self._quick if seconds <= _QUICK else self._slow
        lane.put_nowait(job)
        self._count_waiting()
        move: Move = await job.answer
        return move

    def check_look(self, owner: str) -> None:
        """Refuse a look while too many others have one."""
        if len(self._looking) >= _MOST_LOOKS and owner not in self._looking:
            raise Refusal(
                "engine-busy", N_("too many look at positions here now; try later"), status=503
            )

    async def look(
        self, board: Board, lines: int, seconds: float, owner: str
    ) -> AsyncGenerator[tuple[Line, ...]]:
        """The best lines, deeper and deeper; a slow reader misses depths.

        It waits its turn, and ends after so many seconds, with the owner's next look, or when
        nobody asks for more. When many wait, it is shorter.
        """
        if (before := self._looking.pop(owner, None)) is not None:
            before.cancel()
        if self._analyst is None:
            threads = min(_MOST_LOOK_THREADS, max(1, self._count // 2))
            make = partial(EngineThinker, threads, _LOOK_MEMORY_MB)
            self._analyst = asyncio.create_task(self._work(self._deep, make))
        latest = _Latest()
        asked = board.copy()

        def work(thinker: EngineThinker, _: int) -> Awaitable[None]:
            others = len(self._looking) - 1
            return thinker.look(asked, lines, seconds / (1 + others), latest.put)

        job = self._job(work, "analysis", 0)
        self._looking[owner] = job.answer
        job.answer.add_done_callback(lambda _: latest.end())
        self._deep.put_nowait(job)
        try:
            while (found := await latest.get()) is not None:
                yield found
            if not job.answer.cancelled():
                job.answer.result()
        finally:
            job.answer.cancel()
            if self._looking.get(owner) is job.answer:
                del self._looking[owner]

    def _job(self, work: Callable[[Any, int], Awaitable[Any]], label: str, wait: float) -> _Job:
        self._number += 1
        now = monotonic()
        answer = asyncio.get_running_loop().create_future()
        return _Job(now + wait, self._number, work, label, now, answer)

    async def close(self) -> None:
        workers = [*self._workers, *([self._analyst] if self._analyst else [])]
        for worker in workers:
            worker.cancel()
        for worker in workers:
            with contextlib.suppress(asyncio.CancelledError):
                await worker
        self._workers = []
        self._analyst = None
        for look in list(self._looking.values()):
            look.cancel()

    def _count_waiting(self) -> None:
        metrics.WAITING.set(self._quick.qsize() + self._slow.qsize())

    async def _work(self, lane: _Lane, make: Callable[[], Thinker]) -> None:
        # An engine is made when its lane is first used.
        thinker: Thinker | None = None
        try:
            while True:
                job = await lane.get()
                self._count_waiting()
                try:
                    if thinker is None:
                        thinker = await asyncio.to_thread(make)
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
        thinking = asyncio.ensure_future(job.work(thinker, waiting))
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
        metrics.THINKING_SECONDS.labels(job.label).observe(monotonic() - job.asked)
        job.answer.set_result(thinking.result())


class _Latest:
    """The newest of what is told, for one who may be slow to listen."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._lines: tuple[Line, ...] | None = None
        self._is_over = False

    def put(self, lines: tuple[Line, ...]) -> None:
        self._lines = lines
        self._news.set()

    def end(self) -> None:
        self._is_over = True
        self._news.set()

    async def get(self) -> tuple[Line, ...] | None:
        """What wasn't heard yet; None when there will be no more."""
        await self._news.wait()
        lines, self._lines = self._lines, None
        if not self._is_over:
            self._news.clear()
        return lines


def _fail(job: _Job, error: BaseException) -> None:
    _log.error("the engine failed", level=job.label, exc_info=error)
    if not job.answer.done():
        job.answer.set_exception(error)
