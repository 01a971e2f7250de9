"""The engine as Python sees it: it plays, it analyses, it can be stopped.

A search runs in the kernel without holding up Python. Each engine has a memory of its own, so
many of them in one process don't disturb each other.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self

from sumito import _core
from sumito.board import Board
from sumito.engine.kernel import to_core
from sumito.engine.levels import Level
from sumito.engine.limit import Limit
from sumito.engine.network import load
from sumito.engine.score import Line, Score
from sumito.errors import EngineBusyError, EngineClosedError, EngineError
from sumito.move import MOVES, Move

Lines = tuple[Line, ...]
"""The best moves found so far, the best first."""


class Draws(Enum):
    """What a draw is to the side that the engine thinks for."""

    EVEN = "even"
    """Worth nothing to either side: an analysis says what is so."""
    AVOIDED = "avoided"
    """A little worse than that: a player would rather play on."""


class Engine:
    """Plays any seat in any mode.

    >>> from sumito import Board, Engine, Limit
    >>> with Engine() as engine:
    ...     line = engine.play(Board(), Limit(depth=4))
    >>> line.move in Board().legal_moves
    True
    """

    def __init__(
        self, threads: int = 1, hash_mb: int = 64, network: str | Path | bytes | None = None
    ) -> None:
        """An engine with a network: the package's, a file's, or for "none" a hand-made one."""
        if threads < 1 or hash_mb < 1:
            raise EngineError("an engine needs at least one thread and one megabyte")
        self._searcher: _core.Searcher | None = _core.Searcher(
            threads=threads, hash_mb=hash_mb, network=load(network)
        )
        self._busy = threading.Lock()

    def play(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        level: Level | None = None,
        seed: int = 0,
        among: Iterable[Move] = (),
    ) -> Line:
        """The move the engine would play, within a limit, a level's, or both.

        A level below the highest errs a little; the same seed errs the same way. `among` leaves
        it only some of the legal moves.
        """
        if limit is None:
            if level is None:
                raise EngineError("say how long to think: a limit, a level, or both")
            if level.is_full_strength:
                raise EngineError(f"level {level} has no bound of its own: give a limit as well")
        lines = self._search(
            board, limit or Limit(), 1, level, seed, Draws.AVOIDED, lambda _: None, among
        )
        return lines[0]

    def analyse(
        self,
        board: Board,
        limit: Limit,
        lines: int = 1,
        *,
        level: Level | None = None,
        seed: int = 0,
        draws: Draws = Draws.EVEN,
    ) -> Generator[Lines]:
        """The best `lines` moves, again at each depth; leaving the loop stops the search."""
        found: queue.SimpleQueue[Lines | BaseException | None] = queue.SimpleQueue()
        board = board.copy()

        def work() -> None:
            try:
                self._search(board, limit, lines, level, seed, draws, found.put)
                found.put(None)
            except BaseException as error:
                found.put(error)

        worker = threading.Thread(target=work, name="sumito-analysis", daemon=True)
        worker.start()
        try:
            while (item := found.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            self._halt(worker)

    def _halt(self, worker: threading.Thread) -> None:
        # A stop that comes before the search has begun is lost, so it is said until heard.
        while worker.is_alive():
            self.stop()
            worker.join(0.005)

    async def play_async(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        level: Level | None = None,
        seed: int = 0,
    ) -> Line:
        """As `play`; a cancelled task stops the search."""
        task = asyncio.ensure_future(
            asyncio.to_thread(self.play, board.copy(), limit, level=level, seed=seed)
        )
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            while not task.done():
                self.stop()
                await asyncio.wait([task], timeout=0.005)
            raise

    async def analyse_async(
        self, board: Board, limit: Limit, lines: int = 1
    ) -> AsyncGenerator[Lines]:
        """As `analyse`, without holding up the event loop."""
        steps = self.analyse(board, limit, lines)
        try:
            while (found := await asyncio.to_thread(next, steps, None)) is not None:
                yield found
        finally:
            await asyncio.to_thread(steps.close)

    def stop(self) -> None:
        """End the search that runs, from any thread; it answers with the best it has."""
        if self._searcher is not None:
            self._searcher.stop()

    def clear(self) -> None:
        """Forget what earlier searches found, as before a new game."""
        with self._alone() as searcher:
            searcher.clear()

    def close(self) -> None:
        """Stop, and give threads and memory back. Closing twice is fine."""
        self.stop()
        with self._busy:
            self._searcher = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _alone(self) -> Iterator[_core.Searcher]:
        """The searcher, if it is there and nobody else uses it."""
        if not self._busy.acquire(blocking=False):
            raise EngineBusyError("this engine is searching; stop it first, or use another")
        try:
            if self._searcher is None:
                raise EngineClosedError("this engine has been closed")
            yield self._searcher
        finally:
            self._busy.release()

    def _search(
        self,
        board: Board,
        limit: Limit,
        lines: int,
        level: Level | None,
        seed: int,
        draws: Draws,
        report: Callable[[Lines], None],
        among: Iterable[Move] = (),
    ) -> Lines:
        """Search, reporting the lines of each finished depth; the last of them are returned."""
        if board.outcome() is not None:
            raise EngineError("the game is over: there is nothing to search")
        if lines < 1:
            raise EngineError("an analysis has at least one line")
        chosen = list(among)
        for move in chosen:
            board.effect(move)  # raises if it is illegal
        lines = min(lines, len(chosen or board.legal_moves))
        collector = _Collector(lines, report)
        with self._alone() as searcher:
            result = searcher.search(
                to_core(board),
                depth=limit.depth or 0,
                nodes=limit.nodes or 0,
                movetime_ms=0 if limit.time is None else max(1, round(limit.time * 1000)),
                clock=None if limit.clock is None else limit.clock.to_core(),
                multipv=lines,
                searchmoves=[move.index for move in chosen],
                handicap=(level or Level.CHAMPION).to_core(seed),
                contempt=0 if draws is Draws.EVEN else None,
                on_info=collector.add,
            )
        return collector.finish(result)


class _Collector:
    """Gathers the kernel's reports, one a line, into all the lines of a depth."""

    def __init__(self, lines: int, report: Callable[[Lines], None]) -> None:
        self._wanted = lines
        self._report = report
        self._found: list[Line] = []

    def add(self, info: _core.Info) -> None:
        if info.rank == 1:
            self._found = []
        self._found.append(_line(info))
        if len(self._found) == self._wanted:
            self._report(_ranked(self._found))

    def finish(self, result: _core.Result) -> Lines:
        """What the search ended with, which a stop may have cut short of a whole depth."""
        final = _ranked(map(_line, result.lines)) or (_line(result),)
        if [line.pv for line in final] != [line.pv for line in _ranked(self._found)]:
            self._report(final)
        return final


def _ranked(lines: Iterable[Line]) -> Lines:
    # The kernel finds the lines one after another, and a later one may turn out the better.
    return tuple(sorted(lines, key=lambda line: line.score, reverse=True))


def _line(found: _core.Info | _core.Result) -> Line:
    if found.win_in is None:
        score = Score(round(found.score * 100 / _core.MARBLE))
    else:
        score = Score.win(found.win_in) if found.score > 0 else Score.loss(-found.win_in)
    pv = tuple(MOVES[index] for index in found.pv)
    return Line(pv[0], score, found.depth, found.nodes, found.ms / 1000, pv, found.seldepth)
