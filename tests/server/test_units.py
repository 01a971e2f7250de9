"""Units of the server: settings, ratings, event rows, views, database, queues."""

import asyncio
import dataclasses
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import IntegrityError

from sumito.cli import serve
from sumito.game import events
from sumito.protocol import scalars
from sumito.rules.modes import Colour
from sumito.rules.move import MOVES
from sumito.rules.rules import Outcome, Reason
from sumito.server.accounts.accounts import clean_name
from sumito.server.base.settings import Settings, SettingsError
from sumito.server.games import event_rows as story
from sumito.server.ratings.ratings import RatedResult, Rating, displayed, rated
from sumito.server.realtime.queue import LightEvent, SingleReaderQueue
from sumito.server.refusals import Refusal
from sumito.server.storage import open_database, tables
from sumito.server.storage.database import PostgresDatabase

# Settings.


def test_flags_go_before_variables_and_variables_before_defaults():
    variables = {"SUMITO_PORT": "81", "SUMITO_HOST": "::1"}
    settings = Settings.read(variables, port=82, host=None)
    assert (settings.port, settings.host, settings.workers) == (82, "::1", 1)


def test_settings_pass_through_the_environment_unchanged():
    settings = Settings(port=81, redis="redis://x", workers=3, log="json")
    assert Settings.read(settings.as_environment()) == settings


