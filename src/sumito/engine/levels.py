"""Ten strengths for people, from one that a child beats to all that the engine has.

A weaker level looks less far, sees its own judgement through noise, and overlooks some of the
moves deep in a line: it errs as people err, by seeing less, not by throwing marbles away. The
kernel has the table, so that its match runner and this face speak of the same ten.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NoReturn

from sumito import kernel
from sumito.errors import EngineError
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
        """A level by its name or its number."""
        for level in cls:
            if str(text).lower() in (str(level), str(int(level))):
                return level
        return cls._missing_(text)

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise EngineError(
            N_("{text!r} is not a level; levels are {known}"), text=str(value), known=tuple(cls)
        )

    @property
    def is_full_strength(self) -> bool:
        """Nothing holds it back, so it needs a limit to stop at."""
        return self is Level.CHAMPION

    @property
    def plays_openings(self) -> bool:
        """Begins games by `sumito.opening_book`: those who err vary by themselves."""
        return self >= Level.EXPERT

    def seconds(self, left: float | None = None) -> float:
        """How long it thinks about a move against people, with so much left on its clock.

        Nobody waits a second; only champion uses all of its time.
        """
        seconds = 0.05 * 1.34**self
        # A game lasts some 40 moves a side; a thirtieth of what is left is never too much.
        return seconds if left is None else min(seconds, left / 30)

    def to_kernel(self, seed: int = 0) -> kernel.Handicap:
        """What holds the level back, as the kernel takes it."""
        return kernel.level(int(self), kernel_seed(seed))

    def __str__(self) -> str:
        return self.name.lower()

    def __repr__(self) -> str:
        return f"Level.{self.name}"
