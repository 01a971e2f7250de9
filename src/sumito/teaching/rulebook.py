"""The rulebook in the order of a booklet, its figures as boards, and the glossary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from sumito.rules.board import Board
from sumito.rules.cells import Cell
from sumito.rules.move import Move
from sumito.teaching.texts import read


@dataclass(frozen=True, slots=True)
class Figure:
    """A board of a figure: moves shown by arrows, and illegal moves."""

    position: str
    show: tuple[Move, ...]
    refuse: tuple[Move, ...]

    @property
    def board(self) -> Board:
        return Board.parse(self.position)


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, by the key of its text."""

    key: str


@dataclass(frozen=True, slots=True)
class Figured:
    """A figure, by its name."""

    name: str

    @property
    def caption(self) -> str:
        return f"figure.{self.name}"


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of the rulebook."""

    id: str
    blocks: tuple[Passage | Figured, ...]

    @property
    def title(self) -> str:
        return f"rules.{self.id}.title"


@dataclass(frozen=True, slots=True)
class GlossaryWord:
    """A term of the glossary, with a figure and the cells that show it."""

    id: str
    example: str
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        return f"word.{self.id}.name"

    @property
    def meaning(self) -> str:
        return f"word.{self.id}.meaning"

    @property
    def use(self) -> str:
        return f"word.{self.id}.use"


@cache
def figures() -> MappingProxyType[str, tuple[Figure, ...]]:
    """Return the boards of every figure, by name."""
    return MappingProxyType(
        {
            name: tuple(
                Figure(
                    board["position"],
                    tuple(map(Move.parse, board.get("show", ()))),
                    tuple(map(Move.parse, board.get("refuse", ()))),
                )
                for board in boards
            )
            for name, boards in read("figures.json")["figures"].items()
        }
    )


@cache
def rulebook() -> tuple[Section, ...]:
    """Return the sections of the rules of every mode."""
    return tuple(
        Section(
            section["id"],
            tuple(
                Figured(block["figure"])
                if "figure" in block
                else Passage(f"rules.{section['id']}.{block['text']}")
                for block in section["blocks"]
            ),
        )
        for section in read("rulebook.json")["sections"]
    )


@cache
def words() -> tuple[GlossaryWord, ...]:
    """Return the terms of the glossary."""
    return tuple(
        GlossaryWord(word["id"], word["example"], tuple(map(Cell.parse, word["cells"])))
        for word in read("words.json")["words"]
    )
