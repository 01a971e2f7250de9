"""Search requests: the board, the limit and the options of one search, checked in one place.

The engine's verbs build a `SearchRequest` from their arguments; `SearchOptions` declares the
keyword arguments that all of them take.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypedDict

from sumito import opening_book
from sumito.choice import Choice
from sumito.engine.levels import Level
from sumito.engine.limit import Limit
from sumito.errors import EngineError, EngineValueError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.move import Move
from sumito.validate import check_type, parsed


class DrawPolicy(
    Choice,
    error=EngineValueError,
    refusal=N_("a draw is one of {known}, not {text!r}"),
    code="draws",
):
    """The value of a draw to the searching side (contempt)."""

    EVEN = "even"
    """Zero for both sides, as in an analysis."""
    AVOIDED = "avoided"
    """Slightly negative, so that a player prefers to play on."""


class SearchOptions(TypedDict, total=False):
    """The keyword arguments of `BaseEngine.play`, `analyse`, `analysis` and async variants."""

    level: Level | str | None
    """A `Level` or its name; full strength if `None`."""
    seed: int
    """The random seed of a level's errors and of the choice from the opening book."""
    draws: DrawPolicy | str
    """The draw policy: `avoid` by default in `play`, `even` in an analysis."""
    root_moves: Iterable[Move | str]
    """Restrict the search to these legal moves; empty for all."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search: the board, the limit, and the options."""

    board: Board
    limit: Limit = field(default_factory=Limit)
    variations: int = 1
    """The number of best moves to return."""
    level: Level | None = None
    seed: int = 0
    draws: DrawPolicy = DrawPolicy.EVEN
    root_moves: tuple[Move, ...] = ()

    def __post_init__(self) -> None:
        """Raise `EngineError` if the game is over, `IllegalMoveError` for an illegal root move."""
        check_type("board", self.board, Board)
        check_type("limit", self.limit, Limit)
        check_type("seed", self.seed, int)
        if self.board.is_over():
            raise EngineError(N_("the game is over: there is nothing to search"))
        for move in self.root_moves:
            self.board.check(move)

    @classmethod
    def of(
        cls,
        board: Board,
        limit: Limit | str | None = None,
        variations: int = 1,
        *,
        level: Level | str | None = None,
        seed: int = 0,
        draws: DrawPolicy | str = DrawPolicy.EVEN,
        root_moves: Iterable[Move | str] = (),
    ) -> SearchRequest:
        """Build a request from a verb's arguments; the board is copied.

        Raise `ArgumentTypeError` or `EngineError` for arguments that no search can have.
        """
        check_type("board", board, Board)
        check_type("root_moves", root_moves, Iterable)
        return cls(
            board.copy(),
            Limit() if limit is None else parsed("limit", limit, Limit),
            variations,
            None if level is None else parsed("level", level, Level),
            seed,
            parsed("draws", draws, DrawPolicy),
            tuple(parsed("root move", move, Move) for move in root_moves),
        )

    def require_limit(self) -> SearchRequest:
        """Return the request; raise `EngineError` if its search would not end by itself."""
        if self.limit.is_endless:
            if self.level is None:
                raise EngineError(N_("the search has no limit: give a limit, a level, or both"))
            if self.level.is_full_strength:
                raise EngineError(
                    N_("level {level} has no bound of its own: give a limit as well"),
                    level=self.level,
                )
        return self

    def apply_opening_book(self, seed: int | None = None) -> SearchRequest:
        """Return a request for one move of the opening book, searched one ply deep.

        The request is returned unchanged where the book has no move. `seed` picks the move; the
        request's own if `None`.
        """
        reply = opening_book.pick(self.board, self.seed if seed is None else seed, self.root_moves)
        if reply is None:
            return self
        return replace(self, limit=Limit(depth=1), root_moves=(reply.move,))
