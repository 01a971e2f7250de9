"""Real server processes, and clients that talk to them over real connections."""

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from sumito import MOVES, Move
from sumito.protocol import scalars

PATIENCE = 60
"""Seconds to wait for something that must come; only a failing test waits so long."""


class ServerProcess:
    """`sumito serve` on a free port; it can be killed and started again on the same database."""

    def __init__(self, database, redis="", port=0, files=None, **variables):
        self.port = port
        self.prefix = ["prlimit", f"--nofile={files}:{files}"] if files else []
        self.variables = {
            "SUMITO_DATABASE": str(database),
            "SUMITO_REDIS": redis,
            "SUMITO_REQUESTS": "100000/minute",
            "SUMITO_NEW_GAMES": "100000/minute",
            "SUMITO_SIGN_INS": "10000/minute",
            "SUMITO_SIGN_UPS": "10000/minute",
            "SUMITO_PUZZLE_TRIES": "10000/minute",
            # All of a test's players are new, and at one address.
            "SUMITO_RATED_AFTER_HOURS": "0",
            "SUMITO_SAME_NETWORK": "100",
            "SUMITO_MESSAGES": "1000/second",
            "SUMITO_ADDRESS_MESSAGES": "100000/second",
            "SUMITO_CHAT": "100000/minute",
            "SUMITO_HANDSHAKES": "100000/minute",
            "SUMITO_AWAY_MS": "60000",
            "SUMITO_LOG_LEVEL": "warning",
            **{f"SUMITO_{name.upper()}": str(value) for name, value in variables.items()},
        }
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [*self.prefix, sys.executable, "-m", "sumito", "serve", "--port", str(self.port)],
            env=os.environ | self.variables,
            stderr=subprocess.PIPE,
            text=True,
        )
        line = self.process.stderr.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if match is None:
            raise AssertionError(line + self.process.stderr.read())
        self.port = int(match[1])
        self._wait_until_it_answers()
        return self

    def _wait_until_it_answers(self):
        for _ in range(PATIENCE * 50):
            try:
                httpx.get(self.url + "/healthz", timeout=PATIENCE)
            except httpx.TransportError:
                if self.process.poll() is not None:
                    raise AssertionError(self.process.stderr.read()) from None
                signal.sigtimedwait([], 0.02)
            else:
                return
        raise AssertionError("the server doesn't answer")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def kill(self):
        """Without warning."""
        self.process.kill()
        self._reap()

    def stop(self):
        """As an operator does; returns what it had to say."""
        self.process.send_signal(signal.SIGTERM)
        return self._reap()

    def _reap(self):
        said = self.process.stderr.read()
        self.process.stderr.close()
        self.process.wait(PATIENCE)
        return said


class Player:
    """Somebody with a browser: a cookie, requests, sockets."""

    def __init__(self, url, **headers):
        self.url = url
        self.http = httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE)

    async def get(self, path, status=200):
        return await self._ask("GET", path, None, status)

    async def post(self, path, body=None, status=None):
        return await self._ask("POST", path, body, status)

    async def put(self, path, body, status=200):
        return await self._ask("PUT", path, body, status)

    async def delete(self, path, status=None):
        return await self._ask("DELETE", path, None, status)

    async def _ask(self, method, path, body, status):
        answer = await self.http.request(method, path, json=body)
        expected = (200, 201, 204) if status is None else (status,)
        assert answer.status_code in expected, answer.text
        return answer.json() if answer.content else None

    async def new_game(self, **wish):
        """A game of mine, and its invitations."""
        made = await self.post("/api/games", wish, 201)
        return made["game"], made["invitations"]

    async def accept(self, link):
        """Take the seat of an invitation."""
        query = dict(re.findall(r"(seat|key)=([^&]+)", link))
        return await self.post(f"/api/games/{re.search('/g/([^?]+)', link)[1]}/join", query)

    async def command(self, game_id, status=None, **command):
        _number_move(command)
        return await self.post(f"/api/games/{game_id}/commands", command, status)

    def headers(self):
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Origin": self.url}
        if cookies:
            headers["Cookie"] = cookies
        return headers

    @asynccontextmanager
    async def socket(self, game_id, since=None):
        """A connection that has said hello and knows the game."""
        async with self.raw_socket(f"/ws/games/{game_id}") as raw:
            socket = Socket(raw)
            await socket.hello(since)
            yield socket

    def raw_socket(self, path, **headers):
        return connect(
            self.url.replace("http", "ws") + path,
            additional_headers=self.headers() | headers,
            open_timeout=PATIENCE,
        )

    async def close(self):
        await self.http.aclose()


