"""Rate limits: requests by address and account, messages and chat lines by person and address.

Counts are shared by all processes in Redis if there is one, and kept in the process while Redis is
unavailable.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakValueDictionary

import limits
import structlog
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter

from sumito.server.base.settings import Settings
from sumito.server.refusals import too_many

if TYPE_CHECKING:
    import redis.asyncio

_log = structlog.get_logger()

_REDIS_S: Final = 1.0
_REDIS_REST_S: Final = 5.0
"""How long Redis isn't used after a failure, so that not every call waits for it."""
_T = TypeVar("_T")

_SLOW_S: Final = 3.0
"""How long a sign-in from an unknown device and network waits after many wrong passwords."""
_CONNECTION_WAIT_S: Final = 10.0
"""When to try again after an address had too many connections."""


class Limits:
    """Rate limits, counted in this process or in Redis."""

    def __init__(self, settings: Settings) -> None:
        self._local = FixedWindowRateLimiter(MemoryStorage())
        self._pool = _redis_pool(settings.redis) if settings.redis else None
        self._shared = _shared_limiter(self._pool) if self._pool else None
        self._shared_from = 0.0
        self._requests = limits.parse(settings.requests)
        self._new_games = limits.parse(settings.new_games)
        self._sign_ins = limits.parse(settings.sign_ins)
        self._puzzle_tries = limits.parse(settings.puzzle_tries)
        self._sign_ups = limits.parse(settings.sign_ups)
        self._messages = limits.parse(settings.messages)
        self._address_messages = limits.parse(settings.address_messages)
        self._chat = limits.parse(settings.chat)
        self._handshakes = limits.parse(settings.handshakes)
        self._most_connections = settings.connections
        self._connections: Counter[str] = Counter()
        self._allowances: WeakValueDictionary[tuple[str, str], Allowance] = WeakValueDictionary()

    async def close(self) -> None:
        """Close the connections to Redis."""
        if self._pool is not None:
            await self._pool.disconnect()

    async def request(self, address: str, cost: int = 1) -> None:
        """Count a request of an address; a costly one counts for several."""
        await self._count(self._requests, "request", group_of(address), cost)

    async def request_of(self, person_id: str, cost: int = 1) -> None:
        """Count a request of a known person, from any address."""
        await self._count(self._requests, "request", person_id, cost)

    async def handshake(self, address: str) -> None:
        """Count a WebSocket handshake, in this process, which will hold the connection."""
        group = group_of(address)
        if not await self._local.hit(self._handshakes, "handshake", group):
            raise too_many(await _wait_s(self._local, self._handshakes, "handshake", group))

    async def new_game(self, address: str, person_id: str) -> None:
        await self._count(self._new_games, "game", group_of(address))
        await self._count(self._new_games, "game", person_id)

    async def sign_in(self, address: str, account: str, device: str | None) -> None:
        """Count an attempt to sign in from an address.

        A device that has signed in to this account before is counted separately, so that nobody
        at the same address can lock its owner out.
        """
        here = group_of(address) if device is None else f"device {device} {account.casefold()}"
        await self._count(self._sign_ins, "sign-in", here)

    async def slow_down(self, account: str) -> None:
        """Delay a sign-in to an account with many wrong passwords; nobody is refused."""
        key = f"failed {account.casefold()}"
        if not await self._allows(self._sign_ins, "sign-in", key):
            await asyncio.sleep(_SLOW_S)

    async def wrong_password(self, account: str) -> None:
        """Count a wrong password for an account."""
        await self._hit(self._sign_ins, "sign-in", f"failed {account.casefold()}")

    async def confirm(self, address: str, person_id: str) -> None:
        """Count a confirmation by password, or a new token, of somebody who is signed in."""
        await self._count(self._sign_ins, "confirm", group_of(address))
        await self._count(self._sign_ins, "confirm", person_id)

    async def puzzle(self, person_id: str) -> None:
        """Count a puzzle result of an account."""
        await self._count(self._puzzle_tries, "puzzle", person_id)

    async def sign_up(self, address: str) -> None:
        await self._count(self._sign_ups, "sign-up", group_of(address))

    async def chat(self, person_id: str) -> None:
        """Count a chat line: each is stored, and sent to everybody at the game."""
        await self._count(self._chat, "chat", person_id)

    def messages(self, address: str, person_id: str) -> tuple[Allowance, Allowance]:
        """Return the allowances of a connection's messages: its person's and its address's."""
        return (
            self._allowance("person", person_id, self._messages),
            self._allowance("address", group_of(address), self._address_messages),
        )

    def _allowance(self, kind: str, owner: str, rate: limits.RateLimitItem) -> Allowance:
        found = self._allowances.get((kind, owner))
        if found is None:
            found = self._allowances[kind, owner] = Allowance(rate.amount, rate.get_expiry())
        return found

    def connection(self, address: str) -> ConnectionSlot:
        """Return a context manager that counts a connection while it is open."""
        group = group_of(address)
        if self._connections[group] >= self._most_connections:
            raise too_many(_CONNECTION_WAIT_S)
        return ConnectionSlot(self._connections, group)

    async def _count(self, limit: limits.RateLimitItem, what: str, who: str, cost: int = 1) -> None:
        # A limit below a cost still lets one such request through.
        wait_s = await self._hit(limit, what, who, min(cost, limit.amount))
        if wait_s is not None:
            raise too_many(wait_s)

    async def _hit(
        self, limit: limits.RateLimitItem, what: str, who: str, cost: int = 1
    ) -> float | None:
        """Count one; return how many seconds to wait if it exceeds the limit."""

        async def hit(limiter: FixedWindowRateLimiter) -> float | None:
            if await limiter.hit(limit, what, who, cost=cost):
                return None
            return await _wait_s(limiter, limit, what, who)

        return await self._ask(hit)

    async def _allows(self, limit: limits.RateLimitItem, what: str, who: str) -> bool:
        return await self._ask(lambda limiter: limiter.test(limit, what, who))

    async def _ask(self, ask: Callable[[FixedWindowRateLimiter], Awaitable[_T]]) -> _T:
        if self._shared is not None and time.monotonic() >= self._shared_from:
            if self._shared_from:
                # Only this call finds out whether Redis is back; others don't wait for it.
                self._shared_from = time.monotonic() + _REDIS_REST_S
            try:
                answer = await ask(self._shared)
            except Exception as error:
                # Whatever is wrong with Redis, count in the process meanwhile.
                self._shared_from = time.monotonic() + _REDIS_REST_S
                _log.warning("limits are counted without redis", error=str(error))
            else:
                self._shared_from = 0.0
                return answer
        return await ask(self._local)


