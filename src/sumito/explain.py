"""Why a move is not allowed, in words for the player who tried it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sumito.cells import Cell, cells_of, shift
from sumito.errors import Illegal, IllegalMoveError
from sumito.move import LONGEST, Move
from sumito.rules import PartnerSideStep

if TYPE_CHECKING:
    from sumito.board import Board


def illegal(board: Board, move: Move, text: str = "") -> IllegalMoveError:
    """The error for a move that `board` forbids; `text` is how the player wrote it."""
    if board.is_decided():
        reason, message = Illegal.GAME_OVER, "the game is over"
    elif move.is_side_step:
        reason, message = _side_step(board, move)
    else:
        reason, message = _in_line(board, move)
    return IllegalMoveError(message, reason, text or move.name)


def _side_step(board: Board, move: Move) -> tuple[Illegal, str]:
    own = board.marbles_mask(board.turn)
    friends = board.friends_mask(board.turn)
    for cell in move.cells:
        if not friends & cell.mask:
            return _not_a_mover(board, cell)
    if not own & move.group:
        return Illegal.PARTNER_ONLY, "at least one marble of a side-step must be your own"
    if board.rules.partner_sidestep is PartnerSideStep.NONE:
        for cell in cells_of(move.group & ~own):
            return Illegal.PARTNER_ONLY, f"{cell} is your partner's: only your own may side-step"
    blocked = shift(move.group, move.direction) & ~board.empty_mask
    cell = next(cells_of(blocked))
    return Illegal.OCCUPIED, f"{cell} is occupied: a side-step never pushes"


def _in_line(board: Board, move: Move) -> tuple[Illegal, str]:
    rear = move.first
    own = board.marbles_mask(board.turn)
    friends = board.friends_mask(board.turn)
    if not own & rear.mask:
        if friends & rear.mask:
            return (
                Illegal.PARTNER_REAR,
                f"the rear marble must be your own; {rear} is your partner's",
            )
        return _not_a_mover(board, rear)
    row = _run(rear, move, friends)
    if len(row) > LONGEST:
        return Illegal.FOUR, "four marbles can't move at once"
    ahead = row[-1].step(move.direction)
    if ahead is None:
        return Illegal.OWN_RIM, f"{row[-1]} is at the rim: nobody pushes a marble of their own off"
    pushed = _run(ahead, move, ~friends & ~board.empty_mask)
    if len(row) == 1 < len(pushed):
        return Illegal.ALONE, f"one marble alone can't push, and {ahead} is occupied"
    if len(pushed) >= len(row):
        return _no_majority(len(row), len(pushed))
    behind = pushed[-1].step(move.direction)
    return Illegal.BLOCKED, f"{behind} behind the pushed marbles is occupied"


def _no_majority(own: int, opposing: int) -> tuple[Illegal, str]:
    # Surplus beyond three doesn't count, so three against four is a pac as well.
    if own == min(opposing, LONGEST):
        return Illegal.PAC, f"no sumito: {own} against {own} is a pac"
    return Illegal.OUTNUMBERED, f"no sumito: {own} against {opposing}"


def _run(start: Cell, move: Move, among: int) -> list[Cell]:
    """The cells from `start` on in the move's direction that lie in a set without a gap."""
    cells: list[Cell] = []
    at: Cell | None = start
    while at is not None and among & at.mask:
        cells.append(at)
        at = at.step(move.direction)
    return cells


def _not_a_mover(board: Board, cell: Cell) -> tuple[Illegal, str]:
    owner = board[cell]
    if owner is None:
        return Illegal.EMPTY_CELL, f"there is no marble on {cell}"
    return Illegal.NOT_YOURS, f"{cell} is {owner}'s, and it is {board.turn}'s turn"
