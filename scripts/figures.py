"""Draw the figures of the documentation into docs/figures: `make figures`.

Scenes that a rulebook has come from tests/data/figures.json by their number, so that what players
read is what the tests replay.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import sumito
from sumito import BLACK, BLUE, RED, WHITE, Board, Cell, Colour, Mode, Move, Position
from sumito.drawing.svg import Arrow, Mark, Show, Tint, arrows_for
from sumito.drawing.svg import board as picture
from sumito.rules.cells import mask_of

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "figures"
RULEBOOK = json.loads((ROOT / "tests/data/figures.json").read_text(encoding="utf-8"))["figures"]

PLAIN = Show.COORDINATES
ROLES = {
    "black": BLACK,
    "white": WHITE,
    "own": BLACK,
    "opp1": WHITE,
    "partner": RED,
}


def cells(names: str) -> list[Cell]:
    """Cells by their names."""
    return [Cell.parse(name) for name in names.split()]


def scene(
    marbles: Mapping[Colour, Iterable[Cell]], turn: Colour = BLACK, mode: Mode = Mode.TWO
) -> Board:
    """A board with only these marbles."""
    masks = tuple(mask_of(marbles.get(colour, ())) for colour in mode.colours)
    return Board.at(Position(masks, turn, (0,) * len(mode.sides), mode=mode))


def rulebook(number: str, mode: Mode = Mode.TWO, example: int | None = None) -> Board:
    """The scene of a rulebook's figure."""
    entry: dict[str, Any] = RULEBOOK[number]
    if example is not None:
        entry = entry["examples"][example]
    roles = ROLES | {"opp2": RED if mode is Mode.THREE else BLUE}
    marbles: dict[Colour, list[Cell]] = {}
    for part in entry.get("rows", [entry]):
        for role in roles.keys() & part.keys():
            marbles.setdefault(roles[role], []).extend(map(Cell.parse, part[role]))
    return scene(marbles, WHITE if entry.get("mover") == "w" else BLACK, mode)


def shown(board: Board, *moves: str, colour: Tint = Tint.GREEN) -> list[Arrow]:
    """Arrows for moves that the rules allow here; a wrong figure can't be drawn."""
    return [arrow for move in moves for arrow in arrows_for(board, board.parse_move(move), colour)]


def refused(board: Board, move: str, to: str) -> tuple[list[Arrow], dict[Cell, Mark]]:
    """A red arrow and a cross for a move that the rules forbid here, or that pushes nothing."""
    tried = Move.parse(move)
    assert not board.is_legal(tried) or not board.effect(tried).pushed, move
    return [Arrow(tried.first, Cell.parse(to), Tint.RED)], {Cell.parse(to): Mark.CROSS}


def play(board: Board, move: str) -> Board:
    """Play a move and hand the board back."""
    board.push(board.parse_move(move))
    return board


def starts() -> Iterator[tuple[str, str]]:
    """Where the marbles stand at the beginning."""
    yield "start", picture(Board(), title="The start of a game for two")
    yield "three", picture(Board(mode="three"), title="The start of a game for three")
    yield "teams", picture(Board(mode="teams"), title="The start of a game for two teams")
    for layout in ("belgian-daisy", "german-daisy"):
        name = sumito.layouts.of()[layout].name
        yield layout, picture(Board(layout=layout), title=f"The layout {name}")


def moves() -> Iterator[tuple[str, str]]:
    """Marbles that move and push nothing."""
    board = scene({BLACK: cells("e5")})
    around = [f"e5{Cell.E5.step(direction)}" for direction in sumito.DIRECTIONS]
    yield (
        "directions",
        picture(board, show=PLAIN, arrows=shown(board, *around), title="The six directions"),
    )
    board = rulebook("A2_foxmind")
    alone = [f"g4{Cell.G4.step(direction)}" for direction in sumito.DIRECTIONS]
    # The pair's arrow back would lie on the one forth.
    arrows = shown(board, *alone, "e7f8", "b2b3")
    arrows += [Arrow(Cell.E7, Cell.D6), Arrow(Cell.B2, Cell.B1)]
    yield (
        "in-line",
        picture(
            board, show=PLAIN, arrows=arrows, title="In-line moves of one, two and three marbles"
        ),
    )
    board = rulebook("A3_foxmind")
    yield (
        "side-step",
        picture(
            board,
            show=PLAIN,
            arrows=shown(board, *RULEBOOK["A3_foxmind"]["legal"]),
            title="Three side-steps",
        ),
    )


