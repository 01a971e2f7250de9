"""The parts of a server process, opened and closed in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from sumito.server.accounts.accounts import People
from sumito.server.archive.archive import Archive
from sumito.server.archive.renderings import Renderings
from sumito.server.base.gc_policy import frozen_start
from sumito.server.base.settings import Settings
from sumito.server.engines.analysis import AnalysisEngine
from sumito.server.engines.pool import EnginePool, EngineThinker, Thinker
from sumito.server.games.pairing import Pairing
from sumito.server.games.service import Games
from sumito.server.limits import Limits
from sumito.server.realtime.hub import Broadcast, Hub, Presence, Resync, Subscription
from sumito.server.scheduler.scheduler import Scheduler
from sumito.server.storage import (
    ChatRepository,
    Database,
    GameRepository,
    LivenessRepository,
    PeopleRepository,
    UnavailableError,
    open_database,
)
from sumito.server.storage.archive_repo import ArchiveRepository
from sumito.server.storage.puzzles_repo import PuzzleRepository

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one process."""

    settings: Settings
    database: Database
    people: People
    games: Games
    archive: Archive
    puzzles: PuzzleRepository
    engines: EnginePool
    analysis: AnalysisEngine
    scheduler: Scheduler
    limits: Limits
    pairing: Pairing
    renderings: Renderings
    hub: Hub
    presence: Presence

    async def close_sessions(
        self, person_id: str, credential: str | None = None, *, deleted: bool = False
    ) -> None:
        """End the connections of a session or token, or all of a person's, in every process."""
        frame = msgspec.json.encode(SessionsEnded(person_id, credential, deleted)).decode()
        await self.hub.publish(PEOPLE, Broadcast(frame))


_RETRY_S: Final = 1.0
PEOPLE: Final = "people"
"""The channel on which processes publish whose sessions have ended."""


class SessionsEnded(msgspec.Struct, frozen=True):
    """Sessions that have ended: one, or all of a person."""

    person_id: str
    credential: str | None
    deleted: bool = False
    """The account was deleted: rooms with its name are loaded again."""


async def _end_sessions(people: People, games: Games, hub: Hub, ended: Subscription) -> None:
    """Close the connections of ended sessions; an error with one message doesn't stop the next."""
    while True:
        message = await ended.get()
        try:
            if isinstance(message, Resync):
                if ended.is_overrun:
                    await hub.unsubscribe(ended)
                    ended = await _listen_for_endings(hub)
                await _recheck_until_done(people, games)
            elif isinstance(message, Broadcast):
                _close(people, games, msgspec.json.decode(message.frame, type=SessionsEnded))
        except Exception:
            _log.exception("the end of a session could not be handled")


async def _listen_for_endings(hub: Hub) -> Subscription:
    """Subscribe; an overrun subscription gets a last message, to resync."""
    subscription = await hub.subscribe(PEOPLE)
    subscription.on_overrun = lambda: subscription.put_nowait(Resync())
    return subscription


def _close(people: People, games: Games, ended: SessionsEnded) -> None:
    people.sessions.close_connections(ended.person_id, ended.credential)
    for room in games.rooms.open_rooms() if ended.deleted else ():
        if room.seats_of(ended.person_id):
            games.rooms.forget(room.id)


async def _recheck_until_done(people: People, games: Games) -> None:
    while True:
        try:
            await _recheck(people, games)
        except UnavailableError as error:
            _log.warning("open sessions can't be checked yet", why=str(error))
            await asyncio.sleep(_RETRY_S)
        else:
            return


async def _recheck(people: People, games: Games) -> None:
    """Compare open sessions and rooms with the database, as messages may have been lost."""
    await people.sessions.recheck()
    owners = {
        room.id: {seat.person_id for seat in room.seats.values() if seat.account and seat.person_id}
        for room in games.rooms.open_rooms()
    }
    accounts = await people.store.accounts_among(set().union(*owners.values()))
    for room_id, people_ids in owners.items():
        if not people_ids <= accounts:
            games.rooms.forget(room_id)


@asynccontextmanager
async def open_services(
    settings: Settings, make_thinker: Callable[[], Thinker] = EngineThinker
) -> AsyncIterator[Services]:
    """Open the database, hub and background work; close them in the end."""
    settings = settings.with_defaults()
    database = open_database(settings.database)
    database.claim(shared=bool(settings.redis))
    await database.migrate()
    hub, presence = _fan_out(settings)
    await hub.start()
    people = await People.open(PeopleRepository(database))
    store = GameRepository(database, settings.same_network / 100)
    games = Games(store, ChatRepository(database), people, hub, presence, settings)
    engines = EnginePool(settings.engine_count, make_thinker)
    analysis = AnalysisEngine(settings.engine_count)
    archive = Archive(games.store, ArchiveRepository(database))
    scheduler = Scheduler(games, engines, archive, LivenessRepository(database))
    await scheduler.start()
    ending = asyncio.create_task(_end_sessions(people, games, hub, await _listen_for_endings(hub)))
    limits = Limits(settings)
    _log.info("open", database=database.kind, shared=hub.is_shared)
    try:
        services = Services(
            settings,
            database,
            people,
            games,
            archive,
            PuzzleRepository(database),
            engines,
            analysis,
            scheduler,
            limits,
            Pairing(games),
            Renderings(),
            hub,
            presence,
        )
        with frozen_start():
            yield services
    finally:
        ending.cancel()
        await scheduler.stop()
        await engines.close()
        await analysis.close()
        await hub.close()
        await limits.close()
        await database.close()
        _log.info("closed")


def _fan_out(settings: Settings) -> tuple[Hub, Presence]:
    if not settings.redis:
        return Hub(), Presence()
    from sumito.server.realtime.hub_redis import RedisHub, RedisLink, RedisPresence

    link = RedisLink(settings.redis)
    return RedisHub(link), RedisPresence(link)
