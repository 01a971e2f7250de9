"""Repository of people: guests, accounts, sessions, tokens and personal data."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from enum import Enum, auto
from functools import partial
from typing import Any, Final

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    Table,
    Update,
    and_,
    delete,
    desc,
    distinct,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from sumito.protocol.requests import TokenScope
from sumito.server.names import NAMELESS, likeness
from sumito.server.ratings.ratings import FEWEST_MOVES, Rating
from sumito.server.storage import tables
from sumito.server.storage.database import Database
from sumito.server.storage.ratings_repo import NETWORK_MS
from sumito.server.storage.upsert import insert_missing, update_or_insert

_BATCH: Final = 500
_PURGE_PAUSE_S: Final = 0.1
"""Pause between two batches, so that games can be written in between."""
_PROBE_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Person:
    """A person: a guest, or the owner of an account."""

    id: str
    name: str
    language: str | None = None
    created_at: int = 0
    account: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which a person is signed in."""

    name: str
    person_id: str
    agent: str
    created_at: int
    seen_at: int


class SignUpConflict(Enum):
    """Why an account can't be created: the name is taken, or the person has one."""

    NAME = auto()
    PERSON = auto()


class PeopleRepository:
    """Reads and writes people, ratings, and the server's own secret."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, person_id: str) -> Person | None:
        return await self._find(tables.people.c.id == person_id)

    async def by_account(self, name: str) -> Person | None:
        return await self._find(tables.people.c.account_key == name.casefold())

    async def by_likeness(self, look: str) -> Person | None:
        """Return the account whose name has this likeness."""
        return await self._find(tables.people.c.likeness == _likeness_key(look))

    async def refresh_likenesses(self) -> None:
        """Recompute likenesses of names that an earlier version computed differently.

        Of accounts that look alike now, all stay; the oldest gets the likeness.
        """
        while True:
            with suppress(IntegrityError):
                # On a conflict with another process that starts, try again.
                if not await self._database.write(_refresh_likenesses):
                    return

    async def has_account(self, person_id: str) -> bool:
        people = tables.people
        query = select(people.c.account_key).where(people.c.id == person_id)
        key = await self._database.read(lambda connection: connection.scalar(query))
        return key is not None

    async def by_token(self, digest: str) -> tuple[str, TokenScope] | None:
        """Return the owner and the scope of a token."""
        people = tables.people
        query = select(people.c.id, people.c.token_scope).where(people.c.token == digest)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return (row.id, row.token_scope or "play") if row else None

    async def _find(self, where: ColumnElement[bool]) -> Person | None:
        people = tables.people
        query = select(
            people.c.id,
            people.c.name,
            people.c.language,
            people.c.created_at,
            people.c.account,
            people.c.password,
        ).where(where)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Person(*row) if row else None

    async def save(self, person: Person) -> None:
        """Insert or update a person's name and language."""
        values = {"name": person.name, "language": person.language}

        def write(connection: Connection) -> None:
            update_or_insert(
                connection,
                tables.people,
                {"id": person.id},
                values,
                only_new={"created_at": person.created_at},
            )

        try:
            await self._database.write(write)
        except IntegrityError:
            # Another request of the new guest has inserted the row: update it.
            await self._database.write(write)

    async def give_account(self, person: Person, name: str, password: str) -> SignUpConflict | None:
        """Turn a guest into an account and revoke their token; return a conflict, if any."""
        people = tables.people
        values = {
            "name": name,
            "account": name,
            "account_key": name.casefold(),
            "likeness": _likeness_key(likeness(name)),
            "password": password,
            "token": None,
            "token_scope": None,
        }

        def write(connection: Connection) -> SignUpConflict | None:
            known = connection.scalar(select(people.c.id).where(people.c.id == person.id))
            if known is None:
                row = {"id": person.id, "language": person.language}
                connection.execute(
                    insert(people).values(row | {"created_at": person.created_at} | values)
                )
                return None
            guest = (people.c.id == person.id) & people.c.account.is_(None)
            changed = connection.execute(update(people).where(guest).values(values))
            return None if changed.rowcount else SignUpConflict.PERSON

        try:
            return await self._database.write(write)
        except IntegrityError:
            return (
                SignUpConflict.PERSON if await self.has_account(person.id) else SignUpConflict.NAME
            )

    async def change_password(self, person: Person, password: str, session: Session) -> bool:
        """Set the password, end all sessions and the token, and begin this session.

        Return False, without a change, if the password is not the one of `person` any more.
        """
        people = tables.people
        change = (
            update(people)
            .where(people.c.id == person.id, people.c.password == person.password)
            .values(password=password, token=None, token_scope=None)
        )

        def write(connection: Connection) -> bool:
            if not connection.execute(change).rowcount:
                return False
            _end_sessions(connection, person.id)
            connection.execute(insert(tables.sessions).values(asdict(session)))
            return True

        return await self._database.write(write)

    # Sessions.

    async def session(self, name: str) -> Session | None:
        found = await self._sessions(tables.sessions.c.name == name)
        return found[0] if found else None

    async def sessions_of(self, person_id: str) -> list[Session]:
        """Return a person's sessions, the last used first."""
        return await self._sessions(tables.sessions.c.person_id == person_id)

    async def _sessions(self, where: ColumnElement[bool]) -> list[Session]:
        sessions = tables.sessions
        query = (
            select(
                sessions.c.name,
                sessions.c.person_id,
                sessions.c.agent,
                sessions.c.created_at,
                sessions.c.seen_at,
            )
            .where(where)
            .order_by(sessions.c.seen_at.desc())
        )
        return await self._database.read(
            lambda connection: [Session(*row) for row in connection.execute(query)]
        )

    async def begin_session(self, session: Session) -> None:
        row = insert(tables.sessions).values(asdict(session))
        await self._database.write(lambda connection: connection.execute(row) and None)

    async def touch_session(self, name: str, at: int) -> None:
        """Store that a session is in use."""
        sessions = tables.sessions
        change = update(sessions).where(sessions.c.name == name).values(seen_at=at)
        await self._database.write(lambda connection: connection.execute(change) and None)

    async def end_session(self, name: str) -> None:
        ended = delete(tables.sessions).where(tables.sessions.c.name == name)
        await self._database.write(lambda connection: connection.execute(ended) and None)

    async def end_access(self, person_id: str) -> None:
        """End all sessions of a person and revoke their token."""

        def write(connection: Connection) -> None:
            _end_sessions(connection, person_id)
            connection.execute(_new_token(person_id, None, None))

        await self._database.write(write)

    async def valid_credentials(self, names: Collection[str]) -> set[str]:
        """Return those names of sessions and digests of tokens that are still valid."""
        return await self._those_in(tables.sessions.c.name, names) | await self._those_in(
            tables.people.c.token, names
        )

    async def accounts_among(self, ids: Collection[str]) -> set[str]:
        """Return those people who have an account."""
        return await self._those_in(tables.people.c.id, ids, tables.people.c.account.is_not(None))

    async def _those_in(
        self, column: Column[str], values: Collection[str], *where: ColumnElement[bool]
    ) -> set[str]:
        ordered = sorted(values)
        found: set[str] = set()
        for start in range(0, len(ordered), _BATCH):
            query = select(column).where(column.in_(ordered[start : start + _BATCH]), *where)
            found |= set(await self._database.read(partial(_scalars, query)))
        return found

    # Networks.

    async def note_network(self, person_id: str, network: str, at: int) -> None:
        """Store that an account was used from a network."""
        networks = tables.networks
        row = {"person_id": person_id, "network": network, "seen_at": at}
        key = (networks.c.person_id == person_id) & (networks.c.network == network)

        def write(connection: Connection) -> None:
            insert_missing(connection, networks, [row])
            connection.execute(update(networks).where(key).values(seen_at=at))

        await self._database.write(write)

    async def knows_network(self, person_id: str, network: str, since: int) -> bool:
        """Whether the account was used from a network since then."""
        networks = tables.networks
        query = select(networks.c.network).where(
            networks.c.person_id == person_id,
            networks.c.network == network,
            networks.c.seen_at >= since,
        )
        return await self._database.read(lambda connection: connection.scalar(query)) is not None

    # Deletion and export.

    async def delete(self, person_id: str) -> None:
        """Delete a person; their games stay, without the name."""
        await self._database.write(lambda connection: _delete(connection, person_id))

    async def chat_of(self, person_id: str) -> list[tuple[str, int, str]]:
        """Return game, time and text of all chat lines of a person."""
        chat = tables.chat
        query = (
            select(chat.c.game_id, chat.c.at, chat.c.body)
            .where(chat.c.person_id == person_id)
            .order_by(chat.c.id)
        )
        return await self._database.read(
            lambda connection: [
                (row.game_id, row.at, row.body) for row in connection.execute(query)
            ]
        )

    async def set_token(
        self, person_id: str, digest: str | None, scope: TokenScope | None = None
    ) -> str | None:
        """Set a person's token, or none; return the digest of the previous one."""
        people = tables.people
        before = select(people.c.token).where(people.c.id == person_id).with_for_update()

        def write(connection: Connection) -> str | None:
            old: str | None = connection.scalar(before)
            connection.execute(_new_token(person_id, digest, scope))
            return old

        return await self._database.write(write)

    async def established_opponents(self, person_id: str, before: int) -> int:
        """Count the opponents in finished games whose accounts are from before then."""
        own, theirs, games, people = (
            tables.seats.alias(),
            tables.seats.alias(),
            tables.games,
            tables.people,
        )
        query = (
            select(func.count(distinct(people.c.id)))
            .select_from(own)
            .join(games, games.c.id == own.c.game_id)
            .join(theirs, theirs.c.game_id == own.c.game_id)
            .join(people, people.c.id == theirs.c.person_id)
            .where(
                own.c.person_id == person_id,
                people.c.id != person_id,
                people.c.account.is_not(None),
                people.c.created_at <= before,
                games.c.status == "over",
                games.c.moves >= 2 * FEWEST_MOVES,
            )
        )
        return await self._database.read(lambda connection: connection.scalar(query) or 0)

    async def merge_guest_into_account(self, guest_id: str, owner: Person) -> None:
        """Move a guest's seats and games to the account that they signed in to."""
        seats, games = tables.seats, tables.games

        def write(connection: Connection) -> None:
            connection.execute(
                update(seats)
                .where(seats.c.person_id == guest_id)
                .values(person_id=owner.id, name=owner.name, account=True)
            )
            connection.execute(
                update(games).where(games.c.creator == guest_id).values(creator=owner.id)
            )

        await self._database.write(write)

    async def learned(self, person_id: str) -> list[str]:
        """Return the steps of the course that a person has done."""
        learned = tables.learned
        query = (
            select(learned.c.step).where(learned.c.person_id == person_id).order_by(learned.c.step)
        )
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def add_learned(self, person_id: str, steps: Iterable[str]) -> None:
        """Add steps of the course that a person has done."""
        wanted = set(steps)

        def write(connection: Connection) -> None:
            known = select(tables.learned.c.step).where(tables.learned.c.person_id == person_id)
            rows = [
                {"person_id": person_id, "step": step}
                for step in sorted(wanted.difference(connection.scalars(known)))
            ]
            if rows:
                connection.execute(insert(tables.learned), rows)

        try:
            await self._database.write(write)
        except IntegrityError:
            # Another device has added a step at the same time: add what is missing now.
            await self._database.write(write)

    async def ratings(self, person_id: str) -> dict[str, Rating]:
        """Return a person's ratings by mode."""
        ratings = tables.ratings
        query = select(ratings).where(ratings.c.person_id == person_id)
        return await self._database.read(
            lambda connection: {
                row.mode: Rating(row.mu, row.sigma, row.games) for row in connection.execute(query)
            }
        )

    async def rating_history(
        self, person_id: str, limit: int = 1000
    ) -> list[tuple[str, int, int, str]]:
        """Return mode, time, rating and game of a person's last rated games, oldest first."""
        past = tables.rating_history
        query = (
            select(past.c.mode, past.c.at, past.c.rating, past.c.game_id)
            .where(past.c.person_id == person_id)
            .order_by(past.c.at.desc())
            .limit(limit)
        )
        return await self._database.read(
            lambda connection: [
                (row.mode, row.at, row.rating, row.game_id) for row in connection.execute(query)
            ][::-1]
        )

    async def leaderboard(self, mode: str, limit: int = 100) -> list[tuple[str, Rating]]:
        """Return the leaderboard, by mu − 3 sigma, so that few games don't suffice."""
        people, ratings = tables.people, tables.ratings
        query = (
            select(people.c.account, ratings.c.mu, ratings.c.sigma, ratings.c.games)
            .join(ratings, ratings.c.person_id == people.c.id)
            .where(ratings.c.mode == mode)
            .order_by(desc(ratings.c.mu - 3 * ratings.c.sigma))
            .limit(limit)
        )
        return await self._database.read(
            lambda connection: [
                (row.account, Rating(row.mu, row.sigma, row.games))
                for row in connection.execute(query)
            ]
        )

    async def secret(self, name: str, fresh: str) -> str:
        """Return a secret that all processes share; `fresh` is stored if there is none."""
        secrets = tables.secrets
        query = select(secrets.c.value).where(secrets.c.name == name)
        row = insert(secrets).values(name=name, value=fresh)
        known: str | None = await self._database.read(lambda connection: connection.scalar(query))
        if known is not None:
            return known
        try:
            await self._database.write(lambda connection: connection.execute(row) and None)
        except IntegrityError:
            return await self.secret(name, fresh)
        return fresh

    # Purging.

    async def purge(self, now: int, session_ms: int, guest_ms: int | None) -> int:
        """Delete obsolete rows in batches; return how many.

        Sessions and networks unused for too long, rows of ended processes, and guests without a
        game; with None, guests stay.
        """
        people, sessions, networks, probes = (
            tables.people,
            tables.sessions,
            tables.networks,
            tables.probes,
        )

        old: list[tuple[Column[Any], ColumnElement[bool]]] = [
            (sessions.c.name, sessions.c.seen_at < now - session_ms),
            (networks.c.network, networks.c.seen_at < now - NETWORK_MS),
            (probes.c.process, probes.c.at < now - _PROBE_MS),
        ]
        if guest_ms is not None:
            old.append((people.c.id, _is_idle_guest(now - guest_ms)))
        count = 0
        for key, where in old:
            deleted = _BATCH
            while deleted == _BATCH:
                deleted = await self._database.write(partial(_delete_some, key, where))
                count += deleted
                await asyncio.sleep(_PURGE_PAUSE_S)
        return count

    async def probe_write(self, process: str, at: int) -> None:
        """Write a row, to check that the database can be written."""
        await self._database.write(
            lambda connection: update_or_insert(
                connection, tables.probes, {"process": process}, {"at": at}
            )
        )


