"""Account deletion: open games are resigned, finished ones stay without the name."""

from __future__ import annotations

import structlog

from sumito.errors import SumitoError
from sumito.game import commands
from sumito.server.games.decisions import Decision, apply, call_off
from sumito.server.games.room import Room
from sumito.server.games.service import Games
from sumito.server.games.writer import is_database_unavailable
from sumito.server.refusals import Refusal
from sumito.server.storage import Person, StoredGame

_log = structlog.get_logger()


async def delete_account(games: Games, person: Person) -> None:
    """Resign or cancel a person's open games, then delete all data about them."""
    mine = [stored async for stored in games.store.all_of_person(person.id)]
    for stored in mine:
        if stored.status != "over":
            await _leave_game(games, stored, person.id)
    await games.people.store.delete(person.id)
    for stored in mine:
        games.rooms.forget(stored.id)


async def _leave_game(games: Games, stored: StoredGame, person_id: str) -> None:
    try:
        # Once for each seat: a game of three goes on when one of its players has left.
        for _ in stored.seats:
            await games.change(stored.id, lambda room, at: _give_up(room, person_id, at))
    except Exception as error:
        if is_database_unavailable(error):
            raise
        if isinstance(error, Refusal | SumitoError):
            _log.warning("a game couldn't be given up", game=stored.id, error=str(error))
        else:
            # A game that can't be read must not prevent the deletion.
            _log.exception("a game couldn't be given up", game=stored.id)


def _give_up(room: Room, person_id: str, at: int) -> Decision:
    if room.status == "waiting":
        return call_off(room, person_id)
    seats = [
        seat for seat in room.seats_of(person_id) if room.game and seat not in room.game.eliminated
    ]
    if room.status == "over" or not seats:
        return Decision(())
    return apply(room, commands.Resign(seats[0]), at)
