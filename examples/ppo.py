"""Masked PPO in one file."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).parent))
from arena import Actions, meet, replies, staggered

from sumito import CELLS, MOVES, Cell
from sumito.cells import distance
from sumito.env import Batch
from sumito.env.single import Opponent

GAMMA, LAMBDA, CLIP, ENTROPY = 0.95, 0.8, 0.2, 0.01
EJECTION, CENTRE, PAIR = 0.3, 0.03, 0.006
REPEAT = 0.5
SHARP = 3.0
STEPS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
"""The six directions as steps of row and digit: each is the one before it turned by 60 degrees."""


def nearness() -> torch.Tensor:
    """How many steps nearer to the centre than the rim each cell is."""
    plane = torch.zeros(9, 9)
    for cell in CELLS:
        plane[cell.row, cell.digit - 1] = 4 - distance(cell, Cell.E5)
    return plane


NEARNESS = nearness()


def turned(step: tuple[int, int], times: int) -> tuple[int, int]:
    for _ in range(times % 6):
        step = step[1], step[1] - step[0]
    return step


class Turning(nn.Module):
    """A convolution that is the same in all six directions."""

    def __init__(self, ins: int, outs: int, radius: int, *, lifts: bool = False) -> None:
        super().__init__()
        near = range(-radius, radius + 1)
        taps = [(r, c) for r in near for c in near if abs(r - c) <= radius]
        ways = 1 if lifts else 6
        self.outs, self.ins, self.radius = 6 * outs, ways * ins, radius
        self.weight = nn.Parameter(
            torch.randn(outs, ins, ways * len(taps)) * (2 / (ins * ways * len(taps))) ** 0.5
        )
        self.bias = nn.Parameter(torch.zeros(outs, 1))
        index = torch.full((6, ways, 2 * radius + 1, 2 * radius + 1), ways * len(taps))
        for out in range(6):
            for way in range(ways):
                for n, tap in enumerate(taps):
                    r, c = turned(tap, out)
                    index[out, way, r + radius, c + radius] = (way - out) % ways * len(taps) + n
        self.register_buffer("index", index, persistent=False)

    def kernel(self) -> torch.Tensor:
        weight = nn.functional.pad(self.weight, (0, 1))[:, :, self.index]
        side = 2 * self.radius + 1
        return weight.transpose(1, 2).reshape(self.outs, self.ins, side, side)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bias = self.bias.expand(-1, 6).flatten()
        return nn.functional.conv2d(x, self.kernel(), bias, padding=self.radius)


def head_of_moves() -> torch.Tensor:
    places = []
    for move in MOVES:
        first, last = move.first, move.last
        way = int(move.direction)
        ahead = STEPS[way]
        if move.is_side_step:
            row, digit = last.row - first.row, last.digit - first.digit
            size = max(abs(row), abs(digit))
            axis = (row // size, digit // size)
            if axis not in (turned(ahead, 1), turned(ahead, 5)):
                axis, first = (-axis[0], -axis[1]), last
            kind = 1 + 2 * (axis == turned(ahead, 1)) + (size - 1)
        else:
            kind = 0
        places.append(81 * (6 * kind + way) + 9 * first.row + first.digit - 1)
    return torch.tensor(places)


class Network(nn.Module):
    def __init__(self, width: int = 5, depth: int = 2) -> None:
        super().__init__()
        self.register_buffer("places", head_of_moves(), persistent=False)
        self.enter = Turning(4, width, 2, lifts=True)
        self.body = nn.ModuleList(Turning(width, width, 1) for _ in range(depth))
        self.moves = Turning(width, 5, 0)
        self.judge = Turning(width, 12, 0)
        self.value = nn.Sequential(nn.Linear(2 * 12 + 4, 64), nn.ReLU(), nn.Linear(64, 1))
        with torch.no_grad():
            self.moves.weight *= 0.1

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of the chances of all moves, and what the position is worth to the mover."""
        near = (NEARNESS / 4).expand(len(seen), 1, 9, 9)
        board = torch.cat([seen[:, 0:2].float(), seen[:, 6:7].float(), near], 1)
        hexagon = board[:1, 2:3]
        x = torch.relu(self.enter(board.contiguous(memory_format=torch.channels_last))) * hexagon
        for layer in self.body:
            x = torch.relu(x + layer(x)) * hexagon
        logits = self.moves(x).contiguous().flatten(1)[:, self.places].masked_fill(mask == 0, -1e9)
        x = torch.relu(self.judge(x) * hexagon).contiguous().unflatten(1, (-1, 6))
        facts = seen[:, 2:6, 0, 0].float() * torch.tensor([0.2, 0.2, 1.0, 0.005])
        pooled = torch.cat([x.mean((2, 3, 4)), x.amax((2, 3, 4)), facts], 1)
        return torch.log_softmax(logits, 1), self.value(pooled).squeeze(1)


