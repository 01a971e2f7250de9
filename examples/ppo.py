"""Masked PPO in one file: a network learns the game by playing, 256 games at a time.

    pip install 'sumito[env]' torch==2.13.0
    python examples/ppo.py --minutes 9

Of ten games it plays three against itself, six against the greedy player, who looks one move ahead
for marbles, the centre and cohesion, and one against a random one. The network sees the board from
the mover's side; what a position is worth to one is worth the opposite to the other, and so are
advantages. It is shown where a row can eject a marble now, which a small network takes long to find
out, and does the same in all six directions.

Ejections, steps to the centre and pairs are rewarded on the way; a draw takes that back. The first
half of the time there are no draws by repetition: else it learns to save itself into them before it
has learned to play. When it plays for good it draws moves by its chances raised to the power SHARP.

Minutes are those of the processor, so that other programs on the machine don't count. After 9 of
them, with seed 1, it scored 1.00 against random and 0.72 against greedy, 200 games each;
`docs/how-to/environments.md` has the curve.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

sys.path.insert(0, str(Path(__file__).parent))
from arena import RULES, Actions, Player, Seen, meet, replies, staggered

from sumito import CELLS, MOVES, Cell, Rules
from sumito.env.single import Opponent
from sumito.rules.cells import distance

GAMMA, LAMBDA, CLIP = 0.95, 0.7, 0.2
ENTROPY = 0.02, 0.004
"""How much it is rewarded for not being sure: at the beginning, and at the end."""
EJECTION, CENTRE, PAIR = 0.3, 0.012, 0.0024
"""What it is worth on the way: a marble ejected, a step to the centre, two marbles side by side."""
DRAW = 0.3
"""What a draw costs the network, besides all that it had gained on the way."""
SHARP = 4.0
"""Chances are raised to this power when it plays for good."""
ENDLESS = Rules(repetition=None, ply_limit=RULES.ply_limit)
"""The first half it learns without draws by repetition, into which it would save itself."""
NOBODY = 2
"""The colour that the opponents have in games against oneself."""
STEPS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
"""The six directions as steps of row and digit: each is the one before it turned by 60 degrees."""

LAST = torch.channels_last
"""In this order of memory the convolutions are quickest."""

Step = tuple[int, int]
Made = dict[str, torch.Tensor]


def turned(step: Step, times: int) -> Step:
    """A step turned by a number of 60-degree turns."""
    for _ in range(times % 6):
        step = step[1], step[1] - step[0]
    return step


def nearness() -> torch.Tensor:
    """How many steps nearer to the centre than the rim each cell is."""
    plane = torch.zeros(9, 9)
    for cell in CELLS:
        plane[cell.row, cell.digit - 1] = 4 - distance(cell, Cell.E5)
    return plane


NEARNESS = nearness()


class Turning(nn.Module):
    """A convolution that does the same in all six directions.

    Each feature comes six times, once for each way to look, and the six kernels are one, turned:
    what is learned about a push to the east is known about a push to the north-west.
    """

    def __init__(self, ins: int, outs: int, radius: int, *, looks: int = 6) -> None:
        """`looks` is 1 for planes that aren't looked at from any side yet."""
        super().__init__()
        near = range(-radius, radius + 1)
        taps = [(r, c) for r in near for c in near if abs(r - c) <= radius]
        self.shape = (6 * outs, looks * ins, len(near), len(near))
        count = looks * len(taps)
        self.weight = nn.Parameter(torch.randn(outs, ins, count) * (2 / (ins * count)) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(outs, 1))
        # Which weight stands where; those in the corners, which no hexagon has, are 0.
        index = torch.full((6, looks, len(near), len(near)), count)
        for look in range(6):
            for other in range(looks):
                for n, tap in enumerate(taps):
                    r, c = turned(tap, look)
                    place = (other - look) % looks * len(taps) + n
                    index[look, other, r + radius, c + radius] = place
        self.register_buffer("index", index, persistent=False)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        kernel = nn.functional.pad(self.weight, (0, 1))[:, :, self.index].transpose(1, 2)
        bias = self.bias.expand(-1, 6).flatten()
        return nn.functional.conv2d(planes, kernel.reshape(self.shape), bias, padding="same")


