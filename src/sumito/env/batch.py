"""Many games at once in C++, as a Gymnasium vector environment.

    from sumito.env import Batch

    games = Batch(1024, mode="two", ply_limit=400)
    observations, info = games.reset(seed=1)
    while True:
        observations, rewards, terminations, truncations, info = games.step(games.random_actions())

Observations, actions and rewards are those of `sumito.env.abalone_v0`, and so are the arguments. Each
step plays one move in every game, of the player to move there, and shows the next player's side:

- `observations["observation"]` uint8 ``(n, planes, 9, 9)``, `observations["action_mask"]` int8 ``(n, 1272)``
- `rewards` float32 ``(n,)``: of the player who has just moved; `info["rewards"]` ``(n, colours)``: of all
- `terminations`, `truncations` bool ``(n,)``
- `info["to_move"]` uint8 ``(n,)``: the colour whose side is shown; `info["captured"]` uint8
  ``(n, sides)``: marbles ejected so far

All of these are the same arrays every time, written in place without the GIL, by one thread or
more: copy what you keep, or pass ``copy=True``. They support DLPack, so
`torch.from_dlpack(observations["action_mask"])` shares the memory.

A game that is over is reset automatically. The autoreset mode is Gymnasium's *same step* by
default: the observation is then that of the new game. As in Gymnasium's `SyncVectorEnv`,
`info["final_obs"][i]` is the last observation of game i in the rows that `info["_final_obs"]` marks
and None in the others, and `info["final_info"]` has its `rewards`, `to_move` and `captured`. With
*next step* the last observation is returned, and the next step, whatever its action, returns the
new game. *Disabled* leaves it over until ``reset(options={"reset_mask": marks})``.

The mask of a game that the rules have ended is empty. That of a truncated one has its legal moves, for
learners that look ahead from its last position.

A batch can be pickled; the copy continues exactly as the original.

An illegal action raises an error that names the game and the move, and leaves all games unchanged.
"""  # noqa: E501  # shapes

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sumito import kernel
from sumito.engine.memory import available_mb
from sumito.env import planes
from sumito.env.options import EnvConfig, whole_number
from sumito.errors import EnvError, SumitoError
from sumito.i18n.messages import N_, Message
from sumito.kernel.positions import kernel_rules
from sumito.rules.board import Board
from sumito.rules.modes import Mode
from sumito.rules.move import Move
from sumito.rules.rules import TOURNAMENT, Rules

MOST_GAMES: Final = 2**24
MOST_THREADS: Final = 256
_KERNEL_BYTES: Final = 20_000
"""Memory per game in the kernel: mostly its positions since the last ejection."""

_MODES: Final = {
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.DISABLED: "disabled",
}

Observations = dict[str, NDArray[Any]]
Numbers = NDArray[np.int64]


