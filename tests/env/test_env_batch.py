"""Many games at once are the same games as one at a time."""

import copy
import pickle
import threading

import pytest

from support.optional_parts import REASONS

pytest.importorskip("gymnasium", reason=REASONS["env"])

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from sumito import Mode, Move, Rules, kernel
from sumito.env import Batch, planes
from sumito.env.options import EnvConfig
from sumito.env.table import GameCore
from sumito.errors import EnvError, SumitoError

MODES = tuple(Mode)
TIGHT = Rules(win_at=2, repetition=2, ply_limit=150, stuck="loses")
ROUNDABOUT = Rules(repetition=3, stuck="passes", partner_sidestep="none")


class Twins:
    """A batch and the same games by the rules of Python, compared after every step."""

    def __init__(self, n, autoreset=AutoresetMode.SAME_STEP, threads=1, plain=False, **options):
        self.batch = Batch(n, autoreset=autoreset, threads=threads, **options)
        if plain:
            self.batch.disable_simd()
        self.tables = [GameCore(EnvConfig.of(**options)) for _ in range(n)]
        self.autoreset = autoreset
        self.ended = 0
        self.seen, self.info = self.batch.reset(seed=3)
        self.compare_sights()

    def compare_sights(self):
        for game, table in enumerate(self.tables):
            colour = table.board.turn
            expected = table.observation(colour)
            assert self.info["to_move"][game] == colour
            assert tuple(self.info["captured"][game]) == table.board.captured
            for what, array in expected.items():
                assert (self.seen[what][game] == array).all(), (game, what)

    def step(self, actions):
        over = [table.is_terminated or table.is_truncated for table in self.tables]
        result = self.batch.step(actions)
        self.seen, rewards, terminations, truncations, self.info = result
        for game, (table, action) in enumerate(zip(self.tables, actions, strict=True)):
            mover = table.board.turn
            if over[game]:
                table.reset()
            else:
                table.play(int(action))
            expected = {colour: np.float32(x) for colour, x in table.rewards().items()}
            assert dict(enumerate(self.info["rewards"][game])) == expected
            assert rewards[game] == (0 if over[game] else expected[mover])
            assert terminations[game] == table.is_terminated
            assert truncations[game] == table.is_truncated
            if table.is_terminated or table.is_truncated:
                self.ended += 1
                if self.autoreset is AutoresetMode.SAME_STEP:
                    self.compare_final(game, table)
                    table.reset()
        self.compare_sights()

    def compare_final(self, game, table):
        assert self.info["_final_obs"][game]
        final = table.observation(table.board.turn)
        for what, array in final.items():
            assert (self.info["final_obs"][game][what] == array).all()


class OneGame(gymnasium.Env):
    """A game by the rules of Python whose seats are all played by the caller, as in a batch."""

    def __init__(self, **options):
        self.table = GameCore(EnvConfig.of(**options))
        mode, history = self.table.options.mode, self.table.options.history
        self.observation_space = planes.observation_space(mode, history)
        self.action_space = spaces.Discrete(planes.ACTIONS)

    def view(self):
        board = self.table.board
        info = {"to_move": np.uint8(board.turn), "captured": np.array(board.captured, np.uint8)}
        return self.table.observation(board.turn), info

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.table.reset()
        return self.view()

    def step(self, action):
        mover = self.table.board.turn
        self.table.play(action)
        observation, info = self.view()
        rewards = self.table.rewards()
        info["rewards"] = np.array([rewards[colour] for colour in sorted(rewards)], np.float32)
        over = self.table.is_terminated, self.table.is_truncated
        return observation, rewards[mover], *over, info


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("autoreset", AutoresetMode)
def test_a_batch_answers_as_gymnasiums_own_vector_environment(mode, autoreset):
    n = 6
    options = {"mode": mode, "rules": Rules(win_at=1, repetition=2), "ply_limit": 60, "history": 2}
    batch = Batch(n, autoreset=autoreset, copy=True, **options)
    sync = SyncVectorEnv([lambda: OneGame(**options)] * n, autoreset_mode=autoreset)
    ours, theirs = batch.reset(seed=1), sync.reset(seed=1)
    ended = {"terminated": 0, "truncated": 0}
    for _ in range(200):
        compare_observations(ours[0], theirs[0])
        compare_infos(ours[-1], theirs[-1])
        if len(ours) > 2:
            for mine, its in zip(ours[1:4], theirs[1:4], strict=True):
                assert (mine == its).all()
            ended["terminated"] += ours[2].sum()
            ended["truncated"] += ours[3].sum()
            over = ours[2] | ours[3]
            if autoreset is AutoresetMode.DISABLED and over.any():
                ours = batch.reset(options={"reset_mask": over})
                theirs = sync.reset(options={"reset_mask": over})
                compare_observations(ours[0], theirs[0])
        actions = batch.random_actions()
        ours, theirs = batch.step(actions), sync.step(actions)
    assert all(ended.values())


def compare_observations(ours, theirs):
    for what, array in theirs.items():
        assert ours[what].dtype == array.dtype
        assert (ours[what] == array).all(), what


