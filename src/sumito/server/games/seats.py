"""Who sits where when a game is made, joined, or played again: decisions only, nothing stored."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from sumito.errors import ColourError
from sumito.game.events import Event
from sumito.protocol.requests import NewGame, SeatComputer, SeatHere, Seating, SeatMe, SeatOpen
from sumito.rules.modes import Colour, Mode
from sumito.server.base.i18n import N_
from sumito.server.engines.levels import check_level
from sumito.server.games.event_rows import Joined, Started
from sumito.server.games.room import Room
from sumito.server.games.terms import Terms
from sumito.server.names import clean_name
from sumito.server.refusals import InvalidInput, account_needed, game_over, not_rateable, seat_taken
from sumito.server.storage import Person, SeatRow, StoredGame

COMPUTER_NAME: Final = "Sumito"
_LOTS: Final = random.SystemRandom()


def new_id() -> str:
    """A game's id: 12 characters, 72 bits of chance."""
    return secrets.token_urlsafe(9)


def is_id(text: str) -> bool:
    """Could that be a game's id? What couldn't needn't be looked for."""
    return re.fullmatch(r"[\w-]{1,24}", text, re.ASCII) is not None


def parse_seat(text: str, mode: Mode) -> Colour:
    """The seat of a name, which the mode must have."""
    try:
        colour = Colour.parse(text)
    except ColourError:
        colour = None
    if colour is None or str(colour) != text or colour not in mode.colours:
        raise InvalidInput(
            "no-such-seat", N_("Mode {mode} has no seat {seat}."), mode=mode, seat=text
        )
    return colour


def seat_people(
    wanted: NewGame, mode: Mode, person: Person, rating: int | None
) -> tuple[SeatRow, ...]:
    """The seats of a new game; those nobody was named for are open."""
    seating = {parse_seat(name, mode): one for name, one in wanted.seats.items()}
    if not seating:
        seating = {mode.colours[0]: SeatMe()}
    order: list[Seating] = [seating.get(colour, SeatOpen()) for colour in mode.colours]
    if wanted.draw_lots:
        _LOTS.shuffle(order)
    seats = tuple(
        _seat(colour, one, person, rating) for colour, one in zip(mode.colours, order, strict=True)
    )
    if wanted.rated:
        _check_rated(seats, person)
    return seats


def _seat(colour: Colour, one: Seating, person: Person, rating: int | None) -> SeatRow:
    match one:
        case SeatMe():
            return SeatRow(
                str(colour),
                "person",
                person.name,
                person.id,
                rating=rating,
                account=person.account is not None,
            )
        case SeatHere(name=name):
            return SeatRow(
                str(colour), "person", clean_name(name) if name else person.name, person.id
            )
        case SeatComputer(level=level):
            return SeatRow(str(colour), "computer", COMPUTER_NAME, level=check_level(level))
        case SeatOpen():
            return SeatRow(str(colour), "open", "")


def _check_rated(seats: Sequence[SeatRow], person: Person) -> None:
    if not person.account:
        raise account_needed()
    mine = [seat for seat in seats if seat.person_id == person.id]
    if len(mine) > 1 or any(seat.kind == "computer" for seat in seats):
        raise not_rateable()


def take_seat(
    room: Room, colour: Colour, person: Person, name: str | None, rating: int | None
) -> SeatRow:
    """The seat with the person on it, or why they can't sit there."""
    if room.status == "over":
        raise game_over()
    if room.status != "waiting" or room.seats[colour].kind != "open":
        raise seat_taken()
    if room.terms.rated:
        if not person.account:
            raise account_needed()
        if room.seats_of(person.id):
            raise not_rateable()
    shown = person.account or (clean_name(name) if name else person.name)
    return SeatRow(
        str(colour),
        "person",
        shown,
        person.id,
        rating=rating,
        account=person.account is not None,
    )


def computer_seat(room: Room, colour: Colour, level: str) -> SeatRow:
    """The seat with the computer on it, or why it can't sit there."""
    if room.status != "waiting" or room.seats[colour].kind != "open":
        raise seat_taken()
    if room.terms.rated:
        raise not_rateable()
    return SeatRow(str(colour), "computer", COMPUTER_NAME, level=check_level(level))


def joined(room: Room, seat: SeatRow) -> tuple[Event, ...]:
    """What happens when a seat is taken: the last one starts the game."""
    colour = Colour.parse(seat.colour)
    events: tuple[Event, ...] = (Joined(colour, seat.name),)
    if room.open_seats == [colour]:
        events += (Started(),)
    return events


def new_game(
    terms: Terms, seats: tuple[SeatRow, ...], creator: str, listed: bool, now: int
) -> StoredGame:
    """A game as it is stored first: it waits for players, or starts at once."""
    waits = any(seat.kind == "open" for seat in seats)
    return StoredGame(
        id=new_id(),
        creator=creator,
        terms=msgspec.json.encode(terms).decode(),
        status="waiting" if waits else "playing",
        listed=listed,
        created_at=now,
        started_at=None if waits else now,
        version=0 if waits else 1,
        position=terms.start,
        moves=0,
        seats=seats,
        due_at=None if waits else first_due_at(terms, seats, now),
    )


def first_due_at(terms: Terms, seats: Sequence[SeatRow], at: int) -> int | None:
    """When somebody should look at a game that starts now."""
    first = terms.position.turn
    if any(seat.colour == str(first) and seat.kind == "computer" for seat in seats):
        return at
    control = terms.control.control()
    if control.budget is None:
        return None
    return at + control.budget + control.delay + terms.lag_ms
