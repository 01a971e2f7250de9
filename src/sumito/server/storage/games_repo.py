"""Repository of games. Events are append-only, with the key (game, version)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    func,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError

from sumito.server.ratings.ratings import RatedResult
from sumito.server.storage import tables
from sumito.server.storage.database import (
    CompiledStatement,
    Database,
    lock_across_processes,
    violated_table,
)
from sumito.server.storage.ratings_repo import rate_game


class ConflictError(Exception):
    """Another writer was first; read again what happened, then decide again."""


_PAIRING: Final = 5_201_315
"""The number of the lock that only one pairing can hold."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is stored."""

    version: int
    at: int
    kind: str
    body: str
    person_id: str | None = None
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits where."""

    colour: str
    kind: str
    name: str
    person_id: str | None = None
    level: str | None = None
    rating: int | None = None
    account: bool = False
    """Is the name an account's?"""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as the lists need it; its story comes by `events`."""

    id: str
    creator: str
    terms: str
    status: str
    listed: bool
    created_at: int
    version: int
    position: str
    moves: int
    started_at: int | None = None
    ended_at: int | None = None
    winner: str | None = None
    reason: str | None = None
    due_at: int | None = None
    queued: bool = False
    """Was it made by quick pairing?"""
    seats: tuple[SeatRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """What one command does to the database, all of it or nothing."""

    entries: Sequence[StoredEvent]
    row: dict[str, Any]
    seats: Sequence[SeatRow] = ()
    rated_result: RatedResult | None = None
    sequel: StoredGame | None = None
    """A game that comes into being with it: the rematch."""
    sequel_entries: Sequence[StoredEvent] = field(default=())


_ROW = tuple(name for name in StoredGame.__dataclass_fields__ if name != "seats")


class GameRepository:
    """Reads and writes games."""

    def __init__(self, database: Database, same_network: float = 1.0) -> None:
        self._database = database
        self._same_network = same_network
        """What a rated game counts between people of one network, from 0 to 1."""

    async def create(self, game: StoredGame, entries: Sequence[StoredEvent]) -> None:
        """Store a new game, or raise `ConflictError` if there is one of that id."""
        try:
            await self._database.write(lambda connection: _create(connection, game, entries))
        except IntegrityError as error:
            if violated_table(error) != "games":
                raise
            raise ConflictError(game.id) from error

    async def append(self, game_id: str, changes: Changes) -> None:
        """Store changes, or raise `ConflictError` if another change was stored first."""
        try:
            await self._database.write(
                lambda connection: _append(connection, game_id, changes, self._same_network)
            )
        except IntegrityError as error:
            # The same version, or the same `ref`: another writer was first.
            if violated_table(error) != "events":
                raise
            raise ConflictError(game_id) from error

    async def get(self, game_id: str) -> StoredGame | None:
        found = await self._games(tables.games.c.id == game_id, limit=1)
        return found[0] if found else None

    async def several(self, ids: Collection[str]) -> list[StoredGame]:
        """Return those of the games that exist."""
        return await self._games(tables.games.c.id.in_(list(ids)), limit=len(ids)) if ids else []

    async def events(self, game_id: str, since: int = 0) -> list[StoredEvent]:
        """Return a game's events after a version."""
        events = tables.events
        query = (
            select(
                events.c.version,
                events.c.at,
                events.c.kind,
                events.c.body,
                events.c.person_id,
                events.c.ref,
            )
            .where(events.c.game_id == game_id, events.c.version > since)
            .order_by(events.c.version)
        )
        return await self._database.read(
            lambda connection: [StoredEvent(*row) for row in connection.execute(query)]
        )

    async def lobby(self, limit: int = 100, each: int = 3) -> list[StoredGame]:
        """Listed games with an open seat, newest first, and a limited number of each maker."""
        games = tables.games
        newest = (
            func.row_number()
            .over(partition_by=games.c.creator, order_by=games.c.created_at.desc())
            .label("newest")
        )
        waiting = select(games.c.id, newest).where(games.c.status == "waiting", games.c.listed)
        few = waiting.subquery()
        shown = select(few.c.id).where(few.c.newest <= each)
        return await self._games(games.c.id.in_(shown), limit=limit)

    async def of_person(
        self, person_id: str, before: tuple[int, str] | None = None, limit: int = 50
    ) -> list[StoredGame]:
        """Return a person's games, newest first."""
        seats, games = tables.seats, tables.games
        sat = select(seats.c.game_id).where(seats.c.person_id == person_id)
        made = select(games.c.id).where(games.c.creator == person_id)
        mine = games.c.id.in_(sat.union(made))
        return await self._games(mine, *_before(before), limit=limit)

    async def all_of_person(self, person_id: str) -> AsyncIterator[StoredGame]:
        """Iterate over all games of a person, newest first, read in pages."""
        before = None
        while found := await self.of_person(person_id, before):
            for stored in found:
                yield stored
            before = (found[-1].created_at, found[-1].id)

    async def shown_of_person(self, person_id: str, limit: int) -> list[StoredGame]:
        """Return a person's finished public games, newest first.

        Games by invitation are private, unless they were rated.
        """
        seats, games, history = tables.seats, tables.games, tables.rating_history
        sat = select(seats.c.game_id).where(seats.c.person_id == person_id)
        counted = select(history.c.game_id).where(history.c.person_id == person_id)
        return await self._games(
            games.c.status == "over",
            games.c.id.in_(sat),
            or_(games.c.listed, games.c.id.in_(counted)),
            limit=limit,
        )

    async def live(self, limit: int = 12) -> list[StoredGame]:
        """Return public games in play, newest first."""
        games = tables.games
        return await self._games(
            games.c.status == "playing", games.c.listed, games.c.moves > 0, limit=limit
        )

    async def overdue_games(self, at: int, limit: int = 200) -> list[str]:
        """Return the ids of games whose `due_at` has passed."""
        games = tables.games
        query = (
            select(games.c.id)
            .where(games.c.status == "playing", games.c.due_at <= at)
            .order_by(games.c.due_at)
            .limit(limit)
        )
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def stale_waiting(
        self, listed_before: int, invited_before: int, queued_before: int, after: str = ""
    ) -> list[str]:
        """Return games that have waited for players for too long, by how players find them.

        A page of ids in order, beginning after one.
        """
        games = tables.games
        return await self._ids(
            select(games.c.id).where(
                games.c.status == "waiting",
                games.c.id > after,
                or_(
                    and_(games.c.listed, games.c.created_at < listed_before),
                    and_(games.c.queued, games.c.created_at < queued_before),
                    games.c.created_at < invited_before,
                ),
            )
        )

    async def abandoned(self, before: int, after: str = "") -> list[str]:
        """Games in play that wait for a person without a clock, and have done so since then.

        The first of them by id, beginning after one.
        """
        games, events = tables.games, tables.events
        last = and_(events.c.game_id == games.c.id, events.c.version == games.c.version)
        return await self._ids(
            select(games.c.id)
            .join(events, last)
            .where(
                games.c.status == "playing",
                games.c.id > after,
                games.c.due_at.is_(None),
                games.c.created_at < before,
                events.c.at < before,
            )
        )

    async def queued_of(self, person_id: str, but: Collection[str] = ()) -> list[str]:
        """Return a person's games in the pairing queue, except those of some terms."""
        games = tables.games
        return await self._ids(
            select(games.c.id).where(
                games.c.status == "waiting",
                games.c.queued,
                games.c.creator == person_id,
                games.c.terms.not_in(list(but)),
            )
        )

    async def _ids(self, query: Select[tuple[str]], limit: int = 200) -> list[str]:
        few = query.order_by(tables.games.c.id).limit(limit)
        return await self._database.read(lambda connection: list(connection.scalars(few)))

    async def enqueue(
        self, game: StoredGame, terms: Sequence[str], passed: Collection[str], *, rated: bool
    ) -> str | None:
        """Store a game that waits, unless there is one to join: then return its id.

        `terms` are those of suitable games, rated and not. Who wants no rating takes a rated game
        only from the queue, where it becomes an unrated one. Nobody else looks meanwhile.
        """
        games, seats = tables.games, tables.seats
        with_rating, without = terms
        free = select(func.count()).where(seats.c.game_id == games.c.id, seats.c.kind == "open")
        sits = select(seats.c.game_id).where(seats.c.person_id == game.creator)
        mine = games.c.creator == game.creator
        suitable = or_(
            games.c.terms == without,
            and_(games.c.terms == with_rating, true() if rated else games.c.queued),
        )
        query = (
            select(games.c.id)
            .where(
                games.c.status == "waiting",
                games.c.listed,
                suitable,
                games.c.id.not_in(list(passed)),
                free.scalar_subquery() == 1,
                or_(and_(mine, games.c.queued), and_(~mine, games.c.id.not_in(sits))),
            )
            .order_by(mine.desc(), (games.c.terms == game.terms).desc(), games.c.created_at)
            .limit(1)
        )

        def write(connection: Connection) -> str | None:
            lock_across_processes(connection, _PAIRING)
            found: str | None = connection.scalar(query)
            if found is None:
                _create(connection, game, ())
            return found

        return await self._database.write(write)

    async def games_with_deadline(self) -> list[str]:
        """Games in play in which a clock runs or a computer is to move."""
        games = tables.games
        query = select(games.c.id).where(games.c.status == "playing", games.c.due_at.is_not(None))
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def _games(self, *where: ColumnElement[bool], limit: int) -> list[StoredGame]:
        games = tables.games
        query = (
            select(*(games.c[name] for name in _ROW))
            .where(*where)
            .order_by(games.c.created_at.desc(), games.c.id.desc())
            .limit(limit)
        )

        def read(connection: Connection) -> list[StoredGame]:
            found = {row.id: row._asdict() for row in connection.execute(query)}
            sitting = _sitting(connection, list(found)) if found else {}
            return [StoredGame(**row, seats=tuple(sitting[id])) for id, row in found.items()]

        return await self._database.read(read)


_EVENT = CompiledStatement(insert(tables.events))
_ROWS: dict[tuple[str, ...], CompiledStatement] = {}
"""How a game's row is updated, by the columns that change: there are few such sets."""


def _append(connection: Connection, game_id: str, changes: Changes, same_network: float) -> None:
    for entry in changes.entries:
        _EVENT.run(connection, _event(game_id, entry))
    row = {"version": changes.entries[-1].version} | changes.row
    columns = tuple(row)
    if columns not in _ROWS:
        games = tables.games
        values = {name: bindparam(name, type_=games.c[name].type) for name in columns}
        one = games.c.id == bindparam("game_id", type_=games.c.id.type)
        _ROWS[columns] = CompiledStatement(update(games).where(one).values(values))
    _ROWS[columns].run(connection, row | {"game_id": game_id})
    seats = tables.seats
    for seat in changes.seats:
        connection.execute(
            update(seats)
            .where(seats.c.game_id == game_id, seats.c.colour == seat.colour)
            .values(_seat(seat))
        )
    if changes.rated_result:
        at = changes.entries[-1].at
        rate_game(connection, game_id, changes.rated_result, at, same_network)
    if changes.sequel:
        _create(connection, changes.sequel, changes.sequel_entries)


def _create(connection: Connection, game: StoredGame, entries: Sequence[StoredEvent]) -> None:
    row = {name: getattr(game, name) for name in _ROW}
    connection.execute(insert(tables.games).values(row))
    connection.execute(
        insert(tables.seats), [{"game_id": game.id} | _seat(seat) for seat in game.seats]
    )
    if entries:
        connection.execute(insert(tables.events), [_event(game.id, one) for one in entries])


def _seat(seat: SeatRow) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in SeatRow.__dataclass_fields__}


def _sitting(connection: Connection, game_ids: list[str]) -> dict[str, list[SeatRow]]:
    seats = tables.seats
    sitting: dict[str, list[SeatRow]] = {id: [] for id in game_ids}
    for row in connection.execute(select(seats).where(seats.c.game_id.in_(game_ids))):
        values = {name: row._mapping[name] for name in SeatRow.__dataclass_fields__}
        sitting[row.game_id].append(SeatRow(**values))
    return sitting


def _event(game_id: str, entry: StoredEvent) -> dict[str, Any]:
    return {
        "game_id": game_id,
        "version": entry.version,
        "at": entry.at,
        "kind": entry.kind,
        "body": entry.body,
        "person_id": entry.person_id,
        "ref": entry.ref or None,
    }


def _before(cursor: tuple[int, str] | None) -> tuple[ColumnElement[bool], ...]:
    if cursor is None:
        return ()
    at, id = cursor
    games = tables.games
    return (or_(games.c.created_at < at, and_(games.c.created_at == at, games.c.id < id)),)
