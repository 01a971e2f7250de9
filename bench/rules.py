"""The rules beside python-chess, on a start and a middlegame of each: `python bench/rules.py`.

The machine's noise hits both alike: rounds of the one and the other take turns, and the quickest
round of each counts. Ratios above 1 mean that sumito is the quicker.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import chess

import sumito

# Many short rounds: some of them fall between two interruptions.
ROUNDS = 100
ROUND_SECONDS = 0.004

BOARDS = {
    "start": (sumito.Board(), chess.Board()),
    "middlegame": (
        sumito.Board.parse("5/1ww3/1wwww2/2bwwwb1/2wbbbwb1/2bbbww1/2bbb2/2w3/5 b 1,1 9 41"),
        chess.Board("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"),
    ),
}


@dataclass(frozen=True)
class Row:
    """One line of the table; times in microseconds."""

    what: str
    ours: float
    theirs: float
    target: float

    def __str__(self) -> str:
        ratio = self.theirs / self.ours
        verdict = "met" if ratio >= self.target else "MISSED"
        return (
            f"{self.what:<40}{self.ours:>11.2f}{self.theirs:>13.2f}{ratio:>8.2f}×"
            f"{self.target:>8.1f}×  {verdict}"
        )


Task = Callable[[], object]


def seconds(task: Task, times: int) -> float:
    """Return the seconds that `count` calls take."""
    clock = time.perf_counter
    start = clock()
    for _ in range(times):
        task()
    return clock() - start


def enough_calls(task: Task) -> int:
    """How many calls fill a round."""
    times = 1
    while seconds(task, times) < ROUND_SECONDS / 2:
        times *= 2
    return times


def race(one: Task, other: Task) -> tuple[float, float]:
    """Microseconds a call of each, the quickest of rounds that take turns."""
    calls = enough_calls(one), enough_calls(other)
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for at, task in enumerate((one, other)):
            best[at] = min(best[at], seconds(task, calls[at]) / calls[at])
    return best[0] * 1e6, best[1] * 1e6


def counting(where: str) -> Row:
    ours, theirs = BOARDS[where]
    times = race(lambda: len(ours.legal_moves), lambda: theirs.legal_moves.count())
    return Row(f"count legal moves, {where}", *times, target=3)


def listing(where: str) -> Row:
    ours, theirs = BOARDS[where]
    mine, yours = race(lambda: list(ours.legal_moves), lambda: list(theirs.legal_moves))
    return Row(
        f"list legal moves, per move, {where}",
        mine / len(ours.legal_moves),
        yours / theirs.legal_moves.count(),
        target=1,
    )


def push_and_pop(where: str, push: Callable[[sumito.Move], None], how: str) -> Row:
    """Every legal move once; python-chess has only an unchecked push."""
    ours, theirs = BOARDS[where]
    moves, their_moves = list(ours.legal_moves), list(theirs.legal_moves)

    def mine() -> None:
        for move in moves:
            push(move)
            ours.pop()

    def yours() -> None:
        for move in their_moves:
            theirs.push(move)
            theirs.pop()

    times = race(mine, yours)
    return Row(
        f"push + pop, {how}, {where}", times[0] / len(moves), times[1] / len(their_moves), target=1
    )


def writing(where: str) -> Row:
    ours, theirs = BOARDS[where]
    times = race(lambda: str(ours.position), theirs.fen)
    return Row(f"write the position's text, {where}", *times, target=1)


def reading(where: str) -> Row:
    ours, theirs = BOARDS[where]
    text, fen = str(ours.position), theirs.fen()
    times = race(lambda: sumito.Board.parse(text), lambda: chess.Board(fen))
    return Row(f"read the position's text, {where}", *times, target=1)


def perft_rate(layout: str) -> float:
    """Leaves a second of perft(4)."""
    board = sumito.Board(layout)
    best = float("inf")
    leaves = 0
    for _ in range(3):
        start = time.perf_counter()
        leaves = board.perft_by_rules(4)
        best = min(best, time.perf_counter() - start)
    return leaves / best


def import_milliseconds() -> tuple[float, float]:
    """What `import sumito` adds to a bare interpreter, and what that takes alone."""
    best = [float("inf"), float("inf")]
    # As installed: with its bytecode, which the first of these runs writes.
    env = {name: it for name, it in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(30):
        for at, code in enumerate(("pass", "import sumito")):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, env=env)  # noqa: S603
            best[at] = min(best[at], time.perf_counter() - start)
    return (best[1] - best[0]) * 1e3, best[0] * 1e3


def main() -> None:
    print(f"sumito {sumito.__version__} beside python-chess {chess.__version__}, ", end="")
    print(f"Python {sys.version.split()[0]}; µs, quickest of {ROUNDS} rounds in turn\n")
    print(f"{'':<40}{'sumito':>11}{'python-chess':>13}{'ratio':>9}{'target':>9}")
    for where, (board, _) in BOARDS.items():
        print(counting(where))
        print(listing(where))
        print(push_and_pop(where, board.push, "checked"))
        print(push_and_pop(where, board.push_unchecked, "unchecked"))
        print(writing(where))
    # python-chess knows its start position by heart, so only the other compares.
    print(reading("middlegame"))
    print()
    for layout in ("standard", "belgian-daisy"):
        rate = perft_rate(layout)
        verdict = "met" if rate >= 1e6 else "MISSED"
        print(f"perft(4), {layout:<24}{rate / 1e6:>8.2f} M leaves/s   target 1.00   {verdict}")
    added, bare = import_milliseconds()
    verdict = "met" if added < 60 else "MISSED"
    print(f"import sumito{'':<21}{added:>8.1f} ms on top of {bare:.1f} ms   target 60   {verdict}")


if __name__ == "__main__":
    main()
