"""The ladder of levels adds up, and its rungs are where the table puts them."""

import math
from itertools import accumulate

import pytest

from sumito.engine.levels import Level
from sumito.engine.players import Player
from sumito.lab.cluster import executor
from sumito.lab.match import ladder
from sumito.lab.match.elo import Tally, difference
from sumito.lab.match.plan import Match
from sumito.lab.match.runner import MatchProgress, play_match

ROUNDS = 10
POINTS_A_GAME = (1.0, 0.9, 0.5, 0.3, *[0.75] * (len(Level) - 4))
"""What each level makes against the one below in a match that isn't played."""


def tally_of(points):
    tally = Tally()
    for number in range(ROUNDS):
        tally.add([1.0 if number < points * ROUNDS else 0.0] * 2)
    return tally


def test_the_elo_of_a_rung_is_the_sum_of_the_steps_up_to_it(monkeypatch):
    played = []

    def play(match, pool):
        tally = tally_of(POINTS_A_GAME[len(played)])
        played.append((match.first.name, match.second.name))
        yield MatchProgress(match, tally)

    monkeypatch.setattr(ladder, "play_match", play)
    rungs = list(ladder.rate_levels(pool=None, rounds=ROUNDS))
    names = ["random", *map(str, Level)]
    assert played == list(zip(names[1:], names, strict=False))
    assert [rung.level for rung in rungs] == list(Level)
    # Winning all of 20 games counts as 19½ of them.
    steps = [
        difference(min(points, 19.5 / 20)) for points in [tally_of(p).score for p in POINTS_A_GAME]
    ]
    assert [rung.elo for rung in rungs] == pytest.approx(list(accumulate(steps)))
    assert steps[2] == 0 > steps[3]
    errors = [rung.error for rung in rungs]
    assert errors == sorted(errors)
    assert errors[0] > 0


def test_the_lowest_rungs_are_played():
    with executor(workers=1) as pool:
        climb = ladder.rate_levels(pool, rounds=1, layouts=("belgian-daisy",))
        rungs = [next(climb), next(climb)]
    assert [rung.level for rung in rungs] == list(Level)[:2]
    assert [rung.tally.games for rung in rungs] == [2, 2]
    assert all(math.isfinite(rung.elo) and rung.error > 0 for rung in rungs)


@pytest.mark.network_bound
@pytest.mark.parametrize("level", [Level.NEWCOMER, Level.GENTLE, Level.FRIENDLY])
def test_a_player_who_only_looks_at_their_own_move_beats_the_lowest_levels(level):
    beginner = Player.parse("greedy")
    match = Match(beginner, Player.parse(str(level)), rounds=5, layouts=("standard",))
    *_, standing = play_match(match)
    assert standing.tally.wins >= 9
