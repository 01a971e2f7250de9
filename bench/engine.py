"""The kernel beside the Python rules, and how fast the search is: `python bench/engine.py`.

Everything runs on one core but the row that says otherwise; the quickest of some rounds counts.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

import sumito
from sumito import kernel
from sumito.engine import Engine, Limit, TimeLeft
from sumito.kernel.positions import to_kernel
from sumito.lab.learn.selfplay import HELD_OUT

LAYOUTS = ("standard", "belgian-daisy")
ROUNDS = 3


def quickest(task: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The seconds of the quickest round."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - start)
    return best


def verdict(value: float, target: float) -> str:
    return f"target {target:g}  {'met' if value >= target else 'MISSED'}"


def leaves() -> None:
    print(f"{'perft, million leaves/s':<34}{'kernel':>10}{'made':>10}{'python':>10}{'ratio':>9}")
    for layout in LAYOUTS:
        board = sumito.Board(layout)
        position = to_kernel(board)
        count = position.perft(5)
        counted = count / quickest(lambda p=position: p.perft(5)) / 1e6  # type: ignore[misc]
        made = count / quickest(lambda p=position: p.perft(5, bulk=False)) / 1e6  # type: ignore[misc]
        few = board.perft(3)
        python = few / quickest(lambda b=board: b.perft_by_rules(3)) / 1e6  # type: ignore[misc]
        print(f"{layout:<34}{counted:>10.0f}{made:>10.0f}{python:>10.2f}{counted / python:>8.0f}×")
        print(f"{'':<34}{verdict(counted, 1000)}; every leaf made: {verdict(made, 350)}")


def search() -> None:
    print()
    for layout in LAYOUTS:
        board = sumito.Board(layout)
        with Engine() as engine:
            best = engine.play(board, Limit(time=2.0))
            speed = best.nodes_per_second / 1e6
        reach = quickest(lambda b=board: _reach(b, 10, 1))  # type: ignore[misc]
        print(
            f"{layout:<20}{speed:>8.2f} M nodes/s  {verdict(speed, 3)}   "
            f"depth {best.depth} in 2 s, depth 10 in {reach:.3f} s"
        )


def _reach(board: sumito.Board, depth: int, threads: int) -> None:
    with Engine(threads) as engine:
        engine.play(board, Limit(depth=depth))


def two_threads() -> None:
    if (os.cpu_count() or 1) < 2:
        print("one core only: nothing to say of two threads")
        return
    ratios = []
    for layout in (*LAYOUTS, *HELD_OUT):
        board = sumito.Board(layout)
        one = quickest(lambda b=board: _reach(b, 14, 1))  # type: ignore[misc]
        two = quickest(lambda b=board: _reach(b, 14, 2))  # type: ignore[misc]
        ratios.append(one / two)
    mean = statistics.geometric_mean(ratios)
    print(
        f"{mean:.2f}× sooner to depth 14 with two threads, mean of {len(ratios)} layouts "
        f"({min(ratios):.2f} to {max(ratios):.2f}), {verdict(mean, 1.5)}"
    )


def clock() -> None:
    """The longest thought, beyond what the clock of a game in its last moments allows."""
    worst = 0.0
    with Engine() as engine:
        for left in (0.02, 0.05, 0.1, 0.5):
            for _ in range(10):
                start = time.perf_counter()
                engine.play(sumito.Board("belgian-daisy"), Limit(clock=TimeLeft(left)))
                worst = max(worst, (time.perf_counter() - start) / left)
    print(f"\nlongest thought: {100 * worst:.0f} % of what the clock had left (20 ms to 0.5 s)")


if __name__ == "__main__":
    nodes, _, speed = kernel.bench()
    print(f"sumito {sumito.__version__}, bench {nodes} nodes, {speed / 1e6:.2f} M nodes/s\n")
    leaves()
    search()
    two_threads()
    clock()
