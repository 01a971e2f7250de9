"""Repository of the archive: search of finished games, and the opening explorer.

The explorer's counts are updated with each game, one row for each position and move: the time of an
answer depends on the number of moves, not of games. A position is identified by the kernel's
canonical key, which is the same for all twelve symmetric positions. A game and its counts are
stored in one transaction, and once only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    exists,
    func,
    insert,
    or_,
    select,
    text,
)

from sumito import kernel
from sumito.protocol.scalars import unpack
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import MOVES, Move
from sumito.rules.symmetry import SYMMETRIES
from sumito.server.storage import tables
from sumito.server.storage.database import Database

COUNTED_PLIES: Final = 60
"""Up to this ply the explorer counts moves: later positions are hardly ever met twice. Which games
reached a position is stored for whole games."""
FEW: Final = 2000
"""If fewer games than this reached a position, they are looked up by number."""
IMPORTED: Final = "i-"
"""How the ids of imported games begin; what follows may be the id of a game played here."""
UNFINISHED: Final = "unfinished"
"""The reason of a record that says no result."""


@dataclass(frozen=True, slots=True)
class ArchivedPlayer:
    """A player of an archived game."""

    colour: str
    name: str
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game of the archive."""

    game_id: str
    imported: bool
    mode: str
    layout: str
    start: str
    moves: str
    """Packed."""
    plies: int
    winner: str | None
    reason: str
    at: int
    tags: str | None = None
    final: str | None = None
    """The last position; None if the game can't be played through."""
    players: tuple[ArchivedPlayer, ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class GameSearch:
    """The criteria of a search; None: any."""

    player: str | None = None
    layout: str | None = None
    mode: str | None = None
    result: str | None = None
    """The winner's colour, or `draw`."""
    since: int | None = None
    until: int | None = None
    shortest: int | None = None
    longest: int | None = None
    position: str | None = None


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """A move that was played in a position, and how its games went."""

    move: Move
    games: int
    wins: tuple[int, ...]
    """By side."""
    draws: int
    rating: int | None
    last_at: int
    last: ArchivedGame


_COLUMNS = tuple(
    name for name in ArchivedGame.__dataclass_fields__ if name not in ("players", "number")
)
_COUNT = text(
    "INSERT INTO openings (key, move, games, first, second, third, draws, rating_sum, rated,"
    " last_at, last_number) VALUES (:key, :move, 1, :first, :second, :third, :draws, :rating,"
    " :rated, :at, :number) ON CONFLICT (key, move) DO UPDATE SET games = openings.games + 1,"
    " first = openings.first + excluded.first, second = openings.second + excluded.second,"
    " third = openings.third + excluded.third, draws = openings.draws + excluded.draws,"
    " rating_sum = openings.rating_sum + excluded.rating_sum,"
    " rated = openings.rated + excluded.rated,"
    " last_number = CASE WHEN excluded.last_at >= openings.last_at THEN excluded.last_number"
    " ELSE openings.last_number END,"
    " last_at = CASE WHEN excluded.last_at >= openings.last_at THEN excluded.last_at"
    " ELSE openings.last_at END"
)
_REACH = text("INSERT INTO reached (key, number) VALUES (:key, :number) ON CONFLICT DO NOTHING")


class ArchiveRepository:
    """Reads and writes the archive."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, games: Sequence[ArchivedGame]) -> int:
        """Store games that are not in the archive yet; return how many were new."""
        counted = [(game, counts(game)) for game in games]
        return await self._database.write(
            lambda connection: sum(_add(connection, game, found) for game, found in counted)
        )

    async def missing(self, limit: int = 50, after: str = "") -> list[str]:
        """Return ids of games that are missing in the archive, in order, beginning after one."""
        games, archive = tables.games, tables.archive
        there = exists().where(archive.c.game_id == games.c.id)
        query = (
            select(games.c.id)
            .where(
                games.c.id > after,
                games.c.status == "over",
                games.c.listed,
                games.c.moves > 0,
                games.c.reason != "aborted",
                ~there,
            )
            .order_by(games.c.id)
            .limit(limit)
        )
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def get(self, game_id: str) -> ArchivedGame | None:
        """An archived game by its id."""
        query = select(tables.archive).where(tables.archive.c.game_id == game_id)
        return next(iter(await self._read(query)), None)

    async def search(
        self, wanted: GameSearch, before: tuple[int, int] | None = None, limit: int = 50
    ) -> list[ArchivedGame]:
        """The games that fit, newest first; `before` is time and number of the last one seen."""
        archive = tables.archive
        query = select(archive).where(*_conditions(wanted))
        if before is not None:
            at, number = before
            query = query.where(
                or_(archive.c.at < at, and_(archive.c.at == at, archive.c.number < number))
            )
        query = query.order_by(archive.c.at.desc(), archive.c.number.desc()).limit(limit)
        if wanted.position is None:
            return await self._read(query)
        _, key, _ = _key_of(wanted.position)
        return await self._database.read(
            lambda connection: _games(connection, query.where(_has_reached(connection, key)))
        )

    async def openings(self, position: str) -> list[OpeningRow]:
        """Return the moves played in a position, the most frequent first."""
        mode, key, carried_back = _key_of(position)
        openings = tables.openings
        query = (
            select(openings)
            .where(openings.c.key == key)
            .order_by(openings.c.games.desc(), openings.c.move)
        )

        def read(connection: Connection) -> list[OpeningRow]:
            rows = connection.execute(query).all()
            numbers = {row.last_number for row in rows}
            last = _games(connection, select(tables.archive).where(_numbered(numbers)))
            by_number = {game.number: game for game in last}
            return [
                OpeningRow(
                    move=carried_back(MOVES[row.move]),
                    games=row.games,
                    wins=(row.first, row.second, row.third)[: len(mode.sides)],
                    draws=row.draws,
                    rating=round(row.rating_sum / row.rated) if row.rated else None,
                    last_at=row.last_at,
                    last=by_number[row.last_number],
                )
                for row in rows
            ]

        return await self._database.read(read)

    async def _read(self, query: Select[Any]) -> list[ArchivedGame]:
        return await self._database.read(lambda connection: _games(connection, query))


def _numbered(numbers: Iterable[int]) -> ColumnElement[bool]:
    return tables.archive.c.number.in_(sorted(numbers))


def _games(connection: Connection, query: Select[Any]) -> list[ArchivedGame]:
    rows = connection.execute(query).all()
    players = _players(connection, rows)
    return [
        ArchivedGame(
            **{name: row._mapping[name] for name in _COLUMNS},
            number=row.number,
            players=tuple(players.get(row.number, ())),
        )
        for row in rows
    ]


def _players(connection: Connection, rows: Sequence[Any]) -> dict[int, list[ArchivedPlayer]]:
    """Return the players in the order of colours; of this server's games by current names."""
    imported, seats = tables.archive_players, tables.seats
    played = {row.game_id: row.number for row in rows if not row.imported}
    found: dict[int, list[ArchivedPlayer]] = {row.number: [] for row in rows}
    outside = select(imported).where(imported.c.number.in_(list(found)))
    for row in connection.execute(outside):
        found[row.number].append(ArchivedPlayer(row.colour, row.name, row.rating))
    here = select(seats.c.game_id, seats.c.colour, seats.c.name, seats.c.rating)
    for row in connection.execute(here.where(seats.c.game_id.in_(list(played)))):
        player = ArchivedPlayer(row.colour, row.name, row.rating)
        found[played[row.game_id]].append(player)
    for players in found.values():
        players.sort(key=lambda player: Colour.parse(player.colour))
    return found


def _conditions(wanted: GameSearch) -> list[ColumnElement[bool]]:
    archive = tables.archive
    exact = {"layout": wanted.layout, "mode": wanted.mode}
    conditions = [archive.c[name] == value for name, value in exact.items() if value is not None]
    if wanted.result == "draw":
        conditions += [archive.c.winner.is_(None), archive.c.reason != UNFINISHED]
    elif wanted.result is not None:
        conditions.append(archive.c.winner == wanted.result)
    bounds = (
        (wanted.since, archive.c.at.__ge__),
        (wanted.until, archive.c.at.__lt__),
        (wanted.shortest, archive.c.plies.__ge__),
        (wanted.longest, archive.c.plies.__le__),
    )
    conditions += [compare(value) for value, compare in bounds if value is not None]
    if wanted.player is not None:
        conditions.append(_played_by(wanted.player))
    return conditions


def _has_reached(connection: Connection, key: int) -> ColumnElement[bool]:
    """Return a condition that is fast for few games (by number) and for many (by scan)."""
    archive, reached = tables.archive, tables.reached
    there = select(reached.c.number).where(reached.c.key == key)
    counted = select(func.count()).select_from(there.limit(FEW).subquery())
    if (connection.scalar(counted) or 0) < FEW:
        return archive.c.number.in_(there)
    return exists().where(reached.c.key == key, reached.c.number == archive.c.number)


def _played_by(name: str) -> ColumnElement[bool]:
    """Return the condition for an account's name in any case, or a name on a seat."""
    archive, players, seats = tables.archive, tables.archive_players, tables.seats
    people = select(tables.people.c.id).where(tables.people.c.account_key == name.casefold())
    outside = select(players.c.number).where(players.c.name_key == name.casefold())
    by_account = select(seats.c.game_id).where(seats.c.person_id.in_(people))
    by_name = select(seats.c.game_id).where(seats.c.name == name)
    return or_(
        archive.c.number.in_(outside),
        archive.c.game_id.in_(by_account),
        archive.c.game_id.in_(by_name),
    )


def _signed(key: int) -> int:
    """Return an unsigned 64-bit key as the signed number that databases store."""
    return key - 2**64 if key >= 2**63 else key


def _key_of(position: str) -> tuple[Mode, int, Callable[[Move], Move]]:
    """Return mode and key of a position, and the mapping of moves back to its orientation."""
    core = kernel.Position(position)
    ((key, symmetry, _),) = kernel.canonical_keys(core)
    return Mode.parse(core.mode), _signed(key), SYMMETRIES[symmetry].inverse.move


def counts(game: ArchivedGame) -> list[tuple[int, int | None]]:
    """Return key and move of each position of a game; the last has no move."""
    start = kernel.Position(game.start)
    moves = unpack(game.moves)
    try:
        keys = kernel.canonical_keys(start, moves)
    except ValueError:  # somebody left, or the game went on where rulebooks end it
        keys = kernel.canonical_keys(start, _playable(start, moves))
    return [(_signed(key), move) for key, _, move in keys]


def _playable(start: kernel.Position, moves: Sequence[int]) -> list[int]:
    """The moves up to the first that the rulebook doesn't allow."""
    at, played = start.copy(), []
    for move in moves:
        try:
            at.push(move)
        except ValueError:
            break
        played.append(move)
    return played


def _add(
    connection: Connection, game: ArchivedGame, found: Sequence[tuple[int, int | None]]
) -> bool:
    archive = tables.archive
    ids = {game.game_id, game.game_id.removeprefix(IMPORTED)}
    known = select(archive.c.number).where(archive.c.game_id.in_(ids))
    if connection.scalar(known) is not None:
        return False
    row = {name: getattr(game, name) for name in _COLUMNS}
    made = connection.execute(insert(archive).values(row)).inserted_primary_key
    number = int(made[0]) if made else 0
    if game.imported and game.players:
        connection.execute(
            insert(tables.archive_players),
            [
                {
                    "number": number,
                    "colour": player.colour,
                    "name": player.name,
                    "name_key": player.name.casefold(),
                    "rating": player.rating,
                }
                for player in game.players
            ],
        )
    reach(connection, number, (key for key, _ in found))
    _count(connection, game, number, found[:COUNTED_PLIES])
    return True


def reach(connection: Connection, number: int, keys: Iterable[int]) -> None:
    """Store that a game reached positions."""
    connection.execute(_REACH, [{"key": key, "number": number} for key in sorted(set(keys))])


def _count(
    connection: Connection,
    game: ArchivedGame,
    number: int,
    found: Sequence[tuple[int, int | None]],
) -> None:
    mode = Mode.parse(game.mode)
    winners = [side[0] for side in mode.sides]
    won = [game.winner is not None and Colour.parse(game.winner) is side for side in winners]
    ratings = [player.rating for player in game.players if player.rating is not None]
    shared = {
        "first": int(won[0]),
        "second": int(won[1]),
        "third": int(won[2]) if len(won) > 2 else 0,
        "draws": int(game.winner is None and game.reason != UNFINISHED),
        "rating": round(sum(ratings) / len(ratings)) if ratings else 0,
        "rated": int(bool(ratings)),
        "at": game.at,
        "number": number,
    }
    # A repeated position in a game counts once for each move played in it.
    pairs = {(key, move) for key, move in found if move is not None}
    if pairs:
        connection.execute(
            _COUNT, [shared | {"key": key, "move": move} for key, move in sorted(pairs)]
        )
