"""What the own writer thread gains over aiosqlite: events stored a second, each on the disk.

    pip install aiosqlite && python bench/store.py [--seconds 4]

Both write the same row under the same settings of SQLite. aiosqlite commits each by itself; the
server's thread commits together what has come in meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import tempfile
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import create_async_engine

from sumito.server.storage.database import _PRAGMAS, SqliteDatabase

TABLE = text("CREATE TABLE events (game TEXT, version INT, body TEXT, PRIMARY KEY (game, version))")
INSERT = text("INSERT INTO events VALUES (:game, :version, :body)")
Write = Callable[[dict[str, Any]], Awaitable[None]]


async def measure(name: str, write: Write, writers: int, seconds: float) -> float:
    """Rows a second of concurrent writers, each waiting for its row before the next."""
    versions = itertools.count(time.monotonic_ns())
    end = time.perf_counter() + seconds
    done = 0

    async def again(game: int) -> None:
        nonlocal done
        while time.perf_counter() < end:
            row = {"game": str(game), "version": next(versions), "body": '{"move":"a1b2"}' * 4}
            await write(row)
            done += 1

    used = time.process_time()
    await asyncio.gather(*map(again, range(writers)))
    used = (time.process_time() - used) / done * 1000
    print(f"{writers:3} writers, {name}: {done / seconds:.0f} a second, {used:.2f} ms of processor")
    return done / seconds


async def run(folder: Path, seconds: float) -> None:
    own = SqliteDatabase(folder / "own.sqlite3")
    await own.write(lambda connection: connection.execute(TABLE) and None)
    engine = create_async_engine(f"sqlite+aiosqlite:///{folder / 'aio.sqlite3'}", pool_size=1)

    @event.listens_for(engine.sync_engine, "connect")
    def connect(connection: Any, _: object) -> None:  # noqa: ANN401
        for pragma in _PRAGMAS:
            connection.cursor().execute(f"PRAGMA {pragma}")

    async with engine.begin() as connection:
        await connection.execute(TABLE)
    one_at_a_time = asyncio.Lock()

    async def by_thread(row: dict[str, Any]) -> None:
        await own.write(lambda connection: connection.execute(INSERT, row) and None)

    async def by_aiosqlite(row: dict[str, Any]) -> None:
        async with one_at_a_time, engine.begin() as connection:
            await connection.execute(INSERT, row)

    for writers in (1, 64):
        mine = await measure("own thread", by_thread, writers, seconds)
        theirs = await measure("aiosqlite ", by_aiosqlite, writers, seconds)
        print(f"{writers:3} writers: {mine / theirs:.1f} times as many")
    await own.close()
    await engine.dispose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4)
    options = parser.parse_args()
    if find_spec("aiosqlite") is None:
        print("aiosqlite isn't installed, so there is nothing to compare with")
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), options.seconds))


if __name__ == "__main__":
    main()
