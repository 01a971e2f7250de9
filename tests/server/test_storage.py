"""The database: bad values, lost transactions, two processes, migrations, clocks."""

import asyncio
import os
import secrets
import sqlite3
import subprocess
import sys
import textwrap

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from typer.testing import CliRunner

from sumito.cli.app import app
from sumito.protocol.commands import Play, Resign
from sumito.protocol.requests import (
    Join,
    NewGame,
    PairingRequest,
    SeatComputer,
    SeatMe,
    SuddenDeath,
)
from sumito.server.base.settings import Settings, SettingsError
from sumito.server.games import service as games_module
from sumito.server.scheduler import scheduler
from sumito.server.services import open_services
from sumito.server.storage import UnavailableError, maintenance, open_database, tables
from sumito.server.storage.database import ValueRangeError, unavailable, violated_table
from support.in_process import guest, play, services_in, together, until
from support.optional_parts import REASONS

POSTGRES = os.environ.get("SUMITO_DATABASE", "")


def needs_postgres(test):
    skip = pytest.mark.skipif(not POSTGRES.startswith("postgres"), reason=REASONS["cluster"])
    return pytest.mark.cluster(skip(test))


# What errors mean.


class OriginalError(Exception):
    """An error as asyncpg's adapter has it."""

    def __init__(self, sqlstate=None, cause=None):
        super().__init__("said by the database")
        self.sqlstate = sqlstate
        self.__cause__ = cause


class DriverDataError(ValueError):
    """asyncpg's own, raised before anything is sent."""


DriverDataError.__name__ = "DataError"
DriverDataError.__module__ = "asyncpg.exceptions"


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (DBAPIError("SELECT", {}, OriginalError("22021")), ValueRangeError),
        (DBAPIError("SELECT", {}, OriginalError("22003")), ValueRangeError),
        (DBAPIError("SELECT", {}, OriginalError(cause=DriverDataError())), ValueRangeError),
        (DataError("SELECT", {}, OriginalError()), ValueRangeError),
        (OverflowError("Python int too large to convert to SQLite INTEGER"), ValueRangeError),
        (DBAPIError("SELECT", {}, OriginalError("40P01")), DBAPIError),
        (DBAPIError("SELECT", {}, OriginalError("40001")), DBAPIError),
        (IntegrityError("INSERT", {}, OriginalError("23503")), IntegrityError),
        (DBAPIError("SELECT", {}, OriginalError("57P01")), UnavailableError),
        (ConnectionResetError(), UnavailableError),
    ],
)
def test_an_error_of_the_database_is_an_outage_only_if_it_is_away(error, meaning):
    assert type(unavailable(error)) is meaning


@pytest.fixture
async def database(tmp_path):
    database = open_database(POSTGRES or str(tmp_path / "games.sqlite3"))
    await database.migrate()
    yield database
    await database.close()


async def test_a_violated_key_names_its_table_and_others_dont(database):
    process = secrets.token_hex(8)
    row = insert(tables.pulses).values(process=process, at=1)
    orphan = insert(tables.ratings).values(person_id="none", mode="two", mu=1, sigma=1, games=0)
    await database.write(lambda connection: connection.execute(row) and None)
    found = []
    for statement in (row, orphan):
        with pytest.raises(IntegrityError) as error:
            await database.write(
                lambda connection, statement=statement: connection.execute(statement) and None
            )
        found.append(violated_table(error.value))
    assert found == ["pulses", None]


async def test_a_value_that_fits_no_column_is_the_askers_mistake(database):
    async def ask(statement, **values):
        await database.read(lambda connection: connection.execute(text(statement), values).all())

    huge = "SELECT id FROM games WHERE created_at = :at"
    with pytest.raises(ValueRangeError, match="can't be stored"):
        await ask(huge, at=10**30)
    assert await database.read(lambda connection: connection.scalar(text("SELECT 1"))) == 1


@needs_postgres
async def test_a_nul_is_the_askers_mistake_on_postgresql(database):
    query = text("SELECT id FROM games WHERE id = :id")
    with pytest.raises(ValueRangeError):
        await database.read(lambda connection: connection.execute(query, {"id": "\0"}).all())


