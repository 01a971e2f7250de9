"""How long the engine may think, and the bounds of what it may be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sumito.errors import EngineError
from sumito.sentence import N_

MOST_SECONDS: Final = 1_000_000_000
MOST_NODES: Final = 2**63 - 1
MOST_DEPTH: Final = 2**31 - 1
"""Far beyond what any search reaches: the kernel's numbers end here."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What the clock of the player to move shows, in seconds."""

    remaining: float
    increment: float = 0.0
    """What each move adds, or a delay that isn't charged."""
    moves: int | None = None
    """Moves to the next time control; None: the time is for the whole game."""

    def __post_init__(self) -> None:
        check_seconds("remaining", self.remaining)
        check_seconds("increment", self.increment)
        if self.moves is not None:
            check_whole("moves", self.moves, 1, MOST_DEPTH)

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
        if self.time is not None:
            check_seconds("time", self.time)
        if self.nodes is not None:
            check_whole("nodes", self.nodes, 1, MOST_NODES)
        if self.depth is not None:
            check_whole("depth", self.depth, 1, MOST_DEPTH)
        if self.clock is not None and not isinstance(self.clock, TimeLeft):
            raise EngineError(N_("clock is a TimeLeft, not {value!r}"), value=self.clock)

    @property
    def is_endless(self) -> bool:
        return self == Limit()

    @property
    def milliseconds(self) -> int:
        """The time for this move as the kernel takes it; 0 for none."""
        return 0 if self.time is None else max(1, round(self.time * 1000))


def check_seconds(name: str, value: float) -> None:
    """Refuse what is no time."""
    if not isinstance(value, int | float) or not 0 <= value <= MOST_SECONDS:
        raise EngineError(
            N_("{name} can't be {value!r}: it is a number from 0 to {most:,}"),
            name=name,
            value=value,
            most=MOST_SECONDS,
        )


def check_whole(name: str, value: int, least: int, most: int) -> None:
    """Refuse what is no whole number between two bounds."""
    if type(value) is not int or not least <= value <= most:
        raise EngineError(
            N_("{name} can't be {value!r}: it is a whole number from {least} to {most:,}"),
            name=name,
            value=value,
            least=least,
            most=most,
        )
