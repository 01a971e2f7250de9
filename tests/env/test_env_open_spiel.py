"""The adapter for OpenSpiel, where OpenSpiel is installed."""

import random

import pytest

from support.optional_parts import REASONS

pytest.importorskip("gymnasium", reason=REASONS["env"])
pytest.importorskip("pyspiel", reason=REASONS["openspiel"])

import numpy as np
import pyspiel

from sumito.env import open_spiel as adapter


@pytest.mark.parametrize("mode", ["two", "three", "teams", "teams-double"])
def test_random_games_are_played_by_the_rules(mode):
    game = pyspiel.load_game("python_abalone", {"mode": mode, "ply_limit": 60})
    state, rng = game.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        board = state.table.board
        assert state.current_player() == board.turn
        assert state.legal_actions() == sorted(move.index for move in board.legal_moves)
        copy = state.clone()
        assert str(copy) == str(state)
        state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 0
    assert len(state.history()) <= 60


def test_observations_are_the_planes():
    game = pyspiel.load_game("python_abalone")
    state = game.new_initial_state()
    observer = game.make_py_observer()
    observer.set_from(state, 1)
    expected = state.table.observation(adapter.Colour.WHITE)["observation"]
    assert (observer.dict["observation"] == expected).all()
    assert np.asarray(observer.tensor).shape == (567,)
    assert state.action_to_string(state.current_player(), 1) == "a1b2"
