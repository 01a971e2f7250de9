"""Repository of puzzle results: one per person and puzzle, stored with both ratings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from sumito.server.ratings.puzzle_ratings import after_try, first_rating
from sumito.server.ratings.ratings import Rating, displayed
from sumito.server.storage import tables
from sumito.server.storage.database import Database
from sumito.server.storage.upsert import insert_missing


@dataclass(frozen=True, slots=True)
class PuzzlePlayer:
    """A person's puzzle rating and results."""

    rating: Rating = field(default_factory=Rating)
    tries: int = 0
    solved: int = 0


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """The ratings after an attempt, and whether it counted."""

    player: PuzzlePlayer
    puzzle_rating: int
    counted: bool


class PuzzleRepository:
    """Reads and writes results of puzzles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_person(self, person_id: str) -> PuzzlePlayer:
        players = tables.puzzle_players
        query = select(players).where(players.c.person_id == person_id)
        return await self._database.read(
            lambda connection: _player(connection.execute(query).one_or_none())
        )

    async def ratings(self) -> dict[str, int]:
        """Return the ratings of the puzzles that were tried."""
        ratings = tables.puzzle_ratings
        query = select(ratings.c.puzzle_id, ratings.c.mu).where(ratings.c.tries > 0)
        return await self._database.read(
            lambda connection: {
                row.puzzle_id: displayed(Rating(row.mu)) for row in connection.execute(query)
            }
        )

    async def add(
        self, person_id: str, puzzle_id: str, shipped: int, at: int, *, solved: bool
    ) -> PuzzleResult:
        """Store an attempt; only the first one of a puzzle counts."""

        def write(connection: Connection) -> PuzzleResult:
            # First the person's row, then the puzzle's: all writers lock in this order.
            player = _locked_player(connection, person_id)
            puzzle, tries = _locked_puzzle(connection, puzzle_id, shipped)
            results = tables.puzzle_results
            mine = results.c.person_id == person_id, results.c.puzzle_id == puzzle_id
            if connection.scalar(select(results.c.at).where(*mine)) is not None:
                return PuzzleResult(player, displayed(puzzle), counted=False)
            connection.execute(
                insert(results).values(
                    person_id=person_id, puzzle_id=puzzle_id, at=at, solved=solved
                )
            )
            person_after, puzzle_after = after_try(player.rating, puzzle, solved=solved)
            after = PuzzlePlayer(person_after, player.tries + 1, player.solved + solved)
            players, ratings = tables.puzzle_players, tables.puzzle_ratings
            connection.execute(
                update(players)
                .where(players.c.person_id == person_id)
                .values(_belief(person_after) | {"tries": after.tries, "solved": after.solved})
            )
            connection.execute(
                update(ratings)
                .where(ratings.c.puzzle_id == puzzle_id)
                .values(_belief(puzzle_after) | {"tries": tries + 1})
            )
            return PuzzleResult(after, displayed(puzzle_after), counted=True)

        return await self._database.write(write)


def _belief(rating: Rating) -> dict[str, Any]:
    return {"mu": rating.mu, "sigma": rating.sigma}


def _player(row: Row[Any] | None) -> PuzzlePlayer:
    if row is None:
        return PuzzlePlayer()
    return PuzzlePlayer(Rating(row.mu, row.sigma, row.tries), row.tries, row.solved)


def _locked_player(connection: Connection, person_id: str) -> PuzzlePlayer:
    """Return a person's row, locked; inserted first if it is missing."""
    players = tables.puzzle_players
    first = {"person_id": person_id} | _belief(Rating()) | {"tries": 0, "solved": 0}
    insert_missing(connection, players, [first])
    query = select(players).where(players.c.person_id == person_id).with_for_update()
    return _player(connection.execute(query).one())


def _locked_puzzle(connection: Connection, puzzle_id: str, shipped: int) -> tuple[Rating, int]:
    ratings = tables.puzzle_ratings
    first = {"puzzle_id": puzzle_id} | _belief(first_rating(shipped)) | {"tries": 0}
    insert_missing(connection, ratings, [first])
    query = select(ratings).where(ratings.c.puzzle_id == puzzle_id).with_for_update()
    row = connection.execute(query).one()
    return Rating(row.mu, row.sigma, row.tries), row.tries
