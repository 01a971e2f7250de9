"""Openings for matches: layouts with a few random plies, each fit to be played from both sides."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sumito import layouts
from sumito.board import Board
from sumito.layouts import get
from sumito.modes import Mode
from sumito.rules import TOURNAMENT, Rules


@dataclass(frozen=True, slots=True)
class Opening:
    """A start with some moves made; the record of a game says both."""

    layout: str
    board: Board


def openings(
    ids: Sequence[str] | None = None,
    *,
    mode: Mode | str = Mode.TWO,
    plies: int = 4,
    seed: int = 0,
    rules: Rules = TOURNAMENT,
) -> Iterator[Opening]:
    """An endless stream over the layouts in turn; the same seed makes the same stream.

    Random plies that eject a marble are thrown again: an opening shouldn't decide the game.
    """
    mode = Mode.parse(mode)
    ids = list(ids or layouts.of(mode))
    for id in ids:
        get(id, mode)
    dice = random.Random(seed)  # noqa: S311  (chance for games, not for secrets)
    while True:
        for id in ids:
            board = Board(id, mode, rules=rules)
            while len(board.moves) < plies:
                move = dice.choice(list(board.legal_moves))
                if board.effect(move).ejected is None:
                    board.push(move)
            yield Opening(id, board)
