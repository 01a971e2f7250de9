"""What the page asks of a kernel, as the Python rules answer it: for the differential tests.

The native kernel is compared directly; the one in WebAssembly gets the same positions and answers
as a file.
"""

from __future__ import annotations

import random
from typing import Any

from sumito import MOVES, Board, Move
from sumito.errors import SumitoError
from sumito.rules.formations import Formation, Meeting, Sumito, Triple, find

NOTATIONS = ("aba-pro", "nacre", "playstrategy")


def effects(board: Board) -> list[tuple[int, tuple[list[str], list[str], int | None]]]:
    """Every legal move with the cells it moves and pushes, and the colour it ejects."""
    told = []
    for move in sorted(board.legal_moves, key=lambda move: move.index):
        effect = board.effect(move)
        ejected = None if effect.ejected is None else int(effect.ejected)
        told.append((move.index, (names(effect.moved), names(effect.pushed), ejected)))
    return told


def refusal(error: SumitoError) -> tuple[str, dict[str, Any]]:
    return error.code, error.values


def why(board: Board, move: Move) -> tuple[str, dict[str, Any]] | None:
    """What forbids a move, or None."""
    try:
        board.effect(move)
    except SumitoError as error:
        return refusal(error)
    return None


def read(board: Board, text: str, notation: str) -> int | tuple[str, dict[str, Any]]:
    """The number of the legal move that a text names, or what is wrong with it."""
    try:
        return board.parse_move(text, notation=notation).index
    except SumitoError as error:
        return refusal(error)


def formations(board: Board) -> list[dict[str, Any]]:
    return [formation(each) for each in find(board)]


def formation(found: Formation) -> dict[str, Any]:
    told: dict[str, Any] = {
        "word": str(found.word),
        "colour": int(found.colour),
        "cells": names(found.cells),
    }
    if isinstance(found, Triple):
        told["shape"] = str(found.shape)
    if isinstance(found, Meeting):
        told |= {"row": len(found.row), "direction": int(found.direction)}
    if isinstance(found, Sumito):
        told["behind"] = None if found.behind is None else str(found.behind)
        told["playable"] = found.playable
        told["moves"] = [move.index for move in found.moves]
    return told


def names(cells: Any) -> list[str]:
    return [str(cell) for cell in cells]


def texts(board: Board) -> dict[str, list[str]]:
    """Texts to read here: those of the legal moves in each notation."""
    return {
        notation: [board.notate(move, notation=notation) for move in board.legal_moves]
        for notation in NOTATIONS
    }


def some_illegal(board: Board, start: int, count: int) -> list[Move]:
    """Moves to ask about, from anywhere in the list of all."""
    chosen = (MOVES[(start + 7 * k) % len(MOVES)] for k in range(len(MOVES)))
    illegal = (move for move in chosen if not board.is_legal(move))
    return [move for move, _ in zip(illegal, range(count), strict=False)]


def lines(board: Board, rng: random.Random) -> list[tuple[int, list[int], list[int]]]:
    """Moves to find fault with: one, a better line, and what follows the move."""
    asked = []
    for _ in range(4):
        played, better = played_at_random(board, rng, 5), played_at_random(board, rng, 5)
        if played and better:
            asked.append((played[0], better, played[1:]))
    return asked


def played_at_random(board: Board, rng: random.Random, plies: int) -> list[int]:
    """A line of random moves, ejections first."""
    trial = board.copy()
    moves: list[int] = []
    while len(moves) < plies and (legal := list(trial.legal_moves)):
        ejecting = [move for move in legal if trial.effect(move).ejected is not None]
        move = rng.choice(ejecting or legal)
        trial.push(move)
        moves.append(move.index)
    return moves