@needs_postgres
async def test_a_deadlock_is_tried_again(database):
    names = [secrets.token_hex(8) for _ in range(2)]
    for name in names:
        row = insert(tables.pulses).values(process=name, at=0)
        await database.write(lambda connection, row=row: connection.execute(row) and None)
    add = text("UPDATE pulses SET at = at + 1 WHERE process = :name")
    wait = text("SELECT pg_sleep(0.3)")

    def both(order):
        def work(connection):
            connection.execute(add, {"name": order[0]})
            connection.execute(wait)
            connection.execute(add, {"name": order[1]})

        return work

    await asyncio.gather(database.write(both(names)), database.write(both(names[::-1])))
    query = text("SELECT at FROM pulses WHERE process = :name")
    for name in names:
        count = await database.read(
            lambda connection, name=name: connection.scalar(query, {"name": name})
        )
        assert count == 2


@needs_postgres
async def test_people_pair_and_are_rated_on_postgresql_whatever_happens_at_once():
    async with open_services(Settings(database=POSTGRES, engines=1)) as services:
        people = []
        for _ in range(4):
            person, name = await guest(services), f"p{secrets.token_hex(6)}"
            await services.people.sign_up(person, name, "a long enough passphrase", "a browser")
            people.append(await services.people.store.get(person.id))
        wanted = PairingRequest(SuddenDeath(secrets.randbelow(10**6) + 600_000), rated=True)
        rooms = await asyncio.gather(*(services.pairing.pair(one, wanted) for one in people))
        assert {(room.status, room.terms.rated) for room in rooms} == {("playing", True)}
        # The same two play several games that end at the same moment, from both sides.
        ann, ben = people[:2]
        games = [await services.games.create(ann, rated_game("black")) for _ in range(3)]
        games += [await services.games.create(ben, rated_game("white")) for _ in range(3)]
        for room in games:
            await services.games.join(ben if ann.id in room.people else ann, room.id, Join())
            by_colour = {str(colour): seat.person_id for colour, seat in room.seats.items()}
            for _ in range(10):
                mover = by_colour[str(room.game.turn)]
                move = next(iter(room.board.legal_moves)).index
                await services.games.command(room.id, mover, Play(ply=room.board.ply, move=move))
        await asyncio.gather(*(services.games.command(room.id, ann.id, Resign()) for room in games))
        for person in (ann, ben):
            assert (await services.people.store.ratings(person.id))["two"].games == len(games)


def rated_game(colour):
    return NewGame(control=SuddenDeath(600_000), rated=True, listed=True, seats={colour: SeatMe()})


# Two processes on one file.


async def test_two_servers_on_one_file_need_redis(tmp_path):
    settings = Settings(database=str(tmp_path / "games.sqlite3"), engines=1)
    async with open_services(settings):
        with pytest.raises(SettingsError, match="another process uses"):
            await maintenance.open_and_migrate(settings)
        shared = open_database(settings.database)
        with pytest.raises(SettingsError, match="another process uses"):
            shared.claim(shared=True)
        await shared.close()
        # Reading, importing and copying are no serving.
        maintenance.backup(settings.database, tmp_path / "copy.sqlite3")
    await maintenance.open_and_migrate(settings)


async def test_servers_joined_by_redis_share_a_file_but_not_with_one_without(tmp_path):
    file = str(tmp_path / "games.sqlite3")
    three = [open_database(file) for _ in range(3)]
    three[0].claim(shared=True)
    three[1].claim(shared=True)
    with pytest.raises(SettingsError, match="another process uses"):
        three[2].claim(shared=False)
    for one in three[:2]:
        await one.close()
    three[2].claim(shared=False)
    await three[2].close()


