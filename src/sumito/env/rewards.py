"""Rewards: for the result alone, or with reward shaping. Both sum to 0.

The winning side gets 1, and the others share the loss equally: -1 with two sides, -1/2 each with
three. A draw is 0 for all; where players of `three` are eliminated, the others share it (1/4, 1/4,
-1/2). Each player of a team gets what the team gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper

from sumito.errors import EnvError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.cells import CELLS, Cell, distance, mask_of
from sumito.rules.modes import Colour, Mode

_RINGS = tuple(
    mask_of(cell for cell in CELLS if distance(cell, Cell.E5) == ring) for ring in range(5)
)


def final_rewards(board: Board) -> dict[Colour, float]:
    """Return the rewards of the result by colour; 0 for all before the end."""
    mode, outcome = board.mode, board.outcome()
    if outcome is None:
        return dict.fromkeys(mode.colours, 0.0)
    if outcome.winner is not None:
        shares = [float(side[0] is outcome.winner) for side in mode.sides]
    else:
        is_in = [not board.eliminated.issuperset(side) for side in mode.sides]
        shares = [one / sum(is_in) for one in is_in]
    return _by_colour(mode, balanced(shares))


def loss(mode: Mode) -> float:
    """Return the reward of a lost game."""
    return -1 / (len(mode.sides) - 1)


def balanced(gains: Sequence[float]) -> list[float]:
    """Return the sides' gains, each paid for equally by the others."""
    total, others = sum(gains), len(gains) - 1
    return [(len(gains) * gain - total) / others for gain in gains]


def _by_colour(mode: Mode, by_side: Sequence[float]) -> dict[Colour, float]:
    return {colour: by_side[mode.side(colour)] for colour in mode.colours}


class ShapedRewards(BaseWrapper):
    """Wrapper that adds reward shaping: `ShapedRewards(abalone_v0.env())`.

    `ejection` is for each marble ejected. `centre` is for each step that a side's marbles come
    nearer to the centre, summed over its marbles; a marble that is lost counts as one at the rim.
    What a side gains, the others pay equally, so the sum stays 0. Shaping is potential-based: a
    gain that is lost again is paid back, so detours earn nothing.
    """

    def __init__(
        self, env: AECEnv[str, Any, Any], ejection: float = 0.1, centre: float = 0.0
    ) -> None:
        super().__init__(env)
        self.ejection = _number("ejection", ejection)
        self.centre = _number("centre", centre)

    def step(self, action: Any) -> None:  # noqa: ANN401  # PettingZoo's type
        game = self.env.unwrapped
        agent = game.agent_selection
        is_over = game.terminations[agent] or game.truncations[agent]
        before = self._potentials(game.board)
        self.env.step(action)
        if is_over:
            return
        after = self._potentials(game.board)
        gains = balanced([new - old for new, old in zip(after, before, strict=True)])
        for colour, gain in _by_colour(game.board.mode, gains).items():
            game.rewards[str(colour)] += gain
            game._cumulative_rewards[str(colour)] += gain

    def _potentials(self, board: Board) -> list[float]:
        return [
            self.ejection * board.captured[number] + self.centre * _nearness(board, side)
            for number, side in enumerate(board.mode.sides)
        ]


def _nearness(board: Board, side: tuple[Colour, ...]) -> int:
    """Return how much nearer to the centre than the rim all of a side's marbles are together."""
    marbles = 0
    for colour in side:
        marbles |= board.marbles_mask(colour)
    return sum((4 - ring) * (marbles & cells).bit_count() for ring, cells in enumerate(_RINGS))


def _number(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e9 < value < 1e9:
        raise EnvError(
            N_("{name} is a number, not {value!r}"), code="env-float", name=name, value=value
        )
    return float(value)
