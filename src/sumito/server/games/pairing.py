"""Quick pairing: matches people who want the same clock.

A request joins the oldest suitable game that waits, or lists a new one. Both happen in one
transaction that no other process runs at the same time, so two simultaneous requests never both
wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec
import structlog
from msgspec import structs

from sumito.protocol import requests
from sumito.server.base.i18n import N_
from sumito.server.games import rated_games
from sumito.server.games import seats as seating
from sumito.server.games.decisions import Decision, cancel_waiting
from sumito.server.games.room import Room
from sumito.server.games.service import Games
from sumito.server.games.terms import Terms, agree
from sumito.server.games.writer import is_database_unavailable
from sumito.server.refusals import Refusal, Unavailable, not_rateable, seat_taken
from sumito.server.storage import Person, SeatRow

_log = structlog.get_logger()

_MAX_TRIES: Final = 20
"""How many waiting games are tried for one request."""
_ARRIVAL_MS: Final = 15_000
"""How long a creator may take to open the game; a creator who isn't connected then has left."""


class Pairing:
    """The pairing queue; it consists of the waiting games."""

    def __init__(self, games: Games) -> None:
        self._games = games

    async def pair(self, person: Person, wanted: requests.PairingRequest) -> Room:
        """Return the game to play: one that was joined, or a new one that waits."""
        game = requests.NewGame(control=wanted.control, rated=wanted.rated, draw_lots=True)
        game = structs.replace(
            game,
            listed=True,
            seats={"black": requests.SeatMe(), "white": requests.SeatOpen()},
        )
        rated_games.check(game)
        terms = agree(game, self._games.settings)
        rating = await self._games.rating(person.id, terms)
        seats = seating.seat_people(game, terms.position.mode, person, rating)
        same = [_encoded(structs.replace(terms, rated=rated)) for rated in (True, False)]
        await self._withdraw(person.id, same)
        passed: set[str] = set()
        for _ in range(_MAX_TRIES):
            stored = replace(
                seating.new_game(terms, seats, person.id, listed=True, now=self._games.now()),
                queued=True,
            )
            found = await self._games.store.enqueue(stored, same, passed, rated=wanted.rated)
            if found is None:
                await self._games.lobby.publish()
                return await self._games.room(stored.id)
            room = await self._try_join(found, person, rated=wanted.rated)
            if room is not None:
                return room
            passed.add(found)
        raise Unavailable("busy", N_("Too many people are looking for a game. Please try again."))

    async def withdraw(self, person_id: str) -> None:
        """Leave the queue: cancel the games that somebody waits in."""
        await self._withdraw(person_id, ())

    async def _withdraw(self, person_id: str, but: Sequence[str]) -> None:
        for game_id in await self._games.store.queued_of(person_id, but):
            try:
                await self._games.change(game_id, cancel_waiting)
            except Exception as error:
                if is_database_unavailable(error):
                    raise
                _log.exception("a waiting game couldn't be called off", game=game_id)

    async def _try_join(self, game_id: str, person: Person, *, rated: bool) -> Room | None:
        """Join a waiting game; None if that can't be done any more."""
        try:
            room = await self._games.synced_room(game_id)
            if person.id in room.people:
                return room if room.status == "waiting" else None
            if not await self._is_creator_present(room):
                if room.queued:
                    await self._games.change(game_id, cancel_waiting)
                return None
            rating = await self._games.rating(person.id, room.terms) if rated else None
            await self._games.change(
                game_id, lambda room, _: _join(room, person, rating, rated=rated)
            )
        except Exception as error:
            if is_database_unavailable(error):
                raise
            if not isinstance(error, Refusal):
                # A game that can't be read must not prevent pairing with another one.
                _log.exception("a game couldn't be joined", game=game_id)
            return None
        return room

    async def _is_creator_present(self, room: Room) -> bool:
        """Whether the creator is connected, or had no time yet to connect."""
        presence = self._games.presence
        is_new = self._games.now() - room.created_at < _ARRIVAL_MS
        return is_new or not presence.is_complete or room.creator in await presence.people(room.id)


def _join(room: Room, person: Person, rating: int | None, *, rated: bool) -> Decision:
    """Take the last seat; the game is rated only if both have asked for it."""
    if room.status != "waiting" or len(room.open_seats) != 1 or person.id in room.people:
        raise seat_taken()
    if room.terms.rated and not rated and not room.queued:
        raise not_rateable()
    (colour,) = room.open_seats
    shown = person.account or person.name
    seat = SeatRow(str(colour), "person", shown, person.id, rating=rating)
    events = seating.joined(room, seat)
    if not room.terms.rated or rated:
        return Decision(events, seats=(seat,))
    others = [replace(one, rating=None) for one in room.seats.values() if one.kind != "open"]
    unrated = structs.replace(room.terms, rated=False)
    return Decision(events, seats=(replace(seat, rating=None), *others), terms=unrated)


def _encoded(terms: Terms) -> str:
    return msgspec.json.encode(terms).decode()
