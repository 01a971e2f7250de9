"""The server under load, over real WebSockets on 127.0.0.1: latency, memory, and saturation.

    python bench/server.py [--games 2000] [--spectators 500] [--seconds 20]

Two people sit in each game, each on a connection of their own. First every game has a move every
two seconds; then everybody moves as fast as they are answered, and the yardstick is a bare
Starlette WebSocket echo that the same clients talk to in the same run; then one game is played
before a crowd. How late the clients' own event loop runs is measured too: so much of a latency is
theirs, not the server's.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import re
import resource
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

from sumito.protocol.scalars import unpack

ECHO = """
import socket, sys, uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute

async def echo(websocket):
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text)

listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
listener.bind(("127.0.0.1", int(sys.argv[1])))
app = Starlette(routes=[WebSocketRoute("/", echo)])
config = uvicorn.Config(app, log_level="error", ws="websockets-sansio")
uvicorn.Server(config).run(sockets=[listener])
"""
UNLIMITED = {
    "SUMITO_REQUESTS": "1000000/second",
    "SUMITO_NEW_GAMES": "1000000/second",
    "SUMITO_MESSAGES": "1000000/second",
    "SUMITO_ADDRESS_MESSAGES": "1000000/second",
    "SUMITO_CHAT": "1000000/second",
    "SUMITO_HANDSHAKES": "1000000/second",
    "SUMITO_CONNECTIONS": "1000000",
    "SUMITO_LOG_LEVEL": "error",
}


class Known(msgspec.Struct):
    """What a client needs of a game, or of what an event has changed, to play on."""

    turn: str | None = None
    ply: int = 0
    legal: str = ""


class Event(msgspec.Struct):
    type: str = ""


class Frame(msgspec.Struct):
    type: str
    event: Event | None = None
    patch: Known | None = None
    mine: Known | None = None
    game: Known | None = None


DECODER = msgspec.json.Decoder(Frame)


@dataclass
class Pair:
    """A game and the two connections to it."""

    id: str
    sockets: dict[str, ClientConnection]
    known: Known = field(default_factory=Known)
    sizes: list[int] = field(default_factory=list)
    sent: int = 0

    async def until(self, colour: str, wanted: Callable[[Frame], bool]) -> Frame:
        while True:
            text = await self.sockets[colour].recv()
            frame = DECODER.decode(text)
            if wanted(frame):
                self.sizes.append(len(text))
                return frame

    async def move(self) -> float | None:
        """Make a random move; seconds until the opponent has it, None if the game is over."""
        turn = self.known.turn
        if turn is None:
            return None
        other = "white" if turn == "black" else "black"
        move = random.choice(unpack(self.known.legal))
        self.sent += 1
        content = {"type": "play", "ref": f"{self.sent}", "ply": self.known.ply, "move": move}
        sent = time.perf_counter()
        await self.sockets[turn].send(msgspec.json.encode(content).decode())
        moved = await self.until(other, _has_moved)
        took = time.perf_counter() - sent
        await self.until(turn, lambda frame: frame.type == "ack")
        self.sizes.pop()
        assert moved.patch is not None
        self.known = moved.patch
        self.known.legal = moved.mine.legal if moved.mine else ""
        return took


def _has_moved(frame: Frame) -> bool:
    return frame.event is not None and bool(frame.patch and frame.patch.ply)


async def sit_down(url: str, stack: AsyncExitStack) -> Pair:
    """Two people make a game and connect to it."""
    async with httpx.AsyncClient(base_url=url, timeout=60) as ann:
        body = {"control": {"kind": "sudden_death", "ms": 3_600_000}, "rules": "rulebook"}
        made = (await ann.post("/api/games", json=body)).raise_for_status().json()
        game_id = made["game"]["id"]
        key = made["invitations"]["any"].split("key=")[1]
        cookies = {"black": ann.cookies["sumito"]}
        ann.cookies.clear()
        (await ann.post(f"/api/games/{game_id}/join", json={"key": key})).raise_for_status()
        cookies["white"] = ann.cookies["sumito"]
    pair = Pair(game_id, {})
    for colour, cookie in cookies.items():
        pair.sockets[colour] = socket = await visit(url, game_id, stack, f"sumito={cookie}")
        state = await pair.until(colour, lambda frame: frame.type == "state")
        assert state.game is not None
        if colour == "black":
            pair.known = state.game
        await socket.recv()
    pair.sizes.clear()
    return pair


async def visit(
    url: str, game_id: str, stack: AsyncExitStack, cookie: str = ""
) -> ClientConnection:
    """A connection that has said hello."""
    address = f"{url.replace('http', 'ws')}/ws/games/{game_id}"
    headers = {"Cookie": cookie} if cookie else {}
    socket = await stack.enter_async_context(
        connect(
            address,
            additional_headers=headers,
            compression=None,
            open_timeout=60,
            ping_interval=None,
            max_queue=None,
        )
    )
    await socket.send('{"type":"hello"}')
    return socket


async def play_calmly(pair: Pair, start: float, end: float, latencies: list[float]) -> None:
    """A move every two seconds."""
    while (due := max(start, time.perf_counter())) < end:
        await asyncio.sleep(due - time.perf_counter())
        took = await pair.move()
        if took is None:
            return
        latencies.append(took)
        start = due + 2


async def watch_oneself(lateness: list[float]) -> None:
    """How late this process's own event loop comes to what is due."""
    while True:
        due = time.perf_counter() + 0.01
        await asyncio.sleep(0.01)
        lateness.append(time.perf_counter() - due)


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


