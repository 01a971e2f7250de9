"""The moves of a record: lines of nodes, each with what was said about it and what else was tried.

All values are frozen and check themselves, so that whatever can be made can also be written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, NamedTuple

from sumito.board import Board
from sumito.errors import RecordError, SumitoError
from sumito.modes import Colour, Mode
from sumito.move import Move

DEEPEST: Final = 50
"""How deep variations may nest; no analysis does, and a hostile file can't exhaust the stack."""

UNWRITABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What would break a line, or isn't UTF-8."""

_COMMAND: Final = re.compile(r"\[%(clk|eval|out)\b([^\[\]]*)\]")
_CLOCK: Final = re.compile(r"([0-9]{1,4}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,3}))?")
_EVAL: Final = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,400})?")
_LONGEST_CLOCK: Final = 10_000 * 3_600_000


@dataclass(frozen=True, slots=True)
class Node:
    """A move, and what is said after it."""

    move: Move
    comment: str = ""
    clock: int | None = None
    """Milliseconds left to the player who moved."""
    eval: float | None = None
    """How the position stands after the move, in marbles, from black's side."""
    outs: tuple[Colour, ...] = ()
    """Who leaves the game after this move, while the others play on."""
    variations: tuple[Line, ...] = ()
    """What could have been played instead of this move."""

    def __post_init__(self) -> None:
        if self.comment:
            object.__setattr__(self, "comment", clean_comment(self.comment))
        if self.clock is not None and not 0 <= self.clock < _LONGEST_CLOCK:
            raise RecordError(f"a clock shows milliseconds from 0 on, not {self.clock!r}")
        if self.eval is not None and not (math.isfinite(self.eval) and abs(self.eval) < 1e9):
            raise RecordError(f"an evaluation is a finite number, not {self.eval!r}")
        if any(not line.nodes for line in self.variations):
            raise RecordError("a variation has at least one move")

    @property
    def said(self) -> str:
        """The comment as a text, commands first; empty when there is nothing to say."""
        parts = []
        if self.clock is not None:
            parts.append(f"[%clk {_clock_text(self.clock)}]")
        if self.eval is not None:
            parts.append(f"[%eval {_eval_text(self.eval)}]")
        return _joined(*parts, _outs_text(self.outs), self.comment)


@dataclass(frozen=True, slots=True)
class Line:
    """Moves in a row: the game itself, or a variation."""

    nodes: tuple[Node, ...] = ()
    comment: str = ""
    """What is said before the first move."""
    outs: tuple[Colour, ...] = ()
    """Who leaves the game before the first move."""

    def __post_init__(self) -> None:
        if self.comment:
            object.__setattr__(self, "comment", clean_comment(self.comment))

    @property
    def said(self) -> str:
        """What is said before the first move as a text, who leaves first."""
        return _joined(_outs_text(self.outs), self.comment)

    def after(self, nodes: Iterable[Node]) -> Line:
        """These moves after what is said here."""
        return replace(self, nodes=tuple(nodes))


class Said(NamedTuple):
    """What one comment says."""

    comment: str
    clock: int | None
    eval: float | None
    outs: tuple[Colour, ...]

    @classmethod
    def parse(cls, text: str) -> Said:
        """Take the commands out of a comment; commands we don't know stay in its text."""
        clock: int | None = None
        value: float | None = None
        outs: list[Colour] = []
        for command, argument in _COMMAND.findall(text):
            if command == "out":
                outs.append(_parse_out(argument.strip()))
            elif command == "clk" and clock is None:
                clock = _parse_clock(argument.strip())
            elif command == "eval" and value is None:
                value = _parse_eval(argument.strip())
            else:
                raise RecordError(f"[%{command}] stands twice in one comment")
        return cls(clean_comment(_COMMAND.sub(" ", text)), clock, value, tuple(outs))


def clean_comment(text: str) -> str:
    """Running text with single blanks, or an error if no comment can hold it."""
    text = " ".join(text.split())
    if "{" in text or "}" in text:
        raise RecordError("a comment can't have a brace in it")
    if match := UNWRITABLE.search(text):
        raise RecordError(f"a comment can't have the character {match[0]!r} in it")
    if match := re.search(r"\[%(clk|eval|out)\b", text):
        raise RecordError(f"{match[0]}…] in a comment must be closed and stand by itself")
    return text


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _parse_clock(text: str) -> int:
    match = _CLOCK.fullmatch(text)
    if not match:
        raise RecordError(f"{text!r} is not a clock time; nine minutes and a half are 0:09:30")
    hours, minutes, seconds = (int(match[at]) for at in (1, 2, 3))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int((match[4] or "").ljust(3, "0"))


def _clock_text(clock: int) -> str:
    seconds, ms = divmod(clock, 1000)
    fraction = f".{ms:03}".rstrip("0") if ms else ""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"


def _parse_eval(text: str) -> float:
    if not _EVAL.fullmatch(text):
        raise RecordError(f"{text!r} is not an evaluation; it is a number, as 1.25 or -0.5")
    return float(text)


def _eval_text(value: float) -> str:
    # The shortest digits that read back as the same number, never with an exponent.
    return format(Decimal(repr(float(value))), "f")


def _parse_out(text: str) -> Colour:
    for colour in Colour:
        if str(colour) == text:
            return colour
    raise RecordError(f"{text!r} can't leave the game; write [%out red]")


def _outs_text(outs: tuple[Colour, ...]) -> str:
    return " ".join(f"[%out {colour}]" for colour in outs)


def depart(board: Board, outs: tuple[Colour, ...]) -> None:
    """Let players leave a game that goes on without them."""
    for colour in outs:
        if colour in board.out:
            raise RecordError(f"{colour} is out already")
        if board.outcome() is not None:
            raise RecordError(f"{colour} can't leave a game that is over")
        try:
            board.leave(colour)
        except SumitoError as error:
            raise RecordError(str(error)) from None


class Count(NamedTuple):
    """How the last move was numbered: its number, and its player's place in the order of turns."""

    number: int
    place: int

    @classmethod
    def at(cls, board: Board) -> Count:
        """Before the first move from a start position."""
        return cls((board.ply - 1) // len(board.mode.order) + 1, -1)

    def next(self, mode: Mode, turn: Colour) -> Count:
        place = mode.order.index(turn)
        return Count(self.number + (place <= self.place), place)

    def label(self, last: Count) -> str:
        """`2.` for the move that opens a round, `2...` for one within it."""
        opens = self.number > last.number or self.place == 0
        return f"{self.number}." if opens else f"{self.number}..."
