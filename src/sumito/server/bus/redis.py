"""The same for several processes: events and presence go by way of Redis.

Redis holds nothing that matters: lose it, and people hear of moves when they next ask.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from typing import Final

import msgspec
import redis
import redis.asyncio
import structlog

from sumito.server.bus.local import Happened, Hub, Missed, Presence, Said, Subscription, Told

_ENCODE: Final = msgspec.json.Encoder().encode
_DECODE: Final = msgspec.json.Decoder(Happened | Said | Missed).decode

_log = structlog.get_logger()


class RedisHub(Hub):
    """Fan-out to all processes that share a Redis."""

    shared = True
    _prefix: Final = "sumito:"

    def __init__(self, url: str) -> None:
        super().__init__()
        # Our own messages come back to us, and we have heard them before anybody.
        self._name = secrets.token_hex(8).encode()
        self._redis = redis.asyncio.from_url(url)
        self._pubsub = self._redis.pubsub()
        self._reader: asyncio.Task[None] | None = None

    async def start(self) -> None:
        # A channel nobody uses keeps the connection open while nobody listens.
        await self._pubsub.subscribe(self._prefix + "start")
        self._reader = asyncio.create_task(self._read())

    async def close(self) -> None:
        if self._reader:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        await self._pubsub.aclose()  # type: ignore[no-untyped-call]
        await self._redis.aclose()

    async def listen(self, channel: str) -> Subscription:
        is_first = not self.listened(channel)
        subscription = await super().listen(channel)
        if is_first:
            await self._pubsub.subscribe(self._prefix + channel)
        return subscription

    async def leave(self, subscription: Subscription) -> None:
        await super().leave(subscription)
        if not self.listened(subscription.channel):
            await self._pubsub.unsubscribe(self._prefix + subscription.channel)

    async def tell(self, channel: str, told: Told) -> None:
        self._deliver(channel, told)
        # What is stored is true even if the others can't be told now; they will ask.
        try:
            await self._redis.publish(self._prefix + channel, self._name + _ENCODE(told))
        except redis.RedisError as error:
            _log.warning("redis doesn't answer", error=str(error))

    async def _read(self) -> None:
        while True:
            try:
                message = await self._pubsub.get_message(
                    ignore_subscribe_messages=True, timeout=30.0
                )
            except redis.RedisError as error:
                _log.warning("redis is gone, trying again", error=str(error))
                await asyncio.sleep(0.5)
                for channel in list(self._listeners):
                    self._deliver(channel, Missed())
                continue
            if message is not None and message["type"] == "message":
                channel = message["channel"].decode().removeprefix(self._prefix)
                if not message["data"].startswith(self._name):
                    self._deliver(channel, _DECODE(message["data"][len(self._name) :]))


class RedisPresence(Presence):
    """Who is connected to which game, in all processes.

    Each connection is a field of the game's hash that says until when it is believed, so the
    connections of a killed process fade away.
    """

    _believed: Final = 60

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis = redis.asyncio.from_url(url, decode_responses=True)

    async def enter(self, game_id: str, connection: str, person_id: str) -> None:
        await super().enter(game_id, connection, person_id)
        await self._write(game_id, {connection: person_id})

    async def leave(self, game_id: str, connection: str) -> None:
        await super().leave(game_id, connection)
        with contextlib.suppress(redis.RedisError):
            await self._redis.hdel(_presence_key(game_id), connection)

    async def people(self, game_id: str) -> list[str]:
        try:
            fields = await self._redis.hgetall(_presence_key(game_id))
        except redis.RedisError:
            return await super().people(game_id)
        now = time.time()
        found = (str(value).partition(" ") for value in fields.values())
        return [person for until, _, person in found if float(until) > now]

    async def refresh(self) -> None:
        for game_id, here in list(self._here.items()):
            await self._write(game_id, here)

    async def close(self) -> None:
        await self._redis.aclose()

    async def _write(self, game_id: str, here: dict[str, str]) -> None:
        until = time.time() + self._believed
        key = _presence_key(game_id)
        with contextlib.suppress(redis.RedisError):
            await self._redis.hset(
                key, mapping={one: f"{until} {person}" for one, person in here.items()}
            )
            await self._redis.expire(key, self._believed * 2)


def _presence_key(game_id: str) -> str:
    return f"sumito:presence:{game_id}"
