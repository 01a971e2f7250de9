"""Seats of new games, joined games and rematches; decisions only, nothing is stored here."""

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
    """Return a random game id: 12 characters, 72 bits."""
    return secrets.token_urlsafe(9)


def is_id(text: str) -> bool:
    """Whether a text has the form of a game id."""
    return re.fullmatch(r"[\w-]{1,24}", text, re.ASCII) is not None


def parse_seat(text: str, mode: Mode) -> Colour:
    """Return the seat of a colour's name; raise `InvalidInput` if the mode has none."""
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
    """Return the seats of a new game; seats that are not mentioned are open."""
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
    """Return the seat with the person on it; raise `Refusal` if they can't take it."""
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
    """Return the seat with the computer on it; raise `Refusal` if it can't take it."""
    if room.status != "waiting" or room.seats[colour].kind != "open":
        raise seat_taken()
    if room.terms.rated:
        raise not_rateable()
    return SeatRow(str(colour), "computer", COMPUTER_NAME, level=check_level(level))


def joined(room: Room, seat: SeatRow) -> tuple[Event, ...]:
    """Return the events of a seat that is taken; the last one starts the game."""
    colour = Colour.parse(seat.colour)
    events: tuple[Event, ...] = (Joined(colour, seat.name),)
    if room.open_seats == [colour]:
        events += (Started(),)
    return events


def new_game(
    terms: Terms, seats: tuple[SeatRow, ...], creator: str, listed: bool, now: int
) -> StoredGame:
    """Return a new game to store: it waits for players, or starts at once."""
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
    """Return when a game that starts now has to be checked, in ms; None: never."""
    first = terms.position.turn
    if any(seat.colour == str(first) and seat.kind == "computer" for seat in seats):
        return at
    control = terms.control.control()
    if control.budget is None:
        return None
    return at + control.budget + control.delay + terms.lag_ms
