"""Masked PPO in one file: a network learns the game by playing itself, 256 games at a time.

    pip install 'sumito[env]' torch==2.13.0
    python examples/ppo.py --minutes 6

Both players of a game are the same network, which sees the board from the mover's side; what a
position is worth to one is worth the opposite to the other, and so are advantages. Ejections and
steps to the centre are rewarded on the way. At the end it plays a random and a greedy player; the
latter looks one move ahead for marbles, the centre and cohesion.

Minutes are those of the processor, so that other programs on the machine don't count. Measured once
on one core: after 2.1 minutes (237,568 plies) 0.80 points a game against random and 0.30 against
greedy, 60 games each. So it beats random, and greedy not in that time; longer was not measured.
"""

from __future__ import annotations

import argparse
import time
from contextlib import suppress

import numpy as np
import torch
from torch import nn

from sumito import MOVES, Rules, _core
from sumito.engine.kernel import to_core
from sumito.env import Batch
from sumito.env.options import Options
from sumito.env.table import Table

RULES = Rules(repetition=3, ply_limit=200)
GAMMA, LAMBDA, CLIP = 0.97, 0.9, 0.2
EJECTION = 0.15
CENTRE = 0.015
NEARNESS = torch.tensor(
    [
        [max(0, 4 - max(abs(row), abs(digit), abs(digit - row))) for digit in range(-4, 5)]
        for row in range(-4, 5)
    ]
).float()
"""How many steps nearer to the centre than the rim each cell is."""


def head_of_moves() -> torch.Tensor:
    """Where each move's logit lies among 30 planes: six ways in line, 24 kinds of side-step.

    A move is the same thing everywhere on the board, so it is a plane by its kind and a place in it
    by its first cell: the network learns it once for all cells.
    """
    kinds: dict[tuple[int, int], int] = {}
    places = []
    for move in MOVES:
        kind = kinds.setdefault((move.direction, move.last - move.first), len(kinds))
        places.append(81 * kind + 9 * move.first.row + move.first.digit - 1)
    assert len(kinds) == 30
    return torch.tensor(places)


class Network(nn.Module):
    """Some convolutions, a plane of logits for each kind of move, and a value of the whole."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.register_buffer("places", head_of_moves())
        self.body = nn.Sequential(
            nn.Conv2d(3, width, 5, padding=2),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
        )
        self.moves = nn.Conv2d(width, 30, 3, padding=1)
        self.value = nn.Sequential(nn.Linear(2 * width + 4, 64), nn.ReLU(), nn.Linear(64, 1))
        nn.init.zeros_(self.moves.weight)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of the chances of all moves, and what the position is worth to the mover."""
        board = seen[:, [0, 1, 6]].float()
        body = self.body(board)
        logits = self.moves(body).flatten(1)[:, self.places].masked_fill(mask == 0, -1e9)
        facts = seen[:, 2:6, 0, 0].float() * torch.tensor([0.2, 0.2, 1.0, 0.005])
        pooled = torch.cat([body.mean((2, 3)), body.amax((2, 3)), facts], 1)
        return torch.log_softmax(logits, 1), self.value(pooled).squeeze(1)


class Learner:
    """Plays so many steps in all games, then learns from them."""

    def __init__(self, games: int, steps: int, rate: float = 1e-3, seed: int = 1) -> None:
        torch.manual_seed(seed)
        self.network = Network()
        self.optimiser = torch.optim.Adam(self.network.parameters(), rate, eps=1e-5)
        self.steps = steps
        self.batch = Batch(games, layout="belgian-daisy", rules=RULES)
        self.seen, self.info = self.batch.reset(seed=seed)

    def play(self) -> dict[str, torch.Tensor]:
        """A round of steps: what was seen, done, and gained."""
        rows: dict[str, list[torch.Tensor]] = {
            name: [] for name in ("seen", "mask", "action", "chance", "value", "reward", "over")
        }
        for _ in range(self.steps):
            seen = torch.from_numpy(self.seen["observation"]).clone()
            mask = torch.from_numpy(self.seen["action_mask"]).clone()
            captured = self.info["captured"].astype(np.int16)
            mover = self.info["to_move"].astype(np.int64)
            with torch.no_grad():
                chances, value = self.network(seen, mask)
                action = torch.multinomial(chances.exp(), 1)
            self.seen, rewards, ended, cut, self.info = self.batch.step(action.squeeze(1))
            over = ended | cut
            # Only the mover ejects; a new game's count says nothing of the last move.
            gained = (self.info["captured"].astype(np.int16) - captured)[
                np.arange(len(mover)), mover
            ]
            reward = rewards + EJECTION * np.where(over, rewards > 0, gained)
            # What is shown now is the other side: there, the mover's standing has changed its sign.
            after = standing(torch.from_numpy(self.seen["observation"]))
            reward += CENTRE * np.where(over, 0, -(after + standing(seen)).numpy())
            for name, tensor in zip(
                rows,
                (
                    seen,
                    mask,
                    action.squeeze(1),
                    chances.gather(1, action).squeeze(1),
                    value,
                    torch.from_numpy(reward.astype(np.float32)),
                    torch.from_numpy(over),
                ),
                strict=True,
            ):
                rows[name].append(tensor)
        with torch.no_grad():
            _, last = self.network(
                torch.from_numpy(self.seen["observation"]),
                torch.from_numpy(self.seen["action_mask"]),
            )
        made = {name: torch.stack(parts) for name, parts in rows.items()}
        made["gain"] = advantages(made["reward"], made["value"], last, made["over"])
        return made

    def learn(self, made: dict[str, torch.Tensor], epochs: int = 2, size: int = 1024) -> None:
        flat = {name: tensor.flatten(0, 1) for name, tensor in made.items()}
        target = flat["gain"] + flat["value"]
        gain = (flat["gain"] - flat["gain"].mean()) / (flat["gain"].std() + 1e-6)
        for _ in range(epochs):
            for rows in torch.randperm(len(target)).split(size):
                action = flat["action"][rows]
                chances, value = self.network(flat["seen"][rows], flat["mask"][rows])
                ratio = (chances.gather(1, action[:, None]).squeeze(1) - flat["chance"][rows]).exp()
                clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
                policy = -torch.min(ratio * gain[rows], clipped * gain[rows]).mean()
                entropy = -(chances.exp() * chances.clamp_min(-30)).sum(1).mean()
                loss = policy + 0.5 * (value - target[rows]).square().mean() - 0.01 * entropy
                self.optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimiser.step()


