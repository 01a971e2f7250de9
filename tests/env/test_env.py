"""The environments of Python: PettingZoo's own tests, random games, symmetries, Gymnasium."""

import inspect
import pickle
import random
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from support.optional_parts import REASONS

pytest.importorskip("gymnasium", reason=REASONS["env"])

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import sumito
from sumito import SYMMETRIES, Board, Colour, Mode, Move, Rules, Symmetry
from sumito.env import Batch, ShapedRewards, abalone_v0, augment, planes
from sumito.env.options import EnvConfig
from sumito.env.single import AbaloneEnv
from sumito.errors import EnvError, IllegalMoveError, InvalidMoveError, SumitoError

MODES = tuple(Mode)


def legal(observation):
    return np.flatnonzero(observation["action_mask"])


def play(env, moves):
    for name in moves.split():
        env.step(Move.parse(name).index)


@pytest.mark.parametrize("mode", MODES)
def test_it_is_an_environment_by_pettingzoos_own_tests(mode, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a uint8 box from 0 to 255 is taken for a picture
        api_test(abalone_v0.env(mode, ply_limit=60, history=2), num_cycles=130)
        seed_test(lambda: abalone_v0.env(mode, ply_limit=60), num_cycles=70)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_go_by_the_rules(mode, seed):
    """A board beside the environment is played the same moves; both must tell the same story."""
    rules = Rules(win_at=1 + seed, repetition=3, ply_limit=250)
    env = abalone_v0.env(mode, rules=rules)
    env.reset()
    board, rng = Board(mode=mode, rules=rules), random.Random(seed)
    for agent in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        assert not cut
        if over:
            assert not seen["action_mask"].any()
            env.step(None)
            continue
        assert agent == str(board.turn)
        assert legal(seen).tolist() == sorted(move.index for move in board.legal_moves)
        own = seen["observation"][0]
        assert {(cell.row, cell.digit - 1) for cell in board.marbles(board.turn)} == set(
            zip(*np.nonzero(own), strict=True)
        )
        move = rng.choice(list(board.legal_moves))
        board.push(move)
        env.step(move.index)
        rewards = dict(env.rewards)
        assert sum(rewards.values()) == 0
    outcome = board.outcome()
    assert outcome is not None
    for colour in board.mode.colours:
        share = 0.0 if outcome.winner is None else -1 / (len(board.mode.sides) - 1)
        if board.mode.side(colour) is outcome.winner:
            share = 1.0
        assert rewards[str(colour)] == share


def test_planes_show_the_board_from_the_movers_side():
    env = abalone_v0.raw_env(history=2, ply_limit=100)
    env.reset()
    play(env, "a1b2 i9h8")
    seen = env.observe("black")["observation"]
    assert seen.shape == (planes.planes_of(Mode.TWO, 2), 9, 9) == (9, 9, 9)
    black, white, black_before, white_before = seen[:4]
    assert black[3, 3]
    assert not black[0, 0]  # a1 went to d4
    assert white[5, 5]
    assert (black_before == black).all()
    assert white_before[8, 8]
    assert not white_before[5, 5]
    assert (seen[4:7] == 0).all()  # nobody ejected, nothing repeated
    assert (seen[7] == 98).all()
    assert seen[8].sum() == 61
    other = env.observe("white")["observation"]
    assert (other[:2] == seen[1::-1]).all()
    assert not env.observe("white")["action_mask"].any()


def test_partners_come_after_oneself_then_opponents_by_turn():
    assert planes.colours_from(Mode.TEAMS_DOUBLE, Colour.RED) == (
        Colour.RED,
        Colour.BLACK,
        Colour.WHITE,
        Colour.BLUE,
    )
    assert planes.colours_from(Mode.THREE, Colour.WHITE) == (Colour.WHITE, Colour.RED, Colour.BLACK)
    assert planes.sides_seen_by(Mode.THREE, Colour.RED) == (2, 0, 1)


def test_repetitions_ejections_and_plies_left_are_planes():
    env = abalone_v0.raw_env(captured=(2, 3), rules=Rules(repetition=3, ply_limit=9))
    env.reset()
    play(env, "a1b2 i9h8 d4c3 f6g7 a1b2 i9h8 d4c3")
    seen = env.observe("white")["observation"]
    assert [int(plane[0, 0]) for plane in seen[2:6]] == [3, 2, 1, 2]
    play(env, "f6g7")
    assert env.terminations == {"black": True, "white": True}
    assert env.rewards == {"black": 0, "white": 0}


def test_a_game_that_is_cut_off_is_truncated_and_worth_nothing():
    env = abalone_v0.env("three", ply_limit=2)
    env.reset()
    for _ in range(2):
        env.step(int(legal(env.last()[0])[0]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0}
    mask = env.last()[0]["action_mask"]  # for learners that look ahead from where it was cut off
    assert np.flatnonzero(mask).tolist() == sorted(m.index for m in env.unwrapped.board.legal_moves)


def test_rewards_on_the_way_sum_to_nought_and_are_added_to_the_end():
    env = ShapedRewards(abalone_v0.env(ply_limit=300), ejection=0.5, centre=0.01)
    env.reset()
    play(env, "a1b2")  # a1 comes to d4: from the rim to the ring next to the centre
    assert env.rewards["black"] == pytest.approx(0.03) == -env.rewards["white"]
    rng, total = np.random.default_rng(1), 0.0
    for _ in env.agent_iter(200):
        seen, *_ = env.last()
        env.step(int(rng.choice(legal(seen))))
        assert sum(env.rewards.values()) == pytest.approx(0)
        total += env.rewards["black"]
    board = env.unwrapped.board
    assert max(board.captured) == 0 or total != 0


def test_an_illegal_action_says_why_and_leaves_the_game_as_it_was():
    env = abalone_v0.env()
    env.reset()
    before = env.unwrapped.board.copy()
    with pytest.raises(IllegalMoveError, match="e5f5: there is no marble on e5"):
        env.step(Move.parse("e5f5").index)
    for nonsense in (-1, 1272):
        with pytest.raises(InvalidMoveError, match="numbered from 0 to 1271"):
            env.step(nonsense)
    for nonsense in (None, "a1b2", 0.5):
        with pytest.raises(EnvError, match="number of a move"):
            env.step(nonsense)
    assert env.unwrapped.board == before
    env.step(np.int64(Move.parse("a1b2").index))


@pytest.mark.parametrize("illegal", ["lose", "ignore", None])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seat": "random"},
        {"mode": "three", "seat": "red"},
        {"mode": "teams"},
        {"mode": "teams-double", "history": 3},
    ],
)
def test_gymnasiums_own_check_passes(options, illegal):
    chosen = {} if illegal is None else {"illegal": illegal}
    env = gymnasium.make("sumito/Abalone-v0", opponent="random", **options, **chosen)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