class Batch(VectorEnv[Observations, Any, Any]):
    """`num_envs` games side by side, one step at a time."""

    def __init__(
        self,
        num_envs: int,
        mode: Mode | str = Mode.TWO,
        layout: str | None = None,
        captured: Sequence[int] | None = None,
        rules: Rules | str = TOURNAMENT,
        ply_limit: int | None = None,
        history: int = 1,
        *,
        threads: int = 1,
        autoreset: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = False,
    ) -> None:
        options = EnvConfig.of(mode, layout, captured, rules, ply_limit, history)
        self.num_envs = whole_number("num_envs", num_envs, 1, MOST_GAMES)
        whole_number("threads", threads, 1, MOST_THREADS)
        self._autoreset = _autoreset(autoreset)
        self.metadata = {"autoreset_mode": self._autoreset, "render_modes": []}
        self.options = options
        self._check_memory()
        self.single_observation_space = planes.observation_space(options.mode, history)
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(planes.ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.copy = copy
        self._threads = min(threads, num_envs)
        self._is_simd_disabled = False
        self._make_arrays()
        self._make_batch()
        self._is_begun = False

    def _check_memory(self) -> None:
        """Raise if the games don't fit into memory, which would otherwise fail only later."""
        # The arrays, those of final observations, and the bounds in Gymnasium's spaces.
        shown = 4 * (self.planes * planes.SIDE**2 + planes.ACTIONS)
        need = self.num_envs * (shown + _KERNEL_BYTES) // 2**20
        if need > available_mb():
            raise EnvError(
                N_("{count} games need {need} MB of memory, and {most} MB are available"),
                code="env-memory",
                count=self.num_envs,
                need=need,
                most=available_mb(),
            )

    def _make_arrays(self) -> None:
        n, mode = self.num_envs, self.options.mode
        self._seen, seen_info = self._rows(n)
        self._final, self._final_info = self._rows(
            n if self._autoreset is AutoresetMode.SAME_STEP else 0
        )
        self._rewards = np.zeros(n, np.float32)
        self._terminations = np.zeros(n, np.bool_)
        self._truncations = np.zeros(n, np.bool_)
        self._info: dict[str, NDArray[Any]] = {
            "rewards": np.zeros((n, len(mode.colours)), np.float32),
            **seen_info,
        }

    def _rows(self, n: int) -> tuple[Observations, dict[str, NDArray[Any]]]:
        """Return arrays for n observations and their info."""
        observations = {
            "observation": np.zeros((n, self.planes, planes.SIDE, planes.SIDE), np.uint8),
            "action_mask": np.zeros((n, planes.ACTIONS), np.int8),
        }
        info = {
            "to_move": np.zeros(n, np.uint8),
            "captured": np.zeros((n, self.sides), np.uint8),
        }
        return observations, info

    def _make_batch(self) -> None:
        options = self.options
        rules = kernel_rules(options.rules)
        self._batch = kernel.Batch(
            str(options.start),
            games=self.num_envs,
            history=options.history,
            ply_limit=options.ply_limit,
            autoreset=_MODES[self._autoreset],
            threads=self._threads,
            disable_simd=self._is_simd_disabled,
            win_at=rules["win_at"],
            repetition=rules["repetition"],
            rules_ply_limit=rules["ply_limit"],
            partner_sidestep=rules["partner_sidestep"],
            stuck=rules["stuck"],
            observations=self._seen["observation"],
            masks=self._seen["action_mask"],
            to_move=self._info["to_move"],
            captured=self._info["captured"],
            final_observations=self._final["observation"],
            final_masks=self._final["action_mask"],
            final_to_move=self._final_info["to_move"],
            final_captured=self._final_info["captured"],
            rewards=self._rewards,
            rewards_by_colour=self._info["rewards"],
            terminations=self._terminations,
            truncations=self._truncations,
        )

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_batch"] = self._batch.state()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        games = state.pop("_batch")
        self.__dict__.update(state)
        self._make_batch()
        self._batch.restore(games)

    def disable_simd(self) -> None:
        """Write arrays without SIMD, for comparisons; all games restart."""
        self._is_simd_disabled = True
        self._make_batch()
        self._is_begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Restart all games, or those that `options["reset_mask"]` marks.

        The seed is that of `random_actions`; the games themselves are deterministic.
        """
        super().reset(seed=seed)
        marks = None if options is None else options.get("reset_mask")
        if marks is not None:
            marks = np.ascontiguousarray(marks)
            if marks.dtype != np.bool_ or marks.shape != (self.num_envs,):
                raise EnvError(
                    N_("a reset_mask has a True or False for each of {count} games"),
                    code="env-reset-mask",
                    count=self.num_envs,
                )
        self._batch.reset(marks if self._is_begun else None)
        self._is_begun = True
        return self._output(self._seen), self._output(self._info)

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play a move in each game."""
        chosen = self._numbers(actions)
        refused = self._batch.step(chosen)
        if refused is not None:
            raise self._refusal(*refused, chosen)
        info: dict[str, Any] = self._output(self._info)
        if self._autoreset is AutoresetMode.SAME_STEP:
            ended = self._terminations | self._truncations
            if ended.any():
                info |= self._final_fields(ended)
        flags = self._rewards, self._terminations, self._truncations
        rewards, terminations, truncations = (
            [array.copy() for array in flags] if self.copy else flags
        )
        return self._output(self._seen), rewards, terminations, truncations, info

    def _output(self, arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Return copies of the arrays, or the arrays that every step rewrites."""
        return {name: array.copy() if self.copy else array for name, array in arrays.items()}

    def _final_fields(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the fields that `SyncVectorEnv` adds for games that have just ended."""
        observations = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(ended):
            rows = {name: array[game] for name, array in self._final.items()}
            observations[game] = self._output(rows)
        arrays = {"rewards": self._info["rewards"], **self._final_info}
        info: dict[str, Any] = {}
        for name, array in arrays.items():
            info[name] = np.zeros_like(array)
            info[name][ended] = array[ended]
            info[f"_{name}"] = ended.copy()
        return {
            "final_obs": observations,
            "_final_obs": ended,
            "final_info": info,
            "_final_info": ended.copy(),
        }

    def random_actions(self) -> Numbers:
        """Return a uniformly random legal action for each game; 0 for games that are over."""
        if not self._is_begun:
            raise _not_begun()
        actions = np.empty(self.num_envs, np.int64)
        self._batch.sample_actions(int(self.np_random.integers(2**63)), actions)
        return actions

    def board(self, game: int) -> Board:
        """Return a game's present board, without its history."""
        if not self._is_begun:
            raise _not_begun()
        whole_number("game", game, 0, self.num_envs - 1)
        return Board.parse(self._batch.text(game), rules=self.options.rules)

    @property
    def kernel(self) -> kernel.Batch:
        """The kernel's batch, for `sumito.env.mcts`."""
        if not self._is_begun:
            raise _not_begun()
        return self._batch

    @property
    def planes(self) -> int:
        """Number of planes of an observation."""
        return planes.planes_of(self.options.mode, self.options.history)

    @property
    def sides(self) -> int:
        """Number of sides in the mode."""
        return len(self.options.mode.sides)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ANN401  # Gymnasium's
        """Do nothing: there are no resources to release."""

    def _numbers(self, actions: ArrayLike) -> Numbers:
        if not self._is_begun:
            raise _not_begun()
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise EnvError(
                N_("actions are {count} whole numbers, one for each game, not {shape} of {kind}"),
                code="env-actions-shape",
                count=self.num_envs,
                shape=str(array.shape),
                kind=str(array.dtype),
            )
        return np.ascontiguousarray(array, np.int64)

    def _refusal(self, game: int, is_over: bool, actions: Numbers) -> EnvError:
        why: Message
        if is_over:
            why = Message("env-over", N_("it is over: reset it first"), {})
        else:
            try:
                self.board(game).check(Move.of(int(actions[game])))
                raise AssertionError("the kernel and the rules disagree")
            except SumitoError as error:
                why = error.sentence
        return EnvError(
            N_("game {game}, action {action}: {why}"),
            code="env-refused",
            game=game,
            action=int(actions[game]),
            why=why,
        )


def _not_begun() -> EnvError:
    return EnvError(N_("no game has begun: call reset"), code="env-reset")


def _autoreset(value: AutoresetMode | str) -> AutoresetMode:
    for mode, word in _MODES.items():
        if value is mode or value in (word, mode.value):
            return mode
    raise EnvError(
        N_("autoreset is one of {known}, not {value!r}"),
        code="env-autoreset",
        known=tuple(_MODES.values()),
        value=value,
    )
