"""Redis holds nothing that matters: it is stopped and started while people play."""

import asyncio
import shutil
import socket
import subprocess

import pytest

from serving import PATIENCE, ServerProcess, made

pytestmark = pytest.mark.skipif(
    shutil.which("redis-server") is None, reason="needs redis-server: make test-cluster"
)


class Redis:
    """A Redis of our own on a free port."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = None

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def start(self):
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        for _ in range(PATIENCE * 50):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                self.process.poll()
                asyncio.run(asyncio.sleep(0.02))
            else:
                return self
        raise AssertionError("redis doesn't start")

    def stop(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def redis_of_ours():
    redis = Redis().start()
    yield redis
    redis.stop()


@pytest.fixture
def two_processes(tmp_path, redis_of_ours):
    servers = [
        ServerProcess(tmp_path / "games.sqlite3", redis_of_ours.url).start() for _ in range(2)
    ]
    yield servers
    for server in servers:
        said = server.stop()
        assert "Traceback" not in said, said


async def test_people_play_on_while_redis_is_away_and_after(two_processes, redis_of_ours, player):
    first, second = two_processes
    ann, ben = player(first.url), player(second.url)
    game, links = await ann.new_game()
    await ben.accept(links["any"])
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        await turns(black, white)
        await asyncio.to_thread(redis_of_ours.stop)
        await turns(black, white)
        async with ben.socket(game["id"]) as late:
            assert made(late.game) == made(black.game)
            await asyncio.to_thread(redis_of_ours.start)
            await turns(black, white)
            await black.play()
            await late.until("moved", seat="black")
            await white.until("moved", seat="black")
        await white.do("chat", text="well?")
        assert (await black.until("chat"))["line"]["text"] == "well?"
        while "white" not in (await presence_of(black))["online"]:
            pass


async def turns(black, white):
    """A move of each, heard by the other."""
    await black.play()
    await white.until("moved", seat="black")
    await white.play()
    await black.until("moved", seat="white")


async def presence_of(socket):
    await socket.send(type="hello", since=socket.game["version"])
    return await socket.until("presence")
