"""A server's parts in the test's own process, for what can't be seen from outside."""

import asyncio
from contextlib import asynccontextmanager

from sumito.server.bus.local import Happened, Notice
from sumito.server.game.change import channel
from sumito.server.services import open_services
from sumito.server.settings import Settings
from sumito.server.wire.commands import Play
from sumito.server.wire.requests import Join, NewGame, SeatMe, SuddenDeath


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
    return await services.people.keep(await services.people.person(services.people.newcomer()))


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
    """A move by whoever is to move."""
    move = index if index is not None else next(iter(room.board.legal_moves)).index
    return await services.games.command(room.id, person.id, Play(ply=room.board.ply, move=move))


async def until(condition):
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never happened")


class Ear:
    """Somebody who listens to a game's channel."""

    def __init__(self, subscription):
        self._subscription = subscription
        self.heard = []
        self._task = asyncio.create_task(self._listen())

    @classmethod
    async def at(cls, services, room):
        return cls(await services.hub.listen(channel(room.id)))

    async def _listen(self):
        while True:
            self.heard.append(await self._subscription.get())

    @property
    def versions(self):
        return [one.first for one in self.heard if isinstance(one, Happened)]

    @property
    def notices(self):
        return [one for one in self.heard if isinstance(one, Notice)]