def compare_infos(ours, theirs):
    for what in ("rewards", "to_move", "captured"):
        if what in theirs:
            present = theirs[f"_{what}"]
            assert (ours[what][present] == theirs[what][present]).all(), what
    assert ("final_obs" in ours) == ("final_obs" in theirs)
    if "final_obs" not in theirs:
        return
    assert (ours["_final_obs"] == theirs["_final_obs"]).all()
    assert (ours["_final_info"] == theirs["_final_info"]).all()
    assert ours["final_obs"].dtype == theirs["final_obs"].dtype == object
    for mine, its in zip(ours["final_obs"], theirs["final_obs"], strict=True):
        assert (mine is None) == (its is None)
        if its is not None:
            compare_observations(mine, its)
    assert ours["final_info"].keys() == theirs["final_info"].keys()
    compare_observations(ours["final_info"], theirs["final_info"])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("autoreset", AutoresetMode)
def test_a_pickled_batch_goes_on_as_the_original(mode, autoreset):
    batch = Batch(5, mode, rules=TIGHT, ply_limit=40, history=3, threads=2, autoreset=autoreset)
    batch.reset(seed=7)
    for _ in range(39):
        batch.step(batch.random_actions())
    for twin in (pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):
        original = pickle.loads(pickle.dumps(batch))
        for _ in range(1 if autoreset is AutoresetMode.DISABLED else 60):
            actions = original.random_actions()
            assert (twin.random_actions() == actions).all()
            (seen, *rest, info), (its_seen, *its_rest, its_info) = (
                original.step(actions),
                twin.step(actions),
            )
            compare_observations(seen, its_seen)
            assert all((one == other).all() for one, other in zip(rest, its_rest, strict=True))
            assert info.keys() == its_info.keys()
            compare_infos(its_info, {**info, **{f"_{name}": slice(None) for name in batch._info}})


def test_a_batch_that_has_not_begun_can_be_pickled_too():
    twin = pickle.loads(pickle.dumps(Batch(2)))
    with pytest.raises(EnvError, match="call reset"):
        twin.random_actions()
    twin.reset()


def test_the_kernel_takes_the_state_of_a_like_batch_only():
    batch, other = Batch(2), Batch(3)
    batch.reset()
    other.reset()
    state = batch.kernel.state()
    for nonsense in (b"", state[:-1], state + b"?", other.kernel.state()):
        with pytest.raises(ValueError, match="not of a batch with these options"):
            batch.kernel.restore(nonsense)
    assert batch.kernel.state() == state


def test_arrays_of_another_type_are_refused_instead_of_copied():
    batch = Batch(2)
    batch.reset()
    for wrong in (np.zeros(2, np.int32), np.zeros(2), np.zeros((2, 2), np.int64)[:, 0]):
        with pytest.raises(TypeError):
            batch.kernel.sample_actions(1, wrong)
        with pytest.raises(TypeError):
            batch.kernel.step(wrong)
    with pytest.raises(TypeError):
        batch.kernel.reset(np.ones(2, np.uint8))
    trees = kernel.Mcts(
        batch.kernel, simulations=1, max_considered=1, c_scale=0, gumbel_scale=0, seed=0
    )
    with pytest.raises(TypeError):
        trees.visits(np.zeros((2, planes.ACTIONS), np.int64))


def test_copies_are_the_callers_own():
    batch = Batch(3, ply_limit=2, copy=True)
    results = [batch.reset(seed=1)]
    results += [batch.step(batch.random_actions()) for _ in range(5)]
    frozen = pickle.loads(pickle.dumps(results))
    for _ in range(4):
        batch.step(batch.random_actions())
    for (seen, *_, info), (its_seen, *_, its_info) in zip(results, frozen, strict=True):
        compare_observations(seen, its_seen)
        assert (info["to_move"] == its_info["to_move"]).all()
    assert sum("final_obs" in result[-1] for result in results) == 2
    for result, its in zip(results, frozen, strict=True):
        if "final_obs" in result[-1]:
            compare_observations(result[-1]["final_obs"][0], its[-1]["final_obs"][0])


def test_a_game_that_was_cut_off_still_shows_its_moves():
    for autoreset in AutoresetMode:
        batch = Batch(2, ply_limit=1, autoreset=autoreset)
        batch.reset(seed=1)
        seen, *_, truncations, info = batch.step(batch.random_actions())
        last = info["final_obs"][0] if "final_obs" in info else {k: v[0] for k, v in seen.items()}
        assert truncations.all()
        assert last["action_mask"].sum() > 30


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("rules", [TIGHT, ROUNDABOUT])
def test_a_batch_plays_the_same_games_as_one_at_a_time(mode, plain, rules):
    twins = Twins(3, mode=mode, rules=rules, ply_limit=120, history=3, plain=plain)
    for _ in range(160):
        twins.step(twins.batch.random_actions())
    assert twins.ended >= 3


