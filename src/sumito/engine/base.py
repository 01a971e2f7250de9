"""What every engine can do, ours or another program's: play, analyse, and be stopped.

An engine has to say how it answers a `Question`; all verbs follow from that. Those that wait for
the answer have an async twin with the same arguments.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import ClassVar, Self

from sumito import opening_book
from sumito.choice import Choice
from sumito.engine.analysis import Analysis, Lines, Search
from sumito.engine.levels import Level
from sumito.engine.limit import Limit, check_whole
from sumito.engine.score import Line
from sumito.errors import EngineBusyError, EngineClosedError, EngineError, check_kind
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.move import MOVES, Move


class Draws(
    Choice,
    error=EngineError,
    refusal=N_("a draw is one of {known}, not {text!r}"),
    code="draws",
):
    """What a draw is to the side that the engine thinks for."""

    EVEN = "even"
    """Worth nothing to either side: an analysis says what is so."""
    AVOIDED = "avoided"
    """A little worse than that: a player would rather play on."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a search is asked: a game that goes on, and moves that are legal."""

    board: Board
    limit: Limit
    lines: int
    level: Level | None
    seed: int
    draws: Draws
    among: tuple[Move, ...]

    def __post_init__(self) -> None:
        check_kind("limit", self.limit, Limit)
        check_kind("seed", self.seed, int)


