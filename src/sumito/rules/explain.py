"""Explains illegal moves: the rule that forbids a move, with its cells and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sumito.errors import IllegalMoveError, IllegalReason
from sumito.rules.cells import Cell, cells_of, shift
from sumito.rules.move import LONGEST, Move
from sumito.rules.rules import PartnerSideStep

if TYPE_CHECKING:
    from sumito.rules.board import Board

_Why = tuple[IllegalReason, dict[str, Any]]
"""A rule and the values of its message."""


def illegal(board: Board, move: Move, text: str = "") -> IllegalMoveError:
    """Return the error for a move that is illegal on `board`; `text` is the player's input."""
    if board.is_decided_by_rules():
        reason, values = IllegalReason.GAME_OVER, dict[str, Any]()
    elif move.is_side_step:
        reason, values = _side_step(board, move)
    else:
        reason, values = _in_line(board, move)
    return IllegalMoveError(reason, text=text or str(move), **values)


def _side_step(board: Board, move: Move) -> _Why:
    own = board.marbles_mask(board.turn)
    friends = board.friends_mask(board.turn)
    for cell in move.cells:
        if not friends & cell.mask:
            return _not_a_mover(board, cell)
    if not own & move.group:
        return IllegalReason.PARTNER_ONLY, {}
    if board.rules.partner_sidestep is PartnerSideStep.NONE:
        for cell in cells_of(move.group & ~own):
            return IllegalReason.PARTNER_SIDE_STEP, {"cell": cell}
    blocked = shift(move.group, move.direction) & ~board.empty_mask
    return IllegalReason.OCCUPIED, {"cell": next(cells_of(blocked))}


def _in_line(board: Board, move: Move) -> _Why:
    rear = move.first
    own = board.marbles_mask(board.turn)
    friends = board.friends_mask(board.turn)
    if not own & rear.mask:
        if friends & rear.mask:
            return IllegalReason.PARTNER_REAR, {"cell": rear}
        return _not_a_mover(board, rear)
    row = _run(rear, move, friends)
    if len(row) > LONGEST:
        return IllegalReason.FOUR, {}
    ahead = row[-1].step(move.direction)
    if ahead is None:
        return IllegalReason.OWN_RIM, {"cell": row[-1]}
    pushed = _run(ahead, move, ~friends & ~board.empty_mask)
    if len(row) == 1 < len(pushed):
        return IllegalReason.ALONE, {"cell": ahead}
    if len(pushed) >= len(row):
        return _no_majority(len(row), len(pushed))
    return IllegalReason.BLOCKED, {"cell": pushed[-1].step(move.direction)}


def _no_majority(own: int, opposing: int) -> _Why:
    # Surplus beyond three doesn't count, so three against four is a pac as well.
    if own == min(opposing, LONGEST):
        return IllegalReason.PAC, {"own": own, "opposing": own}
    return IllegalReason.OUTNUMBERED, {"own": own, "opposing": opposing}


def _run(start: Cell, move: Move, among: int) -> list[Cell]:
    """Return the unbroken run of cells of a set from `start` in the move's direction."""
    cells: list[Cell] = []
    at: Cell | None = start
    while at is not None and among & at.mask:
        cells.append(at)
        at = at.step(move.direction)
    return cells


def _not_a_mover(board: Board, cell: Cell) -> _Why:
    owner = board[cell]
    if owner is None:
        return IllegalReason.EMPTY_CELL, {"cell": cell}
    return IllegalReason.NOT_YOURS, {"cell": cell, "owner": owner, "turn": board.turn}
