"""Tree search with a network of the caller's."""

import random
import threading

import pytest

from support.optional_parts import REASONS

pytest.importorskip("gymnasium", reason=REASONS["env"])

import numpy as np

from sumito import Mode, Move, Rules, kernel
from sumito.env import Batch
from sumito.env.mcts import Mcts, sample
from sumito.env.options import EnvConfig
from sumito.env.table import GameCore
from sumito.errors import LabError

MODES = tuple(Mode)


def even(sides):
    def network(seen, masks):
        values = np.zeros(len(masks)) if sides == 2 else np.zeros((len(masks), sides))
        return np.zeros(masks.shape), values

    return network


def begun(n, mode="two", **options):
    games = Batch(n, mode, **options)
    games.reset(seed=1)
    return games


@pytest.mark.parametrize("mode", MODES)
def test_every_simulation_looks_at_a_legal_move(mode):
    games = begun(5, mode, history=2)
    search = Mcts(games, even(games.sides), simulations=60, max_considered=7, seed=3)
    for _ in range(3):
        policy = search.run()
        assert np.allclose(policy.sum(axis=1), 1)
        assert (search.visits.sum(axis=1) == 60).all()
        legal = games.step(sample(policy, 1.0, np.random.default_rng(1)))[0]["action_mask"]
        assert legal.any(axis=1).all()
        assert not search.run()[legal == 0].any()
        assert not search.visits[legal == 0].any()
        assert legal[np.arange(5), search.actions].all()


@pytest.mark.parametrize("mode", MODES)
def test_the_network_sees_what_the_players_of_the_leaves_would(mode):
    """Each leaf is found again by playing from the root in Python, to depth two."""
    rules = Rules(repetition=3)
    games = begun(1, mode, rules=rules, ply_limit=9, history=3)
    table = GameCore(EnvConfig.of(mode, rules=rules, ply_limit=9, history=3))
    for _ in range(3):
        action = int(games.random_actions()[0])
        games.step([action])
        table.play(action)
    known = {}

    def note():
        seen = table.observation(table.board.turn)
        known[seen["observation"].tobytes()] = seen["action_mask"].tobytes()

    moves = list(table.board.legal_moves)
    note()
    for move in moves:
        after = GameCore(table.options)
        after.board, after._past = table.board.copy(), table._past.copy()
        after.play(move.index)
        seen = after.observation(after.board.turn)
        known[seen["observation"].tobytes()] = seen["action_mask"].tobytes()
    found = 0

    def network(seen, masks):
        nonlocal found
        for one, mask in zip(seen, masks, strict=True):
            found += known.get(one.tobytes()) == mask.tobytes()
        return even(games.sides)(seen, masks)

    Mcts(games, network, simulations=len(moves), max_considered=len(moves), gumbel_scale=0.0).run()
    assert found == len(moves) + 1


def test_a_win_in_one_is_found_without_any_knowledge():
    games = begun(3, captured=(5, 5), layout="belgian-daisy", ply_limit=400)
    rng = random.Random(4)
    search = Mcts(games, even(2), simulations=400, max_considered=200, gumbel_scale=0.0)
    for _ in range(400):
        for game in range(3):
            here = games.board(game)
            ejecting = [m.index for m in here.legal_moves if here.effect(m).ejected is not None]
            if ejecting:
                policy = search.run()
                assert search.actions[game] in ejecting
                assert policy[game, ejecting].sum() > 0.9
                assert search.values[game] > 0.5
                return
        games.step([rng.choice(list(games.board(g).legal_moves)).index for g in range(3)])
    pytest.fail("no ejection ever became possible")


def test_a_draw_by_repetition_is_seen_ahead():
    """The move that repeats for the third time ends the game, so nobody is asked about it."""
    games = begun(1, rules=Rules(repetition=2))
    for name in ("a1b2", "i9h8", "d4c3"):
        games.step([Move.parse(name).index])
    back = Move.parse("f6g7").index

    def optimist(seen, masks):
        logits = np.full(masks.shape, -20.0)
        logits[:, back] = 20.0
        return logits, np.full(len(masks), -1.0)  # the player to move stands badly

    search = Mcts(games, optimist, simulations=20, max_considered=1, gumbel_scale=0.0)
    search.run()
    assert search.visits[0, back] == 20
    assert abs(search.values[0]) < 0.01


def material(seen, masks):
    """All moves alike, and a position is worth the marbles that one side has ejected more."""
    mine, theirs = seen[:, 2, 0, 0].astype(float), seen[:, 3, 0, 0].astype(float)
    return np.zeros(masks.shape), (mine - theirs) / 6


