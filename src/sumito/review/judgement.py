"""What a review counts with: the chance of winning a move loses, and what that is called.

The formulas are the kernel's, so that a page counts alike.
"""

from __future__ import annotations

from collections.abc import Iterable

from sumito import kernel
from sumito.choice import Choice
from sumito.engine.score import Score
from sumito.errors import check_kind
from sumito.i18n.messages import N_


class Verdict(Choice):
    """What a move is called by the chance of winning it loses."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @classmethod
    def of(cls, loss: float) -> Verdict:
        """
        >>> Verdict.of(0.02), Verdict.of(0.07), Verdict.of(0.3)
        (<Verdict.GOOD: 'good'>, <Verdict.INACCURACY: 'inaccuracy'>, <Verdict.BLUNDER: 'blunder'>)
        """
        check_kind("loss", loss, (int, float))
        return cls(kernel.verdict(loss))

    @property
    def label(self) -> str:
        """Its word, for the catalogue."""
        return _LABELS[self]

    @property
    def nag(self) -> int | None:
        """The number that records have for it: ?!, ? or ??."""
        return _NAGS.get(self)


_LABELS = {
    Verdict.GOOD: N_("good move"),
    Verdict.INACCURACY: N_("inaccuracy"),
    Verdict.MISTAKE: N_("mistake"),
    Verdict.BLUNDER: N_("blunder"),
}
_NAGS = {Verdict.INACCURACY: 6, Verdict.MISTAKE: 2, Verdict.BLUNDER: 4}


def loss(best: Score, played: Score) -> float:
    """The chance of winning that a move gave away, 0 to 1; both scores are the player's.

    >>> f"{loss(Score(0), Score(-100)):.2f}"
    '0.36'
    """
    check_kind("best", best, Score)
    check_kind("played", played, Score)
    return max(0.0, best.chance - played.chance)


def accuracy(losses: Iterable[float]) -> float:
    """How accurately somebody played, 0 to 1, by what each move lost.

    >>> f"{accuracy([0, 0, 0.2]):.0%}"
    '79%'
    """
    check_kind("losses", losses, Iterable)
    return kernel.accuracy(list(losses))
