"""A compact AlphaZero: self-play with tree search in C++ (`sumito.lab.mcts`), a network in PyTorch.

    pip install 'sumito[env]' torch==2.13.0
    python examples/alphazero.py --minutes 60 --threads 2

Each move of each game is searched with the network; the network learns to foretell the visits of
the search and the end of the game, from the latest samples, each batch of them through one of the
twelve symmetries. The network is that of `ppo.py`. What it has learned is shown, with search, by
games against players of the package.

Minutes are those of the processor, so that other programs on the machine don't count: half an hour
of two cores is 60. As it stands it learns to judge positions but not to choose moves, and loses to
a random player: `docs/environments.md` has the figures.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))
from arena import Actions, Chooser, Player, Seen, meet, staggered
from ppo import Network

from sumito import SYMMETRIES
from sumito.env import Batch, augment
from sumito.lab import mcts
from sumito.lab.mcts import Mcts

OPPONENTS = ("random", "greedy", "newcomer", "gentle", "friendly")


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
    """Plays itself and learns from it."""

    def __init__(self, games: int, simulations: int, memory: int = 60_000, seed: int = 1) -> None:
        torch.manual_seed(seed)
        self.network = Network()
        self.optimiser = torch.optim.AdamW(self.network.parameters(), 2e-3, weight_decay=1e-4)
        self.batch = staggered(games, seed)
        self.seen, self.info = self.batch.reset(options={"reset_mask": np.zeros(games, bool)})
        self.search = Mcts(self.batch, judge(self.network), simulations=simulations, seed=seed)
        self.open: list[list[Sample]] = [[] for _ in range(games)]
        self.memory: deque[Sample] = deque(maxlen=memory)
        self.dice = np.random.default_rng(seed)
        self.turns = random.Random(seed)
        self.finished = 0

    def play(self) -> None:
        """A ply in every game."""
        policy = self.search.run()
        for game, moves in enumerate(self.open):
            seen, mask = self.seen["observation"][game], self.seen["action_mask"][game]
            mover, value = int(self.info["to_move"][game]), float(self.search.values[game])
            moves.append(Sample(seen.copy(), mask.copy(), policy[game].copy(), mover, value))
        self.seen, _, ended, cut, self.info = self.batch.step(self.search.actions)
        for game in np.flatnonzero(ended | cut):
            self.remember(int(game))

    def remember(self, game: int) -> None:
        """The samples of a game that is over, with what its end was worth.

        That is, half and half, the result and how many marbles more were ejected: who can't win
        yet can learn to eject. The search's own opinion is worth as much, which evens luck out.
        """
        moves = self.open[game]
        theirs, mine = self.info["final_obs"]["observation"][game, 2:4, 0, 0].astype(int)
        last = moves[-1].mover
        worth = 0.5 * self.info["rewards"][game, last] + (mine - theirs) / 12
        for one in moves:
            one.value = float(one.value + (worth if one.mover == last else -worth)) / 2
        self.memory.extend(moves)
        self.open[game] = []
        self.finished += 1

    def learn(self, size: int = 512) -> float | None:
        """A step on samples drawn from memory: the loss."""
        if len(self.memory) < size:
            return None
        drawn = [self.memory[int(at)] for at in self.dice.integers(len(self.memory), size=size)]
        turn = self.turns.choice(SYMMETRIES)
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
        return loss.item()


def searching(network: Network, simulations: int) -> Player:
    """Play the moves that the search finds best."""

    def seated(batch: Batch) -> Chooser:
        search = Mcts(batch, judge(network), simulations=simulations, noise=0.0)

        def choose(_: Seen) -> Actions:
            search.run()
            return search.actions

        return choose

    return seated


def main(arguments: list[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60, help="of the processor")
    parser.add_argument("--clock", type=float, default=1e9, help="stop after so many minutes")
    parser.add_argument("--plies", type=int, default=10**9, help="stop after so many, if sooner")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--meet", type=int, default=40, help="games against each opponent")
    parser.add_argument("--every", type=float, default=3, help="minutes between two shows")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save", help="a file for the network")
    wanted = parser.parse_args(arguments)
    torch.set_num_threads(wanted.threads)
    learner = Learner(wanted.games, wanted.simulations)
    scores: dict[str, float] = {}
    start, learned, shown, plies = time.monotonic(), 0.0, 0.0, 0

    def show(games: int) -> None:
        nonlocal scores
        player = searching(learner.network, wanted.simulations)
        scores = {name: meet(player, name, games) for name in OPPONENTS}
        points = "  ".join(f"{name} {score:.2f}" for name, score in scores.items())
        print(f"{learned / 60:5.1f} min {learner.finished:>6} games  {points}", flush=True)
        if wanted.save:
            torch.save(learner.network.state_dict(), wanted.save)

    with suppress(KeyboardInterrupt):  # Ctrl-C ends the learning, not the program
        while plies < wanted.plies and learned < 60 * wanted.minutes:
            if time.monotonic() - start > 60 * wanted.clock:
                break
            if learned - shown > 60 * wanted.every:
                shown = learned
                show(wanted.meet // 2)
            began = time.process_time()
            learner.play()
            learner.learn()
            plies += wanted.games
            learned += time.process_time() - began
    show(wanted.meet)
    return scores


if __name__ == "__main__":
    main()
