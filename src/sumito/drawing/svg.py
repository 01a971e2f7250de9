"""Renders a board as a self-contained SVG.

The board is drawn like the real one, from the bottom up: a frame with the coordinates, a tray for
ejected marbles, and a raised hexagon with a dent for every cell. Light falls from the upper left,
and every slope is shaded accordingly.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from sumito.choice import Choice
from sumito.drawing import scene
from sumito.drawing.scene import Show
from sumito.rules.cells import CELLS, Cell
from sumito.rules.modes import BLACK, BLUE, RED, WHITE, Colour
from sumito.validate import check_type, check_whole

if TYPE_CHECKING:
    from sumito.rules.board import Board, Effect
    from sumito.rules.move import Move

MOST_PIXELS: Final = 100_000

__all__ = ["MARBLES", "Arrow", "Mark", "Show", "Theme", "Tint", "arrows_for", "board"]


class Theme(Choice):
    """The theme: light or dark surroundings."""

    LIGHT = "light"
    DARK = "dark"


class Tint(Choice):
    """The colour of an arrow; the colours differ in lightness too, for colour-blind readers."""

    GREEN = "green"
    RED = "red"
    BLUE = "blue"
    GOLD = "gold"


class Mark(Choice):
    """The mark on a cell; each has a shape of its own."""

    GLOW = "glow"
    """A glow around the marble, as for a selected one."""
    RING = "ring"
    DOT = "dot"
    """A cell that can be reached."""
    CROSS = "cross"
    """A cell that can't."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two cells."""

    start: Cell
    end: Cell
    colour: Tint = Tint.GREEN


@dataclass(frozen=True, slots=True)
class _Marble:
    """The colours of a marble from the lit side to the edge, and of a letter on it."""

    light: str
    body: str
    edge: str
    ink: str


MARBLES: Final = {
    BLACK: _Marble("#6b6f78", "#24262b", "#08090b", "#f4f1ea"),
    WHITE: _Marble("#ffffff", "#f1ece1", "#b3a995", "#2a2a2e"),
    RED: _Marble("#ffab8a", "#ea5435", "#98240f", "#ffffff"),
    BLUE: _Marble("#6fa3f7", "#1750b4", "#08245f", "#ffffff"),
}
"""The marbles' colours, which differ in lightness and so under every colour blindness."""


@dataclass(frozen=True, slots=True)
class _Surface:
    """The colours of a board."""

    frame: str
    tray: str
    top: str
    top_lit: str
    label: str
    gold: str
    trail: str


_SURFACES: Final = {
    Theme.LIGHT: _Surface(
        frame="#9a6839",
        tray="#77502b",
        top="#cb9c66",
        top_lit="#ebc894",
        label="#5b3715",
        gold="#fff0a8",
        trail="#0c6a5f",
    ),
    Theme.DARK: _Surface(
        frame="#455264",
        tray="#303a47",
        top="#54637a",
        top_lit="#7587a0",
        label="#dbe5f2",
        gold="#ffd76a",
        trail="#ffd76a",
    ),
}
_TINTS: Final = {
    Tint.GREEN: "#13874b",
    Tint.RED: "#b3123f",
    Tint.BLUE: "#1d5fd0",
    Tint.GOLD: "#f2b90f",
}

# Lengths, in units of 1/40 of the distance between neighbouring cells.
_STEP: Final = 40.0
_ROW: Final = _STEP * math.sqrt(3) / 2
_MARBLE: Final = 18.0
_TOP: Final = 202.0
"""From here on the distances of corners from the centre, from the raised hexagon outwards."""
_SLOPE: Final = 208.0
_TRAY: Final = 243.0
_FRAME_IN: Final = 246.0
_FRAME: Final = 255.0
_EDGE: Final = 260.0
_LABELS: Final = 193.5
_MARGIN: Final = 3.0
_TRAY_SCALE: Final = 0.82

_LIGHT: Final = math.radians(118)
"""Where the light comes from, counter-clockwise from the right."""


