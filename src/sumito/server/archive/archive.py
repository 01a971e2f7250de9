"""The archive: finished public games and imported records, with search and opening explorer.

Games of this server are added as they end; missed ones are added when a process starts. A game is
added only once.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, cast

import structlog

from sumito.errors import SumitoError
from sumito.position import Position
from sumito.protocol import requests, scalars, views
from sumito.record import Record, write
from sumito.rules import layouts
from sumito.rules.modes import Colour
from sumito.rules.move import MOVES
from sumito.rules.rules import UNDECIDED
from sumito.server.archive.records import record_text
from sumito.server.base import metrics
from sumito.server.games import presenter
from sumito.server.games.room import Room
from sumito.server.games.seats import is_id
from sumito.server.storage import GameRepository, UnavailableError
from sumito.server.storage.archive_repo import (
    IMPORTED,
    UNFINISHED,
    ArchivedGame,
    ArchivedPlayer,
    ArchiveRepository,
    OpeningRow,
)

_log = structlog.get_logger()

CUSTOM: Final = "custom"
LONGEST_ID: Final = 22
LONGEST_NAME: Final = 80
LONGEST_REASON: Final = 40


class Archive:
    """Finished games of this server and of others."""

    def __init__(self, games: GameRepository, store: ArchiveRepository) -> None:
        self._games = games
        self.store = store
        self._unreadable: set[str] = set()
        """Games that could not be archived; they are retried when the server starts."""

    async def add_finished(self, game_id: str) -> None:
        """Add a finished game if it is public and was played."""
        stored = await self._games.get(game_id)
        if stored is None or stored.status != "over" or not stored.listed or not stored.moves:
            return
        if stored.reason == "aborted":
            return
        entries = await self._games.events(game_id)
        game = await asyncio.to_thread(lambda: of_room(Room(stored, entries), stored.ended_at or 0))
        await self.store.add([game])

    async def catch_up(self) -> None:
        """Add finished games that are missing; unreadable ones are skipped."""
        last = ""
        while missing := await self.store.missing(after=last):
            for game_id in missing:
                if game_id not in self._unreadable:
                    await self._try_add(game_id)
            last = missing[-1]

    async def _try_add(self, game_id: str) -> None:
        try:
            await self.add_finished(game_id)
        except UnavailableError:
            raise
        except Exception:
            self._unreadable.add(game_id)
            metrics.UNREADABLE.labels("archive").inc()
            _log.exception("a game can't be archived", game=game_id)

    async def summaries(self, found: Sequence[ArchivedGame]) -> list[views.Summary]:
        """Return summaries of archived games; unreadable ones are left out."""
        here = {game.game_id for game in found if not game.imported}
        shown = {one.id: one for one in presenter.summaries(await self._games.several(here))}
        return [
            summary(game) if game.imported else shown[game.game_id]
            for game in found
            if game.imported or game.game_id in shown
        ]

    async def text(self, game: ArchivedGame) -> str:
        """Return a game as a record; replayed in a thread."""
        if game.imported:
            return await asyncio.to_thread(lambda: write([record_of(game)]))
        stored = await self._games.get(game.game_id)
        entries = await self._games.events(game.game_id)
        if stored is None:
            return ""
        return await asyncio.to_thread(record_text, stored, entries)

    async def explore(self, position: str) -> views.Openings:
        """Return the moves played in a position, with their results."""
        rows = await self.store.openings(position)
        return views.Openings(
            position=position,
            games=sum(row.games for row in rows),
            moves=[_opening(row) for row in rows],
        )


def _opening(row: OpeningRow) -> views.OpeningMove:
    return views.OpeningMove(
        move=row.move.name,
        games=row.games,
        wins=list(row.wins),
        draws=row.draws,
        rating=row.rating,
        last_at=row.last_at,
        last_game=row.last.game_id,
        last_players=[player.name for player in row.last.players],
    )


def of_room(room: Room, ended_at: int) -> ArchivedGame:
    """Return a game of this server as an archived game."""
    assert room.game is not None
    outcome = room.outcome
    assert outcome is not None
    return ArchivedGame(
        game_id=room.id,
        imported=False,
        mode=str(room.mode),
        layout=room.terms.layout,
        start=str(room.game.start),
        moves=scalars.pack(ply.move.index for ply in room.game.plies),
        plies=len(room.game.plies),
        winner=None if outcome.winner is None else str(outcome.winner),
        reason=str(outcome.reason),
        at=ended_at,
        final=str(room.board.position),
        players=tuple(
            ArchivedPlayer(str(colour), seat.name, seat.rating)
            for colour, seat in room.seats.items()
        ),
    )


# Records of other places.


def of_record(record: Record) -> ArchivedGame:
    """Return a record as an archived game."""
    start = record.start
    moves = scalars.pack(move.index for move in record.moves)
    layout = layouts.find(start.marbles, start.mode)
    winner, reason = _result(record)
    return ArchivedGame(
        game_id=_identity(record, str(start), moves),
        imported=True,
        mode=str(start.mode),
        layout=CUSTOM if layout is None else layout.id,
        start=str(start),
        moves=moves,
        plies=len(record.moves),
        winner=winner,
        reason=reason,
        at=_time(record.tags.get("Date", "")),
        tags=json.dumps(record.tags, ensure_ascii=False),
        final=_final(record),
        players=tuple(_players(record)),
    )


def _final(record: Record) -> str | None:
    """Return the position after the last move; None if the record can't be replayed."""
    try:
        *_, last = record.boards()
    except SumitoError:
        return None
    return str(last.position)


