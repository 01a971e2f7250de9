"""Ten levels of strength, from one that a child beats to the full engine.

A weaker level searches less deep, adds noise to its evaluation and overlooks some moves deep in a
variation: it errs as people do, by seeing less, not by giving marbles away. The table of levels is
in the kernel, which its match runner shares.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NoReturn

from sumito import kernel
from sumito.errors import EngineValueError
from sumito.i18n.messages import N_
from sumito.kernel.positions import kernel_seed


class Level(IntEnum):
    """The ten levels, weakest first."""

    NEWCOMER = 1
    GENTLE = 2
    FRIENDLY = 3
    CASUAL = 4
    STEADY = 5
    KEEN = 6
    STRONG = 7
    EXPERT = 8
    MASTER = 9
    CHAMPION = 10

    @classmethod
    def parse(cls, text: str) -> Level:
        """Return a level by its name or its number."""
        for level in cls:
            if str(text).lower() in (str(level), str(int(level))):
                return level
        return cls._missing_(text)

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise EngineValueError(
            N_("{text!r} is not a level; levels are {known}"), text=str(value), known=tuple(cls)
        )

    @property
    def is_full_strength(self) -> bool:
        """Whether the level has no bound of its own, so that it needs a limit."""
        return self is Level.CHAMPION

    @property
    def uses_opening_book(self) -> bool:
        """Whether this level uses the opening book. Weaker levels vary through their errors."""
        return self >= Level.EXPERT

    def seconds(self, left: float | None = None) -> float:
        """Return the limit of a move against people, given the time left on its clock.

        Weaker levels answer within a second; only champion uses all of its time.
        """
        seconds = 0.05 * 1.34**self
        # A game has about 40 moves a side; a thirtieth of the time left never exhausts the clock.
        return seconds if left is None else min(seconds, left / 30)

    def to_kernel(self, seed: int = 0) -> kernel.Handicap:
        """Return the level's handicaps for the kernel."""
        return kernel.level(int(self), kernel_seed(seed))

    def __str__(self) -> str:
        return self.name.lower()

    def __repr__(self) -> str:
        return f"Level.{self.name}"
