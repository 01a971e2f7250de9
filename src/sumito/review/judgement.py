"""Judges moves by the chance of winning they lose: verdicts, loss and accuracy.

The formulas are the kernel's, so that the page has the same results.
"""

from __future__ import annotations

from collections.abc import Iterable

from sumito import kernel
from sumito.choice import Choice
from sumito.engine.score import Score
from sumito.i18n.messages import N_
from sumito.validate import check_type


class Verdict(Choice):
    """The verdict on a move, by the chance of winning it loses."""

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
        check_type("loss", loss, (int, float))
        return cls(kernel.verdict(loss))

    @property
    def label(self) -> str:
        """The name as a template, to be translated."""
        return _LABELS[self]

    @property
    def nag(self) -> int | None:
        """The annotation number in records: of ?!, ? or ??."""
        return _NAGS.get(self)


_LABELS = {
    Verdict.GOOD: N_("good move"),
    Verdict.INACCURACY: N_("inaccuracy"),
    Verdict.MISTAKE: N_("mistake"),
    Verdict.BLUNDER: N_("blunder"),
}
_NAGS = {Verdict.INACCURACY: 6, Verdict.MISTAKE: 2, Verdict.BLUNDER: 4}


def loss(best: Score, played: Score) -> float:
    """Return the chance of winning that a move lost, 0 to 1; both scores are the player's.

    >>> f"{loss(Score(0), Score(-100)):.2f}"
    '0.36'
    """
    check_type("best", best, Score)
    check_type("played", played, Score)
    return max(0.0, best.chance - played.chance)


def accuracy(losses: Iterable[float]) -> float:
    """Return a player's accuracy, 0 to 1, from the loss of each move.

    >>> f"{accuracy([0, 0, 0.2]):.0%}"
    '79%'
    """
    check_type("losses", losses, Iterable)
    return kernel.accuracy(list(losses))
