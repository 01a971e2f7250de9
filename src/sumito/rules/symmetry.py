"""The twelve symmetries of the hexagon: rotations and reflections.

>>> half = Symmetry.parse("turn3")
>>> half.cell(Cell.A1), half.move(Move.parse("a1b2")).name
(Cell.I9, 'i9h8')
"""

from __future__ import annotations

from typing import Final

from sumito.errors import SymmetryError
from sumito.i18n.messages import N_
from sumito.rules.cells import (
    BOARD,
    BY_NUMBER,
    CELLS,
    DIRECTIONS,
    Cell,
    Direction,
    Mask,
    cell_of,
    cells_of,
)
from sumito.rules.move import Move
from sumito.validate import check_whole, parsed


class Symmetry:
    """An optional reflection across the vertical axis, then turns of 60° counter-clockwise."""

    __slots__ = ("_cells", "index", "mirrored", "turns")

    def __init__(self, turns: int, mirrored: bool) -> None:
        if turns not in range(6):
            raise SymmetryError(
                N_("a symmetry turns by 0 to 5 sixths, not by {value!r}"), value=turns
            )
        self.turns = turns
        self.mirrored = mirrored
        self.index = turns + 6 * mirrored
        self._cells = {cell: self._carry(cell) for cell in CELLS}

    def _carry(self, cell: Cell) -> Cell:
        # Steps from the centre e5: x along E, y along NW.
        x, y = cell.digit - 5, cell.row - 4
        if self.mirrored:
            x = y - x
        for _ in range(self.turns):
            x, y = x - y, x
        return BY_NUMBER[10 * (y + 4) + x + 4]

    @staticmethod
    def parse(name: str) -> Symmetry:
        """Return the symmetry of that name, as `turn1` or `mirror0`."""
        for symmetry in SYMMETRIES:
            if str(symmetry) == name:
                return symmetry
        raise SymmetryError(
            N_("{text!r} is not a symmetry; symmetries are {known}"),
            text=str(name),
            known=tuple(map(str, SYMMETRIES)),
        )

    def cell(self, cell: Cell | str) -> Cell:
        """Return the image of a cell."""
        return self._cells[cell_of(cell)]

    def direction(self, direction: Direction | str) -> Direction:
        """Return the image of a direction."""
        direction = parsed("direction", direction, Direction)
        return DIRECTIONS[((3 - direction if self.mirrored else direction) + self.turns) % 6]

    def mask(self, mask: Mask) -> Mask:
        check_whole("mask", mask, 0, BOARD)
        carried = 0
        for cell in cells_of(mask):
            carried |= 1 << self._cells[cell]
        return carried

    def move(self, move: Move | str) -> Move:
        """Return the image of a move."""
        move = parsed("move", move, Move)
        direction = self.direction(move.direction)
        if move.is_side_step:
            return Move.side_step(self.cell(move.first), self.cell(move.last), direction)
        return Move.in_line(self.cell(move.first), direction)

    @property
    def inverse(self) -> Symmetry:
        return self if self.mirrored else SYMMETRIES[-self.turns % 6]

    def then(self, other: Symmetry | str) -> Symmetry:
        """Return this symmetry followed by another."""
        other = parsed("other", other, Symmetry)
        for symmetry in SYMMETRIES:
            if all(symmetry.cell(cell) is other.cell(self.cell(cell)) for cell in CELLS):
                return symmetry
        raise AssertionError("symmetries form a group")

    def __str__(self) -> str:
        return f"mirror{self.turns}" if self.mirrored else f"turn{self.turns}"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        # The twelve are shared instances: a copy is the instance itself.
        return Symmetry.parse, (str(self),)

    def __repr__(self) -> str:
        return f"Symmetry.parse({str(self)!r})"


SYMMETRIES: Final = tuple(
    Symmetry(turns, mirrored) for mirrored in (False, True) for turns in range(6)
)
"""All twelve; the first changes nothing."""
