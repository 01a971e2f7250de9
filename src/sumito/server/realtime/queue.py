"""A queue for one reader and an event, each smaller than asyncio's.

`asyncio.Queue` and `asyncio.Event` serve any number of readers, and reserve about 3 kB and 1 kB
for them. A connection has one reader of its messages, and there are thousands of connections.
"""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleReaderQueue(Generic[T]):
    """An unbounded queue with one reader."""

    __slots__ = ("_news", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[T] = []
        self._news: asyncio.Future[None] | None = None

    def put_nowait(self, message: T) -> None:
        self._waiting.append(message)
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def get(self) -> T:
        while not self._waiting:
            self._news = asyncio.get_running_loop().create_future()
            try:
                await self._news
            finally:
                self._news = None
        return self._waiting.pop(0)

    def empty(self) -> bool:
        return not self._waiting

    def __len__(self) -> int:
        return len(self._waiting)

    def clear(self) -> None:
        self._waiting.clear()


class LightEvent:
    """An event that is set at first; `wait` blocks while it is cleared."""

    __slots__ = ("_opening",)

    def __init__(self) -> None:
        self._opening: asyncio.Future[None] | None = None

    def set(self) -> None:
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.set_result(None)

    def clear(self) -> None:
        if self._opening is None:
            self._opening = asyncio.get_running_loop().create_future()

    async def wait(self) -> None:
        while self._opening is not None:
            # Shielded: a waiter that is cancelled must not cancel the future of the others.
            await asyncio.shield(self._opening)