@pytest.mark.parametrize(
    "wrong",
    [
        {"workers": 2},
        {"workers": 0},
        {"log": "xml"},
        {"port": 70_000},
        {"log_level": "loud"},
        {"lag_ms": -5},
        {"away_ms": -1},
        {"grace_ms": -1},
        {"engines": -1},
        {"connections": 0},
        {"header_ms": 0},
        {"requests": "many"},
        {"sign_ins": "0/minute"},
        {"messages": ""},
        {"origins": "example.org"},
        {"proxies": "the proxy"},
        {"redis": "localhost"},
        {"redis": "unix://"},
        {"sockets": "fast"},
        {"chat": "often"},
        {"address_messages": "0/second"},
        {"public_url": "play.example.org"},
        {"public_url": "https://play.example.org/sumito"},
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused_by_name(wrong):
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        Settings(**wrong)


def test_a_variable_that_is_no_number_is_named():
    with pytest.raises(SettingsError, match="SUMITO_PORT is a whole number, not 'high'"):
        Settings.read({"SUMITO_PORT": "high"})


# Ratings.


def test_the_winner_goes_up_and_a_surprise_moves_more():
    equals = rated(RatedResult("two", (("a",), ("b",)), (0, 1)), {})
    strong = {"a": Rating(mu=35, sigma=4), "b": Rating(mu=15, sigma=4)}
    expected = rated(RatedResult("two", (("a",), ("b",)), (0, 1)), strong)
    upset = rated(RatedResult("two", (("a",), ("b",)), (1, 0)), strong)
    assert displayed(equals["a"]) > 1500 > displayed(equals["b"])
    assert expected["a"].mu - 35 < upset["b"].mu - 15


def test_a_draw_between_equals_changes_no_rating():
    after = rated(RatedResult("two", (("a",), ("b",)), (0, 0)), {})
    assert displayed(after["a"]) == displayed(after["b"]) == 1500
    assert after["a"].games == 1


# Stories.


def an_event(kind, random):
    """Some event of a kind."""
    some = {
        "seat": random.choice(list(Colour)),
        "move": random.choice(MOVES),
        "clock": random.choice([None, 5]),
        "lag": 3,
        "reason": random.choice(list(Reason)),
        "by": random.choice([None, *Colour]),
        "outcome": Outcome(random.choice([None, *Colour]), random.choice(list(Reason))),
        "plies": 2,
        "lost": 7,
        "name": "Ann",
        "id": "abc",
    }
    names = [
        field.name for field in dataclasses.fields(kind) if field.name not in ("version", "at")
    ]
    return kind(**{name: some[name] for name in names}, version=9, at=12)


@given(st.sampled_from(list(story.KINDS.values())), st.randoms(use_true_random=False))
def test_every_event_is_stored_and_read_again(kind, random):
    event = an_event(kind, random)
    assert story.from_entry(story.to_entry(event)) == event


def test_every_event_of_a_game_can_be_stored():
    kinds = [
        kind
        for kind in vars(events).values()
        if isinstance(kind, type) and issubclass(kind, events.Event)
    ]
    bases = {base for kind in kinds for base in kind.__bases__}
    assert set(kinds) - bases - {events.ExternalEvent} <= set(story.KINDS.values())
    assert len(set(kinds) - bases) > 10


# Views.


@given(st.lists(st.integers(0, len(MOVES) - 1)))
def test_packed_moves_are_two_letters_each_and_read_again(indices):
    packed = scalars.pack(indices)
    assert len(packed) == 2 * len(indices)
    assert scalars.unpack(packed) == indices


def test_the_pages_types_are_those_of_the_wire():
    script = Path(__file__).parents[2] / "scripts" / "protocol.py"
    subprocess.run([sys.executable, script, "--check"], check=True)


# Names.


@given(st.text())
def test_a_name_is_clean_or_refused(text):
    try:
        name = clean_name(text)
    except Refusal:
        return
    assert name == clean_name(name)
    assert 0 < len(name) <= 30
    assert name.isprintable()


# The database.


@pytest.fixture
async def database(tmp_path):
    database = open_database(str(tmp_path / "games.sqlite3"))
    await database.migrate()
    yield database
    await database.close()


async def test_the_migrations_make_the_tables_that_the_code_wants(database):
    def columns(connection: Connection):
        inspector = inspect(connection)
        return {
            table: {column["name"] for column in inspector.get_columns(table)}
            for table in inspector.get_table_names()
            if table != "alembic_version"
        }

    wanted = {
        name: {column.name for column in table.columns}
        for name, table in tables.METADATA.tables.items()
    }
    assert await database.read(columns) == wanted
    await database.migrate()


async def test_work_that_comes_together_is_committed_together_but_fails_alone(database):
    def save(id, process):
        def work(connection: Connection):
            connection.execute(tables.outages.insert().values(started_at=id + 100, stopped_at=0))
            connection.execute(tables.pulses.insert().values(process=process, at=id))
            return id

        return work

    results = await asyncio.gather(
        *(database.write(save(id, process)) for id, process in enumerate("aabcb")),
        return_exceptions=True,
    )
    assert [result for result in results if isinstance(result, int)] == [0, 2, 3]
    assert all(isinstance(results[at], IntegrityError) for at in (1, 4))
    kept = await database.read(
        lambda connection: list(connection.scalars(text("SELECT stopped_at FROM outages")))
    )
    assert len(kept) == 3


async def test_sqlite_waits_for_the_disk(database):
    def pragmas(connection: Connection):
        return [
            connection.scalar(text(f"PRAGMA {name}")) for name in ("journal_mode", "synchronous")
        ]

    assert await database.read(pragmas) == ["wal", 2]


def test_a_database_is_a_file_or_a_postgresql(tmp_path):
    assert isinstance(open_database("postgresql://x@localhost/y"), PostgresDatabase)
    with pytest.raises(SettingsError, match="mysql:// is no database of ours"):
        open_database("mysql://x")


# Metrics.


def test_the_figures_of_several_processes_are_counted_together(tmp_path):
    counting = "from sumito.server.base import metrics; metrics.EVENTS.labels('moved').inc(2)"
    shared = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for _ in range(2):
        subprocess.run([sys.executable, "-c", counting + "; metrics.SOCKETS.inc()"], env=shared)
    telling = "from sumito.server.base import metrics; print(metrics.text().decode())"
    said = subprocess.run(
        [sys.executable, "-c", telling], env=shared, capture_output=True, text=True, check=True
    ).stdout
    assert 'sumito_events_total{type="moved"} 4.0' in said
    # The sockets of the dead are gone with them.
    assert "sumito_sockets 2.0" not in said


# Queues.


async def test_a_queue_keeps_the_order_after_its_reader_was_cancelled():
    queue = SingleReaderQueue()
    reading = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    queue.put_nowait(1)
    queue.put_nowait(2)
    assert [await queue.get(), await queue.get(), queue.empty()] == [1, 2, True]


async def test_an_event_wakes_all_waiters_even_if_one_is_cancelled():
    event = LightEvent()
    await event.wait()
    event.clear()
    event.clear()
    first, second = asyncio.create_task(event.wait()), asyncio.create_task(event.wait())
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    assert not second.done()
    event.set()
    event.set()
    await second


@pytest.mark.parametrize(
    ("version", "sockets", "protocol"),
    [
        ("0.54.3", "auto", "LeanProtocol"),
        ("0.54.3", "plain", "StrictProtocol"),
        ("0.55.0", "auto", "StrictProtocol"),
    ],
)
def test_only_a_uvicorn_it_was_tried_with_gets_the_lean_protocol(
    monkeypatch, version, sockets, protocol
):
    monkeypatch.setattr(metadata, "version", {"uvicorn": version}.__getitem__)
    options = serve._options(Settings(sockets=sockets))
    assert options["ws"] == f"sumito.server.sockets.protocol:{protocol}"
