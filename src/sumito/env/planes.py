"""Boards as arrays: observation planes and masks of legal actions.

`sumito.env.abalone_v0` says what each plane means. A set of cells is ten bits a row, so the nine by
nine bytes of a plane are its bits, without the tenth column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumito.env.options import EnvConfig
from sumito.rules.board import Board
from sumito.rules.cells import BOARD, Mask
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import MOVES

Bytes = NDArray[np.uint8]
Flags = NDArray[np.int8]

ACTIONS: Final = len(MOVES)
SIDE: Final = 9
"""Rows a to i, digits 1 to 9."""
MOST: Final = 255
"""Highest count in a plane; larger ones are clipped."""
SCALARS: Final = 3
"""Number of planes after the ejections: repetitions, plies left, the board."""


def planes_of(mode: Mode, history: int = 1) -> int:
    """Return the number of planes of an observation."""
    return history * len(mode.colours) + len(mode.sides) + SCALARS


def observation_space(mode: Mode, history: int = 1) -> spaces.Dict:
    """Return the space of planes and mask, named as in PettingZoo's classic games."""
    shape = (planes_of(mode, history), SIDE, SIDE)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, MOST, shape, np.uint8),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def colours_from(mode: Mode, colour: Colour) -> tuple[Colour, ...]:
    """Return the colours from a player's side: own, partner's, then opponents in order of turns."""
    partner = mode.partner(colour)
    friends = (colour,) if partner is None else (colour, partner)
    others = []
    other = mode.after(colour)
    while other is not colour:
        if other not in friends:
            others.append(other)
        other = mode.after(other)
    return (*friends, *others)


def sides_seen_by(mode: Mode, colour: Colour) -> tuple[int, ...]:
    """Return the numbers of the sides from a player's side: own, then those after it."""
    own, count = mode.side(colour), len(mode.sides)
    return tuple((own + k) % count for k in range(count))


def plane(mask: Mask) -> Bytes:
    """Return a set of cells as nine by nine ones and zeros."""
    bits = np.unpackbits(np.frombuffer(mask.to_bytes(12, "little"), np.uint8), bitorder="little")
    return bits[: SIDE * 10].reshape(SIDE, 10)[:, :SIDE]


HEXAGON: Final = plane(BOARD)


def observe(
    board: Board, past: Sequence[tuple[Mask, ...]], colour: Colour, options: EnvConfig
) -> Bytes:
    """Return a player's planes; `past` are the marbles of earlier positions, latest first."""
    mode = board.mode
    planes = np.zeros((planes_of(mode, options.history), SIDE, SIDE), np.uint8)
    colours = colours_from(mode, colour)
    at = 0
    for marbles in (board.position.marbles, *past[: options.history - 1]):
        for one in colours:
            planes[at] = plane(marbles[one])
            at += 1
    at = options.history * len(colours)
    for side in sides_seen_by(mode, colour):
        planes[at] = min(MOST, board.captured[side])
        at += 1
    if board.rules.repetition is not None:
        planes[at] = min(MOST, board.occurrences() - 1)
    planes[at + 1] = min(MOST, options.plies_left(board.ply))
    planes[at + 2] = HEXAGON
    return planes


def action_mask(board: Board) -> Flags:
    """Return the mask of legal moves, by their numbers."""
    mask = np.zeros(ACTIONS, np.int8)
    mask[[move.index for move in board.legal_moves]] = 1
    return mask
