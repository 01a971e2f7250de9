"""A server's parts in the test's own process, for what can't be seen from outside."""

import asyncio
import json
from contextlib import asynccontextmanager

from starlette.websockets import WebSocket

from sumito.protocol.commands import Play
from sumito.protocol.requests import Join, NewGame, SeatMe, SuddenDeath
from sumito.server.accounts.sessions import Identity
from sumito.server.base.settings import Settings
from sumito.server.games.writer import channel
from sumito.server.realtime.hub import Broadcast, GameEvents
from sumito.server.services import open_services
from sumito.server.sockets.game import GameConnection


class FirstMove:
    """A computer that plays the first legal move."""

    async def move(self, board, level, seconds, seed):
        return next(iter(board.legal_moves))

    def close(self):
        pass


@asynccontextmanager
async def services_in(tmp_path, thinker=FirstMove, **settings):
    database = str(tmp_path / "games.sqlite3")
    async with open_services(
        Settings(database=database, engines=1, **settings), thinker
    ) as services:
        yield services


async def guest(services):
    return await services.people.ensure_stored(
        await services.people.person(services.people.new_guest())
    )


async def alone(services, **wanted):
    """A game at one screen, and who plays it."""
    ann = await guest(services)
    seats = {"black": SeatMe(), "white": SeatMe()}
    return ann, await services.games.create(ann, NewGame(seats=seats, **wanted))


async def together(services, ms=None, **wanted):
    """A game between two people."""
    ann, ben = await guest(services), await guest(services)
    if ms is not None:
        wanted["control"] = SuddenDeath(ms)
    room = await services.games.create(ann, NewGame(listed=True, **wanted))
    await services.games.join(ben, room.id, Join())
    return ann, ben, room


async def play(services, room, person, index=None):
    """A move by the player to move."""
    move = index if index is not None else next(iter(room.board.legal_moves)).index
    return await services.games.command(room.id, person.id, Play(ply=room.board.ply, move=move))


async def until(condition):
    for _ in range(6000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never happened")


class Client:
    """A connection to a game without a network between."""

    def __init__(self, services, person_id, room, greet=True):
        self.received = []
        self._greet = greet
        self._inbox = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        scope = {
            "type": "websocket",
            "path": "",
            "query_string": b"",
            "headers": [],
            "client": ("127.0.0.1", 1),
        }
        websocket = WebSocket(scope, self._inbox.get, self._receive)
        self._accepted = websocket.accept()
        self.connection = GameConnection(websocket, services, Identity(person_id), room.id)

    async def __aenter__(self):
        await self._accepted
        self.received.clear()
        self.serving = asyncio.create_task(self.connection.run())
        if self._greet:
            self.send({"type": "hello"})
            await self.until("presence")
        return self

    async def __aexit__(self, *_):
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.serving

    async def _receive(self, message):
        self.received.append(message)

    @property
    def frames(self):
        return [json.loads(one["text"]) for one in self.received if "text" in one]

    async def until(self, type):
        """The first frame of a type since the last message was sent."""
        await until(lambda: any(one["type"] == type for one in self.frames))
        return next(one for one in self.frames if one["type"] == type)

    def send(self, message):
        self.received.clear()
        self._inbox.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def ask(self, message):
        """Send a message; returns the next frame."""
        self.send(message)
        while not self.received:
            await asyncio.sleep(0)
        return self.frames[0]


class Subscriber:
    """Collects the messages of a game's channel."""

    def __init__(self, subscription):
        self._subscription = subscription
        self.messages = []
        self._task = asyncio.create_task(self._read())

    @classmethod
    async def at(cls, services, room):
        return cls(await services.hub.subscribe(channel(room.id)))

    async def _read(self):
        while True:
            self.messages.append(await self._subscription.get())

    @property
    def versions(self):
        return [one.first for one in self.messages if isinstance(one, GameEvents)]

    @property
    def broadcasts(self):
        return [one for one in self.messages if isinstance(one, Broadcast)]


def downgraded(revision):
    """Return what undoes the database's migrations down to a revision, for `Database.write`."""
    from alembic import command

    from sumito.server.storage.database import _config

    def undo(connection):
        config = _config()
        config.attributes["connection"] = connection
        command.downgrade(config, revision)

    return undo
