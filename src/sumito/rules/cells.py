"""The hexagon: 61 cells, six directions, and sets of cells as bits of one integer.

A cell's number is ten times its row (a = 0 … i = 8) plus its digit less one, so that a step in a
direction is one addition, and for a whole set of cells one shift. Column 9 and everything outside
the hexagon stay empty: a marble that would step there is on the rim.

            i5 i6 i7 i8 i9                      NW   NE
           h4 h5 h6 h7 h8 h9                +10  \\ /  +11
          g3 …            … g9          W −1 ─── * ─── E +1
             (and so on)                    −11  / \\  −10
            a1 a2 a3 a4 a5                      SW   SE
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NoReturn

from sumito.choice import Numbered
from sumito.errors import CellError, DirectionError
from sumito.i18n.messages import N_
from sumito.validate import check_type, parsed

Mask = int
"""A set of cells: bit `cell` is set when the cell is in it."""


class Direction(Numbered):
    """One of the six directions, counter-clockwise from east."""

    E = 0
    NE = 1
    NW = 2
    W = 3
    SW = 4
    SE = 5

    @classmethod
    def parse(cls, text: str) -> Direction:
        """Return the direction of that name."""
        for direction in cls:
            if text == direction.name:
                return direction
        return cls._missing_(text)

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise DirectionError(
            N_("{text!r} is not a direction; directions are {known}"),
            text=str(value),
            known=tuple(map(str, cls)),
        )

    @property
    def opposite(self) -> Direction:
        return DIRECTIONS[(self + 3) % 6]

    @property
    def axis(self) -> Direction:
        """The axis, named by one of its directions: E (and W), NE (and SW), NW (and SE)."""
        return DIRECTIONS[self % 3]

    @property
    def step(self) -> int:
        """The number that one step adds to a cell's number."""
        return STEPS[self]

    def __str__(self) -> str:
        return self.name


DIRECTIONS: Final = tuple(Direction)
AXES: Final = (Direction.E, Direction.NE, Direction.NW)
STEPS: Final = (1, 11, 10, -1, -11, -10)

ROWS: Final = "abcdefghi"


def row_digits(row: int) -> range:
    """The digits of a row, 0 for a … 8 for i: a has 1–5, e has 1–9, i has 5–9."""
    return range(max(1, row - 3), min(9, row + 5) + 1)


class Cell(Numbered):
    """A cell of the board: `Cell.E5`, or `Cell.parse("e5")`; `str` gives `e5`."""

    A1, A2, A3, A4, A5 = range(5)
    B1, B2, B3, B4, B5, B6 = range(10, 16)
    C1, C2, C3, C4, C5, C6, C7 = range(20, 27)
    D1, D2, D3, D4, D5, D6, D7, D8 = range(30, 38)
    E1, E2, E3, E4, E5, E6, E7, E8, E9 = range(40, 49)
    F2, F3, F4, F5, F6, F7, F8, F9 = range(51, 59)
    G3, G4, G5, G6, G7, G8, G9 = range(62, 69)
    H4, H5, H6, H7, H8, H9 = range(73, 79)
    I5, I6, I7, I8, I9 = range(84, 89)

    @classmethod
    def parse(cls, text: str) -> Cell:
        """Return the cell of that name.

        >>> Cell.parse("e5")
        Cell.E5
        """
        try:
            return BY_NAME[text]
        except (KeyError, TypeError):
            raise CellError(
                N_("{text!r} is not a cell; cells run from a1 to i9"), text=str(text)
            ) from None

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise CellError(N_("{value!r} is not a cell's number"), code="cell-number", value=value)

    @property
    def row(self) -> int:
        """0 for row a … 8 for row i."""
        return self // 10

    @property
    def digit(self) -> int:
        return self % 10 + 1

    @property
    def mask(self) -> Mask:
        return 1 << self

    def step(self, direction: Direction, count: int = 1) -> Cell | None:
        """Return the cell that many steps away, `None` beyond the rim."""
        return BY_NUMBER.get(self + count * STEPS[direction])

    def __str__(self) -> str:
        return NAMES[self]

    def __repr__(self) -> str:
        return f"Cell.{self.name}"


CELLS: Final = tuple(Cell)
"""All cells in reading order: a1, a2 … i9."""

NAMES: Final = {cell: cell.name.lower() for cell in CELLS}
BY_NAME: Final = {name: cell for cell, name in NAMES.items()}
BY_NUMBER: Final = {int(cell): cell for cell in CELLS}

BOARD: Final[Mask] = sum(1 << cell for cell in CELLS)

RIM: Final[tuple[Mask, ...]] = tuple(
    sum(1 << cell for cell in CELLS if cell.step(direction) is None) for direction in DIRECTIONS
)
"""For each direction, the cells from which a step that way leads onto the rim."""


def shift(mask: Mask, direction: Direction) -> Mask:
    """Return the set moved one step, without the cells that would leave the board."""
    step = STEPS[direction]
    return (mask << step if step > 0 else mask >> -step) & BOARD


def mask_of(cells: Iterable[Cell]) -> Mask:
    """Return the cells as a set."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: Mask) -> Iterator[Cell]:
    """Return the cells of a set in reading order."""
    while mask:
        low = mask & -mask
        yield BY_NUMBER[low.bit_length() - 1]
        mask ^= low


def cell_of(cell: Cell | str) -> Cell:
    """Return the cell, parsed if it is a name; raise an error for anything else."""
    return cell if type(cell) is Cell else parsed("cell", cell, Cell)


def parse_cells(text: str) -> Mask:
    """Return the set of a text of cells separated by spaces: `a1 a2 b1`."""
    check_type("text", text, str)
    return mask_of(map(Cell.parse, text.split()))


def line(start: Cell, direction: Direction, limit: int = 9) -> list[Cell]:
    """Return the cells from `start` in a direction up to the rim, at most `limit`."""
    cells: list[Cell] = []
    at: Cell | None = start
    while at is not None and len(cells) < limit:
        cells.append(at)
        at = at.step(direction)
    return cells


def distance(one: Cell, other: Cell) -> int:
    """Return the distance between two cells in steps."""
    rows, digits = other.row - one.row, other.digit - one.digit
    return max(abs(rows), abs(digits), abs(rows - digits))