def test_a_killed_process_holds_no_file(tmp_path):
    file = tmp_path / "games.sqlite3"
    program = f"""
        from sumito.server.storage import open_database
        open_database({str(file)!r}).claim(shared=False)
        print("held", flush=True)
        input()
    """
    holder = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout.readline() == "held\n"
        database = open_database(str(file))
        with pytest.raises(SettingsError, match="another process uses"):
            database.claim(shared=False)
    finally:
        holder.kill()
        holder.wait()
        holder.stdin.close()
        holder.stdout.close()
    database.claim(shared=False)
    asyncio.run(database.close())


# Migrations.


def at_version(file, version):
    """A database as an older version left it."""
    from alembic import command

    from sumito.server.storage.database import _config

    database = open_database(str(file))

    def make(connection):
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, version)

    async def run():
        await database.write(make)
        await database.close()

    asyncio.run(run())


def test_migrate_says_what_it_would_do_and_does_it(tmp_path):
    file = tmp_path / "games.sqlite3"
    at_version(file, "0006")
    command = ["migrate", "--database", str(file)]
    for _ in range(2):
        told = CliRunner().invoke(app, [*command, "--dry-run"])
        assert told.exit_code == 0
        assert told.output.index("0007: Which games") < told.output.index("0009: Final positions")
        assert "0006" not in told.output
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "0009" in done.output
    for again in (command, [*command, "--dry-run"]):
        told = CliRunner().invoke(app, again)
        assert (told.exit_code, "is up to date" in told.output) == (0, True)


def test_migrate_names_a_database_that_isnt_there_or_is_newer(tmp_path):
    missing = tmp_path / "none.sqlite3"
    told = CliRunner().invoke(app, ["migrate", "--dry-run", "--database", str(missing)])
    assert told.exit_code != 0
    assert not missing.exists()
    file = tmp_path / "games.sqlite3"
    at_version(file, "head")
    with sqlite3.connect(file) as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    newer.close()
    told = CliRunner().invoke(app, ["migrate", "--dry-run", "--database", str(file)])
    assert told.exit_code != 0
    assert "newer version" in told.output


def test_migrations_import_nothing_of_the_server():
    from pathlib import Path

    from sumito.server.storage import database

    folder = Path(database.__file__).parent / "migrations" / "versions"
    steps = list(folder.glob("0*.py"))
    assert len(steps) >= 9
    for step in steps:
        assert "sumito.server" not in step.read_text("utf-8"), step.name


@needs_postgres
async def test_a_migration_may_take_longer_than_a_statement(database, monkeypatch):
    from sumito.server.storage import database as module

    monkeypatch.setattr(module, "_PATIENCE_S", 1)
    slow = open_database(POSTGRES)

    def upgrade(connection):
        connection.execute(text("SELECT pg_sleep(2)"))

    monkeypatch.setattr(module, "_upgrade", upgrade)
    await slow.migrate()
    with pytest.raises(UnavailableError):
        await slow.read(lambda connection: connection.execute(text("SELECT pg_sleep(2)")).all())
    await slow.close()


# Clocks.


async def test_a_system_clock_set_back_over_a_restart_stops_no_clock(tmp_path, monkeypatch):
    monkeypatch.setattr(scheduler, "OVERDUE_S", 0.05)
    async with services_in(tmp_path, lag_ms=0) as services:
        ann, _, room = await together(services, ms=600_000)
        await play(services, room, ann)
        stored_at = room.at
    two_hours = 2 * 3_600_000 * 1_000_000
    monkeypatch.setattr(games_module, "_EPOCH_OFFSET_NS", games_module._EPOCH_OFFSET_NS - two_hours)
    async with services_in(tmp_path, lag_ms=0) as services:
        room = await services.games.room(room.id)
        left = room.game.clocks(max(services.games.now(), room.at))
        assert services.games.now() >= stored_at
        assert services.games.now() - stored_at < 600_000
        await asyncio.sleep(0.3)
        after = room.game.clocks(max(services.games.now(), room.at))
        running = room.game.turn
        assert after[running] <= left[running] - 200
        # The time of the outage is nobody's, whatever the system clock says.
        assert left[running] > 590_000


async def test_a_clock_that_is_right_is_left_alone(tmp_path):
    async with services_in(tmp_path) as services:
        assert services.games.not_before(0) == 0
        assert services.games.not_before(services.games.now() - 10_000) == 0
        before = services.games.now()
        assert 9_000 < services.games.not_before(before + 10_000) <= 10_000
        assert services.games.now() >= before + 10_000