class Socket:
    """A connection to a game; it keeps the game as a page would."""

    def __init__(self, raw):
        self.raw = raw
        self.game = None
        self.seen = []

    async def hello(self, since=None):
        await self.send(type="hello", since=since)
        await self.until("presence")

    async def send(self, **message):
        _number_move(message)
        await self.raw.send(json.dumps(message))

    async def receive(self):
        frame = json.loads(await asyncio.wait_for(self.raw.recv(), PATIENCE))
        self.seen.append(frame)
        self._follow(frame)
        return frame

    def _follow(self, frame):
        if frame["type"] == "state":
            self.game = frame["game"]
        elif frame["type"] == "event" and self.game is not None:
            assert frame["version"] == self.game["version"] + 1
            event = frame["event"]
            if event["type"] == "moved":
                self.game["moves"].append(event)
            if event["type"] == "taken_back":
                del self.game["moves"][-event["plies"] :]
            self.game |= frame["patch"] | frame.get("mine", {})
            self.game["version"] = frame["version"]
        elif frame["type"] == "presence" and self.game is not None:
            self.game |= frame.get("mine", {})

    async def until(self, type, **content):
        """The next frame of a type; of events, the next of a type of event."""
        while True:
            frame = await self.receive()
            found = frame["event"] if frame["type"] == "event" else frame
            if found["type"] == type and content.items() <= found.items():
                return found

    async def ask(self, type, ref=None, **content):
        """Send a command and wait for its answer, acknowledged or refused."""
        ref = ref or secrets.token_hex(8)
        await self.send(type=type, ref=ref, **content)
        while True:
            frame = await self.receive()
            if frame["type"] in ("ack", "error", "why") and frame["ref"] == ref:
                return frame

    async def do(self, type, **content):
        answer = await self.ask(type, **content)
        assert answer["type"] == "ack", answer
        return answer["version"]

    async def play(self, move=None, seat=None):
        """Make a move, any if none is named."""
        move = move or legal(self.game)[0]
        seat = seat or self.game["turn"]
        return await self.do("play", seat=seat, ply=self.game["ply"], move=move)


def _number_move(message):
    """Tests name moves; the wire numbers them."""
    if isinstance(message.get("move"), str):
        message["move"] = Move.parse(message["move"]).index


def legal(game):
    """The names of the legal moves of the player to move."""
    return [MOVES[index].name for index in scalars.unpack(game["legal"])]


def made(game):
    """The names of the moves that were made."""
    return [MOVES[move["move"]].name for move in game["moves"]]


PASSWORD = "correct horse"


def new_name():
    return f"p{secrets.token_hex(6)}"


async def sign_up(player, name=None):
    """Make an account of a player; returns its name."""
    name = name or new_name()
    await player.post("/api/accounts", {"name": name, "password": PASSWORD}, 201)
    return name


__all__ = [
    "PASSWORD",
    "PATIENCE",
    "ConnectionClosed",
    "Player",
    "ServerProcess",
    "Socket",
    "legal",
    "made",
    "new_name",
    "sign_up",
]


@contextmanager
def plain_files(folder):
    """Python's web server over a folder, on a port of its own."""
    server = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        port = re.search(r"port (\d+)", server.stdout.readline())[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(10)
        server.stdout.close()
