"""Database maintenance: permissions, readable errors, backup, health."""

import os
import resource
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing

import httpx
import pytest

from sumito.errors import SumitoError
from sumito.server.base.settings import Settings, SettingsError
from sumito.server.storage import maintenance, open_database
from support.processes import PATIENCE, Player, ServerProcess, sign_up


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


async def test_the_database_is_its_owners_alone(tmp_path):
    file = tmp_path / "games.sqlite3"
    await maintenance.open_and_migrate(Settings(database=str(file)))
    assert mode(file) == 0o600
    file.chmod(0o644)
    await maintenance.open_and_migrate(Settings(database=str(file)))
    assert mode(file) == 0o640


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("nowhere/games.sqlite3", "there is no folder"),
        (".", "is a folder"),
        ("sqlite://", "is a folder"),
        ("mysql://localhost/x", "is no database of ours"),
        ("postgresql://", "can't use the database"),
        ("postgresql://u:geheim@127.0.0.1:1/x", "can't use the database postgresql://u:.hidden.@"),
        ("postgresql://127.0.0.1:port/x", "is no address of a database"),
        ("text.txt", "file is not a database"),
        ("newer.sqlite3", "newer version of Sumito"),
    ],
)
async def test_a_database_that_cant_be_used_is_a_sentence(tmp_path, monkeypatch, database, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("this is no database\n" * 99)
    with sqlite3.connect(tmp_path / "newer.sqlite3") as newer:
        newer.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        newer.execute("INSERT INTO alembic_version VALUES ('9999')")
    newer.close()
    with pytest.raises(SettingsError, match=said) as refused:
        await maintenance.open_and_migrate(Settings(database=database))
    assert "geheim" not in str(refused.value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("SUMITO_LAG_MS", "-5"), ("SUMITO_DATABASE", "mysql://x"), ("SUMITO_SIGN_INS", "often")],
)
def test_a_wrong_setting_stops_the_server_with_one_sentence(variable, value):
    done = subprocess.run(
        [sys.executable, "-m", "sumito", "serve", "--port", "0"],
        env=os.environ | {variable: value},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


async def test_a_copy_made_while_people_play_is_whole(tmp_path):
    file, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    server = ServerProcess(file).start()
    ann = Player(server.url)
    try:
        name = await sign_up(ann)
        game, _ = await ann.new_game()
        maintenance.backup(str(file), copy)
        with pytest.raises(SumitoError, match="File exists"):
            maintenance.backup(str(file), copy)
    finally:
        await ann.close()
        server.kill()
    assert mode(copy) == 0o600
    server = ServerProcess(copy).start()
    ann = Player(server.url)
    try:
        await ann.post("/api/session", {"name": name, "password": "correct horse"})
        mine = await ann.get("/api/games?mine=1")
        assert [one["id"] for one in mine["games"]] == [game["id"]]
    finally:
        await ann.close()
        server.stop()


def test_a_copy_ends_while_somebody_writes_all_the_time(tmp_path):
    file, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    with closing(sqlite3.connect(file)) as large:
        # Small pages: a copy in steps would take many of them.
        large.execute("PRAGMA page_size=512")
        large.execute("PRAGMA journal_mode=WAL")
        large.execute("CREATE TABLE bulk (body BLOB)")
        large.execute("CREATE TABLE last (number INTEGER)")
        large.executemany("INSERT INTO bulk VALUES (?)", [(os.urandom(400_000),)] * 40)
        large.execute("INSERT INTO last VALUES (0)")
        large.commit()
    committed, stop = [0], threading.Event()

    def write():
        with closing(sqlite3.connect(file, isolation_level=None)) as writer:
            writer.execute("PRAGMA synchronous=OFF")
            while not stop.wait(0.004):
                writer.execute("UPDATE last SET number = number + 1")
                committed[0] += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while not committed[0]:
            stop.wait(0.01)
        acknowledged = committed[0]
        # In a process of its own: one that never ended would otherwise hold up all other tests.
        command = [sys.executable, "-m", "sumito", "backup", str(copy), "--database", str(file)]
        subprocess.run(command, check=True, timeout=60, capture_output=True)
    finally:
        stop.set()
        writer.join()
    assert mode(copy) == 0o600
    with closing(sqlite3.connect(copy)) as copied:
        assert copied.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert copied.execute("SELECT count(*), sum(length(body)) FROM bulk").fetchone() == (
            40,
            16_000_000,
        )
        (number,) = copied.execute("SELECT number FROM last").fetchone()
    assert acknowledged <= number <= committed[0]


def test_a_copy_needs_a_database(tmp_path):
    with pytest.raises(SumitoError, match="there is no database"):
        maintenance.backup(str(tmp_path / "none.sqlite3"), tmp_path / "copy.sqlite3")
    with pytest.raises(SumitoError, match="pg_dump"):
        maintenance.backup("postgresql://localhost/x", tmp_path / "copy.sqlite3")
    assert not (tmp_path / "copy.sqlite3").exists()


def test_health_tells_of_a_locked_and_a_full_disk(tmp_path):
    file = tmp_path / "games.sqlite3"
    server = ServerProcess(file, log="text").start()

    def health():
        return httpx.get(server.url + "/healthz", timeout=PATIENCE)

    def until(status):
        for _ in range(100):
            answer = health()
            if answer.status_code == status:
                return answer
            subprocess.run(["sleep", "0.2"])
        raise AssertionError(answer.text)

    try:
        assert health().json() == {"status": "ok"}
        locker = sqlite3.connect(file, isolation_level=None)
        locker.execute("BEGIN EXCLUSIVE")
        assert until(503).json()["error"]["code"] == "unwell"
        locker.execute("ROLLBACK")
        locker.close()
        until(200)
        # No file may grow any more: what a full disk looks like.
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, 1))
        until(503)
    finally:
        server.kill()


async def test_a_broken_database_is_seen_behind_what_is_remembered(tmp_path):
    file = tmp_path / "games.sqlite3"
    database = open_database(str(file))
    await database.migrate()
    await database.check_readable()
    for one in (file, tmp_path / "games.sqlite3-wal"):
        one.write_bytes(b"?" * one.stat().st_size)
    with pytest.raises(sqlite3.DatabaseError):
        await database.check_readable()
    await database.close()
