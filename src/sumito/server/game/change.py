"""The heart of the server: command → events → store → send.

A decision is made on what this process knows, and stored only if nothing else has happened since;
otherwise it is made again on the news. What is acknowledged is on the disk.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec
import structlog

from sumito.errors import SumitoError
from sumito.game.events import Event
from sumito.modes import Colour
from sumito.rules import TeamTalk
from sumito.server import metrics
from sumito.server.bus.local import Happened, Hub, Presence, Said
from sumito.server.game import seats as seating
from sumito.server.game.codec import (
    Cancelled,
    Rematched,
    RematchOffered,
    Started,
    from_entry,
    kind_of,
    to_entry,
)
from sumito.server.game.commands import (
    Decide,
    Decision,
    apply,
    call_off,
    first_due,
    first_start,
    own_seat,
    reseat,
    row_after,
    translated,
    verdict_of,
)
from sumito.server.game.room import Room
from sumito.server.game.terms import Terms, agree
from sumito.server.http.errors import Refusal, refusal_of
from sumito.server.i18n import N_
from sumito.server.people.accounts import People, clean_text
from sumito.server.people.ratings import displayed
from sumito.server.settings import Settings
from sumito.server.store import Changes, ConflictError, GameStore, Person, SeatRow, StoredGame
from sumito.server.wire import messages, views

_log = structlog.get_logger()

LOBBY: Final = "lobby"
PRESETS: Final = (
    "hello",
    "good-luck",
    "good-game",
    "well-played",
    "thanks",
    "sorry",
    "one-moment",
    "oops",
    "bye",
)
_TRIES: Final = 20
_MOST_ROOMS: Final = 2_000
_FARTHEST_BACK: Final = 100
"""A client that missed more events than this gets the whole game instead."""


def now_ms() -> int:
    """The time that games are played in."""
    return time.time_ns() // 1_000_000


def channel(game_id: str) -> str:
    """Where a game's events are told."""
    return f"game:{game_id}"


