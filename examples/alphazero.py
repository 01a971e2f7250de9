"""A compact AlphaZero: self-play with tree search in C++ (`sumito.env.mcts`), a network in PyTorch.

    pip install 'sumito[env]' torch==2.13.0
    python examples/alphazero.py --minutes 60 --threads 2

Each move of each game is searched with the network; the network learns to foretell the policy that
the search has made of its own, and the end of the game, from the latest samples, each batch of them
through one of the twelve symmetries. The network is that of `ppo.py`. No player but itself teaches
it, and nothing is rewarded but the result and ejections.

Each thread plays games of its own and learns in turn with the others. What has been learned is
shown by games against players of the package: with search, and without chance in it.

Minutes are those of the processor, so that other programs on the machine don't count: half an hour
of two cores is 60. `docs/how-to/environments.md` tells how far it gets in them.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import numpy as np
import torch
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))
from arena import Actions, Chooser, Player, Seen, meet, staggered
from ppo import Network

from sumito import SYMMETRIES
from sumito.env import Batch, augment, mcts
from sumito.env.mcts import Mcts

OPPONENTS = ("random", "greedy", "newcomer", "gentle", "friendly", "casual", "steady", "keen")
RATE = 2e-3


@dataclass(slots=True)
class Sample:
    """A position as its mover saw it, and what the network should have said of it."""

    seen: NDArray[np.uint8]
    mask: NDArray[np.int8]
    policy: NDArray[np.float32]
    mover: int
    value: float


def judge(network: Network) -> mcts.Network:
    """The network as the search wants it."""

    def answer(
        seen: NDArray[np.uint8], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with torch.inference_mode():
            chances, value = network(torch.from_numpy(seen), torch.from_numpy(masks))
            return chances.numpy(), torch.tanh(value).numpy()

    return answer


class Learner:
    """The network, and the latest samples that it learns from."""

    def __init__(self, memory: int = 100_000, seed: int = 1) -> None:
        torch.manual_seed(seed)
        self.network = Network()
        self.optimiser = torch.optim.AdamW(self.network.parameters(), RATE, weight_decay=1e-4)
        self.memory: deque[Sample] = deque(maxlen=memory)
        self.rng = random.Random(seed)
        self.lock = Lock()
        self.finished = 0

    def remember(self, game: list[Sample]) -> None:
        self.memory.extend(game)
        self.finished += 1

    def learn(self, size: int = 512) -> float | None:
        """A step on samples drawn from memory: the loss."""
        if len(self.memory) < size:
            return None
        drawn = [self.memory[self.rng.randrange(len(self.memory))] for _ in range(size)]
        turn = self.rng.choice(SYMMETRIES)
        seen = torch.from_numpy(augment.planes(np.stack([one.seen for one in drawn]), turn))
        mask = torch.from_numpy(augment.masks(np.stack([one.mask for one in drawn]), turn))
        policy = torch.from_numpy(augment.masks(np.stack([one.policy for one in drawn]), turn))
        target = torch.tensor([one.value for one in drawn])
        chances, value = self.network(seen, mask)
        loss = -(policy * chances.clamp_min(-30)).sum(1).mean()
        loss = loss + (torch.tanh(value) - target).square().mean()
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        return float(loss.detach())

    def slow_down(self, left: float) -> None:
        """Learn in smaller steps towards the end; `left` is the part of the time that is left."""
        for group in self.optimiser.param_groups:
            group["lr"] = RATE * max(0.05, left)


class SelfPlay:
    """Games that the network plays against itself."""

    def __init__(self, learner: Learner, games: int, simulations: int, seed: int = 1) -> None:
        self.learner = learner
        self.batch = staggered(games, seed)
        self.seen, self.info = self.batch.reset(options={"reset_mask": np.zeros(games, bool)})
        network = judge(learner.network)
        self.search = Mcts(self.batch, network, simulations=simulations, seed=seed)
        self.open: list[list[Sample]] = [[] for _ in range(games)]

    def play(self) -> None:
        """A ply in every game."""
        policy = self.search.run()
        for game, moves in enumerate(self.open):
            seen, mask = self.seen["observation"][game], self.seen["action_mask"][game]
            mover, value = int(self.info["to_move"][game]), float(self.search.values[game])
            moves.append(Sample(seen.copy(), mask.copy(), policy[game].copy(), mover, value))
        self.seen, _, ended, cut, self.info = self.batch.step(self.search.actions)
        for game in np.flatnonzero(ended | cut):
            self.finish(int(game))

    def finish(self, game: int) -> None:
        """Tell the samples of a game that is over what its end was worth.

        That is, half and half, the result and how many marbles more were ejected: who can't win
        yet can learn to eject. The search's own opinion is worth as much, which evens luck out.
        """
        moves = self.open[game]
        theirs, mine = self.info["final_obs"][game]["observation"][2:4, 0, 0].tolist()
        last = moves[-1].mover
        worth = 0.5 * self.info["rewards"][game, last] + (mine - theirs) / 12
        for one in moves:
            one.value = float(one.value + (worth if one.mover == last else -worth)) / 2
        with self.learner.lock:
            self.learner.remember(moves)
        self.open[game] = []

    def go_on(self, left: Callable[[float], float]) -> None:
        """Play and learn as long as any time is left; `left` is told how much was used."""
        while True:
            began = time.thread_time()
            self.play()
            with self.learner.lock:
                self.learner.learn()
            part = left(time.thread_time() - began)
            if part <= 0:
                break
            self.learner.slow_down(part)


def searching(network: Network, simulations: int) -> Player:
    """Play the moves that the search finds best."""

    def seated(batch: Batch) -> Chooser:
        search = Mcts(batch, judge(network), simulations=simulations, gumbel_scale=0.0)

        def choose(_: Seen) -> Actions:
            search.run()
            return search.actions

        return choose

    return seated


def main(arguments: list[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60, help="of the processor")
    parser.add_argument("--games", type=int, default=64, help="of each thread")
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--meet", type=int, default=100, help="games against each at the end")
    parser.add_argument("--every", type=float, default=10, help="minutes between two shows")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="a file for the network")
    wanted = parser.parse_args(arguments)
    torch.set_num_threads(1)  # the threads are ours
    learner = Learner(seed=wanted.seed)
    tables = [
        SelfPlay(learner, wanted.games, wanted.simulations, wanted.seed + number)
        for number in range(wanted.threads)
    ]
    scores: dict[str, float] = {}
    used = pause = 0.0

    def left(seconds: float) -> float:
        """The part of the time that is left after some seconds more; 0 at a pause."""
        nonlocal used
        with learner.lock:
            used += seconds
        return 0.0 if used >= pause else 1 - used / (60 * wanted.minutes)

    def show(games: int) -> None:
        nonlocal scores
        if wanted.save:
            torch.save(learner.network.state_dict(), wanted.save)
        player = searching(deepcopy(learner.network), wanted.simulations)
        scores = {name: meet(player, name, games, wanted.seed) for name in OPPONENTS}
        points = "  ".join(f"{name} {score:.2f}" for name, score in scores.items())
        print(f"{used / 60:5.1f} min {learner.finished:>6} games  {points}", flush=True)

    with ThreadPoolExecutor(wanted.threads) as pool:
        try:
            while used < 60 * wanted.minutes:
                pause = min(60 * wanted.minutes, used + 60 * wanted.every)
                list(pool.map(lambda table: table.go_on(left), tables))
                if used < 60 * wanted.minutes:
                    show(wanted.meet // 5)
        except KeyboardInterrupt:  # Ctrl-C ends the learning, not the program
            pause = 0.0  # which the threads see
    show(wanted.meet)
    return scores


if __name__ == "__main__":
    main()