async def _wait_s(
    limiter: FixedWindowRateLimiter, limit: limits.RateLimitItem, what: str, who: str
) -> float:
    """Return how many seconds the current window still lasts."""
    stats = await limiter.get_window_stats(limit, what, who)
    return max(0.0, stats.reset_time - time.time())


class Allowance:
    """A fixed-window count of messages, shared by several connections of this process."""

    __slots__ = ("__weakref__", "_amount", "_count", "_until", "_window_s")

    def __init__(self, amount: int, window_s: float) -> None:
        self._amount = amount
        self._window_s = window_s
        self._until = 0.0
        self._count = 0

    def spend(self) -> float:
        """Count a message; return how many seconds to wait if it exceeds the limit, else 0."""
        now = time.monotonic()
        if now >= self._until:
            self._until = now + self._window_s
            self._count = 0
        self._count += 1
        return self._until - now if self._count > self._amount else 0.0


class ConnectionSlot:
    """Counts a connection of a group while the context is open."""

    __slots__ = ("_counts", "_group")

    def __init__(self, counts: Counter[str], group: str) -> None:
        self._counts = counts
        self._group = group

    def __enter__(self) -> None:
        self._counts[self._group] += 1

    def __exit__(self, *_: object) -> None:
        self._counts[self._group] -= 1
        if not self._counts[self._group]:
            del self._counts[self._group]


def _redis_pool(url: str) -> redis.asyncio.ConnectionPool:
    import redis.asyncio

    return redis.asyncio.ConnectionPool.from_url(
        url, socket_timeout=_REDIS_S, socket_connect_timeout=_REDIS_S
    )


def _shared_limiter(pool: redis.asyncio.ConnectionPool) -> FixedWindowRateLimiter:
    # Pass a pool: `limits` doesn't understand all of Redis' URL schemes.
    options: dict[str, Any] = {"connection_pool": pool}
    return FixedWindowRateLimiter(
        RedisStorage("async+redis://", implementation="redispy", **options)
    )


def group_of(address: str) -> str:
    """Return the group that an address is counted in; for IPv6 the /64 network.

    >>> group_of("2001:db8:1:2:3:4:5:6")
    '2001:db8:1:2::/64'
    >>> group_of("::ffff:192.0.2.1")
    '192.0.2.1'
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
