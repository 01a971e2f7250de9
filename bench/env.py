"""Environments beside others, in steps a second of one core.

python bench/env.py                  ours, and the others if they have been installed
python bench/env.py --yardsticks     installs the others first: large, in an environment of their own

A step is a move in one game with what a learner needs after it: observation and mask of legal actions.
All play random legal moves, which are chosen outside the time that counts. Processor time is counted,
so that other programs on the machine disturb little, and the quickest of some rounds.
"""  # noqa: E501  # a table

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pettingzoo import AECEnv

VENV = Path(__file__).parent.parent / "build" / "yardsticks"
PYTHON = VENV / "bin" / "python"
PACKAGES = ("pettingzoo[classic]==1.27.0", "open_spiel==2.0.2", "pgx==2.6.0", "jax==0.10.2")

GAMES = 1024
STEPS = 200
ROUNDS = 5
TARGET = 3e6
TIMES_PETTINGZOO = 100

Step = Callable[[], int]
"""Does some steps and says how many."""


def rate(prepare: Callable[[], Callable[[], int]], rounds: int = ROUNDS) -> float:
    """Steps a second of a core: `prepare` chooses moves, what it returns plays them."""
    best = 0.0
    for _ in range(rounds):
        spent, steps = 0.0, 0
        while spent < 0.3 and steps < GAMES * STEPS:
            play = prepare()
            start = time.process_time()
            steps += play()
            spent += time.process_time() - start
        best = max(best, steps / spent)
    return best


def one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


# Ours.


def batch_rate(mode: str, *, plain: bool = False, whole: bool = False) -> float:
    from sumito.env import Batch

    batch = Batch(GAMES, mode)
    if plain:
        batch.disable_simd()
    batch.reset(seed=1)

    def prepare() -> Step:
        actions = batch.random_actions()

        def play() -> int:
            batch.step(batch.random_actions() if whole else actions)
            return GAMES

        return play

    return rate(prepare)


def single_rate() -> float:
    from sumito.env import abalone_v0

    return pettingzoo_rate(abalone_v0.env(ply_limit=300))


def ours() -> dict[str, float]:
    return {
        f"sumito, {GAMES} games, two": batch_rate("two"),
        "  choosing the moves counted too": batch_rate("two", whole=True),
        "  without AVX-512": batch_rate("two", plain=True),
        "  three": batch_rate("three"),
        "  teams": batch_rate("teams"),
        "sumito, one game, PettingZoo": single_rate(),
    }


# The others, each in the usual way for its own kind.


def pettingzoo_rate(env: AECEnv[str, Any, Any]) -> float:
    env.reset(seed=1)

    def prepare() -> Step:
        seen, _, over, cut, _ = env.last()
        if over or cut:
            env.reset()
            seen, *_ = env.last()
        action = env.action_space(env.agent_selection).sample(seen["action_mask"])

        def play() -> int:
            env.step(action)
            env.last()
            return 1

        return play

    return rate(prepare, rounds=2)


def open_spiel_rate(name: str) -> float:
    import random

    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()

    def prepare() -> Step:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state()
        here, action = state, random.choice(state.legal_actions())

        def play() -> int:
            here.apply_action(action)
            here.legal_actions_mask()
            if not here.is_terminal():
                here.observation_tensor()
            return 1

        return play

    return rate(prepare, rounds=2)


def pgx_rate(name: str) -> float:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    choose = jax.jit(
        lambda key, mask: jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=1)
    )
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES))

    def prepare() -> Step:
        nonlocal key
        key, own = jax.random.split(key)
        actions = jax.block_until_ready(choose(own, state.legal_action_mask))
        keys = jax.random.split(own, GAMES)

        def play() -> int:
            nonlocal state
            state = jax.block_until_ready(step(state, actions, keys))
            return GAMES

        return play

    prepare()()  # compiles
    return rate(prepare, rounds=2)


def others() -> Iterator[tuple[str, float]]:
    from pettingzoo.classic import chess_v6

    yield "PettingZoo chess_v6", pettingzoo_rate(chess_v6.env())
    yield "OpenSpiel breakthrough", open_spiel_rate("breakthrough")
    yield "OpenSpiel chess", open_spiel_rate("chess")
    yield f"pgx hex, {GAMES} games", pgx_rate("hex")
    yield f"pgx chess, {GAMES} games", pgx_rate("chess")


def install() -> None:
    print("installing the yardsticks (some hundred megabytes)", flush=True)
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)  # noqa: S603
    pip = [str(PYTHON), "-m", "pip", "install", "-q", *PACKAGES]
    subprocess.run(pip, check=True)  # noqa: S603


def measured_others() -> dict[str, float]:
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    done = subprocess.run(  # noqa: S603
        [str(PYTHON), __file__, "--only-others"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=os.environ | {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags},
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def report(here: dict[str, float], there: dict[str, float]) -> None:
    first = next(iter(here.values()))
    print(f"{'environment, steps/s of one core':<42}{'steps/s':>12}{'ours is':>10}")
    for name, speed in (here | there).items():
        ratio = "" if name.startswith(("  ", "sumito")) else f"{first / speed:,.0f}×"
        print(f"{name:<42}{speed:>12,.0f}{ratio:>10}")
    judge(f"at least {TARGET / 1e6:.0f} M steps/s", first >= TARGET)
    if there:
        chess = there["PettingZoo chess_v6"]
        judge(f"{TIMES_PETTINGZOO} times PettingZoo's chess", first >= TIMES_PETTINGZOO * chess)
        judge("ahead of each of them", first > max(there.values()))
    else:
        print("(python bench/env.py --yardsticks measures others beside it)")


def judge(target: str, is_met: bool) -> None:
    print(f"target: {target:<34}{'met' if is_met else 'MISSED'}")


if __name__ == "__main__":
    one_core()
    if "--only-others" in sys.argv:
        print(json.dumps(dict(others())))
        raise SystemExit
    if "--yardsticks" in sys.argv:
        install()
    report(ours(), measured_others() if PYTHON.exists() else {})