def board(
    board: Board,
    *,
    size: int | None = 480,
    theme: Theme | str = Theme.LIGHT,
    show: Show = Show.USUAL,
    orientation: Colour | int = 0,
    last_move: Move | Effect | None = None,
    arrows: Iterable[Arrow] = (),
    highlights: Mapping[Cell, Mark] | None = None,
    title: str | None = None,
) -> str:
    """Return a board as SVG; equal arguments give equal texts.

    `size` is the width in pixels; `None` leaves it to the page. `orientation` is the colour that
    sits at the bottom, or a number of turns of 60° counter-clockwise. `last_move` is the move that
    led to this board; a bare move shows its row in full only if the board has it in its history.
    A screen reader reads `title`, then the position.

    >>> import sumito
    >>> board(sumito.Board(), theme="dark").startswith("<svg ")
    True
    """
    picture = _Picture(board, Theme(theme), show, scene.turns_for(board, orientation))
    effect = scene.effect_of(board, last_move)
    check_type("highlights", highlights, (Mapping, type(None)))
    check_type("show", show, Show)
    if size is not None:
        check_whole("size", size, 1, MOST_PIXELS)
    arrows = tuple(arrows) if isinstance(arrows, Iterable) else (arrows,)
    for arrow in arrows:
        check_type("arrow", arrow, Arrow)
    marks = highlights or {}
    body = "".join(
        [
            *picture.definitions(),
            *picture.table(),
            *picture.dents(),
            *picture.trail(effect),
            *picture.labels(),
            *picture.tray(),
            *picture.marks(marks, {Mark.GLOW}),
            *picture.marbles(),
            *picture.marks(marks, set(Mark) - {Mark.GLOW}),
            *picture.arrows(arrows),
        ]
    )
    title = title or f"Abalone board, {scene.status(board)}"
    return _finish(str(title), _in_words(board, effect), body, size)


def arrows_for(board: Board, move: Move, colour: Tint = Tint.GREEN) -> list[Arrow]:
    """Return the arrows for a move: one along a row, one for each marble of a side-step."""
    effect = board.effect(move)
    lands = [cell.step(effect.direction) for cell in effect.moved]
    pairs = [(one, to) for one, to in zip(effect.moved, lands, strict=True) if to is not None]
    if not move.is_side_step:
        pairs = [(pairs[0][0], pairs[-1][1])]
    return [Arrow(one, to, colour) for one, to in pairs]


def _finish(title: str, words: str, body: str, size: int | None) -> str:
    width = 2 * (_EDGE + _MARGIN)
    height = math.sqrt(3) * _EDGE + 2 * _MARGIN + 6
    top = -math.sqrt(3) / 2 * _EDGE - _MARGIN
    box = f"{_n(-width / 2)} {_n(top)} {_n(width)} {_n(height)}"
    measures = f' width="{size}" height="{round(size * height / width)}"' if size else ""
    # Ids are global in a page, so they include a hash of the picture.
    stem = f"s{zlib.crc32(f'{title}{words}{body}'.encode(errors='replace')):08x}"
    body = re.sub(r"=@(\w+)", rf'="{stem}\1"', body).replace("#@", f"#{stem}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{measures} role="img" '
        f'aria-labelledby="{stem}t {stem}d"><title id="{stem}t">{_plain(title)}</title>'
        f'<desc id="{stem}d">{_plain(words)}</desc>{body}</svg>'
    )


def _in_words(board: Board, effect: Effect | None) -> str:
    parts = [
        f"{colour}: {' '.join(map(str, board.marbles(colour))) or 'none'}"
        for colour in board.mode.colours
    ]
    parts.append(str(scene.score(board)))
    if effect is not None:
        parts.append(f"last move: {effect.move}")
    return "; ".join(parts) + "."


def _plain(text: str) -> str:
    """Return text escaped for XML, without control characters."""
    return escape(re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text))


def _n(number: float) -> str:
    """Return a length, rounded to a tenth of a unit."""
    return f"{round(number, 1) + 0.0:.1f}".removesuffix(".0")  # + 0.0 avoids -0


def _at(place: scene.Lattice) -> tuple[float, float]:
    x, y = place
    return _STEP * (x - y / 2), -_ROW * y


