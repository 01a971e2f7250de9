"""The reasons why a move is a mistake, as translatable data; the kernel finds them.

>>> from sumito import Board
>>> board = Board.parse("w4/6/7/8/9/8/7/6/2bbw b 0,0 0 1")
>>> for reason in mistake_reasons(board, "a4b5", ["a3a4"]):
...     print(reason)
the marble on a5 could have been pushed off at once
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sumito import kernel
from sumito.choice import Choice
from sumito.i18n.messages import N_, NN_, Message, Template
from sumito.kernel.positions import to_kernel
from sumito.rules.board import Board
from sumito.rules.cells import Cell
from sumito.rules.move import Move
from sumito.validate import check_type, parsed


class MistakeCode(Choice):
    """The kind of a reason, the most important first."""

    MISSED_WIN = "missed-win"
    ALLOWED_WIN = "allowed-win"
    MISSED_EJECTION = "missed-ejection"
    ALLOWED_EJECTION = "allowed-ejection"
    UNSUPPORTED = "unsupported"
    """A marble that will be ejected has lost neighbours of its side."""
    EXPOSED = "exposed"
    """A marble went where it can be ejected at once."""
    GAVE_UP_PAC = "gave-up-pac"
    BROKE_GROUP = "broke-group"
    LEFT_CENTRE = "left-centre"


SENTENCES: Final[dict[MistakeCode, Template]] = {
    MistakeCode.MISSED_WIN: NN_(
        "the game could have been won at once", "the game could have been won in {count} moves"
    ),
    MistakeCode.ALLOWED_WIN: NN_(
        "the opponent can win at once", "the opponent can win in {count} moves"
    ),
    MistakeCode.MISSED_EJECTION: NN_(
        "the marble on {cells} could have been pushed off at once",
        "the marble on {cells} could have been pushed off in {count} moves",
    ),
    MistakeCode.ALLOWED_EJECTION: NN_(
        "the marble on {cells} will be pushed off at once",
        "the marble on {cells} will be pushed off in {count} moves",
    ),
    MistakeCode.UNSUPPORTED: N_("the marble on {cells} was left without support"),
    MistakeCode.EXPOSED: NN_(
        "the marble went to {cells}, where it can be pushed off",
        "the marbles went to {cells}, where they can be pushed off",
    ),
    MistakeCode.GAVE_UP_PAC: N_(
        "the pac of {count} against {count} was given up: the row at {cells} can be pushed"
    ),
    MistakeCode.BROKE_GROUP: N_("the group of {count} was broken up: {cells} got cut off"),
    MistakeCode.LEFT_CENTRE: NN_(
        "the move went a step away from the centre",
        "the move went away from the centre, {count} steps in all",
    ),
}


@dataclass(frozen=True, slots=True)
class MistakeReason:
    """A reason why a move is a mistake."""

    code: MistakeCode
    count: int
    """For wins and ejections, the number of moves until then; for a pac, the marbles of either row;
    for a group, its marbles; for the centre, the steps; otherwise the number of marbles."""
    cells: tuple[Cell, ...]
    """The cells of the marbles: opposing ones before the move, the player's own after it."""

    @property
    def sentence(self) -> Message:
        """The reason as a message."""
        fields = {"count": self.count, "cells": self.cells}
        return Message(self.code, SENTENCES[self.code], fields)

    def __str__(self) -> str:
        return str(self.sentence)


def mistake_reasons(
    board: Board,
    played: Move | str,
    better: Sequence[Move | str],
    punishment: Sequence[Move | str] = (),
) -> tuple[MistakeReason, ...]:
    """Return the reasons why a move is a mistake, the most important first; empty if none.

    `better` is the preferred variation, `punishment` the expected continuation after the played
    move. Raise `IllegalMoveError` for an illegal move.
    """
    check_type("board", board, Board)
    for name, moves in (("better", better), ("punishment", punishment)):
        check_type(name, moves, Sequence)
    variations = ([played, *punishment], better)
    (first, *after), best = (
        [parsed("move", move, Move) for move in variation] for variation in variations
    )
    for variation in ([first, *after], best):
        trial = board.copy()
        for move in variation:
            trial.push(move)
    reasons = kernel.mistake_reasons(
        to_kernel(board),
        first.index,
        [move.index for move in best],
        [move.index for move in after],
    )
    return tuple(
        MistakeReason(MistakeCode(code), count, tuple(Cell.parse(name) for name in cells))
        for code, count, cells in reasons
    )
