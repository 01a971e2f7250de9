"""A cache of rooms over the game repository."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

from sumito.game.events import Event
from sumito.server.base import metrics
from sumito.server.games import seats as seating
from sumito.server.games.room import Room, terms_of
from sumito.server.refusals import no_such_game
from sumito.server.storage import GameRepository, StoredEvent, StoredGame

_MAX_ROOMS: Final = 4_000
_THREAD_EVENTS: Final = 40
"""A game of this number of events is replayed in a thread."""


class Rooms:
    """Rooms by game id; a room is changed only under its lock."""

    def __init__(self, store: GameRepository) -> None:
        self._store = store
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self.on_load: Callable[[Room], Awaitable[None]] = _ignore

    async def room(self, game_id: str) -> Room:
        """Return a game's room, loading it if necessary."""
        room = self._rooms.get(game_id)
        if room is not None:
            self._rooms.move_to_end(game_id)
            return room
        loading = self._loading.get(game_id)
        if loading is None:
            loading = asyncio.create_task(self._load(game_id))
            self._loading[game_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(game_id, None))
        # Shielded: one cancelled waiter must not cancel the loading for others.
        return await asyncio.shield(loading)

    async def _load(self, game_id: str) -> Room:
        room = await self.load_room(game_id)
        async with room.lock:
            await self.on_load(room)
        self._rooms[game_id] = room
        self._make_space()
        return room

    async def load_room(self, game_id: str) -> Room:
        """Load a room without adding it to the cache."""
        stored, entries = await self.load_rows(game_id)
        if len(entries) < _THREAD_EVENTS:
            return Room(stored, entries)
        # In a thread: replaying a long game blocks the event loop.
        return await asyncio.to_thread(Room, stored, entries)

    async def load_rows(self, game_id: str) -> tuple[StoredGame, list[StoredEvent]]:
        """Return a game and its events from the database."""
        # The events first: seats may then be newer than the events, and a decision on that fails
        # by its version. The other way round a seat could be given away twice.
        is_id = seating.is_id(game_id)
        entries = await self._store.events(game_id) if is_id else []
        stored = await self._store.get(game_id) if is_id else None
        if stored is None:
            raise no_such_game()
        return stored, entries

    def forget(self, game_id: str) -> None:
        """Drop a room; it is loaded again when it is needed."""
        self._rooms.pop(game_id, None)

    def open_rooms(self) -> Iterator[Room]:
        """Iterate over the rooms in memory."""
        return iter(list(self._rooms.values()))

    async def catch_up(self, room: Room) -> list[Event]:
        """Apply events stored beyond the room's version; the caller holds its lock."""
        entries = await self._store.events(room.id, room.version)
        if not entries:
            return []
        if any(entry.kind in ("joined", "started") for entry in entries):
            stored = await self._store.get(room.id)
            assert stored is not None
            room.set_seats(stored.seats)
            room.terms = terms_of(stored.terms)
            room.creator = stored.creator
        return room.apply_rows(entries)

    def _make_space(self) -> None:
        surplus = max(0, len(self._rooms) - _MAX_ROOMS)
        for game_id in list(itertools.islice(self._rooms, surplus)):
            if not self._rooms[game_id].lock.locked():
                del self._rooms[game_id]
        metrics.ROOMS.set(len(self._rooms))


async def _ignore(*_: Any) -> None:
    """Do nothing."""
