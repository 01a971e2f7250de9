"""How hard a puzzle is: how low a level of the engine still solves it, as a rating.

Each level tries it several times, with other errors each time; where a marble can be forced off,
every other time it is told so: then it plays a game that the next ejection wins. The rating is that
of a player who would solve it every other time, if levels were players with ratings in even steps.
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
"""500 for a newcomer, 2,100 for a master."""
WIDTH: Final = 150.0
"""Points that make solving e times as likely as failing."""
LOWEST, HIGHEST = 400, 2400


def rating_of(puzzle: Puzzle, searcher: kernel.Searcher) -> int:
    """The difficulty of a puzzle as a rating."""
    solved = {level: _share_solved(puzzle, searcher, level) for level in LEVELS}
    return fit(solved)


def fit(solved: dict[Level, float]) -> int:
    """The rating under which the levels would solve as much as they did.

    >>> fit({level: 1.0 for level in LEVELS}), fit({level: 0.0 for level in LEVELS})
    (400, 2400)
    >>> fit({level: float(level >= Level.KEEN) for level in LEVELS})
    1400
    """
    wanted = sum(solved.values())
    low, high = float(LOWEST), float(HIGHEST)
    while high - low > 1:
        middle = (low + high) / 2
        expected = sum(1 / (1 + math.exp((middle - RATINGS[level]) / WIDTH)) for level in LEVELS)
        if expected > wanted:
            low = middle
        else:
            high = middle
    return round((low + high) / 20) * 10


def _share_solved(puzzle: Puzzle, searcher: kernel.Searcher, level: Level) -> float:
    return sum(_solves(puzzle, searcher, level, seed) for seed in range(1, TRIES + 1)) / TRIES


def _solves(puzzle: Puzzle, searcher: kernel.Searcher, level: Level, seed: int) -> bool:
    searcher.clear()
    told = puzzle.goal is Goal.EJECT and seed % 2 == 0
    for board, move in solver_turns(puzzle.board(), puzzle.line):
        position = next_ejection_wins(board) if told else to_kernel(board)
        if searcher.search(position, handicap=level.to_kernel(seed)).best != move.index:
            return False
    return True


def next_ejection_wins(board: Board) -> kernel.Position:
    """The position in a game that the first to eject wins."""
    most = max(board.captured)
    level = replace(board.position, captured=(most,) * len(board.captured))
    return kernel.Position(str(level), win_at=most + 1)
