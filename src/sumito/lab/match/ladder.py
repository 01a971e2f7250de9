"""The ladder of levels: each meets the one below it, the lowest a player of random moves.

The differences add up to one list of Elo that begins at 0 for random play. Far apart levels
never meet, so the sum says how many steps there are, not what a champion would score against a
newcomer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass

from sumito.engine.levels import Level
from sumito.engine.limit import Limit
from sumito.engine.players import Kind, Player
from sumito.lab.match.elo import Tally, difference
from sumito.lab.match.plan import Match
from sumito.lab.match.runner import play_match
from sumito.rules.modes import Mode


@dataclass(frozen=True, slots=True)
class LevelRating:
    """A level, what it did against the one below, and the sum of all steps up to it."""

    level: Level
    tally: Tally
    elo: float
    error: float
    """Of the sum, 95 in 100."""


def rate_levels(
    pool: Executor,
    *,
    mode: Mode = Mode.TWO,
    rounds: int = 50,
    layouts: tuple[str, ...] = (),
    seconds: float = 0.1,
    seed: int = 0,
) -> Iterator[LevelRating]:
    """LevelRating by rung from the lowest; full strength thinks for `seconds` a move."""
    below = Player("random", Kind.RANDOM)
    elo = squares = 0.0
    for level in Level:
        limit = Limit(time=seconds) if level.is_full_strength else Limit()
        player = Player(str(level), level=level, limit=limit)
        match = Match(
            player, below, rounds=rounds, mode=mode, layouts=layouts, plies=4, seed=seed + level
        )
        *_, standing = play_match(match, pool=pool)
        tally = standing.tally
        low, high = tally.interval
        elo += _finite(tally.elo, tally)
        squares += ((_finite(high, tally) - _finite(low, tally)) / 2) ** 2
        yield LevelRating(level, tally, elo, math.sqrt(squares))
        below = player


def _finite(elo: float, tally: Tally) -> float:
    """Who won everything is at least as far ahead as half a point less would tell."""
    most = difference(1 - 0.5 / tally.games)
    return max(-most, min(most, elo))
