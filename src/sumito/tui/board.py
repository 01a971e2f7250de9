"""The board widget: shows a position and reports selected cells; knows no rules."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sumito.i18n.messages import N_
from sumito.rules.cells import CELLS, Cell
from sumito.rules.modes import Colour
from sumito.tui import picture
from sumito.tui.localisation import Localiser
from sumito.tui.picture import Marks, Picture

_STEPS: Final = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}
"""Directions of the arrow keys on the screen."""


class BoardView(Widget, can_focus=True):
    """A board operated by mouse, finger or keys."""

    DEFAULT_CSS = """
    BoardView { width: 1fr; height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"step('{key}')", show=False) for key in _STEPS),
        Binding("enter,space", "touch", show=False),
    ]

    @dataclass
    class Touched(Message):
        """Posted when a cell is selected."""

        cell: Cell

    @dataclass
    class Pointed(Message):
        """Posted when the mouse moves to another cell, or off the board."""

        cell: Cell | None

    def __init__(self, tr: Localiser, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._tr = tr
        self.colours: Mapping[Cell, Colour] = {}
        self.marks = Marks()
        self.turns = 0
        self.cursor: Cell | None = None
        self._pressed: Cell | None = None
        self._pointed: Cell | None = None
        self._lines: list[list[Segment]] | None = None

    def show(self, colours: Mapping[Cell, Colour], marks: Marks, turns: int = 0) -> None:
        """Show a position with its marks."""
        self.colours, self.marks, self.turns = colours, marks, turns
        self._repaint()

    def _repaint(self) -> None:
        self._lines = None
        self.refresh()

    @property
    def _picture(self) -> Picture:
        return Picture(self._fit() or picture.SIZES[0], self.turns)

    def _fit(self) -> int | None:
        return picture.size_for(self.size.width, self.size.height)

    def _corner(self) -> tuple[int, int]:
        """Return the offset of the picture within the widget."""
        if self._fit() is None:
            return 0, 0
        columns, lines = picture.extent(self._picture.size)
        return max(0, (self.size.width - columns) // 2), max(0, (self.size.height - lines) // 2)

    def on_resize(self) -> None:
        self._repaint()

    def on_focus(self) -> None:
        self._repaint()

    def on_blur(self) -> None:
        self._repaint()

    def render_line(self, y: int) -> Strip:
        if self._lines is None:
            self._lines = self._paint()
        left, top = self._corner()
        if not 0 <= y - top < len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        line = [Segment(" " * left), *self._lines[y - top]]
        return (
            Strip(line)
            .apply_style(self.rich_style)
            .adjust_cell_length(self.size.width, self.rich_style)
        )

    def _paint(self) -> list[list[Segment]]:
        size = self._fit()
        if size is None:
            return [[Segment(line)] for line in self._too_small()]
        marks = replace(self.marks, cursor=self.cursor if self.has_focus else None)
        return picture.paint(self.colours, size, self.turns, marks).lines()

    def _too_small(self) -> list[str]:
        """Return the message shown where no board fits."""
        columns, lines = picture.extent(picture.SIZES[0])
        text = self._tr(
            N_(
                "This window is too small for the board, which takes {columns} columns and {lines} "
                "lines; here are {width} and {height}. Make it larger, or the letters smaller."
            ),
            columns=columns,
            lines=lines,
            width=self.size.width,
            height=self.size.height,
        )
        return textwrap.wrap(text, max(10, self.size.width - 1))[: self.size.height]

    def _cell(self, event: events.MouseEvent) -> Cell | None:
        if self._fit() is None:
            return None
        left, top = self._corner()
        return self._picture.cell_at(event.x - left, event.y - top)

    def cell_offset(self, cell: Cell) -> tuple[int, int]:
        """Return column and line of a cell's centre within the widget."""
        left, top = self._corner()
        x, y = self._picture.centre(cell)
        return left + round(x), top + round(y) // 2

    # Mouse: a press selects; a press here and a release elsewhere select twice.

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._pressed = self._cell(event)
        if self._pressed is not None:
            self.cursor = None
            self.capture_mouse()
            self.post_message(self.Touched(self._pressed))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self.release_mouse()
        released = self._cell(event)
        if released is not None and self._pressed not in (None, released):
            self.post_message(self.Touched(released))
        self._pressed = None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._point(self._cell(event))

    def on_leave(self) -> None:
        self._point(None)

    def _point(self, cell: Cell | None) -> None:
        if cell is not self._pointed:
            self._pointed = cell
            self.post_message(self.Pointed(cell))

    # Keys.

    def action_step(self, key: str) -> None:
        """Move the cursor to the nearest cell in that direction."""
        if self.cursor is None:
            self.cursor = Cell.E5
        else:
            right, down = _STEPS[key]
            here = self._picture.centre(self.cursor)

            def cost(cell: Cell) -> float:
                x, y = self._picture.centre(cell)
                along = (x - here[0]) * right + (y - here[1]) * down
                across = abs((x - here[0]) * down) + abs((y - here[1]) * right)
                return 1.5 * along + across if along > 0.5 else float("inf")

            nearest = min(CELLS, key=cost)
            if cost(nearest) < float("inf"):
                self.cursor = nearest
        self._repaint()
        self._point(self.cursor)

    def action_touch(self) -> None:
        if self.cursor is not None:
            self.post_message(self.Touched(self.cursor))