def _corners(radius: float) -> list[tuple[float, float]]:
    """Return the corners of a hexagon, counter-clockwise from the lower left."""
    angles = [math.radians(240 + 60 * k) for k in range(6)]
    return [(radius * math.cos(angle), -radius * math.sin(angle)) for angle in angles]


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _hexagon(radius: float, fill: str) -> str:
    return f'<polygon points="{_points(_corners(radius))}" fill="{fill}"/>'


def _shadow(radius: float, right: float, down: float) -> str:
    points = _points((x + right, y + down) for x, y in _corners(radius))
    return f'<polygon points="{points}" opacity=".2"/>'


def _slopes(upper: float, lower: float, strength: float) -> Iterator[str]:
    """Return six slopes between two hexagons, falling outwards if `lower` is the larger."""
    inner, outer = _corners(min(upper, lower)), _corners(max(upper, lower))
    for k in range(6):
        facing = math.cos(math.radians(270 + 60 * k) - _LIGHT)
        lit = facing if lower > upper else -facing
        shade = "#fff" if lit > 0 else "#000"
        after = (k + 1) % 6
        points = _points((inner[k], inner[after], outer[after], outer[k]))
        opacity = f"{abs(lit) * strength:.2f}"
        yield f'<polygon points="{points}" fill="{shade}" opacity="{opacity}"/>'


