"""The games service: creates, joins, changes and shows games, through this process's rooms."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

import structlog

from sumito.game.commands import Flag
from sumito.protocol import commands, requests, views
from sumito.rules.modes import Colour
from sumito.server.accounts.accounts import People
from sumito.server.base import metrics
from sumito.server.base.i18n import N_
from sumito.server.base.settings import Settings
from sumito.server.games import finished, presenter, rematch
from sumito.server.games import seats as seating
from sumito.server.games.chat import GameChat
from sumito.server.games.decisions import (
    Decide,
    Decision,
    apply,
    call_off,
    own_seat,
    reseat,
    start_event,
    to_game_command,
)
from sumito.server.games.event_rows import from_entry, to_entry
from sumito.server.games.lobby import Lobby
from sumito.server.games.room import Room
from sumito.server.games.rooms import Rooms
from sumito.server.games.terms import Terms, agree
from sumito.server.games.writer import Command, GameWriter, is_database_unavailable
from sumito.server.ratings.ratings import displayed
from sumito.server.realtime.hub import Hub, Presence
from sumito.server.refusals import Conflict, Forbidden, Refusal, not_yours, players_only
from sumito.server.storage import ChatRepository, ConflictError, GameRepository, Person

_log = structlog.get_logger()

_MAX_MISSED = 100
"""A client that missed more events than this gets the whole game instead."""
_EPOCH_OFFSET_NS = time.time_ns() - time.monotonic_ns()


def now_ms() -> int:
    """Return the time in ms since 1970; it never jumps while this process lives."""
    return (_EPOCH_OFFSET_NS + time.monotonic_ns()) // 1_000_000


class Games:
    """Creates, joins, changes and shows games."""

    def __init__(
        self,
        store: GameRepository,
        chat: ChatRepository,
        people: People,
        hub: Hub,
        presence: Presence,
        settings: Settings,
        now: Callable[[], int] = now_ms,
    ) -> None:
        self.store = store
        self.people = people
        self.hub = hub
        self.presence = presence
        self.settings = settings
        self._clock = now
        self._offset_ms = 0
        self.rooms = Rooms(store)
        self.writer = GameWriter(store, self.rooms, hub, presence, self.now)
        self.chat = GameChat(chat, hub)
        self.lobby = Lobby(store, hub)

    def now(self) -> int:
        """Return the time in ms; it never runs backwards, not even over a restart."""
        return self._clock() + self._offset_ms

    def not_before(self, at: int) -> int:
        """Let the time be at least this; return by how much it had to be set forward.

        A system clock that was set back while no process ran would otherwise stop all game clocks
        until it has caught up with the stored times.
        """
        behind = max(0, at - self.now())
        self._offset_ms += behind
        return behind

    async def room(self, game_id: str) -> Room:
        """Return a game as this process knows it."""
        return await self.rooms.room(game_id)

    async def synced_room(self, game_id: str) -> Room:
        """Return a game with the events that other processes have stored."""
        room = await self.rooms.room(game_id)
        if self.hub.is_shared or game_id in self.writer.unconfirmed:
            await self.writer.sync_from_store(room)
        return room

    async def change(self, game_id: str, decide: Decide) -> int:
        """Change a game without a client's command; return its version afterwards."""
        return await self.execute(game_id, Command(decide))

    async def execute(self, game_id: str, command: Command) -> int:
        """Carry out a command; return the version of the game afterwards."""
        room = await self.rooms.room(game_id)
        before = room.status
        version = await self.writer.change(room, command)
        if room.listed and room.status != before:
            await self.lobby.publish()
        return version

    # Making and joining.

    async def create(self, person: Person, wanted: requests.NewGame) -> Room:
        """Create a game; it starts at once if no seat is open."""
        terms = agree(wanted, self.settings)
        rating = await self.rating(person.id, terms)
        mode = terms.position.mode
        seats = seating.seat_people(wanted, mode, person, rating)
        stored = seating.new_game(terms, seats, person.id, wanted.listed, self.now())
        await self.store.create(stored, [to_entry(start_event(stored))] if stored.version else [])
        room = await self.room(stored.id)
        _log.info("game created", game=room.id, mode=terms.mode, status=room.status)
        if room.status == "playing":
            await self.writer.on_change(room, ())
        elif room.listed:
            await self.lobby.publish()
        return room

    async def store_finished(self, person: Person, wanted: requests.FinishedGame) -> str:
        """Store a game that was played in somebody's page and return its id.

        A game that is stored already keeps its id.
        """
        id = finished.id_for(person.id, wanted.ref)
        if await self.store.get(id) is None:
            # In a thread: replaying blocks the event loop.
            stored, entries = await asyncio.to_thread(
                finished.replay_finished_game, wanted, person, self.settings, self.now()
            )
            with suppress(ConflictError):
                await self.store.create(stored, entries)
        return id

    async def rating(self, person_id: str, terms: Terms) -> int | None:
        """Return somebody's rating for these terms; None if the game or person has none."""
        if not terms.rated:
            return None
        ratings = await self.people.store.ratings(person_id)
        return displayed(ratings[terms.mode]) if terms.mode in ratings else None

    async def join(self, person: Person, game_id: str, wanted: requests.Join) -> Room:
        """Take an open seat: one of a listed game, or one whose key is given."""
        room = await self.synced_room(game_id)
        if room.seats_of(person.id) and not wanted.key and not wanted.seat:
            return room
        rating = await self.rating(person.id, room.terms)

        def decide(room: Room, _: int) -> Decision:
            colour = self._seat_to_take(room, wanted)
            seat = seating.take_seat(room, colour, person, wanted.name, rating)
            return Decision(seating.joined(room, seat), seats=(seat,))

        await self.change(game_id, decide)
        return room

    def _seat_to_take(self, room: Room, wanted: requests.Join) -> Colour:
        if wanted.seat is not None:
            seats = [seating.parse_seat(wanted.seat, room.mode)]
        else:
            seats = room.open_seats
        allowed = [
            colour
            for colour in seats
            if (wanted.key and self.people.is_seat_key(wanted.key, room.id, str(colour)))
            or room.listed
        ]
        if not seats:
            raise Conflict("no-open-seat", N_("All seats are taken."))
        if not allowed:
            raise Forbidden("wrong-key", N_("This seat needs an invitation."))
        return allowed[0]

    async def fill(self, person_id: str, game_id: str, name: str, level: str) -> Room:
        """Let the computer take an open seat, for the game's creator."""
        room = await self.synced_room(game_id)
        colour = seating.parse_seat(name, room.mode)
        if room.creator != person_id:
            raise not_yours()

        def decide(room: Room, _: int) -> Decision:
            seat = seating.computer_seat(room, colour, level)
            return Decision(seating.joined(room, seat), seats=(seat,))

        await self.change(game_id, decide)
        return room

    async def merge_guest(self, guest_id: str, owner: Person) -> None:
        """Move a guest's games to the account they signed in to.

        In unfinished games this is published like taking a seat.
        """
        mine = [stored async for stored in self.store.all_of_person(guest_id)]
        for stored in mine:
            if stored.status != "over":
                await self._reseat(stored.id, guest_id, owner)
        await self.people.store.merge_guest_into_account(guest_id, owner)
        for room in self.rooms.open_rooms():
            if room.creator == guest_id or room.seats_of(guest_id):
                self.rooms.forget(room.id)

    async def _reseat(self, game_id: str, guest_id: str, owner: Person) -> None:
        try:
            await self.change(game_id, lambda room, _: reseat(room, guest_id, owner))
        except Exception as error:
            if is_database_unavailable(error):
                raise
            # A game that can't be read must not prevent the sign-in.
            _log.exception("a game couldn't be moved to an account", game=game_id)

    def invitations(self, room: Room) -> views.Links:
        """Return a link for each open seat, and one for any."""
        links: views.Links = {
            presenter.colour_name(colour): f"/g/{room.id}?seat={colour}&key="
            + self.people.seat_key(room.id, str(colour))
            for colour in room.open_seats
        }
        if links:
            links["any"] = f"/g/{room.id}?key={self.people.seat_key(room.id)}"
        return links

    # Commands.

    async def command(
        self,
        game_id: str,
        person_id: str,
        message: commands.Command,
        arrived: int | None = None,
        lag: int = 0,
    ) -> int:
        """Carry out a player's command; `lag` in ms is not charged to their clock."""
        started = time.perf_counter()
        kind = str(message.__struct_config__.tag)
        try:
            version = await self._command(game_id, person_id, message, arrived, lag)
        except Refusal:
            metrics.COMMANDS.labels(kind, "refused").inc()
            raise
        metrics.COMMANDS.labels(kind, "done").inc()
        metrics.COMMAND_SECONDS.observe(time.perf_counter() - started)
        return version

    async def _command(
        self,
        game_id: str,
        person_id: str,
        message: commands.Command,
        arrived: int | None,
        lag: int,
    ) -> int:
        if isinstance(message, commands.Chat):
            room = await self.synced_room(game_id)
            await self.chat.add_line(room, person_id, message, self.now())
            return room.version
        if isinstance(message, commands.Flag):
            # Spectators' pages need not ask: refuse them without reading the database.
            room = await self.rooms.room(game_id)
            if person_id not in room.people:
                raise players_only()
        ratings: Mapping[str, int | None] = {}
        if isinstance(message, commands.Rematch):
            ratings = await self._ratings(await self.synced_room(game_id))

        def decide(room: Room, at: int) -> Decision:
            if isinstance(message, commands.Flag):
                return apply(room, Flag(), at)
            if isinstance(message, commands.Abort) and room.game is None:
                return call_off(room, person_id)
            seat = own_seat(room, person_id, message)
            if isinstance(message, commands.Rematch):
                return rematch.ask(room, seat, person_id, ratings, at)
            return apply(room, to_game_command(room, seat, message, lag), at)

        return await self.execute(game_id, Command(decide, person_id, message.ref, arrived))

    async def _ratings(self, room: Room) -> Mapping[str, int | None]:
        if not room.terms.rated:
            return {}
        return {person: await self.rating(person, room.terms) for person in room.people}

    # Looking.

    async def view(self, room: Room, person_id: str | None) -> views.Snapshot:
        """Return the whole game for one reader."""
        online = await self.presence.people(room.id)
        chat = await self.chat.lines(room, person_id)
        await presenter.replay_moves(room)
        return presenter.game_view(room, max(self.now(), room.at), person_id, online, chat)

    async def frames_since(self, room: Room, since: int) -> list[str] | None:
        """Return the frames that a client missed; None if it should get the whole game."""
        missed = room.version - since
        if since < 0 or not 0 <= missed <= _MAX_MISSED:
            return None
        if not missed:
            return []
        entries = await self.store.events(room.id, since)
        simple = {"joined", "started", "left", "taken_back"}.isdisjoint(
            entry.kind for entry in entries
        )
        if not simple or not entries or entries[-1].version != room.version:
            return None
        at = max(self.now(), room.at)
        return presenter.event_frames(room, [from_entry(entry) for entry in entries], at, ())
