"""The ladder of levels adds up, and its rungs are where the table puts them."""

import math
from itertools import pairwise

import pytest

from sumito.engine.levels import Level
from sumito.lab.cluster import executor
from sumito.lab.match import ladder
from sumito.lab.match import run as matches
from sumito.lab.match.plan import Match
from sumito.lab.match.players import Player


def test_each_level_meets_the_one_below_and_the_elo_adds_up():
    with executor(workers=1) as pool:
        rungs = []
        for rung in ladder.climb(pool, rounds=4, layouts=("belgian-daisy",)):
            rungs.append(rung)
            if rung.level is Level.STEADY:
                break
    assert [rung.level for rung in rungs] == list(Level)[:5]
    assert all(rung.tally.games == 8 for rung in rungs)
    steps = [after.elo - before.elo for before, after in pairwise(rungs)]
    won = [rung for rung, step in zip(rungs[1:], steps, strict=True) if step > 0]
    assert all(rung.tally.score > 0.5 for rung in won)
    assert all(math.isfinite(rung.elo) and rung.error > 0 for rung in rungs)


@pytest.mark.parametrize("level", [Level.NEWCOMER, Level.GENTLE, Level.FRIENDLY])
def test_a_player_who_only_looks_at_their_own_move_beats_the_lowest_levels(level):
    beginner = Player.parse("greedy")
    match = Match(beginner, Player.parse(str(level)), rounds=5, layouts=("standard",))
    *_, standing = matches.play(match)
    assert standing.tally.wins >= 9
