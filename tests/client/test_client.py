"""The client at a real server: games are created, followed and played; refusals are errors."""

import asyncio
import stat

import pytest

from support.optional_parts import REASONS

pytest.importorskip("httpx", reason=REASONS["tui"])
pytest.importorskip("websockets", reason=REASONS["tui"])
pytest.importorskip("starlette", reason=REASONS["play"])

from sumito import BLACK, WHITE, Move
from sumito.client import Client, GameConnection, RemoteGame, ServerError, TokenStore
from sumito.protocol.frames import EventFrame
from sumito.protocol.requests import NewGame, SeatMe
from support.processes import PATIENCE, ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    process = ServerProcess(tmp_path_factory.mktemp("client") / "games.sqlite3").start()
    yield process
    process.stop()


async def frames_until(connection, condition):
    async with asyncio.timeout(PATIENCE):
        async for frame in connection:
            if condition(frame):
                return frame
    raise AssertionError("the connection has ended")


async def test_two_clients_follow_the_same_game(server):
    async with Client(server.url) as ann, Client(server.url) as ben:
        await ann.sign_in()
        await ben.sign_in()
        created = await ann.create_game(NewGame(seats={"black": SeatMe()}))
        id = await ben.join(server.url + created.invitations["any"])
        assert id == created.game.id
        black, white = RemoteGame(created.game), RemoteGame(await ben.game(id))
        assert (black.my_seats, white.my_seats) == ({BLACK}, {WHITE})
        async with GameConnection(ann, black) as first, GameConnection(ben, white) as second:
            await first.play(Move.parse("a1b2"))
            await frames_until(second, lambda _: white.board.ply == 2)
            await second.play(Move.parse("i5h5"))
            await frames_until(first, lambda _: black.board.ply == 3)
            assert black.board.position == white.board.position
            await second.command("resign")
            await frames_until(first, lambda _: black.outcome is not None)
        assert black.record().result == "1-0"
        assert [move.name for move in black.record().moves] == ["a1b2", "i5h5"]


async def test_a_refused_command_raises_the_reason_and_the_game_goes_on(server):
    async with Client(server.url, language="de") as client:
        await client.sign_in()
        created = await client.create_game(NewGame(seats={"black": SeatMe(), "white": SeatMe()}))
        async with GameConnection(client, RemoteGame(created.game)) as connection:
            with pytest.raises(ServerError) as refusal:
                await connection.command("accept_draw")
            assert refusal.value.code
            assert str(refusal.value)
            await connection.play(Move.parse("a1b2"))
            frame = await frames_until(connection, lambda frame: isinstance(frame, EventFrame))
            assert frame.version == connection.game.view.version


async def test_commands_fail_when_the_connection_is_closed(server):
    async with Client(server.url) as client:
        await client.sign_in()
        created = await client.create_game(NewGame(seats={"black": SeatMe(), "white": SeatMe()}))
        async with GameConnection(client, RemoteGame(created.game)) as connection:
            await connection.close()
            with pytest.raises(ServerError, match="not connected"):
                await connection.play(Move.parse("a1b2"))


async def test_a_stored_token_is_used_again_and_only_its_owner_may_read_it(server, tmp_path):
    path = tmp_path / "folder" / "tokens.json"
    for _ in range(2):
        async with Client(server.url, tokens=TokenStore(path)) as client:
            await client.sign_in()
            created = await client.create_game(NewGame(seats={"black": SeatMe()}))
            games = {game.id for game in await client.my_games()}
            assert created.game.id in games
    assert len(games) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text('{"', "utf-8")
    async with Client(server.url, tokens=TokenStore(path)) as client:
        await client.sign_in()
        assert await client.my_games() == []


async def test_a_server_that_does_not_answer_is_an_error():
    async with Client("http://127.0.0.1:1") as client:
        with pytest.raises(ServerError, match="can't be reached"):
            await client.open_games()
