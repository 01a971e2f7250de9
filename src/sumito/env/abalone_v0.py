"""Abalone for two, three and four players as a PettingZoo environment (AEC), `abalone_v0`.

    from sumito.env import abalone_v0

    env = abalone_v0.env(mode="two")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        action = None if over else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

**Agents** are colours: ``black``, ``white``, ``red``, ``blue``, those that the mode has. The order
of turns follows the rules; players who can't move are skipped where the rules say so.

**Actions** are the numbers of the 1,272 moves, 0 to 1271, for all players and modes the same:
`sumito.Move.of(action)` is the move, `move.index` its number, on the wire and in the kernel too.
`observation["action_mask"]` has a 1 for each legal action (int8; all 0 for players not to move). An
illegal action raises an error that names the rule, and leaves the game unchanged.

**Observations** are ``{"observation": planes, "action_mask": mask}``. Planes are uint8 of shape
``(planes, 9, 9)``: the second index is the row, a = 0 … i = 8, the third the digit less one. The
board is never turned, so cells and actions mean the same to all players; the planes of marbles are
ordered from the player's side. With C colours and S sides in the mode and H positions of history:

| planes | what they show |
|---|---|
| C | marbles, a plane for each colour: one's own, the partner's if one has one, then the opponents' in the order of turns |
| C × (H - 1) | the same one ply ago, two plies ago …; 0 before the game's beginning |
| S | marbles ejected by each side, the whole plane filled with the number: one's own side, then those that come after it |
| 1 | how often this very position stood before (whole plane); 0 where the rules know no repetition |
| 1 | plies left before the game is cut off or its rules' ply limit decides (whole plane), 255 for that many or more |
| 1 | the board: 1 on its 61 cells, 0 around it |

So 7 planes for two, 9 for three and for teams, without history.

**Rewards** come with the end of the game and sum to 0: 1 for the winning side, -1 for the other, 0
for a draw; in `three` -1/2 for each of the two who didn't win. `sumito.env.ShapedRewards` is a wrapper
that adds rewards for ejections and for the centre.

**Arguments**: `mode` (two, three, teams, teams-double), `layout` (`sumito.layouts.of(mode)`), `captured`
(a handicap: ejections that each side begins with), `rules` ("tournament", "rulebook" or a
`sumito.Rules`), `ply_limit` (plies after which a game is cut off: a *truncation*, worth 0 to all; the
ply limit of a `Rules` is another thing, an end by the rules in which more ejections win), `history`
(positions shown, from 1), `render_mode` (human and ansi: text; rgb_array; svg).

A game between two random players takes about 1,500 plies; set a `ply_limit` for experiments.

**Versions**: v0, the first.
"""  # noqa: E501  # a table

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from sumito.env import planes
from sumito.env.options import EnvConfig
from sumito.env.table import RENDER_MODES, GameCore
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.rules import TOURNAMENT, Rules


def env(
    mode: Mode | str = Mode.TWO,
    layout: str | None = None,
    captured: Sequence[int] | None = None,
    rules: Rules | str = TOURNAMENT,
    ply_limit: int | None = None,
    history: int = 1,
    render_mode: str | None = None,
) -> AECEnv[str, Any, Any]:
    """Return the environment, wrapped to report calls out of order."""
    return OrderEnforcingWrapper(
        raw_env(mode, layout, captured, rules, ply_limit, history, render_mode)
    )


class raw_env(AECEnv[str, Any, Any], EzPickle):  # noqa: N801  # PettingZoo's name for it
    """The environment without wrappers; use `env()`."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "abalone_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        mode: Mode | str = Mode.TWO,
        layout: str | None = None,
        captured: Sequence[int] | None = None,
        rules: Rules | str = TOURNAMENT,
        ply_limit: int | None = None,
        history: int = 1,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, mode, layout, captured, rules, ply_limit, history, render_mode)
        super().__init__()
        options = EnvConfig.of(mode, layout, captured, rules, ply_limit, history)
        self._table = GameCore(options, render_mode)
        self.render_mode = render_mode
        self.possible_agents = [str(colour) for colour in options.mode.order]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: planes.observation_space(options.mode, history) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(planes.ACTIONS) for agent in self.possible_agents
        }

    @property
    def board(self) -> Board:
        """The present board; don't change it."""
        return self._table.board

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        return self._table.observation(Colour.parse(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. Nothing in it is random, so the seed has no effect."""
        del seed, options
        self._table.reset()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = str(self.board.turn)
        self._skip_agent_selection: str | None = None

    def step(self, action: Any) -> None:  # noqa: ANN401  # PettingZoo's type
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self._table
        table.play(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {str(colour): value for colour, value in table.rewards().items()}
        self.terminations = dict.fromkeys(self.agents, table.is_terminated)
        self.truncations = dict.fromkeys(self.agents, table.is_truncated)
        self.agent_selection = str(self.board.turn)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | NDArray[np.uint8] | None:
        return self._table.render()

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
