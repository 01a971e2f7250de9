"""Draw the figures of the documentation into docs/figures: `make figures`.

Scenes of a rulebook come from tests/data/figures.json by their number, so that the figures are what
the tests replay. The animation plays docs/figures/game.apgn.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import sumito
from sumito import BLACK, BLUE, RED, WHITE, Board, Cell, Colour, Mode, Move, Position
from sumito import record as records
from sumito.drawing.svg import Arrow, Mark, Show, Tint, arrows_for
from sumito.drawing.svg import board as picture
from sumito.rules.cells import mask_of

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "figures"
RULEBOOK = json.loads((ROOT / "tests/data/figures.json").read_text(encoding="utf-8"))["figures"]

PLAIN = Show.COORDINATES
PLY_MS = 750
"""How long the animation shows each ply; a marble slides for the last part of it."""
SLIDE_MS = 260
LAST_PLIES = 4
"""How long the final position stays, in plies."""
ROLES = {
    "black": BLACK,
    "white": WHITE,
    "own": BLACK,
    "opp1": WHITE,
    "partner": RED,
}


def cells(names: str) -> list[Cell]:
    """Return cells by their names."""
    return [Cell.parse(name) for name in names.split()]


def scene(
    marbles: Mapping[Colour, Iterable[Cell]], turn: Colour = BLACK, mode: Mode = Mode.TWO
) -> Board:
    """Return a board with only these marbles."""
    masks = tuple(mask_of(marbles.get(colour, ())) for colour in mode.colours)
    return Board.at(Position(masks, turn, (0,) * len(mode.sides), mode=mode))


def rulebook(number: str, mode: Mode = Mode.TWO, example: int | None = None) -> Board:
    """Return the scene of a rulebook's figure."""
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
    """Return arrows for legal moves; an illegal one raises, so that no wrong figure is drawn."""
    return [arrow for move in moves for arrow in arrows_for(board, board.parse_move(move), colour)]


def refused(board: Board, move: str, to: str) -> tuple[list[Arrow], dict[Cell, Mark]]:
    """Return a red arrow and a cross for a move that is illegal here, or that pushes nothing."""
    tried = Move.parse(move)
    assert not board.is_legal(tried) or not board.effect(tried).pushed, move
    return [Arrow(tried.first, Cell.parse(to), Tint.RED)], {Cell.parse(to): Mark.CROSS}


def play(board: Board, move: str) -> Board:
    """Play a move and return the board."""
    board.push(board.parse_move(move))
    return board


def starts() -> Iterator[tuple[str, str]]:
    """Yield start positions."""
    yield "start", picture(Board(), title="The start of a game for two")
    yield "three", picture(Board(mode="three"), title="The start of a game for three")
    yield "teams", picture(Board(mode="teams"), title="The start of a game for two teams")
    for layout in ("belgian-daisy", "german-daisy"):
        name = sumito.layouts.of()[layout].name
        yield layout, picture(Board(layout=layout), title=f"The layout {name}")


def moves() -> Iterator[tuple[str, str]]:
    """Yield moves without a push."""
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
    """Yield pushes, before and after."""
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
    """Yield what looks like a push and is none."""
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
    """Yield pushes with more than two colours."""
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
    """Yield shapes that have a name."""
    yield "triples", picture(rulebook("A14"), show=PLAIN, title="Lance, arc and shield")
    yield "block", picture(rulebook("A13"), show=PLAIN, title="A block")
    det = scene({BLACK: cells("e5 c3"), WHITE: cells("d4 d5 e4 e6 f5 f6 g6")})
    yield (
        "det",
        picture(
            det, show=PLAIN, highlights={Cell.E5: Mark.RING}, title="A det: alone among the others"
        ),
    )


def game() -> Iterator[tuple[str, str]]:
    """The README's animation: a whole game, each move sliding to its cells."""
    record = next(records.read(TARGET / "game.apgn"))
    yield "game", animation(record.board(), record.moves)