async def test_a_claim_after_a_restart_is_announced(tmp_path):
    async with services_in(tmp_path, away_ms=10, grace_ms=60_000) as services:
        ann, _, room = await together(services, ms=600_000)
        await play(services, room, ann)
        await services.presence.enter(room.id, "socket", ann.id)
        await services.scheduler.presence.on_connect(room.id, ann.id)
        await until(lambda: room.game.away)
    async with services_in(tmp_path, away_ms=10, grace_ms=60_000) as services:
        room = await services.games.room(room.id)
        (since,) = room.game.away.values()
        timer = services.scheduler.presence._claim_timers[room.id]
        left = timer.when() - asyncio.get_running_loop().time()
        assert 0 < left <= 60.1
        assert since + 60_000 - services.games.now() <= left * 1000 + 100
        # When it is ripe, everybody is told and nothing waits any more.
        services.games.not_before(services.games.now() + 60_000)
        timer.cancel()
        await services.scheduler.presence._on_claim_due(room.id)
        assert room.id not in services.scheduler.presence._claim_timers


# Abandoned games.


async def aged(services, room, days):
    """Let everything in a game have happened so long ago."""
    ms = days * 86_400_000
    for change in (
        f"UPDATE events SET at = at - {ms} WHERE game_id = '{room.id}'",
        f"UPDATE games SET created_at = created_at - {ms} WHERE id = '{room.id}'",
    ):
        await services.database.write(
            lambda connection, change=change: connection.execute(text(change)) and None
        )
    services.games.rooms.forget(room.id)


async def test_a_game_that_everybody_left_long_ago_is_called_off(tmp_path):
    async with services_in(tmp_path) as services:
        ann, _, old = await together(services)
        await play(services, old, ann)
        _, _, recent = await together(services)
        _, _, clocked = await together(services, ms=600_000)
        ben, _, watched = await together(services)
        seats = {"black": SeatMe(), "white": SeatComputer("friendly")}
        alone = await services.games.create(ann, NewGame(seats=seats))
        invited = await services.games.create(ann, NewGame())
        for room in (old, clocked, watched, alone, invited):
            await aged(services, room, 31)
        await aged(services, recent, 29)
        await services.presence.enter(watched.id, "socket", ben.id)
        await services.presence.enter(old.id, "socket", "a spectator")
        await services.scheduler.presence.call_off_idle_games()
        states = {}
        for room in (old, recent, clocked, watched, alone, invited):
            states[room.id] = (await services.games.store.get(room.id)).status
        assert list(states.values()) == ["over", "playing", "playing", "playing", "over", "over"]
        assert (await services.games.store.get(old.id)).reason == "aborted"


async def test_games_are_never_called_off_if_the_setting_says_so(tmp_path):
    async with services_in(tmp_path, abandon_days=0) as services:
        ann, _, room = await together(services)
        waiting = await services.games.create(ann, NewGame())
        for one in (room, waiting):
            await aged(services, one, 4_000)
        await services.scheduler.presence.call_off_idle_games()
        assert (await services.games.store.get(room.id)).status == "playing"
        assert (await services.games.store.get(waiting.id)).status == "waiting"


async def test_many_abandoned_games_that_cant_be_read_hide_no_other(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        rooms = []
        for _ in range(5):
            _, _, room = await together(services)
            await aged(services, room, 31)
            rooms.append(room)
        ids = services.games.store._ids
        monkeypatch.setattr(services.games.store, "_ids", lambda query, limit=2: ids(query, limit))
        fresh, last = services.games.synced_room, max(room.id for room in rooms)

        async def spoilt(game_id):
            if game_id != last:
                raise KeyError("nobody")
            return await fresh(game_id)

        monkeypatch.setattr(services.games, "synced_room", spoilt)
        await services.scheduler.presence.call_off_idle_games()
        assert (await services.games.store.get(last)).status == "over"
        assert await guest(services)
