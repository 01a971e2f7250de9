"""Fixtures: one server process for most tests; variables SUMITO_… choose its database."""

import os

import pytest

from support.processes import Player, ServerProcess


@pytest.fixture(scope="session")
def database(tmp_path_factory):
    return os.environ.get("SUMITO_DATABASE") or tmp_path_factory.mktemp("games") / "games.sqlite3"


@pytest.fixture(scope="session")
def redis():
    return os.environ.get("SUMITO_REDIS", "")


@pytest.fixture(scope="session")
def server(database, redis):
    server = ServerProcess(database, redis).start()
    yield server
    said = server.stop()
    assert "Traceback" not in said, said


@pytest.fixture(scope="module", params=["auto", "plain"])
def server_of_each_protocol(request, server, tmp_path_factory):
    """The server with each implementation of WebSockets that it may run with."""
    if request.param == "auto":
        yield server
        return
    database = tmp_path_factory.mktemp("plain") / "games.sqlite3"
    plain = ServerProcess(database, sockets=request.param).start()
    yield plain
    said = plain.stop()
    assert "Traceback" not in said, said


@pytest.fixture
async def player(server):
    """Makes players, each somebody else."""
    made = []

    def make(url=server.url, **headers):
        made.append(Player(url, **headers))
        return made[-1]

    yield make
    for one in made:
        await one.close()


@pytest.fixture
def ann(player):
    return player()


@pytest.fixture
def ben(player):
    return player()


@pytest.fixture
def cas(player):
    return player()


async def invite(ann, *others, **wish):
    """A game that Ann made and the others joined, seat by seat."""
    game, links = await ann.new_game(seats={"black": {"kind": "me"}}, **wish)
    colours = [colour for colour in links if colour != "any"]
    for colour, other in zip(colours, others, strict=True):
        game = await other.accept(links[colour])
    return game


@pytest.fixture
def game_of():
    return invite
