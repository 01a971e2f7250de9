"""Rate limits: requests by address and account, messages and chat lines by person and address.

Counts are kept for all processes in Redis where there is one, and in the process while Redis is
away: a limit that can't be shared is still a limit, and no reason to refuse anybody.
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
"""How long Redis isn't asked again after it failed, so that nobody waits for it at every call."""
_T = TypeVar("_T")

_SLOW_S: Final = 3.0
"""How long a stranger waits for an account whose password many have got wrong."""
_CONNECTION_WAIT_S: Final = 10.0
"""When to try again after an address had too many connections."""


class Limits:
    """Counts, in this process or for all of them in Redis."""

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
        """Count a request; a costly one counts for several."""
        await self._count(self._requests, "request", group_of(address), cost)

    async def request_of(self, person_id: str, cost: int = 1) -> None:
        """A request of somebody who is known, wherever it comes from."""
        await self._count(self._requests, "request", person_id, cost)

    async def handshake(self, address: str) -> None:
        """A WebSocket wants to be opened; counted in this process, where it will be held."""
        group = group_of(address)
        if not await self._local.hit(self._handshakes, "handshake", group):
            raise too_many(await _wait_s(self._local, self._handshakes, "handshake", group))

    async def new_game(self, address: str, person_id: str) -> None:
        await self._count(self._new_games, "game", group_of(address))
        await self._count(self._new_games, "game", person_id)

    async def sign_in(self, address: str, account: str, device: str | None) -> None:
        """A try to sign in: refused if there were too many from this address.

        A device that has signed in to this account before counts for itself, so that nobody at
        the same address can lock its owner out.
        """
        here = group_of(address) if device is None else f"device {device} {account.casefold()}"
        await self._count(self._sign_ins, "sign-in", here)

    async def slow_down(self, account: str) -> None:
        """Let a stranger wait who tries an account that many others try: nobody is refused."""
        key = f"failed {account.casefold()}"
        if not await self._allows(self._sign_ins, "sign-in", key):
            await asyncio.sleep(_SLOW_S)

    async def wrong_password(self, account: str) -> None:
        """Somebody has tried a wrong password for an account."""
        await self._hit(self._sign_ins, "sign-in", f"failed {account.casefold()}")

    async def confirm(self, address: str, person_id: str) -> None:
        """Somebody who is signed in gives their password again, or makes a token."""
        await self._count(self._sign_ins, "confirm", group_of(address))
        await self._count(self._sign_ins, "confirm", person_id)

    async def puzzle(self, person_id: str) -> None:
        """A puzzle is to count for somebody."""
        await self._count(self._puzzle_tries, "puzzle", person_id)

    async def sign_up(self, address: str) -> None:
        await self._count(self._sign_ups, "sign-up", group_of(address))

    async def chat(self, person_id: str) -> None:
        """A chat line: each is stored, and sent to everybody at the game."""
        await self._count(self._chat, "chat", person_id)

    def messages(self, address: str, person_id: str) -> tuple[Allowance, Allowance]:
        """What a connection's messages are counted against: its person's and its address's."""
        return (
            self._allowance("person", person_id, self._messages),
            self._allowance("address", group_of(address), self._address_messages),
        )

    def _allowance(self, kind: str, owner: str, rate: limits.RateLimitItem) -> Allowance:
        found = self._allowances.get((kind, owner))
        if found is None:
            found = self._allowances[kind, owner] = Allowance(rate.amount, rate.get_expiry())
        return found

    def connection(self, address: str) -> Counted:
        """A connection that counts while it is open."""
        group = group_of(address)
        if self._connections[group] >= self._most_connections:
            raise too_many(_CONNECTION_WAIT_S)
        return Counted(self._connections, group)

    async def _count(self, limit: limits.RateLimitItem, what: str, who: str, cost: int = 1) -> None:
        # A limit below a cost still lets the costly through, one at a time.
        wait_s = await self._hit(limit, what, who, min(cost, limit.amount))
        if wait_s is not None:
            raise too_many(wait_s)

    async def _hit(
        self, limit: limits.RateLimitItem, what: str, who: str, cost: int = 1
    ) -> float | None:
        """Count one; returns how many seconds to wait if it is one too many."""

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
                # One finds out whether Redis is back; the others don't wait for that.
                self._shared_from = time.monotonic() + _REDIS_REST_S
            try:
                answer = await ask(self._shared)
            except Exception as error:
                # Whatever is wrong with Redis, the process counts for itself meanwhile.
                self._shared_from = time.monotonic() + _REDIS_REST_S
                _log.warning("limits are counted without redis", error=str(error))
            else:
                self._shared_from = 0.0
                return answer
        return await ask(self._local)


async def _wait_s(
    limiter: FixedWindowRateLimiter, limit: limits.RateLimitItem, what: str, who: str
) -> float:
    """How many seconds the current window still lasts."""
    stats = await limiter.get_window_stats(limit, what, who)
    return max(0.0, stats.reset_time - time.time())


class Allowance:
    """Messages in a fixed window, counted together for all connections that share it.

    It is counted in the process, synchronously: every message passes here.
    """

    __slots__ = ("__weakref__", "_amount", "_count", "_until", "_window_s")

    def __init__(self, amount: int, window_s: float) -> None:
        self._amount = amount
        self._window_s = window_s
        self._until = 0.0
        self._count = 0

    def spend(self) -> float:
        """Count a message; returns how many seconds to wait if it is one too many, else 0."""
        now = time.monotonic()
        if now >= self._until:
            self._until = now + self._window_s
            self._count = 0
        self._count += 1
        return self._until - now if self._count > self._amount else 0.0


class Counted:
    """One more of a group, from its beginning to its end."""

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
    # The pool knows the address, whatever its scheme: limits calls some of them differently.
    options: dict[str, Any] = {"connection_pool": pool}
    return FixedWindowRateLimiter(
        RedisStorage("async+redis://", implementation="redispy", **options)
    )


def group_of(address: str) -> str:
    """Whom an address counts for: of IPv6, everybody has 2^64 of them, so it is the network.

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
