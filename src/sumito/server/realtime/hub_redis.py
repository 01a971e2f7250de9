"""The same for several processes: events and presence go by way of Redis.

Redis holds nothing that matters. While it is away, or doesn't answer, each process goes on alone
and looks at the database now and then; when it is back, all listen again and look for what they
missed. What others have in Redis is then believed only after they had time to write it again.
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
from sumito.server.realtime.hub import Happened, Hub, Missed, Notice, Presence, Subscription, Told

T = TypeVar("T")

_ENCODE: Final = msgspec.json.Encoder().encode
_DECODE: Final = msgspec.json.Decoder(Happened | Notice | Missed).decode
_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 2.0
_PATIENCE: Final = 2.0
"""Seconds to wait for Redis at most: it is near, or away."""
_SETTLING: Final = 15.0
"""So long after Redis was away, others may not have said again who is with them."""
_AWAY: Final = (redis.RedisError, OSError, TimeoutError)

_log = structlog.get_logger()


class RedisLink:
    """A process's way to Redis. Once it has failed, nobody waits for it until it is found again."""

    def __init__(self, url: str) -> None:
        self.client: redis.asyncio.Redis = redis.asyncio.from_url(
            url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE
        )
        self.away = False
        self.back_at = float("-inf")
        """When Redis was last found again."""

    @property
    def settled(self) -> bool:
        """Is all that other processes would say in Redis there?"""
        return not self.away and monotonic() - self.back_at > _SETTLING

    async def ask(self, asked: Callable[[], Awaitable[T]]) -> T | None:
        """Redis' answer, or None while it is away."""
        # Below Python 3.12 a cancellation may get lost in the client: it stays out here.
        return None if self.away else await asyncio.shield(self._ask(asked))

    async def _ask(self, asked: Callable[[], Awaitable[T]]) -> T | None:
        try:
            return await asked()
        except Exception as error:
            self.lost(error)
            return None

    def lost(self, error: Exception) -> None:
        """Redis doesn't answer."""
        if not self.away:
            self.away = True
            metrics.FAILURES.labels("redis").inc()
            unforeseen = None if isinstance(error, _AWAY) else error
            _log.warning("going on without redis", why=str(error), exc_info=unforeseen)

    def found(self) -> None:
        """Redis answers again."""
        if self.away:
            self.away = False
            self.back_at = monotonic()
            _log.warning("redis is back")

    async def close(self) -> None:
        with contextlib.suppress(*_AWAY):
            await self.client.aclose()


class RedisHub(Hub):
    """Fan-out to all processes that share a Redis."""

    shared = True
    _prefix: Final = "sumito:"

    def __init__(self, link: RedisLink) -> None:
        super().__init__()
        # Our own messages come back to us, and we have heard them before anybody.
        self._name = secrets.token_hex(8).encode()
        self._link = link
        self._pubsub: Any = None
        self._reader: asyncio.Task[None] | None = None
        self._untold: set[str] = set()
        """Channels on which something happened while Redis was away."""

    async def start(self) -> None:
        self._reader = asyncio.create_task(self._keep_reading())

    async def close(self) -> None:
        while self._reader and not self._reader.done():
            # A cancellation that got lost in the client is told again.
            self._reader.cancel()
            await asyncio.wait([self._reader], timeout=0.2)
        await self._drop()
        await self._link.close()

    async def listen(self, channel: str) -> Subscription:
        is_first = not self.listened(channel)
        subscription = await super().listen(channel)
        if is_first:
            try:
                await self._ask("subscribe", channel)
            except asyncio.CancelledError:
                await self.leave(subscription)
                raise
        return subscription

    async def leave(self, subscription: Subscription) -> None:
        await super().leave(subscription)
        if not self.listened(subscription.channel):
            await self._ask("unsubscribe", subscription.channel)

    async def _ask(self, what: str, channel: str) -> None:
        """Subscribe or not; if Redis is away, the reader does so for all when it is back."""
        pubsub = self._pubsub
        if pubsub is not None:
            await self._link.ask(lambda: getattr(pubsub, what)(self._prefix + channel))

    async def tell(self, channel: str, told: Told) -> None:
        self._deliver(channel, told)
        # What is stored is true even if the others can't be told now: they are told to look later.
        if not await self._publish(channel, told):
            self._untold.add(channel)

    async def _publish(self, channel: str, told: Told) -> bool:
        client, text = self._link.client, self._name + _ENCODE(told)
        heard = await self._link.ask(lambda: client.publish(self._prefix + channel, text))
        return heard is not None

    async def _make_good(self) -> None:
        """Let the others look at what they couldn't be told."""
        while self._untold:
            channel = next(iter(self._untold))
            if not await self._publish(channel, Missed()):
                return
            self._untold.discard(channel)

    async def _keep_reading(self) -> None:
        """Read for ever, from one connection after the other."""
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._connect()
                pause = _FIRST_PAUSE
                await self._read()
            except Exception as error:
                self._link.lost(error)
            await self._drop()
            await asyncio.sleep(pause)
            # Until it is back, everybody looks for themselves now and then.
            self._deliver_all(Missed())
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _connect(self) -> None:
        """Listen to all that is listened to here, and look for what was missed before."""
        # Connections from before a restart of Redis would each fail once.
        await self._link.client.connection_pool.disconnect(inuse_connections=False)
        await self._link.client.ping()
        pubsub = self._link.client.pubsub()
        # A channel nobody uses keeps the connection open while nobody listens.
        channels = ["start", *self._listeners]
        await pubsub.subscribe(*(self._prefix + channel for channel in channels))
        self._pubsub = pubsub
        late = self._listeners.keys() - set(channels)
        if late:
            await pubsub.subscribe(*(self._prefix + channel for channel in late))
        self._link.found()
        self._deliver_all(Missed())

    def _deliver_all(self, told: Told) -> None:
        for channel in list(self._listeners):
            self._deliver(channel, told)

    async def _drop(self) -> None:
        pubsub, self._pubsub = self._pubsub, None
        if pubsub is not None:
            with contextlib.suppress(*_AWAY):
                async with asyncio.timeout(_PATIENCE):
                    await pubsub.aclose()

    async def _read(self) -> None:
        while not self._link.away:
            await self._make_good()
            message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=1.0)
            if message is None:
                # A Redis that hangs keeps its connections open, and only says nothing.
                await self._link.client.ping()
            elif message["type"] == "message":
                self._hear(message["channel"].decode().removeprefix(self._prefix), message["data"])

    def _hear(self, channel: str, data: bytes) -> None:
        if data.startswith(self._name):
            return
        try:
            told = _DECODE(data[len(self._name) :])
        except msgspec.MsgspecError:
            # Another version of the server may say what this one doesn't know.
            told = Missed()
        self._deliver(channel, told)


