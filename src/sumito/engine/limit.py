"""How long the engine may think."""

from __future__ import annotations

from dataclasses import dataclass

from sumito.errors import EngineError


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What the clock of the player to move shows, in seconds."""

    remaining: float
    increment: float = 0.0
    """What each move adds, or a delay that isn't charged."""
    moves: int | None = None
    """Moves to the next time control; None: the time is for the whole game."""

    def __post_init__(self) -> None:
        _check("remaining", self.remaining, 0)
        _check("increment", self.increment, 0)
        _check("moves", self.moves, 1)

    def to_core(self) -> tuple[int, int, int]:
        """In milliseconds, as the kernel takes it; 0 moves for the whole game."""
        return round(self.remaining * 1000), round(self.increment * 1000), self.moves or 0


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop: whatever is reached first. None at all: when told to.

    >>> Limit(time=0.5, depth=12)
    Limit(time=0.5, nodes=None, depth=12, clock=None)
    """

    time: float | None = None
    """Seconds for this move."""
    nodes: int | None = None
    depth: int | None = None
    clock: TimeLeft | None = None

    def __post_init__(self) -> None:
        _check("time", self.time, 0)
        _check("nodes", self.nodes, 1)
        _check("depth", self.depth, 1)
        if self.clock is not None and not isinstance(self.clock, TimeLeft):
            raise EngineError(f"clock is a TimeLeft, not {self.clock!r}")

    @property
    def is_endless(self) -> bool:
        return self == Limit()


def _check(name: str, value: float | None, least: int) -> None:
    if value is not None and not value >= least:
        raise EngineError(f"{name} can't be {value!r}: it is a number from {least} on")
