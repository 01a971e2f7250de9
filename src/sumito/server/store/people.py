"""People in the database: guests as soon as they do something, accounts when they want one."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, desc, insert, select, update
from sqlalchemy.exc import IntegrityError

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
    password: str | None = None


class PeopleStore:
    """Reads and writes people, ratings, and the server's own secret."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, person_id: str) -> Person | None:
        return await self._find(tables.people.c.id == person_id)

    async def by_account(self, name: str) -> Person | None:
        return await self._find(tables.people.c.account_key == name.casefold())

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

    async def give_account(self, person_id: str, name: str, password: str) -> bool:
        """Turn a guest into an account's owner; False if the name is taken."""
        people = tables.people
        change = (
            update(people)
            .where(people.c.id == person_id)
            .values(account=name, account_key=name.casefold(), name=name, password=password)
        )
        try:
            await self._database.write(lambda connection: connection.execute(change) and None)
        except IntegrityError:
            return False
        return True

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
