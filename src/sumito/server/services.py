"""Everything a server process has, put together when it starts and taken down when it stops."""

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
from sumito.server.engines.pool import Computers, EngineThinker, Thinker
from sumito.server.games.pairing import Pairing
from sumito.server.games.service import Games
from sumito.server.limits import Limits
from sumito.server.realtime.hub import Hub, Missed, Notice, Presence, Subscription
from sumito.server.scheduler.scheduler import Timers
from sumito.server.storage import Database, GameStore, PeopleStore, UnavailableError, open_database
from sumito.server.storage.archive import ArchiveStore
from sumito.server.storage.puzzles import PuzzleStore

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
    pairing: Pairing
    renderings: Renderings
    hub: Hub
    presence: Presence

    async def close_sessions(
        self, person_id: str, credential: str | None = None, *, deleted: bool = False
    ) -> None:
        """End the connections of a session or token, or all of a person's, in every process."""
        frame = msgspec.json.encode(SessionsEnded(person_id, credential, deleted)).decode()
        await self.hub.tell(PEOPLE, Notice(frame))


_RETRY_S: Final = 1.0
PEOPLE: Final = "people"
"""The channel on which processes tell each other whose sessions have ended."""


class SessionsEnded(msgspec.Struct, frozen=True):
    """Sessions that are no more."""

    person_id: str
    credential: str | None
    deleted: bool = False
    """The account is no more: rooms that know its name are read again."""


async def _end_sessions(people: People, games: Games, hub: Hub, ended: Subscription) -> None:
    """Close what ends elsewhere; an error with one message doesn't stop the next."""
    while True:
        message = await ended.get()
        try:
            if isinstance(message, Missed):
                if ended.overrun:
                    await hub.leave(ended)
                    ended = await _listen_for_endings(hub)
                await _recheck_until_done(people, games)
            elif isinstance(message, Notice):
                _close(people, games, msgspec.json.decode(message.frame, type=SessionsEnded))
        except Exception:
            _log.exception("a session's end wasn't followed")


async def _listen_for_endings(hub: Hub) -> Subscription:
    """Subscribe; once overrun, the subscription gets a last message: that some were missed."""
    subscription = await hub.listen(PEOPLE)
    subscription.on_overrun = lambda: subscription.put_nowait(Missed())
    return subscription


def _close(people: People, games: Games, ended: SessionsEnded) -> None:
    people.sessions.close(ended.person_id, ended.credential)
    for room in games.rooms.known() if ended.deleted else ():
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
    """Compare with the store: some endings may not have been heard."""
    await people.sessions.recheck()
    owners = {
        room.id: {seat.person_id for seat in room.seats.values() if seat.account and seat.person_id}
        for room in games.rooms.known()
    }
    accounts = await people.store.accounts_among(set().union(*owners.values()))
    for room_id, people_ids in owners.items():
        if not people_ids <= accounts:
            games.rooms.forget(room_id)


@asynccontextmanager
async def open_services(
    settings: Settings, make_thinker: Callable[[], Thinker] = EngineThinker
) -> AsyncIterator[Services]:
    """Open the database, join the others, take up the games; and let go of it all in the end."""
    settings = settings.with_defaults()
    database = open_database(settings.database)
    database.claim(shared=bool(settings.redis))
    await database.migrate()
    hub, presence = _fan_out(settings)
    await hub.start()
    people = await People.open(PeopleStore(database))
    store = GameStore(database, settings.same_network / 100)
    games = Games(store, people, hub, presence, settings)
    computers = Computers(settings.engine_count, make_thinker)
    archive = Archive(games.store, ArchiveStore(database))
    timers = Timers(games, computers, archive)
    await timers.start()
    ending = asyncio.create_task(_end_sessions(people, games, hub, await _listen_for_endings(hub)))
    limits = Limits(settings)
    _log.info("open", database=database.kind, shared=hub.shared)
    try:
        services = Services(
            settings,
            database,
            people,
            games,
            archive,
            PuzzleStore(database),
            computers,
            timers,
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
        await timers.stop()
        await computers.close()
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
