"""Tree search with a network of the caller's."""

import random

import numpy as np
import pytest

from sumito import Mode, Move, Rules
from sumito.env import Batch
from sumito.env.options import Options
from sumito.env.table import Table
from sumito.errors import LabError
from sumito.lab.mcts import Mcts, sample

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
    search = Mcts(games, even(games.sides), simulations=60, leaves=7, seed=3)
    for _ in range(3):
        visits = search.run()
        assert (visits.sum(axis=1) == 60).all()
        legal = games.step(sample(visits, 1.0, np.random.default_rng(1)))[0]["action_mask"]
        assert legal.any(axis=1).all()
        assert not search.run()[legal == 0].any()


@pytest.mark.parametrize("mode", MODES)
def test_the_network_sees_what_the_players_of_the_leaves_would(mode):
    """Each leaf is found again by playing from the root in Python, to depth two."""
    rules = Rules(repetition=3)
    games = begun(1, mode, rules=rules, ply_limit=9, history=3)
    table = Table(Options.of(mode, rules=rules, ply_limit=9, history=3))
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
        after = Table(table.options)
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

    Mcts(games, network, simulations=len(moves), leaves=4, noise=0.0, caution=-0.0).run()
    assert found > len(moves) / 2


def test_a_win_in_one_is_found_without_any_knowledge():
    games = begun(3, captured=(5, 5), layout="belgian-daisy", ply_limit=400)
    dice = random.Random(4)
    search = Mcts(games, even(2), simulations=400, leaves=16, noise=0.0)
    for _ in range(400):
        for game in range(3):
            here = games.board(game)
            ejecting = [m.index for m in here.legal_moves if here.effect(m).ejected is not None]
            if ejecting:
                visits = search.run()
                assert visits[game].argmax() in ejecting
                assert search.values[game] > 0.5
                return
        games.step([dice.choice(list(games.board(g).legal_moves)).index for g in range(3)])
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
        return logits, np.full(len(masks), -1.0)  # whoever is to move stands badly

    search = Mcts(games, optimist, simulations=20, noise=0.0, leaves=1)
    visits = search.run()
    assert visits[0, back] >= 10  # always a draw, so worth as much as its prior says
    assert -0.1 < search.values[0] <= 1


def test_noise_and_seed_decide_and_nothing_else_does():
    games = begun(4)
    first, again, other = (
        Mcts(games, even(2), simulations=50, seed=seed).run().copy() for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).any()


def test_games_that_are_over_have_no_visits():
    games = begun(2, ply_limit=1, autoreset="disabled")
    games.step(games.random_actions())
    assert not Mcts(games, even(2)).run().any()


def test_actions_are_drawn_by_visits():
    visits = np.zeros((2000, 1272), np.int32)
    visits[:, 3], visits[:, 7] = 30, 10
    random = np.random.default_rng(1)
    assert (sample(visits, 0, random) == 3).all()
    drawn = sample(visits, 1.0, random)
    assert set(drawn) == {3, 7}
    assert 1400 < (drawn == 3).sum() < 1600


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"simulations": 0}, "simulations is a whole number from 1"),
        ({"leaves": 2.5}, "leaves is a whole number"),
        ({"noise": 1.5}, "noise is a number from 0 to 1.0"),
        ({"dirichlet": 0}, "dirichlet is above 0"),
        ({"exploration": float("nan")}, "exploration is a number"),
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
