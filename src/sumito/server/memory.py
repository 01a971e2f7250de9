"""The garbage collector, kept from stopping everybody.

It looks for cycles, and must walk through all objects to find them: a third of a second with 2,000
games. But a move leaves no cycle behind, and a connection that is gone only its transport. So only
young objects are looked at, a few milliseconds each time; those that stay are set aside, to be
freed as usual when nobody holds them any more. Once in an hour everything is looked at.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from typing import Any, Final

_YOUNG: Final = (2_000, 10, 10)
"""So many new objects, then the young are looked at."""
_ALL_S: Final = 3_600.0


class Collector:
    """The collector of a process that serves, from its start to its stop."""

    def __init__(self) -> None:
        self._before = gc.get_threshold()
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        gc.callbacks.append(_set_aside)
        gc.set_threshold(*_YOUNG)
        self.look_at_all()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        gc.callbacks.remove(_set_aside)
        gc.set_threshold(*self._before)
        gc.unfreeze()

    def look_at_all(self) -> None:
        """Find every cycle that nobody holds, now and once in an hour."""
        gc.unfreeze()
        gc.collect()
        self._timer = asyncio.get_running_loop().call_later(_ALL_S, self.look_at_all)


def _set_aside(phase: str, _: Mapping[str, Any]) -> None:
    if phase == "stop":
        gc.freeze()
