"""Puzzles: positions in which a single move achieves a goal, each with its solution.

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
    """An invalid file of puzzles, or a puzzle without a solution."""


class Goal(Choice, error=PuzzleError):
    """The task of the player to move."""

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
    """The theme of a puzzle, detected from its solution."""

    TWO_ONE = "2v1"
    """The key move is a sumito of two against one, and so on."""
    THREE_ONE = "3v1"
    THREE_TWO = "3v2"
    SIDE_STEP = "side-step"
    """The key move is a side-step."""
    QUIET = "quiet"
    """The key move pushes nothing, and yet a marble is ejected later."""
    PAC = "pac"
    """The key move turns a pac into a sumito."""
    CORNER = "corner"
    """A marble is pushed off from one of the six corners."""
    DET = "det"
    """A det is pushed off."""
    SACRIFICE = "sacrifice"
    """A marble of the solver's is lost on the way."""
    COUNTER = "counter"
    """A marble of the solver's is in danger, too."""
    RETREAT = "retreat"
    """The key move leads away from the centre."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, and the one variation that achieves its goal."""

    id: str
    position: str
    line: tuple[Move, ...]
    """The solver's moves and the replies in turn order; the solver is the player to move."""
    goal: Goal
    moves: int
    """The number of moves of the solver's side."""
    themes: tuple[PuzzleTheme, ...] = ()
    rating: int = 1500

    @property
    def mode(self) -> Mode:
        return self.board().mode

    def board(self) -> Board:
        """Return a new board with the position."""
        return Board.parse(self.position)

    def is_solved_by(self, moves: Iterable[Move]) -> bool:
        """Whether these moves of the solver's side, against the line's replies, achieve the goal.

        They must be the line's; only the last may be another move with the same result.

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
        """Return the puzzle as an object of the file."""
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
    def from_json(cls, data: dict[str, Any]) -> Puzzle:
        """Return the puzzle of an object of a file; raise `PuzzleError` if it is invalid."""
        try:
            puzzle = cls(
                id=str(data["id"]),
                position=str(data["position"]),
                line=tuple(Move.parse(name) for name in data["line"]),
                goal=Goal(data["goal"]),
                moves=int(data["in"]),
                themes=tuple(PuzzleTheme(theme) for theme in data["themes"]),
                rating=int(data["rating"]),
            )
            board = puzzle.board()
            for move in puzzle.line:
                board.push(move)
        except (KeyError, TypeError, ValueError) as error:
            raise PuzzleError(N_("invalid puzzle: {reason}"), reason=error) from None
        return puzzle


SHIPPED: Final = "puzzles.json"


@cache
def shipped() -> tuple[Puzzle, ...]:
    """Return the package's puzzles, easiest first."""
    text = resources.files("sumito.puzzles").joinpath(SHIPPED).read_text("utf-8")
    return tuple(Puzzle.from_json(data) for data in json.loads(text))


def write(puzzles: Iterable[Puzzle], path: Path) -> None:
    """Write a file of puzzles, one per line, easiest first; the file is replaced atomically."""
    check_type("puzzles", puzzles, Iterable)
    puzzles = tuple(puzzles)
    for puzzle in puzzles:
        check_type("puzzle", puzzle, Puzzle)
    ordered = sorted(puzzles, key=lambda puzzle: (puzzle.rating, puzzle.id))
    lines = (json.dumps(puzzle.as_json(), separators=(",", ":")) for puzzle in ordered)
    with open_output(path) as file:
        file.write("[\n" + ",\n".join(lines) + "\n]\n")
