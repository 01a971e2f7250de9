"""The server under load, over real WebSockets on 127.0.0.1: latency, memory, and saturation.

    python bench/server.py [--games 300] [--seconds 20]

Two people sit in each game, each on a connection of their own. First every game has a move every
two seconds; then everybody moves as fast as they are answered, and the yardstick is a bare
Starlette WebSocket echo that the same clients talk to in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

ECHO = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute

async def echo(websocket):
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text)

uvicorn.run(Starlette(routes=[WebSocketRoute("/", echo)]), port=int(sys.argv[1]),
            log_level="error", ws="websockets-sansio")
"""
UNLIMITED = {
    "SUMITO_REQUESTS": "1000000/second",
    "SUMITO_NEW_GAMES": "1000000/second",
    "SUMITO_MESSAGES": "1000000/second",
    "SUMITO_CONNECTIONS": "1000000",
    "SUMITO_LOG_LEVEL": "error",
}


class Legal(msgspec.Struct):
    move: str


class Known(msgspec.Struct):
    """What a client needs of a game or a patch to play on."""

    turn: str | None = None
    ply: int = 0
    legal: list[Legal] = []


class Happening(msgspec.Struct):
    type: str = ""


class Frame(msgspec.Struct):
    type: str
    event: Happening | None = None
    patch: Known | None = None
    game: Known | None = None


DECODER = msgspec.json.Decoder(Frame)


@dataclass
class Table:
    """A game and the two connections to it."""

    id: str
    sockets: dict[str, ClientConnection]
    known: Known = field(default_factory=Known)
    ply: int = 0

    async def until(self, colour: str, wanted: Callable[[Frame], bool]) -> Frame:
        while True:
            frame = DECODER.decode(await self.sockets[colour].recv())
            if wanted(frame):
                return frame

    async def move(self) -> float | None:
        """Make a random move; seconds until the opponent has it, None if the game is over."""
        turn = self.known.turn
        if turn is None:
            return None
        other = "white" if turn == "black" else "black"
        move = random.choice(self.known.legal).move
        self.ply += 1
        content = {"type": "play", "ref": f"{self.ply}", "seat": turn, "ply": self.known.ply}
        sent = time.perf_counter()
        await self.sockets[turn].send(msgspec.json.encode(content | {"move": move}).decode())
        moved = await self.until(other, _has_moved)
        took = time.perf_counter() - sent
        await self.until(turn, lambda frame: frame.type == "ack")
        assert moved.patch is not None
        self.known = moved.patch
        return took


def _has_moved(frame: Frame) -> bool:
    return frame.event is not None and bool(frame.patch and frame.patch.ply)


async def sit_down(url: str, stack: AsyncExitStack) -> Table:
    """Two people make a game and connect to it."""
    async with httpx.AsyncClient(base_url=url) as ann, httpx.AsyncClient(base_url=url) as ben:
        body = {"control": {"kind": "sudden_death", "ms": 3_600_000}, "rules": "rulebook"}
        made = (await ann.post("/api/games", json=body)).raise_for_status().json()
        game_id = made["game"]["id"]
        key = made["invitations"]["any"].split("key=")[1]
        (await ben.post(f"/api/games/{game_id}/join", json={"key": key})).raise_for_status()
        table = Table(game_id, {})
        for colour, player in (("black", ann), ("white", ben)):
            cookie = f"sumito={player.cookies['sumito']}"
            address = f"{url.replace('http', 'ws')}/ws/games/{game_id}"
            socket = await stack.enter_async_context(
                connect(address, additional_headers={"Cookie": cookie}, compression=None)
            )
            table.sockets[colour] = socket
            await socket.send('{"type":"hello"}')
            state = await table.until(colour, lambda frame: frame.type == "state")
            assert state.game is not None
            table.known = state.game
        return table


async def play_calmly(table: Table, until: float, latencies: list[float]) -> None:
    """A move every two seconds, the games spread over them."""
    await asyncio.sleep(random.random() * 2)
    while time.perf_counter() < until:
        took = await table.move()
        if took is None:
            return
        latencies.append(took)
        await asyncio.sleep(2 - took)


async def count_rate(seconds: float, works: list[Callable[[], Awaitable[object]]]) -> float:
    """How many times a second the works get done, all at once and again and again."""
    done = 0
    end = time.perf_counter() + seconds

    async def again(work: Callable[[], Awaitable[object]]) -> None:
        nonlocal done
        while time.perf_counter() < end and await work() is not None:
            done += 1

    await asyncio.gather(*map(again, works))
    return done / seconds


async def echo_rate(count: int, seconds: float) -> float:
    """Round trips a second to a bare echo, with messages as long as a move is."""
    port = 18_765
    process = subprocess.Popen([sys.executable, "-c", ECHO, str(port)])  # noqa: S603
    try:
        async with AsyncExitStack() as stack:
            sockets = [
                await stack.enter_async_context(await _patiently(f"ws://127.0.0.1:{port}/"))
                for _ in range(count)
            ]

            def work(socket: ClientConnection) -> Callable[[], Awaitable[object]]:
                async def trip() -> object:
                    await socket.send("x" * 80)
                    return await socket.recv()

                return trip

            return await count_rate(seconds, [work(socket) for socket in sockets])
    finally:
        process.terminate()
        process.wait()


async def _patiently(url: str) -> connect:
    for _ in range(200):
        try:
            async with connect(url):
                return connect(url, compression=None)
        except OSError:
            await asyncio.sleep(0.1)
    raise SystemExit("the echo doesn't start")


def memory(process: subprocess.Popen[str]) -> int:
    """Resident bytes."""
    text = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    return int(found[1]) * 1024 if found else 0


def cpu_seconds(process: subprocess.Popen[str]) -> float:
    """Processor time a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").split(") ")[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def run(url: str, process: subprocess.Popen[str], games: int, seconds: float) -> None:
    empty = memory(process)

    def grown() -> float:
        return (memory(process) - empty) / games / 1024

    async with AsyncExitStack() as stack:
        tables = [await sit_down(url, stack) for _ in range(games)]
        print(f"{games} games, {2 * games} connections: {grown():.0f} kB a game")
        latencies: list[float] = []
        used = cpu_seconds(process)
        end = time.perf_counter() + seconds
        await asyncio.gather(*(play_calmly(table, end, latencies) for table in tables))
        cuts = statistics.quantiles(latencies, n=100)
        print(
            f"a move every 2 s in each: {len(latencies) / seconds:.0f} moves/s, sent to the other "
            f"player's event: p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms"
        )
        used = (cpu_seconds(process) - used) / len(latencies) * 1000
        print(f"the server's processor time: {used:.2f} ms a move")
        print(f"after {len(latencies)} moves: {grown():.0f} kB a game")
        rate = await count_rate(seconds / 2, [table.move for table in tables[:64]])
    echo = await echo_rate(64, seconds / 4)
    print(f"saturated: {rate:.0f} moves/s, each stored on disk and sent to two")
    print(f"bare Starlette echo: {echo:.0f} round trips/s; a move costs {echo / rate:.1f} of them")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        variables = UNLIMITED | {"SUMITO_DATABASE": str(Path(folder) / "games.sqlite3")}
        process = subprocess.Popen(
            [sys.executable, "-m", "sumito", "serve", "--port", "0"],
            env=os.environ | variables,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        try:
            url = process.stderr.readline().split()[-1]
            for _ in range(200):
                try:
                    httpx.get(url + "/healthz")
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            asyncio.run(run(url, process, options.games, options.seconds))
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
