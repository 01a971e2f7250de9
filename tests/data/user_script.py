"""What a user of the library writes; `tests/test_typing.py` checks it with strict type checkers."""

# pyright: strict

from __future__ import annotations

import sumito
from sumito import (
    BLACK,
    MOVES,
    SYMMETRIES,
    TOURNAMENT,
    Board,
    Cell,
    Colour,
    Direction,
    Engine,
    Game,
    Level,
    Limit,
    Mode,
    Move,
    Outcome,
    Position,
    Rules,
    Score,
    opening_book,
    record,
    svg,
)
from sumito.engine import UgiEngine, Variation
from sumito.errors import IllegalMoveError, IllegalReason
from sumito.game.clock import Control
from sumito.record import Node, Record
from sumito.rules import formations, layouts

# Boards.
board = Board("belgian-daisy", rules="tournament")
three: Board = Board(mode="three")
parsed: Board = Board.parse(
    "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1", rules=TOURNAMENT
)
position: Position = board.position
again: Board = Board.at(position)
turn: Colour = board.turn
marble: Colour | None = board["a1"]
black_cells: tuple[Cell, ...] = board.marbles("black")
marbles: dict[Cell, Colour] = dict(board.items())
occupied: tuple[Cell, ...] = board.cells()
mirrored: Board = board.mirror()
turned: Board = board.transform("turn3").transform(SYMMETRIES[1])
key: tuple[object, ...] = board.transposition_key()
captured: tuple[int, ...] = board.captured
outcome: Outcome | None = board.outcome()
over: bool = board.is_over()
result: str = board.result()
perft: int = Board().perft(1)

# Moves.
first: Move = board.legal_moves[0]
count: int = board.legal_moves.count()
known: bool = "a1b2" in board.legal_moves
in_line: Move = Move.in_line("a1", Direction.NE)
side_step: Move = Move.side_step("c3", Cell.C5, "NE")
from_cells: Move = Move.from_cells(["a1", "b2"], "NE")
legal: bool = board.is_legal(first)
pushes: bool = board.is_push(first)
ejects: bool = board.is_ejection(first)
ejected: Colour | None = board.effect(first).ejected
text: str = board.notate(first, notation="nacre")
played: Move = board.push_text(text, notation="nacre")
board.push(board.legal_moves[0])
last: Move = board.peek()
undone: Move = board.pop()
moves: tuple[Move, ...] = board.moves
variation: list[Move] = Board().parse_variation("1. a1b2 i9h8")
written: str = Board().variation_text(variation)
numbered: Move = Move.of(MOVES[5].index)
try:
    Board().check("e5e6")
except IllegalMoveError as error:
    reason: IllegalReason = error.reason
    values: dict[str, str | int] = error.values

# Engines.
with Engine(hash_mb=1) as engine:
    best: Variation = engine.play(Board(), Limit(nodes=100))
    gentle: Move = engine.play(Board(), level=Level.GENTLE, seed=1).move
    lines: tuple[Variation, ...] = engine.analyse(
        Board(), "nodes=100", 2, root_moves=["a1b2", "c3c4"]
    )
    score: Score = lines[0].score.pov(BLACK)
    chance: float = score.chance
    better: bool = score > Score(100)
    engine.clear()
program: type[UgiEngine] = UgiEngine

# Games and records.
game = Game({"black": "Ann", "white": "Ben"}, rules=Rules(win_at=4), control=Control.parse("-"))
game.play("a1b2")
game.play(game.legal_moves[0])
names: dict[Colour, str] = game.seats
clocks: dict[Colour, int | None] = game.clocks(at=0)
saved: Record = Record.from_game(game, {"Event": "Club"})
apgn: str = str(saved)
read: list[Record] = list(record.parse(apgn))
mode: Mode = read[0].header.mode
players: dict[Colour, str] = read[0].header.players
node: Node = Record.new().root.add("a1b2", comment="first", nags=[1])
node.promote()
boards: list[Board] = list(read[0].boards())

# The rest.
picture: str = svg.board(Board())
layout_names: list[str] = list(layouts.of("two"))
found: list[formations.Formation] = formations.find(Board())
replies: tuple[opening_book.OpeningMove, ...] = opening_book.replies(Board())
version: str = sumito.__version__
