"""From touched cells to a move: first the marbles of a row, then where they go.

A touch on a marble one may move takes it into the hand, or adds it to the row there; a touch on any
other cell beside the row asks the row to go that way. Every touch that leads nowhere is answered
with the rule that says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sumito.errors import Illegal, IllegalMoveError, SumitoError
from sumito.i18n.messages import N_
from sumito.rules.board import Board, Effect
from sumito.rules.cells import AXES, DIRECTIONS, Cell, Direction
from sumito.rules.move import LONGEST, Move

Hand = tuple[Cell, ...]
"""The row that is chosen, the marble touched last at its end; empty for none."""

EMPTY: Final[Hand] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A cell to touch, and what the row then does."""

    cell: Cell
    effect: Effect


def touch(board: Board, hand: Hand, cell: Cell) -> Hand | Move:
    """The hand after a touch, or the move that it makes; an error says why it is neither."""
    if cell in hand:
        return EMPTY if len(hand) == 1 or cell is hand[-1] else (cell,)
    if board.friends_mask(board.turn) & cell.mask:
        return _extended(board, hand, cell)
    if not hand:
        raise _not_a_mover(board, cell)
    move = _move_towards(hand, cell)
    board.check(move)
    return move


def _not_a_mover(board: Board, cell: Cell) -> IllegalMoveError:
    owner = board[cell]
    if owner is None:
        return IllegalMoveError(Illegal.EMPTY_CELL, cell=cell)
    return IllegalMoveError(Illegal.NOT_YOURS, cell=cell, owner=owner, turn=board.turn)


def _extended(board: Board, hand: Hand, cell: Cell) -> Hand:
    """The row from the hand's far end to a marble, if there is one; else that marble alone."""
    friends = board.friends_mask(board.turn)
    for start in (hand[0], hand[-1]) if hand else ():
        row = _between(start, cell)
        if row is None or not set(hand) <= set(row):
            continue
        if any(not friends & one.mask for one in row):
            continue
        if len(row) > LONGEST:
            raise IllegalMoveError(Illegal.FOUR)
        return row
    return (cell,)


def _between(start: Cell, end: Cell) -> Hand | None:
    """The cells from one to the other if they lie on a line."""
    for direction in DIRECTIONS:
        row = [start]
        while row[-1] is not end and (step := row[-1].step(direction)) is not None:
            row.append(step)
        if row[-1] is end:
            return tuple(row)
    return None


def _move_towards(hand: Hand, cell: Cell) -> Move:
    """The move of a row when a cell is touched: the marble touched last says which way."""
    for marble in dict.fromkeys((hand[-1], hand[0], *hand)):
        for direction in DIRECTIONS:
            if marble.step(direction) is cell:
                return move_of(hand, direction)
    raise SumitoError(N_("{cell} is not beside the row: marbles go one cell"), cell=cell)


def move_of(hand: Hand, direction: Direction) -> Move:
    """The move of exactly this row in a direction; an error if no such move has a name."""
    ends = sorted((hand[0], hand[-1]))
    if len(hand) == 1 or ends[0].step(direction.axis, len(hand) - 1) is ends[1]:
        rear = ends[0] if direction in AXES else ends[1]
        return Move.in_line(rear, direction)
    return Move.side_step(ends[0], ends[1], direction)


def targets(board: Board, hand: Hand) -> list[Target]:
    """All that the row in the hand may do, each by the cell to touch for it."""
    found = []
    for direction in DIRECTIONS if hand else ():
        try:
            effect = board.effect(move_of(hand, direction))
        except SumitoError:
            continue
        if set(effect.moved) != set(hand):
            continue
        for marble in dict.fromkeys((hand[-1], hand[0])):
            cell = marble.step(direction)
            if cell is not None and cell not in hand and _move_towards(hand, cell) is effect.move:
                found.append(Target(cell, effect))
                break
    return found
