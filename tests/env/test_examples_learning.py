"""The examples of learning work, as small as they go. They need PyTorch, which no extra brings."""

import importlib.util
import sys
import warnings
from pathlib import Path

import pytest

from support.optional_parts import REASONS

pytest.importorskip("gymnasium", reason=REASONS["env"])

import numpy as np

from sumito import MOVES, SYMMETRIES
from sumito.env import Batch, augment

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def torch():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch = pytest.importorskip("torch", reason=REASONS["torch"])
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


def material(seen, masks):
    """All moves alike; a position is worth the marbles that the mover has ejected more."""
    return np.zeros(masks.shape), (seen[:, 2, 0, 0].astype(float) - seen[:, 3, 0, 0]) / 6


def where_marbles_hang(seed):
    """Games in which random moves were played, and which of them show an ejection."""
    games = Batch(256, layout="belgian-daisy")
    seen, _ = games.reset(seed=seed)
    for _ in range(60):
        seen, *_ = games.step(games.random_actions())
    return games, seen


def ejecting(games, game):
    board = games.board(int(game))
    return [move.index for move in board.legal_moves if board.effect(move).ejected is not None]


def test_the_network_is_shown_where_marbles_can_be_ejected(ppo, torch):
    games, seen = where_marbles_hang(seed=2)
    planes = torch.from_numpy(seen["observation"])
    shown = ppo.ejections(planes[:, 0], planes[:, 1], planes[:1, 6])
    found = 0
    for game in range(0, 256, 4):
        places = {(int(row), int(digit), int(look)) for look, row, digit in shown[game].nonzero()}
        moves = [MOVES[index] for index in ejecting(games, game)]
        found += len(moves)
        assert places == {(m.first.row, m.first.digit - 1, int(m.direction)) for m in moves}
    assert found > 10


def test_what_the_search_finds_the_network_learns_to_play(alphazero):
    """The search is told what marbles are worth; the network, which isn't, comes to eject them."""
    learner = alphazero.Learner()
    games, seen = where_marbles_hang(seed=3)
    policy = alphazero.Mcts(
        games, material, simulations=128, max_considered=128, gumbel_scale=0.0
    ).run()
    for game in range(256):
        planes, mask = seen["observation"][game].copy(), seen["action_mask"][game].copy()
        learner.memory.append(alphazero.Sample(planes, mask, policy[game], mover=0, value=0.0))
    new, seen = where_marbles_hang(seed=4)

    def taken():
        chances, _ = alphazero.judge(learner.network)(seen["observation"], seen["action_mask"])
        hanging = [(game, moves) for game in range(256) if (moves := ejecting(new, game))]
        return np.mean([np.exp(chances[game, moves]).sum() for game, moves in hanging])

    assert taken() < 0.1
    losses = [learner.learn(size=64) for _ in range(80)]
    assert np.mean(losses[-10:]) < np.mean(losses[:10])
    assert taken() > 0.3


def test_alphazero_plays_remembers_and_meets_its_opponents(alphazero):
    learner = alphazero.Learner()
    table = alphazero.SelfPlay(learner, games=4, simulations=6)
    while not learner.finished:
        table.play()
    one = learner.memory[0]
    assert one.policy.sum() == pytest.approx(1)
    assert not one.policy[one.mask == 0].any()
    assert all(-1 <= sample.value <= 1 for sample in learner.memory)
    player = alphazero.searching(learner.network, simulations=2)
    assert 0 <= alphazero.meet(player, "random", games=2) <= 1


def test_a_search_that_knows_what_marbles_are_worth_beats_random(alphazero):
    arena = example("arena")

    def counting(batch):
        search = alphazero.Mcts(
            batch, material, simulations=64, max_considered=64, gumbel_scale=0.0
        )

        def choose(_):
            search.run()
            return search.actions

        return choose

    assert arena.meet(counting, "random", games=8) > 0.9


def test_alphazero_learns_in_threads(alphazero, monkeypatch):
    monkeypatch.setattr(alphazero, "OPPONENTS", ("random",))
    scores = alphazero.main(
        ["--minutes", "0.02", "--games", "4", "--simulations", "4", "--meet", "2", "--threads", "2"]
    )
    assert set(scores) == {"random"}
