"""Positions as values and as text.

    <rows> <turn> <captured> <quiet> <ply> [mode [out:<letters>]]

Rows i down to a, digits for empty cells. The last field is ours: the players who have left a game
that goes on without them. Other programs' texts are read and written in `foreign.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sumito.cells import BOARD, BY_NUMBER, ROWS, Cell, Mask, cells_of, row_digits
from sumito.errors import ModeError, NotationError, PositionError
from sumito.modes import Colour, Mode

LARGEST_START: Final = 15
"""No layout for two has more marbles of a colour; one has as many."""

MOST_CAPTURED: Final = 61
MOST_PLIES: Final = 1_000_000
"""What a position may count, so that the kernel can count it in a word."""


class Form(StrEnum):
    """Whose position text it is."""

    SUMITO = "sumito"
    PLAYSTRATEGY = "playstrategy"
    APGN = "apgn"
    KAA = "kaa"

    @classmethod
    def parse(cls, name: str) -> Form:
        try:
            return cls(name)
        except ValueError:
            raise NotationError(
                f"{name!r} is not a form of position text; there are {', '.join(cls)}"
            ) from None


@dataclass(frozen=True, slots=True)
class Position:
    """A position without rules or history. Making one checks that a game could stand so."""

    marbles: tuple[Mask, ...]
    """The cells of each colour of the mode, in the order of the colours."""
    turn: Colour
    captured: tuple[int, ...]
    quiet: int = 0
    ply: int = 1
    mode: Mode = Mode.TWO
    out: frozenset[Colour] = frozenset()

    def __post_init__(self) -> None:
        self._check_turn()
        self._check_counts()
        self._check_marbles()

    def _check_turn(self) -> None:
        if self.turn not in self.mode.colours:
            raise PositionError(
                f"{self.turn} can't be to move: mode {self.mode} has no {self.turn}"
            )
        if self.out and self.mode is Mode.TWO:
            raise PositionError("nobody can be out in mode two: a player who leaves has lost")
        if not self.out <= set(self.mode.colours):
            raise PositionError(f"someone is out who isn't in mode {self.mode}")
        if len(self.out) == len(self.mode.colours):
            raise PositionError("somebody must still be in")
        if self.turn in self.out:
            raise PositionError(f"{self.turn} can't be to move and out")

    def _check_counts(self) -> None:
        sides = len(self.mode.sides)
        if len(self.captured) != sides:
            raise PositionError(
                f"mode {self.mode} has {sides} sides, but captured has {len(self.captured)} counts"
            )
        for name, least, value in (
            *(("captured", 0, count) for count in self.captured),
            ("quiet", 0, self.quiet),
            ("ply", 1, self.ply),
        ):
            if type(value) is not int or value < least:
                raise PositionError(f"{name} counts from {least} on, not {value!r}")
        if self.quiet >= self.ply:
            raise PositionError(
                f"quiet is {self.quiet}, but only {self.ply - 1} plies have been played"
            )
        if max(self.captured) > MOST_CAPTURED or self.ply > MOST_PLIES:
            raise PositionError(
                f"captured is at most {MOST_CAPTURED} a side, and ply at most {MOST_PLIES}"
            )

    def _check_marbles(self) -> None:
        if len(self.marbles) != len(self.mode.colours):
            raise PositionError(f"mode {self.mode} has {len(self.mode.colours)} colours of marbles")
        taken = 0
        for mask in self.marbles:
            if mask & ~BOARD:
                raise PositionError("a marble lies outside the board")
            if mask & taken:
                raise PositionError(f"two marbles lie on {next(cells_of(mask & taken))}")
            taken |= mask
        most = self._most_marbles()
        for colour, mask in zip(self.mode.colours, self.marbles, strict=True):
            if mask.bit_count() > most:
                raise PositionError(
                    f"{colour} has {mask.bit_count()} marbles; mode {self.mode} has {most} each"
                )

    def _most_marbles(self) -> int:
        """A 15th marble belongs only to a game in which both began with 15."""
        if self.mode is not Mode.TWO:
            return self.mode.marbles
        black, white = (mask.bit_count() for mask in self.marbles)
        by_black, by_white = self.captured
        began_larger = min(black + by_white, white + by_black) >= LARGEST_START
        return LARGEST_START if began_larger else self.mode.marbles


def parse(text: str, form: Form | str = Form.SUMITO) -> Position:
    """Read a position text; a `PositionError` says what is wrong and in which column."""
    if not isinstance(text, str):
        raise PositionError(f"a position is a text, not {type(text).__name__}")
    if Form.parse(form) is Form.SUMITO:
        return _parse_own(text)
    from sumito.position import foreign

    return foreign.parse(text, Form.parse(form))


def write(position: Position, form: Form | str = Form.SUMITO) -> str:
    """The text of a position."""
    if Form.parse(form) is not Form.SUMITO:
        from sumito.position import foreign

        return foreign.write(position, Form.parse(form))
    letters = {
        cell: colour.letter
        for colour, mask in zip(position.mode.colours, position.marbles, strict=True)
        for cell in cells_of(mask)
    }
    fields = [
        write_rows(letters),
        position.turn.letter,
        ",".join(map(str, position.captured)),
        str(position.quiet),
        str(position.ply),
    ]
    if position.mode is not Mode.TWO:
        fields.append(position.mode)
    if position.out:
        fields.append("out:" + "".join(colour.letter for colour in sorted(position.out)))
    return " ".join(fields)


def write_rows(letters: Mapping[Cell, str]) -> str:
    """Rows i down to a from the letter of each occupied cell."""
    rows = []
    for row in reversed(range(len(ROWS))):
        cells = "".join(
            letters.get(BY_NUMBER[10 * row + digit - 1], ".") for digit in row_digits(row)
        )
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), cells))
    return "/".join(rows)


def parse_rows(text: str, letters: str, column: int = 1) -> tuple[Mask, ...]:
    """The cells of each of `letters` in rows i down to a; `column` is where the text starts."""
    masks = dict.fromkeys(letters, 0)
    parts = text.split("/")
    for row, part in zip(reversed(range(len(ROWS))), parts, strict=False):
        _parse_row(part, row, masks, column)
        column += len(part) + 1
    if len(parts) != len(ROWS):
        raise PositionError(f"a board has {len(ROWS)} rows, not {len(parts)}", column=column - 1)
    return tuple(masks.values())


def _parse_row(part: str, row: int, masks: dict[str, Mask], column: int) -> None:
    digits = row_digits(row)
    at = 0
    for offset, char in enumerate(part):
        width = int(char) if char in "123456789" else 1
        if width == 1 and char != "1" and char not in masks:
            known = ", ".join(masks)
            raise PositionError(
                f"row {ROWS[row]}: {char!r} is not a marble here ({known}) nor a number of "
                "empty cells",
                column=column + offset,
            )
        if at + width > len(digits):
            raise PositionError(
                f"row {ROWS[row]} is too long: it has {len(digits)} cells", column=column + offset
            )
        if offset and char in "123456789" and part[offset - 1] in "123456789":
            raise PositionError(
                f"row {ROWS[row]}: {part[offset - 1]} and {char} side by side should be one number",
                column=column + offset,
            )
        if char in masks:
            masks[char] |= 1 << BY_NUMBER[10 * row + digits[at] - 1]
        at += width
    if at < len(digits):
        raise PositionError(
            f"row {ROWS[row]} is too short: {at} of {len(digits)} cells", column=column + len(part)
        )


class Fields:
    """The fields of a text between single blanks, each with the column where it starts."""

    def __init__(self, text: str, least: int, most: int, shape: str) -> None:
        self.texts = text.split(" ")
        self.columns = [1]
        for field in self.texts:
            self.columns.append(self.columns[-1] + len(field) + 1)
        for at, field in enumerate(self.texts):
            if field.split() != [field]:
                raise PositionError("fields have one blank between them", column=self.columns[at])
        if not least <= len(self.texts) <= most:
            raise PositionError(
                f"a position is `{shape}`; here are {len(self.texts)} fields",
                column=self.columns[min(most, len(self.texts) - 1)],
            )

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, at: int, name: str, least: int = 0) -> int:
        return _number(self.texts[at], name, least, self.columns[at])


def _number(text: str, name: str, least: int, column: int) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,6}", text) or int(text) < least:
        raise PositionError(
            f"{name} is a whole number from {least} on, not {text!r}", column=column
        )
    return int(text)


def parse_turn(text: str, mode: Mode, column: int) -> Colour:
    """The colour of a turn field."""
    for colour in mode.colours:
        if colour.letter == text:
            return colour
    letters = ", ".join(colour.letter for colour in mode.colours)
    raise PositionError(
        f"{text!r} can't be to move in mode {mode}: one of {letters} is", column=column
    )


def _parse_own(text: str) -> Position:
    fields = Fields(text, 5, 7, "<rows> <turn> <captured> <quiet> <ply> [mode]")
    mode = Mode.TWO
    if len(fields) > 5:
        try:
            mode = Mode.parse(fields.texts[5])
        except ModeError as error:
            raise PositionError.about(error.sentence, column=fields.columns[5]) from None
    letters = "".join(colour.letter for colour in mode.colours)
    column = fields.columns[2]
    captured = []
    for count in fields.texts[2].split(","):
        captured.append(_number(count, "captured", 0, column))
        column += len(count) + 1
    return Position(
        marbles=parse_rows(fields.texts[0], letters),
        turn=parse_turn(fields.texts[1], mode, fields.columns[1]),
        captured=tuple(captured),
        quiet=fields.number(3, "quiet"),
        ply=fields.number(4, "ply", 1),
        mode=mode,
        out=_parse_out(fields, mode),
    )


def _parse_out(fields: Fields, mode: Mode) -> frozenset[Colour]:
    if len(fields) < 7:
        return frozenset()
    text, column = fields.texts[6], fields.columns[6]
    letters = text.removeprefix("out:")
    known = [colour.letter for colour in mode.colours]
    if letters == text or not letters or sorted(set(letters), key="bwru".find) != list(letters):
        raise PositionError(
            f"{text!r} should be out: and letters in the order b, w, r, u", column=column
        )
    if not set(letters) <= set(known):
        raise PositionError(f"{text!r} names a colour that isn't in mode {mode}", column=column)
    return frozenset(colour for colour in mode.colours if colour.letter in letters)
