"""How strong people are: openskill, one system for two players, three and teams.

A rating is a belief, mu ± sigma. People see mu on a scale that feels like Elo: 1500 to begin
with, and 48 points to a unit of mu, since then 200 points more win about three games in four.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

_MODEL: Final = PlackettLuce()
_START: Final = 1500
_POINTS: Final = 48
SETTLED: Final = 19
"""After so many games a rating says as much about others as it ever will."""
LATELY_MS: Final = 7 * 86_400_000
"""Games between the same two within so long count less and less."""
FEWEST_MOVES: Final = 5
"""Of each player; a game given up before says nothing about anybody's strength."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of somebody's strength after so many games."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0


@dataclass(frozen=True, slots=True)
class Placing:
    """How a rated game ended: the people of each side, and each side's place from 0."""

    mode: str
    sides: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]


def displayed(rating: Rating) -> int:
    """The figure that people see."""
    return round(_START + _POINTS * (rating.mu - _MODEL.mu))


def believed(points: int) -> float:
    """The mu of one who is shown with so many points.

    >>> displayed(Rating(believed(1740)))
    1740
    """
    return _MODEL.mu + (points - _START) / _POINTS


def weight(own: Rating, other: Rating, met: int) -> float:
    """How much a game says about one's strength, from 0 to 1.

    Strangers who have hardly played say little about one who has, so that nobody climbs on a heap
    of new accounts; and the tenth game against the same opponent says less than the first.

    >>> weight(Rating(games=0), Rating(games=0), met=0)
    1.0
    >>> round(weight(Rating(games=50), Rating(), met=1), 5)
    0.00125
    """
    known, own_known = min(other.games, SETTLED), min(own.games, SETTLED)
    return min(1.0, ((known + 1) / (own_known + 1)) ** 2) / (1 + met)


def rated(
    verdict: Placing, before: Mapping[str, Rating], met: Mapping[frozenset[str], int] = {}
) -> dict[str, Rating]:
    """Everybody's rating after a game; `met` is how often two have met lately.

    >>> after = rated(Placing("two", (("ann",), ("ben",)), (0, 1)), {})
    >>> displayed(after["ann"]) > 1500 > displayed(after["ben"])
    True
    """
    olds = {person: before.get(person, Rating()) for side in verdict.sides for person in side}
    teams = [
        [_MODEL.rating(mu=olds[person].mu, sigma=olds[person].sigma) for person in side]
        for side in verdict.sides
    ]
    news = _MODEL.rate(teams, ranks=[float(place) for place in verdict.places])
    after = {}
    for side, team in zip(verdict.sides, news, strict=True):
        others = [one for other in verdict.sides if other is not side for one in other]
        for person, new in zip(side, team, strict=True):
            old = olds[person]
            share = sum(
                weight(old, olds[one], met.get(frozenset((person, one)), 0)) for one in others
            ) / len(others)
            after[person] = Rating(
                old.mu + share * (new.mu - old.mu),
                old.sigma + share * (new.sigma - old.sigma),
                old.games + 1,
            )
    return after
