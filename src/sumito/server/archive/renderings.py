"""Renderings: texts and pictures of games, made in a thread and cached (LRU).

Replaying and drawing would block the event loop for milliseconds. Only one rendering runs at a
time: more threads would not be faster, and would slow down the games.
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
        self._cache: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._one_at_a_time = asyncio.Semaphore(1)

    async def get(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return the cached rendering of a key, or make it in a thread."""
        found = self._cache.get(key)
        if found is None:
            async with self._one_at_a_time:
                # It may have been made while this call waited.
                found = self._cache.get(key)
                if found is None:
                    found = await asyncio.to_thread(make)
                    self._store(key, found)
        if key in self._cache:
            self._cache.move_to_end(key)
        return found

    def _store(self, key: Hashable, rendered: bytes) -> None:
        if len(rendered) > self._most:
            return
        self._cache[key] = rendered
        self._bytes += len(rendered)
        while self._bytes > self._most:
            _, oldest = self._cache.popitem(last=False)
            self._bytes -= len(oldest)
