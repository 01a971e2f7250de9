"""PostgreSQL in operation: backup, upgrade, and a server that hangs."""

import asyncio
import os
import secrets
import subprocess
from pathlib import Path

import msgspec
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from sumito.protocol.scalars import unpack
from sumito.server.storage import ChatRepository, open_database
from sumito.server.storage import database as module
from support.optional_parts import REASONS
from support.processes import ServerProcess, made

CONTROL = os.environ.get("SUMITO_POSTGRES_CONTROL", "")
pytestmark = [pytest.mark.cluster, pytest.mark.skipif(not CONTROL, reason=REASONS["cluster"])]


@pytest.fixture
def another(database):
    """The address of a database that was made just now, beside the tests' own."""
    server, _, _ = database.rpartition("/")
    name = f"other_{secrets.token_hex(4)}"
    subprocess.run(["psql", "-q", "-d", database, "-c", f"CREATE DATABASE {name}"], check=True)
    yield f"{server}/{name}"
    drop = f"DROP DATABASE {name} WITH (FORCE)"
    subprocess.run(["psql", "-q", "-d", database, "-c", drop], check=True)


async def test_a_game_goes_on_from_a_backup(database, redis, server, another, player, tmp_path):
    ann, ben = player(), player()
    game, links = await ann.new_game(control={"kind": "sudden_death", "ms": 600_000})
    await ben.accept(links["any"])
    async with ann.socket(game["id"]) as black:
        await black.play()
    dump = tmp_path / "games.dump"
    # As docs/how-to/server.md says, while the server runs.
    subprocess.run(["pg_dump", "--format=custom", f"--file={dump}", database], check=True)
    restored = ["pg_restore", "--no-owner", "--exit-on-error", f"--dbname={another}", dump]
    subprocess.run(restored, check=True)
    elsewhere = ServerProcess(another).start()
    try:
        back = player(elsewhere.url)
        back.http.cookies = ben.http.cookies
        async with back.socket(game["id"]) as white:
            assert len(made(white.game)) == 1
            await white.play()
            assert len(made(white.game)) == 2
        new, _ = await back.new_game()
        assert new["id"] != game["id"]
    finally:
        said = elsewhere.stop()
    assert "Traceback" not in said, said


async def test_a_database_of_the_first_version_is_brought_up_to_date(another):
    old = open_database(another)

    def make(connection):
        config = Config()
        folder = Path(module.__file__).parent / "migrations"
        config.set_main_option("script_location", str(folder))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(
            text(
                "INSERT INTO games VALUES ('g', 'p', '{}', 'over', true, 1, 1, 1, 0, '', 0, "
                "'', '', 0)"
            )
        )
        body = '{"from":"white","at":5,"preset":"hello"}'
        connection.execute(text("INSERT INTO chat VALUES (1, 'g', 5, :body)"), {"body": body})

    await old.write(make)
    await old.close()
    # Two processes that start at once: one brings the tables up to date, the other waits for it.
    both = [open_database(another), open_database(another)]
    await asyncio.gather(*(one.migrate() for one in both))
    ((id, line),) = await ChatRepository(both[0]).lines("g")
    assert (id, msgspec.json.decode(line)["phrase"]) == (1, "hello")
    for one in both:
        await one.close()


async def test_a_postgresql_that_hangs_costs_nobody_time(database, redis, player):
    def control(word):
        subprocess.run([CONTROL, word], check=True)

    server = ServerProcess(database, redis).start()
    try:
        ann, ben = player(server.url), player(server.url)
        game, links = await ann.new_game(control={"kind": "sudden_death", "ms": 9_000})
        await ben.accept(links["any"])
        async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
            await black.play()
            await white.until("moved")
            await asyncio.to_thread(control, "freeze")
            try:
                # Longer than White has.
                await asyncio.sleep(12)
            finally:
                await asyncio.to_thread(control, "thaw")
            while (answer := await white.ask("play", **a_move(white.game)))["type"] != "ack":
                assert answer["code"] == "unavailable"
                await asyncio.sleep(0.2)
            await black.until("moved", seat="white")
            await black.play()
            await white.until("moved", seat="black")
            assert white.game["status"] == "playing"
    finally:
        server.stop()


def a_move(game):
    return {"ply": game["ply"], "move": unpack(game["legal"])[0]}
