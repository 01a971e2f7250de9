"""Moves: the 1,272 that have a name, each a single shared instance.

A move is identified by the marbles taken and their direction, independent of the board: *in line*
by the rear marble (whatever lies ahead of it goes along), a *side-step* by its two or three
marbles. What it moves, pushes and ejects depends on the board: see `Board.effect`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NoReturn

from sumito.errors import InvalidMoveError
from sumito.i18n.messages import N_
from sumito.rules.cells import (
    AXES,
    BY_NAME,
    CELLS,
    DIRECTIONS,
    Cell,
    Direction,
    Mask,
    cell_of,
    line,
    mask_of,
)
from sumito.validate import check_type, parsed

LONGEST: Final = 3
"""The most own marbles that one move can take."""


class Move:
    """One of the 1,272 moves. They order by index; `str` is the Aba-Pro name.

    >>> move = Move.parse("c3c5d4")
    >>> move.is_side_step, move.direction, move.cells
    (True, <Direction.NE: 1>, (Cell.C3, Cell.C4, Cell.C5))
    >>> Move.of(move.index) is move
    True
    """

    __slots__ = ("cells", "direction", "group", "index", "name", "ray")

    index: int
    """A stable number, 0 to 1271: in-line moves first, cells in reading order."""
    direction: Direction
    cells: tuple[Cell, ...]
    """In line, the rear cell alone; of a side-step, the two or three cells from the lower end."""
    name: str
    ray: tuple[Mask, ...]
    """In line: the cells from the rear on, one bit each, then 0 for the rim. Else empty."""
    group: Mask
    """The cells of a side-step as a set; 0 in line."""

    def __init__(self, *_: object) -> None:
        raise TypeError("Move can't be constructed: use Move.parse, Move.of or board.parse_move")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self} is a Move, which can't be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{self} is a Move, which can't be changed")

    @property
    def is_side_step(self) -> bool:
        return self.group != 0

    @property
    def first(self) -> Cell:
        """The rear marble's cell in line; of a side-step, the lower end."""
        return self.cells[0]

    @property
    def last(self) -> Cell:
        """The other end of a side-step; in line, the rear cell itself."""
        return self.cells[-1]

    @staticmethod
    def of(index: int) -> Move:
        """Return the move with that index."""
        if not isinstance(index, int) or not 0 <= index < len(MOVES):
            raise InvalidMoveError(
                N_("moves are numbered from 0 to {last}, not {index}"),
                code="move-index",
                last=len(MOVES) - 1,
                index=index,
            )
        return MOVES[index]

    @staticmethod
    def in_line(rear: Cell | str, direction: Direction | str) -> Move:
        """Return the move of the marble on `rear`, and of those ahead of it, in a direction.

        >>> Move.in_line("a1", "NE")
        Move.parse('a1b2')
        """
        rear = parsed("rear", rear, Cell)
        direction = parsed("direction", direction, Direction)
        try:
            return IN_LINE[direction][1 << rear]
        except KeyError:
            raise InvalidMoveError(
                N_("{cell} {direction} leads off the board"),
                code="off-board",
                cell=rear,
                direction=direction,
            ) from None

    @staticmethod
    def side_step(one_end: Cell | str, other_end: Cell | str, direction: Direction | str) -> Move:
        """Return the side-step of the row between two ends.

        >>> Move.side_step("c5", "c3", "NE")
        Move.parse('c3c5d4')
        """
        one_end = parsed("one_end", one_end, Cell)
        other_end = parsed("other_end", other_end, Cell)
        direction = parsed("direction", direction, Direction)
        first, last = sorted((one_end, other_end))
        for axis in AXES:
            for steps in (1, 2):
                if first.step(axis, steps) is last:
                    return _side_step(first, last, direction, axis, steps)
        raise InvalidMoveError(
            N_("{first} and {last} are not the ends of a row of two or three"),
            code="not-a-row",
            first=first,
            last=last,
        )

    @staticmethod
    def from_cells(cells: Iterable[Cell | str], direction: Direction | str) -> Move:
        """Return the move of the marbles on these cells in a direction.

        Raise `InvalidMoveError` unless the cells are a row without a gap.

        >>> Move.from_cells(["b2", "a1"], "NE"), Move.from_cells(["b2", "a1"], "E")
        (Move.parse('a1b2'), Move.parse('a1b2a2'))
        """
        check_type("cells", cells, Iterable)
        row = sorted(set(map(cell_of, cells)))
        direction = parsed("direction", direction, Direction)
        if len(row) == 1:
            return Move.in_line(row[0], direction)
        for axis in AXES:
            if row and row == line(row[0], axis, len(row)):
                if axis is direction.axis:
                    return Move.in_line(row[0] if direction is axis else row[-1], direction)
                return Move.side_step(row[0], row[-1], direction)
        raise InvalidMoveError(
            N_("{cells} are not a row of marbles"), code="not-a-row", cells=tuple(row)
        )

    @staticmethod
    def parse(text: str) -> Move:
        """Parse an Aba-Pro name, which needs no board; a side-step may start at either end."""
        try:
            return BY_ABA_PRO[text]
        except (KeyError, TypeError):
            raise _unreadable(text) from None

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Move.parse({self.name!r})"

    if TYPE_CHECKING:
        # Lets strict type checkers accept `"a1b2" in board.legal_moves`.
        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    def __lt__(self, other: Move) -> bool:
        return self.index < other.index if isinstance(other, Move) else NotImplemented

    def __le__(self, other: Move) -> bool:
        return self.index <= other.index if isinstance(other, Move) else NotImplemented

    def __gt__(self, other: Move) -> bool:
        return self.index > other.index if isinstance(other, Move) else NotImplemented

    def __ge__(self, other: Move) -> bool:
        return self.index >= other.index if isinstance(other, Move) else NotImplemented

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return Move.of, (self.index,)

    def __copy__(self) -> Move:
        return self

    def __deepcopy__(self, _: object) -> Move:
        return self


