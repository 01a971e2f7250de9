"""A board painted for a terminal: two square pixels to a character, the upper and the lower half.

A cell is as many pixels wide as high, so marbles are round. What depends only on the size (the
hexagon, a lit marble) is painted once and cached; positions are composed from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from rich.segment import Segment
from rich.style import Style

from sumito.drawing import scene
from sumito.rules.cells import CELLS, Cell
from sumito.rules.modes import BLACK, BLUE, RED, WHITE, Colour

RGB = tuple[int, int, int]
Point = tuple[float, float]

SIZES: Final = (4, 6, 8, 10)
"""Columns per cell; a cell has half as many lines."""

_REACH: Final = 5.2
"""Distance from the centre to the frame's outer edge, in cells."""
_GROUND_REACH: Final = 4.62
_SAMPLES: Final = 3

_FRAME: Final[RGB] = (122, 80, 44)
_GROUND: Final[RGB] = (214, 170, 116)
_GROUND_LIT: Final[RGB] = (234, 198, 148)
_DENT: Final[RGB] = (176, 132, 82)
_DENT_EDGE: Final[RGB] = (150, 108, 62)
_LABEL: Final[RGB] = (245, 224, 190)


class Marble(NamedTuple):
    """Colours of a marble and of its sign."""

    light: RGB
    body: RGB
    edge: RGB
    ink: RGB


MARBLES: Final = {
    BLACK: Marble((126, 130, 140), (38, 40, 46), (8, 9, 11), (250, 240, 220)),
    WHITE: Marble((255, 255, 255), (243, 238, 228), (180, 170, 150), (40, 40, 46)),
    RED: Marble((255, 176, 146), (226, 72, 44), (140, 34, 14), (255, 255, 255)),
    BLUE: Marble((128, 176, 255), (30, 90, 196), (10, 40, 104), (255, 255, 255)),
}

# Readers who can't tell red from blue see a cross and a diamond.
_SIGNS: Final[Mapping[Colour, tuple[str, str]]] = {RED: ("╲╱", "╱╲"), BLUE: ("╱╲", "╲╱")}
_DOT: Final = ("▗▖", "▝▘")


@dataclass(frozen=True, slots=True)
class Marks:
    """Marked cells."""

    chosen: frozenset[Cell] = frozenset()
    """The selected row."""
    targets: frozenset[Cell] = frozenset()
    """Empty cells that the row can move to."""
    pushes: frozenset[Cell] = frozenset()
    """Opposing marbles that the row can push."""
    preview: frozenset[Cell] = frozenset()
    """Where the row would stand."""
    left: frozenset[Cell] = frozenset()
    """Cells that the last move emptied."""
    reached: frozenset[Cell] = frozenset()
    """Cells that the last move filled."""
    cursor: Cell | None = None
    hint: frozenset[Cell] = frozenset()
    """The marbles that the engine would move."""


CHOSEN: Final[RGB] = (255, 214, 64)
TARGET: Final[RGB] = (22, 120, 66)
PUSH: Final[RGB] = (206, 24, 72)
TRAIL: Final[RGB] = (86, 156, 140)
CURSOR: Final[RGB] = (40, 110, 255)
PREVIEW: Final[RGB] = (255, 240, 170)
HINT: Final[RGB] = (150, 90, 220)


def size_for(width: int, height: int) -> int | None:
    """Return the largest size that fits into the window; None if none does."""
    fitting = [size for size in SIZES if extent(size)[0] <= width and extent(size)[1] <= height]
    return fitting[-1] if fitting else None


def extent(size: int) -> tuple[int, int]:
    """Return columns and lines of a whole board."""
    # An even number of lines, so that the middle of a cell lies between two of them.
    return 2 * round(_REACH * size), 2 * round(_REACH * size / 2)


class Spot(NamedTuple):
    """A character in the picture with its colour; None for that of the pixels behind it."""

    sign: str
    ink: RGB
    is_bold: bool = False


