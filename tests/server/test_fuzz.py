"""Fuzzing of requests and WebSocket messages: every answer has a reason, the server goes on."""

import asyncio
import json
from typing import get_args

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sumito.protocol import commands
from sumito.server.web import openapi
from sumito.server.web.api import OPERATIONS
from support.processes import PATIENCE, Player, Socket

DOCUMENT = openapi.document(OPERATIONS)
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)

COMMANDS = sorted(str(one.__struct_config__.tag) for one in get_args(commands.Message))
SEATS = st.sampled_from(["black", "white", "red", "nobody", "", None])
MOVES = st.sampled_from([0, 40, 300, 1271, 1272, -1, "a1b2", ""])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
NEARLY = st.fixed_dictionaries(
    {"type": st.sampled_from(COMMANDS)},
    optional={
        "ref": st.text(max_size=70),
        "seat": SEATS,
        "ply": st.integers(-1, 3),
        "move": MOVES,
        "heard": st.integers(-5, 10**12) | st.integers(-(10**30), 10**30),
        "since": st.none() | st.integers(-2, 99) | st.integers(-(10**30), 10**30),
        "protocol": st.integers(-(10**30), 10**30),
        "cells": st.lists(st.sampled_from(["a1", "a2", "a3", "i9", "q0"]), max_size=5),
        "direction": st.sampled_from(["E", "NE", "SW", "up"]),
        "text": st.text(max_size=310),
        "phrase": st.sampled_from(["hello", "insult"]),
        "result": st.sampled_from(["win", "draw", "both"]),
        "sent": ANYTHING,
    },
)
FRAMES = st.one_of(
    NEARLY.map(json.dumps), ANYTHING.map(json.dumps), st.text(max_size=50), st.binary(max_size=50)
)


@SCHEMA.parametrize()
@settings(max_examples=4, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_the_server(case, server):
    response = case.call(base_url=server.url)
    assert response.status_code < 500 or response.status_code == 503, case.as_curl_command()
    case.validate_response(
        response,
        checks=[
            schemathesis.checks.status_code_conformance,
            schemathesis.checks.response_schema_conformance,
        ],
    )


@pytest.fixture(scope="module")
def target(server):
    """A game at one device, and the cookie of its player."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        seats = {"black": {"kind": "me"}, "white": {"kind": "here"}}
        made = client.post("/api/games", json={"seats": seats, "rules": "rulebook"})
        return made.json()["game"]["id"], dict(client.cookies)


@given(st.lists(FRAMES, min_size=1, max_size=12))
@settings(max_examples=15)
def test_no_message_breaks_a_connection(server, target, frames):
    game_id, cookies = target

    async def chat():
        player = Player(server.url)
        player.http.cookies.update(cookies)
        try:
            async with player.socket(game_id) as socket:
                for frame in frames:
                    await socket.raw.send(frame)
                await socket.send(type="ping", sent=4711)
                await socket.until("pong", sent=4711)
            seen = await player.get(f"/api/games/{game_id}")
            assert seen["version"] >= 1
        finally:
            await player.close()

    asyncio.run(chat())


@given(st.binary(max_size=200))
@settings(max_examples=15)
def test_no_body_breaks_an_endpoint(server, body):
    for path in ("/api/games", "/api/accounts", "/api/games/x/commands"):
        answer = httpx.post(server.url + path, content=body, timeout=PATIENCE)
        assert answer.status_code < 500
        assert answer.json().get("error") or answer.status_code == 201


async def test_the_document_is_served_and_names_every_address(ann):
    assert await ann.get("/openapi.json") == json.loads(json.dumps(DOCUMENT))
    assert {(one.path, one.method.lower()) for one in OPERATIONS} == {
        (path, method) for path, methods in DOCUMENT["paths"].items() for method in methods
    }
    assert all(one.summary for one in OPERATIONS)


async def test_messages_out_of_order_are_refused_and_nothing_is_lost(ann):
    game, _ = await ann.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    async with ann.raw_socket(f"/ws/games/{game['id']}") as raw:
        socket = Socket(raw)
        await socket.hello()
        for ply, seat, move in ((2, "white", "i9h8"), (1, "black", "a1b2"), (1, "black", "a2b3")):
            await socket.send(type="play", ref=f"{ply}{move}", seat=seat, ply=ply, move=move)
        answers = {}
        while len(answers) < 3:
            frame = await socket.receive()
            if frame["type"] in ("ack", "error"):
                answers[frame["ref"]] = frame["type"]
    assert answers == {"2i9h8": "error", "1a1b2": "ack", "1a2b3": "error"}
