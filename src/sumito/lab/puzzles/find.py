"""Finds positions in which one move alone keeps a goal.

`eject`, `win` and `save` are proved exactly: the kernel looks at every reply. `only` and `hold`
rest on a long search of the two best moves and a wide gap between them. Where a marble can be
pushed off, the engine must agree that this is the best move: a puzzle shouldn't teach to grab what
costs more.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from sumito import kernel
from sumito.engine import network
from sumito.kernel.positions import to_kernel
from sumito.lab.puzzles.themes import themes_of
from sumito.puzzles import Goal, Puzzle
from sumito.rules.board import Board
from sumito.rules.move import Move

MOST_MOVES: Final = 3
"""Maximum number of the solver's moves in a puzzle."""
PROOF_NODES: Final = 3_000_000
"""Node limit of a proof, per move."""
SAVED_FOR: Final = 2
"""Number of the opponent's moves that a saved marble must survive."""
GLANCE_NODES: Final = 3_000
LOOK_NODES: Final = 10_000
LONG_NODES: Final = 150_000
"""Nodes of the search that `only` and `hold` rest on."""
GAP: Final = 0.3
"""Winning chance that every other move must lose there."""
FEWEST_MOVES: Final = 12
"""Fewest legal moves of such a position."""


@dataclass(slots=True)
class Finder:
    """Finds puzzles, with its own searcher."""

    searcher: kernel.Searcher

    @classmethod
    def make(cls) -> Finder:
        return cls(kernel.Searcher(1, 8, network=network.load()))

    def find(self, board: Board) -> Puzzle | None:
        """Return the puzzle in a position, if there is one."""
        if board.outcome() is not None or len(board.legal_moves) < FEWEST_MOVES:
            return None
        board = plain(board)
        puzzle = self._find_forced(board) or self._find_saved(board) or self._find_by_search(board)
        if puzzle is None:
            return None
        goal, line = puzzle
        position = str(board.position)
        moves = sum(1 for _ in solver_turns(board, line))
        return Puzzle(
            id=name_of(position),
            position=position,
            line=line,
            goal=goal,
            moves=moves,
            themes=themes_of(board, line, goal),
        )

    def _find_forced(self, board: Board) -> tuple[Goal, tuple[Move, ...]] | None:
        """Return a forced ejection or win by a single move."""
        side = board.mode.sides.index(_side(board))
        missing = board.rules.win_at - board.captured[side]
        goals = [Goal.WIN, Goal.EJECT] if missing <= 2 else [Goal.EJECT]
        for goal in goals:
            for moves in range(1, MOST_MOVES + 1):
                solutions = kernel.forcing_moves(to_kernel(board), goal, moves, PROOF_NODES)
                if solutions is None:
                    return None
                if not solutions:
                    continue
                if len(solutions) > 1 or self._best(board) != solutions[0]:
                    return None
                line = solution(board, goal, moves)
                return None if line is None else (goal, line)
        return None

    def _find_saved(self, board: Board) -> tuple[Goal, tuple[Move, ...]] | None:
        """Return the single move that saves a marble in danger."""
        if not in_danger(board):
            return None
        solutions = kernel.safe_moves(to_kernel(board), SAVED_FOR, PROOF_NODES)
        if solutions is None or len(solutions) != 1 or _ejects(board, Move.of(solutions[0])):
            return None
        if self._best(board) != solutions[0]:
            return None
        return Goal.SAVE, (Move.of(solutions[0]),)

    def _find_by_search(self, board: Board) -> tuple[Goal, tuple[Move, ...]] | None:
        """Return a move far better than all others by a long search."""
        if self.gap(board, GLANCE_NODES) is None:
            return None
        self.searcher.clear()
        goal_and_move = self.gap(board, LONG_NODES)
        if goal_and_move is None or _ejects(board, goal_and_move[1]):
            return None
        return goal_and_move[0], (goal_and_move[1],)

    def gap(self, board: Board, nodes: int) -> tuple[Goal, Move] | None:
        """Return the goal that the best move keeps and the second best loses, with that move."""
        result = self.searcher.search(to_kernel(board), nodes=nodes, multipv=2, contempt=0)
        if len(result.lines) < 2:
            return None
        first, second = (
            kernel.chance(line.score * 100 / kernel.MARBLE, len(board.mode.sides))
            for line in result.lines
        )
        even = 1 / len(board.mode.sides)
        if first - second < GAP or first < 0.8 * even:
            return None
        ahead = first > 1.3 * even
        return (Goal.ONLY if ahead else Goal.HOLD), Move.of(result.lines[0].pv[0])

    def _best(self, board: Board) -> int | None:
        return self.searcher.search(to_kernel(board), nodes=LOOK_NODES, contempt=0).best


def plain(board: Board) -> Board:
    """Return the position without its history, as a puzzle shows it."""
    return Board.at(replace(board.position, quiet=0, ply=1))


def name_of(position: str) -> str:
    """Return a name of five letters and digits, derived from the position."""
    digest = hashlib.sha256(position.encode()).digest()
    return base64.b32encode(digest)[:5].decode().lower()


def in_danger(board: Board) -> bool:
    """Whether the next player could eject a marble of the side to move, if it were their turn."""
    mode = board.mode
    others = [colour for colour in mode.colours if mode.side(colour) is not mode.side(board.turn)]
    for colour in others:
        theirs = Board.at(replace(board.position, turn=colour))
        for move in theirs.legal_moves:
            ejected = theirs.effect(move).ejected
            if ejected is not None and mode.side(ejected) is mode.side(board.turn):
                return True
    return False


def solution(board: Board, goal: Goal, moves: int) -> tuple[Move, ...] | None:
    """Return the line of a forced goal, in which each move of the solver is the only one.

    Replies are those that resist longest. None if the solver would have a choice on the way.
    """
    solutions = kernel.forcing_moves(to_kernel(board), goal, moves, PROOF_NODES)
    if solutions is None or len(solutions) != 1:
        return None
    key = Move.of(solutions[0])
    after = board.copy()
    after.push(key)
    if _reached(board, after, goal):
        return (key,)
    rest = _replies(after, board, goal, moves - 1)
    return None if rest is None else (key, *rest)


def _replies(after: Board, start: Board, goal: Goal, moves: int) -> tuple[Move, ...] | None:
    """Return the continuation of a line."""
    if _side(after) == _side(start):
        return solution(after, goal, moves)
    for reply in sorted(after.legal_moves, key=lambda move: move.index):
        board = after.copy()
        board.push(reply)
        if _side(board) == _side(start):
            if moves > 1 and kernel.forcing_moves(to_kernel(board), goal, moves - 1, PROOF_NODES):
                continue  # it would end sooner
            rest = solution(board, goal, moves)
        else:
            rest = _replies(board, start, goal, moves)
        if rest is not None:
            return (reply, *rest)
    return None


def solver_turns(board: Board, line: tuple[Move, ...]) -> Iterator[tuple[Board, Move]]:
    """Yield the boards with the solver's side to move, and its move."""
    side = _side(board)
    board = board.copy()
    for move in line:
        if _side(board) == side:
            yield board.copy(), move
        board.push(move)


def _side(board: Board) -> tuple[object, ...]:
    for side in board.mode.sides:
        if board.turn in side:
            return side
    raise AssertionError("every colour has a side")


def _reached(before: Board, after: Board, goal: Goal) -> bool:
    if goal is Goal.WIN:
        return after.outcome() is not None
    return sum(after.captured) > sum(before.captured)


def _ejects(board: Board, move: Move) -> bool:
    return board.effect(move).ejected is not None
