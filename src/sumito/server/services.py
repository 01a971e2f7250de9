"""Everything a server process has, put together when it starts and taken down when it stops."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog

from sumito.server.bus.local import Hub, Presence
from sumito.server.engines import Computers, EngineThinker, Thinker
from sumito.server.game.games import Games
from sumito.server.limits import Limits
from sumito.server.people.accounts import People
from sumito.server.settings import Settings
from sumito.server.store import Database, GameStore, PeopleStore, open_database
from sumito.server.timers.timers import Timers

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class House:
    """The parts of one process."""

    settings: Settings
    database: Database
    people: People
    games: Games
    timers: Timers
    limits: Limits
    hub: Hub
    presence: Presence


@asynccontextmanager
async def open_house(
    settings: Settings, make_thinker: Callable[[], Thinker] = EngineThinker
) -> AsyncIterator[House]:
    """Open the database, join the others, take up the games; and let go of it all in the end."""
    settings = settings.with_defaults()
    database = open_database(settings.database)
    await database.migrate()
    hub, presence = _fan_out(settings)
    await hub.start()
    people = await People.open(PeopleStore(database))
    games = Games(GameStore(database), people, hub, presence, settings)
    computers = Computers(settings.engine_count, make_thinker)
    timers = Timers(games, computers)
    await timers.start()
    _log.info("open", database=database.kind, shared=hub.shared)
    try:
        yield House(settings, database, people, games, timers, Limits(settings), hub, presence)
    finally:
        await timers.stop()
        await computers.close()
        await hub.close()
        await presence.close()
        await database.close()
        _log.info("closed")


def _fan_out(settings: Settings) -> tuple[Hub, Presence]:
    if not settings.redis:
        return Hub(), Presence()
    from sumito.server.bus.redis import RedisHub, RedisPresence

    return RedisHub(settings.redis), RedisPresence(settings.redis)
