"""`Engine`: the search of the kernel, run without the interpreter lock.

Each engine has its own transposition table; several in one process are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from sumito import kernel
from sumito.engine.analysis import Search, Variations
from sumito.engine.base import BaseEngine
from sumito.engine.levels import Level
from sumito.engine.limit import check_whole
from sumito.engine.memory import available_mb
from sumito.engine.network import load
from sumito.engine.request import DrawPolicy, SearchRequest
from sumito.engine.score import Score, Variation
from sumito.errors import EngineClosedError, EngineError
from sumito.i18n.messages import N_
from sumito.kernel.positions import to_kernel
from sumito.rules.move import MOVES

MOST_THREADS: Final = 256
MOST_HASH_MB: Final = 2**20


class Engine(BaseEngine):
    """Plays any seat in any mode, and analyses.

    >>> from sumito import Board, Engine, Limit
    >>> with Engine() as engine:
    ...     best = engine.play(Board(), Limit(depth=4))
    >>> best.move in Board().legal_moves
    True
    """

    HAS_OPENING_BOOK = True

    def __init__(
        self, threads: int = 1, hash_mb: int = 64, network: str | Path | bytes | None = None
    ) -> None:
        """Create an engine with a network: the package's, a file's, or "none" for none."""
        super().__init__()
        check_size(threads, hash_mb)
        try:
            self._searcher: kernel.Searcher | None = kernel.Searcher(
                threads=threads, hash_mb=hash_mb, network=load(network)
            )
        except MemoryError:
            raise EngineError(
                N_("not enough memory for a table of {size} MB"), size=hash_mb
            ) from None

    def _start_search(
        self, request: SearchRequest
    ) -> tuple[Callable[[Search], Variations], Callable[[], None]]:
        searcher = self._searcher
        if searcher is None:
            raise EngineClosedError(N_("this engine has been closed"))
        kernel_search = _KernelSearch(request)
        stop = kernel.Stop()

        def work(search: Search) -> Variations:
            return kernel_search.run(searcher, search, stop)

        return work, stop.set

    def _reset(self) -> None:
        if self._searcher is not None:
            self._searcher.clear()

    def _release(self) -> None:
        self._join()
        self._searcher = None


def check_size(threads: int, hash_mb: int, held_mb: int = 0) -> None:
    """Raise an error for sizes that don't fit this machine once `held_mb` are released."""
    check_whole("threads", threads, 1, MOST_THREADS)
    check_whole("hash_mb", hash_mb, 1, most_hash_mb(held_mb))


def most_hash_mb(held_mb: int = 0) -> int:
    """Return the size of the largest table: seven eighths of the available memory."""
    return max(1, min(MOST_HASH_MB, (available_mb() + held_mb) * 7 // 8))


class _KernelSearch:
    """Converts a request for the kernel, and the kernel's reports to variations."""

    def __init__(self, request: SearchRequest) -> None:
        board = request.board
        self._request = request
        self._position = to_kernel(board)
        self._side = board.mode.side(board.turn)
        choices = len(request.root_moves or board.legal_moves)
        self._variations = min(request.variations, choices)
        if request.limit.nodes is not None:
            # The first depth searches every move for every variation before it can be stopped.
            self._variations = max(1, min(self._variations, request.limit.nodes // choices))

    def run(self, searcher: kernel.Searcher, search: Search, stop: kernel.Stop) -> Variations:
        """Search, reporting the variations of each finished depth; return the last of them."""
        found: list[Variation] = []

        def report(info: kernel.Info) -> None:
            if info.rank == 1:
                found.clear()
            found.append(self._variation(info))
            if len(found) == self._variations:
                search.report(_ranked(found))

        request, limit = self._request, self._request.limit
        result = searcher.search(
            self._position,
            depth=limit.depth or 0,
            nodes=limit.nodes or 0,
            movetime_ms=limit.milliseconds,
            clock=None if limit.clock is None else limit.clock.to_kernel(),
            multipv=self._variations,
            searchmoves=[move.index for move in request.root_moves],
            handicap=(request.level or Level.CHAMPION).to_kernel(request.seed),
            contempt=0 if request.draws is DrawPolicy.EVEN else None,
            on_info=report,
            stop=stop,
        )
        final = _ranked(map(self._variation, result.lines)) or (self._variation(result),)
        # A stop may have interrupted the last depth.
        if [each.pv for each in final] != [each.pv for each in _ranked(found)]:
            search.report(final)
        return final

    def _variation(self, found: kernel.Info | kernel.Result) -> Variation:
        mode = self._request.board.mode
        if found.win_in is None:
            score = Score(round(found.score * 100 / kernel.MARBLE), self._side, mode)
        elif found.score > 0:
            score = Score.win(found.win_in, self._side, mode)
        else:
            score = Score.loss(-found.win_in, self._side, mode)
        pv = tuple(MOVES[index] for index in found.pv)
        return Variation(
            pv[0], score, found.depth, found.nodes, found.ms / 1000, pv, found.seldepth
        )


def _ranked(variations: Iterable[Variation]) -> Variations:
    # The kernel finds variations one after another, and a later one may turn out better.
    return tuple(sorted(variations, key=lambda variation: variation.score, reverse=True))
