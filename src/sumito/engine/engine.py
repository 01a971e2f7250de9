"""The engine of this package: its search runs in the kernel, without holding up Python.

Each engine has a memory of its own, so many of them in one process don't disturb each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sumito import kernel
from sumito.engine.analysis import Lines, Search
from sumito.engine.base import AnyEngine, Draws, Question
from sumito.engine.levels import Level
from sumito.engine.limit import Limit, check_whole
from sumito.engine.memory import available_mb
from sumito.engine.network import load
from sumito.engine.score import Line, Score
from sumito.errors import EngineClosedError, EngineError
from sumito.i18n.messages import N_
from sumito.kernel.positions import to_kernel
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import MOVES

MOST_THREADS: Final = 256
MOST_HASH_MB: Final = 2**20


class Engine(AnyEngine):
    """Plays any seat in any mode, and analyses.

    >>> from sumito import Board, Engine, Limit
    >>> with Engine() as engine:
    ...     line = engine.play(Board(), Limit(depth=4))
    >>> line.move in Board().legal_moves
    True
    """

    KNOWS_OPENINGS = True

    def __init__(
        self, threads: int = 1, hash_mb: int = 64, network: str | Path | bytes | None = None
    ) -> None:
        """An engine with a network: the package's, a file's, or for "none" a hand-made one."""
        super().__init__()
        check_size(threads, hash_mb)
        try:
            self._searcher: kernel.Searcher | None = kernel.Searcher(
                threads=threads, hash_mb=hash_mb, network=load(network)
            )
        except MemoryError:
            raise EngineError(
                N_("there is no memory for a table of {size} MB"), size=hash_mb
            ) from None

    def _prepare(self, question: Question) -> tuple[Callable[[Search], Lines], Callable[[], None]]:
        searcher = self._searcher
        if searcher is None:
            raise EngineClosedError(N_("this engine has been closed"))
        request = _Request.of(question)
        stop = kernel.Stop()

        def work(search: Search) -> Lines:
            return request.put_to(searcher, search, stop)

        return work, stop.set

    def _forget(self) -> None:
        if self._searcher is not None:
            self._searcher.clear()

    def _give_back(self) -> None:
        self._join()
        self._searcher = None


def check_size(threads: int, hash_mb: int, held_mb: int = 0) -> None:
    """Refuse an engine that this machine can't hold; `held_mb` are given back before it is made."""
    check_whole("threads", threads, 1, MOST_THREADS)
    check_whole("hash_mb", hash_mb, 1, most_hash_mb(held_mb))


def most_hash_mb(held_mb: int = 0) -> int:
    """The largest table: seven eighths of the memory that is available, the rest stays free."""
    return max(1, min(MOST_HASH_MB, (available_mb() + held_mb) * 7 // 8))


@dataclass(frozen=True, slots=True)
class _Request:
    """A question in the kernel's terms."""

    position: kernel.Position
    mode: Mode
    side: Colour
    limit: Limit
    lines: int
    handicap: kernel.Handicap
    draws: Draws
    among: list[int]

    @classmethod
    def of(cls, question: Question) -> _Request:
        board = question.board
        choices = len(question.among or board.legal_moves)
        lines = min(question.lines, choices)
        if question.limit.nodes is not None:
            # The first depth looks at every move for every line before it can be stopped.
            lines = max(1, min(lines, question.limit.nodes // choices))
        return cls(
            position=to_kernel(board),
            mode=board.mode,
            side=board.mode.side(board.turn),
            limit=question.limit,
            lines=lines,
            handicap=(question.level or Level.CHAMPION).to_kernel(question.seed),
            draws=question.draws,
            among=[move.index for move in question.among],
        )

    def put_to(self, searcher: kernel.Searcher, search: Search, stop: kernel.Stop) -> Lines:
        """Search, reporting the lines of each finished depth; the last of them are returned."""
        collector = _KernelReports(self, search.report)
        limit = self.limit
        result = searcher.search(
            self.position,
            depth=limit.depth or 0,
            nodes=limit.nodes or 0,
            movetime_ms=limit.milliseconds,
            clock=None if limit.clock is None else limit.clock.to_kernel(),
            multipv=self.lines,
            searchmoves=self.among,
            handicap=self.handicap,
            contempt=0 if self.draws is Draws.EVEN else None,
            on_info=collector.add,
            stop=stop,
        )
        return collector.finish(result)

    def line(self, found: kernel.Info | kernel.Result) -> Line:
        """What the kernel found, as a line."""
        if found.win_in is None:
            score = Score(round(found.score * 100 / kernel.MARBLE), self.side, self.mode)
        elif found.score > 0:
            score = Score.win(found.win_in, self.side, self.mode)
        else:
            score = Score.loss(-found.win_in, self.side, self.mode)
        pv = tuple(MOVES[index] for index in found.pv)
        return Line(pv[0], score, found.depth, found.nodes, found.ms / 1000, pv, found.seldepth)


class _KernelReports:
    """Gathers the kernel's reports, one a line, into all the lines of a depth."""

    def __init__(self, request: _Request, report: Callable[[Lines], None]) -> None:
        self._request = request
        self._report = report
        self._found: list[Line] = []

    def add(self, info: kernel.Info) -> None:
        if info.rank == 1:
            self._found = []
        self._found.append(self._request.line(info))
        if len(self._found) == self._request.lines:
            self._report(_ranked(self._found))

    def finish(self, result: kernel.Result) -> Lines:
        """What the search ended with, which a stop may have cut short of a whole depth."""
        make = self._request.line
        final = _ranked(map(make, result.lines)) or (make(result),)
        if [line.pv for line in final] != [line.pv for line in _ranked(self._found)]:
            self._report(final)
        return final


def _ranked(lines: Iterable[Line]) -> Lines:
    # The kernel finds the lines one after another, and a later one may turn out the better.
    return tuple(sorted(lines, key=lambda line: line.score, reverse=True))
