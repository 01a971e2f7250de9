"""What a game is worth: the end alone, or with hints on the way. Both sum to 0.

The end: a side that wins gets 1; all the others pay for it alike, so -1 between two sides and -1/2
each among three. A draw is 0 for all; where players of `three` are out, those still in share it
(1/4, 1/4, -1/2). Each player of a team gets what the team gets.
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
    """The rewards of a game's end by colour; 0 for all before it."""
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
    """What a game that another side wins is worth."""
    return -1 / (len(mode.sides) - 1)


def balanced(gains: Sequence[float]) -> list[float]:
    """What sides gain, with each gain paid for by the others alike."""
    total, others = sum(gains), len(gains) - 1
    return [(len(gains) * gain - total) / others for gain in gains]


def _by_colour(mode: Mode, by_side: Sequence[float]) -> dict[Colour, float]:
    return {colour: by_side[mode.side(colour)] for colour in mode.colours}


class ShapedRewards(BaseWrapper):
    """Rewards on the way, added to those of the end: `ShapedRewards(abalone_v0.env())`.

    `ejection` is for each marble ejected. `centre` is for each step that a side's marbles come
    nearer to the centre, summed over its marbles; a marble that is lost counts as one at the rim.
    What a side gains the others pay for alike, so the sum stays 0; and a gain that is lost
    again is paid back, so no way round is worth more than the straight one.
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
        before = self._standing(game.board)
        self.env.step(action)
        if is_over:
            return
        after = self._standing(game.board)
        gains = balanced([new - old for new, old in zip(after, before, strict=True)])
        for colour, gain in _by_colour(game.board.mode, gains).items():
            game.rewards[str(colour)] += gain
            game._cumulative_rewards[str(colour)] += gain

    def _standing(self, board: Board) -> list[float]:
        return [
            self.ejection * board.captured[number] + self.centre * _nearness(board, side)
            for number, side in enumerate(board.mode.sides)
        ]


def _nearness(board: Board, side: tuple[Colour, ...]) -> int:
    """How much nearer to the centre than the rim all its marbles are together."""
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
