"""WebSocket connections: resuming, several tabs, presence, slow readers, ends of connections."""

import asyncio
import contextlib
import gc

import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect
from structlog.testing import capture_logs

from sumito.protocol.commands import Chat
from sumito.protocol.requests import NewGame, SeatMe
from sumito.server.base.settings import Settings
from sumito.server.realtime.hub import MAX_QUEUED
from sumito.server.refusals import BadRequest
from sumito.server.services import open_services
from sumito.server.sockets.game import GameConnection
from sumito.server.storage import UnavailableError
from support.in_process import Client, alone, services_in, until
from support.processes import ConnectionClosed, ServerProcess, Socket, made


@pytest.fixture(scope="module")
def server(server_of_each_protocol):
    return server_of_each_protocol


async def test_a_command_with_the_same_ref_is_done_once(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black:
        first = await black.ask("play", ref="x", seat="black", ply=1, move="a1b2")
        again = await black.ask("play", ref="x", seat="black", ply=1, move="a1b2")
        assert (first["type"], first["version"]) == (again["type"], again["version"])
        assert first["type"] == "ack"
    assert len((await ann.get(f"/api/games/{game['id']}"))["moves"]) == 1


async def test_another_persons_ref_is_another_command(ann, ben, game_of):
    game = await game_of(ann, ben)
    await ann.command(game["id"], type="play", ref="x", seat="black", ply=1, move="a1b2")
    await ben.command(game["id"], type="play", ref="x", seat="white", ply=2, move="i9h8")
    assert len((await ann.get(f"/api/games/{game['id']}"))["moves"]) == 2


async def test_who_was_away_hears_just_what_they_missed(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ben.socket(game["id"]) as white:
        known = white.game
    await ann.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
    await ben.command(game["id"], type="play", seat="white", ply=2, move="i9h8")
    async with ben.raw_socket(f"/ws/games/{game['id']}") as raw:
        white = Socket(raw)
        white.game = known
        await white.hello(since=known["version"])
        assert [frame["type"] for frame in white.seen].count("state") == 0
        assert made(white.game) == ["a1b2", "i9h8"]
        assert white.game["turn"] == "black"
        assert white.game["legal"] == ""


@pytest.mark.parametrize("since", [-1, 999, None])
async def test_an_unknown_version_gets_the_whole_game(ann, ben, game_of, since):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"], since=since) as black:
        assert black.seen[0]["type"] == "state"


async def test_a_missed_takeback_gets_the_whole_game(ann):
    game, _ = await ann.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    async with ann.socket(game["id"]) as board:
        before = board.game["version"]
        await board.play("a1b2")
        await board.do("ask_takeback", seat="black")
        await board.until("taken_back")
    async with ann.socket(game["id"], since=before) as board:
        assert board.seen[0]["type"] == "state"
        assert board.game["moves"] == []


async def test_several_tabs_of_one_player_agree(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as one, ann.socket(game["id"]) as other:
        await one.play("a1b2")
        await other.until("moved")
        assert made(one.game) == made(other.game) == ["a1b2"]


async def test_the_first_message_is_hello(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.raw_socket(f"/ws/games/{game['id']}") as raw:
        refused = await Socket(raw).ask("play", seat="black", ply=1, move="a1b2")
        assert refused["code"] == "hello-first"


async def test_ping_is_answered_with_the_servers_time(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black:
        await black.send(type="ping", sent=12.5)
        pong = await black.until("pong")
        assert pong["sent"] == 12.5
        assert pong["at"] >= game["at"]


@pytest.mark.parametrize("invalid", [b"\xff", b"\xc3(", b"{}\xed\xa0\x80"])
async def test_text_that_is_not_utf_8_ends_only_its_own_connection(ann, ben, game_of, invalid):
    game = await game_of(ann, ben)
    async with ben.socket(game["id"]) as white, ann.socket(game["id"]) as black:
        # Several at once: the server has to stop at the first. A fragmented one fails as well.
        await black.raw.send(invalid, text=True)
        with contextlib.suppress(ConnectionClosed):
            for _ in range(20):
                await black.raw.send(invalid, text=True)
        await black.raw.wait_closed()
        assert black.raw.close_code == 1007
        async with ann.socket(game["id"]) as again:
            await again.raw.send([invalid[:1], invalid[1:] + b"\xff"], text=True)
            await again.raw.wait_closed()
            assert again.raw.close_code == 1007
        await ann.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
        await white.until("moved")


async def test_a_huge_message_ends_only_its_own_connection(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ben.socket(game["id"]) as white, ann.socket(game["id"]) as black:
        await ann.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
        await white.until("moved")
        await black.raw.send("x" * 100_000)
        await black.raw.wait_closed()
        assert black.raw.close_code == 1009
        await white.play("i9h8")


async def test_presence_is_told(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black:
        assert not black.game["seats"][1]["online"]
        async with ben.socket(game["id"]):
            while "white" not in (await black.until("presence"))["online"]:
                pass
        while "white" in (await black.until("presence"))["online"]:
            pass


@pytest.fixture(scope="module")
def impatient(tmp_path_factory):
    """A server that takes a lost connection for an absence, and an absence for a flight."""
    folder = tmp_path_factory.mktemp("impatient")
    server = ServerProcess(folder / "games.sqlite3", away_ms=100, grace_ms=50).start()
    yield server
    server.stop()


async def test_a_game_whose_other_player_is_gone_can_be_claimed(impatient, player):
    ann, ben = player(impatient.url), player(impatient.url)
    game, links = await ann.new_game(control={"kind": "sudden_death", "ms": 600_000})
    await ben.accept(links["any"])
    async with ann.socket(game["id"]) as black:
        async with ben.socket(game["id"]) as white:
            refused = await white.ask("claim", seat="white", result="win")
            assert refused["code"] == "claim"
        await black.until("went_away", seat="white")
        while "claim_win" not in black.game["can"]:
            await black.receive()
        # On a slow machine White may have been away, and come back, before their connection too.
        while (answer := await black.ask("claim", seat="black", result="win"))["type"] == "error":
            assert answer["code"] == "claim"
        assert black.game["outcome"] == {"winner": "black", "reason": "abandoned", "by": "white"}


async def test_one_who_returns_is_away_no_more(impatient, player):
    ann, ben = player(impatient.url), player(impatient.url)
    game, links = await ann.new_game()
    await ben.accept(links["any"])
    async with ann.socket(game["id"]) as black:
        await black.until("went_away", seat="white")
        async with ben.socket(game["id"]):
            await black.until("came_back", seat="white")


class Sleeper:
    """A WebSocket whose other end says hello and then never reads."""

    def __init__(self, app, headers):
        self.sent = 0
        self.closed = asyncio.Event()
        self._hello = [{"type": "websocket.connect"}, {"type": "websocket.receive", "text": HELLO}]
        scope = {
            "type": "websocket",
            "path": "",
            "query_string": b"",
            "headers": headers,
            "app": app,
            "client": ("127.0.0.1", 1),
        }
        self.websocket = WebSocket(scope, self._receive, self._send)

    async def _receive(self):
        if self._hello:
            return self._hello.pop(0)
        return await asyncio.Event().wait()

    async def _send(self, message):
        if message["type"] == "websocket.close":
            self.closed.set()
        elif message["type"] == "websocket.send":
            self.sent += 1
            await asyncio.Event().wait()


HELLO = '{"type": "hello"}'


async def test_a_sleeping_reader_is_let_go_and_holds_nobody_up(tmp_path):
    async with open_services(Settings(database=str(tmp_path / "games.sqlite3"))) as services:
        ann = await services.people.ensure_stored(
            await services.people.person(services.people.new_guest())
        )
        game = await services.games.create(
            ann, NewGame(seats={"black": SeatMe(), "white": SeatMe()})
        )
        sleeper = Sleeper(None, [])
        await sleeper.websocket.accept()
        identity = services.people.new_guest()
        connection = GameConnection(sleeper.websocket, services, identity, game.id)
        serving = asyncio.create_task(connection.run())
        while not sleeper.sent:
            await asyncio.sleep(0)
        for ref in range(MAX_QUEUED + 10):
            await services.games.command(game.id, ann.id, Chat(ref=str(ref), text="hello?"))
        await serving
        assert sleeper.closed.is_set()
        assert sleeper.sent == 1


class Away:
    """A function whose database is away for some of its first calls."""

    def __init__(self, call, failures):
        self._call = call
        self._failures = failures

    async def __call__(self, *args):
        if self._failures > 0:
            self._failures -= 1
            raise UnavailableError("away")
        return await self._call(*args)


@pytest.mark.parametrize("where", ["fresh", "view", "chat", "announce"])
async def test_a_refused_hello_leaves_nobody_present_and_can_be_repeated(
    tmp_path, monkeypatch, where
):
    async with services_in(tmp_path) as services:
        ann, room = await alone(services)
        owner, name = {
            "fresh": (services.games, "synced_room"),
            "view": (services.games, "view"),
            "chat": (services.games.chat, "lines"),
            "announce": (services.scheduler.presence, "on_connect"),
        }[where]
        monkeypatch.setattr(owner, name, Away(getattr(owner, name), 1))
        hello = {"type": "hello", "ref": "hello"}
        if where == "chat":
            hello |= {"since": room.version}
        async with Client(services, ann.id, room, greet=False) as client:
            client.send(hello)
            refused = await client.until("error")
            assert (refused["code"], refused["ref"]) == ("unavailable", "hello")
            if where != "announce":
                assert await services.presence.people(room.id) == []
            client.send(hello)
            await client.until("presence")
            assert await services.presence.people(room.id) == [ann.id]
            assert "error" not in [one["type"] for one in client.frames]
        assert await services.presence.people(room.id) == []


async def test_a_client_that_was_refused_and_leaves_is_not_present(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        ann, room = await alone(services)
        monkeypatch.setattr(services.games, "view", Away(services.games.view, 99))
        monkeypatch.setattr(services.scheduler.presence, "on_disconnect", Away(None, 99))
        async with Client(services, ann.id, room, greet=False) as client:
            assert (await client.ask({"type": "hello"}))["code"] == "unavailable"
        assert await services.presence.people(room.id) == []


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (WebSocketDisconnect(1006), []),
        (UnavailableError("away"), ["warning"]),
        (RuntimeError("a mistake of ours"), ["error"]),
        (TimeoutError(), ["error"]),
    ],
)
async def test_what_ends_a_connection_is_logged_unless_the_client_is_gone(
    tmp_path, monkeypatch, error, logged
):
    async with services_in(tmp_path) as services:
        ann, room = await alone(services)

        async def fail(*_):
            raise error

        client = Client(services, ann.id, room, greet=False)
        monkeypatch.setattr(client.connection, "on_hub_message", fail)
        with capture_logs() as lines:
            async with client:
                client.send({"type": "ping"})
                await client.serving
        assert [one["log_level"] for one in lines] == logged


@pytest.mark.parametrize(
    ("error", "logged"), [(BadRequest("no", "no"), []), (ZeroDivisionError(), ["error"])]
)
async def test_a_change_that_fails_after_its_client_is_gone(tmp_path, error, logged):
    unretrieved = []
    asyncio.get_running_loop().set_exception_handler(lambda _, one: unretrieved.append(one))

    def decide(room, at):
        raise error

    async with services_in(tmp_path) as services:
        _, room = await alone(services)
        with capture_logs() as lines:
            async with room.lock:
                asking = asyncio.create_task(services.games.change(room.id, decide))
                await asyncio.sleep(0.01)
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
            del asking
            await asyncio.sleep(0.05)
            gc.collect()
            await until(lambda: len(lines) == len(logged))
    assert unretrieved == []
    assert [one["log_level"] for one in lines] == logged


async def test_the_lobby_shows_open_games_until_they_are_full(ann, ben):
    async with ben.raw_socket("/ws/lobby") as raw:
        lobby = Socket(raw)
        await lobby.until("lobby")
        game, _ = await ann.new_game(listed=True)
        while game["id"] not in [one["id"] for one in (await lobby.until("lobby"))["games"]]:
            pass
        assert game["id"] in [one["id"] for one in (await ben.get("/api/lobby"))["games"]]
        await ben.post(f"/api/games/{game['id']}/join", {})
        while game["id"] in [one["id"] for one in (await lobby.until("lobby"))["games"]]:
            pass


async def test_the_lobby_answers_pings(ann):
    async with ann.raw_socket("/ws/lobby") as raw:
        lobby = Socket(raw)
        await lobby.send(type="ping", sent=4711)
        assert (await lobby.until("pong"))["sent"] == 4711


async def test_what_was_said_while_one_was_away_is_heard_after(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black:
        await black.send(type="chat", text="before")
        heard = (await black.until("chat"))["line"]["id"]
    async with ben.socket(game["id"]) as white:
        await white.do("chat", text="meanwhile")
    async with ann.raw_socket(f"/ws/games/{game['id']}") as raw:
        back = Socket(raw)
        await back.send(type="hello", since=game["version"], heard=heard)
        assert (await back.until("chat"))["line"]["text"] == "meanwhile"
        assert [one["type"] for one in back.seen].count("chat") == 1
