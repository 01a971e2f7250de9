"""Converts boards for the kernel: the position with the history that the rules need."""

from __future__ import annotations

from typing import Final, TypedDict

from sumito.kernel import _native
from sumito.rules.board import Board
from sumito.rules.move import Move
from sumito.rules.rules import Rules

QUICK_PERFT: Final = 5
"""Plies that the kernel counts in a fraction of a second, so that Ctrl-C is handled."""


class KernelRules(TypedDict):
    """The options of a rule set that the kernel takes."""

    win_at: int
    repetition: int
    ply_limit: int
    partner_sidestep: str
    stuck: str


def kernel_rules(rules: Rules) -> KernelRules:
    """Return the rule set for the kernel; 0 stands for never."""
    return {
        "win_at": rules.win_at,
        "repetition": rules.repetition or 0,
        "ply_limit": rules.ply_limit or 0,
        "partner_sidestep": str(rules.partner_sidestep),
        "stuck": str(rules.stuck),
    }


def kernel_seed(seed: int) -> int:
    """Return any whole number as a seed of 64 bits."""
    return seed & (2**64 - 1)


def to_kernel(board: Board) -> _native.Position:
    """Return the kernel's board of a board.

    Positions before the last ejection can't come again, so the replay starts there, or where the
    board's own history does: a position from a text can be quiet for longer than it has moves.
    """
    moves = board.moves[max(0, len(board.moves) - board.quiet) :] if board.rules.repetition else ()
    start = board
    if moves:
        start = board.copy()
        for _ in moves:
            start.pop()
    position = _native.Position(str(start.position), **kernel_rules(board.rules))
    for move in moves:
        position.push(move.index)
    return position


def perft(board: Board, depth: int, first: Move | None = None) -> int:
    """Count the sequences of `depth` moves, all or those after a first one.

    >>> perft(Board(), 3)
    98912
    """
    position = to_kernel(board)
    if first is not None:
        position.push(first.index)
        depth -= 1
    return _count_leaves(position, depth)


def _count_leaves(position: _native.Position, depth: int) -> int:
    if depth <= QUICK_PERFT:
        return position.perft(max(0, depth))
    total = 0
    for index in position.legal():
        position.push(index)
        total += _count_leaves(position, depth - 1)
        position.pop()
    return total
