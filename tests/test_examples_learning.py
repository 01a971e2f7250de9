"""The examples of learning work, as small as they go. They need PyTorch, which no extra brings."""

import importlib.util
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

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


def example(name):
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def test_every_move_has_a_logit_of_its_own(torch):
    places = example("ppo").head_of_moves()
    assert len(set(places.tolist())) == 1272
    assert 0 <= int(places.min()) <= int(places.max()) < 30 * 81


def test_what_is_gained_is_lost_by_the_other(torch):
    """One reward at the second ply: the player of the first ply, the opponent, loses by it."""
    reward = torch.tensor([[0.0], [1.0], [0.0]])
    value, over = torch.zeros(3, 1), torch.tensor([[False], [True], [False]])
    gain = example("ppo").advantages(reward, value, torch.zeros(1), over)
    assert gain[1, 0] == 1
    assert gain[0, 0] == pytest.approx(-0.97 * 0.9)
    assert gain[2, 0] == 0


def test_the_standing_of_one_is_the_others_with_its_sign_changed(torch):
    seen = torch.zeros(1, 7, 9, 9, dtype=torch.uint8)
    seen[0, 0, 4, 4], seen[0, 1, 0, 0], seen[0, 1, 3, 3] = 1, 1, 1  # e5 against a1 and d4
    ppo = example("ppo")
    assert float(ppo.standing(seen)) == 4 - 3 == -float(ppo.standing(seen[:, [1, 0]]))


def test_ppo_plays_learns_and_meets_opponents(torch):
    ppo = example("ppo")
    learner = ppo.Learner(games=6, steps=4)
    before = [weights.clone() for weights in learner.network.parameters()]
    made = learner.play()
    assert made["mask"].gather(2, made["action"][..., None]).all()
    learner.learn(made, size=12)
    after = list(learner.network.parameters())
    assert any((old != new).any() for old, new in zip(before, after, strict=True))
    scores = ppo.main(["--rounds", "1", "--games", "4", "--steps", "2", "--meet", "2"])
    assert set(scores) == {"random", "greedy"}
    assert all(0 <= points <= 1 for points in scores.values())


def test_alphazero_plays_learns_and_meets_opponents(torch):
    alphazero = example("alphazero")
    learner = alphazero.Learner(games=3, simulations=6)
    seen = learner.seen["observation"].copy()
    learner.play()
    assert not (seen == learner.seen["observation"]).all()
    (_, mask, policy, _) = learner.open[0][0]
    assert policy.sum() == pytest.approx(1)
    assert not policy[mask == 0].any()
    learner.memory.extend((one[0], np.float32(1.0)) for one in learner.open)
    before = next(learner.network.parameters()).clone()
    learner.learn(size=3)
    assert (before != next(learner.network.parameters())).any()
    assert 0 <= alphazero.meet(learner.network, "random", games=2, simulations=2) <= 1