def sumitos() -> Iterator[tuple[str, str]]:
    """Pushes, before and after."""
    for name, number in (("2-1", "A5"), ("3-1", "A6"), ("3-2", "A7_foxmind"), ("4-2", "A7bis")):
        board = rulebook(number)
        [move] = RULEBOOK[number]["legal"]
        title = f"A sumito, {name.replace('-', ' against ')}"
        arrows = shown(board, move)
        yield f"sumito-{name}", picture(board, show=PLAIN, arrows=arrows, title=title)
        play(board, move)
        effect = board.last_effect()
        yield (
            f"sumito-{name}-after",
            picture(board, show=PLAIN, last_move=effect, title=f"{title}, played"),
        )
    board = rulebook("A8")
    yield (
        "ejection",
        picture(board, arrows=shown(board, "e7e8"), title="A marble about to be ejected"),
    )
    play(board, "e7e8")
    yield (
        "ejection-after",
        picture(board, last_move=board.last_effect(), title="The ejected marble lies in the rim"),
    )


def refusals() -> Iterator[tuple[str, str]]:
    """What looks like a push and is none."""
    for name, number, move, to, title in (
        ("no-sumito-blocked", "A4.1", "e1e2", "e6", "No sumito: the cell behind is occupied"),
        ("no-sumito-gap", "A4.2", "g3g4", "g6", "No sumito: a gap lies between"),
        ("no-sumito-line", "A4.3", "c2c3", "c5", "No sumito: the white marble is off the line"),
    ):
        board = rulebook(number)
        arrows, marks = refused(board, move, to)
        yield name, picture(board, show=PLAIN, arrows=arrows, highlights=marks, title=title)
    yield "pac", picture(rulebook("S6"), show=PLAIN, title="Pacs: 1 to 1, 2 to 2, 3 to 3")
    board = rulebook("S7")
    arrows = shown(board, "c4d5")
    yield (
        "pac-broken",
        picture(board, show=PLAIN, arrows=arrows, title="A pac broken by a push on another line"),
    )


def multiplayer() -> Iterator[tuple[str, str]]:
    """Pushes with more than two colours."""
    board = rulebook("A9b", Mode.THREE)
    yield (
        "three-sumito",
        picture(
            board,
            show=PLAIN,
            arrows=shown(board, "e2e3"),
            title="Three push two of different colours",
        ),
    )
    for number in range(3):
        board = rulebook("A11", Mode.TEAMS, number)
        rear = board.marbles(BLACK)[0]
        arrows = shown(board, f"{rear}{rear.step(sumito.Direction.E)}")
        yield (
            f"teams-sumito-{number + 1}",
            picture(board, show=PLAIN, arrows=arrows, title="A sumito with a partner's marbles"),
        )
    board = rulebook("A11", Mode.TEAMS, 3)
    arrows, marks = refused(board, "e2e3", "e5")
    yield (
        "teams-rear",
        picture(
            board,
            show=PLAIN,
            arrows=arrows,
            highlights=marks,
            title="Black may not push from a partner's marble",
        ),
    )


def formations() -> Iterator[tuple[str, str]]:
    """Shapes that have a name."""
    yield "triples", picture(rulebook("A14"), show=PLAIN, title="Lance, arc and shield")
    yield "block", picture(rulebook("A13"), show=PLAIN, title="A block")
    det = scene({BLACK: cells("e5 c3"), WHITE: cells("d4 d5 e4 e6 f5 f6 g6")})
    yield (
        "det",
        picture(
            det, show=PLAIN, highlights={Cell.E5: Mark.RING}, title="A det: alone among the others"
        ),
    )


def hero() -> Iterator[tuple[str, str]]:
    """The README's board: well into a Belgian Daisy, three black marbles have pushed two."""
    board = Board.parse("4w/1w1ww1/wwbbbw1/2bbbb2/2bbbb3/4b1w1/1wwww2/6/1w3 b 1,2 46 65")
    play(board, "g7g6")
    for theme in ("light", "dark"):
        yield f"hero-{theme}", picture(board, size=620, theme=theme, last_move=board.last_effect())


SHEETS: tuple[Callable[[], Iterator[tuple[str, str]]], ...] = (
    hero,
    starts,
    moves,
    sumitos,
    refusals,
    multiplayer,
    formations,
)


def figures() -> dict[str, str]:
    """Every figure's text by the name of its file."""
    return {f"{name}.svg": text + "\n" for sheet in SHEETS for name, text in sheet()}


def main() -> None:
    """Draw all, and remove what is drawn no more."""
    TARGET.mkdir(parents=True, exist_ok=True)
    drawn = figures()
    for old in TARGET.glob("*.svg"):
        if old.name not in drawn:
            old.unlink()
    for name, text in drawn.items():
        (TARGET / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
