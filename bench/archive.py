"""The explorer over many games: how long an answer takes, against the shortest query there is.

    python bench/archive.py [GAMES]

Synthetic games: random moves that follow a few openings, so that the first positions are in all.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from sqlalchemy import text

from sumito import Board, _core
from sumito.server.store import open_database
from sumito.server.store.archive import ArchivedGame, ArchiveStore, Search
from sumito.server.wire.scalars import pack

PLIES = 40
BATCH = 500
ASKED = 200


def synthetic(number: int, dice: random.Random) -> ArchivedGame:
    position = _core.Position(START)
    moves = []
    for ply in range(PLIES):
        legal = position.legal()
        if not legal:
            break
        # A handful of moves to begin with, then whatever comes.
        moves.append(dice.choice(legal[:: max(1, len(legal) // 5)] if ply < 6 else legal))
        position.push(moves[-1])
    winner = dice.choice(("black", "white", None))
    return ArchivedGame(
        f"i-{number}", True, "two", "standard", START, pack(moves), len(moves), winner, "x", number
    )


START = str(Board().position)


async def main(games: int) -> None:
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(str(Path(folder) / "games.sqlite3"))
        await database.migrate()
        store = ArchiveStore(database)
        begun = perf_counter()
        for first in range(0, games, BATCH):
            await store.add([synthetic(n, dice) for n in range(first, min(games, first + BATCH))])
        print(f"{games:,} games added, {games / (perf_counter() - begun):,.0f} a second")
        board = Board()
        board.push(next(iter(board.legal_moves)))
        for name, position in (("start", START), ("one move on", str(board.position))):
            times = await _times(partial(store.openings, position))
            base = await _times(lambda: database.read(lambda c: c.execute(text("SELECT 1")).all()))
            middle, slow = statistics.median(times), sorted(times)[int(0.99 * len(times))]
            ratio = middle / statistics.median(base)
            print(
                f"explorer, {name}: {middle * 1e3:.2f} ms, 99 % within {slow * 1e3:.2f} ms, "
                f"{ratio:.1f} times SELECT 1"
            )
        found = await _times(lambda: store.search(Search(position=str(board.position))))
        print(f"games that reached a position: {statistics.median(found) * 1e3:.2f} ms")
        await database.close()


async def _times(ask: Callable[[], Awaitable[object]]) -> list[float]:
    times = []
    for _ in range(ASKED):
        begun = perf_counter()
        await ask()
        times.append(perf_counter() - begun)
    return times


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