def animation(board: Board, moves: Sequence[Move]) -> str:
    """Return an SVG that plays the moves from a board with two colours, over and over."""
    still = picture(Board.at(Position((0, 0), BLACK, (0, 0))), size=480, title="A game of Abalone")
    stem = re.search(r'id="(s[0-9a-f]+)b"', still)
    assert stem is not None
    tracks = _tracks(board, moves)
    total = (len(moves) + LAST_PLIES) * PLY_MS
    styles, marbles = [], []
    for number, (letter, track) in enumerate(tracks):
        spot = f'<use href="#{stem[1]}{letter}"'
        if len(track) == 1:
            marbles.append(f'{spot} transform="{track[0][1].replace("px", "")}"/>')
            continue
        styles.append(f"@keyframes m{number}{{{_keyframes(track, total)}}}")
        marbles.append(f'{spot} style="animation:m{number} {total}ms linear infinite"/>')
    styles.append(
        "@media(prefers-reduced-motion:reduce){use{animation-play-state:paused!important}}"
    )
    body = f"<style>{''.join(styles)}</style>{''.join(marbles)}"
    return still.removesuffix("</svg>") + body + "</svg>"


def _tracks(board: Board, moves: Sequence[Move]) -> list[tuple[str, list[tuple[int, str]]]]:
    """Return for each marble its letter and its places, each with the ply that leads there."""
    tracks: list[tuple[str, list[tuple[int, str]]]] = []
    at: dict[Cell, list[tuple[int, str]]] = {}
    for colour in (BLACK, WHITE):
        for cell in board.marbles(colour):
            at[cell] = [(0, _place(*_point(cell)))]
            tracks.append((colour.letter, at[cell]))
    ejected = {BLACK: 0, WHITE: 0}
    for ply, move in enumerate(moves, 1):
        effect = board.effect(move)
        going = [*effect.moved, *effect.pushed]
        last = None if effect.ejected is None else effect.pushed[-1]
        lifted = {cell: at.pop(cell) for cell in going}
        for cell, track in lifted.items():
            if cell == last:
                track.append((ply, _tray(board.turn, ejected[board.turn])))
                ejected[board.turn] += 1
                continue
            to = cell.step(effect.direction)
            assert to is not None
            at[to] = track
            track.append((ply, _place(*_point(to))))
        board.push(move)
    return tracks


def _keyframes(track: Sequence[tuple[int, str]], total: int) -> str:
    """Return the stops of a marble: it rests at each place until it slides to the next."""
    stops = [f"0%{{transform:{track[0][1]}}}"]
    for (_, before), (ply, place) in pairwise(track):
        start = ply * PLY_MS - SLIDE_MS
        stops.append(f"{100 * start / total:.2f}%{{transform:{before}}}")
        stops.append(f"{100 * (start + SLIDE_MS) / total:.2f}%{{transform:{place}}}")
    stops.append(f"100%{{transform:{track[-1][1]}}}")
    return "".join(stops)


def _point(cell: Cell) -> tuple[float, float]:
    """Return the middle of a cell in the picture's units, 40 from cell to cell."""
    return 40 * (cell.digit - 5 - (cell.row - 4) / 2), -20 * math.sqrt(3) * (cell.row - 4)


def _place(x: float, y: float, scale: float = 1) -> str:
    size = "" if scale == 1 else f" scale({scale})"
    return f"translate({x:.1f}px,{y:.1f}px){size}"


def _tray(side: Colour, number: int) -> str:
    """Return where a side's ejected marble lies: in the tray before its seat, black's below."""
    return _place(31 * (number - 2.5), 195 if side is BLACK else -195, 0.82)


SHEETS: tuple[Callable[[], Iterator[tuple[str, str]]], ...] = (
    game,
    starts,
    moves,
    sumitos,
    refusals,
    multiplayer,
    formations,
)


def figures() -> dict[str, str]:
    """Return every figure's text by its file name."""
    return {f"{name}.svg": text + "\n" for sheet in SHEETS for name, text in sheet()}


def main() -> None:
    """Draw all figures, and remove old ones."""
    TARGET.mkdir(parents=True, exist_ok=True)
    drawn = figures()
    for old in TARGET.glob("*.svg"):
        if old.name not in drawn:
            old.unlink()
    for name, text in drawn.items():
        (TARGET / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