class AnyEngine(ABC):
    """An engine: `Engine` in this process, or `External`, a program that speaks UGI.

    `level`, a `Level` or its name, plays worse, as people do, and `seed` makes it err the same way
    again. `among` leaves only some of the legal moves to choose from. `draws` says what a draw is
    worth.
    """

    MOST_LINES: ClassVar[int] = len(MOVES)
    """How many lines can be asked for."""
    KNOWS_OPENINGS: ClassVar[bool] = False
    """Do the strongest levels begin games by `sumito.opening_book`?"""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        """Held while it is decided who searches next."""
        self._search: Search | None = None
        """The search that runs, or the last one."""
        self._is_closed = False

    @abstractmethod
    def _prepare(self, question: Question) -> tuple[Callable[[Search], Lines], Callable[[], None]]:
        """What answers the question in a thread of its own, and what makes that stop."""

    @abstractmethod
    def _forget(self) -> None:
        """Forget what earlier searches found."""

    @abstractmethod
    def _give_back(self) -> None:
        """Give back what the engine holds."""

    def _opening(
        self, board: Board, limit: Limit, level: Level | None, seed: int, among: tuple[Move, ...]
    ) -> tuple[Limit, tuple[Move, ...]]:
        """How long a level thinks about which moves at this point of the game."""
        if self.KNOWS_OPENINGS and level is not None and level.plays_openings:
            return begin(board, limit, seed, among)
        return limit, among

    def stop(self) -> None:
        """End the search that runs, from any thread; it answers with the best it has."""
        if self._search is not None:
            self._search.stop()

    def clear(self) -> None:
        """Forget what earlier searches found, as before a new game."""
        with self._turn:
            self._check_free()
            self._join()
            self._forget()

    def close(self) -> None:
        """Stop, and give back what the engine holds. Closing twice is fine."""
        self.stop()
        with self._turn:
            if not self._is_closed:
                self._is_closed = True
                self._give_back()
            self._join()
            self._search = None

    def _start(self, work: Callable[[Search], Lines], halt: Callable[[], None]) -> Analysis:
        """Have a search run, as soon as the one before has obeyed its stop."""
        with self._turn:
            self._check_free()
            before = self._search

            def in_turn(search: Search) -> Lines:
                if before is not None:
                    before.join()
                return work(search)

            self._search = Search(in_turn, halt)
            self._search.start()
            return Analysis(self._search)

    def _check_free(self) -> None:
        """A search that has been told to stop is as good as over: the next one waits for it."""
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
        limit: Limit | None = None,
        lines: int = 1,
        *,
        level: Level | str | None = None,
        seed: int = 0,
        draws: Draws = Draws.EVEN,
        among: Iterable[Move] = (),
    ) -> Analysis:
        """Start to look for the best `lines` moves; the handle follows and stops it.

        Without a limit it goes on until it is stopped.
        """
        check_kind("board", board, Board)
        check_kind("limit", limit, (Limit, type(None)))
        check_kind("among", among, Iterable)
        level = as_level(level)
        if board.is_over():
            raise EngineError(N_("the game is over: there is nothing to search"))
        check_whole("lines", lines, 1, self.MOST_LINES)
        chosen = tuple(among)
        for move in chosen:
            board.check(move)
        return self._start(
            *self._prepare(
                Question(
                    board.copy(), limit or Limit(), lines, level, seed, Draws.parse(draws), chosen
                )
            )
        )

    def analyse(
        self,
        board: Board,
        limit: Limit | None = None,
        lines: int = 1,
        *,
        level: Level | str | None = None,
        seed: int = 0,
        draws: Draws = Draws.EVEN,
        among: Iterable[Move] = (),
    ) -> Lines:
        """The best `lines` moves, the best first."""
        level = as_level(level)
        limit = bounded(limit, level)
        with self.analysis(
            board, limit, lines, level=level, seed=seed, draws=draws, among=among
        ) as analysis:
            return analysis.wait()

    async def analyse_async(
        self,
        board: Board,
        limit: Limit | None = None,
        lines: int = 1,
        *,
        level: Level | str | None = None,
        seed: int = 0,
        draws: Draws = Draws.EVEN,
        among: Iterable[Move] = (),
    ) -> Lines:
        """As `analyse`; a cancelled task stops its search."""
        level = as_level(level)
        limit = bounded(limit, level)
        async with self.analysis(
            board, limit, lines, level=level, seed=seed, draws=draws, among=among
        ) as analysis:
            return await analysis.wait_async()

    def play(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        level: Level | str | None = None,
        seed: int = 0,
        draws: Draws = Draws.AVOIDED,
        among: Iterable[Move] = (),
    ) -> Line:
        """The move the engine would play, within a limit, a level's, or both.

        The strongest levels of `Engine` begin games by `sumito.opening_book`, drawn by the seed.
        """
        level = as_level(level)
        limit, among = self._opening(board, bounded(limit, level), level, seed, tuple(among))
        lines = self.analyse(board, limit, level=level, seed=seed, draws=draws, among=among)
        return lines[0]

    async def play_async(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        level: Level | str | None = None,
        seed: int = 0,
        draws: Draws = Draws.AVOIDED,
        among: Iterable[Move] = (),
    ) -> Line:
        """As `play`; a cancelled task stops its search."""
        level = as_level(level)
        limit, among = self._opening(board, bounded(limit, level), level, seed, tuple(among))
        lines = await self.analyse_async(
            board, limit, level=level, seed=seed, draws=draws, among=among
        )
        return lines[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def as_level(level: Level | str | None) -> Level | None:
    """A level, or its name as a text."""
    check_kind("level", level, (Level, str, type(None)))
    return Level.parse(level) if isinstance(level, str) else level


def bounded(limit: Limit | None, level: Level | None) -> Limit:
    """The limit of a search that must end by itself."""
    check_kind("limit", limit, (Limit, type(None)))
    if limit is None or limit == Limit():
        if level is None:
            raise EngineError(N_("say how long to think: a limit, a level, or both"))
        if level.is_full_strength:
            raise EngineError(
                N_("level {level} has no bound of its own: give a limit as well"), level=level
            )
    return limit or Limit()


def begin(
    board: Board, limit: Limit, seed: int, among: tuple[Move, ...]
) -> tuple[Limit, tuple[Move, ...]]:
    """Where openings are known, one of them and hardly any time; elsewhere all as it was."""
    reply = opening_book.draw(board, seed, among)
    return (limit, among) if reply is None else (Limit(depth=1), (reply.move,))
