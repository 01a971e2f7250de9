"""A server that is killed during games: acknowledged moves are stored, clocks go on."""

import asyncio
import random
import sqlite3

import httpx
import pytest

from sumito import Board
from sumito.server.games.room import Room
from sumito.server.storage import GameRepository, open_database
from support.processes import Player, ServerProcess, legal, made

GAMES = 5


@pytest.fixture
def crashing(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3").start()
    yield server
    if server.process.poll() is None:
        server.stop()


async def play_on(url, cookies, game_id, acknowledged, choose):
    """A bot that plays both seats and notes each acknowledged move, until the server dies."""
    player = Player(url)
    player.http.cookies = cookies
    try:
        game = await player.get(f"/api/games/{game_id}")
        while game["status"] != "over":
            move = choose.choice(legal(game))
            ply = game["ply"]
            await player.command(game_id, type="play", ref=f"{ply}", ply=ply, move=move)
            acknowledged[game_id].append(move)
            game = await player.get(f"/api/games/{game_id}")
    except httpx.TransportError:
        return
    finally:
        await player.close()


SLOW = [pytest.mark.slow, pytest.mark.timeout(3_600)]
"""A hundred servers start one after the other, each in some seconds on a busy machine."""


@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=SLOW)])
async def test_no_acknowledged_move_is_lost_when_the_server_is_killed(crashing, player, kills):
    ann = player(crashing.url)
    choose = random.Random(5)
    acknowledged = {}
    for _ in range(kills):
        while len(acknowledged) < GAMES:
            seats = {"black": {"kind": "me"}, "white": {"kind": "here"}}
            game, _ = await ann.new_game(seats=seats, rules="rulebook")
            acknowledged[game["id"]] = []
        wanted = {id: len(moves) + 4 for id, moves in acknowledged.items()}
        bots = {
            id: asyncio.create_task(
                play_on(crashing.url, ann.http.cookies, id, acknowledged, choose)
            )
            for id in acknowledged
        }
        while any(
            len(acknowledged[id]) < count and not bots[id].done() for id, count in wanted.items()
        ):
            await asyncio.sleep(0.01)
        await asyncio.to_thread(crashing.kill)
        await asyncio.gather(*bots.values())
        await asyncio.to_thread(crashing.start)
        for id in list(acknowledged):
            game = await ann.get(f"/api/games/{id}")
            check(game, acknowledged[id])
            acknowledged[id] = made(game)
            if game["status"] == "over":
                del acknowledged[id]


def check(game, acknowledged):
    stored = made(game)
    # The last move may have been stored without its bot hearing of it.
    assert stored[: len(acknowledged)] == acknowledged
    assert len(stored) <= len(acknowledged) + 1
    board = Board.parse(game["start"])
    for move in stored:
        board.push(board.parse_move(move))
    assert str(board.position) == game["position"]


async def test_a_command_that_was_stored_but_not_heard_is_not_done_twice(crashing, player):
    ann = player(crashing.url)
    game, _ = await ann.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    play = {"type": "play", "ref": "once", "seat": "black", "ply": 1, "move": "a1b2"}
    first = await ann.command(game["id"], **play)
    crashing.kill()
    crashing.start()
    assert await ann.command(game["id"], **play) == first
    assert len((await ann.get(f"/api/games/{game['id']}"))["moves"]) == 1


async def test_an_outage_is_charged_to_nobody(crashing, player):
    ann = player(crashing.url)
    game, _ = await ann.new_game(
        seats={"black": {"kind": "me"}, "white": {"kind": "here"}},
        control={"kind": "sudden_death", "ms": 600_000},
    )
    await ann.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
    crashing.kill()
    with sqlite3.connect(crashing.variables["SUMITO_DATABASE"]) as database:
        for table, column in (
            ("events", "at"),
            ("pulses", "at"),
            ("games", "created_at"),
            ("games", "due_at"),
        ):
            # As if the server had been gone for an hour.
            database.execute(f"UPDATE {table} SET {column} = {column} - 3600000")
    database.close()
    crashing.start()
    async with ann.socket(game["id"]) as board:
        assert board.game["outcome"] is None
        assert board.game["clocks"]["white"] > 300_000
        await board.play("i9h8")
        assert board.game["clocks"]["white"] > 300_000


async def test_connected_people_go_on_after_a_restart(crashing, player):
    ann = player(crashing.url)
    game, _ = await ann.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    async with ann.socket(game["id"]) as board:
        await board.play("a1b2")
        known = board.game["version"]
        crashing.kill()
    crashing.start()
    async with ann.socket(game["id"], since=known) as board:
        assert board.seen[0]["type"] == "presence"
        assert await board.do("play", seat="white", ply=2, move="i9h8") == known + 1


async def test_a_graceful_stop_says_nothing_and_keeps_everything(crashing, player):
    ann = player(crashing.url)
    game, _ = await ann.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    async with ann.socket(game["id"]) as board:
        await board.play("a1b2")
        said = await asyncio.to_thread(crashing.stop)
    assert "Traceback" not in said, said
    assert crashing.process.returncode in (0, -15)
    database = open_database(crashing.variables["SUMITO_DATABASE"])
    store = GameRepository(database)
    room = Room(await store.get(game["id"]), await store.events(game["id"]))
    assert [str(ply.move) for ply in room.game.plies] == ["a1b2"]
    await database.close()