@pytest.mark.parametrize("simulations", [64, 96, 200])
def test_a_marble_that_can_be_ejected_is_with_few_simulations_of_many_leaves_at_once(simulations):
    """Other moves gain nothing; all of them wait for their judgement in the same round."""
    games = begun(1, layout="belgian-daisy")
    rng, tried = random.Random(simulations), 0
    search = Mcts(games, material, simulations=simulations, max_considered=100, gumbel_scale=0.0)
    while tried < 12:
        here = games.board(0)
        legal = list(here.legal_moves)
        ejecting = [move.index for move in legal if here.effect(move).ejected is not None]
        if ejecting and len(legal) <= simulations:
            tried += 1
            search.run()
            assert search.actions[0] in ejecting
            assert search.policy[0].argmax() in ejecting
            assert search.policy[0, ejecting].sum() > 0.5
        games.step([rng.choice(legal).index])


def test_chance_draws_moves_by_what_the_network_thinks_of_them():
    games = begun(2000)
    legal = [move.index for move in games.board(0).legal_moves]

    def network(seen, masks):
        logits = np.full(masks.shape, -1e9)
        logits[:, legal[3]], logits[:, legal[7]] = np.log(0.75), np.log(0.25)
        return logits, np.zeros(len(masks))

    search = Mcts(games, network, simulations=4, max_considered=4, seed=5)
    search.run()
    assert set(search.actions.tolist()) == {legal[3], legal[7]}
    assert 1400 < (search.actions == legal[3]).sum() < 1600
    assert np.allclose(search.policy[:, legal[3]], 0.75, atol=0.01)


def test_the_simulations_are_shared_out_by_halving():
    games = begun(1)
    search = Mcts(games, even(2), simulations=32, max_considered=16, gumbel_scale=0.0)
    search.run()
    counts = np.sort(search.visits[0][search.visits[0] > 0]).tolist()
    assert counts == [1] * 8 + [2] * 4 + [4] * 4


def test_noise_and_seed_decide_and_nothing_else_does():
    games = begun(4)
    searches = [Mcts(games, even(2), simulations=50, seed=seed) for seed in (1, 1, 2)]
    for search in searches:
        search.run()
    first, again, other = searches
    assert (first.visits == again.visits).all()
    assert (first.actions == again.actions).all()
    assert (first.visits != other.visits).any()
    assert (first.actions != other.actions).any()


def test_threads_that_share_the_trees_take_turns():
    games = Batch(4)
    games.reset(seed=1)
    trees = kernel.Mcts(
        games.kernel, simulations=8, max_considered=4, c_scale=0.5, gumbel_scale=0.0, seed=1
    )
    done = []

    def run():
        seen = np.zeros((16, games.planes, 9, 9), np.uint8)
        masks = np.zeros((16, kernel.MOVES), np.int8)
        visits = np.zeros((4, kernel.MOVES), np.int32)
        for _ in range(300):
            trees.begin()
            trees.gather(seen, masks)
            trees.visits(visits)
        done.append(True)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 3


def test_games_that_are_over_have_no_chances():
    games = begun(2, ply_limit=1, autoreset="disabled")
    games.step(games.random_actions())
    assert not Mcts(games, even(2)).run().any()


def test_actions_are_drawn_by_their_chances():
    policy = np.zeros((2000, 1272), np.float32)
    policy[:, 3], policy[:, 7] = 0.75, 0.25
    random = np.random.default_rng(1)
    assert (sample(policy, 0, random) == 3).all()
    drawn = sample(policy, 1.0, random)
    assert set(drawn) == {3, 7}
    assert 1400 < (drawn == 3).sum() < 1600


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"simulations": 0}, "simulations must be a whole number from 1"),
        ({"max_considered": 2.5}, "max_considered must be a whole number"),
        ({"max_considered": 1273}, "max_considered must be a whole number from 1 to 1272"),
        ({"gumbel_scale": -1}, "gumbel_scale is a number from 0 to"),
        ({"c_scale": float("nan")}, "c_scale is a number"),
    ],
)
def test_searches_that_make_no_sense_are_refused(options, words):
    with pytest.raises(LabError, match=words):
        Mcts(begun(1), even(2), **options)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((np.zeros((1, 5)), np.zeros(1)), "logits have the shape"),
        ((np.zeros((1, 1272)), np.zeros((1, 3))), "values have the shape"),
        ((np.full((1, 1272), np.nan), np.zeros(1)), "are not numbers"),
    ],
)
def test_a_network_that_answers_nonsense_is_told_so(answer, words):
    with pytest.raises(LabError, match=words):
        Mcts(begun(1), lambda *_: answer).run()
