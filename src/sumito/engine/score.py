"""Scores, and the variations that the engine returns."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from sumito.engine.limit import check_whole
from sumito.errors import EngineValueError
from sumito.i18n.messages import N_
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move
from sumito.validate import check_type, parsed

CHANCE_UNIT: Final = 55.0
"""Hundredths of a marble that make a win e times as likely as a loss.

Fitted to results: the unit for which the scores of 179,914 positions from 1,024 games of self-play
at 1,000 nodes a move predict the results with the least squared error (`lab train` fits the same
unit to its samples).
"""


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """The score of a side: in hundredths of a marble, or won or lost in a number of plies.

    >>> str(Score(125)), str(Score.win(3)), str(Score.loss(4))
    ('+1.25', 'wins in 3', 'loses in 4')
    >>> Score.win(3) > Score.win(5) > Score(400) > Score.loss(6) > Score.loss(2)
    True

    An engine's scores have a side, and can be converted to the other side's point of view:

    >>> from sumito import BLACK, WHITE
    >>> score = Score(125, side=BLACK)
    >>> str(score.pov(WHITE)), f"{score.chance:.0%}", f"{score.pov(WHITE).chance:.0%}"
    ('-1.25', '91%', '9%')

    Scores of different sides are never equal, and ordering them raises `EngineValueError`:
    convert them by `pov` first. A score without a side compares with any, by its value.
    """

    value: int
    side: Colour | None = None
    """The side of the score, named by its first colour; `None` if unknown."""
    mode: Mode = Mode.TWO

    def __post_init__(self) -> None:
        object.__setattr__(self, "mode", parsed("mode", self.mode, Mode))
        if self.side is not None:
            object.__setattr__(self, "side", self.mode.side(self.side))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self.value == other.value and self._is_comparable(other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: Score) -> bool:
        return self._number(other) < other.value

    def __le__(self, other: Score) -> bool:
        return self._number(other) <= other.value

    def __gt__(self, other: Score) -> bool:
        return self._number(other) > other.value

    def __ge__(self, other: Score) -> bool:
        return self._number(other) >= other.value

    def _is_comparable(self, other: Score) -> bool:
        known = self.side is not None and other.side is not None
        return not known or (self.side, self.mode) == (other.side, other.mode)

    def _number(self, other: Score) -> int:
        """Return the value; raise `EngineValueError` if the other has a different side."""
        check_type("score", other, Score)
        if not self._is_comparable(other):
            raise EngineValueError(
                N_("scores of different sides can't be compared; convert both to one side by pov"),
                code="different-sides",
            )
        return self.value

    @classmethod
    def win(cls, plies: int, side: Colour | None = None, mode: Mode = Mode.TWO) -> Score:
        """Return the score of a win with the last of that many plies."""
        check_whole("plies", plies, 0, _WIN)
        return cls(_WIN - plies, side, mode)

    @classmethod
    def loss(cls, plies: int, side: Colour | None = None, mode: Mode = Mode.TWO) -> Score:
        """Return the score of a loss with the last of that many plies."""
        check_whole("plies", plies, 0, _WIN)
        return cls(plies - _WIN, side, mode)

    @classmethod
    def parse(cls, text: str, side: Colour | None = None, mode: Mode = Mode.TWO) -> Score:
        """Parse a score as `str` writes it: `+1.25`, `wins in 3`, `loses in 4`."""
        found = _TEXT.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise EngineValueError(
                N_("{text!r} is not a score; it is written as +1.25, wins in 3 or loses in 4"),
                code="score",
                text=str(text),
            )
        if found["marbles"]:
            return cls(round(float(found["marbles"]) * 100), side, mode)
        end = cls.win if found["end"] == "wins" else cls.loss
        return end(int(found["plies"]), side, mode)

    @property
    def plies(self) -> int | None:
        """The plies until the game is won or lost, `None` if it isn't decided."""
        return _WIN - abs(self.value) if abs(self.value) > _WIN - _LONGEST else None

    @property
    def is_win(self) -> bool:
        return self.plies is not None and self.value > 0

    @property
    def is_loss(self) -> bool:
        return self.plies is not None and self.value < 0

    @property
    def marbles(self) -> float:
        """The score in marbles; beyond any material if the game is decided."""
        return self.value / 100

    @property
    def chance(self) -> float:
        """The side's chance of winning from 0 to 1, with a draw as half a win.

        An even score is one half, and a third among three.
        """
        if self.plies is not None:
            return float(self.is_win)
        others = len(self.mode.sides) - 1
        return 1 / (1 + others * math.exp(-self.value / CHANCE_UNIT))

    def pov(self, colour: Colour | str) -> Score:
        """Return the score from the point of view of a player's side."""
        if self.side is None:
            raise EngineValueError(N_("the score has no side"))
        if self.mode.side(colour) is self.side:
            return self
        return -self

    def __neg__(self) -> Score:
        """Return the score from the other side's point of view; raise an error among three."""
        others = [side[0] for side in self.mode.sides if side[0] is not self.side]
        if len(self.mode.sides) > 2:
            raise EngineValueError(N_("a score among three can't be converted to another side"))
        return Score(-self.value, None if self.side is None else others[0], self.mode)

    def __str__(self) -> str:
        if self.plies is None:
            return f"{self.marbles:+.2f}"
        return f"{'wins' if self.value > 0 else 'loses'} in {self.plies}"


_TEXT: Final = re.compile(
    r"(?P<marbles>[+-][0-9]{1,4}\.[0-9]{2})|(?P<end>wins|loses) in (?P<plies>[0-9]{1,3})"
)
_WIN: Final = 1_000_000
_LONGEST: Final = 1_000


@dataclass(frozen=True, slots=True)
class Variation:
    """A move with its score and the expected continuation."""

    move: Move
    score: Score
    """The score from the point of view of the player who moves."""
    depth: int
    """The search depth in plies."""
    nodes: int
    """The number of positions searched."""
    time: float
    """Seconds since the search began."""
    pv: tuple[Move, ...]
    """The principal variation, this move first."""
    selective_depth: int = 0
    """The depth of the deepest variation searched, in plies."""

    @property
    def nodes_per_second(self) -> int:
        return round(self.nodes / max(self.time, 1e-6))

    def __str__(self) -> str:
        return f"{self.score} depth {self.depth}: {' '.join(map(str, self.pv))}"