def test_gymnasiums_own_check_finds_no_fault_but_the_illegal_moves_it_plays():
    env = gymnasium.make("sumito/Abalone-v0", opponent="random", illegal="error")
    with pytest.raises(IllegalMoveError):
        check_env(env.unwrapped, skip_render_check=True)
    env.close()


ILLEGAL = Move.parse("e5f5").index


@pytest.mark.parametrize(("mode", "reward"), [("two", -1), ("three", -0.5), ("teams", -1)])
def test_an_illegal_action_loses_the_game_by_default(mode, reward):
    env = gymnasium.make("sumito/Abalone-v0", opponent="random", mode=mode)
    env.reset(seed=1)
    before = env.unwrapped.board.copy()
    _, earned, terminated, truncated, info = env.step(ILLEGAL)
    assert (earned, terminated, truncated) == (reward, True, False)
    assert info["illegal"] == "e5f5: there is no marble on e5"
    assert env.unwrapped.board == before
    with pytest.raises(EnvError, match="call reset"):
        env.unwrapped.step(ILLEGAL)
    seen, info = env.reset(seed=1)
    assert info["illegal"] is None
    _, earned, terminated, _, info = env.step(int(legal(seen)[0]))
    assert (earned, terminated, info["illegal"]) == (0, False, None)
    env.close()


