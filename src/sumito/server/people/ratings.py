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


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of somebody's strength after so many games."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a rated game ended: the people of each side, and each side's place from 0."""

    mode: str
    sides: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]


def displayed(rating: Rating) -> int:
    """The figure that people see."""
    return round(_START + _POINTS * (rating.mu - _MODEL.mu))


def rated(verdict: Verdict, before: Mapping[str, Rating]) -> dict[str, Rating]:
    """Everybody's rating after a game.

    >>> after = rated(Verdict("two", (("ann",), ("ben",)), (0, 1)), {})
    >>> displayed(after["ann"]) > 1500 > displayed(after["ben"])
    True
    """
    teams = [
        [
            _MODEL.rating(mu=old.mu, sigma=old.sigma)
            for old in (before.get(person, Rating()) for person in side)
        ]
        for side in verdict.sides
    ]
    after = _MODEL.rate(teams, ranks=[float(place) for place in verdict.places])
    return {
        person: Rating(new.mu, new.sigma, before.get(person, Rating()).games + 1)
        for side, team in zip(verdict.sides, after, strict=True)
        for person, new in zip(side, team, strict=True)
    }