async def echo_rate(count: int, seconds: float) -> tuple[float, float]:
    """Round trips a second to a bare echo, and the ms of its processor that one takes."""
    port = 18_765
    process = subprocess.Popen([sys.executable, "-c", ECHO, str(port)], text=True)  # noqa: S603
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

            used = cpu_seconds(process)
            rate = await count_rate(seconds, [work(socket) for socket in sockets])
            return rate, (cpu_seconds(process) - used) * 1000 / (rate * seconds)
    finally:
        process.terminate()
        process.wait()


async def _patiently(url: str) -> connect:
    for _ in range(600):
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


def spread(values: list[float]) -> str:
    cuts = statistics.quantiles(values, n=100)
    return f"p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms"


async def play_before_a_crowd(url: str, pair: Pair, count: int, moves: int) -> None:
    """How long it takes until each of many spectators has a move."""
    async with AsyncExitStack() as stack:
        crowd = [await visit(url, pair.id, stack) for _ in range(count)]
        await asyncio.sleep(2)
        latencies: list[float] = []

        async def watch(socket: ClientConnection, begun: list[float]) -> None:
            seen = 0
            while seen < moves:
                frame = DECODER.decode(await socket.recv())
                if _has_moved(frame):
                    latencies.append(time.perf_counter() - begun[seen])
                    seen += 1

        begun: list[float] = []
        watching = [asyncio.create_task(watch(socket, begun)) for socket in crowd]
        for _ in range(moves):
            begun.append(time.perf_counter())
            await pair.move()
            await asyncio.sleep(1)
        await asyncio.gather(*watching)
        print(f"{count} spectators of one game: {spread(latencies)} from a move to each of them")


async def run(url: str, process: subprocess.Popen[str], options: argparse.Namespace) -> None:
    games: int = options.games
    seconds: float = options.seconds
    empty = memory(process)

    def grown() -> float:
        return (memory(process) - empty) / games / 1024

    async with AsyncExitStack() as stack:
        pairs = [await sit_down(url, stack) for _ in range(games)]
        print(f"{games} games, {2 * games} connections: {grown():.0f} kB a game")
        # A collection of what thousands of clients hold would be taken for the server's slowness.
        gc.freeze()
        gc.disable()
        latencies: list[float] = []
        lateness: list[float] = []
        watching = asyncio.create_task(watch_oneself(lateness))
        used = cpu_seconds(process)
        begin = time.perf_counter()
        await asyncio.gather(
            *(
                play_calmly(pair, begin + 2 * number / games, begin + seconds, latencies)
                for number, pair in enumerate(pairs)
            )
        )
        watching.cancel()
        print(
            f"a move every 2 s in each: {len(latencies) / seconds:.0f} moves/s, "
            f"sent to the other player's event: {spread(latencies)}; "
            f"the clients' own delay: {spread(lateness)}"
        )
        used = (cpu_seconds(process) - used) / len(latencies) * 1000
        print(f"after {len(latencies)} moves: {grown():.0f} kB a game")
        busy = cpu_seconds(process)
        rate = await count_rate(seconds / 2, [pair.move for pair in pairs[:64]])
        busy = (cpu_seconds(process) - busy) * 1000 / (rate * seconds / 2)
        sizes = [size for pair in pairs for size in pair.sizes]
        print(f"events: {statistics.mean(sizes):.0f} bytes, the longest {max(sizes)}")
        if options.spectators:
            playing = [pair for pair in pairs if pair.known.turn is not None]
            await play_before_a_crowd(url, playing[-1], options.spectators, moves=10)
    echo, trip = await echo_rate(64, seconds / 4)
    print(f"saturated: {rate:.0f} moves/s, each stored on disk and sent to two")
    print(f"bare Starlette echo: {echo:.0f} round trips/s; a move costs {echo / rate:.1f} of them")
    print(
        f"processor time: {used:.2f} ms a move calm, {busy:.2f} ms saturated, {trip:.3f} ms a "
        f"round trip: {busy / trip:.1f} of them"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
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
            for _ in range(600):
                try:
                    httpx.get(url + "/healthz")
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            asyncio.run(run(url, process, options))
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