@pytest.mark.parametrize("autoreset", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_games_begin_anew_as_gymnasium_has_it(autoreset):
    twins = Twins(5, autoreset, threads=3, ply_limit=3, captured=(2, 1), layout="the-wall")
    assert twins.batch.metadata["autoreset_mode"] is autoreset
    for _ in range(9):
        twins.step(twins.batch.random_actions())
    assert twins.ended == 5 * (2 if autoreset is AutoresetMode.NEXT_STEP else 3)


def test_without_autoreset_one_resets_by_a_mask():
    batch = Batch(3, ply_limit=1, autoreset="disabled")
    batch.reset()
    a1b2 = Move.parse("a1b2").index
    *_, truncations, _ = batch.step([a1b2] * 3)
    assert truncations.all()
    with pytest.raises(EnvError, match="game 0, action 1: it is over: reset it first"):
        batch.step([a1b2] * 3)
    seen, _ = batch.reset(options={"reset_mask": np.array([True, False, True])})
    assert [batch.board(game).ply for game in range(3)] == [1, 2, 1]
    assert seen["action_mask"].any(axis=1).all()
    for nonsense in ([True], [1, 0, 1], np.ones((3, 1), bool)):
        with pytest.raises(EnvError, match="a True or False for each of 3"):
            batch.reset(options={"reset_mask": nonsense})


def test_repetitions_are_counted_since_the_last_ejection():
    twins = Twins(2, rules=Rules(repetition=3))
    for _ in range(2):
        for name in ["a1b2", "i9h8", "d4c3", "f6g7"]:
            twins.step([Move.parse(name).index] * 2)
    assert twins.ended == 2


def test_an_illegal_action_names_game_and_rule_and_nothing_is_lost():
    batch = Batch(4)
    batch.reset()
    good, bad = Move.parse("a1b2").index, Move.parse("e5f5").index
    before = {what: array.copy() for what, array in batch.reset()[0].items()}
    with pytest.raises(EnvError, match=f"game 2, action {bad}: e5f5: there is no marble on e5"):
        batch.step([good, good, bad, bad])
    for nonsense in (-1, 1272, 2**40):
        with pytest.raises(EnvError, match=r"game 1, action .*numbered from 0 to 1271"):
            batch.step([good, nonsense, good, good])
    for nonsense in ([good] * 3, [[good] * 4], [0.5] * 4, ["a1b2"] * 4, None, good):
        with pytest.raises(EnvError, match="4 whole numbers"):
            batch.step(nonsense)
    seen, rewards, *_ = batch.step(np.array([good] * 4, np.uint16))
    assert not (seen["observation"] == before["observation"]).all()
    assert batch.board(3).ply == 2
    assert not rewards.any()


def test_the_arrays_are_the_same_ones_every_time_and_shared_by_dlpack():
    batch = Batch(8)
    seen, _ = batch.reset(seed=1)
    shared = np.from_dlpack(seen["action_mask"])
    again, *_ = batch.step(batch.random_actions())
    assert again["observation"] is seen["observation"]
    assert np.shares_memory(shared, again["action_mask"])
    assert (shared == again["action_mask"]).all()
    assert batch.observation_space.contains(again)


def test_random_actions_are_legal_repeatable_and_of_every_kind():
    batch, twin = Batch(500, "teams"), Batch(500, "teams", threads=4)
    seen, _ = batch.reset(seed=5)
    twin.reset(seed=5)
    actions = batch.random_actions()
    assert (actions == twin.random_actions()).all()
    assert seen["action_mask"][np.arange(500), actions].all()
    assert set(actions.tolist()) == set(np.flatnonzero(seen["action_mask"][0]).tolist())


def test_two_threads_may_step_the_same_games():
    batch = Batch(16, ply_limit=30, threads=2)
    batch.reset(seed=1)
    lock = threading.Lock()

    def run():
        for _ in range(50):
            with lock:
                actions = batch.random_actions()
                batch.step(actions)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(1 <= batch.board(game).ply <= 31 for game in range(16))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number from 1"),
        ({"num_envs": -3}, "num_envs"),
        ({"num_envs": 2.5}, "num_envs"),
        ({"num_envs": 2**60}, "num_envs"),
        ({"num_envs": 2**24, "history": 16}, "games need .* MB of memory"),
        ({"threads": 0}, "threads must be a whole number from 1 to 256"),
        ({"autoreset": "never"}, "autoreset is one of same-step, next-step, disabled"),
        ({"history": 17}, "history"),
        ({"mode": "chess"}, "not a mode"),
    ],
)
def test_a_batch_that_makes_no_sense_is_refused_in_words(arguments, words):
    with pytest.raises(SumitoError, match=words):
        Batch(**({"num_envs": 2} | arguments))


def test_a_batch_must_be_reset_first():
    batch = Batch(2)
    for call in (lambda: batch.step([0, 0]), batch.random_actions, lambda: batch.board(0)):
        with pytest.raises(EnvError, match="call reset"):
            call()


def test_gymnasium_makes_batches():
    games = gymnasium.make_vec("sumito/AbaloneBatch-v0", num_envs=3, mode="three")
    seen, _info = games.reset(seed=1)
    assert seen["observation"].shape == (3, 9, 9, 9)
    games.close()
