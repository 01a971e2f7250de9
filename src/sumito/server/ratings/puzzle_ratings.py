"""How strong people are at puzzles, and how hard puzzles are: each try is a game between the two.

The same system as for games. A puzzle begins where the engine's levels have put it, and counts as
a player with many games, so that it says much about a newcomer and a newcomer little about it.
"""

from __future__ import annotations

from typing import Final

from sumito.server.ratings.ratings import Credit, RatedResult, Rating, believed, rated

_UNSURE: Final = 3.0
"""How unsure a puzzle's rating is to begin with; a person's is 25/3."""
_SETTLED: Final = 20
"""The number of tries after which a person's result counts fully for a puzzle."""
_PERSON, _PUZZLE = "person", "puzzle"


def first_rating(shipped: int) -> Rating:
    """What is believed of a puzzle that nobody has tried."""
    return Rating(believed(shipped), _UNSURE)


def after_try(person: Rating, puzzle: Rating, *, solved: bool) -> tuple[Rating, Rating]:
    """What is believed of both after a try.

    >>> person, puzzle = after_try(Rating(), first_rating(1500), solved=True)
    >>> person.mu > Rating().mu, puzzle.mu < first_rating(1500).mu
    (True, True)
    """
    places = (0, 1) if solved else (1, 0)
    result = RatedResult("puzzles", ((_PERSON,), (_PUZZLE,)), places)
    weight = min(1.0, ((person.games + 1) / _SETTLED) ** 2)
    credits = {(_PUZZLE, _PERSON): Credit(weight)}
    after = rated(result, {_PERSON: person, _PUZZLE: puzzle}, credits)
    return after[_PERSON], after[_PUZZLE]
