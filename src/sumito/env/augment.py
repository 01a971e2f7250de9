"""The twelve symmetries of the board for arrays: planes, masks, policies, actions.

Turned and mirrored positions are equally valid samples. Arrays may have any leading dimensions.

>>> import numpy as np
>>> from sumito import SYMMETRIES, Move
>>> half = SYMMETRIES[3]
>>> Move.of(int(actions(np.array([Move.parse("a1b2").index]), half)[0])).name
'i9h8'
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sumito.env.planes import ACTIONS, SIDE
from sumito.errors import EnvError
from sumito.i18n.messages import N_
from sumito.rules.cells import CELLS
from sumito.rules.move import MOVES
from sumito.rules.symmetry import Symmetry

_T = TypeVar("_T", bound=np.generic)


def cells(symmetry: Symmetry) -> NDArray[np.intp]:
    """Return where each of the 61 cells goes, in reading order (a1 = 0 … i9 = 60)."""
    return _cells(symmetry).copy()


def planes(observations: NDArray[_T], symmetry: Symmetry) -> NDArray[_T]:
    """Return planes of shape ``(…, 9, 9)``, turned or mirrored."""
    observations = np.asarray(observations)
    _check(observations, (SIDE, SIDE), "planes")
    flat = observations.reshape(*observations.shape[:-2], SIDE * SIDE)
    return flat[..., _plane_sources(symmetry)].reshape(observations.shape)


def masks(masks: NDArray[_T], symmetry: Symmetry) -> NDArray[_T]:
    """Return masks or policies of shape ``(…, 1272)`` for the turned or mirrored board."""
    masks = np.asarray(masks)
    _check(masks, (ACTIONS,), "masks")
    return masks[..., _actions(symmetry.inverse)]


def actions(actions: NDArray[_T], symmetry: Symmetry) -> NDArray[np.intp]:
    """Return the numbers of the turned or mirrored moves, in the same shape."""
    actions = np.asarray(actions)
    if actions.size and not (actions.min() >= 0 and actions.max() < ACTIONS):
        raise EnvError(
            N_("actions are numbered from 0 to {last}"), code="env-actions", last=ACTIONS - 1
        )
    carried: NDArray[np.intp] = _actions(symmetry)[actions]
    return carried


def _check(array: NDArray[Any], end: tuple[int, ...], name: str) -> None:
    if array.shape[-len(end) :] != end:
        raise EnvError(
            N_("{name} have a shape that ends in {end}, not {shape}"),
            code="env-shape",
            name=name,
            end=str(end),
            shape=str(array.shape),
        )


@cache
def _cells(symmetry: Symmetry) -> NDArray[np.intp]:
    number = {cell: n for n, cell in enumerate(CELLS)}
    return np.array([number[symmetry.cell(cell)] for cell in CELLS], np.intp)


@cache
def _plane_sources(symmetry: Symmetry) -> NDArray[np.intp]:
    """Return the source of each of the 81 places; those off the board map to themselves."""
    sources = np.arange(SIDE * SIDE)
    for cell in CELLS:
        there = symmetry.cell(cell)
        sources[SIDE * there.row + there.digit - 1] = SIDE * cell.row + cell.digit - 1
    return sources


@cache
def _actions(symmetry: Symmetry) -> NDArray[np.intp]:
    return np.array([symmetry.move(move).index for move in MOVES], np.intp)
