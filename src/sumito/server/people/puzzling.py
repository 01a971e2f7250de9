"""How strong people are at puzzles, and how hard puzzles are: each try is a game between the two.

The same system as for games. A puzzle begins where the engine's levels have put it, and counts as
one who is well known, so that it tells much about a newcomer and a newcomer little about it.
"""

from __future__ import annotations

from typing import Final

from sumito.server.people.ratings import SETTLED, Placing, Rating, believed, rated

_KNOWN: Final = 3.0
"""How unsure a puzzle's rating is to begin with; a person's is 25/3."""
_PERSON, _PUZZLE = "person", "puzzle"


def first_rating(shipped: int) -> Rating:
    """What is believed of a puzzle that nobody has tried."""
    return Rating(believed(shipped), _KNOWN, SETTLED)


def after_try(person: Rating, puzzle: Rating, *, solved: bool) -> tuple[Rating, Rating]:
    """What is believed of both after a try.

    >>> person, puzzle = after_try(Rating(), first_rating(1500), solved=True)
    >>> person.mu > Rating().mu, puzzle.mu < first_rating(1500).mu
    (True, True)
    """
    places = (0, 1) if solved else (1, 0)
    verdict = Placing("puzzles", ((_PERSON,), (_PUZZLE,)), places)
    after = rated(verdict, {_PERSON: person, _PUZZLE: puzzle})
    return after[_PERSON], after[_PUZZLE]
