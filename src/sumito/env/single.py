"""One player against the engine, as a Gymnasium environment: ``sumito/Abalone-v0``.

    import gymnasium
    import sumito.env

    env = gymnasium.make("sumito/Abalone-v0", opponent="gentle", seat="black")

Observations, actions and rewards are those of `sumito.env.abalone_v0`, from the side of the seat
one plays; all other seats, a partner's too, are the opponent's. An opponent is named as in matches:
one of the ten levels (newcomer … master), `random`, `greedy`, `alpha-beta,depth=2`, or the engine
within a limit, `engine,nodes=5000`. The seed of `reset` decides the seat where it is "random", and
what the opponent does.

Gymnasium has no action masks: a learner that doesn't use ours plays illegal moves. `illegal` says
how one is handled. "lose", the default, ends the game as a loss; "ignore" leaves the game as it was
and gives 0; "error" raises `IllegalMoveError`. In all but the last, `info["illegal"]` says which
rule forbids the move, and is None after a legal one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sumito import kernel
from sumito.choice import Choice
from sumito.engine import Engine
from sumito.engine.players import Kind, Player
from sumito.env import planes
from sumito.env.options import EnvConfig
from sumito.env.rewards import loss
from sumito.env.table import RENDER_MODES, GameCore
from sumito.errors import EnvError, IllegalMoveError
from sumito.i18n.messages import N_
from sumito.kernel.positions import to_kernel
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move
from sumito.rules.rules import TOURNAMENT, Rules

RANDOM_SEAT: Final = "random"


class IllegalAction(
    Choice,
    error=EnvError,
    refusal=N_("an illegal action is one of {known}, not {text!r}"),
    code="env-illegal",
):
    """How an illegal action is handled."""

    LOSE = "lose"
    IGNORE = "ignore"
    ERROR = "error"


_TRIES: Final = 10
"""Attempts to start a game that reaches the player's turn; hardly any needs a second."""

Observation = dict[str, NDArray[Any]]


class AbaloneEnv(gymnasium.Env[Observation, int]):
    """Environment for one seat; the engine plays all others."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # not changed by anybody
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        opponent: str = "gentle",
        seat: str = "black",
        mode: Mode | str = Mode.TWO,
        layout: str | None = None,
        captured: Sequence[int] | None = None,
        rules: Rules | str = TOURNAMENT,
        ply_limit: int | None = None,
        history: int = 1,
        render_mode: str | None = None,
        illegal: IllegalAction | str = IllegalAction.LOSE,
    ) -> None:
        options = EnvConfig.of(mode, layout, captured, rules, ply_limit, history)
        self._table = GameCore(options, render_mode)
        self.render_mode = render_mode
        self._opponent = Opponent(opponent)
        self._illegal = IllegalAction.parse(illegal)
        self._refusal: str | None = None
        """Why the last action was illegal."""
        self._is_lost = False
        """Whether the game ended by an illegal action."""
        self._wanted = None if seat == RANDOM_SEAT else _seat(seat, options.mode)
        self.seat: Colour = self._wanted or options.mode.order[0]
        """The player's colour; drawn by `reset` if it is random."""
        self.observation_space: spaces.Space[Any] = planes.observation_space(options.mode, history)
        self.action_space: spaces.Space[Any] = spaces.Discrete(planes.ACTIONS)

    @property
    def board(self) -> Board:
        """The present board; don't change it."""
        return self._table.board

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game, and play the opponents' moves up to the player's turn."""
        super().reset(seed=seed, options=options)
        for _ in range(_TRIES):
            self._table.reset()
            self._refusal, self._is_lost = None, False
            self._opponent.forget()
            self.seat = self._wanted if self._wanted is not None else self._drawn_seat()
            self._let_others_play()
            if not self._is_over:
                break
        else:
            raise EnvError(
                N_("the game is over before it is {seat}'s turn"), code="env-early", seat=self.seat
            )
        self._show()
        return self._table.observation(self.seat), self._info()

    def _drawn_seat(self) -> Colour:
        colours = self._table.options.mode.order
        return colours[int(self.np_random.integers(len(colours)))]

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a move, and the opponents' moves up to the player's next turn."""
        if self._is_over:
            raise EnvError(N_("the game is over: call reset"), code="env-reset")
        table, seat = self._table, self.seat
        self._refusal = None
        try:
            table.play(action)
        except IllegalMoveError as error:
            if self._illegal is IllegalAction.ERROR:
                raise
            self._refusal = str(error)
            self._is_lost = self._illegal is IllegalAction.LOSE
        else:
            self._let_others_play()
        self._show()
        reward = loss(table.options.mode) if self._is_lost else table.rewards()[seat]
        return (
            table.observation(seat),
            reward,
            table.is_terminated or self._is_lost,
            table.is_truncated,
            self._info(),
        )

    @property
    def _is_over(self) -> bool:
        return self._table.is_terminated or self._table.is_truncated or self._is_lost

    def _let_others_play(self) -> None:
        board = self._table.board
        while not self._is_over and board.turn is not self.seat:
            seed = int(self.np_random.integers(2**63))
            self._table.play(self._opponent.move(board, seed).index)

    def _info(self) -> dict[str, Any]:
        last = self.board.moves[-1:]
        return {
            "seat": str(self.seat),
            "last_move": str(last[0]) if last else None,
            "illegal": self._refusal,
        }

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | NDArray[np.uint8] | None:
        return self._table.render()

    def close(self) -> None:
        self._opponent.close()


class Opponent:
    """A player of matches that answers on a board."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise EnvError(
                N_("an opponent is a word such as 'gentle' or 'random', not {value!r}"),
                code="env-opponent",
                value=text,
            )
        self._player = Player.parse(text)
        if self._player.kind is Kind.PROGRAM:
            raise EnvError(
                N_("another program can't be the opponent here, only {known} or a level"),
                code="env-program",
                known=tuple(kind for kind in Kind if kind is not Kind.PROGRAM),
            )
        self._engine: Engine | None = None

    def move(self, board: Board, seed: int) -> Move:
        player = self._player
        if player.kind is not Kind.ENGINE:
            return Move.of(kernel.choose(player.to_kernel(), to_kernel(board), seed))
        if self._engine is None:
            self._engine = Engine(player.threads, player.hash_mb, player.network)
        return self._engine.play(board, player.limit, level=player.level, seed=seed).move

    def forget(self) -> None:
        """Clear the opponent's state before a new game."""
        if self._engine is not None:
            self._engine.clear()

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None


def _seat(text: str, mode: Mode) -> Colour:
    for colour in mode.order:
        if text == str(colour):
            return colour
    raise EnvError(
        N_("a seat is one of {known}, not {value!r}"),
        code="env-seat",
        known=(*map(str, mode.order), RANDOM_SEAT),
        value=text,
    )
