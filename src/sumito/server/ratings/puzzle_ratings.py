"""Puzzle ratings, of people and puzzles: each attempt is rated as a game between the two.

A puzzle starts with the rating measured by the engine's levels and a small uncertainty, so that it
changes a newcomer's rating much and a newcomer changes it little.
"""

from __future__ import annotations

from typing import Final

from sumito.server.ratings.ratings import Credit, RatedResult, Rating, believed, rated

_UNSURE: Final = 3.0
"""The sigma that a puzzle's rating starts with; a person's is 25/3."""
_SETTLED: Final = 20
"""After this number of attempts, a person's result counts fully for a puzzle."""
_PERSON, _PUZZLE = "person", "puzzle"


def first_rating(shipped: int) -> Rating:
    """Return the rating of a puzzle that nobody has tried."""
    return Rating(believed(shipped), _UNSURE)


def after_try(person: Rating, puzzle: Rating, *, solved: bool) -> tuple[Rating, Rating]:
    """Return the ratings of both after an attempt.

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
