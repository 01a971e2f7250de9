"""Time controls, and a game's clock as an immutable value.

The time `at` is an argument, in whole milliseconds since any fixed moment. A clock stores the time
each seat had left when its clock last stopped, which clock runs and since when; everything else is
derived from that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Final

from sumito.errors import ControlError
from sumito.i18n.messages import N_

LONGEST: Final = 9_999_999_999
"""The longest time in a control, about 115 days: seven digits of seconds in its text."""


@dataclass(frozen=True, slots=True)
class Control:
    """A time control; `str` is the text of a record's TimeControl tag, in seconds.

    >>> Control.parse("600+5")
    Fischer(ms=600000, increment_ms=5000)
    >>> str(Control.parse("0.5d0.25"))
    '0.5d0.25'
    """

    @staticmethod
    def parse(text: str) -> Control:
        """Parse a time control in seconds: `-`, `900`, `600+5` or `600d3`."""
        return _parse(text)

    def __post_init__(self) -> None:
        for field in fields(self):
            least = 1 if field.name == "ms" else 0
            value = getattr(self, field.name)
            if type(value) is not int or not least <= value <= LONGEST:
                raise ControlError(
                    N_(
                        "{name} must be a whole number of milliseconds from {least} to {most}, "
                        "not {value!r}"
                    ),
                    code="control-time",
                    name=field.name,
                    least=least,
                    most=LONGEST,
                    value=value,
                )

    @property
    def budget(self) -> int | None:
        """The initial time of each player, in milliseconds; `None` if untimed."""
        return None

    @property
    def increment(self) -> int:
        """The milliseconds added for each move."""
        return 0

    @property
    def delay(self) -> int:
        """The uncharged milliseconds at the start of each turn."""
        return 0


@dataclass(frozen=True, slots=True)
class NoClock(Control):
    """An untimed game."""

    def __str__(self) -> str:
        return "-"


@dataclass(frozen=True, slots=True)
class SuddenDeath(Control):
    """A fixed time for the whole game."""

    ms: int

    @property
    def budget(self) -> int:
        return self.ms

    def __str__(self) -> str:
        return _seconds(self.ms)


@dataclass(frozen=True, slots=True)
class Fischer(Control):
    """A fixed time and an increment for each move."""

    ms: int
    increment_ms: int

    @property
    def budget(self) -> int:
        return self.ms

    @property
    def increment(self) -> int:
        return self.increment_ms

    def __str__(self) -> str:
        return f"{_seconds(self.ms)}+{_seconds(self.increment_ms)}"


@dataclass(frozen=True, slots=True)
class Delay(Control):
    """A fixed time and an uncharged delay at the start of each turn."""

    ms: int
    delay_ms: int

    @property
    def budget(self) -> int:
        return self.ms

    @property
    def delay(self) -> int:
        return self.delay_ms

    def __str__(self) -> str:
        return f"{_seconds(self.ms)}d{_seconds(self.delay_ms)}"


def _seconds(ms: int) -> str:
    whole, rest = divmod(ms, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


_NUMBER: Final = r"((?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,3})?)"
_TEXT: Final = re.compile(rf"{_NUMBER}(?:([+d]){_NUMBER})?")
_WITH_EXTRA: Final[dict[str, Callable[[int, int], Control]]] = {"+": Fischer, "d": Delay}


def _parse(text: str) -> Control:
    if text == "-":
        return NoClock()
    match = _TEXT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ControlError(
            N_(
                "{text!r} is not a time control: write -, or seconds as in 900, "
                "600+5 (increment) or 600d3 (delay)"
            ),
            text=str(text),
        )
    ms, kind, extra = match.groups()
    if kind is None:
        return SuddenDeath(_ms(ms))
    return _WITH_EXTRA[kind](_ms(ms), _ms(extra))


def _ms(seconds: str) -> int:
    whole, _, rest = seconds.partition(".")
    return int(whole) * 1000 + int(rest.ljust(3, "0"))


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of all seats, of which at most one runs; seats count from 0.

    >>> clock = Clock.of(Fischer(60_000, 2_000), seats=2).start(0, at=0)
    >>> clock.remaining(0, at=15_000)
    45000
    >>> clock.press(at=15_000).remaining(0, at=99_000)
    47000
    """

    control: Control
    left: tuple[int, ...]
    """Milliseconds per seat when its clock last stopped; meaningless if untimed."""
    running: int | None = None
    since: int = 0
    """The time at which the running clock was started."""

    @classmethod
    def of(cls, control: Control, seats: int) -> Clock:
        """Return clocks with the initial time, none running."""
        return cls(control, (control.budget or 0,) * seats)

    def start(self, seat: int, at: int) -> Clock:
        if self.running is not None:
            raise ControlError(
                N_("the clock of seat {seat} is running: stop it first"),
                code="clock-running",
                seat=self.running,
            )
        if not 0 <= seat < len(self.left):
            raise ControlError(
                N_("this clock has no seat {seat}, only 0 to {last}"),
                code="clock-seat",
                seat=int(seat),
                last=len(self.left) - 1,
            )
        return replace(self, running=int(seat), since=at)

    def stop(self, at: int) -> Clock:
        """Stop the running clock without an increment."""
        return self._stopped(at, 0)

    def press(self, at: int, lag: int = 0) -> Clock:
        """Stop the running clock after a move; `lag` milliseconds of the turn aren't charged."""
        if self.running is not None and lag > 0:
            at = max(self.since, at - lag)
        return self._stopped(at, self.control.increment)

    def _stopped(self, at: int, bonus: int) -> Clock:
        seat = self.running
        if seat is None:
            raise ControlError(N_("no clock is running"), code="clock-stopped")
        if at < self.since:
            raise ControlError(
                N_("the clock was started at {since}: it can't stop at {at}"),
                code="clock-backwards",
                since=self.since,
                at=at,
            )
        left = list(self.left)
        left[seat] = (self.remaining(seat, at) or 0) + bonus
        return replace(self, left=tuple(left), running=None, since=at)

    def remaining(self, seat: int, at: int) -> int | None:
        """Return a seat's remaining milliseconds, at least 0; `None` if untimed."""
        if self.control.budget is None:
            return None
        left = self.left[seat]
        if seat != self.running:
            return left
        return max(0, left - max(0, at - self.since - self.control.delay))

    def free(self, at: int) -> int:
        """Return the rest of the running turn's delay, in milliseconds."""
        return 0 if self.running is None else max(0, self.control.delay - (at - self.since))

    def flagged(self, seat: int, at: int) -> bool:
        """Whether the seat has no time left."""
        return self.remaining(seat, at) == 0

    @property
    def deadline(self) -> int | None:
        """When the running clock's flag falls without a move; `None` if never."""
        if self.running is None or self.control.budget is None:
            return None
        return self.since + self.control.delay + self.left[self.running]

    def shift(self, ms: int) -> Clock:
        """Return the clock with the start moved later by that time, which isn't charged."""
        return self if self.running is None else replace(self, since=self.since + ms)


def clock_text(ms: int) -> str:
    """Return the time as shown on a clock: tenths below ten seconds, hours from one hour up.

    >>> clock_text(600_000), clock_text(9_950), clock_text(3_600_000)
    ('10:00', '0:09.9', '1:00:00')
    """
    if ms < 10_000:
        return f"0:{ms // 1000:02}.{ms % 1000 // 100}"
    seconds = -(-ms // 1000)
    if seconds >= 3600:
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{seconds // 60}:{seconds % 60:02}"
