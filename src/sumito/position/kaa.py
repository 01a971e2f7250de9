"""KAA's position text, for two players.

    <n><cells>_<n><cells>

Black, then white: one digit for the marbles that colour has *lost*, then its cells row by row,
`a12b123`. Black is always to move. The other counts get the values of a start.
"""

from __future__ import annotations

import re
from typing import Final

from sumito.errors import PositionError
from sumito.i18n.messages import N_
from sumito.position.value import Position
from sumito.rules.cells import BY_NAME, Mask, cells_of
from sumito.rules.modes import BLACK, WHITE, Colour

_MOST_LOST: Final = 9
"""The most marbles lost that the form's single digit can hold."""


def parse(text: str) -> Position:
    """Parse a text; raise `PositionError` with the column if it is invalid."""
    black_half, between, white_half = text.partition("_")
    if not between or "_" in white_half:
        raise PositionError(
            N_(
                "a position is `<lost><cells>_<lost><cells>`, black's half and white's, "
                "with one _ between"
            ),
            code="halves",
        )
    black, lost_by_black = _parse_half(black_half, BLACK, 1)
    white, lost_by_white = _parse_half(white_half, WHITE, len(black_half) + 2)
    return Position((black, white), BLACK, (lost_by_white, lost_by_black))


def _parse_half(text: str, colour: Colour, column: int) -> tuple[Mask, int]:
    if not re.match(r"[0-9](?![0-9])", text):
        raise PositionError(
            N_("{colour}'s half starts with one digit, the marbles {colour} has lost"),
            code="lost",
            column=column,
            colour=colour,
        )
    mask = 0
    for row in re.finditer(r"([a-i])([1-9]+)|.", text[1:], re.DOTALL):
        at = column + 1 + row.start()
        if not row[1]:
            raise PositionError(
                N_("{text!r} should be a row from a to i and digits, as b123"),
                code="row",
                column=at,
                text=row[0],
            )
        for offset, digit in enumerate(row[2], 1):
            mask |= _new_cell(row[1] + digit, mask, at + offset)
    return mask, int(text[0])


def _new_cell(name: str, taken: Mask, column: int) -> Mask:
    cell = BY_NAME.get(name)
    if cell is None:
        raise PositionError(N_("{name} is not a cell"), code="not-a-cell", column=column, name=name)
    if taken & cell.mask:
        raise PositionError(
            N_("{cell} is named twice"), code="two-on-a-cell", column=column, cell=cell
        )
    return cell.mask


def write(position: Position) -> str:
    """Return the text of a position for two with black to move."""
    if position.turn is not BLACK:
        raise PositionError(N_("the form kaa requires black to move"), code="kaa-turn")
    by_black, by_white = position.captured
    halves = []
    for colour, mask, lost in zip(
        (BLACK, WHITE), position.marbles, (by_white, by_black), strict=True
    ):
        if lost > _MOST_LOST:
            raise PositionError(
                N_("kaa has one digit for the {lost} marbles {colour} has lost"),
                code="kaa-lost",
                lost=lost,
                colour=colour,
            )
        cells = "".join(map(str, cells_of(mask)))
        # Cells are in row order; only the first of a row has its letter.
        halves.append(f"{lost}" + re.sub(r"([a-i])[1-9](?:\1[1-9])*", _one_row, cells))
    return "_".join(halves)


def _one_row(cells: re.Match[str]) -> str:
    return cells[1] + cells[0].replace(cells[1], "")
