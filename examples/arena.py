"""Where the networks of the examples meet the players of the package.

All games are played side by side in a `Batch`: half of them with black, half with white, each after
two random plies of its own, so that hardly two games are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sumito import Rules
from sumito.env import Batch
from sumito.env.single import Opponent

LAYOUT = "belgian-daisy"
RULES = Rules(repetition=3, ply_limit=200)
"""After 200 plies the side that has ejected more marbles wins; a position seen thrice is a draw."""

Actions = NDArray[np.int64]
Seen = dict[str, NDArray[Any]]
Chooser = Callable[[Seen], Actions]
"""Shown what there is to see in all games, it says a move for each."""
Player = Callable[[Batch], Chooser]
"""A player sits down at the games of a batch."""


def staggered(games: int, seed: int, rules: Rules = RULES) -> Batch:
    """Games that random moves have brought to plies all over, so that ends come one by one."""
    batch = Batch(games, layout=LAYOUT, rules=rules)
    batch.reset(seed=seed)
    most = rules.ply_limit or 0
    begins = np.arange(games) * most // games
    for ply in range(most):
        batch.step(batch.random_actions())
        batch.reset(options={"reset_mask": begins == ply})
    return batch


def replies(batch: Batch, opponent: Opponent, games: NDArray[np.bool_], seed: int) -> Actions:
    """An opponent's moves in the games marked, and random ones in the others."""
    actions = batch.random_actions()
    for game in np.flatnonzero(games):
        actions[game] = opponent.move(batch.board(int(game)), seed * 1_000_003 + int(game)).index
    return actions


def meet(player: Player, opponent: str, games: int, seed: int = 1) -> float:
    """Points a game: 1 for a win, 1/2 for a draw."""
    each = max(1, games // 2)
    return sum(_meet(player, opponent, each, colour, seed) for colour in (0, 1)) / (2 * each)


def _meet(player: Player, opponent: str, games: int, colour: int, seed: int) -> float:
    batch, other = Batch(games, layout=LAYOUT, rules=RULES), Opponent(opponent)
    seen, _ = batch.reset(seed=2 * seed + colour)
    choose, points, alive = player(batch), 0.0, np.ones(games, bool)
    for ply in range(RULES.ply_limit or 0):
        if ply < 2:
            actions = batch.random_actions()
        elif ply % 2 == colour:
            actions = choose(seen)
        else:
            actions = replies(batch, other, alive, seed=1000 * seed + ply)
        seen, _, ended, cut, info = batch.step(actions)
        # A game that is over begins again, and what happens in it doesn't count.
        over = (ended | cut) & alive
        points += float((0.5 + info["rewards"][over, colour] / 2).sum())
        alive &= ~over
        if not alive.any():
            break
    other.close()
    return points
