"""What the network costs: the search with and without it, self-play, training.

Run as `python bench/network.py`. One core; processor time is counted, so that other programs on
the machine disturb little, and the quickest of some rounds.
"""

from __future__ import annotations

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import sumito
from sumito import kernel
from sumito.engine import network
from sumito.kernel.positions import to_kernel
from sumito.lab.learn import selfplay
from sumito.lab.learn.train import Training, TrainingConfig

NODES = 400_000
ROUNDS = 3


def speed(board: sumito.Board, judge: kernel.Network | None) -> float:
    """Nodes a second of a core."""
    best = 0.0
    for _ in range(ROUNDS):
        searcher = kernel.Searcher(hash_mb=16, network=judge)
        start = time.process_time()
        result = searcher.search(to_kernel(board), nodes=NODES)
        best = max(best, result.nodes / (time.process_time() - start))
    return best


def search() -> None:
    wide, plain = network.load(), kernel.Network(network.default_bytes(), disable_simd=True)
    print(f"{'search, M nodes/s':<20}{'by hand':>9}{'network':>9}{'plain':>9}{'ratio':>8}")
    for layout in ("standard", "belgian-daisy", "german-daisy"):
        board = sumito.Board(layout)
        hand, fast, slow = (speed(board, judge) / 1e6 for judge in (None, wide, plain))
        ratio = fast / hand
        word = "met" if ratio >= 0.5 else "MISSED"
        print(f"{layout:<20}{hand:>9.2f}{fast:>9.2f}{slow:>9.2f}{ratio:>8.2f}  target 0.5  {word}")


def learn() -> None:
    plan = selfplay.SelfplayPlan(chunks=2, games=16, network=network.default_bytes())
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(1) as pool:
        start = time.process_time()
        *_, done = selfplay.play_games(plan, Path(name), pool)
        rate = done.samples / (time.process_time() - start)
        word = "met" if rate >= 5000 else "MISSED"
        print(f"self-play at {plan.nodes} nodes: {rate:,.0f} positions/s  target 5,000  {word}")
        for hidden in (64, 128, 256):
            training = Training(TrainingConfig(hidden=hidden, epochs=20, batch=1024), [Path(name)])
            start = time.process_time()
            epochs = len(list(training.run()))
            rate = epochs * training.samples / (time.process_time() - start)
            print(f"training, {hidden} wide: {rate:,.0f} samples/s")


if __name__ == "__main__":
    search()
    learn()
