"""Redis as it stops, hangs and restarts during games."""

import asyncio
import shutil
import signal
import socket
import subprocess

import pytest

from sumito.server.base.settings import Settings
from sumito.server.limits import Limits
from sumito.server.realtime.hub_redis import RedisHub, RedisLink, RedisPresence
from sumito.server.refusals import Refusal
from support.in_process import alone, services_in, until
from support.optional_parts import REASONS
from support.processes import PATIENCE, ServerProcess, made

pytestmark = pytest.mark.skipif(shutil.which("redis-server") is None, reason=REASONS["cluster"])


class Redis:
    """A Redis of our own on a free port."""

    def __init__(self, file=None):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.file = file
        self.process = None

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def start(self):
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        if self.file:
            command += ["--unixsocket", str(self.file)]
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

    def freeze(self):
        """It keeps all connections and answers nothing."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)


@pytest.fixture(scope="module")
def redis_of_ours():
    redis = Redis().start()
    yield redis
    redis.stop()


@pytest.fixture(scope="module")
def two_processes(tmp_path_factory, redis_of_ours):
    database = tmp_path_factory.mktemp("games") / "games.sqlite3"
    servers = [
        ServerProcess(database, redis_of_ours.url, away_ms=100, grace_ms=100).start()
        for _ in range(2)
    ]
    yield servers
    for server in servers:
        said = server.stop()
        assert "Traceback" not in said, said


async def test_redis_may_be_reached_by_a_unix_socket(tmp_path):
    file = tmp_path / "redis.sock"
    redis = await asyncio.to_thread(Redis(file).start)
    address = f"unix://{file}?db=1"
    try:
        first, second = (Limits(Settings(redis=address, requests="2/minute")) for _ in range(2))
        for _ in range(2):
            await first.request("192.0.2.1")
        with pytest.raises(Refusal) as refused:
            await second.request("192.0.2.1")
        for one in (first, second):
            await one.close()
        assert 1 <= refused.value.details["retry_after"] <= 60
        async with services_in(tmp_path, redis=address) as services:
            await until(lambda: services.hub._pubsub is not None)
            ann, room = await alone(services)
            await services.presence.enter(room.id, "elsewhere", ann.id)
            assert await services.presence.people(room.id) == [ann.id]
    finally:
        redis.stop()


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


async def test_a_redis_that_hangs_stops_no_game(two_processes, redis_of_ours, player):
    first, second = two_processes
    ann, ben = player(first.url), player(second.url)
    game, links = await ann.new_game()
    await ben.accept(links["any"])
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        await turns(black, white)
        redis_of_ours.freeze()
        await turns(black, white)
        redis_of_ours.thaw()
        await turns(black, white)


async def test_nobody_is_away_whom_only_redis_would_know_of(two_processes, redis_of_ours, player):
    first, second = two_processes
    ann, ben = player(first.url), player(second.url)
    game, links = await ann.new_game(control={"kind": "sudden_death", "ms": 600_000})
    await ben.accept(links["any"])
    async with ben.socket(game["id"]) as white:
        await asyncio.to_thread(redis_of_ours.stop)
        async with ann.socket(game["id"]) as black:
            await turns(black, white)
            # Every look at who is away has been put off by now.
            await asyncio.sleep(0.3)
            refused = await black.ask("claim", result="win")
            assert refused["code"] == "claim"
        await asyncio.to_thread(redis_of_ours.start)


async def test_who_was_with_a_killed_process_fades_away(redis_of_ours, monkeypatch):
    monkeypatch.setattr(RedisPresence, "_lifetime_s", 3)
    monkeypatch.setattr(RedisPresence, "_refresh_s", 0)
    links = [RedisLink(redis_of_ours.url) for _ in range(2)]
    killed, alive = map(RedisPresence, links)
    await killed.enter("game", "1", "ann")
    await alive.enter("game", "2", "ben")
    assert sorted(await alive.people("game")) == ["ann", "ben"]
    faded = []
    while not faded:
        faded = await alive.refresh()
        await asyncio.sleep(0.05)
    assert faded == ["game"]
    assert await alive.people("game") == ["ben"]
    for link in links:
        await link.close()


async def test_presence_asks_redis_for_all_games_at_once_and_not_often(redis_of_ours, monkeypatch):
    link = RedisLink(redis_of_ours.url)
    presence = RedisPresence(link)
    for count in range(50):
        await presence.enter(f"many{count}", "1", "ann")
    asked, call = [], link.call

    async def counted(work):
        asked.append(work)
        return await call(work)

    monkeypatch.setattr(link, "call", counted)
    for _ in range(10):
        await presence.refresh()
    assert len(asked) <= 3
    await link.close()


async def test_who_others_saw_is_believed_while_redis_is_away(redis_of_ours):
    link = RedisLink(redis_of_ours.url)
    hub = RedisHub(link)
    await hub.start()
    here, elsewhere = RedisPresence(link), RedisPresence(RedisLink(redis_of_ours.url))
    await elsewhere.enter("game", "1", "ann")
    await here.enter("game", "2", "ben")
    assert sorted(await here.people("game")) == ["ann", "ben"]
    await asyncio.to_thread(redis_of_ours.stop)
    await until(lambda: link.is_unavailable)
    assert not here.is_complete
    assert sorted(await here.people("game")) == ["ann", "ben"]
    await asyncio.to_thread(redis_of_ours.start)
    await until(lambda: not link.is_unavailable)
    # It is empty, and Ann's process hasn't written again.
    assert sorted(await here.people("game")) == ["ann", "ben"]
    assert not here.is_complete
    await hub.close()
    await elsewhere._link.close()


async def test_a_hub_closes_at_any_moment(redis_of_ours):
    for count in range(40):
        hub = RedisHub(RedisLink(redis_of_ours.url))
        await hub.start()
        # Below Python 3.12 the client loses a cancellation that comes with an answer.
        await asyncio.sleep(count / 4_000)
        closing = asyncio.create_task(hub.close())
        done, _ = await asyncio.wait([closing], timeout=PATIENCE)
        assert done == {closing}


async def turns(black, white):
    """A move of each, heard by the other."""
    await black.play()
    await white.until("moved", seat="black")
    await white.play()
    await black.until("moved", seat="white")


async def presence_of(socket):
    await socket.send(type="hello", since=socket.game["version"])
    return await socket.until("presence")