def _side_step(first: Cell, last: Cell, direction: Direction, axis: Direction, steps: int) -> Move:
    row = {"first": first, "last": last, "direction": direction}
    if axis is direction.axis:
        raise InvalidMoveError(
            N_("{first} to {last} going {direction} is in line"), code="in-line", **row
        )
    try:
        return SIDE_STEPS[direction][axis][steps - 1][1 << first]
    except KeyError:
        raise InvalidMoveError(
            N_("{first} to {last} going {direction} leads off the board"), code="off-board", **row
        ) from None


def _unreadable(text: object) -> InvalidMoveError:
    if not isinstance(text, str):
        return InvalidMoveError(
            N_("a move is a text, not {kind}"), code="not-text", kind=type(text).__name__
        )
    parts = [text[at : at + 2] for at in range(0, min(len(text), 8), 2)]
    if len(parts) not in (2, 3):
        return InvalidMoveError(
            N_("{text!r} is not a move: in line is two cells (a1b2), a side-step three (c3c5d4)"),
            code="move-length",
            text=text,
        )
    for part in parts:
        if part not in BY_NAME:
            return InvalidMoveError(
                N_("{text!r} is not a move: {part!r} is not a cell"),
                code="move-cell",
                text=text,
                part=part,
            )
    if len(parts) == 2:
        return InvalidMoveError(
            N_("{text!r} is not a move: {one} and {other} are not neighbours"),
            code="not-neighbours",
            text=text,
            one=parts[0],
            other=parts[1],
        )
    return InvalidMoveError(
        N_(
            "{text!r} is not a side-step: {one} and {other} must be the ends of a row of two or "
            "three, and {landing} the cell beside {one} where it lands, off the row's line"
        ),
        code="not-a-side-step",
        text=text,
        one=parts[0],
        other=parts[1],
        landing=parts[2],
    )


def _make(
    index: int, cells: tuple[Cell, ...], direction: Direction, name: str, ray: tuple[Mask, ...]
) -> Move:
    move = object.__new__(Move)
    values = {
        "index": index,
        "cells": cells,
        "direction": direction,
        "name": name,
        "ray": ray,
        "group": 0 if ray else mask_of(cells),
    }
    for field, value in values.items():
        object.__setattr__(move, field, value)
    return move


def _make_in_line() -> Iterator[Move]:
    index = 0
    for rear in CELLS:
        for direction in DIRECTIONS:
            # Three own, two opposing and the cell behind are all that a rule ever asks for;
            # the zeros stand for the rim, so a scan needs no bounds.
            ray = [1 << cell for cell in line(rear, direction, 6)]
            if len(ray) > 1:
                name = f"{rear}{rear.step(direction)}"
                yield _make(index, (rear,), direction, name, (*ray, 0, 0, 0, 0, 0, 0)[:7])
                index += 1


MoveTable = dict[Mask, Move]

_in_line = tuple(_make_in_line())

IN_LINE: Final[tuple[MoveTable, ...]] = tuple(
    {move.ray[0]: move for move in _in_line if move.direction is direction}
    for direction in DIRECTIONS
)
"""For each direction, the in-line moves by the bit of their rear cell."""

SIDE_STEPS: Final[tuple[dict[Direction, tuple[MoveTable, MoveTable]], ...]] = tuple(
    {axis: ({}, {}) for axis in AXES if axis is not direction.axis} for direction in DIRECTIONS
)
"""For each direction and axis, the side-steps of two and of three by the bit of their lower end."""

BY_ABA_PRO: Final = {move.name: move for move in _in_line}
"""All moves by their names; a side-step has two, one from each end."""


def _make_side_steps() -> Iterator[Move]:
    index = len(_in_line)
    for first in CELLS:
        for axis in AXES:
            row = line(first, axis, LONGEST)
            for length in range(2, len(row) + 1):
                cells = tuple(row[:length])
                last = cells[-1]
                for direction, tables in zip(DIRECTIONS, SIDE_STEPS, strict=True):
                    landing = [cell.step(direction) for cell in cells]
                    if direction.axis is axis or None in landing:
                        continue
                    move = _make(index, cells, direction, f"{first}{last}{landing[0]}", ())
                    tables[axis][length - 2][1 << first] = move
                    BY_ABA_PRO[move.name] = move
                    BY_ABA_PRO[f"{last}{first}{landing[-1]}"] = move
                    yield move
                    index += 1


MOVES: Final = _in_line + tuple(_make_side_steps())
"""All moves by their index."""
