"""The same for several processes: events and presence go by way of Redis.

Redis holds nothing that matters. While it is away each process goes on alone; when it is back, all
listen again and look at the database for what they missed.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from typing import Any, Final

import msgspec
import redis
import redis.asyncio
import structlog

from sumito.server import metrics
from sumito.server.bus.local import Happened, Hub, Missed, Notice, Presence, Subscription, Told

_ENCODE: Final = msgspec.json.Encoder().encode
_DECODE: Final = msgspec.json.Decoder(Happened | Notice | Missed).decode
_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 5.0
_PATIENCE: Final = 2.0
"""Seconds to wait for Redis at most: it is near, or away."""
_AWAY: Final = (redis.RedisError, OSError, TimeoutError)

_log = structlog.get_logger()


def _connect(url: str, **options: Any) -> redis.asyncio.Redis:
    client: redis.asyncio.Redis = redis.asyncio.from_url(
        url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE, **options
    )
    return client


class RedisHub(Hub):
    """Fan-out to all processes that share a Redis."""

    shared = True
    _prefix: Final = "sumito:"

    def __init__(self, url: str) -> None:
        super().__init__()
        # Our own messages come back to us, and we have heard them before anybody.
        self._name = secrets.token_hex(8).encode()
        self._redis = _connect(url)
        self._pubsub: Any = None
        self._reader: asyncio.Task[None] | None = None
        self._alone_until = 0.0
        """While Redis is away, nobody waits for it at every message."""

    async def start(self) -> None:
        self._reader = asyncio.create_task(self._keep_reading())

    async def close(self) -> None:
        if self._reader:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        await self._drop()
        with contextlib.suppress(*_AWAY):
            await self._redis.aclose()

    async def listen(self, channel: str) -> Subscription:
        is_first = not self.listened(channel)
        subscription = await super().listen(channel)
        if is_first:
            await self._ask("subscribe", channel)
        return subscription

    async def leave(self, subscription: Subscription) -> None:
        await super().leave(subscription)
        if not self.listened(subscription.channel):
            await self._ask("unsubscribe", subscription.channel)

    async def _ask(self, what: str, channel: str) -> None:
        """Subscribe or not; if Redis is away, the reader does so for all when it is back."""
        if self._pubsub is not None:
            with contextlib.suppress(*_AWAY):
                await getattr(self._pubsub, what)(self._prefix + channel)

    async def tell(self, channel: str, told: Told) -> None:
        self._deliver(channel, told)
        if time.monotonic() < self._alone_until:
            return
        # What is stored is true even if the others can't be told now; they will ask.
        try:
            await self._redis.publish(self._prefix + channel, self._name + _ENCODE(told))
        except _AWAY as error:
            self._alone_until = time.monotonic() + 1.0
            metrics.FAILURES.labels("redis").inc()
            _log.warning("redis doesn't answer", why=str(error))

    async def _keep_reading(self) -> None:
        """Read for ever, from one connection after the other."""
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._connect()
                pause = _FIRST_PAUSE
                await self._read()
            except _AWAY as error:
                _log.warning("redis is away, trying again", why=str(error))
            except Exception:
                _log.exception("a message from redis couldn't be read")
            metrics.FAILURES.labels("redis").inc()
            await self._drop()
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _connect(self) -> None:
        """Listen to all that is listened to here, and look for what was missed before."""
        pubsub = self._redis.pubsub()
        # A channel nobody uses keeps the connection open while nobody listens.
        channels = ["start", *self._listeners]
        await pubsub.subscribe(*(self._prefix + channel for channel in channels))
        self._pubsub = pubsub
        self._alone_until = 0.0
        late = self._listeners.keys() - set(channels)
        if late:
            await pubsub.subscribe(*(self._prefix + channel for channel in late))
        for channel in list(self._listeners):
            self._deliver(channel, Missed())

    async def _drop(self) -> None:
        pubsub, self._pubsub = self._pubsub, None
        if pubsub is not None:
            with contextlib.suppress(*_AWAY):
                await pubsub.aclose()

    async def _read(self) -> None:
        while True:
            message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=1.0)
            if message is None or message["type"] != "message":
                continue
            data: bytes = message["data"]
            if data.startswith(self._name):
                continue
            channel = message["channel"].decode().removeprefix(self._prefix)
            try:
                told = _DECODE(data[len(self._name) :])
            except msgspec.MsgspecError:
                # Another version of the server may say what this one doesn't know.
                told = Missed()
            self._deliver(channel, told)


class RedisPresence(Presence):
    """Who is connected to which game, in all processes.

    Each connection is a field of the game's hash that says until when it is believed, so the
    connections of a killed process fade away. While Redis is away, each process knows its own.
    """

    _believed: Final = 60
    _often: Final = 20

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis = _connect(url, decode_responses=True)
        self._alone_until = 0.0
        self._refreshed = 0.0

    async def enter(self, game_id: str, connection: str, person_id: str) -> None:
        await super().enter(game_id, connection, person_id)
        await self._write({game_id: {connection: person_id}})

    async def leave(self, game_id: str, connection: str) -> None:
        await super().leave(game_id, connection)
        if self._is_alone():
            return
        try:
            await self._redis.hdel(_presence_key(game_id), connection)
        except _AWAY:
            self._go_alone()

    async def people(self, game_id: str) -> list[str]:
        here = await super().people(game_id)
        if self._is_alone():
            return here
        try:
            fields = await self._redis.hgetall(_presence_key(game_id))
        except _AWAY:
            self._go_alone()
            return here
        now = time.time()
        found = (str(value).partition(" ") for value in fields.values())
        # Redis may have been emptied: those who are here are here.
        return here + [person for until, _, person in found if float(until) > now]

    async def refresh(self) -> list[str]:
        """Say again who is here: all games in one go, and not often."""
        gone = await super().refresh()
        now = time.monotonic()
        if now - self._refreshed > self._often and not self._is_alone():
            self._refreshed = now
            await self._write({id: dict(here) for id, here in self._here.items()})
        return gone

    async def close(self) -> None:
        with contextlib.suppress(*_AWAY):
            await self._redis.aclose()

    def _is_alone(self) -> bool:
        return time.monotonic() < self._alone_until

    def _go_alone(self) -> None:
        # What was written may be gone: say it again as soon as Redis is back.
        self._alone_until = time.monotonic() + 1.0
        self._refreshed = 0.0

    async def _write(self, here: dict[str, dict[str, str]]) -> None:
        if not here or self._is_alone():
            return
        until = time.time() + self._believed
        pipeline = self._redis.pipeline(transaction=False)
        for game_id, connections in here.items():
            values: dict[Any, Any] = {
                one: f"{until} {person}" for one, person in connections.items()
            }
            if values:
                pipeline.hset(_presence_key(game_id), mapping=values)
                pipeline.expire(_presence_key(game_id), self._believed * 2)
        try:
            await pipeline.execute()
        except _AWAY:
            self._go_alone()


def _presence_key(game_id: str) -> str:
    return f"sumito:presence:{game_id}"
