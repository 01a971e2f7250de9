"""Everything a server process has, put together when it starts and taken down when it stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from sumito.server.bus.local import Hub, Notice, Presence, Subscription
from sumito.server.engines import Computers, EngineThinker, Thinker
from sumito.server.game.archive import Archive
from sumito.server.game.games import Games
from sumito.server.limits import Limits
from sumito.server.memory import Collector
from sumito.server.people.accounts import People
from sumito.server.settings import Settings
from sumito.server.store import Database, GameStore, PeopleStore, open_database
from sumito.server.store.archive import ArchiveStore
from sumito.server.store.puzzles import PuzzleStore
from sumito.server.timers.timers import Timers

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one process."""

    settings: Settings
    database: Database
    people: People
    games: Games
    archive: Archive
    puzzles: PuzzleStore
    computers: Computers
    timers: Timers
    limits: Limits
    hub: Hub
    presence: Presence

    async def close_sessions(
        self, person_id: str, session: str | None = None, *, deleted: bool = False
    ) -> None:
        """End the connections of a session, or all of a person's, in every process."""
        frame = msgspec.json.encode(SessionsEnded(person_id, session, deleted)).decode()
        await self.hub.tell(PEOPLE, Notice(frame))


PEOPLE: Final = "people"
"""The channel on which processes tell each other whose sessions have ended."""


class SessionsEnded(msgspec.Struct, frozen=True):
    """Sessions that are no more."""

    person_id: str
    session: str | None
    deleted: bool = False
    """The account is no more: rooms that know its name are read again."""


async def _end_sessions(people: People, games: Games, ended: Subscription) -> None:
    """Follow what ends; whatever is wrong with one message, the next is heard."""
    while True:
        told = await ended.get()
        if not isinstance(told, Notice):
            continue
        try:
            gone = msgspec.json.decode(told.frame, type=SessionsEnded)
            people.sessions.close(gone.person_id, gone.session)
            for room in games.rooms.known() if gone.deleted else ():
                if room.seats_of(gone.person_id):
                    games.rooms.forget(room.id)
        except Exception:
            _log.exception("a session's end wasn't followed")


@asynccontextmanager
async def open_services(
    settings: Settings, make_thinker: Callable[[], Thinker] = EngineThinker
) -> AsyncIterator[Services]:
    """Open the database, join the others, take up the games; and let go of it all in the end."""
    settings = settings.with_defaults()
    database = open_database(settings.database)
    await database.migrate()
    hub, presence = _fan_out(settings)
    await hub.start()
    people = await People.open(PeopleStore(database))
    games = Games(GameStore(database), people, hub, presence, settings)
    computers = Computers(settings.engine_count, make_thinker)
    archive = Archive(games.store, ArchiveStore(database))
    timers = Timers(games, computers, archive)
    await timers.start()
    ending = asyncio.create_task(_end_sessions(people, games, await hub.listen(PEOPLE)))
    collector = Collector()
    collector.start()
    _log.info("open", database=database.kind, shared=hub.shared)
    try:
        yield Services(
            settings,
            database,
            people,
            games,
            archive,
            PuzzleStore(database),
            computers,
            timers,
            Limits(settings),
            hub,
            presence,
        )
    finally:
        ending.cancel()
        collector.stop()
        await timers.stop()
        await computers.close()
        await hub.close()
        await database.close()
        _log.info("closed")


def _fan_out(settings: Settings) -> tuple[Hub, Presence]:
    if not settings.redis:
        return Hub(), Presence()
    from sumito.server.bus.redis import RedisHub, RedisLink, RedisPresence

    link = RedisLink(settings.redis)
    return RedisHub(link), RedisPresence(link)
