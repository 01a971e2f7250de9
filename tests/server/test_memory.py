"""Memory under repeated and refused messages."""

import asyncio
import gc
import secrets
import weakref
from pathlib import Path

import pytest

from sumito.server.base.gc_policy import frozen_start
from support.in_process import Client, alone, services_in
from support.optional_parts import REASONS
from support.processes import Player, ServerProcess

MESSAGES = {
    "a repeated chat line": {"type": "chat", "text": "x", "ref": "same"},
    "a refused command": {"type": "accept_draw"},
    "an illegal move": {"type": "play", "ply": 1, "move": 3},
    "an unknown message": {"type": "castle"},
    "a question": {"type": "why", "cells": ["a1"], "direction": "W", "ref": "1"},
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
async def test_an_answer_leaves_no_reference_cycle_behind(tmp_path, message):
    count = 200
    async with services_in(tmp_path, messages="1000000/second") as services:
        ann, room = await alone(services)
        async with Client(services, ann.id, room) as client:
            for _ in range(count):
                await client.ask(message)
            gc.collect()
            gc.disable()
            try:
                before = len(gc.get_objects())
                for _ in range(count):
                    await client.ask(message)
                grown = len(gc.get_objects()) - before
                cyclic = gc.collect()
            finally:
                gc.enable()
    # One exception with its traceback alone is 60 objects or more.
    assert cyclic < count
    assert grown < 5 * count


class Node:
    """Something that holds itself."""

    def __init__(self):
        self.self = self


def test_cycles_that_outlive_young_collections_are_freed_in_the_end():
    with frozen_start():
        assert gc.get_freeze_count() > 1_000
        frozen = gc.get_freeze_count()
        nodes = [Node() for _ in range(1_000)]
        for generation in range(2):
            gc.collect(generation)
        seen = weakref.WeakSet(nodes)
        del nodes
        kept = []
        while seen and len(kept) < 4_000_000:
            kept.append([])
        assert not seen
        assert gc.get_freeze_count() <= frozen
    assert gc.get_freeze_count() == 0


def resident_mb(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason=REASONS["linux"])
@pytest.mark.parametrize("kind", ["a repeated chat line", "a refused command"])
async def test_a_server_does_not_grow_under_repeated_messages(tmp_path, kind):
    unlimited = "1000000/second"
    server = ServerProcess(
        tmp_path / "games.sqlite3", messages=unlimited, address_messages=unlimited, chat=unlimited
    ).start()
    ann = Player(server.url)
    try:
        seats = {"black": {"kind": "me"}, "white": {"kind": "here"}}
        game, _ = await ann.new_game(seats=seats)

        async def repeat(count):
            async with ann.socket(game["id"]) as socket:
                for _ in range(count):
                    await socket.ask(**{"ref": secrets.token_hex(4), **MESSAGES[kind]})
                socket.seen.clear()

        async def all_repeat(count):
            await asyncio.gather(*(repeat(count) for _ in range(20)))
            return resident_mb(server.process)

        before = await all_repeat(100)
        after = await all_repeat(900)
    finally:
        await ann.close()
        server.stop()
    # 18,000 answers; a cycle of an exception for each would be 80 MB and more.
    assert after - before < 40