def head_of_moves() -> torch.Tensor:
    """Where each move's logit lies among 30 planes: five kinds in each of six directions.

    The kinds are in line, and two or three side by side to the left or to the right of the way
    they go. In its plane a move has the place of its rear marble, so that it lies there the same
    whichever way the board is turned.
    """
    places = []
    for move in MOVES:
        kind, rear = 0, move.first
        if move.is_side_step:
            row, digit = move.last.row - rear.row, move.last.digit - rear.digit
            more = max(abs(row), abs(digit))
            along = (row // more, digit // more)
            if along not in (turned(STEPS[move.direction], 1), turned(STEPS[move.direction], -1)):
                along, rear = (-along[0], -along[1]), move.last
            kind = more + 2 * (along == turned(STEPS[move.direction], 1))
        places.append(81 * (6 * kind + move.direction) + 9 * rear.row + rear.digit - 1)
    return torch.tensor(places)


def ejections(own: torch.Tensor, other: torch.Tensor, board: torch.Tensor) -> torch.Tensor:
    """Where a row's rear marble stands that could eject one of the other's now, for each look.

    Two against one or three against one or two, with the rim behind them: the rule itself, which a
    small network takes long to find in six cells of a line.
    """
    own, other, board = (nn.functional.pad(plane.bool(), [5] * 4) for plane in (own, other, board))
    found = []
    for row, digit in STEPS:
        o0, o1, o2, x2, x3, x4, b3, b4, b5 = (
            plane[:, 5 + far * row : 14 + far * row, 5 + far * digit : 14 + far * digit]
            for plane, ahead in ((own, (0, 1, 2)), (other, (2, 3, 4)), (board, (3, 4, 5)))
            for far in ahead
        )
        found.append(o0 & o1 & (x2 & ~b3 | o2 & x3 & (~b4 | x4 & ~b5)))
    return torch.stack(found, 1).float()


class Network(nn.Module):
    """Some convolutions, a plane of logits for each kind of move, and a value of the whole."""

    def __init__(self, width: int = 5, depth: int = 2, judges: int = 8, reach: int = 2) -> None:
        super().__init__()
        self.register_buffer("places", head_of_moves(), persistent=False)
        self.enter = Turning(5, width, reach, looks=1)
        self.threats = Turning(2, width, 1)
        self.body = nn.ModuleList(Turning(width, width, 1) for _ in range(depth))
        self.moves = Turning(width + 2, 5, 0)
        self.judge = Turning(width, judges, 0)
        self.value = nn.Sequential(nn.Linear(2 * judges + 4, 64), nn.ReLU(), nn.Linear(64, 1))
        with torch.no_grad():  # at first all moves are about as likely
            self.moves.weight *= 0.1

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of the chances of all moves, and what the position is worth to the mover."""
        near = (NEARNESS / 4).expand(len(seen), 1, 9, 9)
        # Both colours, how often the position stood before, and the board.
        planes = torch.cat([seen[:, [0, 1, 4, 6]].float(), near], 1).contiguous(memory_format=LAST)
        own, other, board = seen[:, 0], seen[:, 1], seen[:1, 6]
        threats = torch.cat([ejections(own, other, board), ejections(other, own, board)], 1)
        threats = threats.contiguous(memory_format=LAST)
        hexagon = planes[:1, 3:4]
        x = (self.enter(planes) + self.threats(threats)).relu() * hexagon
        for layer in self.body:
            x = (x + layer(x)).relu() * hexagon
        logits = (
            self.moves(torch.cat([x, threats], 1))
            .contiguous()
            .flatten(1)[:, self.places]
            .masked_fill(mask == 0, -1e9)
        )
        judged = (self.judge(x).relu() * hexagon).contiguous().unflatten(1, (-1, 6))
        facts = seen[:, 2:6, 0, 0].float() * torch.tensor([0.2, 0.2, 1.0, 0.005])
        pooled = torch.cat([judged.mean((2, 3, 4)), judged.amax((2, 3, 4)), facts], 1)
        return torch.log_softmax(logits, 1), self.value(pooled).squeeze(1)


def standing(seen: torch.Tensor) -> torch.Tensor:
    """How much better the mover's marbles stand than the opponent's."""
    marbles = seen[:, 0:2].float()
    near = (marbles * NEARNESS).sum((2, 3))
    pairs = (
        (marbles[:, :, :, 1:] * marbles[:, :, :, :-1]).sum((2, 3))
        + (marbles[:, :, 1:] * marbles[:, :, :-1]).sum((2, 3))
        + (marbles[:, :, 1:, 1:] * marbles[:, :, :-1, :-1]).sum((2, 3))
    )
    worth = EJECTION * seen[:, 2:4, 0, 0].float() + CENTRE * near + PAIR * pairs
    return worth[:, 0] - worth[:, 1]


def drawn(chances: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A move for each row, drawn by the logarithms of its chances, and that logarithm."""
    sums = chances.exp().cumsum(1)
    rng = torch.rand(len(sums), 1) * sums[:, -1:] * 0.99999
    action = torch.searchsorted(sums, rng, right=True)
    return action.squeeze(1), chances.gather(1, action).squeeze(1)


class Learner:
    """Plays some steps in all games, then learns from them."""

    def __init__(self, games: int, steps: int, rate: float = 1.5e-3, seed: int = 1) -> None:
        torch.manual_seed(seed)
        self.network = Network()
        self.rate = rate
        self.optimiser = torch.optim.Adam(self.network.parameters(), rate, eps=1e-5)
        self.steps = steps
        self.seed, self.plies, self.entropy = seed, 0, ENTROPY[0]
        # Of each ten games, one is against random and six against greedy, with either colour.
        number = np.arange(games)
        self.others = np.where(number % 10 < 7, number // 10 % 2, NOBODY)
        self.greedy, self.is_greedy = Opponent("greedy"), number % 10 >= 1
        self.begin(ENDLESS)

    def begin(self, rules: Rules) -> None:
        """New games by these rules."""
        self.rules, games = rules, len(self.others)
        self.batch = staggered(games, self.seed, rules)
        self.seen, self.info = self.batch.reset(options={"reset_mask": np.zeros(games, bool)})

    def play(self) -> Made:
        """A round of steps: what was seen, done, and gained."""
        rounds = []
        for _ in range(self.steps):
            seen = torch.from_numpy(self.seen["observation"]).clone()
            mask = torch.from_numpy(self.seen["action_mask"]).clone()
            mine = self.info["to_move"] != self.others
            value, chance = torch.zeros(2, len(seen))
            action = torch.from_numpy(
                replies(self.batch, self.greedy, self.is_greedy & ~mine, self.plies)
            )
            with torch.no_grad():
                chances, value[mine] = self.network(seen[mine], mask[mine])
            action[mine], chance[mine] = drawn(chances)
            reward, over = self.step(action.numpy(), mine, standing(seen))
            rounds.append((seen, mask, action, chance, value, reward, over, torch.from_numpy(mine)))
        names = ("seen", "mask", "action", "chance", "value", "reward", "over", "mine")
        made = dict(zip(names, map(torch.stack, zip(*rounds, strict=True)), strict=True))
        with torch.no_grad():
            _, last = self.network(*map(torch.from_numpy, self.seen.values()))
        made["gain"] = advantages(made["reward"], made["value"], last, made["over"], made["mine"])
        return made

    def step(
        self, actions: Actions, mine: NDArray[np.bool_], before: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Play moves: what each mover gained, and which games are over.

        What was gained on the way is lost again by a draw, so that who stands well can't be content
        with one.
        """
        self.seen, rewards, ended, cut, self.info = self.batch.step(actions)
        self.plies += len(actions)
        over = torch.from_numpy(ended | cut)
        reward = torch.from_numpy(rewards.copy())
        is_draw = over & (reward == 0)
        reward -= DRAW * is_draw * torch.from_numpy(np.where(mine, 1, -1))
        # What is shown now is the other side: there, the mover's standing has changed its sign.
        after = -standing(torch.from_numpy(self.seen["observation"]))
        after = torch.where(over, before, after).masked_fill(is_draw, 0)
        return reward + after - before, over

    def learn(self, made: Made, size: int = 256) -> None:
        """Once through all that was made by the network itself."""
        mine = made["mine"].flatten()
        flat = {name: tensor.flatten(0, 1)[mine] for name, tensor in made.items()}
        target = flat["gain"] + flat["value"]
        gain = (flat["gain"] - flat["gain"].mean()) / (flat["gain"].std() + 1e-6)
        for rows in torch.randperm(len(target)).split(size):
            action = flat["action"][rows]
            chances, value = self.network(flat["seen"][rows], flat["mask"][rows])
            ratio = (chances.gather(1, action[:, None]).squeeze(1) - flat["chance"][rows]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            policy = -torch.min(ratio * gain[rows], clipped * gain[rows]).mean()
            entropy = -(chances.exp() * chances.clamp_min(-30)).sum(1).mean()
            loss = policy + 0.5 * (value - target[rows]).square().mean() - self.entropy * entropy
            self.optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
            self.optimiser.step()

    def settle(self, left: float) -> None:
        """Learn in smaller steps, and be surer, as time goes by; `left` is the part that is left.

        At half-time the rules become those of the arena.
        """
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * max(0.05, left)
        self.entropy = ENTROPY[1] + left * (ENTROPY[0] - ENTROPY[1])
        if left < 0.5 and self.rules != RULES:
            self.begin(RULES)


def advantages(
    reward: torch.Tensor,
    value: torch.Tensor,
    last: torch.Tensor,
    over: torch.Tensor,
    mine: torch.Tensor,
) -> torch.Tensor:
    """Generalised advantages where players take turns: the next position is the opponent's.

    Where somebody else moves, a position is worth what came of it.
    """
    gain = torch.zeros_like(reward)
    after, carried = last, torch.zeros_like(last)
    for t in reversed(range(len(reward))):
        goes_on = (~over[t]).float()
        worth = reward[t] - GAMMA * after * goes_on
        here = torch.where(mine[t], value[t], worth)
        kept = torch.where(mine[t], LAMBDA, 1.0)
        carried = worth - here - GAMMA * kept * carried * goes_on
        gain[t], after = carried, here
    return gain


def playing(network: Network) -> Player:
    """Play the network's moves, without any search."""

    def choose(seen: Seen) -> Actions:
        with torch.inference_mode():
            chances, _ = network(*map(torch.from_numpy, seen.values()))
            actions: Actions = torch.multinomial((SHARP * chances).exp(), 1)[:, 0].numpy()
        return actions

    return lambda _: choose


def main(arguments: list[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=9, help="of the processor")
    parser.add_argument("--rounds", type=int, default=10**9, help="stop after these, if sooner")
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--steps", type=int, default=16)
    parser.add_argument("--meet", type=int, default=200, help="games against each at the end")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save", help="a file for the network")
    wanted = parser.parse_args(arguments)
    torch.set_num_threads(wanted.threads)
    learner = Learner(wanted.games, wanted.steps)
    scores: dict[str, float] = {}
    learned, shown = 0.0, 0.0

    def show(games: int) -> None:
        nonlocal scores
        scores = {n: meet(playing(learner.network), n, games) for n in ("random", "greedy")}
        points = "  ".join(f"{name} {score:.2f}" for name, score in scores.items())
        print(f"{learned / 60:5.1f} min {learner.plies:>9,} plies  {points}", flush=True)
        if wanted.save:
            torch.save(learner.network.state_dict(), wanted.save)

    with suppress(KeyboardInterrupt):  # Ctrl-C ends the learning, not the program
        for _ in range(wanted.rounds):
            if learned > 60 * wanted.minutes:
                break
            if learned - shown > 60:
                shown = learned
                show(wanted.meet // 4)
            began = time.process_time()
            learner.settle(1 - learned / (60 * wanted.minutes))
            learner.learn(learner.play())
            learned += time.process_time() - began
    show(wanted.meet)
    return scores


if __name__ == "__main__":
    main()
