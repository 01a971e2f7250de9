"""The interface of every engine, in this process or another program: play, analyse, stop.

A subclass implements `_start_search` for a `SearchRequest`; all verbs are built on it. Verbs that
wait for the result have an async variant with the same arguments.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import ClassVar, Self, Unpack

from sumito.engine.analysis import Analysis, Search, Variations
from sumito.engine.limit import Limit, check_whole
from sumito.engine.request import DrawPolicy, SearchOptions, SearchRequest
from sumito.engine.score import Variation
from sumito.errors import EngineBusyError, EngineClosedError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.move import MOVES
from sumito.validate import check_type


class BaseEngine(ABC):
    """An engine: `Engine` in this process, or `UgiEngine`, a program that speaks UGI.

    All verbs take the keyword arguments of `SearchOptions`: `level`, `seed`, `draws`, `root_moves`.
    """

    MAX_VARIATIONS: ClassVar[int] = len(MOVES)
    """How many variations a search can return."""
    HAS_OPENING_BOOK: ClassVar[bool] = False
    """Whether the strongest levels start games from `sumito.opening_book`."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        """Held while deciding which search runs next."""
        self._search: Search | None = None
        """The running search, or the last one."""
        self._is_closed = False

    @abstractmethod
    def _start_search(
        self, request: SearchRequest
    ) -> tuple[Callable[[Search], Variations], Callable[[], None]]:
        """Return what runs the search in a thread of its own, and what stops it."""

    @abstractmethod
    def _reset(self) -> None:
        """Forget the results of earlier searches."""

    @abstractmethod
    def _release(self) -> None:
        """Release the engine's resources."""

    def stop(self) -> None:
        """Stop the running search, from any thread; it returns the best found so far."""
        if self._search is not None:
            self._search.stop()

    def clear(self) -> None:
        """Forget the results of earlier searches, as before a new game."""
        with self._turn:
            self._check_free()
            self._join()
            self._reset()

    def close(self) -> None:
        """Stop the search and release the engine's resources. Closing twice is harmless."""
        self.stop()
        with self._turn:
            if not self._is_closed:
                self._is_closed = True
                self._release()
            self._join()
            self._search = None

    def search(self, request: SearchRequest) -> Analysis:
        """Start the search of a request; without a limit it runs until it is stopped.

        Raise `EngineBusyError` while another search runs, `EngineClosedError` after `close`.
        """
        check_type("request", request, SearchRequest)
        check_whole("variations", request.variations, 1, self.MAX_VARIATIONS)
        work, halt = self._start_search(request)
        with self._turn:
            self._check_free()
            previous = self._search

            def run_in_turn(search: Search) -> Variations:
                if previous is not None:
                    previous.join()
                return work(search)

            self._search = Search(run_in_turn, halt)
            self._search.start()
            return Analysis(self._search)

    def _check_free(self) -> None:
        """Raise an error unless a search may start; a search being stopped is waited for later."""
        if self._is_closed:
            raise EngineClosedError(N_("this engine has been closed"))
        search = self._search
        if search is not None and not search.is_done and not search.is_stopped:
            raise EngineBusyError(N_("this engine is searching; stop it first, or use another"))

    def _join(self) -> None:
        if self._search is not None:
            self._search.join()

    def analysis(
        self,
        board: Board,
        limit: Limit | str | None = None,
        variations: int = 1,
        **options: Unpack[SearchOptions],
    ) -> Analysis:
        """Start searching the best moves; the handle follows the search and stops it.

        Without a limit it runs until it is stopped.
        """
        return self.search(SearchRequest.of(board, limit, variations, **options))

    def analyse(
        self,
        board: Board,
        limit: Limit | str | None = None,
        variations: int = 1,
        **options: Unpack[SearchOptions],
    ) -> Variations:
        """Return the best moves with their scores and expected play, best first."""
        request = SearchRequest.of(board, limit, variations, **options).require_limit()
        with self.search(request) as analysis:
            return analysis.wait()

    async def analyse_async(
        self,
        board: Board,
        limit: Limit | str | None = None,
        variations: int = 1,
        **options: Unpack[SearchOptions],
    ) -> Variations:
        """Like `analyse`; cancelling the task stops the search."""
        request = SearchRequest.of(board, limit, variations, **options).require_limit()
        async with self.search(request) as analysis:
            return await analysis.wait_async()

    def play(
        self, board: Board, limit: Limit | str | None = None, **options: Unpack[SearchOptions]
    ) -> Variation:
        """Return the move to play, within a limit, a level's bounds, or both.

        The strongest levels of `Engine` start games from `sumito.opening_book`, picked by the seed.
        """
        with self.search(self._move_request(board, limit, options)) as analysis:
            return analysis.wait()[0]

    async def play_async(
        self, board: Board, limit: Limit | str | None = None, **options: Unpack[SearchOptions]
    ) -> Variation:
        """Like `play`; cancelling the task stops the search."""
        async with self.search(self._move_request(board, limit, options)) as analysis:
            return (await analysis.wait_async())[0]

    def _move_request(
        self, board: Board, limit: Limit | str | None, options: SearchOptions
    ) -> SearchRequest:
        options.setdefault("draws", DrawPolicy.AVOIDED)
        request = SearchRequest.of(board, limit, **options).require_limit()
        level = request.level
        if self.HAS_OPENING_BOOK and level is not None and level.uses_opening_book:
            return request.apply_opening_book()
        return request

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
