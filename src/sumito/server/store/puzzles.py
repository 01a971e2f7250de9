"""Results of puzzles in the database: one a person and puzzle, and both ratings with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Table, insert, select, update

from sumito.server.people.puzzling import after_try, first_rating
from sumito.server.people.ratings import SETTLED, Rating, displayed
from sumito.server.store import tables
from sumito.server.store.database import Database


@dataclass(frozen=True, slots=True)
class Puzzling:
    """How somebody fares with puzzles."""

    rating: Rating = field(default_factory=Rating)
    tries: int = 0
    solved: int = 0


@dataclass(frozen=True, slots=True)
class Tried:
    """What a try came to."""

    player: Puzzling
    puzzle_rating: int
    counted: bool


class PuzzleStore:
    """Reads and writes results of puzzles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_person(self, person_id: str) -> Puzzling:
        return await self._database.read(lambda connection: _player(connection, person_id))

    async def ratings(self) -> dict[str, int]:
        """The ratings of the puzzles that were tried."""
        ratings = tables.puzzle_ratings
        query = select(ratings.c.puzzle_id, ratings.c.mu)
        return await self._database.read(
            lambda connection: {
                row.puzzle_id: displayed(Rating(row.mu)) for row in connection.execute(query)
            }
        )

    async def add(
        self, person_id: str, puzzle_id: str, shipped: int, at: int, *, solved: bool
    ) -> Tried:
        """Keep a try; only the first one of a puzzle counts."""

        def write(connection: Connection) -> Tried:
            player = _player(connection, person_id)
            puzzle, tries = _puzzle(connection, puzzle_id, shipped)
            results = tables.puzzle_results
            mine = results.c.person_id == person_id, results.c.puzzle_id == puzzle_id
            if connection.scalar(select(results.c.at).where(*mine)) is not None:
                return Tried(player, displayed(puzzle), counted=False)
            connection.execute(
                insert(results).values(
                    person_id=person_id, puzzle_id=puzzle_id, at=at, solved=solved
                )
            )
            person_after, puzzle_after = after_try(player.rating, puzzle, solved=solved)
            after = Puzzling(person_after, player.tries + 1, player.solved + solved)
            _put(
                connection,
                tables.puzzle_players,
                {"person_id": person_id},
                _belief(person_after) | {"tries": after.tries, "solved": after.solved},
            )
            _put(
                connection,
                tables.puzzle_ratings,
                {"puzzle_id": puzzle_id},
                _belief(puzzle_after) | {"tries": tries + 1},
            )
            return Tried(after, displayed(puzzle_after), counted=True)

        return await self._database.write(write)


def _belief(rating: Rating) -> dict[str, Any]:
    return {"mu": rating.mu, "sigma": rating.sigma}


def _player(connection: Connection, person_id: str) -> Puzzling:
    players = tables.puzzle_players
    query = select(players).where(players.c.person_id == person_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        return Puzzling()
    return Puzzling(Rating(row.mu, row.sigma, row.tries), row.tries, row.solved)


def _puzzle(connection: Connection, puzzle_id: str, shipped: int) -> tuple[Rating, int]:
    ratings = tables.puzzle_ratings
    query = select(ratings).where(ratings.c.puzzle_id == puzzle_id).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is None:
        return first_rating(shipped), 0
    return Rating(row.mu, row.sigma, SETTLED + row.tries), row.tries


def _put(connection: Connection, table: Table, key: dict[str, Any], values: dict[str, Any]) -> None:
    """Change a row, or make it."""
    same = [table.c[name] == value for name, value in key.items()]
    changed = connection.execute(update(table).where(*same).values(values))
    if not changed.rowcount:
        connection.execute(insert(table).values(key | values))
