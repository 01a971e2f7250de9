"""Publish and subscribe within one process: hub, subscriptions, presence.

A hub delivers messages to all subscribers of a channel; `hub_redis` has the one that reaches all
processes. Queues are bounded in messages and in bytes: a subscriber that doesn't keep up is
dropped and may reconnect, so nobody waits for the slowest. Delivery is not guaranteed; subscribers
notice missing events by their version.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from time import monotonic
from typing import Final

from msgspec import Struct

from sumito.server.base import metrics
from sumito.server.realtime.queue import SingleReaderQueue

MAX_QUEUED: Final = 256
"""How many messages a subscription may hold."""
MAX_QUEUED_BYTES: Final = 256 * 1024
"""How many bytes of frames a subscription may hold; a single longer frame is let through."""
VISIT_S: Final = 600.0
"""How long somebody counts as present after an HTTP request."""


class HubMessage(Struct, frozen=True, tag_field="t"):
    """A message that is published through a hub."""

    @property
    def size(self) -> int:
        return 0


class GameEvents(HubMessage, frozen=True, tag="h"):
    """Events of a game as encoded frames; `first` is the version of the first one."""

    first: int
    frames: list[str]
    mine: dict[str, str] = {}
    """The reader's own fields at the last event, by person; "" for everybody else."""

    @property
    def size(self) -> int:
        return sum(map(len, self.frames))


class Broadcast(HubMessage, frozen=True, tag="n"):
    """A frame without a version: presence, thinking, chat, the lobby."""

    frame: str
    only: list[str] | None = None
    """The ids of the people it is for; None: everybody."""
    mine: dict[str, str] = {}

    @property
    def size(self) -> int:
        return len(self.frame)


class DirectFrame(HubMessage, frozen=True, tag="r"):
    """A frame for one connection only."""

    frame: str

    @property
    def size(self) -> int:
        return len(self.frame)


class Resync(HubMessage, frozen=True, tag="m"):
    """Messages may have been lost: the subscriber has to read the database."""


class Subscription(SingleReaderQueue[HubMessage]):
    """One subscriber's queue. After an overrun it accepts no more messages."""

    __slots__ = ("_bytes", "channel", "is_overrun", "on_overrun")

    def __init__(self, channel: str) -> None:
        super().__init__()
        self.channel = channel
        self.is_overrun = False
        self.on_overrun: Callable[[], object] | None = None
        self._bytes = 0

    def put(self, message: HubMessage) -> None:
        if self.is_overrun:
            return
        size = message.size
        full = len(self) >= MAX_QUEUED or self._bytes + size > MAX_QUEUED_BYTES
        if full and len(self):
            metrics.DROPPED.inc()
            self.is_overrun = True
            self.clear()
            if self.on_overrun is not None:
                self.on_overrun()
            return
        self._bytes += size
        self.put_nowait(message)

    async def get(self) -> HubMessage:
        message = await super().get()
        self._bytes -= message.size
        return message


class Hub:
    """Delivers messages to the subscribers of this process."""

    is_shared: bool = False
    """Whether other processes serve the same games."""

    def __init__(self) -> None:
        self._subscriptions: defaultdict[str, set[Subscription]] = defaultdict(set)

    async def start(self) -> None:
        """Start delivering messages."""

    async def close(self) -> None:
        """Stop delivering messages."""

    async def subscribe(self, channel: str) -> Subscription:
        subscription = Subscription(channel)
        self._subscriptions[channel].add(subscription)
        return subscription

    async def unsubscribe(self, subscription: Subscription) -> None:
        listeners = self._subscriptions.get(subscription.channel)
        if listeners is None:
            return
        listeners.discard(subscription)
        if not listeners:
            del self._subscriptions[subscription.channel]

    def has_subscribers(self, channel: str) -> bool:
        return channel in self._subscriptions

    async def publish(self, channel: str, message: HubMessage) -> None:
        self._deliver(channel, message)

    def _deliver(self, channel: str, message: HubMessage) -> None:
        for subscription in self._subscriptions.get(channel, ()):
            subscription.put(message)


class Presence:
    """Tracks who is connected to which game, in one process."""

    @property
    def is_complete(self) -> bool:
        """Whether all connections are known; if not, somebody unknown may still be connected."""
        return True

    def __init__(self) -> None:
        self._here: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._visits: dict[tuple[str, str], float] = {}

    async def enter(self, game_id: str, connection: str, person_id: str) -> None:
        self._here[game_id][connection] = person_id

    async def leave(self, game_id: str, connection: str) -> None:
        here = self._here.get(game_id)
        if here is None:
            return
        here.pop(connection, None)
        if not here:
            del self._here[game_id]

    async def visit(self, game_id: str, person_id: str) -> bool:
        """Count somebody who plays by HTTP as present; return whether they were absent."""
        key = (game_id, person_id)
        is_news = key not in self._visits
        self._visits.pop(key, None)
        self._visits[key] = monotonic() + VISIT_S
        if is_news:
            await self.enter(game_id, f"visit:{person_id}", person_id)
        return is_news

    async def people(self, game_id: str) -> list[str]:
        """Return the person of each connection to a game."""
        return list(self._here.get(game_id, {}).values())

    async def refresh(self) -> list[str]:
        """Renew this process's entries; return the games whose visitors have expired."""
        now = monotonic()
        expired = []
        # The oldest visits come first.
        for (game_id, person_id), until in list(self._visits.items()):
            if until > now:
                break
            del self._visits[game_id, person_id]
            await self.leave(game_id, f"visit:{person_id}")
            expired.append(game_id)
        return expired