def _is_idle_guest(before: int) -> ColumnElement[bool]:
    """Return the condition for guests from before then whom no other row mentions."""
    people, seats, games = tables.people, tables.seats, tables.games
    mentions = [seats.c.person_id, games.c.creator, *_references_to(people)]
    return and_(
        people.c.account.is_(None),
        people.c.created_at < before,
        *(~select(column).where(column == people.c.id).exists() for column in mentions),
    )


def _references_to(table: Table) -> list[Column[Any]]:
    """Return the columns with a foreign key to a table."""
    return [
        column
        for each in tables.METADATA.sorted_tables
        for column in each.columns
        if any(key.column.table is table for key in column.foreign_keys)
    ]


def _delete_some(key: Column[Any], where: ColumnElement[bool], connection: Connection) -> int:
    some = list(connection.scalars(select(key).where(where).limit(_BATCH)))
    connection.execute(delete(key.table).where(key.in_(some), where))
    return len(some)


_LIKENESS_VERSION: Final = "2 "
"""The version of `likeness`; a likeness itself has no spaces."""
_MAX_LIKENESS: Final = 50


def _likeness_key(look: str) -> str:
    return _LIKENESS_VERSION + look[:_MAX_LIKENESS]


def _refresh_likenesses(connection: Connection) -> int:
    """Recompute some outdated likenesses; return how many."""
    people = tables.people
    old = (
        select(people.c.id, people.c.account)
        .where(
            people.c.account.is_not(None),
            or_(people.c.likeness.is_(None), ~people.c.likeness.startswith(_LIKENESS_VERSION)),
        )
        .order_by(people.c.created_at, people.c.id)
        .limit(_BATCH)
    )
    rows = connection.execute(old).all()
    for person_id, account in rows:
        key = _likeness_key(likeness(account))
        taken = connection.scalar(select(people.c.id).where(people.c.likeness == key))
        value = key if taken is None else f"{key} {person_id}"
        connection.execute(update(people).where(people.c.id == person_id).values(likeness=value))
    return len(rows)


