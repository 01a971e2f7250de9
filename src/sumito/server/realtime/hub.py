"""Who is listening, and how they hear of what happens, within one process.

A hub carries messages to everybody who listens to a channel; `bus.redis` has the one that reaches
all processes. Queues are bounded in messages and in bytes: one who doesn't keep up is let go and
may come back, so nobody waits for the slowest. Messages may get lost on the way; versions tell
who missed what.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from time import monotonic
from typing import Final

from msgspec import Struct

from sumito.server.base import metrics
from sumito.server.realtime.queue import Mailbox

QUEUE: Final = 256
"""How many messages may wait for one connection."""
QUEUE_BYTES: Final = 256 * 1024
"""How long they may be together; a single longer one is let through."""
VISIT_S: Final = 600.0
"""So long one who asks by HTTP counts as being there."""


class Told(Struct, frozen=True, tag_field="t"):
    """What goes through a hub."""

    @property
    def size(self) -> int:
        return 0


class Happened(Told, frozen=True, tag="h"):
    """Events of a game as frames ready to be sent, `first` being the first one's version."""

    first: int
    frames: list[str]
    mine: dict[str, str] = {}
    """What is a reader's own at the last one, by person; "" for everybody else."""

    @property
    def size(self) -> int:
        return sum(map(len, self.frames))


class Notice(Told, frozen=True, tag="n"):
    """A frame without a version: presence, thinking, chat, the lobby."""

    frame: str
    only: list[str] | None = None
    """The people it is for; None: everybody."""
    mine: dict[str, str] = {}

    @property
    def size(self) -> int:
        return len(self.frame)


class Reply(Told, frozen=True, tag="r"):
    """A frame for one connection only."""

    frame: str

    @property
    def size(self) -> int:
        return len(self.frame)


class Missed(Told, frozen=True, tag="m"):
    """Something may have got lost: look at the database."""


class Subscription(Mailbox[Told]):
    """One listener's queue. Once overrun it hears nothing more."""

    __slots__ = ("_bytes", "channel", "on_overrun", "overrun")

    def __init__(self, channel: str) -> None:
        super().__init__()
        self.channel = channel
        self.overrun = False
        self.on_overrun: Callable[[], object] | None = None
        self._bytes = 0

    def put(self, told: Told) -> None:
        if self.overrun:
            return
        size = told.size
        full = len(self) >= QUEUE or self._bytes + size > QUEUE_BYTES
        if full and len(self):
            metrics.DROPPED.inc()
            self.overrun = True
            self.clear()
            if self.on_overrun is not None:
                self.on_overrun()
            return
        self._bytes += size
        self.put_nowait(told)

    async def get(self) -> Told:
        told = await super().get()
        self._bytes -= told.size
        return told


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
        listeners = self._listeners.get(subscription.channel)
        if listeners is None:
            return
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

    @property
    def complete(self) -> bool:
        """Is everybody known who is connected? If not, one who isn't known may still be there."""
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
        """One who plays by HTTP has no connection, and is there all the same; is that news?"""
        key = (game_id, person_id)
        is_news = key not in self._visits
        self._visits.pop(key, None)
        self._visits[key] = monotonic() + VISIT_S
        if is_news:
            await self.enter(game_id, f"visit:{person_id}", person_id)
        return is_news

    async def people(self, game_id: str) -> list[str]:
        """The person of each connection to a game."""
        return list(self._here.get(game_id, {}).values())

    async def refresh(self) -> list[str]:
        """Say again that those who are here are here; returns the games whose visitors left."""
        now = monotonic()
        gone = []
        # The oldest come first.
        for (game_id, person_id), until in list(self._visits.items()):
            if until > now:
                break
            del self._visits[game_id, person_id]
            await self.leave(game_id, f"visit:{person_id}")
            gone.append(game_id)
        return gone
