"""`PositionBuilder`: a mutable position, edited marble by marble and checked at the end."""

from __future__ import annotations

from collections.abc import Iterable

from sumito.position.value import Position
from sumito.rules.cells import Cell, cell_of
from sumito.rules.modes import Colour, Mode
from sumito.validate import parsed


class PositionBuilder:
    """Sets and removes marbles and counts without checks; `position` checks the whole.

    >>> builder = PositionBuilder()
    >>> builder.set("e5", "white")
    >>> builder.turn = Colour.WHITE
    >>> builder.ply = 2
    >>> str(builder.position)
    '5/6/7/8/4w4/8/7/6/5 w 0,0 0 2'
    """

    def __init__(self, start: Position | str | None = None, mode: Mode | str = Mode.TWO) -> None:
        """Start from the empty board of a mode with black to move, or from a position."""
        start = None if start is None else parsed("start", start, Position)
        self.mode = start.mode if start else Mode.parse(mode)
        self._marbles: list[int] = list(start.marbles) if start else [0] * len(self.mode.colours)
        self.turn = start.turn if start else self.mode.order[0]
        self.captured = start.captured if start else (0,) * len(self.mode.sides)
        self.quiet = start.quiet if start else 0
        self.ply = start.ply if start else 1
        self.eliminated: Iterable[Colour] = start.eliminated if start else frozenset()

    def __getitem__(self, cell: Cell | str) -> Colour | None:
        """Return the colour of the marble on a cell, or `None`."""
        mask = cell_of(cell).mask
        return next((colour for colour in self.mode.colours if self._marbles[colour] & mask), None)

    def set(self, cell: Cell | str, colour: Colour | str) -> None:
        """Put a marble on a cell, replacing any that is there."""
        colour = self.mode.check_colour(colour)
        self.remove(cell)
        self._marbles[colour] |= cell_of(cell).mask

    def remove(self, cell: Cell | str) -> Colour | None:
        """Remove the marble from a cell and return its colour; `None` if the cell was empty."""
        colour = self[cell]
        if colour is not None:
            self._marbles[colour] ^= cell_of(cell).mask
        return colour

    def clear(self) -> None:
        """Remove all marbles; turn and counts stay."""
        self._marbles = [0] * len(self._marbles)

    @property
    def position(self) -> Position:
        """The position; raise `PositionError` if no game could reach it."""
        return Position(
            tuple(self._marbles),
            self.turn,
            tuple(self.captured),
            self.quiet,
            self.ply,
            self.mode,
            frozenset(self.eliminated),
        )

    def __repr__(self) -> str:
        return f"<PositionBuilder of mode {self.mode}>"
