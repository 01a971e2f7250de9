"""Rates puzzles by which levels of the engine solve them.

Each level tries a puzzle several times, with different errors; where the goal is an ejection, every
other try gets the hint of a game that the next ejection wins. The rating is that of a player who
would solve it every other time, if levels were players with ratings in even steps.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from sumito import kernel
from sumito.engine.levels import Level
from sumito.kernel.positions import to_kernel
from sumito.lab.puzzles.find import solver_turns
from sumito.puzzles import Goal, Puzzle
from sumito.rules.board import Board

TRIES: Final = 4
LEVELS: Final = tuple(level for level in Level if not level.is_full_strength)
RATINGS: Final = {level: 500 + 200 * (level - 1) for level in LEVELS}
"""Ratings of the levels: 500 for newcomer, 2,100 for master."""
WIDTH: Final = 150.0
"""Rating points that make solving e times as likely as failing."""
LOWEST, HIGHEST = 400, 2400


def rating_of(puzzle: Puzzle, searcher: kernel.Searcher) -> int:
    """Return the difficulty of a puzzle as a rating."""
    solved = {level: _share_solved(puzzle, searcher, level) for level in LEVELS}
    return fit(solved)


def fit(solved: dict[Level, float]) -> int:
    """Return the rating for which the levels would be expected to solve as much as they did.

    >>> fit({level: 1.0 for level in LEVELS}), fit({level: 0.0 for level in LEVELS})
    (400, 2400)
    >>> fit({level: float(level >= Level.KEEN) for level in LEVELS})
    1400
    """
    total = sum(solved.values())
    low, high = float(LOWEST), float(HIGHEST)
    while high - low > 1:
        middle = (low + high) / 2
        expected = sum(1 / (1 + math.exp((middle - RATINGS[level]) / WIDTH)) for level in LEVELS)
        if expected > total:
            low = middle
        else:
            high = middle
    return round((low + high) / 20) * 10


def _share_solved(puzzle: Puzzle, searcher: kernel.Searcher, level: Level) -> float:
    return sum(_solves(puzzle, searcher, level, seed) for seed in range(1, TRIES + 1)) / TRIES


def _solves(puzzle: Puzzle, searcher: kernel.Searcher, level: Level, seed: int) -> bool:
    searcher.clear()
    has_hint = puzzle.goal is Goal.EJECT and seed % 2 == 0
    for board, move in solver_turns(puzzle.board(), puzzle.line):
        position = next_ejection_wins(board) if has_hint else to_kernel(board)
        if searcher.search(position, handicap=level.to_kernel(seed)).best != move.index:
            return False
    return True


def next_ejection_wins(board: Board) -> kernel.Position:
    """Return the position in a game that the next ejection wins."""
    most = max(board.captured)
    level = replace(board.position, captured=(most,) * len(board.captured))
    return kernel.Position(str(level), win_at=most + 1)
