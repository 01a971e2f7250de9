"""Against floods: so many requests from an address, so many messages over a connection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import limits
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter

from sumito.server.http.errors import Refusal
from sumito.server.i18n import N_
from sumito.server.settings import Settings


class Limits:
    """Counts, in this process or for all of them in Redis."""

    def __init__(self, settings: Settings) -> None:
        storage: Storage = (
            RedisStorage(f"async+{settings.redis}", implementation="redispy")
            if settings.redis
            else MemoryStorage()
        )
        self._limiter = FixedWindowRateLimiter(storage)
        # Messages are counted where the connection is; asking Redis would cost more than they do.
        self._local = FixedWindowRateLimiter(MemoryStorage())
        self._requests = limits.parse(settings.requests)
        self._new_games = limits.parse(settings.new_games)
        self._sign_ins = limits.parse(settings.sign_ins)
        self._messages = limits.parse(settings.messages)
        self._handshakes = limits.parse(settings.handshakes)
        self._most_connections = settings.connections
        self._connections: Counter[str] = Counter()

    async def request(self, address: str) -> None:
        await self._count(self._requests, "request", address)

    async def handshake(self, address: str) -> None:
        """A WebSocket wants to be opened; counted in this process, where it will be held."""
        if not await self._local.hit(self._handshakes, "handshake", address):
            raise _too_many()

    async def new_game(self, address: str) -> None:
        await self._count(self._new_games, "game", address)

    async def sign_in(self, address: str) -> None:
        await self._count(self._sign_ins, "sign-in", address)

    async def message(self, connection: str) -> bool:
        """May this connection say one more thing now?"""
        return await self._local.hit(self._messages, connection)

    @contextmanager
    def connection(self, address: str) -> Iterator[None]:
        """A connection that counts while it is open."""
        if self._connections[address] >= self._most_connections:
            raise _too_many()
        self._connections[address] += 1
        try:
            yield
        finally:
            self._connections[address] -= 1
            if not self._connections[address]:
                del self._connections[address]

    async def _count(self, limit: limits.RateLimitItem, what: str, address: str) -> None:
        if not await self._limiter.hit(limit, what, address):
            raise _too_many()


def _too_many() -> Refusal:
    return Refusal("too-many", N_("that was too much at once; please wait a moment"), status=429)
