"""The explorer over many games: how long an answer takes, against the shortest query there is, and
how large its tables are.

    python bench/archive.py [GAMES] [PLIES]

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

from sumito import Board, kernel
from sumito.protocol.scalars import pack
from sumito.server.storage import open_database
from sumito.server.storage.archive_repo import (
    ArchivedGame,
    ArchivedPlayer,
    ArchiveRepository,
    GameSearch,
)

PLIES = 90
BATCH = 500
ASKED = 200


def synthetic(number: int, plies: int, rng: random.Random) -> ArchivedGame:
    position = kernel.Position(START)
    moves = []
    for ply in range(plies):
        legal = position.legal()
        if not legal:
            break
        # A handful of moves to begin with, then whatever comes.
        moves.append(rng.choice(legal[:: max(1, len(legal) // 5)] if ply < 6 else legal))
        position.push(moves[-1])
    winner = rng.choice(("black", "white", None))
    players = (
        ArchivedPlayer("black", f"Player {rng.randrange(1000)}", rng.randrange(1000, 2000)),
        ArchivedPlayer("white", f"Player {rng.randrange(1000)}"),
    )
    return ArchivedGame(
        game_id=f"i-{number}",
        imported=True,
        mode="two",
        layout="standard",
        start=START,
        moves=pack(moves),
        plies=len(moves),
        winner=winner,
        reason="x",
        at=number,
        players=players,
    )


START = str(Board().position)


async def main(games: int, plies: int) -> None:
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(str(Path(folder) / "games.sqlite3"))
        await database.migrate()
        store = ArchiveRepository(database)
        begun = perf_counter()
        for first in range(0, games, BATCH):
            some = range(first, min(games, first + BATCH))
            await store.add([synthetic(number, plies, rng) for number in some])
        print(f"{games:,} games added, {games / (perf_counter() - begun):,.0f} a second")
        for name, size in await database.read(lambda c: c.execute(text(SIZES)).all()):
            print(f"{name}: {size / games:,.0f} bytes a game")
        base = await _times(lambda: database.read(lambda c: c.execute(text("SELECT 1")).all()))
        for name, ask in asked(store).items():
            times = await _times(ask)
            middle, slow = statistics.median(times), sorted(times)[int(0.99 * len(times))]
            print(
                f"{name}: {middle * 1e3:.2f} ms, 99 % within {slow * 1e3:.2f} ms, "
                f"{middle / statistics.median(base):.1f} times SELECT 1"
            )
        await database.close()


SIZES = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 6"


def asked(store: ArchiveRepository) -> dict[str, Callable[[], Awaitable[object]]]:
    """Questions of the explorer and of the search, the ones that all games answer among them."""
    board = Board()
    board.push(next(iter(board.legal_moves)))
    one = str(board.position)
    searches = {
        "newest games": GameSearch(),
        "games from the start": GameSearch(position=START),
        "games that reached a position": GameSearch(position=one),
        "games that white won from there": GameSearch(position=one, result="white"),
        "a player's games": GameSearch(player="Player 7"),
        "a player's games from the start": GameSearch(player="Player 7", position=START),
        "short games, of which there are none": GameSearch(longest=2),
        "a position nobody reached": GameSearch(position=NOWHERE),
        "a player nobody is": GameSearch(player="Nobody", position=START),
    }
    return {
        "explorer, start": partial(store.openings, START),
        "explorer, one move on": partial(store.openings, one),
    } | {name: partial(store.search, wanted) for name, wanted in searches.items()}


NOWHERE = str(Board("domination").position)


async def _times(ask: Callable[[], Awaitable[object]]) -> list[float]:
    times = []
    for _ in range(ASKED):
        begun = perf_counter()
        await ask()
        times.append(perf_counter() - begun)
    return times


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    asyncio.run(main(*(given + [100_000, PLIES][len(given) :])))