def standing(seen: torch.Tensor) -> torch.Tensor:
    """How much nearer to the centre the mover's marbles are than the opponent's."""
    return ((seen[:, 0].float() - seen[:, 1]) * NEARNESS).sum((1, 2))


def advantages(
    reward: torch.Tensor, value: torch.Tensor, last: torch.Tensor, over: torch.Tensor
) -> torch.Tensor:
    """Generalised advantages where players take turns: the next position is the opponent's."""
    gain = torch.zeros_like(reward)
    after, carried = last, torch.zeros_like(last)
    for t in reversed(range(len(reward))):
        goes_on = (~over[t]).float()
        surprise = reward[t] - GAMMA * after * goes_on - value[t]
        carried = surprise - GAMMA * LAMBDA * carried * goes_on
        gain[t], after = carried, value[t]
    return gain


def meet(network: Network, opponent: str, games: int, seed: int = 1) -> float:
    """Points a game against one of the kernel's simple players: 1 a win, 1/2 a draw."""
    player, points = _core.Player(opponent), 0.0
    tables = [Table(Options.of(layout="belgian-daisy", rules=RULES)) for _ in range(games)]
    for ply in range(RULES.ply_limit or 0):
        here = [(n, t) for n, t in enumerate(tables) if not t.is_terminated]
        mine = [(n, t) for n, t in here if (n + ply) % 2 == 0]
        if mine:
            sights = [t.observation(t.board.turn) for _, t in mine]
            seen, mask = (
                torch.from_numpy(np.stack([s[name] for s in sights]))
                for name in ("observation", "action_mask")
            )
            with torch.no_grad():
                chances, _ = network(seen, mask)
            # A little chance keeps the games apart.
            for (_, t), action in zip(mine, torch.multinomial((chances * 4).exp(), 1), strict=True):
                t.play(int(action))
        for n, t in here:
            if (n + ply) % 2:
                t.play(_core.choose(player, to_core(t.board), seed * 1_000_003 + 1000 * ply + n))
    for n, t in enumerate(tables):
        points += 0.5 + t.rewards()[t.board.mode.order[n % 2]] / 2
    return points / games


def main(arguments: list[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=6)
    parser.add_argument("--rounds", type=int, default=10**9, help="stop after so many, if sooner")
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--meet", type=int, default=100, help="games against each opponent")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save", help="a file for the network")
    wanted = parser.parse_args(arguments)
    torch.set_num_threads(wanted.threads)
    learner = Learner(wanted.games, wanted.steps)
    start, told, plies = time.process_time(), 0.0, 0
    with suppress(KeyboardInterrupt):  # Ctrl-C ends the learning, not the program
        for _ in range(wanted.rounds):
            spent = time.process_time() - start
            if spent > 60 * wanted.minutes:
                break
            if spent - told > 60:
                told = spent
                score = meet(learner.network, "greedy", wanted.meet // 2)
                print(f"{spent / 60:5.1f} min {plies:>9,} plies  greedy {score:.2f}", flush=True)
            learner.learn(learner.play())
            plies += wanted.games * wanted.steps
    spent = (time.process_time() - start) / 60
    scores = {
        name: meet(learner.network, name, wanted.meet, seed=2) for name in ("random", "greedy")
    }
    print(f"{spent:5.1f} min {plies:>9,} plies  points a game {scores}", flush=True)
    if wanted.save:
        torch.save(learner.network.state_dict(), wanted.save)
    return scores


if __name__ == "__main__":
    main()
