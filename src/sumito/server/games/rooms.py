"""The rooms this process has open: a cache of games over the store."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

from sumito.game.events import Event
from sumito.server.base import metrics
from sumito.server.base.i18n import N_
from sumito.server.games import seats as seating
from sumito.server.games.room import Room, terms_of
from sumito.server.refusals import Refusal
from sumito.server.storage import GameStore, StoredEvent, StoredGame

_MOST: Final = 4_000
_LONG: Final = 40
"""A game of so many events is replayed in a thread."""


class Rooms:
    """Games by their id. Whoever changes a room holds its lock."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self.on_load: Callable[[Room], Awaitable[None]] = _nobody

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
        room = await self.read(game_id)
        async with room.lock:
            await self.on_load(room)
        self._rooms[game_id] = room
        self._make_space()
        return room

    async def read(self, game_id: str) -> Room:
        """A room of one's own, which nobody else has and nothing is told to."""
        stored, entries = await self.stored(game_id)
        if len(entries) < _LONG:
            return Room(stored, entries)
        # Replaying a long game takes long, and people play.
        return await asyncio.to_thread(Room, stored, entries)

    async def stored(self, game_id: str) -> tuple[StoredGame, list[StoredEvent]]:
        """A game and its events as the database has them."""
        # The events first: seats may then be newer than the story, and whoever decides on that is
        # stopped by the version. The other way round a seat could be given away twice.
        is_id = seating.is_id(game_id)
        entries = await self._store.events(game_id) if is_id else []
        stored = await self._store.get(game_id) if is_id else None
        if stored is None:
            raise Refusal("no-such-game", N_("there is no such game"), status=404)
        return stored, entries

    def forget(self, game_id: str) -> None:
        """Drop a room; it is read again when it is needed."""
        self._rooms.pop(game_id, None)

    def known(self) -> Iterator[Room]:
        """The rooms that are open now."""
        return iter(list(self._rooms.values()))

    async def catch_up(self, room: Room) -> list[Event]:
        """Follow what is stored beyond the room's version; by one who holds its lock."""
        entries = await self._store.events(room.id, room.version)
        if not entries:
            return []
        if any(entry.kind in ("joined", "started") for entry in entries):
            stored = await self._store.get(room.id)
            assert stored is not None
            room.sit(stored.seats)
            room.terms = terms_of(stored.terms)
            room.creator = stored.creator
        return room.follow(entries)

    def _make_space(self) -> None:
        surplus = max(0, len(self._rooms) - _MOST)
        for game_id in list(itertools.islice(self._rooms, surplus)):
            if not self._rooms[game_id].lock.locked():
                del self._rooms[game_id]
        metrics.ROOMS.set(len(self._rooms))


async def _nobody(*_: Any) -> None:
    """Nobody wants to know."""
