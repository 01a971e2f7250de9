"""Ratings by openskill (Plackett-Luce), for two players, three and teams.

A rating is a normal distribution, mu ± sigma. It is shown as mu on a scale like Elo's: 1500 at
first, and 48 points to a unit of mu, so that 200 points more win about three games in four.

Accounts cost nothing, so a game changes a rating only as far as the opponent's own rating has been
earned against other people: see `trust` and `credit`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from openskill.models import PlackettLuce

_MODEL: Final = PlackettLuce()
_START: Final = 1500
_POINTS: Final = 48
RECENT_MS: Final = 30 * 86_400_000
"""Games between the same two within this time count less and less."""
HISTORY: Final = 200
"""A person's last rated games, from which their opponents are counted."""
FEWEST_MOVES: Final = 5
"""Moves of each player that a game needs to be rated."""
_ENOUGH_OPPONENTS: Final = 10
"""A rating earned against this number of opponents is trusted fully."""
_SAME_CIRCLE: Final = 0.5
"""How much a common opponent counts for trust."""
_STRANGER: Final = 0.05
"""The weight of a game against somebody who has played nobody else: it lets a new club start."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating, and the number of games that it comes from."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0


@dataclass(frozen=True, slots=True)
class RatedResult:
    """How a rated game ended: the people of each side, and each side's place from 0."""

    mode: str
    sides: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]

    def restricted_to(self, people: Collection[str]) -> RatedResult:
        """Return the result of only these people; a side without any is left out.

        >>> result = RatedResult("three", (("ann",), ("ben",), ("cid",)), (1, 0, 1))
        >>> result.restricted_to(["ben", "cid"])
        RatedResult(mode='three', sides=(('ben',), ('cid',)), places=(0, 1))
        """
        left = [
            (members, place)
            for side, place in zip(self.sides, self.places, strict=True)
            if (members := tuple(person for person in side if person in people))
        ]
        return RatedResult(self.mode, tuple(s for s, _ in left), tuple(place for _, place in left))


@dataclass(frozen=True, slots=True)
class Credit:
    """What a game against an opponent counts for one player."""

    weight: float = 1.0
    """From 0 to 1: how much of openskill's change is made."""
    trust: float = 1.0
    """From 0 to 1: how much of the opponent's rating above the start is counted."""


@dataclass(frozen=True, slots=True)
class Opponents:
    """A player's rated games by opponent: all, and recent ones."""

    games: Mapping[str, int] = field(default_factory=dict)
    recent: Mapping[str, int] = field(default_factory=dict)


def displayed(rating: Rating) -> int:
    """Return the rating as it is shown."""
    return round(_START + _POINTS * (rating.mu - _MODEL.mu))


def believed(points: int) -> float:
    """Return the mu of a rating that is shown as this number of points.

    >>> displayed(Rating(believed(1740)))
    1740
    """
    return _MODEL.mu + (points - _START) / _POINTS


def trust(person: str, opponent: str, known: Mapping[str, Opponents]) -> float:
    """Return how far an opponent's rating was earned against others, from 0 to 1.

    Each other person counts once at most: half for a first game, one for many. Common opponents
    count less, so a closed group gains little from games among its members.

    >>> many = {str(number): 1 for number in range(20)}
    >>> trust("ann", "ben", {"ben": Opponents(many)})
    1.0
    >>> trust("ann", "ben", {"ben": Opponents({"ann": 500})})
    0.0
    """
    own = known.get(person, Opponents()).games
    others = known.get(opponent, Opponents()).games
    earned = sum(
        (1 - 0.5**games) * (_SAME_CIRCLE if other in own else 1)
        for other, games in others.items()
        if other != person
    )
    return min(1.0, earned / _ENOUGH_OPPONENTS)


def credit(person: str, opponent: str, known: Mapping[str, Opponents]) -> Credit:
    """Return the credit of a game against this opponent; the tenth in a month counts a tenth."""
    trusted = trust(person, opponent, known)
    met = known.get(person, Opponents()).recent.get(opponent, 0)
    return Credit((_STRANGER + (1 - _STRANGER) * trusted) / (1 + met), trusted)


def rated(
    result: RatedResult,
    before: Mapping[str, Rating],
    credits: Mapping[tuple[str, str], Credit] = {},
) -> dict[str, Rating]:
    """Return everybody's rating after a game; `credits` is by player and opponent.

    >>> after = rated(RatedResult("two", (("ann",), ("ben",)), (0, 1)), {})
    >>> displayed(after["ann"]) > 1500 > displayed(after["ben"])
    True
    """
    return {
        person: _rated_one(person, number, result, before, credits)
        for number, side in enumerate(result.sides)
        for person in side
    }


def _rated_one(
    person: str,
    number: int,
    result: RatedResult,
    before: Mapping[str, Rating],
    credits: Mapping[tuple[str, str], Credit],
) -> Rating:
    side = result.sides[number]
    earned = {
        other: credits.get((person, other), Credit())
        for team in result.sides
        for other in team
        if other not in side
    }
    teams = []
    for team in result.sides:
        beliefs = []
        for one in team:
            belief, believable = before.get(one, Rating()), earned.get(one, Credit()).trust
            surplus = max(0.0, belief.mu - _MODEL.mu) * (1 - believable)
            beliefs.append(_MODEL.rating(mu=belief.mu - surplus, sigma=belief.sigma))
        teams.append(beliefs)
    after = _MODEL.rate(teams, ranks=[float(place) for place in result.places])
    old, new = before.get(person, Rating()), after[number][side.index(person)]
    share = sum(one.weight for one in earned.values()) / len(earned)
    return Rating(
        old.mu + share * (new.mu - old.mu),
        old.sigma + share * (new.sigma - old.sigma),
        old.games + 1,
    )
