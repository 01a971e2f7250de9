"""Puzzles: positions in which one move alone keeps a goal, each with its solution.

`puzzles.json` has those of the package, made by `sumito lab puzzles`.

>>> puzzle = shipped()[0]
>>> puzzle.board().is_legal(puzzle.line[0])
True
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from sumito.choice import Choice
from sumito.errors import InputError
from sumito.i18n.messages import N_
from sumito.output import open_output
from sumito.rules.board import Board
from sumito.rules.modes import Mode
from sumito.rules.move import Move
from sumito.validate import check_type


class PuzzleError(InputError):
    """A file that holds no puzzles, or one that can't be solved."""


class Goal(Choice, error=PuzzleError):
    """What the player to move is asked for."""

    EJECT = "eject"
    """Be the first to push a marble off, within the number of moves."""
    WIN = "win"
    """Win within the number of moves."""
    SAVE = "save"
    """Lose no marble within the opponent's next two moves."""
    ONLY = "only"
    """Find the one move that stays ahead."""
    HOLD = "hold"
    """Find the one move that keeps the balance."""


class PuzzleTheme(Choice, error=PuzzleError):
    """What a puzzle is about; found by rule."""

    TWO_ONE = "2v1"
    """The key move is a sumito of two against one, and so on."""
    THREE_ONE = "3v1"
    THREE_TWO = "3v2"
    SIDE_STEP = "side-step"
    """The key move is a side-step."""
    QUIET = "quiet"
    """The key move pushes nothing, and yet a marble goes."""
    PAC = "pac"
    """The key move turns a pac into a sumito."""
    CORNER = "corner"
    """A marble goes from one of the six corners."""
    DET = "det"
    """A det is pushed off."""
    SACRIFICE = "sacrifice"
    """A marble of one's own goes on the way."""
    COUNTER = "counter"
    """A marble of one's own is in danger, too."""
    RETREAT = "retreat"
    """The key move goes away from the centre."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, and the one line that keeps its goal."""

    id: str
    position: str
    line: tuple[Move, ...]
    """The solver's moves and the replies in turn order; the solver is the player to move."""
    goal: Goal
    moves: int
    """How many moves of the solver's side the line has."""
    themes: tuple[PuzzleTheme, ...] = ()
    rating: int = 1500

    @property
    def mode(self) -> Mode:
        return self.board().mode

    def board(self) -> Board:
        """A board of its own to solve it on."""
        return Board.parse(self.position)

    def is_solved_by(self, moves: Iterable[Move]) -> bool:
        """Do these moves of the solver's side, played against the line's replies, keep the goal?

        They are the line's; only at the end another move may reach the same: a win is a win.

        >>> puzzle = shipped()[0]
        >>> puzzle.is_solved_by(puzzle.line[::2]), puzzle.is_solved_by([])
        (True, False)
        """
        board = self.board()
        solver = board.mode.side(board.turn)
        played = iter(moves)
        for number, best in enumerate(self.line, 1):
            if board.mode.side(board.turn) is not solver:
                board.push(best)
                continue
            move = next(played, None)
            if move is None or not board.is_legal(move):
                return False
            if move != best and not (number == len(self.line) and self._is_as_good(board, move)):
                return False
            board.push(move)
        return next(played, None) is None

    def _is_as_good(self, board: Board, move: Move) -> bool:
        if self.goal is Goal.EJECT:
            return board.effect(move).ejected is not None
        if self.goal is not Goal.WIN:
            return False
        solver = board.turn
        after = board.copy()
        after.push(move)
        outcome = after.outcome()
        if outcome is None or outcome.winner is None:
            return False
        return board.mode.side(outcome.winner) is board.mode.side(solver)

    def as_json(self) -> dict[str, Any]:
        """As the file has it."""
        return {
            "id": self.id,
            "mode": str(self.mode),
            "position": self.position,
            "line": [str(move) for move in self.line],
            "goal": str(self.goal),
            "in": self.moves,
            "themes": [str(theme) for theme in self.themes],
            "rating": self.rating,
        }

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Puzzle:
        """From one object of a file; a `PuzzleError` says what is wrong with it."""
        try:
            puzzle = cls(
                id=str(told["id"]),
                position=str(told["position"]),
                line=tuple(Move.parse(name) for name in told["line"]),
                goal=Goal(told["goal"]),
                moves=int(told["in"]),
                themes=tuple(PuzzleTheme(theme) for theme in told["themes"]),
                rating=int(told["rating"]),
            )
            board = puzzle.board()
            for move in puzzle.line:
                board.push(move)
        except (KeyError, TypeError, ValueError) as error:
            raise PuzzleError(N_("this is no puzzle: {reason}"), reason=error) from None
        return puzzle


SHIPPED: Final = "puzzles.json"


@cache
def shipped() -> tuple[Puzzle, ...]:
    """The puzzles of the package, the easiest first."""
    text = resources.files("sumito.puzzles").joinpath(SHIPPED).read_text("utf-8")
    return tuple(Puzzle.from_json(told) for told in json.loads(text))


def write(puzzles: Iterable[Puzzle], path: Path) -> None:
    """A file of puzzles, one a line, the easiest first; whole or not at all."""
    check_type("puzzles", puzzles, Iterable)
    puzzles = tuple(puzzles)
    for puzzle in puzzles:
        check_type("puzzle", puzzle, Puzzle)
    ordered = sorted(puzzles, key=lambda puzzle: (puzzle.rating, puzzle.id))
    lines = (json.dumps(puzzle.as_json(), separators=(",", ":")) for puzzle in ordered)
    with open_output(path) as file:
        file.write("[\n" + ",\n".join(lines) + "\n]\n")
