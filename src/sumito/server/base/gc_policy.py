"""Garbage-collection settings of a serving process: shorter pauses, and nothing that leaks.

What is in memory after the start (modules, catalogues, tables) lives as long as the process, so it
is frozen once and no collection walks through it again. From then on the collector works as usual:
full collections come when the long-lived objects have grown by a quarter.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_THRESHOLDS: Final = (10_000, 10, 10)
"""Allocations between young collections: more than by default, since a move makes many objects."""


@contextmanager
def frozen_start() -> Iterator[None]:
    """Freeze all present objects, and collect less often, within the block."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    # Tells the collector that no long-lived objects are left: it counts how many are new.
    gc.collect()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
