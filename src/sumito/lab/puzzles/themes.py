"""Themes of puzzles, determined by rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sumito.puzzles import Goal, PuzzleTheme
from sumito.rules.board import Board, Effect
from sumito.rules.cells import Cell, distance
from sumito.rules.formations import Meeting, Sumito, Word, find
from sumito.rules.move import Move

_CORNERS: Final = frozenset({Cell.A1, Cell.A5, Cell.E1, Cell.E9, Cell.I5, Cell.I9})
_PUSHES: Final = {
    (2, 1): PuzzleTheme.TWO_ONE,
    (3, 1): PuzzleTheme.THREE_ONE,
    (3, 2): PuzzleTheme.THREE_TWO,
}


def themes_of(board: Board, line: tuple[Move, ...], goal: Goal) -> tuple[PuzzleTheme, ...]:
    """Return the themes of a solution, in the order in which they are listed."""
    themes = set(_of_key(board, line[0], goal))
    side = board.mode.side(board.turn)
    at = board.copy()
    for move in line:
        effect = at.effect(move)
        if effect.ejected is not None:
            if board.mode.side(at.turn) is side:
                themes.update(_of_ejection(at, effect))
            else:
                themes.add(PuzzleTheme.SACRIFICE)
        at.push(move)
    return tuple(theme for theme in PuzzleTheme if theme in themes)


def _of_key(board: Board, key: Move, goal: Goal) -> Iterator[PuzzleTheme]:
    effect = board.effect(key)
    push = _PUSHES.get((len(effect.moved), len(effect.pushed)))
    if push is not None:
        yield push
    elif goal in (Goal.EJECT, Goal.WIN):
        yield PuzzleTheme.QUIET
    if key.is_side_step:
        yield PuzzleTheme.SIDE_STEP
    if _makes_sumito_of_pac(board, key):
        yield PuzzleTheme.PAC
    if _is_threatened(board):
        yield PuzzleTheme.COUNTER
    out = sum(
        distance(to, Cell.E5) - distance(cell, Cell.E5)
        for cell in effect.moved
        if (to := cell.step(key.direction)) is not None
    )
    if out > 0 and not effect.pushed:
        yield PuzzleTheme.RETREAT


def _of_ejection(board: Board, effect: Effect) -> Iterator[PuzzleTheme]:
    marble = effect.pushed[-1]
    if marble in _CORNERS:
        yield PuzzleTheme.CORNER
    if any(marble in det.cells for det in find(board, Word.DET)):
        yield PuzzleTheme.DET


def _makes_sumito_of_pac(board: Board, key: Move) -> bool:
    """Whether the solver's row can push, after the move, one that held it in a pac."""
    fronts = {
        (pac.cells[len(pac.row)], pac.cells[len(pac.row) - 1])
        for pac in find(board, Word.PAC)
        if isinstance(pac, Meeting)
    }
    meetings = fronts | {(own, theirs) for theirs, own in fronts}
    after = board.copy()
    after.push(key)
    mode = board.mode
    return any(
        isinstance(sumito, Sumito)
        and sumito.playable
        and mode.side(sumito.colour) is mode.side(board.turn)
        and (sumito.cells[len(sumito.row)], sumito.cells[len(sumito.row) - 1]) in meetings
        for sumito in find(after, Word.SUMITO)
    )


def _is_threatened(board: Board) -> bool:
    """Whether another side could eject a marble of the solver's."""
    mode = board.mode
    for sumito in find(board, Word.SUMITO):
        if not isinstance(sumito, Sumito) or not sumito.playable or sumito.behind is not None:
            continue
        owner = board[sumito.cells[-1]]
        if owner is None or mode.side(owner) is not mode.side(board.turn):
            continue
        if mode.side(sumito.colour) is not mode.side(board.turn):
            return True
    return False
