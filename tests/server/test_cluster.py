"""Several processes on PostgreSQL or one SQLite file, joined by Redis."""

import asyncio
import os
import subprocess

import pytest

from sumito.protocol.scalars import unpack
from support.optional_parts import REASONS
from support.processes import ServerProcess, made

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(not os.environ.get("SUMITO_REDIS"), reason=REASONS["cluster"]),
]


@pytest.fixture
def second(database, redis):
    server = ServerProcess(database, redis).start()
    yield server
    if server.process.poll() is None:
        said = server.stop()
        assert "Traceback" not in said, said


async def test_two_people_play_by_way_of_two_processes(ann, player, second):
    ben = player(second.url)
    game, links = await ann.new_game()
    await ben.accept(links["any"])
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        for _ in range(5):
            await black.play()
            await white.until("moved")
            await white.play()
            await black.until("moved")
        assert made(black.game) == made(white.game)
        assert len(black.game["moves"]) == 10
        await white.do("chat", seat="white", text="well?")
        assert (await black.until("chat"))["line"]["text"] == "well?"


async def test_presence_is_known_to_all_processes(ann, player, second):
    ben = player(second.url)
    game, links = await ann.new_game()
    await ben.accept(links["any"])
    async with ann.socket(game["id"]) as black:
        async with ben.socket(game["id"]):
            while "white" not in (await black.until("presence"))["online"]:
                pass
        while "white" in (await black.until("presence"))["online"]:
            pass


async def test_of_two_moves_at_once_only_one_is_made(player, server, second):
    one, other = player(server.url), player(second.url)
    game, _ = await one.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    other.http.cookies = one.http.cookies
    for ply in range(1, 21):
        moves = unpack((await one.get(f"/api/games/{game['id']}"))["legal"])
        seat = "black" if ply % 2 else "white"
        answers = await asyncio.gather(
            *(
                who.http.post(
                    f"/api/games/{game['id']}/commands",
                    json={"type": "play", "seat": seat, "ply": ply, "move": move},
                )
                for who, move in zip((one, other), moves, strict=False)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
    seen = await other.get(f"/api/games/{game['id']}")
    assert len(seen["moves"]) == 20
    assert seen == {**await one.get(f"/api/games/{game['id']}"), "at": seen["at"]}


async def test_a_seat_is_taken_once_by_way_of_two_processes(ann, player, server, second):
    for _ in range(25):
        game, links = await ann.new_game()
        rivals = [player(server.url), player(second.url)]
        body = {"key": links["any"].split("=")[-1]}
        answers = await asyncio.gather(
            *(one.http.post(f"/api/games/{game['id']}/join", json=body) for one in rivals)
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]


async def test_several_workers_serve_at_one_address(database, redis, player):
    server = ServerProcess(database, redis, workers=2).start()
    try:
        ann, ben = player(server.url), player(server.url)
        game, links = await ann.new_game()
        await ben.accept(links["any"])
        for _ in range(5):
            async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
                await black.play()
                await white.until("moved")
                await white.play()
        seen = [await player(server.url).get(f"/api/games/{game['id']}") for _ in range(8)]
        assert {len(one["moves"]) for one in seen} == {10}
    finally:
        said = server.stop()
    assert "Traceback" not in said, said


async def test_another_process_flags_when_the_one_that_watched_is_killed(ann, player, second):
    ben = player(second.url)
    game, links = await ben.new_game(control={"kind": "sudden_death", "ms": 4_000})
    await ann.accept(links["any"])
    async with ann.socket(game["id"]) as white:
        second.kill()
        ended = await white.until("ended")
        assert ended["outcome"] == {"winner": "white", "reason": "flag", "by": "black"}


@pytest.mark.skipif(not os.environ.get("SUMITO_POSTGRES_CONTROL"), reason=REASONS["cluster"])
async def test_postgresql_is_stopped_and_started_during_a_game(database, redis, player):
    def control(*words):
        subprocess.run([os.environ["SUMITO_POSTGRES_CONTROL"], *words], check=True)

    server = ServerProcess(database, redis).start()
    try:
        ann, ben = player(server.url), player(server.url)
        game, links = await ann.new_game(control={"kind": "sudden_death", "ms": 20_000})
        await ben.accept(links["any"])
        async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
            await black.play()
            await white.until("moved")
            await asyncio.to_thread(control, "stop", "-m", "immediate")
            refused = await white.ask("resign")
            assert refused["code"] == "unavailable"
            await asyncio.sleep(5)
            await asyncio.to_thread(control, "start")
            while (await white.ask("play", **a_move(white.game)))["type"] != "ack":
                await asyncio.sleep(0.2)
            await black.until("moved", seat="white")
            # The time without a database is charged to nobody.
            seen = await ann.get(f"/api/games/{game['id']}")
            assert seen["clocks"]["white"] > 20_000 - 5_000
            await black.play()
            await white.until("moved", seat="black")
    finally:
        server.stop()


def a_move(game):
    return {"ply": game["ply"], "move": unpack(game["legal"])[0]}
