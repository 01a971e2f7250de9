"""Detects the formations that players have words for: singleton, lance, block, sumito, pac, det …

Each detector is a function of a board and a colour and finds every formation of its word; `find`
asks them all. Formations of marbles (singleton … block, det) are of one colour. Rows that meet
(sumito, pac) count sides: a partner's marbles stand with one's own, and all others oppose.

>>> from sumito import Board
>>> board = Board.parse("5/6/7/8/2bbw4/8/7/6/5 b 0,0 0 1")
>>> for formation in find(board, Word.PAIR, Word.SUMITO):
...     print(formation)
pair: black e3 e4
sumito: black e3 e4 E against e5
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeVar, cast

from sumito.choice import Choice
from sumito.errors import FormationError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.cells import (
    AXES,
    BOARD,
    CELLS,
    DIRECTIONS,
    Cell,
    Direction,
    Mask,
    cells_of,
    line,
    mask_of,
    shift,
)
from sumito.rules.move import LONGEST, Move
from sumito.validate import check_type

if TYPE_CHECKING:
    from sumito.rules.modes import Colour

SURROUNDED: Final = 4
"""The opposing neighbours that make a lone marble a det; a corner has fewer, and then all count."""


class Word(Choice, error=FormationError):
    """A term of the players; the glossary of `sumito.teaching` explains it in four languages."""

    MARBLE = "marble"
    SINGLETON = "singleton"
    PAIR = "pair"
    TRIPLE = "triple"
    GROUP = "group"
    LANCE = "lance"
    ARC = "arc"
    SHIELD = "shield"
    BLOCK = "block"
    SUMITO = "sumito"
    PAC = "pac"
    DET = "det"
    IN_LINE = "in-line move"
    SIDE_STEP = "side-step"
    EJECTION = "ejection"


class Within(Choice, error=FormationError):
    """Which marbles count as a lance, an arc or a shield."""

    ANY_GROUP = "any-group"
    """Every occurrence of the shape, also within a larger group."""
    TRIPLE = "triple"
    """Only triples: groups of exactly three."""


@dataclass(frozen=True, slots=True)
class Formation:
    """A formation of marbles of one colour."""

    word: Word
    colour: Colour
    cells: tuple[Cell, ...]
    """In reading order; where rows meet, along the line from the rear of the colour's row."""

    def __str__(self) -> str:
        return f"{self.word}: {self.colour} {_names(self.cells)}"


@dataclass(frozen=True, slots=True)
class Triple(Formation):
    """A group of exactly three."""

    shape: Word
    """Lance, arc or shield: the only connected shapes of three marbles."""

    def __str__(self) -> str:
        return f"{self.word}: {self.colour} {self.shape} {_names(self.cells)}"


@dataclass(frozen=True, slots=True)
class Meeting(Formation):
    """A row of a side and an opposing row, face to face on one line, each in its full length."""

    row: tuple[Cell, ...]
    """The side's row, the rear first."""
    opposing: tuple[Cell, ...]
    """The opposing row, the nearest first."""
    direction: Direction
    """From the side's row towards the opposing one."""

    def __str__(self) -> str:
        rows = f"{_names(self.row)} {self.direction} against {_names(self.opposing)}"
        return f"{self.word}: {self.colour} {rows}"


@dataclass(frozen=True, slots=True)
class Pac(Meeting):
    """Equal strength: neither row can push the other along this line."""

    @property
    def strength(self) -> int:
        """1, 2 or 3: how many marbles count on either side."""
        return min(len(self.row), LONGEST)


@dataclass(frozen=True, slots=True)
class Sumito(Meeting):
    """A row facing a weaker one; `colour` is a player with a marble to push from."""

    behind: Cell | None
    """The cell behind the opposing row, or None for the rim."""
    playable: bool
    """The cell behind is empty or the rim."""
    moves: tuple[Move, ...]
    """The in-line moves that push here once it is playable, the shortest row first.

    Three against one can push with two or with three. Between partners, each pushes only from
    marbles of their own.
    """

    @property
    def ejecting(self) -> bool:
        """Whether playing it ejects the last opposing marble."""
        return self.behind is None


def _names(cells: Iterable[Cell]) -> str:
    return " ".join(map(str, cells))


# Marbles of one colour.

_NEIGHBOURS: Final = {
    cell: mask_of(there for way in DIRECTIONS if (there := cell.step(way)) is not None)
    for cell in CELLS
}


def _beside(mask: Mask) -> Mask:
    """Return the cells with a neighbour in the set."""
    beside = 0
    for direction in DIRECTIONS:
        beside |= shift(mask, direction)
    return beside


