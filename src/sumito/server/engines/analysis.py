"""Analyses of positions by one engine of their own: they never delay a computer's move in a game.

Everybody has one analysis at a time; a new request cancels the one before. Analyses queue for the
engine, and are shorter when several wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from functools import partial
from typing import TYPE_CHECKING, Final

from sumito.rules.board import Board
from sumito.server.base.i18n import N_
from sumito.server.engines.pool import EngineThinker, Lane
from sumito.server.refusals import Unavailable

if TYPE_CHECKING:
    from sumito.engine import Variation

_MEMORY_MB: Final = 128
_MAX_THREADS: Final = 8
_MAX_ANALYSES: Final = 32
"""Analyses that run or wait at once; further ones are refused."""


class AnalysisEngine:
    """The engine of the analysis board; `engines` is the number of engines that games have."""

    def __init__(self, engines: int) -> None:
        threads = min(_MAX_THREADS, max(1, engines // 2))
        self._lane = Lane(1, partial(EngineThinker, threads, _MEMORY_MB))
        self._by_owner: dict[str, asyncio.Future[None]] = {}
        """The analysis of each owner, running or waiting."""

    def ensure_capacity(self, owner: str) -> None:
        """Raise `Unavailable` if too many others have an analysis."""
        if len(self._by_owner) >= _MAX_ANALYSES and owner not in self._by_owner:
            raise Unavailable("engine-busy", N_("The analysis engine is busy. Try again later."))

    async def analyse(
        self, board: Board, lines: int, seconds: float, owner: str
    ) -> AsyncGenerator[tuple[Variation, ...]]:
        """Yield the best lines of each depth; a slow reader misses some depths.

        The analysis ends after some seconds, with the owner's next one, or when the generator
        is closed.
        """
        if (previous := self._by_owner.pop(owner, None)) is not None:
            previous.cancel()
        latest = _Latest()
        snapshot = board.copy()

        def work(engine: EngineThinker, _: int) -> Awaitable[None]:
            others = len(self._by_owner) - 1
            return engine.analyse(snapshot, lines, seconds / (1 + others), latest.put)

        result = self._lane.submit(work, "analysis", 0)
        self._by_owner[owner] = result
        result.add_done_callback(lambda _: latest.end())
        try:
            while (best := await latest.get()) is not None:
                yield best
            if not result.cancelled():
                result.result()
        finally:
            result.cancel()
            if self._by_owner.get(owner) is result:
                del self._by_owner[owner]

    async def close(self) -> None:
        """Stop the engine and all analyses."""
        await self._lane.close()
        for analysis in list(self._by_owner.values()):
            analysis.cancel()


class _Latest:
    """The newest report, for a reader that may be slower than the engine."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()
        self._lines: tuple[Variation, ...] | None = None
        self._is_over = False

    def put(self, lines: tuple[Variation, ...]) -> None:
        self._lines = lines
        self._changed.set()

    def end(self) -> None:
        self._is_over = True
        self._changed.set()

    async def get(self) -> tuple[Variation, ...] | None:
        """Wait for a report that was not read yet; None when there will be no more."""
        await self._changed.wait()
        lines, self._lines = self._lines, None
        if not self._is_over:
            self._changed.clear()
        return lines
