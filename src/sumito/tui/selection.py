"""Turns selected cells into a move: first the marbles of a row, then where they go.

Selecting a marble that may move adds it to the row; selecting any other cell beside the row moves
the row that way. What is not possible raises an error with the rule that forbids it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sumito.errors import IllegalMoveError, IllegalReason, SumitoError
from sumito.i18n.messages import N_
from sumito.rules.board import Board, Effect
from sumito.rules.cells import DIRECTIONS, Cell
from sumito.rules.move import LONGEST, Move

Selection = tuple[Cell, ...]
"""The selected row, the marble selected last at its end; empty for none."""

EMPTY: Final[Selection] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A cell that may be selected next, and what the row then does."""

    cell: Cell
    effect: Effect


def select(board: Board, selected: Selection, cell: Cell) -> Selection | Move:
    """Return the selection with one more cell, or the move that it makes; raise if neither."""
    if cell in selected:
        return EMPTY if len(selected) == 1 or cell is selected[-1] else (cell,)
    if board.friends_mask(board.turn) & cell.mask:
        return _extended(board, selected, cell)
    if not selected:
        raise _not_a_mover(board, cell)
    move = _move_towards(selected, cell)
    board.check(move)
    return move


def _not_a_mover(board: Board, cell: Cell) -> IllegalMoveError:
    owner = board[cell]
    if owner is None:
        return IllegalMoveError(IllegalReason.EMPTY_CELL, cell=cell)
    return IllegalMoveError(IllegalReason.NOT_YOURS, cell=cell, owner=owner, turn=board.turn)


def _extended(board: Board, selected: Selection, cell: Cell) -> Selection:
    """Return the row from an end of the selection to a marble, else that marble alone."""
    friends = board.friends_mask(board.turn)
    for start in (selected[0], selected[-1]) if selected else ():
        row = _between(start, cell)
        if row is None or not set(selected) <= set(row):
            continue
        if any(not friends & one.mask for one in row):
            continue
        if len(row) > LONGEST:
            raise IllegalMoveError(IllegalReason.FOUR)
        return row
    return (cell,)


def _between(start: Cell, end: Cell) -> Selection | None:
    """Return the cells from one to the other if they lie on a line."""
    for direction in DIRECTIONS:
        row = [start]
        while row[-1] is not end and (step := row[-1].step(direction)) is not None:
            row.append(step)
        if row[-1] is end:
            return tuple(row)
    return None


def _move_towards(selected: Selection, cell: Cell) -> Move:
    """Return the move of a row towards a cell, as seen from the marble selected last."""
    for marble in dict.fromkeys((selected[-1], selected[0], *selected)):
        for direction in DIRECTIONS:
            if marble.step(direction) is cell:
                return Move.from_cells(selected, direction)
    raise SumitoError(N_("{cell} is not beside the row: marbles go one cell"), cell=cell)


def targets(board: Board, selected: Selection) -> list[Target]:
    """Return the legal moves of exactly the selected row, each with the cell to select for it."""
    result = []
    for direction in DIRECTIONS if selected else ():
        try:
            effect = board.effect(Move.from_cells(selected, direction))
        except SumitoError:
            continue
        if set(effect.moved) != set(selected):
            continue
        for marble in dict.fromkeys((selected[-1], selected[0])):
            cell = marble.step(direction)
            if (
                cell is not None
                and cell not in selected
                and _move_towards(selected, cell) is effect.move
            ):
                result.append(Target(cell, effect))
                break
    return result
