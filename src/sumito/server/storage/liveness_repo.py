"""Repository of pulses and outages: when processes were alive, and when none served."""

from __future__ import annotations

import contextlib

from sqlalchemy import Connection, and_, func, insert, select
from sqlalchemy.exc import IntegrityError

from sumito.server.storage import tables
from sumito.server.storage.database import Database
from sumito.server.storage.upsert import update_or_insert


class LivenessRepository:
    """Reads and writes pulses and outages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def pulse(self, process: str, at: int) -> None:
        """Record that a process is alive."""
        await self._database.write(
            lambda connection: update_or_insert(
                connection, tables.pulses, {"process": process}, {"at": at}
            )
        )

    async def last_pulse(self) -> int | None:
        """Return when a process last recorded that it was alive, in ms."""
        query = select(func.max(tables.pulses.c.at))
        return await self._database.read(lambda connection: connection.scalar(query))

    async def latest_time(self) -> int | None:
        """Return the latest stored time: of a pulse, or of the last event of a game in play."""
        pulses, games, events = tables.pulses, tables.games, tables.events
        last_event = (
            select(func.max(events.c.at))
            .select_from(games)
            .join(events, and_(events.c.game_id == games.c.id, events.c.version == games.c.version))
            .where(games.c.status == "playing")
        )
        query = select(func.max(pulses.c.at))

        def read(connection: Connection) -> int | None:
            found = [connection.scalar(query), connection.scalar(last_event)]
            return max((at for at in found if at is not None), default=None)

        return await self._database.read(read)

    async def delete_before(self, before: int) -> None:
        """Delete pulses and outages from before then, but never the latest pulse."""
        pulses, outages = tables.pulses, tables.outages
        latest = select(func.max(pulses.c.at)).scalar_subquery()

        def write(connection: Connection) -> None:
            connection.execute(pulses.delete().where(pulses.c.at < before, pulses.c.at < latest))
            connection.execute(outages.delete().where(outages.c.started_at < before))

        await self._database.write(write)

    async def record_outage(self, stopped_at: int, started_at: int) -> None:
        """Record a period in which no process served; the first process to notice it wins."""
        row = insert(tables.outages).values(stopped_at=stopped_at, started_at=started_at)
        with contextlib.suppress(IntegrityError):
            await self._database.write(lambda connection: connection.execute(row) and None)

    async def outage_after(self, at: int) -> int | None:
        """Return when the first outage began that ended after a time, in ms."""
        outages = tables.outages
        query = select(func.min(outages.c.stopped_at)).where(outages.c.started_at > at)
        return await self._database.read(lambda connection: connection.scalar(query))
