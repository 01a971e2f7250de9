"""Texts and pictures of games, made in a thread and kept in an LRU cache.

Replaying and drawing take milliseconds in which no clock and no move would be served. Only one
rendering runs at a time: more threads would not be faster, and would leave less for the players.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

MOST_BYTES: Final = 8 * 1024 * 1024


class Renderings:
    """A cache of what was rendered, bounded in bytes."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._made: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._one_at_a_time = asyncio.Semaphore(1)

    async def get(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return what was made under a key, or make it in a thread."""
        found = self._made.get(key)
        if found is None:
            async with self._one_at_a_time:
                # Another may have asked for the same meanwhile.
                found = self._made.get(key)
                if found is None:
                    found = await asyncio.to_thread(make)
                    self._keep(key, found)
        if key in self._made:
            self._made.move_to_end(key)
        return found

    def _keep(self, key: Hashable, made: bytes) -> None:
        if len(made) > self._most:
            return
        self._made[key] = made
        self._bytes += len(made)
        while self._bytes > self._most:
            _, oldest = self._made.popitem(last=False)
            self._bytes -= len(oldest)