def test_an_illegal_action_may_be_ignored_or_an_error():
    env = gymnasium.make("sumito/Abalone-v0", opponent="random", illegal="ignore").unwrapped
    first, _ = env.reset(seed=1)
    for _ in range(2):
        seen, earned, terminated, truncated, info = env.step(ILLEGAL)
        assert (earned, terminated, truncated) == (0, False, False)
        assert "no marble on e5" in info["illegal"]
        assert np.array_equal(seen["observation"], first["observation"])
    env = gymnasium.make("sumito/Abalone-v0", illegal="error").unwrapped
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="no marble on e5"):
        env.step(ILLEGAL)
    for nonsense in (-1, 1272, None, "a1b2"):
        with pytest.raises(SumitoError):
            env.step(nonsense)
    with pytest.raises(EnvError, match="one of lose, ignore, error, not 'win'"):
        gymnasium.make("sumito/Abalone-v0", illegal="win")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mode": "five"}, "not a mode"),
        ({"layout": "belgian-dasy"}, "did you mean belgian-daisy"),
        ({"captured": (6, 0)}, "over before it begins"),
        ({"captured": (1, 2, 3)}, "captured"),
        ({"rules": "chess"}, "rulebook"),
        ({"ply_limit": 0}, "ply_limit must be a whole number from 1"),
        ({"ply_limit": True}, "ply_limit"),
        ({"history": 0}, "history must be a whole number from 1 to 16"),
        ({"history": 2.0}, "history"),
        ({"render_mode": "film"}, "render_mode is one of"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_words(options, words):
    with pytest.raises(SumitoError, match=words):
        abalone_v0.env(**options)


def test_boards_are_rendered_in_every_mode(capsys):
    made = {mode: abalone_v0.raw_env(render_mode=mode) for mode in ("ansi", "svg", "rgb_array")}
    for env in made.values():
        env.reset()
        play(env, "a1b2")
    assert "w" in made["ansi"].render()
    assert made["svg"].render().startswith("<svg ")
    pixels = made["rgb_array"].render()
    assert pixels.shape == (630, 1200, 3)
    assert len(np.unique(pixels[::9, ::9].reshape(-1, 3), axis=0)) > 5
    human = abalone_v0.env(render_mode="human")
    human.reset()
    play(human, "a1b2")
    assert "a1b2" in capsys.readouterr().out


def test_an_environment_can_be_pickled():
    env = pickle.loads(pickle.dumps(abalone_v0.raw_env("teams", history=3)))
    env.reset()
    assert env.observe("black")["observation"].shape == (17, 9, 9)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_turned_position_has_turned_planes_and_turned_actions(symmetry: Symmetry):
    board = Board("belgian-daisy")
    board.push_text("a1b2")
    turned = board.transform(symmetry)
    seen, mask = planes.plane(board.marbles_mask(Colour.BLACK)), planes.action_mask(board)
    assert (augment.planes(seen, symmetry) == planes.plane(turned.marbles_mask(Colour.BLACK))).all()
    assert (augment.masks(mask, symmetry) == planes.action_mask(turned)).all()
    carried = augment.actions(np.flatnonzero(mask), symmetry)
    assert sorted(carried.tolist()) == np.flatnonzero(planes.action_mask(turned)).tolist()
    back = augment.planes(augment.planes(seen, symmetry), symmetry.inverse)
    assert (back == seen).all()
    assert sorted(augment.cells(symmetry)) == list(range(61))


def test_symmetries_refuse_arrays_of_another_shape():
    with pytest.raises(EnvError, match="ends in"):
        augment.planes(np.zeros((3, 9, 8)), SYMMETRIES[1])
    with pytest.raises(EnvError, match="numbered"):
        augment.actions(np.array([1272]), SYMMETRIES[1])


@pytest.mark.parametrize("opponent", ["random", "newcomer"])
def test_gymnasium_plays_against_an_opponent(opponent):
    env = gymnasium.make(
        "sumito/Abalone-v0", opponent=opponent, seat="random", ply_limit=40, layout="german-daisy"
    )
    stories = []
    for _ in range(2):
        seen, info = env.reset(seed=7)
        assert env.observation_space.contains(seen)
        story = [info["seat"]]
        over = False
        while not over:
            seen, reward, ended, cut, info = env.step(int(legal(seen)[0]))
            over = ended or cut
            story.append((info["last_move"], reward))
        stories.append(story)
    assert stories[0] == stories[1]
    env.close()


def test_all_other_seats_are_the_opponents():
    env = gymnasium.make(
        "sumito/Abalone-v0", opponent="random", seat="blue", mode="teams"
    ).unwrapped
    seen, _ = env.reset(seed=1)
    assert env.board.turn is Colour.BLUE
    env.step(int(legal(seen)[0]))
    assert env.board.turn is Colour.BLUE
    assert env.board.ply == 8


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seat": "red"}, "a seat is one of black, white, random"),
        ({"opponent": "deepblue"}, "is not a player"),
        ({"opponent": "champion"}, "needs a limit"),
        ({"opponent": "cmd:./other", "rules": "rulebook"}, "needs a limit|another program"),
        ({"opponent": 3}, "an opponent is a word"),
    ],
)
def test_nonsense_about_the_opponent_is_refused(options, words):
    with pytest.raises(SumitoError, match=words):
        gymnasium.make("sumito/Abalone-v0", **options)


def test_a_game_that_ends_before_ones_turn_is_refused():
    env = gymnasium.make("sumito/Abalone-v0", opponent="random", seat="white", ply_limit=1)
    with pytest.raises(EnvError, match="before it is white's turn"):
        env.reset()


def test_without_the_extra_one_is_told_what_to_install():
    source = str(Path(sumito.__file__).parents[1])
    code = f"import sys; sys.path.insert(0, {source!r}); import sumito.env"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert "pip install 'sumito[env]'" in run.stderr


def test_all_environments_take_the_same_arguments_with_the_same_defaults():
    """They are written out in each, so that `help` and editors show them."""
    wanted = inspect.signature(EnvConfig.of).parameters
    for environment in (abalone_v0.env, abalone_v0.raw_env, AbaloneEnv, Batch):
        taken = inspect.signature(environment).parameters
        assert [name for name in taken if name in wanted] == list(wanted)
        for name, parameter in wanted.items():
            assert taken[name].default == parameter.default
            assert taken[name].annotation == parameter.annotation
