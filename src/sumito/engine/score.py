"""What the engine says of a move: a score, and the line of play behind it."""

from __future__ import annotations

from dataclasses import dataclass

from sumito.move import Move


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """How the side to move stands: in hundredths of a marble, or won or lost in so many plies.

    >>> str(Score(125)), str(Score.win(3)), str(Score.loss(4))
    ('+1.25', 'wins in 3', 'loses in 4')
    >>> Score.win(3) > Score.win(5) > Score(400) > Score.loss(6) > Score.loss(2)
    True
    """

    value: int

    @classmethod
    def win(cls, plies: int) -> Score:
        """The side to move wins with the last of that many plies."""
        return cls(_WIN - plies)

    @classmethod
    def loss(cls, plies: int) -> Score:
        """The side to move loses with the last of that many plies."""
        return cls(plies - _WIN)

    @property
    def plies(self) -> int | None:
        """How many plies until the game is won or lost, or None if it isn't decided."""
        return _WIN - abs(self.value) if abs(self.value) > _WIN - _LONGEST else None

    @property
    def is_win(self) -> bool:
        return self.plies is not None and self.value > 0

    @property
    def is_loss(self) -> bool:
        return self.plies is not None and self.value < 0

    @property
    def marbles(self) -> float:
        """The score in marbles; far beyond any material when the game is decided."""
        return self.value / 100

    def __neg__(self) -> Score:
        return Score(-self.value)

    def __str__(self) -> str:
        if self.plies is None:
            return f"{self.marbles:+.2f}"
        return f"{'wins' if self.value > 0 else 'loses'} in {self.plies}"


_WIN = 1_000_000
_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class Line:
    """A move with its score and the play that the engine expects after it."""

    move: Move
    score: Score
    depth: int
    """How many plies the search looked ahead."""
    nodes: int
    """How many positions it visited."""
    time: float
    """Seconds since the search began."""
    pv: tuple[Move, ...]
    """The expected play, this move first."""
    selective_depth: int = 0
    """The farthest it looked along any one line."""

    @property
    def nodes_per_second(self) -> int:
        return round(self.nodes / max(self.time, 1e-6))

    def __str__(self) -> str:
        return f"{self.score} depth {self.depth}: {' '.join(map(str, self.pv))}"
