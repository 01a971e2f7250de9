"""Rates the levels by matches: each against the one below, the lowest against random play.

Ratings are sums of adjacent matches, from 0 Elo for random play; they do not predict results
between distant levels.
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
    """A level, its results against the one below, and its rating."""

    level: Level
    tally: Tally
    elo: float
    error: float
    """95 % error of the rating."""


def rate_levels(
    pool: Executor,
    *,
    mode: Mode = Mode.TWO,
    rounds: int = 50,
    layouts: tuple[str, ...] = (),
    seconds: float = 0.1,
    seed: int = 0,
) -> Iterator[LevelRating]:
    """Yield the ratings from the lowest level up; full strength takes `seconds` per move."""
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
    """Clip the Elo of a perfect result to that of half a point less."""
    most = difference(1 - 0.5 / tally.games)
    return max(-most, min(most, elo))