def _components(mask: Mask) -> Iterator[Mask]:
    """Yield the connected components of a set."""
    while mask:
        part, grown = 0, mask & -mask
        while grown != part:
            part = grown
            grown |= _beside(part) & mask
        yield part
        mask ^= part


_Detector = TypeVar("_Detector", bound=Callable[..., object])


def _checked(detector: _Detector) -> _Detector:
    """Raise an error for anything but a board and a colour on it."""

    @wraps(detector)
    def checked(board: Board, colour: Colour, *more: object, **named: object) -> object:
        check_type("board", board, Board)
        return detector(board, board.mode.check_colour(colour), *more, **named)

    return cast(_Detector, checked)


def _formations(word: Word, colour: Colour, masks: Iterable[Mask]) -> list[Formation]:
    return [Formation(word, colour, tuple(cells_of(mask))) for mask in masks]


@_checked
def singletons(board: Board, colour: Colour) -> list[Formation]:
    """Singleton, *Eingliedrig*, *eenling*, *bille isolée*: no neighbour of its colour."""
    own = board.marbles_mask(colour)
    alone = own & ~_beside(own)
    return _formations(Word.SINGLETON, colour, (cell.mask for cell in cells_of(alone)))


@_checked
def pairs(board: Board, colour: Colour) -> list[Formation]:
    """Pair, *Zweigliedrig*, *tweeling*, *paire*: a connected group of exactly two."""
    parts = _components(board.marbles_mask(colour))
    return _formations(Word.PAIR, colour, (part for part in parts if part.bit_count() == 2))


@_checked
def triples(board: Board, colour: Colour) -> list[Triple]:
    """Triple, *Dreigliedrig*, *drieling*, *triplet*: a connected group of exactly three."""
    shapes = (lances, arcs, shields)
    found = [shape for shapes_of in shapes for shape in shapes_of(board, colour, Within.TRIPLE)]
    return [Triple(Word.TRIPLE, colour, each.cells, each.word) for each in found]


@_checked
def groups(board: Board, colour: Colour) -> list[Formation]:
    """Group, *Vielgliedrig*, *meerling*, *groupe*: a connected set of one colour.

    Groups are maximal; a lone marble is the smallest group.
    """
    return _formations(Word.GROUP, colour, _components(board.marbles_mask(colour)))


@_checked
def lances(board: Board, colour: Colour, within: Within = Within.ANY_GROUP) -> list[Formation]:
    """Lance, *Lanze*, *lans*, *lance*: three in a line."""
    return _shapes(Word.LANCE, board, colour, within, lambda way: (way, way.opposite), AXES)


@_checked
def arcs(board: Board, colour: Colour, within: Within = Within.ANY_GROUP) -> list[Formation]:
    """Arc, *Bogen*, *boog*, *arc*: three with a bend of 120°."""
    return _shapes(Word.ARC, board, colour, within, lambda way: (way, _turn(way, 2)), DIRECTIONS)


@_checked
def shields(board: Board, colour: Colour, within: Within = Within.ANY_GROUP) -> list[Formation]:
    """Shield, *Panzer*, *schild*, *bouclier*: three in a triangle."""
    # From its lowest marble, a triangle that stands goes E and NE, one on its head NE and NW.
    ways = (Direction.E, Direction.NE)
    return _shapes(Word.SHIELD, board, colour, within, lambda way: (way, _turn(way, 1)), ways)


def _turn(direction: Direction, sixths: int) -> Direction:
    return DIRECTIONS[(direction + sixths) % 6]


def _shapes(
    word: Word,
    board: Board,
    colour: Colour,
    within: Within,
    arms: Callable[[Direction], tuple[Direction, Direction]],
    ways: tuple[Direction, ...],
) -> list[Formation]:
    """Return shapes of three: a marble and its two neighbours in the directions of `arms`."""
    own = board.marbles_mask(colour)
    masks = []
    for way in ways:
        one, other = arms(way)
        for cell in cells_of(own & shift(own, one.opposite) & shift(own, other.opposite)):
            mask = cell.mask | shift(cell.mask, one) | shift(cell.mask, other)
            if within is Within.ANY_GROUP or not _beside(mask) & own & ~mask:
                masks.append(mask)
    return _formations(word, colour, masks)


@_checked
def blocks(board: Board, colour: Colour) -> list[Formation]:
    """Block, *Block*, *blok*, *bloc*: three adjacent parallel rows of three, a 3×3 rhombus."""
    own = board.marbles_mask(colour)
    masks = []
    for along, up in combinations(AXES, 2):
        rows = own & shift(own, along.opposite)
        rows &= shift(rows, along.opposite)
        corners = rows & shift(rows, up.opposite)
        corners &= shift(corners, up.opposite)
        for corner in cells_of(corners):
            starts = line(corner, up, LONGEST)
            masks.append(mask_of(cell for at in starts for cell in line(at, along, LONGEST)))
    return _formations(Word.BLOCK, colour, masks)


