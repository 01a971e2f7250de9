"""Rematches: another game with everybody one seat further, once all players have asked."""

from __future__ import annotations

from collections.abc import Mapping

from sumito.rules.modes import Colour, Mode
from sumito.server.base.i18n import N_
from sumito.server.games.decisions import Decision
from sumito.server.games.event_rows import Rematched, RematchOffered
from sumito.server.games.room import Room
from sumito.server.games.seats import new_game
from sumito.server.refusals import Conflict
from sumito.server.storage import SeatRow


def ask(
    room: Room, seat: Colour, person_id: str, ratings: Mapping[str, int | None], now: int
) -> Decision:
    """Ask for a rematch; with the last player's request it starts, at current ratings."""
    if room.status != "over" or room.cancelled:
        raise Conflict("not-over", N_("The game is not over yet."))
    if any(one.kind == "person" and one.person_id is None for one in room.seats.values()):
        raise Conflict("player-gone", N_("One of the players has deleted their account."))
    if room.rematch:
        return Decision(())
    asked = room.rematch_by | {seat}
    agreed = {room.seats[colour].person_id for colour in asked} | {person_id}
    if room.people <= agreed and not room.open_seats:
        seats = swapped_seats(room, ratings)
        sequel = new_game(room.terms.sequel, seats, room.creator, listed=False, now=now)
        return Decision((Rematched(sequel.id),), sequel=sequel)
    return Decision(() if seat in room.rematch_by else (RematchOffered(seat),))


def next_seat(mode: Mode, colour: Colour) -> Colour:
    """Return the seat that the player of a colour has in a rematch.

    Two swap colours; three and four move on in the order of the colours, so partners stay together
    and everybody comes to begin.
    """
    colours = mode.colours
    return colours[(colours.index(colour) + 1) % len(colours)]


def swapped_seats(room: Room, ratings: Mapping[str, int | None]) -> tuple[SeatRow, ...]:
    """Return the seats of a rematch: everybody moves one seat further."""
    return tuple(
        SeatRow(
            str(next_seat(room.mode, colour)),
            seat.kind,
            seat.name,
            seat.person_id,
            seat.level,
            ratings.get(seat.person_id or "") if room.terms.sequel.rated else None,
            seat.account,
        )
        for colour, seat in room.seats.items()
    )