class RedisPresence(Presence):
    """Who is connected to which game, in all processes.

    Each connection is a field of the game's hash that says until when it is believed, so the
    connections of a killed process fade away. While Redis is away, each process knows its own, and
    believes the others to be where they were. Time is Redis' own: machines' clocks may differ.
    """

    _believed: Final = 60
    _often: Final = 20

    def __init__(self, link: RedisLink) -> None:
        super().__init__()
        self._link = link
        self._others: dict[str, list[str]] = {}
        """Who was connected elsewhere to the games that are looked at here."""
        self._refreshed = float("-inf")

    @property
    def complete(self) -> bool:
        return self._link.settled

    async def enter(self, game_id: str, connection: str, person_id: str) -> None:
        await super().enter(game_id, connection, person_id)
        await self._write({game_id: {connection: person_id}})

    async def leave(self, game_id: str, connection: str) -> None:
        await super().leave(game_id, connection)
        client = self._link.client
        await self._link.ask(lambda: client.hdel(_presence_key(game_id), connection))

    async def people(self, game_id: str) -> list[str]:
        found = await self._read([game_id])
        if found is not None:
            self._others[game_id] = found[0]
        return await super().people(game_id) + self._others.get(game_id, [])

    async def refresh(self) -> list[str]:
        """Say again who is here, all games in one go and not often; and see who has faded."""
        gone = await super().refresh()
        now = monotonic()
        if now - self._refreshed > self._often or self._refreshed < self._link.back_at < now:
            self._refreshed = now
            await self._write({id: dict(here) for id, here in self._here.items()})
            gone += await self._faded()
        return gone

    async def _faded(self) -> list[str]:
        """Games at which somebody isn't any more whose process didn't say so."""
        games = [id for id in self._here if id in self._others]
        found = await self._read(games)
        if found is None or not self.complete:
            return []
        before, self._others = self._others, dict(zip(games, found, strict=True))
        return [id for id in games if set(before[id]) - set(self._others[id])]

    async def _read(self, games: list[str]) -> list[list[str]] | None:
        """Who is connected elsewhere to each of these games; None while nobody knows for sure."""
        if not games:
            return []
        pipeline = self._link.client.pipeline(transaction=False)
        pipeline.time()
        for game_id in games:
            pipeline.hgetall(_presence_key(game_id))
        answers = await self._link.ask(pipeline.execute)
        if answers is None:
            return None
        (now, _), *hashes = answers
        found = [self._elsewhere(id, fields, now) for id, fields in zip(games, hashes, strict=True)]
        if self.complete:
            return found
        # Others may not have written again yet: who was there is believed to be so still.
        return [
            list({*there, *self._others.get(id, [])})
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
        asked = await self._link.ask(self._link.client.time) if any(here.values()) else None
        if asked is None:
            return
        until = asked[0] + self._believed
        pipeline = self._link.client.pipeline(transaction=False)
        for game_id, connections in here.items():
            values: dict[Any, Any] = {
                one: f"{until} {person}" for one, person in connections.items()
            }
            if values:
                pipeline.hset(_presence_key(game_id), mapping=values)
                pipeline.expire(_presence_key(game_id), self._believed * 2)
        await self._link.ask(pipeline.execute)


def _presence_key(game_id: str) -> str:
    return f"sumito:presence:{game_id}"
