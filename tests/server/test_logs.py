"""Logs: tracebacks, redaction, truncation, control characters."""

import io
import json
import logging
import sqlite3

import httpx
import pytest
import structlog
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from sumito.server.base import logs
from sumito.server.base.settings import Settings
from sumito.server.web.middleware import RequestLog, SafeHeaders
from support.processes import Player, ServerProcess


@pytest.fixture
def lines(monkeypatch):
    """What is logged from here on, as JSON."""
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    handlers, level = logging.root.handlers, logging.root.level
    logs.configure(Settings())
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    logging.root.handlers = handlers
    logging.root.setLevel(level)
    structlog.reset_defaults()


def test_a_traceback_shows_no_values(lines):
    def fail(password):
        raise ValueError("the disk is full")

    try:
        fail(" ".join(["correct", "horse"]))
    except ValueError:
        structlog.get_logger().exception("a request failed")
        logging.getLogger("uvicorn.error").exception("a request failed")
    for line in lines():
        assert "the disk is full" in line["exception"]
        assert "in fail" in line["exception"]
        assert "correct horse" not in json.dumps(line)
    assert len(lines()) == 2


@pytest.mark.parametrize(
    "said",
    [
        "cookie: sumito=SECRET; other=1",
        "(b'cookie', b'sumito=SECRET')",
        "Authorization: Bearer SECRET",
        "postgresql://sumito:SECRET@localhost/x refused",
        '{"name": "ann", "password": "SECRET"}',
        "$argon2id$v=19$m=65536,t=3,p=4$SECRET$SECRET",
        "GET /g/abc?seat=white&key=SECRET",
    ],
)
def test_secrets_are_hidden_wherever_they_stand(lines, said):
    structlog.get_logger().warning("odd", said=said)
    logging.getLogger("uvicorn.error").warning(said)
    assert "SECRET" not in json.dumps(lines())
    structlog.get_logger().warning("odd", password="SECRET", token="SECRET", cookie="SECRET")
    assert "SECRET" not in json.dumps(lines())
    assert len(lines()) == 3


def test_no_line_is_longer_than_a_screen(lines):
    def deep(n):
        if n:
            deep(n - 1)
        raise ValueError("x" * 100_000)

    try:
        deep(400)
    except ValueError:
        structlog.get_logger().exception("y" * 100_000, path="z" * 100_000)
    assert len(json.dumps(lines()[0])) < 10_000


@pytest.mark.parametrize(
    "odd", ["\x1b]0;owned\x07", "\r\n", "\0", "\x9b2J", "\u202e", "\u2028", "\ud800"]
)
def test_a_log_as_text_shows_control_characters_as_escapes(monkeypatch, odd):
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    handlers, level = logging.root.handlers, logging.root.level
    logs.configure(Settings(log="text"))
    try:
        structlog.get_logger().info(f"event {odd}", path=f"/{odd}")
        logging.getLogger("uvicorn.error").warning("from a library %s", odd)
        try:
            {}[odd]
        except KeyError:
            structlog.get_logger().exception("failed")
        error = ValueError(odd)
        structlog.get_logger().error("failed", exc_info=error)
    finally:
        logging.root.handlers = handlers
        logging.root.setLevel(level)
        structlog.reset_defaults()
    text = written.getvalue()
    assert "Traceback" in text
    assert text.replace("\n", "").isprintable()


async def test_a_failing_sign_up_leaves_no_password_in_the_log(tmp_path):
    database = tmp_path / "games.sqlite3"
    server = ServerProcess(database, log="text").start()
    ann = Player(server.url)
    locker = sqlite3.connect(database, isolation_level=None)
    try:
        locker.execute("DROP TABLE people")
        answer = await ann.http.post(
            "/api/accounts", json={"name": "ann", "password": "correct horse"}
        )
    finally:
        locker.close()
        await ann.close()
        said = server.stop()
    assert answer.status_code == 503
    assert "the database is unavailable" in said
    assert "correct horse" not in said
    assert "argon2id$" not in said
    assert len(said) < 20_000


async def test_requests_and_failed_sign_ins_are_logged_as_json_without_a_terminal(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3", log_level="info").start()
    ann = Player(server.url)
    try:
        await ann.post("/api/session", {"name": "nobody", "password": "correct horse"}, 401)
    finally:
        await ann.close()
        said = [json.loads(line) for line in server.stop().splitlines()]
    events = {line["event"]: line for line in said}
    assert events["sign-in failed"]["account"] is None
    assert events["sign-in failed"]["address"] == "127.0.0.1"
    request = next(line for line in said if line.get("path") == "/api/session")
    assert (request["method"], request["status"]) == ("POST", 401)
    assert "correct horse" not in json.dumps(said)


@pytest.mark.parametrize("origin", ["http://[", "null", "http://[::1", "\x7f"])
async def test_an_odd_origin_is_another_site(player, origin):
    refused = await player(Origin=origin).post("/api/games", {}, 403)
    assert refused["error"]["code"] == "wrong-origin"


async def test_a_failure_is_logged_once_and_answered_with_strict_headers(lines):
    async def fail(_):
        raise RuntimeError("nobody thought of this")

    app = Starlette(
        routes=[Route("/", fail)], middleware=[Middleware(SafeHeaders), Middleware(RequestLog)]
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
        answer = await client.get("/", headers={"Accept-Language": "de"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "failed")
    assert "schiefgegangen" in answer.json()["error"]["message"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert [line["event"] for line in lines() if "method" in line] == [
        "a request failed",
        "request",
    ]
