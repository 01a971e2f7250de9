"""Who is listening, and how they hear of what happens.

A hub carries messages to everybody who listens to a channel, here within the process; `cluster`
has the one that reaches all processes. Queues are bounded: one who doesn't keep up is let go and
may come back, so nobody waits for the slowest. Messages may get lost on the way; versions tell
who missed what.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Final

from msgspec import Struct

from sumito.server import metrics

QUEUE: Final = 256
"""How many messages may wait for one connection."""


class Told(Struct, frozen=True, tag_field="t"):
    """What goes through a hub."""


class Happened(Told, frozen=True, tag="h"):
    """Events of a game as frames ready to be sent, `first` being the first one's version."""

    first: int
    frames: list[str]
    people: dict[str, str | None] | None = None
    """Who sits where now, if that has changed: each reader is told which seats are theirs."""


class Said(Told, frozen=True, tag="s"):
    """A frame without a version: presence, thinking, chat, the lobby."""

    frame: str


class Answer(Told, frozen=True, tag="a"):
    """A frame for one connection only."""

    frame: str


class Missed(Told, frozen=True, tag="m"):
    """Something may have got lost: look at the database."""


class Subscription:
    """One listener's queue. `overrun` means it was too slow and hears nothing more."""

    def __init__(self, channel: str) -> None:
        self.channel = channel
        self.queue: asyncio.Queue[Told] = asyncio.Queue(QUEUE)
        self.overrun = asyncio.Event()

    def put(self, told: Told) -> None:
        try:
            self.queue.put_nowait(told)
        except asyncio.QueueFull:
            if not self.overrun.is_set():
                metrics.DROPPED.inc()
                self.overrun.set()


class Hub:
    """Fan-out within one process."""

    shared: bool = False
    """Do other processes serve the same games?"""

    def __init__(self) -> None:
        self._listeners: defaultdict[str, set[Subscription]] = defaultdict(set)

    async def start(self) -> None:
        """Begin to carry messages."""

    async def close(self) -> None:
        """Stop carrying messages."""

    async def listen(self, channel: str) -> Subscription:
        subscription = Subscription(channel)
        self._listeners[channel].add(subscription)
        return subscription

    async def leave(self, subscription: Subscription) -> None:
        listeners = self._listeners[subscription.channel]
        listeners.discard(subscription)
        if not listeners:
            del self._listeners[subscription.channel]

    def listened(self, channel: str) -> bool:
        return channel in self._listeners

    async def tell(self, channel: str, told: Told) -> None:
        self._deliver(channel, told)

    def _deliver(self, channel: str, told: Told) -> None:
        for subscription in self._listeners.get(channel, ()):
            subscription.put(told)


class Presence:
    """Who is connected to which game, in one process."""

    def __init__(self) -> None:
        self._here: defaultdict[str, dict[str, str]] = defaultdict(dict)

    async def enter(self, game_id: str, connection: str, person_id: str) -> None:
        self._here[game_id][connection] = person_id

    async def leave(self, game_id: str, connection: str) -> None:
        here = self._here[game_id]
        here.pop(connection, None)
        if not here:
            del self._here[game_id]

    async def people(self, game_id: str) -> list[str]:
        """The person of each connection to a game."""
        return list(self._here.get(game_id, {}).values())

    async def refresh(self) -> None:
        """Say again that those who are here are here."""

    async def close(self) -> None:
        """Forget the way to ask."""
