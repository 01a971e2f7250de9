"""Rooms: a game in memory, with its seats, built from stored events.

A room is a cache: it can be dropped at any time and loaded again, and it catches up when it is
behind the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from sumito.game import Game
from sumito.game.events import Event
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.rules import Outcome, Reason
from sumito.server.games.event_rows import Cancelled, Rematched, RematchOffered, Started, from_entry
from sumito.server.games.terms import Terms
from sumito.server.storage import SeatRow, StoredEvent, StoredGame

_TERMS: Final = msgspec.json.Decoder(Terms)


@lru_cache(maxsize=1024)
def terms_of(text: str) -> Terms:
    """Decode the terms of a stored game; cached, as most games have the same few."""
    return _TERMS.decode(text)


class Room:
    """One game in memory; only committed events are applied to it."""

    __slots__ = (
        "_waiting",
        "at",
        "cancelled",
        "created_at",
        "creator",
        "game",
        "id",
        "listed",
        "lock",
        "mode",
        "queued",
        "refs",
        "rematch",
        "rematch_by",
        "seats",
        "terms",
        "version",
    )

    def __init__(self, stored: StoredGame, entries: Iterable[StoredEvent]) -> None:
        self.id = stored.id
        self.creator = stored.creator
        self.created_at = stored.created_at
        self.listed = stored.listed
        self.queued = stored.queued
        self.terms = terms_of(stored.terms)
        self.mode = Mode.parse(self.terms.mode)
        self.lock = asyncio.Lock()
        self.version = 0
        self.at = stored.created_at
        self.game: Game | None = None
        """The game once it has started; its version is the room's."""
        self.cancelled = False
        self.rematch: str | None = None
        self.rematch_by: frozenset[Colour] = frozenset()
        self.refs: dict[tuple[str | None, str], int] = {}
        """The version of each command with a `ref`, to carry it out once only."""
        self._waiting: Board | None = None
        self.set_seats(stored.seats)
        self.apply_rows(entries)

    def set_seats(self, seats: Sequence[SeatRow]) -> None:
        """Take over the seats as stored."""
        by_name = {seat.colour: seat for seat in seats}
        self.seats = {colour: by_name[str(colour)] for colour in self.mode.colours}

    # Asking.

    @property
    def status(self) -> str:
        if self.outcome is not None:
            return "over"
        return "waiting" if self.game is None else "playing"

    @property
    def outcome(self) -> Outcome | None:
        if self.cancelled:
            return Outcome(None, Reason.ABORTED)
        return self.game.outcome if self.game else None

    @property
    def board(self) -> Board:
        """The board; read-only, copy it to change it."""
        if self.game is not None:
            return self.game.board
        if self._waiting is None:
            self._waiting = Board.at(self.terms.position, rules=self.terms.rule_set)
        return self._waiting

    @property
    def turn_seat(self) -> SeatRow | None:
        """The seat to move; None unless the game is in play."""
        turn = self.game.turn if self.game else None
        return None if turn is None else self.seats[turn]

    def seats_of(self, person_id: str) -> list[Colour]:
        return [colour for colour, seat in self.seats.items() if seat.person_id == person_id]

    @property
    def people(self) -> set[str]:
        """The ids of everybody on a seat."""
        return {seat.person_id for seat in self.seats.values() if seat.person_id}

    @property
    def open_seats(self) -> list[Colour]:
        return [colour for colour in self.mode.colours if self.seats[colour].kind == "open"]

    def replay_to(self, plies: int) -> Callable[[], Board]:
        """Return a function that replays the game to a ply; it may run in a thread."""
        terms = self.terms
        made = self.game.plies[:plies] if self.game else ()
        departures = tuple(self.game.departures) if self.game else ()

        def replay() -> Board:
            board = Board.at(terms.position, rules=terms.rule_set)
            for played, ply in enumerate([*made, None]):
                for leaving in departures:
                    if leaving.plies == played and leaving.seat not in board.eliminated:
                        board.leave(leaving.seat)
                if ply is not None:
                    board.push(ply.move)
            return board

        return replay

    # Following.

    def apply_events(self, events: Sequence[Event], game: Game | None) -> None:
        """Apply events that were decided on this room and are stored now."""
        if game is not None:
            self.game = game
        elif self.game is not None:
            self.game.apply_events(events)
        for event in events:
            self._note(event)

    def apply_rows(self, entries: Iterable[StoredEvent]) -> list[Event]:
        """Apply events that were stored elsewhere; return them."""
        events = []
        own: list[Event] = []
        for entry in entries:
            event = from_entry(entry)
            events.append(event)
            if entry.ref:
                self.refs[entry.person_id, entry.ref] = entry.version
            if self.game is not None:
                own.append(event)
            else:
                self._note(event)
        if own:
            assert self.game is not None
            self.game.apply_events(own)
            for event in own:
                self._note(event)
        return events

    def _note(self, event: Event) -> None:
        match event:
            case Started():
                names = {colour: seat.name for colour, seat in self.seats.items()}
                self.game = Game.begin(self.terms.setup(names, event.at), event.version)
                self._waiting = None
            case Cancelled():
                self.cancelled = True
            case RematchOffered(seat=seat):
                self.rematch_by |= {seat}
            case Rematched(id=id):
                self.rematch = id
        self.version = event.version
        self.at = max(self.at, event.at)
