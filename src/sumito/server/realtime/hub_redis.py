"""Publish and subscribe among several processes: hub and presence through Redis.

Redis holds nothing that can't be restored. While it is unavailable, each process continues alone
and polls the database; afterwards all processes resubscribe and resync. Presence entries of other
processes are trusted again only after they had time to renew them.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, Final, TypeVar

import msgspec
import redis
import redis.asyncio
import structlog

from sumito.server.base import metrics
from sumito.server.realtime.hub import (
    Broadcast,
    GameEvents,
    Hub,
    HubMessage,
    Presence,
    Resync,
    Subscription,
)

T = TypeVar("T")

_ENCODE: Final = msgspec.json.Encoder().encode
_DECODE: Final = msgspec.json.Decoder(GameEvents | Broadcast | Resync).decode
_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 2.0
_TIMEOUT_S: Final = 2.0
"""How long to wait for an answer from Redis, in seconds."""
_SETTLE_S: Final = 15.0
"""How long after an outage of Redis the presence of other processes may be incomplete."""
_UNREACHABLE: Final = (redis.RedisError, OSError, TimeoutError)

_log = structlog.get_logger()


class RedisLink:
    """A process's connection to Redis. After a failure, calls return at once until it is back."""

    def __init__(self, url: str) -> None:
        self.client: redis.asyncio.Redis = redis.asyncio.from_url(
            url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S
        )
        self.is_unavailable = False
        self.back_at = float("-inf")
        """When the last outage of Redis ended."""

    @property
    def is_settled(self) -> bool:
        """Whether other processes have had time to renew their entries in Redis."""
        return not self.is_unavailable and monotonic() - self.back_at > _SETTLE_S

    async def call(self, call: Callable[[], Awaitable[T]]) -> T | None:
        """Return Redis' answer, or None while it is unavailable."""
        # Below Python 3.12 the client may swallow a cancellation: the shield keeps it out.
        return None if self.is_unavailable else await asyncio.shield(self._call(call))

    async def _call(self, call: Callable[[], Awaitable[T]]) -> T | None:
        try:
            return await call()
        except Exception as error:
            self.mark_lost(error)
            return None

    def mark_lost(self, error: Exception) -> None:
        """Note that Redis doesn't answer."""
        if not self.is_unavailable:
            self.is_unavailable = True
            metrics.FAILURES.labels("redis").inc()
            unforeseen = None if isinstance(error, _UNREACHABLE) else error
            _log.warning("going on without redis", why=str(error), exc_info=unforeseen)

    def mark_found(self) -> None:
        """Note that Redis answers again."""
        if self.is_unavailable:
            self.is_unavailable = False
            self.back_at = monotonic()
            _log.warning("redis is back")

    async def close(self) -> None:
        with contextlib.suppress(*_UNREACHABLE):
            await self.client.aclose()


class RedisHub(Hub):
    """Delivers messages to the subscribers of all processes that share a Redis."""

    is_shared = True
    _prefix: Final = "sumito:"

    def __init__(self, link: RedisLink) -> None:
        super().__init__()
        # Prefix of this process's messages: they come back from Redis, but are delivered already.
        self._name = secrets.token_hex(8).encode()
        self._link = link
        self._pubsub: Any = None
        self._reader: asyncio.Task[None] | None = None
        self._unpublished: set[str] = set()
        """Channels on which a message could not be published."""

    async def start(self) -> None:
        self._reader = asyncio.create_task(self._read_forever())

    async def close(self) -> None:
        while self._reader and not self._reader.done():
            # The client may have swallowed a cancellation.
            self._reader.cancel()
            await asyncio.wait([self._reader], timeout=0.2)
        await self._drop()
        await self._link.close()

    async def subscribe(self, channel: str) -> Subscription:
        is_first = not self.has_subscribers(channel)
        subscription = await super().subscribe(channel)
        if is_first:
            try:
                await self._call("subscribe", channel)
            except asyncio.CancelledError:
                await self.unsubscribe(subscription)
                raise
        return subscription

    async def unsubscribe(self, subscription: Subscription) -> None:
        await super().unsubscribe(subscription)
        if not self.has_subscribers(subscription.channel):
            await self._call("unsubscribe", subscription.channel)

    async def _call(self, what: str, channel: str) -> None:
        """Subscribe or unsubscribe; during an outage the reader does so for all afterwards."""
        pubsub = self._pubsub
        if pubsub is not None:
            await self._link.call(lambda: getattr(pubsub, what)(self._prefix + channel))

    async def publish(self, channel: str, message: HubMessage) -> None:
        self._deliver(channel, message)
        # The change is stored; other processes resync from the database later.
        if not await self._publish(channel, message):
            self._unpublished.add(channel)

    async def _publish(self, channel: str, message: HubMessage) -> bool:
        client, text = self._link.client, self._name + _ENCODE(message)
        receivers = await self._link.call(lambda: client.publish(self._prefix + channel, text))
        return receivers is not None

    async def _publish_resyncs(self) -> None:
        """Let other processes resync the channels on which messages were not published."""
        while self._unpublished:
            channel = next(iter(self._unpublished))
            if not await self._publish(channel, Resync()):
                return
            self._unpublished.discard(channel)

    async def _read_forever(self) -> None:
        """Read messages for ever, reconnecting with a growing pause after failures."""
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._connect()
                pause = _FIRST_PAUSE
                await self._read()
            except Exception as error:
                self._link.mark_lost(error)
            await self._drop()
            await asyncio.sleep(pause)
            # During an outage, all subscribers poll the database.
            self._deliver_everywhere(Resync())
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _connect(self) -> None:
        """Subscribe to all channels in use here, and resync what was missed."""
        # Pooled connections from before a restart of Redis would each fail once.
        await self._link.client.connection_pool.disconnect(inuse_connections=False)
        await self._link.client.ping()
        pubsub = self._link.client.pubsub()
        # An unused channel keeps the connection open while there are no others.
        channels = ["start", *self._subscriptions]
        await pubsub.subscribe(*(self._prefix + channel for channel in channels))
        self._pubsub = pubsub
        late = self._subscriptions.keys() - set(channels)
        if late:
            await pubsub.subscribe(*(self._prefix + channel for channel in late))
        self._link.mark_found()
        self._deliver_everywhere(Resync())

    def _deliver_everywhere(self, message: HubMessage) -> None:
        for channel in list(self._subscriptions):
            self._deliver(channel, message)

    async def _drop(self) -> None:
        pubsub, self._pubsub = self._pubsub, None
        if pubsub is not None:
            with contextlib.suppress(*_UNREACHABLE):
                async with asyncio.timeout(_TIMEOUT_S):
                    await pubsub.aclose()

    async def _read(self) -> None:
        while not self._link.is_unavailable:
            await self._publish_resyncs()
            message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=1.0)
            if message is None:
                # A Redis that hangs keeps its connections open: only a ping finds out.
                await self._link.client.ping()
            elif message["type"] == "message":
                self._on_message(
                    message["channel"].decode().removeprefix(self._prefix), message["data"]
                )

    def _on_message(self, channel: str, data: bytes) -> None:
        if data.startswith(self._name):
            return
        try:
            message = _DECODE(data[len(self._name) :])
        except msgspec.MsgspecError:
            # Another version of the server may publish messages that this one doesn't know.
            message = Resync()
        self._deliver(channel, message)


