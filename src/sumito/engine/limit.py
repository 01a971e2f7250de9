"""Limits of a search: time, nodes, depth or a clock."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from sumito import validate
from sumito.errors import EngineError, EngineValueError
from sumito.i18n.messages import N_
from sumito.validate import check_number, check_type, parsed

MOST_SECONDS: Final = 1_000_000_000
MOST_NODES: Final = 2**63 - 1
MOST_DEPTH: Final = 2**31 - 1
"""The bounds of the kernel's number types, beyond what any search reaches."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The clock of the player to move, in seconds.

    >>> TimeLeft.parse("60+0.5/40")
    TimeLeft(remaining=60.0, increment=0.5, moves=40)
    """

    remaining: float
    increment: float = 0.0
    """The increment per move, or the uncharged delay."""
    moves: int | None = None
    """Moves to the next time control; `None` if the time is for the whole game."""

    def __post_init__(self) -> None:
        check_seconds("remaining", self.remaining)
        check_seconds("increment", self.increment)
        if self.moves is not None:
            check_whole("moves", self.moves, 1, MOST_DEPTH)

    @classmethod
    def parse(cls, text: str) -> TimeLeft:
        """Parse the seconds left, `+` the increment, and `/` the moves to the next control."""
        found = _CLOCK.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise EngineValueError(
                N_("{text!r} is not a time left; write it as 60, 60+0.5 or 60+0.5/40"),
                code="time-left",
                text=str(text),
            )
        moves = int(found["moves"]) if found["moves"] else None
        return cls(float(found["remaining"]), float(found["increment"] or 0), moves)

    def __str__(self) -> str:
        increment = f"+{_plain(self.increment)}" if self.increment else ""
        moves = "" if self.moves is None else f"/{self.moves}"
        return f"{_plain(self.remaining)}{increment}{moves}"

    def to_kernel(self) -> tuple[int, int, int]:
        """Return the clock for the kernel, in milliseconds; 0 moves for the whole game."""
        return round(self.remaining * 1000), round(self.increment * 1000), self.moves or 0


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits of a search: the first one reached ends it; without any, only `stop` does.

    >>> Limit(time=0.5, depth=12)
    Limit(time=0.5, nodes=None, depth=12, clock=None)
    >>> str(Limit.parse("time=0.5 clock=60+1")), str(Limit())
    ('time=0.5 clock=60+1', 'endless')
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
        if self.clock is not None:
            object.__setattr__(self, "clock", parsed("clock", self.clock, TimeLeft))

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Parse a limit as `str` writes it, as `nodes=5000 time=0.1`, or `endless` for none."""
        limit = cls()
        for word in () if text == ENDLESS else str(text).split(" "):
            name, _, value = word.partition("=")
            if name not in _PARTS or getattr(limit, name) is not None:
                raise EngineValueError(
                    N_("{text!r} is not a limit; write it as time=0.5 nodes=5000 depth=12"),
                    code="limit",
                    text=word,
                )
            limit = limit.with_part(name, value)
        return limit

    def with_part(self, name: str, value: str) -> Limit:
        """Return the limit with one part parsed from a text."""
        if not isinstance(name, str) or name not in _PARTS:
            raise EngineValueError(
                N_("{name!r} is not a part of a limit; parts are {known}"),
                code="limit",
                name=name,
                known=tuple(_PARTS),
            )
        check_type(name, value, str)
        try:
            part = _PARTS[name](value)
        except EngineError:
            raise
        except ValueError:  # from Python's number parsers
            raise EngineValueError(
                N_("{name}={value}: {value!r} is not a number"),
                code="limit",
                name=name,
                value=value,
            ) from None
        return replace(self, **{name: part})

    def __str__(self) -> str:
        parts = ((name, getattr(self, name)) for name in _PARTS)
        return (
            " ".join(f"{name}={_plain(part)}" for name, part in parts if part is not None)
            or ENDLESS
        )

    @property
    def is_endless(self) -> bool:
        return self == Limit()

    @property
    def milliseconds(self) -> int:
        """Return the time for this move for the kernel, in milliseconds; 0 for none."""
        return 0 if self.time is None else max(1, round(self.time * 1000))


ENDLESS: Final = "endless"
_SECONDS: Final = r"[0-9]{1,10}(?:\.[0-9]{1,17})?"
_CLOCK: Final = re.compile(
    rf"(?P<remaining>{_SECONDS})(?:\+(?P<increment>{_SECONDS}))?(?:/(?P<moves>[0-9]{{1,10}}))?"
)
_PARTS: Final[dict[str, Callable[[str], Any]]] = {
    "time": float,
    "nodes": int,
    "depth": int,
    "clock": TimeLeft.parse,
}
"""The parts of a limit, with their parsers."""


def _plain(value: object) -> str:
    """Return a number as text, without an exponent or trailing zeros."""
    return (
        format(Decimal(repr(value)), "f").removesuffix(".0") if type(value) is float else str(value)
    )


def check_seconds(name: str, value: float) -> None:
    """Raise `EngineValueError` unless the value is a number of seconds."""
    check_number(name, value, MOST_SECONDS, EngineValueError)


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Raise `EngineValueError` unless the value is a whole number between two bounds."""
    validate.check_whole(name, value, least, most, EngineValueError)
