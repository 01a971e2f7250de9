"""`GameCore`: one game of the Python environments, with observations and rewards."""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sumito.drawing import png, svg, terminal
from sumito.env import planes
from sumito.env.options import EnvConfig
from sumito.env.rewards import final_rewards
from sumito.errors import EnvError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.cells import Mask
from sumito.rules.modes import Colour
from sumito.rules.move import Move

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")


class GameCore:
    """A game that can be reset at any time."""

    def __init__(self, options: EnvConfig, render_mode: str | None = None) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise EnvError(
                N_("render_mode is one of {known}, not {value!r}"),
                code="env-render",
                known=RENDER_MODES,
                value=render_mode,
            )
        self.options = options
        self.render_mode = render_mode
        self.reset()

    def reset(self) -> None:
        self.board = Board.at(self.options.start, rules=self.options.rules)
        self._past: deque[tuple[Mask, ...]] = deque(maxlen=self.options.history)

    def play(self, action: object) -> None:
        """Play the move of that number; raise if it is illegal and leave the game unchanged."""
        move = Move.of(_whole(action))
        before = self.board.position.marbles
        self.board.push(move)
        self._past.appendleft(before)

    def observation(self, colour: Colour) -> dict[str, NDArray[Any]]:
        """Return a player's observation; the mask is empty unless it is their turn.

        In a game that was cut off the mask has the moves there would be.
        """
        board = self.board
        turn = colour is board.turn
        return {
            "observation": planes.observe(board, tuple(self._past), colour, self.options),
            "action_mask": planes.action_mask(board) if turn else np.zeros(planes.ACTIONS, np.int8),
        }

    @property
    def is_terminated(self) -> bool:
        return self.board.is_over()

    @property
    def is_truncated(self) -> bool:
        """Whether the game was cut off before the rules ended it."""
        played = self.board.ply - self.options.start.ply
        return played >= self.options.ply_limit and not self.is_terminated

    def rewards(self) -> dict[Colour, float]:
        """Return the rewards of the end; 0 while the game goes on, or if it was cut off."""
        return final_rewards(self.board)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Render the board as the render mode says."""
        match self.render_mode:
            case "ansi":
                return terminal.board(self.board)
            case "svg":
                return svg.board(self.board, last_move=self.board.last_effect())
            case "rgb_array":
                rgb = np.frombuffer(png.rgb(self.board), np.uint8)
                return rgb.reshape(png.HEIGHT, png.WIDTH, 3)
            case "human":
                print(terminal.board(self.board, last_move=self.board.last_effect()), flush=True)
        return None


def _whole(action: object) -> int:
    try:
        return operator.index(action)  # type: ignore[arg-type]  # it says so itself
    except TypeError:
        raise EnvError(
            N_("an action is the number of a move, not {value!r}"),
            code="env-action",
            value=action,
        ) from None