class RedisPresence(Presence):
    """Tracks who is connected to which game, in all processes.

    Each connection is a field of the game's hash with an expiry time, so the connections of a
    killed process expire. During an outage of Redis each process knows its own connections, and
    assumes those of the others to be unchanged. Times are Redis' own: machines' clocks may differ.
    """

    _lifetime_s: Final = 60
    _refresh_s: Final = 20

    def __init__(self, link: RedisLink) -> None:
        super().__init__()
        self._link = link
        self._elsewhere_by_game: dict[str, list[str]] = {}
        """People connected to games through other processes, as last read."""
        self._refreshed = float("-inf")

    @property
    def is_complete(self) -> bool:
        return self._link.is_settled

    async def enter(self, game_id: str, connection: str, person_id: str) -> None:
        await super().enter(game_id, connection, person_id)
        await self._write({game_id: {connection: person_id}})

    async def leave(self, game_id: str, connection: str) -> None:
        await super().leave(game_id, connection)
        client = self._link.client
        await self._link.call(lambda: client.hdel(_presence_key(game_id), connection))

    async def people(self, game_id: str) -> list[str]:
        found = await self._read([game_id])
        if found is not None:
            self._elsewhere_by_game[game_id] = found[0]
        return await super().people(game_id) + self._elsewhere_by_game.get(game_id, [])

    async def refresh(self) -> list[str]:
        """Renew this process's entries, all at once and not often; find expired ones of others."""
        expired = await super().refresh()
        now = monotonic()
        if now - self._refreshed > self._refresh_s or self._refreshed < self._link.back_at < now:
            self._refreshed = now
            await self._write({id: dict(here) for id, here in self._here.items()})
            expired += await self._find_expired()
        return expired

    async def _find_expired(self) -> list[str]:
        """Return games with an expired entry of another process."""
        games = [id for id in self._here if id in self._elsewhere_by_game]
        found = await self._read(games)
        if found is None or not self.is_complete:
            return []
        before, self._elsewhere_by_game = (
            self._elsewhere_by_game,
            dict(zip(games, found, strict=True)),
        )
        return [id for id in games if set(before[id]) - set(self._elsewhere_by_game[id])]

    async def _read(self, games: list[str]) -> list[list[str]] | None:
        """Return who is connected elsewhere to each of these games; None during an outage."""
        if not games:
            return []
        pipeline = self._link.client.pipeline(transaction=False)
        pipeline.time()
        for game_id in games:
            pipeline.hgetall(_presence_key(game_id))
        answers = await self._link.call(pipeline.execute)
        if answers is None:
            return None
        (now, _), *hashes = answers
        found = [self._elsewhere(id, fields, now) for id, fields in zip(games, hashes, strict=True)]
        if self.is_complete:
            return found
        # Other processes may not have renewed their entries yet: keep those that were known.
        return [
            list({*there, *self._elsewhere_by_game.get(id, [])})
            for id, there in zip(games, found, strict=True)
        ]

    def _elsewhere(self, game_id: str, fields: dict[bytes, bytes], now: int) -> list[str]:
        here = self._here.get(game_id, {})
        found = (
            value.decode().partition(" ")
            for connection, value in fields.items()
            if connection.decode() not in here
        )
        return [person for until, _, person in found if float(until) > now]

    async def _write(self, here: dict[str, dict[str, str]]) -> None:
        call = await self._link.call(self._link.client.time) if any(here.values()) else None
        if call is None:
            return
        until = call[0] + self._lifetime_s
        pipeline = self._link.client.pipeline(transaction=False)
        for game_id, connections in here.items():
            values: dict[Any, Any] = {
                one: f"{until} {person}" for one, person in connections.items()
            }
            if values:
                pipeline.hset(_presence_key(game_id), mapping=values)
                pipeline.expire(_presence_key(game_id), self._lifetime_s * 2)
        await self._link.call(pipeline.execute)


def _presence_key(game_id: str) -> str:
    return f"sumito:presence:{game_id}"
