"""Renders a board for a terminal: plain letters, or marbles in colour.

>>> import sumito
>>> print(sumito.Board())
      i w w w w w
     h w w w w w w
    g . . w w w . .
   f . . . . . . . .
  e . . . . . . . . .
   d . . . . . . . . 9
    c . . b b b . . 8
     b b b b b b b 7
      a b b b b b 6
         1 2 3 4 5
ejected by black: 0, by white: 0
black to move
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sumito.choice import Choice
from sumito.drawing import scene
from sumito.drawing.scene import Show
from sumito.i18n.messages import N_, Message
from sumito.rules.cells import CELLS, Cell
from sumito.rules.modes import BLACK, BLUE, RED, WHITE, Colour
from sumito.validate import check_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from sumito.rules.board import Board, Effect
    from sumito.rules.move import Move

__all__ = ["Glyphs", "Palette", "Show", "board"]


class Palette(Choice):
    """The colours that the terminal supports."""

    NONE = "none"
    ANSI256 = "ansi256"
    TRUECOLOUR = "truecolour"


class Glyphs(Choice):
    """The signs for marbles."""

    LETTERS = "letters"
    """b, w, r, u and a full stop, in plain ASCII."""
    MARBLES = "marbles"
    """Round signs: full ones for black and red, hollow ones for white and blue."""


_SIGNS: Final = {
    Glyphs.LETTERS: {None: ".", BLACK: "b", WHITE: "w", RED: "r", BLUE: "u"},
    Glyphs.MARBLES: {None: "·", BLACK: "●", WHITE: "○", RED: "◆", BLUE: "◇"},
}
_LEFT_BEHIND: Final = ":"
_SOLID: Final = "●"

Paint = tuple[tuple[int, int, int], int]
"""A colour as red, green, blue and as its index in the terminal's 256 colours."""

_MARBLES: Final[dict[Colour, Paint]] = {
    BLACK: ((20, 20, 24), 233),
    WHITE: ((252, 248, 238), 231),
    RED: ((214, 62, 36), 160),
    BLUE: ((30, 84, 196), 26),
}
_BOARD: Final[Paint] = ((196, 160, 108), 137)
_MOVED: Final[Paint] = ((122, 158, 120), 108)
_DENT: Final[Paint] = ((140, 106, 62), 94)
_LABEL: Final[Paint] = ((150, 150, 150), 246)
_RESET: Final = "\x1b[0m"


def board(
    board: Board,
    *,
    palette: Palette | str = Palette.NONE,
    glyphs: Glyphs | str | None = None,
    show: Show = Show.USUAL,
    orientation: Colour | int = 0,
    last_move: Move | Effect | None = None,
    render: Callable[[Message], str] = str,
) -> str:
    """Return a board as lines of text, without a line break at the end.

    `glyphs` are letters without a palette and marbles with one, unless named. `orientation` is the
    colour that sits at the bottom, or a number of turns of 60° counter-clockwise. Of the last move,
    the marbles that moved stand in brackets or on a green ground, and a colon marks the cells
    they left. `render` translates the lines below the board; English by default.
    """
    check_type("show", show, Show)
    palette = Palette(palette)
    glyphs = Glyphs(glyphs or (Glyphs.MARBLES if palette is not Palette.NONE else Glyphs.LETTERS))
    turns = scene.turns_for(board, orientation)
    effect = scene.effect_of(board, last_move)
    canvas = _Canvas(palette)
    _draw_cells(canvas, board, glyphs, turns, effect, show)
    if Show.COORDINATES in show:
        for label, place in scene.labels().items():
            canvas.put(scene.turned(place, turns), _Spot(label, ink=_LABEL))
    lines = canvas.lines()
    if effect is not None:
        last = Message("last-move", N_("last move: {move}"), {"move": str(effect.move)})
        lines.append(render(last))
    if Show.EJECTED in show:
        lines.append(render(scene.score(board)))
    if Show.TURN in show:
        lines.append(render(scene.status(board)))
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Spot:
    """A sign, its colour, its background, and whether the last move put it there."""

    sign: str
    ink: Paint
    ground: Paint | None = None
    moved: bool = False


@dataclass(slots=True)
class _Canvas:
    """A grid of signs where a step east is two columns and a row is one line."""

    palette: Palette
    spots: dict[tuple[int, int], _Spot] = field(default_factory=dict)

    def put(self, place: scene.Lattice, spot: _Spot) -> None:
        x, y = place
        self.spots[-y, 2 * x - y] = spot

    def lines(self) -> list[str]:
        left = min(column for _, column in self.spots)
        rows = sorted({row for row, _ in self.spots})
        return [" " + self._line(row, left) for row in rows]

    def _line(self, row: int, left: int) -> str:
        columns = sorted(column for at, column in self.spots if at == row)
        text = " " * (columns[0] - left)
        for column in range(columns[0] - 1, columns[-1] + 2):
            spot = self.spots.get((row, column))
            if spot is None:
                near = [self.spots.get((row, column + side)) for side in (-1, 1)]
                text += self._gap(*near)
            else:
                text += self._paint(spot.sign, spot.ink, spot.ground)
        return text.rstrip()

    def _gap(self, west: _Spot | None, east: _Spot | None) -> str:
        before, after = (spot is not None and spot.moved for spot in (west, east))
        if self.palette is Palette.NONE:
            return "]" if before and not after else "[" if after and not before else " "
        grounds = [spot.ground for spot in (west, east) if spot is not None and spot.ground]
        if not grounds:
            return " "
        return self._paint(" ", _DENT, _MOVED if grounds == [_MOVED, _MOVED] else _BOARD)

    def _paint(self, sign: str, ink: Paint, ground: Paint | None) -> str:
        if self.palette is Palette.NONE:
            return sign
        codes = self._code(38, ink)
        if ground is not None:
            codes += ";" + self._code(48, ground)
        return f"\x1b[{codes}m{sign}{_RESET}"

    def _code(self, layer: int, paint: Paint) -> str:
        (red, green, blue), number = paint
        if self.palette is Palette.ANSI256:
            return f"{layer};5;{number}"
        return f"{layer};2;{red};{green};{blue}"


def _draw_cells(
    canvas: _Canvas,
    board: Board,
    glyphs: Glyphs,
    turns: int,
    effect: Effect | None,
    show: Show,
) -> None:
    left, reached = _trace(effect)
    signs = _SIGNS[glyphs]
    for cell in CELLS:
        colour = board[cell]
        moved = cell in reached and colour is not None
        if colour is None:
            sign = _LEFT_BEHIND if cell in left else signs[None]
        elif Show.LETTERS in show:
            sign = colour.letter
        elif glyphs is Glyphs.MARBLES and canvas.palette is not Palette.NONE:
            sign = _SOLID  # distinguished by the colour
        else:
            sign = signs[colour]
        ink = _DENT if colour is None else _MARBLES[colour]
        ground = _MOVED if moved or cell in left else _BOARD
        place = scene.turned((cell.digit - 5, cell.row - 4), turns)
        canvas.put(place, _Spot(sign, ink, ground, moved))


def _trace(effect: Effect | None) -> tuple[set[Cell], set[Cell | None]]:
    """Return the cells that a move left, and those it reached."""
    if effect is None:
        return set(), set()
    cells = effect.moved + effect.pushed
    reached = {cell.step(effect.direction) for cell in cells}
    return set(cells) - reached, reached