class Games:
    """All games there are, by way of the rooms this process has open."""

    def __init__(
        self,
        store: GameStore,
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
        self.now = now
        self.on_change: Callable[[Room, Sequence[Event]], Awaitable[None]] = _nobody
        self.on_load: Callable[[Room], Awaitable[None]] = _nobody
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room]] = {}

    # Rooms.

    async def room(self, game_id: str) -> Room:
        """A game as far as this process knows it."""
        room = self._rooms.get(game_id)
        if room is not None:
            self._rooms.move_to_end(game_id)
            return room
        loading = self._loading.get(game_id)
        if loading is None:
            loading = asyncio.create_task(self._load(game_id))
            self._loading[game_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(game_id, None))
        # Whoever gives up waiting leaves the loading to the others who wait.
        return await asyncio.shield(loading)

    async def _load(self, game_id: str) -> Room:
        # The events first: seats may then be newer than the story, and whoever decides on that is
        # stopped by the version. The other way round a seat could be given away twice.
        is_id = seating.is_id(game_id)
        entries = await self.store.events(game_id) if is_id else []
        stored = await self.store.get(game_id) if is_id else None
        if stored is None:
            raise Refusal("no-such-game", N_("there is no such game"), status=404)
        room = Room(stored, entries)
        async with room.lock:
            await self.on_load(room)
        self._rooms[game_id] = room
        self._make_space()
        return room

    async def fresh(self, game_id: str) -> Room:
        """The same, with what other processes have stored meanwhile."""
        room = await self.room(game_id)
        if self.hub.shared:
            async with room.lock:
                await self._catch_up(room)
        return room

    def forget(self, game_id: str) -> None:
        """Drop a room; it is read again when it is needed."""
        self._rooms.pop(game_id, None)

    def _make_space(self) -> None:
        for game_id in list(self._rooms)[: max(0, len(self._rooms) - _MOST_ROOMS)]:
            if not self._rooms[game_id].lock.locked():
                del self._rooms[game_id]
        metrics.ROOMS.set(len(self._rooms))

    async def _catch_up(self, room: Room) -> bool:
        """Follow what is stored beyond the room's version; was there anything?"""
        entries = await self.store.events(room.id, room.version)
        if not entries:
            return False
        if any(entry.kind in ("joined", "started") for entry in entries):
            stored = await self.store.get(room.id)
            assert stored is not None
            room.sit(stored.seats)
            room.creator = stored.creator
        room.follow(entries)
        return True

    # The one way in which a game changes.

    async def change(
        self, game_id: str, decide: Decide, person_id: str | None = None, ref: str = ""
    ) -> int:
        """Decide, store, tell; returns the version at which it is done."""
        room = await self.room(game_id)
        async with room.lock:
            version, events = await self.change_locked(room, decide, person_id, ref)
        if events:
            await self.on_change(room, events)
        return version

    async def change_locked(
        self, room: Room, decide: Decide, person_id: str | None = None, ref: str = ""
    ) -> tuple[int, Sequence[Event]]:
        """The same by one who holds the room's lock."""
        for _ in range(_TRIES):
            known = room.refs.get((person_id, ref)) if ref else None
            if known is not None:
                return known, ()
            at = max(self.now(), room.at)
            try:
                decision = decide(room, at)
            except (SumitoError, Refusal) as error:
                # What is refused on old news may be fine on the latest.
                if await self._catch_up(room):
                    continue
                raise error if isinstance(error, Refusal) else refusal_of(error) from error
            if not decision.events:
                return room.version, ()
            events = room.numbered(decision.events, at)
            try:
                changes = self._changes(room, decision, events, person_id, ref)
                await self.store.append(room.id, changes)
            except ConflictError:
                metrics.CONFLICTS.inc()
                await self._catch_up(room)
                continue
            self._take_over(room, decision, events)
            if ref:
                room.refs[person_id, ref] = events[0].version
            await self._announce(room, events)
            return events[-1].version, events
        raise Refusal("busy", N_("too many at once want to change this game"), status=503)

    def _take_over(self, room: Room, decision: Decision, events: Sequence[Event]) -> None:
        if decision.seats:
            taken = {seat.colour: seat for seat in decision.seats}
            room.sit([taken.get(seat.colour, seat) for seat in room.seats.values()])
        room.advance(events, decision.game)

    def _changes(
        self,
        room: Room,
        decision: Decision,
        events: Sequence[Event],
        person_id: str | None,
        ref: str,
    ) -> Changes:
        # Only the first event bears the command's name: its row stands for the command.
        entries = [to_entry(events[0], person_id, ref), *map(to_entry, events[1:])]
        sequel_entries = [to_entry(first_start(decision.sequel))] if decision.sequel else []
        return Changes(
            entries=entries,
            row=row_after(room, decision, events),
            seats=decision.seats,
            verdict=verdict_of(room, events),
            sequel=decision.sequel,
            sequel_entries=sequel_entries,
        )

    async def _announce(self, room: Room, events: Sequence[Event]) -> None:
        for event in events:
            metrics.EVENTS.labels(kind_of(event)).inc()
        seats_change = any(map(views.changes_seats, events))
        online = await self.presence.people(room.id) if seats_change else ()
        frames = views.event_frames(room, events, max(self.now(), room.at), online)
        people = (
            {str(colour): seat.person_id for colour, seat in room.seats.items()}
            if seats_change
            else None
        )
        await self.hub.tell(channel(room.id), Happened(events[0].version, frames, people))
        if room.listed and any(isinstance(event, Started | Cancelled) for event in events):
            await self.tell_lobby()

    async def tell_lobby(self) -> None:
        await self.hub.tell(LOBBY, Said(await self.lobby_frame()))

    async def lobby_frame(self) -> str:
        """The lobby as a frame."""
        games = [views.summary(game) for game in await self.store.lobby()]
        return views.encode_frame({"type": "lobby", "games": games})

    async def frames_since(self, room: Room, since: int) -> list[str] | None:
        """What a client missed, or None if it is simpler to be told everything."""
        missed = room.version - since
        if since < 0 or not 0 <= missed <= _FARTHEST_BACK:
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
        return views.event_frames(room, [from_entry(entry) for entry in entries], at, ())

    # Making and joining.

    async def create(self, person: Person, wish: messages.NewGame) -> Room:
        """A new game; if nobody is awaited it starts at once."""
        terms = agree(wish, self.settings)
        rating = await self._rating(person, terms)
        mode = terms.position.mode
        seats = seating.seat_people(wish, mode, person, rating)
        stored = self._stored(terms, seats, person.id, wish.listed)
        await self.store.create(stored, [to_entry(first_start(stored))] if stored.version else [])
        room = await self.room(stored.id)
        _log.info("game made", game=room.id, mode=terms.mode, status=room.status)
        if room.status == "playing":
            await self.on_change(room, ())
        elif room.listed:
            await self.tell_lobby()
        return room

    def _stored(
        self, terms: Terms, seats: tuple[SeatRow, ...], creator: str, listed: bool
    ) -> StoredGame:
        now = self.now()
        waits = any(seat.kind == "open" for seat in seats)
        return StoredGame(
            id=seating.new_id(),
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
            due_at=None if waits else first_due(terms, seats, now),
        )

    async def _rating(self, person: Person, terms: Terms) -> int | None:
        if not (terms.rated and person.account):
            return None
        ratings = await self.people.store.ratings(person.id)
        return displayed(ratings[terms.mode]) if terms.mode in ratings else None

    async def join(self, person: Person, game_id: str, wish: messages.Join) -> Room:
        """Somebody takes an open seat: a listed game's, or one they have the key of."""
        room = await self.fresh(game_id)
        if room.seats_of(person.id) and not wish.key and not wish.seat:
            return room
        rating = await self._rating(person, room.terms)

        def decide(room: Room, _: int) -> Decision:
            colour = self._seat_to_take(room, wish)
            seat = seating.take_seat(room, colour, person, wish.name, rating)
            return Decision(seating.joined(room, seat), seats=(seat,))

        await self.change(game_id, decide)
        return room

    def _seat_to_take(self, room: Room, wish: messages.Join) -> Colour:
        if wish.seat is not None:
            seats = [seating.parse_seat(wish.seat, room.mode)]
        else:
            seats = room.open_seats
        allowed = [
            colour
            for colour in seats
            if (wish.key and self.people.key_fits(wish.key, room.id, str(colour))) or room.listed
        ]
        if not seats:
            raise Refusal("no-open-seat", N_("all seats are taken"), status=409)
        if not allowed:
            raise Refusal("wrong-key", N_("this seat needs an invitation"), status=403)
        return allowed[0]

    async def fill(self, person_id: str, game_id: str, name: str, level: str) -> Room:
        """The maker of a game lets the computer take an open seat."""
        room = await self.fresh(game_id)
        colour = seating.parse_seat(name, room.mode)
        if room.creator != person_id:
            raise Refusal("not-yours", N_("only who made the game can do that"), status=403)

        def decide(room: Room, _: int) -> Decision:
            seat = seating.computer_seat(room, colour, level)
            return Decision(seating.joined(room, seat), seats=(seat,))

        await self.change(game_id, decide)
        return room

    async def hand_over(self, guest_id: str, owner: Person) -> None:
        """Give all that a guest has to the account they signed in to.

        Games that are on hear of it as of anybody else who sits down.
        """
        before = None
        while found := await self.store.of_person(guest_id, before):
            for stored in found:
                if stored.status != "over":
                    await self.change(stored.id, lambda room, _: reseat(room, guest_id, owner))
            before = (found[-1].created_at, found[-1].id)
        await self.people.store.adopt(guest_id, owner)
        for room in list(self._rooms.values()):
            if room.creator == guest_id or room.seats_of(guest_id) or room.seats_of(owner.id):
                self.forget(room.id)

    def invitations(self, room: Room) -> dict[str, str]:
        """A link for each open seat, and one for any."""
        links = {
            str(colour): f"/g/{room.id}?seat={colour}&key="
            + self.people.seat_key(room.id, str(colour))
            for colour in room.open_seats
        }
        if links:
            links["any"] = f"/g/{room.id}?key={self.people.seat_key(room.id)}"
        return links

    # Commands.

    async def command(self, game_id: str, person_id: str, message: messages.Command) -> int:
        """Do what somebody on a seat asks."""
        started = time.perf_counter()
        kind = str(message.__struct_config__.tag)
        try:
            version = await self._command(game_id, person_id, message)
        except Refusal:
            metrics.COMMANDS.labels(kind, "refused").inc()
            raise
        metrics.COMMANDS.labels(kind, "done").inc()
        metrics.COMMAND_SECONDS.observe(time.perf_counter() - started)
        return version

    async def _command(self, game_id: str, person_id: str, message: messages.Command) -> int:
        if isinstance(message, messages.Chat):
            return await self._chat(game_id, person_id, message)

        def decide(room: Room, at: int) -> Decision:
            seat = own_seat(room, person_id, message)
            match message:
                case messages.Rematch():
                    assert seat is not None
                    return self._rematch(room, seat, person_id)
                case messages.Abort() if room.game is None:
                    return call_off(room)
            return apply(room, translated(room, seat, message), at)

        return await self.change(game_id, decide, person_id, message.ref)

    def _rematch(self, room: Room, seat: Colour, person_id: str) -> Decision:
        if room.status != "over":
            raise Refusal("not-over", N_("the game is still on"), status=409)
        if room.rematch:
            return Decision(())
        asked = room.rematch_by | {seat}
        people = {one.person_id for one in room.seats.values() if one.person_id}
        agreed = {room.seats[colour].person_id for colour in asked} | {person_id}
        if people <= agreed and not room.open_seats:
            seats = seating.swapped_seats(room)
            sequel = self._stored(room.terms, seats, room.creator, listed=False)
            return Decision((Rematched(sequel.id),), sequel=sequel)
        return Decision(() if seat in room.rematch_by else (RematchOffered(seat),))

    async def _chat(self, game_id: str, person_id: str, message: messages.Chat) -> int:
        room = await self.fresh(game_id)
        seats = room.seats_of(person_id)
        playing = room.status == "playing"
        if playing and not seats:
            raise Refusal("players-only", N_("while they play, only the players talk"), status=403)
        partners = room.mode.partner(room.mode.colours[0]) is not None
        if playing and partners and room.terms.rule_set.team_talk is TeamTalk.NONE:
            raise Refusal("no-team-talk", N_("partners don't talk during a team game"), status=403)
        if (message.text is None) == (message.preset is None):
            raise Refusal("text-or-preset", N_("say either a text or one of the presets"))
        if message.preset is not None and message.preset not in PRESETS:
            raise Refusal("no-such-preset", N_("there is no such preset"))
        sender = own_seat(room, person_id, message) if message.seat else None
        if sender is None and seats:
            sender = seats[0]
        name = str(sender) if sender is not None else await self._name(person_id)
        line = messages.ChatLine(
            sender=name,
            at=self.now(),
            text=None if message.text is None else clean_text(message.text),
            preset=message.preset,
        )
        await self.store.say(game_id, line.at, views.encode_frame(line))
        frame = views.encode_frame({"type": "chat"} | msgspec.to_builtins(line))
        await self.hub.tell(channel(game_id), Said(frame))
        return room.version

    async def _name(self, person_id: str) -> str:
        person = await self.people.store.get(person_id)
        return person.name if person else "?"

    async def view(self, room: Room, person_id: str | None) -> messages.GameView:
        """All of a game for one reader."""
        audience = views.Audience(frozenset(await self.presence.people(room.id)))
        chat = await self.store.said(room.id)
        return views.game_view(room, max(self.now(), room.at), person_id, audience, chat)


async def _nobody(*_: Any) -> None:
    """Nobody wants to know."""