def _opponents(board: Board, colour: Colour) -> Mask:
    return BOARD ^ board.empty_mask ^ board.friends_mask(colour)


@_checked
def dets(board: Board, colour: Colour) -> list[Formation]:
    """Det, the same in all languages: a singleton with at least four opposing neighbours.

    In a corner, which has only three neighbours, all of them.
    """
    opposing = _opponents(board, colour)
    found = []
    for lone in singletons(board, colour):
        around = _NEIGHBOURS[lone.cells[0]]
        if (around & opposing).bit_count() >= min(SURROUNDED, around.bit_count()):
            found.append(Formation(Word.DET, colour, lone.cells))
    return found


# Rows that meet.


@_checked
def sumitos(board: Board, colour: Colour) -> list[Sumito]:
    """Sumito, the same in all languages: two opposing rows on one line, one outnumbering the other.

    A row counts with up to three marbles against one or two. Partners' rows count together, and
    it is the sumito of each partner who has a marble in the right place to push from.
    """
    own = board.marbles_mask(colour)
    found = []
    for row, opposing, direction in _meetings(board, colour):
        sizes = range(len(opposing) + 1, min(len(row), LONGEST) + 1)
        rears = [row[-size] for size in sizes if own & row[-size].mask]
        moves = tuple(Move.in_line(rear, direction) for rear in rears)
        if moves:
            behind = opposing[-1].step(direction)
            playable = behind is None or bool(board.empty_mask & behind.mask)
            found.append(
                Sumito(
                    Word.SUMITO,
                    colour,
                    row + opposing,
                    row,
                    opposing,
                    direction,
                    behind,
                    playable,
                    moves,
                )
            )
    return found


@_checked
def pacs(board: Board, colour: Colour) -> list[Pac]:
    """Pac, *Pac* (also *Patt*), *pact*, *pac*: two opposing rows on one line of equal strength.

    Seen from the colour's side. With three players one row may be in a pac that the other isn't:
    a white marble before a black one sees one against one, but black, with a red marble behind the
    white one, sees one against two.
    """
    return [
        Pac(Word.PAC, colour, row + opposing, row, opposing, direction)
        for row, opposing, direction in _meetings(board, colour)
        if min(len(row), LONGEST) == min(len(opposing), LONGEST)
    ]


def _meetings(
    board: Board, colour: Colour
) -> Iterator[tuple[tuple[Cell, ...], tuple[Cell, ...], Direction]]:
    """Yield every row of the side that faces an opposing row: both rows and the direction."""
    friends = board.friends_mask(colour)
    opponents = _opponents(board, colour)
    for direction in DIRECTIONS:
        for front in cells_of(friends & shift(opponents, direction.opposite)):
            row = _run(front, direction.opposite, friends)[::-1]
            opposing = _run(front, direction, opponents | front.mask)[1:]
            yield row, opposing, direction


def _run(start: Cell, direction: Direction, among: Mask) -> tuple[Cell, ...]:
    """Return the unbroken run of cells of a set from `start`."""
    cells = []
    for cell in line(start, direction):
        if not among & cell.mask:
            break
        cells.append(cell)
    return tuple(cells)


# All of them.

DETECTORS: Final[dict[Word, Callable[[Board, Colour], Iterable[Formation]]]] = {
    Word.SINGLETON: singletons,
    Word.PAIR: pairs,
    Word.TRIPLE: triples,
    Word.GROUP: groups,
    Word.LANCE: lances,
    Word.ARC: arcs,
    Word.SHIELD: shields,
    Word.BLOCK: blocks,
    Word.SUMITO: sumitos,
    Word.PAC: pacs,
    Word.DET: dets,
}


def find(board: Board, *words: Word) -> list[Formation]:
    """Return every formation on the board, or those of `words`, in order of words and colours.

    A pac seen from both sides is returned once, for the first side.
    """
    check_type("board", board, Board)
    unknown = [word for word in words if word not in DETECTORS]
    if unknown:
        raise FormationError(
            N_("{text!r} is not a formation; formations are {known}"),
            text=str(unknown[0]),
            known=tuple(DETECTORS),
        )
    found: dict[object, Formation] = {}
    for word in words or DETECTORS:
        for colour in board.mode.colours:
            for formation in DETECTORS[word](board, colour):
                found.setdefault(_identity(formation), formation)
    return list(found.values())


def _identity(formation: Formation) -> object:
    """Return a key that is equal for a pac seen from either side, else unique."""
    if isinstance(formation, Pac):
        return frozenset({frozenset(formation.row), frozenset(formation.opposing)})
    return formation
