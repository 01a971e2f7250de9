"""Move notations: `aba-pro`, `nacre` and `playstrategy`.

`aba-pro` (canonical) names the rear cell and the next one, or the two ends of a side-step and where
the first lands. `nacre` and `playstrategy` name an origin and a landing cell, which needs the board
to be understood. Their texts look alike, so the notation is never guessed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sumito.choice import Choice
from sumito.errors import IllegalMoveError, IllegalReason, InvalidMoveError, NotationError
from sumito.i18n.messages import N_
from sumito.rules.cells import BY_NAME, DIRECTIONS, Cell, distance, line
from sumito.rules.move import LONGEST, MOVES, Move

if TYPE_CHECKING:
    from sumito.rules.board import Board, Effect


class Notation(
    Choice, error=NotationError, refusal=N_("{text!r} is not a notation; notations are {known}")
):
    """A move notation; `parse` also accepts the names that records use."""

    ABA_PRO = "aba-pro"
    NACRE = "nacre"
    PLAYSTRATEGY = "playstrategy"

    @classmethod
    def parse(cls, name: str) -> Notation:
        lowered = str(name).lower()
        return cls(lowered if lowered in tuple(cls) else name)


def write(effect: Effect, notation: Notation | str) -> str:
    """Return the text of a move with its effect."""
    notation = Notation.parse(notation)
    move = effect.move
    if notation is Notation.ABA_PRO:
        return move.name
    if move.is_side_step:
        origin, landing = _far_pair(move)
    else:
        origin, landing = move.first, _in_line_end(effect, notation)
    return f"{origin}{landing}"


def parse(board: Board, text: str, notation: Notation | str) -> Move:
    """Return the move of a text on this board; in `aba-pro` it need not be legal."""
    notation = Notation.parse(notation)
    if notation is Notation.ABA_PRO:
        return Move.parse(text)
    origin, landing = _two_cells(text, notation)
    candidates = _candidates(origin, landing)
    if not candidates:
        raise InvalidMoveError(
            N_("{text!r} is not a move in {notation}: no row that starts at {one} ends at {other}"),
            code="no-such-row",
            text=text,
            notation=notation,
            one=origin,
            other=landing,
        )
    for move in candidates:
        if board.is_legal(move) and write(board.effect(move), notation) == text:
            return move
    raise _mismatch(board, text, notation, candidates)


def _in_line_end(effect: Effect, notation: Notation) -> Cell:
    """Return the second cell of an in-line move."""
    if notation is Notation.PLAYSTRATEGY and effect.pushed:
        front = effect.pushed[-1]
        if effect.ejected is not None:
            return front
    else:
        front = effect.moved[-1]
    landing = front.step(effect.direction)
    assert landing is not None
    return landing


def _far_pair(move: Move) -> tuple[Cell, Cell]:
    """Return one end's origin and the other end's landing, whichever are farther apart."""
    pairs = []
    for origin, other in ((move.first, move.last), (move.last, move.first)):
        landing = other.step(move.direction)
        assert landing is not None
        pairs.append((origin, landing))
    return max(pairs, key=lambda pair: distance(*pair))


def _two_cells(text: str, notation: Notation) -> tuple[Cell, Cell]:
    if not isinstance(text, str) or len(text) != 4:
        raise InvalidMoveError(
            N_("{text!r} is not a move in {notation}: it takes two cells, as a1d4"),
            code="move-length",
            text=str(text),
            notation=notation,
        )
    for part in (text[:2], text[2:]):
        if part not in BY_NAME:
            raise InvalidMoveError(
                N_("{text!r} is not a move in {notation}: {part!r} is not a cell"),
                code="move-cell",
                text=text,
                notation=notation,
                part=part,
            )
    return BY_NAME[text[:2]], BY_NAME[text[2:]]


@cache
def _candidates(origin: Cell, landing: Cell) -> tuple[Move, ...]:
    """Return the moves that these two cells can denote on some board."""
    in_line = (
        Move.in_line(origin, direction)
        for direction in DIRECTIONS
        if landing in line(origin, direction, 2 * LONGEST)[1:]
    )
    return (*in_line, *_side_steps_by_pair().get((origin, landing), ()))


@cache
def _side_steps_by_pair() -> dict[tuple[Cell, Cell], list[Move]]:
    """Return the side-steps by their two cells: a pair's E then NE shares those of NE then E."""
    table: dict[tuple[Cell, Cell], list[Move]] = {}
    for move in MOVES:
        if move.is_side_step:
            table.setdefault(_far_pair(move), []).append(move)
    return table


def _mismatch(
    board: Board, text: str, notation: Notation, candidates: tuple[Move, ...]
) -> IllegalMoveError:
    """Return the error that explains why none of the candidates matches the text."""
    for move in candidates:
        if board.is_legal(move):
            right = write(board.effect(move), notation)
            return IllegalMoveError(IllegalReason.OTHER_MOVE, text=text, move=move, right=right)
    from sumito.rules import explain

    return explain.illegal(board, candidates[0], text)