def standing(seen: torch.Tensor) -> torch.Tensor:
    """What the mover's marbles are worth more than the opponent's."""
    marbles = seen[:, 0:2].float()
    near = (marbles * NEARNESS).sum((2, 3))
    pairs = torch.zeros_like(near)
    pairs += (marbles[:, :, :, 1:] * marbles[:, :, :, :-1]).sum((2, 3))
    pairs += (marbles[:, :, 1:, :] * marbles[:, :, :-1, :]).sum((2, 3))
    pairs += (marbles[:, :, 1:, 1:] * marbles[:, :, :-1, :-1]).sum((2, 3))
    ejected = seen[:, 2:4, 0, 0].float()
    worth = EJECTION * ejected + CENTRE * near + PAIR * pairs
    return worth[:, 0] - worth[:, 1]


class Learner:
    def __init__(
        self, games: int, steps: int, *, rate: float, taught: float, seed: int, kw
    ) -> None:
        torch.manual_seed(seed)
        self.network = Network(**kw)
        self.optimiser = torch.optim.Adam(self.network.parameters(), rate, eps=1e-5)
        self.steps = steps
        self.batch = staggered(games, seed)
        self.seen, self.info = self.batch.reset(options={"reset_mask": np.zeros(games, bool)})
        # The last games are against greedy, with either colour in turn; all others against itself.
        number = np.arange(games)
        self.others = np.where(number % 10 < 10 * taught, number // 10 % 2, 2)
        self.easy = number % 10 < 2
        self.greedy = Opponent("greedy")
        self.ply = 0
        self.ends = np.zeros(4, int)

    def play(self) -> dict[str, torch.Tensor]:
        rows: dict[str, list[torch.Tensor]] = {
            n: [] for n in ("seen", "mask", "action", "chance", "value", "reward", "over", "mine")
        }
        for _ in range(self.steps):
            seen = torch.from_numpy(self.seen["observation"]).clone()
            mask = torch.from_numpy(self.seen["action_mask"]).clone()
            theirs = self.info["to_move"] == self.others
            with torch.no_grad():
                chances, value = self.network(seen, mask)
                action = torch.multinomial(chances.exp(), 1).squeeze(1)
            if theirs.any():
                self.ply += 1
                reply = replies(self.batch, self.greedy, theirs & ~self.easy, self.ply)
                action[theirs] = torch.from_numpy(reply[theirs])
            before = standing(seen)
            self.seen, rewards, ended, cut, self.info = self.batch.step(action.numpy())
            over = torch.from_numpy(ended | cut)
            now = torch.from_numpy(self.seen["observation"])
            if over.any():
                now = now.clone()
                now[over] = torch.from_numpy(self.info["final_obs"]["observation"])[over]
            draw = ended & (rewards == 0)
            left = now[:, 5, 0, 0].numpy()
            reward = (
                torch.from_numpy(rewards - REPEAT * (draw & (left > 0))) - standing(now) - before
            )
            self.ends += np.array(
                [
                    (ended & (rewards > 0)).sum(),
                    (draw & (left > 0)).sum(),
                    (draw & (left == 0)).sum(),
                    (ended & (rewards < 0)).sum(),
                ]
            )
            chance = chances.gather(1, action[:, None]).squeeze(1)
            for name, tensor in zip(
                rows,
                (seen, mask, action, chance, value, reward, over, torch.from_numpy(~theirs)),
                strict=True,
            ):
                rows[name].append(tensor)
        with torch.no_grad():
            _, last = self.network(
                torch.from_numpy(self.seen["observation"]),
                torch.from_numpy(self.seen["action_mask"]),
            )
        made = {name: torch.stack(parts) for name, parts in rows.items()}
        made["gain"] = advantages(made["reward"], made["value"], last, made["over"], made["mine"])
        return made

    def learn(self, made, epochs: int = 2, size: int = 512) -> dict[str, float]:
        mine = made.pop("mine").flatten()
        flat = {name: tensor.flatten(0, 1)[mine] for name, tensor in made.items()}
        target = flat["gain"] + flat["value"]
        gain = (flat["gain"] - flat["gain"].mean()) / (flat["gain"].std() + 1e-6)
        told = {
            "ent": 0.0,
            "kl": 0.0,
            "vloss": 0.0,
            "n": 0,
            "var": float(target.var()),
            "gstd": float(flat["gain"].std()),
        }
        for _ in range(epochs):
            for rows in torch.randperm(len(target)).split(size):
                action = flat["action"][rows]
                chances, value = self.network(flat["seen"][rows], flat["mask"][rows])
                log = chances.gather(1, action[:, None]).squeeze(1) - flat["chance"][rows]
                ratio = log.exp()
                clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
                policy = -torch.min(ratio * gain[rows], clipped * gain[rows]).mean()
                entropy = -(chances.exp() * chances.clamp_min(-30)).sum(1).mean()
                vloss = (value - target[rows]).square().mean()
                loss = policy + 0.5 * vloss - ENTROPY * entropy
                self.optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimiser.step()
                told["ent"] += entropy.item()
                told["kl"] -= log.mean().item()
                told["vloss"] += vloss.item()
                told["n"] += 1
        n = told.pop("n")
        for k in ("ent", "kl", "vloss"):
            told[k] /= n
        return told


def advantages(reward, value, last, over, mine):
    gain = torch.zeros_like(reward)
    after, carried = last, torch.zeros_like(last)
    for t in reversed(range(len(reward))):
        goes_on = (~over[t]).float()
        worth = reward[t] - GAMMA * after * goes_on
        # Where somebody else moves, the position is worth what came of it.
        here = torch.where(mine[t], value[t], worth)
        kept = torch.where(mine[t], LAMBDA, 1.0)
        carried = worth - here - GAMMA * kept * carried * goes_on
        gain[t], after = carried, here
    return gain


def player(network: Network):
    def seated(batch: Batch):
        def choose() -> Actions:
            seen = batch._seen
            with torch.inference_mode():
                chances, _ = network(*map(torch.from_numpy, seen.values()))
            return torch.multinomial((chances * SHARP).exp(), 1).squeeze(1).numpy()

        return choose

    return seated


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=6)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--taught", type=float, default=0.5)
    parser.add_argument("--width", type=int, default=5)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--gamma", type=float, default=0.95)
    parser.add_argument("--lam", type=float, default=0.8)
    parser.add_argument("--ent", type=float, default=0.01)
    parser.add_argument("--centre", type=float, default=0.03)
    parser.add_argument("--pair", type=float, default=0.006)
    parser.add_argument("--epochs", type=int, default=1)
    w = parser.parse_args()
    global GAMMA, LAMBDA, ENTROPY, CENTRE, PAIR
    CENTRE, PAIR = w.centre, w.pair
    GAMMA, LAMBDA, ENTROPY = w.gamma, w.lam, w.ent
    torch.set_num_threads(1)
    learner = Learner(
        w.games,
        w.steps,
        rate=w.rate,
        taught=w.taught,
        seed=1,
        kw=dict(width=w.width, depth=w.depth),
    )
    start, told, plies = time.process_time(), 0.0, 0
    off = 0.0
    while True:
        spent = time.process_time() - start - off
        if spent > 60 * w.minutes:
            break
        for g in learner.optimiser.param_groups:
            g["lr"] = w.rate * max(0.05, 1 - spent / 60 / w.minutes)
        facts = learner.learn(learner.play(), epochs=w.epochs)
        plies += w.games * w.steps
        if spent - told > 45:
            told = spent
            t = time.process_time()
            score = {n: meet(player(learner.network), n, 40) for n in ("random", "greedy")}
            off += time.process_time() - t
            ends = learner.ends
            print(
                f"{spent / 60:5.1f} min {plies:>9,} plies  {score} eval {time.process_time() - t:.1f} s",
                {k: round(v, 3) for k, v in facts.items()},
                ends,
                flush=True,
            )
            learner.ends = np.zeros(4, int)
    print(plies, {n: meet(player(learner.network), n, 200) for n in ("random", "greedy")})


if __name__ == "__main__":
    main()
