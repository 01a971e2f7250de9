"""The examples of learning work, as small as they go. They need PyTorch, which no extra brings."""

import importlib.util
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from sumito import MOVES, SYMMETRIES
from sumito.env import Batch, augment

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(scope="module")
def torch():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch = pytest.importorskip(
            "torch", reason="the learning examples need PyTorch: pip install torch==2.13.0"
        )
    torch.set_num_threads(1)
    return torch


@pytest.fixture
def ppo(torch):
    return example("ppo")


@pytest.fixture
def alphazero(torch):
    return example("alphazero")


def example(name):
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def test_every_move_has_a_logit_of_its_own(ppo):
    places = ppo.head_of_moves()
    assert len(set(places.tolist())) == 1272
    assert 0 <= int(places.min()) <= int(places.max()) < 30 * 81


def test_the_network_says_the_same_of_a_board_that_is_turned(ppo, torch):
    torch.manual_seed(1)
    network, games = ppo.Network(), Batch(4)
    seen, _ = games.reset(seed=1)
    for _ in range(20):
        seen, *_ = games.step(games.random_actions())
    planes, masks = seen.values()
    with torch.no_grad():
        chances, value = network(torch.from_numpy(planes), torch.from_numpy(masks))
        for turn in SYMMETRIES[:6]:
            turned = augment.planes(planes, turn), augment.masks(masks, turn)
            again = network(*map(torch.from_numpy, turned))
            assert np.allclose(again[0], augment.masks(chances.numpy(), turn), atol=1e-4)
            assert np.allclose(again[1], value, atol=1e-4)


def test_what_is_gained_is_lost_by_the_other(ppo, torch):
    """One reward at the second ply: the player of the first ply, the opponent, loses by it."""
    reward = torch.tensor([[0.0], [1.0], [0.0]])
    value, over = torch.zeros(3, 1), torch.tensor([[False], [True], [False]])
    mine = torch.ones(3, 1, dtype=torch.bool)
    gain = ppo.advantages(reward, value, torch.zeros(1), over, mine)
    assert gain[1, 0] == 1
    assert gain[0, 0] == pytest.approx(-ppo.GAMMA * ppo.LAMBDA)
    assert gain[2, 0] == 0


def test_what_an_opponent_takes_counts_in_full_whatever_the_network_thought_of_it(ppo, torch):
    reward = torch.tensor([[0.0], [1.0]])
    value, over = torch.tensor([[0.0], [0.5]]), torch.tensor([[False], [True]])
    mine = torch.tensor([[True], [False]])
    gain = ppo.advantages(reward, value, torch.zeros(1), over, mine)
    assert gain[0, 0] == pytest.approx(-ppo.GAMMA)


def test_the_standing_of_one_is_the_others_with_its_sign_changed(ppo, torch):
    seen = torch.zeros(1, 7, 9, 9, dtype=torch.uint8)
    seen[0, 0, 4, 4], seen[0, 1, 0, 0], seen[0, 1, 3, 3] = 1, 1, 1  # e5 against a1 and d4
    seen[0, 0, 4, 5] = 1  # and f6 beside it
    seen[0, 2] = 1
    others = seen[:, [1, 0, 3, 2, 4, 5, 6]]
    worth = ppo.EJECTION + ppo.CENTRE * (4 + 3 - 3) + ppo.PAIR
    assert float(ppo.standing(seen)) == pytest.approx(worth)
    assert float(ppo.standing(others)) == pytest.approx(-worth)


def test_ppo_does_more_often_what_is_rewarded(ppo, torch):
    """Side-steps are rewarded here, and nothing else; soon it makes hardly any other moves."""
    learner = ppo.Learner(games=20, steps=8, rate=1e-2)
    is_wanted = torch.tensor([move.is_side_step for move in MOVES]).float()
    often = []
    for _ in range(12):
        made = learner.play()
        assert made["mask"].gather(2, made["action"][..., None]).all()
        made["gain"] = is_wanted[made["action"]]
        often.append(float(made["gain"][made["mine"]].mean()))
        learner.learn(made, size=64)
    assert np.mean(often[-3:]) > np.mean(often[:3]) + 0.2


def test_ppo_meets_its_opponents(ppo):
    scores = ppo.main(["--rounds", "1", "--games", "10", "--steps", "2", "--meet", "2"])
    assert set(scores) == {"random", "greedy"}
    assert all(0 <= points <= 1 for points in scores.values())


def test_greedy_beats_random_in_the_arena(torch):
    arena = example("arena")

    def greedy(batch):
        player = arena.Opponent("greedy")
        return lambda _: arena.replies(batch, player, np.ones(batch.num_envs, bool), seed=1)

    assert arena.meet(greedy, "random", games=4) > 0.6


def test_alphazero_searches_remembers_and_foretells_better(alphazero):
    learner = alphazero.Learner(games=4, simulations=6)
    for _ in range(12):
        learner.play()
    one = learner.open[0][0]
    assert one.visits.sum() == pytest.approx(1)
    assert not one.visits[one.mask == 0].any()
    for moves in learner.open:
        learner.memory.extend(moves)
    losses = [learner.learn(size=16) for _ in range(40)]
    assert np.mean(losses[-8:]) < np.mean(losses[:8])
    player = alphazero.searching(learner.network, simulations=2)
    assert 0 <= alphazero.meet(player, "random", games=2) <= 1