@dataclass(slots=True)
class Picture:
    """A board as pixels, with characters in front of them."""

    size: int
    turns: int = 0
    pixels: list[list[RGB | None]] = field(default_factory=list)
    signs: dict[tuple[int, int], Spot] = field(default_factory=dict)

    def centre(self, cell: Cell) -> Point:
        """Return the centre of a cell, in pixels from the upper left."""
        return self.at(scene.turned((cell.digit - 5, cell.row - 4), self.turns))

    def at(self, place: tuple[float, float]) -> Point:
        x, y = place
        columns, lines = extent(self.size)
        return columns / 2 + self.size * (x - y / 2), lines - self.size * y

    def cell_at(self, column: int, line: int) -> Cell | None:
        """Return the cell at a character, or None off the board."""
        x, y = column + 0.5, 2 * line + 1

        def away(cell: Cell) -> float:
            cx, cy = self.centre(cell)
            return (cx - x) ** 2 + (cy - y) ** 2

        nearest = min(CELLS, key=away)
        return nearest if away(nearest) <= (0.62 * self.size) ** 2 else None

    def put(self, centre: Point, patch: Patch) -> None:
        """Paint a round patch, its edge blended with what lies below."""
        left, top = round(centre[0]), round(centre[1])
        for dx, dy, colour, share in patch:
            row = self.pixels[top + dy]
            below = row[left + dx]
            row[left + dx] = colour if share == 1 else _mix(below or _FRAME, colour, share)

    def plain(self, centre: Point, radius: float, colour: RGB) -> None:
        """Paint a patch of one colour; the radius is in cells."""
        self.put(centre, _plain(self.size, radius, colour))

    def write(self, centre: Point, signs: tuple[str, str], ink: RGB) -> None:
        """Write a sign of two by two characters at the centre of a cell."""
        column, line = round(centre[0]) - 1, round(centre[1]) // 2 - 1
        for down, text in enumerate(signs):
            for step, sign in enumerate(text):
                self.signs[line + down, column + step] = Spot(sign, ink, is_bold=True)

    def lines(self) -> list[list[Segment]]:
        """Return the picture as lines of styled characters."""
        return [self._line(line) for line in range(len(self.pixels) // 2)]

    def _line(self, line: int) -> list[Segment]:
        upper, lower = self.pixels[2 * line], self.pixels[2 * line + 1]
        segments: list[Segment] = []
        for column, (top, bottom) in enumerate(zip(upper, lower, strict=True)):
            spot = self.signs.get((line, column))
            if spot is not None:
                ground = _mix(top or _FRAME, bottom or _FRAME, 0.5) if top or bottom else None
                segments.append(Segment(spot.sign, _style(spot.ink, ground, spot.is_bold)))
            elif top is None and bottom is None:
                segments.append(Segment(" "))
            elif top is None:
                segments.append(Segment("▄", _style(bottom, None)))
            elif bottom is None or top != bottom:
                segments.append(Segment("▀", _style(top, bottom)))
            else:
                segments.append(Segment(" ", _style(None, top)))
        return list(Segment.simplify(segments))


def paint(
    colours: Mapping[Cell, Colour], size: int, turns: int = 0, marks: Marks | None = None
) -> Picture:
    """Paint a position with its marks."""
    marks = marks or Marks()
    picture = Picture(size, turns, [row.copy() for row in _ground(size)])
    _write_labels(picture)
    for cells, colour in (
        (marks.left | marks.reached, TRAIL),
        (marks.hint, HINT),
        (marks.preview, PREVIEW),
        (marks.pushes, PUSH),
        (marks.chosen, CHOSEN),
    ):
        for cell in cells:
            picture.plain(picture.centre(cell), 0.6, colour)
    if marks.cursor is not None:
        picture.plain(picture.centre(marks.cursor), 0.62, CURSOR)
    for cell in CELLS:
        centre, colour_here = picture.centre(cell), colours.get(cell)
        if colour_here is None:
            picture.put(centre, _dent(size))
        else:
            picture.put(centre, _marble(size, colour_here))
            if colour_here in _SIGNS:
                picture.write(centre, _SIGNS[colour_here], MARBLES[colour_here].ink)
    _write_marks(picture, colours, marks)
    return picture


def _write_marks(picture: Picture, colours: Mapping[Cell, Colour], marks: Marks) -> None:
    for cell in marks.targets:
        picture.plain(picture.centre(cell), 0.2, TARGET)
        if picture.size == SIZES[0]:
            picture.write(picture.centre(cell), _DOT, TARGET)
    for cell in marks.reached & colours.keys():
        if cell not in marks.chosen:
            picture.plain(picture.centre(cell), 0.1, TRAIL)
    if picture.size > SIZES[0]:
        return
    # At four by two characters per cell a halo is thin: add a sign.
    for cells, ink in ((marks.chosen, CHOSEN), (marks.pushes, PUSH), (marks.hint, HINT)):
        for cell in cells & colours.keys():
            picture.write(picture.centre(cell), ("╭╮", "╰╯"), ink)
    for cell in marks.reached & colours.keys():
        if colours[cell] not in _SIGNS and cell not in marks.chosen | marks.pushes:
            picture.write(picture.centre(cell), _DOT, TRAIL)


def _write_labels(picture: Picture) -> None:
    for label, place in scene.labels().items():
        beside = (place[0] + 1, place[1]) if label.isalpha() else (place[0], place[1] + 1)
        start, end = (picture.at(scene.turned(one, picture.turns)) for one in (beside, place))
        x, y = (s + (e - s) * 0.88 for s, e in zip(start, end, strict=True))
        picture.signs[int(y) // 2, int(x)] = Spot(label, _LABEL)


@cache
def _ground(size: int) -> list[list[RGB | None]]:
    """Paint the empty hexagon in its frame; None where the terminal's background shows."""
    columns, lines = extent(size)

    def colour(x: float, y: float) -> RGB | None:
        row = (lines - y) / size
        digit = (x - columns / 2) / size + row / 2
        away = max(abs(digit), abs(row), abs(digit - row))
        if away > _REACH:
            return None
        if away > _GROUND_REACH:
            return _FRAME
        return _mix(_GROUND_LIT, _GROUND, min(1, max(0, 0.5 + (digit - 2 * row) / 14)))

    return [
        [_average(colour(x + dx, y + dy) for dx, dy in _SUBPIXELS) for x in range(columns)]
        for y in range(2 * lines)
    ]


_SUBPIXELS: Final = tuple(
    ((i + 0.5) / _SAMPLES, (j + 0.5) / _SAMPLES) for i in range(_SAMPLES) for j in range(_SAMPLES)
)


Patch = tuple[tuple[int, int, RGB, float], ...]
"""Pixels relative to the centre, each with its colour and coverage."""


def _disc(size: int, radius: float, colour: Callable[[float, float], RGB]) -> Patch:
    """Return a round patch; the colour is a function of the offset from the centre."""
    pixels = radius * size
    reach = int(pixels + 1)
    patch = []
    for y in range(-reach, reach):
        for x in range(-reach, reach):
            inside = sum((x + dx) ** 2 + (y + dy) ** 2 <= pixels**2 for dx, dy in _SUBPIXELS)
            if inside:
                patch.append((x, y, colour(x + 0.5, y + 0.5), inside / len(_SUBPIXELS)))
    return tuple(patch)


@cache
def _plain(size: int, radius: float, colour: RGB) -> Patch:
    return _disc(size, radius, lambda _dx, _dy: colour)


@cache
def _dent(size: int) -> Patch:
    """Return the hollow of an empty cell."""
    return _disc(
        size, 0.34, lambda dx, dy: _mix(_DENT_EDGE, _DENT, min(1, max(0, (dx + dy) / size + 0.5)))
    )


@cache
def _marble(size: int, colour: Colour) -> Patch:
    """Return a marble, lit from the upper left."""
    marble, radius = MARBLES[colour], 0.46 * size

    def shade(dx: float, dy: float) -> RGB:
        away = ((dx + 0.34 * radius) ** 2 + (dy + 0.38 * radius) ** 2) ** 0.5 / (1.5 * radius)
        if away < 0.4:
            return _mix(marble.light, marble.body, away / 0.4)
        return _mix(marble.body, marble.edge, min(1, (away - 0.4) / 0.75))

    return _disc(size, 0.46, shade)


def _average(colours: Iterable[RGB | None]) -> RGB | None:
    known = list(colours)
    present = [colour for colour in known if colour is not None]
    if 2 * len(present) < len(known):
        return None
    red, green, blue = (sum(parts) // len(present) for parts in zip(*present, strict=True))
    return red, green, blue


def _mix(one: RGB, other: RGB, share: float) -> RGB:
    return (
        round(one[0] + (other[0] - one[0]) * share),
        round(one[1] + (other[1] - one[1]) * share),
        round(one[2] + (other[2] - one[2]) * share),
    )


@cache
def _style(ink: RGB | None, ground: RGB | None, is_bold: bool = False) -> Style:
    return Style(
        color=None if ink is None else f"rgb({ink[0]},{ink[1]},{ink[2]})",
        bgcolor=None if ground is None else f"rgb({ground[0]},{ground[1]},{ground[2]})",
        bold=is_bold or None,
    )