def _identity(record: Record, start: str, moves: str) -> str:
    """Return the same id for the same game: its own for a game of this server, else a digest."""
    source = record.tags.get("Source", "")
    known = source.removeprefix("sumito ")
    if known != source and len(known) <= LONGEST_ID and is_id(known):
        return IMPORTED + known
    names = [record.tags.get(str(colour).capitalize(), "?") for colour in Colour]
    content = json.dumps([start, moves, names, record.tags.get("Date", "")])
    digest = base64.b32encode(hashlib.sha256(content.encode()).digest()).decode().lower()
    return IMPORTED + digest[:20]


def _result(record: Record) -> tuple[str | None, str]:
    if record.result == UNDECIDED:
        return None, UNFINISHED
    reason = record.tags.get("Termination", "")[:LONGEST_REASON] or "unknown"
    points = record.result.split("-")
    sides = [side[0] for side in record.mode.sides]
    winners = [side for side, point in zip(sides, points, strict=False) if point == "1"]
    return (str(winners[0]), reason) if len(winners) == 1 else (None, reason)


def _time(date: str) -> int:
    """Return a record's date in ms; 0 if it has none."""
    try:
        return int(datetime.strptime(date, "%Y.%m.%d").replace(tzinfo=UTC).timestamp() * 1000)
    except (ValueError, OverflowError):
        return 0


def _players(record: Record) -> list[ArchivedPlayer]:
    found = []
    for colour in record.mode.colours:
        tag = str(colour).capitalize()
        elo = record.tags.get(f"{tag}Elo", "")
        rating = int(elo) if elo.isascii() and elo.isdigit() and len(elo) <= 5 else None
        name = record.tags.get(tag, "?")[:LONGEST_NAME]
        found.append(ArchivedPlayer(str(colour), name, rating))
    return found


def record_of(game: ArchivedGame) -> Record:
    """Return an imported game as a record."""
    tags = json.loads(game.tags or "{}")
    moves = [MOVES[index] for index in scalars.unpack(game.moves)]
    return Record.from_moves(Position.parse(game.start), moves, tags=tags)


def summary(game: ArchivedGame) -> views.Summary:
    """Return an imported game's summary for lists."""
    reason = game.reason if game.reason in views.END_REASONS else "agreed"
    known = game.reason != UNFINISHED
    return views.Summary(
        id=game.game_id,
        mode=cast(scalars.Mode, game.mode),
        layout=game.layout,
        control=requests.NoClock(),
        rated=False,
        status="over",
        seats=[
            views.SeatSummary(
                cast(scalars.Colour, player.colour), "person", player.name, None, player.rating
            )
            for player in game.players
        ],
        position=game.final or game.start,
        moves=game.plies,
        outcome=views.OutcomeView(
            cast(scalars.Colour | None, game.winner), cast(views.EndReason, reason)
        )
        if known
        else None,
        created_at=game.at,
        imported=True,
    )
