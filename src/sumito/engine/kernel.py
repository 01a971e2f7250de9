"""Boards handed to the kernel: the position with as much of its history as the rules ask for."""

from __future__ import annotations

from typing import TypedDict

from sumito import _core
from sumito.board import Board
from sumito.rules import Rules


class Options(TypedDict):
    """What the kernel wants to know of a rule set."""

    win_at: int
    repetition: int
    ply_limit: int
    partner_sidestep: str
    stuck: str


def options(rules: Rules) -> Options:
    """The rule set as the kernel takes it; 0 stands for never."""
    return {
        "win_at": rules.win_at,
        "repetition": rules.repetition or 0,
        "ply_limit": rules.ply_limit or 0,
        "partner_sidestep": str(rules.partner_sidestep),
        "stuck": str(rules.stuck),
    }


def to_core(board: Board) -> _core.Position:
    """The board as the kernel sees it.

    Positions before the last ejection can't come again, so the replay starts there.
    """
    moves = board.moves[len(board.moves) - board.quiet :] if board.rules.repetition else ()
    start = board
    if moves:
        start = board.copy()
        for _ in moves:
            start.pop()
    position = _core.Position(str(start.position), **options(board.rules))
    for move in moves:
        position.push(move.index)
    return position
