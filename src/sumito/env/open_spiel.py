"""Abalone as a game of OpenSpiel: ``import sumito.env.open_spiel`` registers ``python_abalone``.

    import pyspiel
    import sumito.env.open_spiel

    game = pyspiel.load_game("python_abalone", {"mode": "three", "ply_limit": 300})

Needs OpenSpiel (``pip install open_spiel``) besides the extra `env`. Players are numbered in the
order of the colours, actions are the numbers of the moves, the tensor of an observation is the
planes of `sumito.env.abalone_v0` from that player's side, and returns are its rewards. OpenSpiel
needs a bound on the length of games, so `ply_limit` has a default; a game that reaches it is worth
0 to all. Like all Python games of OpenSpiel, it is meant for experiments, not for speed.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyspiel

from sumito.env import planes
from sumito.env.options import EnvConfig
from sumito.env.table import GameCore
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import MOVES

_DEFAULTS: Final[dict[str, Any]] = {
    "mode": "two",
    "layout": "",
    "rules": "tournament",
    "ply_limit": 400,
}

_TYPE: Final = pyspiel.GameType(
    short_name="python_abalone",
    long_name="Abalone (Sumito)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class AbaloneGame(pyspiel.Game):
    """The game with its parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = _DEFAULTS | (params or {})
        self.options = EnvConfig.of(
            parameters["mode"],
            parameters["layout"] or None,
            rules=parameters["rules"],
            ply_limit=parameters["ply_limit"],
        )
        mode = self.options.mode
        info = pyspiel.GameInfo(
            num_distinct_actions=planes.ACTIONS,
            max_chance_outcomes=0,
            num_players=len(mode.colours),
            min_utility=-1.0 if len(mode.sides) == 2 else -0.5,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.options.ply_limit,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self, state: object = None) -> AbaloneState:
        if state is not None:
            raise NotImplementedError("a state is made by playing its moves")
        return AbaloneState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:  # noqa: ANN401
        """Return an observer, as OpenSpiel's own games do."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return AbaloneObserver(self.options.mode)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class AbaloneState(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: AbaloneGame) -> None:
        super().__init__(game)
        self.table = GameCore(game.options)

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else int(self.table.board.turn)

    def _legal_actions(self, player: int) -> list[int]:
        del player  # OpenSpiel calls this only for the player to move
        return sorted(move.index for move in self.table.board.legal_moves)

    def _apply_action(self, action: int) -> None:
        self.table.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return MOVES[action].name

    def is_terminal(self) -> bool:
        return self.table.is_terminated or self.table.is_truncated

    def returns(self) -> list[float]:
        return list(self.table.rewards().values())

    def __str__(self) -> str:
        return str(self.table.board.position)


class AbaloneObserver:
    """The planes of a player, and the position as a text."""

    def __init__(self, mode: Mode) -> None:
        shape = (planes.planes_of(mode), planes.SIDE, planes.SIDE)
        self.tensor = np.zeros(shape, np.float32).reshape(-1)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: AbaloneState, player: int) -> None:
        self.dict["observation"][:] = state.table.observation(Colour(player))["observation"]

    def string_from(self, state: AbaloneState, player: int) -> str:
        del player
        return str(state)


pyspiel.register_game(_TYPE, AbaloneGame)
