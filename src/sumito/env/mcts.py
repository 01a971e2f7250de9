"""Gumbel AlphaZero tree search over many games, with leaves evaluated in batches by your network.

    from sumito.env import Batch
    from sumito.env.mcts import Mcts

    games = Batch(64, ply_limit=200)
    games.reset(seed=1)
    search = Mcts(games, network, simulations=32)
    policy = search.run()               # (64, 1272): how likely each move should be
    values = search.values              # (64,): what the mover may expect
    games.step(search.actions)          # (64,): the moves that the search plays

`policy` and `values` are training targets for these positions.

The trees grow in C++ from the games as they stand. The search is that of Gumbel AlphaZero
(Danihelka and others, *Policy improvement by planning with Gumbel*, 2022), which improves a policy
even with few simulations: moves of the root are sampled without replacement from the network's
policy; each is visited, the worse half is dropped, and so on until the simulations are used up
(sequential halving). Below the root, and in `policy`, the network's policy is improved by the
values found. The number of visits of a move (`visits`) says little by itself: the last candidates
are visited equally often.

Each round gathers leaves of all games and calls `network` once: ``network(observations, masks) ->
logits, values`` with observations uint8 ``(m, planes, 9, 9)`` and masks int8 ``(m, 1272)``, both in
memory that the next round overwrites; logits ``(m, 1272)``, of which only the legal ones count;
values ``(m,)``, what the position is worth to the player to move, -1 to 1. In `three`, values are
``(m, 3)``: of the mover, and of the two who come after.

Any callable that returns NumPy arrays serves as a network:

>>> import numpy as np
>>> from sumito.env import Batch
>>> games = Batch(2)
>>> _ = games.reset(seed=1)
>>> def even(observations, masks):
...     return np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32)
>>> search = Mcts(games, even, simulations=50, gumbel_scale=0.0)
>>> search.run().sum(axis=1).round(3).tolist(), search.visits.sum(axis=1).tolist()
([1.0, 1.0], [50, 50])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from sumito import kernel
from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.kernel.positions import kernel_seed

try:
    import numpy as np
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "sumito.env.mcts needs numpy; install it with: pip install 'sumito[env]'", name="numpy"
    ) from error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Network = Callable[["NDArray[np.uint8]", "NDArray[np.int8]"], "tuple[ArrayLike, ArrayLike]"]


class GameBatch(Protocol):
    """The interface that the search needs of `sumito.env.Batch`."""

    num_envs: int

    @property
    def kernel(self) -> kernel.Batch: ...

    @property
    def planes(self) -> int: ...

    @property
    def sides(self) -> int: ...


class Mcts:
    """Search trees for the games of a batch. `run` searches; the caller steps the games."""

    def __init__(
        self,
        games: GameBatch,
        network: Network,
        *,
        simulations: int = 100,
        max_considered: int = 16,
        c_scale: float = 0.5,
        gumbel_scale: float = 1.0,
        seed: int = 0,
    ) -> None:
        """Run `simulations` per move, starting with `max_considered` moves at the root.

        `c_scale` is the weight of values against the network's logits; `gumbel_scale` that of the
        noise in choosing and playing moves (0 to play the best). The names are those of the paper
        and of mctx.
        """
        _whole("simulations", simulations, 1, 10_000_000)
        _whole("max_considered", max_considered, 1, kernel.MOVES)
        _number("c_scale", c_scale, 1e6)
        _number("gumbel_scale", gumbel_scale, 1e6)
        self._games = games
        self._network = network
        self._trees = kernel.Mcts(
            games.kernel,
            simulations=simulations,
            max_considered=max_considered,
            c_scale=c_scale,
            gumbel_scale=gumbel_scale,
            seed=kernel_seed(seed),
        )
        n, most = games.num_envs, games.num_envs * max_considered
        self._seen = np.zeros((most, games.planes, 9, 9), np.uint8)
        self._masks = np.zeros((most, kernel.MOVES), np.int8)
        self.visits = np.zeros((n, kernel.MOVES), np.int32)
        """Visits of each move in the last search; 0 for games that are over."""
        self.policy = np.zeros((n, kernel.MOVES), np.float32)
        """Improved policy of the last search; 0 for games that are over."""
        self.actions = np.zeros(n, np.int64)
        """Moves chosen by the last search; 0 for games that are over."""
        self.values = np.zeros(n, np.float32)
        """Expected result for the player to move under `policy`."""

    def run(self) -> NDArray[np.float32]:
        """Search all games from their present positions; return `policy`, always the same array."""
        trees = self._trees
        trees.begin()
        while count := trees.gather(self._seen, self._masks):
            logits, values = self._network(self._seen[:count], self._masks[:count])
            trees.evaluate(self._logits(logits, count), self._values(values, count))
        trees.visits(self.visits)
        trees.improved_policy(self.policy, self.actions, self.values)
        return self.policy

    def _logits(self, output: ArrayLike, count: int) -> NDArray[np.float32]:
        logits = np.ascontiguousarray(output, np.float32)
        if logits.shape != (count, kernel.MOVES):
            raise _wrong("logits", (count, kernel.MOVES), logits)
        if np.isnan(logits).any():
            raise LabError(N_("the network's {name} are not numbers"), name="logits")
        return logits

    def _values(self, output: ArrayLike, count: int) -> NDArray[np.float32]:
        values = np.asarray(output, np.float32)
        sides = self._games.sides
        if sides == 2 and values.shape == (count,):
            values = np.stack([values, -values], axis=1)
        if values.shape != (count, sides):
            raise _wrong("values", (count,) if sides == 2 else (count, sides), values)
        if np.isnan(values).any():
            raise LabError(N_("the network's {name} are not numbers"), name="values")
        return np.ascontiguousarray(values)


def sample(
    policy: NDArray[Any], temperature: float, random: np.random.Generator
) -> NDArray[np.int64]:
    """Sample an action per game from a policy; at temperature 0, take the likeliest.

    It is 0 for games that are over, which have no policy.
    """
    _number("temperature", temperature, 1e6)
    if temperature == 0:
        best: NDArray[np.int64] = policy.argmax(axis=1)
        return best
    most = policy.max(axis=1, keepdims=True)
    weights = np.where(policy > 0, policy / np.maximum(most, 1e-30), 0.0) ** (1 / temperature)
    sums = weights.cumsum(axis=1)
    thresholds = random.random((len(policy), 1)) * sums[:, -1:]
    drawn: NDArray[np.int64] = (sums > thresholds).argmax(axis=1)
    return drawn


def _wrong(name: str, expected: tuple[int, ...], array: NDArray[Any]) -> LabError:
    return LabError(
        N_("the network's {name} have the shape {shape}, not {wanted}"),
        code="mcts-shape",
        name=name,
        shape=str(array.shape),
        wanted=str(expected),
    )


def _whole(name: str, value: object, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise LabError(
            N_("{name} must be a whole number from {least} to {most}, not {value!r}"),
            code="mcts-number",
            name=name,
            least=least,
            most=most,
            value=value,
        )


def _number(name: str, value: object, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise LabError(
            N_("{name} is a number from 0 to {most}, not {value!r}"),
            code="mcts-float",
            name=name,
            most=most,
            value=value,
        )
