"""Openings for matches: layouts with a few random plies, played from all sides."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sumito.errors import LabError
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.layouts import get
from sumito.rules.modes import Mode
from sumito.rules.rules import TOURNAMENT, Rules
from sumito.validate import check_type, check_whole

MOST_PLIES: Final = 100


@dataclass(frozen=True, slots=True)
class Opening:
    """A start position with some moves played."""

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
    """Yield openings without end, over the layouts in turn; deterministic by seed."""
    mode = Mode.parse(mode)
    check_whole("plies", plies, 0, MOST_PLIES, LabError)
    check_type("seed", seed, int)
    ids = list(ids or layouts.of(mode))
    for id in ids:
        get(id, mode)
    rng = random.Random(seed)  # noqa: S311  (chance for games, not for secrets)
    while True:
        for id in ids:
            yield Opening(id, _play_random_plies(Board(id, mode, rules=rules), plies, rng))


def _play_random_plies(start: Board, plies: int, rng: random.Random) -> Board:
    """Play random plies without an ejection, retrying until the game isn't over."""
    while True:
        board = start.copy()
        while len(board.moves) < plies and board.outcome() is None:
            quiet = [move for move in board.legal_moves if board.effect(move).ejected is None]
            if not quiet:
                break
            board.push(rng.choice(quiet))
        if len(board.moves) == plies and board.outcome() is None:
            return board
