"""Match statistics: Elo with its error, and a sequential probability ratio test (SPRT).

Games come in rounds: the same opening with the seats exchanged, two games for two sides and six for
three. The games of a round are correlated, so statistics are over rounds, not games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sumito.choice import Choice
from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.validate import check_type

CONFIDENCE_95 = 1.959964
"""Standard errors on each side of a 95 % confidence interval."""


def expected(elo: float) -> float:
    """Return the expected score for a difference in Elo.

    >>> round(expected(191), 2)
    0.75
    """
    check_type("elo", elo, (int, float))
    return 1 / (1 + 10 ** (-elo / 400))


def difference(score: float) -> float:
    """Return the difference in Elo for a score; infinite at 0 and 1."""
    check_type("score", score, (int, float))
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


class Tally:
    """Results of one player against another, from the first's side, round by round."""

    def __init__(self) -> None:
        self.wins = self.draws = self.losses = 0
        self.rounds: list[float] = []
        """The points per game of each round."""

    def add(self, points: Sequence[float]) -> None:
        """Count a round by the points of its games, each 0, ½ or 1."""
        self.wins += sum(point == 1 for point in points)
        self.draws += sum(point == 0.5 for point in points)
        self.losses += sum(point == 0 for point in points)
        self.rounds.append(sum(points) / len(points))

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def elo(self) -> float:
        return difference(self.score)

    @property
    def variance(self) -> float:
        """Variance of a round's score; at least what one more, surprising round would make it."""
        count = len(self.rounds)
        if not count:
            return 0.25
        spread = sum((round - self.score) ** 2 for round in self.rounds) / count
        return max(spread, 0.25 / (count + 1))

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the Elo difference."""
        error = CONFIDENCE_95 * math.sqrt(self.variance / max(1, len(self.rounds)))
        return difference(self.score - error), difference(self.score + error)

    def __str__(self) -> str:
        counts = f"+{self.wins} ={self.draws} -{self.losses} ({100 * self.score:.1f} %)"
        low, high = self.interval
        if math.isinf(self.elo):
            return f"{counts}, Elo {'above' if self.elo > 0 else 'below'} any measure"
        if math.isinf(low) or math.isinf(high):
            return f"{counts}, Elo {self.elo:+.0f}, error unknown"
        return f"{counts}, Elo {self.elo:+.0f} ± {(high - low) / 2:.0f}"


class SprtVerdict(Choice, error=LabError):
    """Verdict of a sequential test so far."""

    GOING_ON = "going on"
    BETTER = "accepted"
    NOT_BETTER = "rejected"


@dataclass(frozen=True, slots=True)
class Sprt:
    """SPRT: is the first player better by `elo1` rather than by `elo0`?

    The likelihood ratio assumes normally distributed round scores with the observed variance.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            check_type(name, getattr(self, name), (int, float))
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise LabError(
                N_("a sequential test needs a smaller and a larger difference, such as 0 and 10")
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise LabError(N_("the errors of a sequential test lie between 0 and one half"))

    @property
    def bounds(self) -> tuple[float, float]:
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, tally: Tally) -> float:
        """Return the log-likelihood ratio of `elo1` against `elo0`."""
        low, high = expected(self.elo0), expected(self.elo1)
        count = len(tally.rounds)
        return count * (high - low) * (2 * tally.score - low - high) / (2 * tally.variance)

    def verdict(self, tally: Tally) -> SprtVerdict:
        lower, upper = self.bounds
        llr = self.llr(tally)
        if llr >= upper:
            return SprtVerdict.BETTER
        return SprtVerdict.NOT_BETTER if llr <= lower else SprtVerdict.GOING_ON
