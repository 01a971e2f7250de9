"""Small scenes set out by hand: a few marbles, a move, and what the rules say to it."""

from collections.abc import Iterable

import pytest

from sumito import (
    RULEBOOK,
    Board,
    Cell,
    Colour,
    IllegalMoveError,
    IllegalReason,
    Mode,
    Move,
    Position,
    Rules,
)
from sumito.rules.cells import mask_of


def place(
    *,
    turn: str = "b",
    mode: str = "two",
    captured: tuple[int, ...] = (),
    out: str = "",
    rules: Rules = RULEBOOK,
    **marbles: str | Iterable[str],
) -> Board:
    """A board with the marbles a test speaks of: `place(black="e3 e4", white="e5")`."""
    kind = Mode(mode)
    cells = {
        name: cells.split() if isinstance(cells, str) else list(cells)
        for name, cells in marbles.items()
    }
    return Board.at(
        Position(
            marbles=tuple(
                mask_of(map(Cell.parse, cells.get(str(colour), ()))) for colour in kind.colours
            ),
            turn=Colour.parse(turn),
            captured=captured or (0,) * len(kind.sides),
            mode=kind,
            eliminated=frozenset(map(Colour.parse, out)),
        ),
        rules=rules,
    )


def names(board: Board) -> set[str]:
    return set(map(str, board.legal_moves))


def play(board: Board, moves: str) -> Board:
    for move in moves.split():
        board.push(board.parse_move(move))
    return board


def pushed(board: Board, move: str) -> list[str]:
    return [str(cell) for cell in board.effect(Move.parse(move)).pushed]


def refuse(board: Board, move: str, reason: IllegalReason, said: str) -> None:
    """The board forbids the move, for that reason, in those words."""
    before = board.copy()
    assert move not in names(board)
    with pytest.raises(IllegalMoveError) as caught:
        board.push(Move.parse(move))
    assert caught.value.reason is reason
    assert str(caught.value) == f"{move}: {said}"
    assert board == before
