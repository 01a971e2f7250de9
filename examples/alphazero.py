"""A compact AlphaZero: self-play with tree search in C++ (`sumito.lab.mcts`), a network in PyTorch.

    pip install 'sumito[env]' torch==2.13.0
    python examples/alphazero.py --minutes 30

Each move of each game is searched with the network; the network learns to foretell the visits of
the search and the end of the game, from the latest samples, each through a random one of the twelve
symmetries. The network is that of `ppo.py`. At the end it plays, with search, a random and a greedy
player.

Minutes are those of the processor, so that other programs on the machine don't count. How far it
gets in 30 of them has not been measured yet.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import deque
from contextlib import suppress
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))
from ppo import Network

from sumito import SYMMETRIES, Rules, _core
from sumito.engine.kernel import to_core
from sumito.env import Batch, augment
from sumito.lab.mcts import Mcts, sample

RULES = Rules(repetition=3, ply_limit=120)
LAYOUT = "belgian-daisy"
OPENING = 20
"""Plies in which a move is drawn by its visits; later the best ones are nearly always taken."""

Sample = tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.float32], int]


def judge(network: Network):  # noqa: ANN201  # what `Mcts` asks for
    """The network as the search wants it."""

    def answer(
        seen: NDArray[np.uint8], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with torch.inference_mode():
            chances, value = network(torch.from_numpy(seen), torch.from_numpy(masks))
            return chances.numpy(), torch.tanh(value).numpy()

    return answer


class Learner:
    """Plays itself and learns from it."""

    def __init__(self, games: int, simulations: int, memory: int = 30_000, seed: int = 1) -> None:
        torch.manual_seed(seed)
        self.network = Network()
        self.optimiser = torch.optim.AdamW(self.network.parameters(), 2e-3, weight_decay=1e-4)
        self.batch = Batch(games, layout=LAYOUT, rules=RULES)
        self.seen, self.info = self.batch.reset(seed=seed)
        self.search = Mcts(self.batch, judge(self.network), simulations=simulations, seed=seed)
        self.open: list[list[Sample]] = [[] for _ in range(games)]
        self.memory: deque[tuple[Sample, float]] = deque(maxlen=memory)
        self.dice = np.random.default_rng(seed)
        self.turns = random.Random(seed)
        self.finished = 0
        # Games at different plies from the beginning, so that ends come one by one.
        for _ in range(RULES.ply_limit or 0):
            actions = self.batch.random_actions()
            self.seen, *_, self.info = self.batch.step(actions)

    def play(self) -> None:
        """A ply in every game."""
        visits = self.search.run()
        early = np.array([len(game) < OPENING for game in self.open])
        actions = np.where(early, sample(visits, 1.0, self.dice), sample(visits, 0.25, self.dice))
        for game, moves in enumerate(self.open):
            policy = visits[game] / visits[game].sum()
            seen, mask = self.seen["observation"][game], self.seen["action_mask"][game]
            mover = int(self.info["to_move"][game])
            moves.append((seen.copy(), mask.copy(), policy.astype(np.float32), mover))
        self.seen, _, ended, cut, self.info = self.batch.step(actions)
        for game in np.flatnonzero(ended | cut):
            rewards = self.info["rewards"][game]
            self.memory.extend((one, float(rewards[one[3]])) for one in self.open[game])
            self.open[game] = []
            self.finished += 1

    def learn(self, size: int = 512) -> None:
        """A step on samples drawn from memory."""
        if len(self.memory) < size:
            return
        drawn = [self.memory[int(at)] for at in self.dice.integers(len(self.memory), size=size)]
        turn = self.turns.choice(SYMMETRIES)
        seen, mask, policy = (
            torch.from_numpy(
                (augment.planes if part == 0 else augment.masks)(
                    np.stack([one[part] for one, _ in drawn]), turn
                )
            )
            for part in range(3)
        )
        target = torch.tensor([value for _, value in drawn])
        chances, value = self.network(seen, mask)
        loss = -(policy * chances.clamp_min(-30)).sum(1).mean()
        loss = loss + (torch.tanh(value) - target).square().mean()
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()


def meet(network: Network, opponent: str, games: int, simulations: int) -> float:
    """Points a game with search against a simple player: half of the games with each colour."""
    player, points = _core.Player(opponent), 0.0
    for colour in range(2):
        batch = Batch(max(1, games // 2), layout=LAYOUT, rules=RULES, autoreset="disabled")
        _, info = batch.reset(seed=colour)
        # Two random plies keep the games apart.
        for _ in range(2):
            batch.step(batch.random_actions())
        search = Mcts(batch, judge(network), simulations=simulations, noise=0.0)
        alive = np.ones(batch.num_envs, bool)
        for ply in range(2, RULES.ply_limit or 0):
            if ply % 2 == colour:
                actions = sample(search.run(), 0, np.random.default_rng())
            else:
                actions = np.array(
                    [
                        _core.choose(player, to_core(batch.board(game)), 1000 * ply + game)
                        for game in range(batch.num_envs)
                    ]
                )
            _, _, ended, cut, info = batch.step(actions)
            for game in np.flatnonzero((ended | cut) & alive):
                points += 0.5 + info["rewards"][game][colour] / 2
            alive &= ~(ended | cut)
            # A game that is over begins again, and what happens in it doesn't count.
            batch.reset(options={"reset_mask": ended | cut})
            if not alive.any():
                break
    return points / (2 * max(1, games // 2))


def main(arguments: list[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--plies", type=int, default=10**9, help="stop after so many, if sooner")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--meet", type=int, default=40, help="games against each opponent")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save", help="a file for the network")
    wanted = parser.parse_args(arguments)
    torch.set_num_threads(wanted.threads)
    learner = Learner(wanted.games, wanted.simulations)
    start, told = time.process_time(), 0.0
    with suppress(KeyboardInterrupt):  # Ctrl-C ends the learning, not the program
        for _ in range(wanted.plies):
            spent = time.process_time() - start
            if spent > 60 * wanted.minutes:
                break
            if spent - told > 60:
                told = spent
                score = meet(learner.network, "greedy", wanted.meet // 2, wanted.simulations)
                games = learner.finished
                print(f"{spent / 60:5.1f} min {games:>6} games  greedy {score:.2f}", flush=True)
            learner.play()
            for _ in range(2):
                learner.learn()
    spent = (time.process_time() - start) / 60
    scores = {
        name: meet(learner.network, name, wanted.meet, wanted.simulations)
        for name in ("random", "greedy")
    }
    print(f"{spent:5.1f} min {learner.finished:>6} games  points a game {scores}", flush=True)
    if wanted.save:
        torch.save(learner.network.state_dict(), wanted.save)
    return scores


if __name__ == "__main__":
    main()