def _scalars(query: Select[str], connection: Connection) -> Sequence[str]:
    return connection.scalars(query).all()


def _end_sessions(connection: Connection, person_id: str) -> None:
    connection.execute(delete(tables.sessions).where(tables.sessions.c.person_id == person_id))


def _new_token(person_id: str, digest: str | None, scope: TokenScope | None) -> Update:
    people = tables.people
    return update(people).where(people.c.id == person_id).values(token=digest, token_scope=scope)


def _delete(connection: Connection, person_id: str) -> None:
    seats, events, games = tables.seats, tables.events, tables.games
    mine = connection.execute(
        select(seats.c.game_id, seats.c.colour).where(seats.c.person_id == person_id)
    ).all()
    for game_id, colour in mine:
        _unname(connection, game_id, colour)
    connection.execute(
        update(seats)
        .where(seats.c.person_id == person_id)
        .values(person_id=None, name=NAMELESS, rating=None)
    )
    connection.execute(update(events).where(events.c.person_id == person_id).values(person_id=None))
    connection.execute(update(games).where(games.c.creator == person_id).values(creator=""))
    for table in (
        tables.chat,
        tables.sessions,
        tables.networks,
        tables.ratings,
        tables.rating_history,
        tables.learned,
        tables.puzzle_results,
        tables.puzzle_players,
    ):
        connection.execute(delete(table).where(table.c.person_id == person_id))
    connection.execute(delete(tables.people).where(tables.people.c.id == person_id))


def _unname(connection: Connection, game_id: str, colour: str) -> None:
    """Take the name out of a person's events of joining."""
    events = tables.events
    joined = select(events.c.version, events.c.body).where(
        events.c.game_id == game_id, events.c.kind == "joined"
    )
    for version, body in connection.execute(joined).all():
        content = msgspec.json.decode(body)
        if content.get("seat") == colour:
            content["name"] = NAMELESS
            connection.execute(
                update(events)
                .where(events.c.game_id == game_id, events.c.version == version)
                .values(body=msgspec.json.encode(content).decode())
            )
