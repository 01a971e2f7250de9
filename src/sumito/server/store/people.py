"""People in the database: guests as soon as they do something, accounts when they want one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, desc, insert, select, update
from sqlalchemy.exc import IntegrityError

from sumito.server.people.names import NAMELESS, likeness
from sumito.server.people.ratings import Rating
from sumito.server.store import tables
from sumito.server.store.database import Database


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody: a guest, or with an account."""

    id: str
    name: str
    language: str | None = None
    created_at: int = 0
    account: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which somebody is signed in."""

    name: str
    person_id: str
    agent: str
    created_at: int
    seen_at: int


class Taken(Enum):
    """Why somebody can't have an account of that name."""

    NAME = auto()
    PERSON = auto()


class PeopleStore:
    """Reads and writes people, ratings, and the server's own secret."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, person_id: str) -> Person | None:
        return await self._find(tables.people.c.id == person_id)

    async def by_account(self, name: str) -> Person | None:
        return await self._find(tables.people.c.account_key == name.casefold())

    async def by_likeness(self, look: str) -> Person | None:
        """The account whose name looks so."""
        return await self._find(tables.people.c.likeness == look)

    async def has_account(self, person_id: str) -> bool:
        people = tables.people
        query = select(people.c.account_key).where(people.c.id == person_id)
        key = await self._database.read(lambda connection: connection.scalar(query))
        return key is not None

    async def by_token(self, digest: str) -> Person | None:
        return await self._find(tables.people.c.token == digest)

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
        """Write a guest's or an owner's name and language; a new one is made."""
        people = tables.people
        values = {"name": person.name, "language": person.language}

        def write(connection: Connection) -> None:
            changed = connection.execute(
                update(people).where(people.c.id == person.id).values(values)
            )
            if not changed.rowcount:
                connection.execute(
                    insert(people).values(id=person.id, created_at=person.created_at, **values)
                )

        try:
            await self._database.write(write)
        except IntegrityError:
            # Two requests of a new guest met; the row is there now, and this is its content.
            await self._database.write(write)

    async def give_account(self, person: Person, name: str, password: str) -> Taken | None:
        """Turn a guest into an account's owner, or say who was first; a token is void by it."""
        people = tables.people
        values = {
            "name": name,
            "account": name,
            "account_key": name.casefold(),
            "likeness": likeness(name),
            "password": password,
            "token": None,
        }

        def write(connection: Connection) -> Taken | None:
            known = connection.scalar(select(people.c.id).where(people.c.id == person.id))
            if known is None:
                row = {"id": person.id, "language": person.language}
                connection.execute(
                    insert(people).values(row | {"created_at": person.created_at} | values)
                )
                return None
            guest = (people.c.id == person.id) & people.c.account.is_(None)
            changed = connection.execute(update(people).where(guest).values(values))
            return None if changed.rowcount else Taken.PERSON

        try:
            return await self._database.write(write)
        except IntegrityError:
            return Taken.PERSON if await self.has_account(person.id) else Taken.NAME

    async def set_password(self, person_id: str, password: str) -> None:
        people = tables.people
        change = update(people).where(people.c.id == person_id).values(password=password)
        await self._database.write(lambda connection: connection.execute(change) and None)

    # Sessions.

    async def session(self, name: str) -> Session | None:
        found = await self._sessions(tables.sessions.c.name == name)
        return found[0] if found else None

    async def sessions_of(self, person_id: str) -> list[Session]:
        """Where somebody is signed in, the last used first."""
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

    async def begin_session(self, name: str, person_id: str, agent: str, at: int) -> None:
        row = insert(tables.sessions).values(
            name=name, person_id=person_id, agent=agent, created_at=at, seen_at=at
        )
        await self._database.write(lambda connection: connection.execute(row) and None)

    async def see_session(self, name: str, at: int) -> None:
        """Note that a session is in use."""
        sessions = tables.sessions
        change = update(sessions).where(sessions.c.name == name).values(seen_at=at)
        await self._database.write(lambda connection: connection.execute(change) and None)

    async def end_session(self, name: str) -> None:
        gone = delete(tables.sessions).where(tables.sessions.c.name == name)
        await self._database.write(lambda connection: connection.execute(gone) and None)

    async def end_sessions(self, person_id: str) -> None:
        gone = delete(tables.sessions).where(tables.sessions.c.person_id == person_id)
        await self._database.write(lambda connection: connection.execute(gone) and None)

    # Leaving.

    async def forget(self, person_id: str) -> None:
        """Delete somebody; the games they played stay, without their name."""
        await self._database.write(lambda connection: _forget(connection, person_id))

    async def said_by(self, person_id: str) -> list[tuple[str, int, str]]:
        """Game, time and line of all that somebody said."""
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

    async def set_token(self, person_id: str, digest: str | None) -> None:
        people = tables.people
        change = update(people).where(people.c.id == person_id).values(token=digest)
        await self._database.write(lambda connection: connection.execute(change) and None)

    async def adopt(self, guest_id: str, owner: Person) -> None:
        """Give a guest's seats and games to the account that they signed in to."""
        seats, games = tables.seats, tables.games

        def write(connection: Connection) -> None:
            connection.execute(
                update(seats)
                .where(seats.c.person_id == guest_id)
                .values(person_id=owner.id, name=owner.name)
            )
            connection.execute(
                update(games).where(games.c.creator == guest_id).values(creator=owner.id)
            )

        await self._database.write(write)

    async def learned(self, person_id: str) -> list[str]:
        """The steps of the course that somebody has done."""
        learned = tables.learned
        query = (
            select(learned.c.step).where(learned.c.person_id == person_id).order_by(learned.c.step)
        )
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def learn(self, person_id: str, steps: Iterable[str]) -> None:
        """Add steps to those somebody has done."""
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
            # Two devices told of the same step at once; what is missing now is added.
            await self._database.write(write)

    async def ratings(self, person_id: str) -> dict[str, Rating]:
        """Somebody's rating in each mode they are rated in."""
        ratings = tables.ratings
        query = select(ratings).where(ratings.c.person_id == person_id)
        return await self._database.read(
            lambda connection: {
                row.mode: Rating(row.mu, row.sigma, row.games) for row in connection.execute(query)
            }
        )

    async def history(self, person_id: str, limit: int = 1000) -> list[tuple[str, int, int, str]]:
        """Mode, time, rating and game of somebody's last rated games, oldest first."""
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

    async def best(self, mode: str, limit: int = 100) -> list[tuple[str, Rating]]:
        """The leaderboard: by what is nearly certain of each, so that one lucky game isn't it."""
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
        """A secret all processes share; `fresh` becomes it if there is none yet."""
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

    async def probe(self, process: str, at: int) -> None:
        """Try to write; raises what is wrong with the database."""
        probes = tables.probes

        def write(connection: Connection) -> None:
            changed = connection.execute(
                update(probes).where(probes.c.process == process).values(at=at)
            )
            if not changed.rowcount:
                connection.execute(insert(probes).values(process=process, at=at))

        await self._database.write(write)


def _forget(connection: Connection, person_id: str) -> None:
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
        tables.ratings,
        tables.rating_history,
        tables.learned,
        tables.puzzle_results,
        tables.puzzle_players,
    ):
        connection.execute(delete(table).where(table.c.person_id == person_id))
    connection.execute(delete(tables.people).where(tables.people.c.id == person_id))


def _unname(connection: Connection, game_id: str, colour: str) -> None:
    """Take the name out of the events of one who sat down."""
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