class _Picture:
    """The parts of one picture, each a run of elements; `=@x` and `#@x` stand for the id x."""

    def __init__(self, board: Board, theme: Theme, show: Show, turns: int) -> None:
        self.board = board
        self.surface = _SURFACES[theme]
        self.show = show
        self.turns = turns

    def _cell(self, cell: Cell) -> tuple[float, float]:
        return _at(scene.turned((cell.digit - 5, cell.row - 4), self.turns))

    def definitions(self) -> Iterator[str]:
        yield "<defs>"
        for colour in self.board.mode.colours:
            yield from self._marble(colour)
        surface = self.surface
        yield (
            "<radialGradient id=@shade>"
            '<stop offset=".55" stop-opacity=".5"/><stop offset="1" stop-opacity="0"/>'
            "</radialGradient>"
            '<radialGradient id=@gleam><stop offset="0" stop-color="#fff" stop-opacity=".95"/>'
            '<stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>'
            '<radialGradient id=@top cx=".38" cy=".3" r=".9">'
            f'<stop offset="0" stop-color="{surface.top_lit}"/>'
            f'<stop offset="1" stop-color="{surface.top}"/></radialGradient>'
            '<linearGradient id=@bowl x1=".25" y1="0" x2=".7" y2="1">'
            '<stop offset="0" stop-opacity=".5"/><stop offset=".55" stop-opacity=".2"/>'
            '<stop offset="1" stop-color="#fff" stop-opacity=".28"/></linearGradient>'
            '<linearGradient id=@lip x1=".25" y1="0" x2=".7" y2="1">'
            '<stop offset=".3" stop-opacity=".3"/>'
            '<stop offset="1" stop-color="#fff" stop-opacity=".5"/></linearGradient>'
            '<circle id=@dent r="16.5" fill="url(#@bowl)" stroke="url(#@lip)" stroke-width="1.4"/>'
        )
        yield "</defs>"

    def _marble(self, colour: Colour) -> Iterator[str]:
        paint, letter = MARBLES[colour], colour.letter
        yield (
            f'<radialGradient id=@g{letter} cx=".36" cy=".3" r=".74">'
            f'<stop offset="0" stop-color="{paint.light}"/>'
            f'<stop offset=".45" stop-color="{paint.body}"/>'
            f'<stop offset=".9" stop-color="{paint.edge}"/>'
            f'<stop offset="1" stop-color="{paint.body}"/></radialGradient>'
            f'<g id=@{letter}><ellipse cx="3.5" cy="5" rx="20.5" ry="20" fill="url(#@shade)"/>'
            f'<circle r="{_n(_MARBLE)}" fill="url(#@g{letter})"/>'
            '<ellipse cx="-6" cy="-8" rx="7.5" ry="5" transform="rotate(-35 -6 -8)" '
            'fill="url(#@gleam)"/>'
        )
        if Show.LETTERS in self.show:
            yield (
                f'<text y="6" text-anchor="middle" font-family="system-ui,sans-serif" '
                f'font-size="17" font-weight="700" fill="{paint.ink}">{letter.upper()}</text>'
            )
        yield "</g>"

    def table(self) -> Iterator[str]:
        """Return frame, tray and the raised hexagon."""
        surface = self.surface
        yield _shadow(_EDGE, 1, 3.5)
        yield _hexagon(_EDGE, surface.frame)
        yield from _slopes(_FRAME, _EDGE, 0.38)
        yield _hexagon(_FRAME_IN, surface.tray)
        yield from _slopes(_FRAME_IN, _TRAY, 0.32)
        yield _shadow(_SLOPE, 3, 5)
        yield _shadow(_SLOPE, 1.5, 2.5)
        yield _hexagon(_SLOPE, surface.top)
        yield from _slopes(_TOP, _SLOPE, 0.5)
        yield _hexagon(_TOP, "url(#@top)")
        if Show.TURN in self.show and self.board.outcome() is None:
            yield self._lamp(self.board.turn)

    def _lamp(self, colour: Colour) -> str:
        """Return an inlay in the frame where the player to move sits."""
        k = (scene.SEATS[self.board.mode][colour] + self.turns) % 6
        corners = _corners((_FRAME_IN + _FRAME) / 2)
        (x1, y1), (x2, y2) = corners[k], corners[(k + 1) % 6]
        ends = [(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part) for part in (0.3, 0.7)]
        return (
            f'<polyline points="{_points(ends)}" stroke="{self.surface.gold}" stroke-width="3.4" '
            'stroke-linecap="round"/>'
        )

    def labels(self) -> Iterator[str]:
        if Show.COORDINATES not in self.show:
            return
        yield (
            f'<g fill="{self.surface.label}" font-family="system-ui,sans-serif" font-size="12" '
            'font-weight="600" text-anchor="middle">'
        )
        for label, place in scene.labels().items():
            x, y = self._beside(label, place)
            yield f'<text x="{_n(x)}" y="{_n(y + 4.3)}">{label}</text>'
        yield "</g>"

    def _beside(self, label: str, place: scene.Lattice) -> tuple[float, float]:
        """Return the point where the line of a label meets the border of the raised hexagon."""
        way = (-1, 0) if label.isalpha() else (0, -1)
        x, y = _at(scene.turned(place, self.turns))
        dx, dy = _at(scene.turned(way, self.turns))
        return _walk((x, y), (dx / _STEP, dy / _STEP), _LABELS * math.sqrt(3) / 2)

    def tray(self) -> Iterator[str]:
        """Return the ejected marbles, in the tray before the player whose side ejected them."""
        if Show.EJECTED not in self.show:
            return
        corners = _corners((_SLOPE + _TRAY) / 2)
        for side, pile in zip(self.board.mode.sides, scene.ejected_by(self.board), strict=True):
            k = (scene.SEATS[self.board.mode][side[0]] + self.turns) % 6
            (x1, y1), (x2, y2) = corners[k], corners[(k + 1) % 6]
            length = math.hypot(x2 - x1, y2 - y1)
            apart = min(2 * _MARBLE * _TRAY_SCALE + 1, (length - 30) / max(1, len(pile) - 1))
            for number, colour in enumerate(pile):
                part = 0.5 + (number - (len(pile) - 1) / 2) * apart / length
                x, y = x1 + (x2 - x1) * part, y1 + (y2 - y1) * part
                yield (
                    f'<use href="#@{colour.letter}" transform="translate({_n(x)} {_n(y)}) '
                    f'scale({_TRAY_SCALE})" data-ejected="{colour.letter}"/>'
                )

    def dents(self) -> Iterator[str]:
        for cell in CELLS:
            yield self._use("dent", cell)

    def marbles(self) -> Iterator[str]:
        # From the back to the front, so that shadows fall on what lies behind.
        for cell in sorted(CELLS, key=lambda cell: self._cell(cell)[::-1]):
            colour = self.board[cell]
            if colour is not None:
                yield self._use(colour.letter, cell, f' data-cell="{cell}"')

    def _use(self, id: str, cell: Cell, more: str = "") -> str:
        x, y = self._cell(cell)
        return f'<use href="#@{id}" x="{_n(x)}" y="{_n(y)}"{more}/>'

    def trail(self, effect: Effect | None) -> Iterator[str]:
        """Return the last move: a ribbon along the marbles' path, rings on the cells they left."""
        if effect is None:
            return
        cells = effect.moved + effect.pushed
        reached = {cell.step(effect.direction) for cell in cells}
        dx, dy = _at(scene.turned(_step(effect), self.turns))
        rows = [[cell] for cell in cells] if effect.move.is_side_step else [list(cells)]
        yield f'<g stroke="{self.surface.trail}" fill="none" stroke-linecap="round">'
        for row in rows:
            x, y = self._cell(row[0])
            end = self._cell(row[-1])
            reach = 0.92 if effect.ejected is not None else 1
            points = _points([(x, y), (end[0] + dx * reach, end[1] + dy * reach)])
            yield f'<polyline points="{points}" stroke-width="39" opacity=".44"/>'
        for cell in cells:
            if cell in reached:
                continue
            x, y = self._cell(cell)
            yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="15.5" stroke-width="2.8"/>'
            chevron = [
                (x + dx * along + dy * across, y + dy * along - dx * across)
                for along, across in ((-0.08, 0.15), (0.1, 0), (-0.08, -0.15))
            ]
            yield (
                f'<polyline points="{_points(chevron)}" stroke-width="3.5" '
                'stroke-linejoin="round"/>'
            )
        yield "</g>"

    def marks(self, marks: Mapping[Cell, Mark], kinds: set[Mark]) -> Iterator[str]:
        for cell in CELLS:
            mark = marks.get(cell)
            if mark is not None and Mark(mark) in kinds:
                x, y = self._cell(cell)
                yield f'<g transform="translate({_n(x)} {_n(y)})">{self._mark(Mark(mark))}</g>'

    def _mark(self, mark: Mark) -> str:
        gold, red = self.surface.gold, _TINTS[Tint.RED]
        if mark is Mark.GLOW:
            return f'<circle r="21" fill="{gold}" opacity=".9"/>'
        if mark is Mark.RING:
            return f'<circle r="17" fill="none" stroke="{gold}" stroke-width="3.4"/>'
        if mark is Mark.DOT:
            return f'<circle r="6.5" fill="{gold}" stroke="#000" stroke-opacity=".5"/>'
        strokes = ((f"{gold}", 8.5), (red, 5))
        return "".join(
            f'<path d="M-7-7 7 7M7-7-7 7" stroke="{stroke}" stroke-width="{width}" '
            'stroke-linecap="round"/>'
            for stroke, width in strokes
        )

    def arrows(self, arrows: Iterable[Arrow]) -> Iterator[str]:
        for arrow in arrows:
            yield self._arrow(arrow)

    def _arrow(self, arrow: Arrow) -> str:
        (x1, y1), (x2, y2) = self._cell(arrow.start), self._cell(arrow.end)
        length = math.hypot(x2 - x1, y2 - y1)
        if not length:
            return ""
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        # One outline for shaft and head, so that its light rim runs all the way round.
        shape = ((4, 3), (length - 9, 3.4), (length - 9, 10), (length + 8, 0))
        outline = [*shape, *((along, -across) for along, across in reversed(shape[:-1]))]
        points = _points(
            (x1 + ux * along - uy * across, y1 + uy * along + ux * across)
            for along, across in outline
        )
        return (
            f'<polygon points="{points}" fill="{_TINTS[Tint(arrow.colour)]}" stroke="#fff" '
            'stroke-width="1.8" stroke-linejoin="round" opacity=".93"/>'
        )


def _step(effect: Effect) -> scene.Lattice:
    return ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))[effect.direction]


def _walk(
    start: tuple[float, float], way: tuple[float, float], apothem: float
) -> tuple[float, float]:
    """Return where a ray from inside meets the hexagon with that distance of its edges."""
    nearest = math.inf
    for k in range(6):
        angle = math.radians(270 + 60 * k)
        nx, ny = math.cos(angle), -math.sin(angle)
        speed = way[0] * nx + way[1] * ny
        if speed > 1e-9:
            nearest = min(nearest, (apothem - start[0] * nx - start[1] * ny) / speed)
    return start[0] + way[0] * nearest, start[1] + way[1] * nearest
