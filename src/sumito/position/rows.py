"""Shared parsing and writing of position texts: rows of cells, fields, numbers.

A game's positions repeat most of their rows, so both directions cache single rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from sumito.errors import PositionError
from sumito.i18n.messages import N_
from sumito.rules.cells import ROWS, Mask, row_digits
from sumito.rules.modes import Colour, Mode

_LONGEST_ROW: Final = 9
_ROW_BITS: Final = (1 << 10) - 1
_COUNTS: Final = "123456789"


def write_rows(marbles: Sequence[Mask], letters: str) -> str:
    """Return rows i down to a, each marble as its colour's letter."""
    rows = []
    for start in (80, 70, 60, 50, 40, 30, 20, 10, 0):
        key = 0
        for mask in marbles:
            key = key << 10 | mask >> start & _ROW_BITS
        rows.append(_row_text(start // 10, key, letters))
    return "/".join(rows)


@lru_cache(4096)
def _row_text(row: int, key: int, letters: str) -> str:
    masks = [key >> 10 * at & _ROW_BITS for at in range(len(letters))][::-1]
    text = "".join(
        next(
            (letter for letter, mask in zip(letters, masks, strict=True) if mask >> digit - 1 & 1),
            ".",
        )
        for digit in row_digits(row)
    )
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), text)


def parse_rows(text: str, letters: str, column: int = 1) -> tuple[Mask, ...]:
    """Return the cells of each of `letters` in rows i down to a; the text starts at `column`."""
    parts = text.split("/")
    masks = [0] * len(letters)
    for row, part in zip(reversed(range(len(ROWS))), parts, strict=False):
        read = _read_row if len(part) <= _LONGEST_ROW else _read_row.__wrapped__
        try:
            found = read(part, row, letters)
        except PositionError as error:
            error.column = (error.column or 1) + column - 1
            raise
        for at, mask in enumerate(found):
            masks[at] |= mask
        column += len(part) + 1
    if len(parts) != len(ROWS):
        raise PositionError(
            N_("a board has {rows} rows, not {given}"),
            code="rows",
            column=column - 1,
            rows=len(ROWS),
            given=len(parts),
        )
    return tuple(masks)


@lru_cache(4096)
def _read_row(part: str, row: int, letters: str) -> tuple[Mask, ...]:
    masks = [0] * len(letters)
    digits = row_digits(row)
    name = ROWS[row]
    at = 0
    for column, char in enumerate(part, 1):
        width = int(char) if char in _COUNTS else 1
        if char not in _COUNTS and char not in letters:
            raise PositionError(
                N_(
                    "row {row}: {letter!r} is not a marble here ({known}) nor a number of "
                    "empty cells"
                ),
                code="letter",
                column=column,
                row=name,
                letter=char,
                known=tuple(letters),
            )
        if at + width > len(digits):
            raise PositionError(
                N_("row {row} is too long: it has {cells} cells"),
                code="row-too-long",
                column=column,
                row=name,
                cells=len(digits),
            )
        if column > 1 and char in _COUNTS and part[column - 2] in _COUNTS:
            raise PositionError(
                N_("row {row}: {one} and {other} side by side should be one number"),
                code="numbers-side-by-side",
                column=column,
                row=name,
                one=part[column - 2],
                other=char,
            )
        if char in letters:
            masks[letters.index(char)] |= 1 << (10 * row + digits[at] - 1)
        at += width
    if at < len(digits):
        raise PositionError(
            N_("row {row} is too short: {filled} of {cells} cells"),
            code="row-too-short",
            column=len(part) + 1,
            row=name,
            filled=at,
            cells=len(digits),
        )
    return tuple(masks)


class Fields:
    """Split a text at single blanks; return each field with the column where it starts."""

    def __init__(self, text: str, least: int, most: int, shape: str) -> None:
        # One field too many suffices for the error, however long the text is.
        self.texts = text.split(" ", most)
        self.columns = [1]
        for field in self.texts:
            self.columns.append(self.columns[-1] + len(field) + 1)
        for at, field in enumerate(self.texts[:most]):
            if field.split() != [field]:
                raise PositionError(
                    N_("fields have one blank between them"),
                    code="blanks",
                    column=self.columns[at],
                )
        if len(self.texts) < least:
            raise PositionError(
                N_("a position is `{shape}`; this text ends before all fields are there"),
                code="fields-missing",
                column=self.columns[-1] - 1,
                shape=shape,
            )
        if len(self.texts) > most:
            raise PositionError(
                N_("a position is `{shape}`; nothing follows it"),
                code="fields-too-many",
                column=self.columns[most],
                shape=shape,
            )

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, at: int, name: str, least: int = 0) -> int:
        """Parse a field as a whole number."""
        return parse_number(self.texts[at], name, least, self.columns[at])


_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,6}")


def parse_number(text: str, name: str, least: int, column: int) -> int:
    """Parse a whole number without leading zeros."""
    if not _NUMBER.fullmatch(text) or int(text) < least:
        raise PositionError(
            N_("{name} must be a whole number from {least} on, not {text!r}"),
            code="number",
            column=column,
            name=name,
            least=least,
            text=text,
        )
    return int(text)


def parse_turn(text: str, mode: Mode, column: int) -> Colour:
    """Parse a turn field."""
    for colour in mode.colours:
        if colour.letter == text:
            return colour
    raise PositionError(
        N_("invalid side to move {text!r} in mode {mode}; expected one of {known}"),
        code="turn",
        column=column,
        text=text,
        mode=mode,
        known=tuple(colour.letter for colour in mode.colours),
    )
