"""Games as APGN records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sumito.record import Record, write
from sumito.rules.rules import Reason
from sumito.server.games.room import Room
from sumito.server.refusals import not_started
from sumito.server.storage import StoredEvent, StoredGame


def game_record(room: Room) -> Record:
    """Return a game as a record, as far as it was played."""
    if room.game is None:
        raise not_started()
    day = datetime.fromtimestamp(room.created_at / 1000, UTC)
    tags = {
        "Event": "Rated game" if room.terms.rated else "Casual game",
        "Date": f"{day:%Y.%m.%d}",
        "Source": f"sumito {room.id}",
    }
    if room.cancelled:
        # The game's own outcome doesn't have it: it was called off from outside.
        tags["Termination"] = str(Reason.ABORTED)
    for colour, seat in room.seats.items():
        if seat.rating is not None and len(room.seats) == 2:
            tags[f"{colour.name.capitalize()}Elo"] = str(seat.rating)
    return Record.from_game(room.game, tags)


def record_text(stored: StoredGame, entries: Sequence[StoredEvent]) -> str:
    """Return the record of a stored game, replayed from its events."""
    return write([game_record(Room(stored, entries))])
