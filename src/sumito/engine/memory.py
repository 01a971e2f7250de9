"""Available memory, so that a transposition table is refused before the system runs out.

Creating a table touches all of its memory. A system that overcommits would grant a table that
doesn't fit, and kill the process later.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_MB: Final = 2**20
_UNKNOWN_MB: Final = 2**20
"""The result where the system has no such information."""


def available_mb(root: Path = Path("/")) -> int:
    """Return the megabytes available to this process, by the system and its cgroups.

    `root` is the folder that holds `proc` and `sys`.
    """
    limits = [_system_mb(root), *(left // _MB for left in _cgroup_bytes(root))]
    return max(0, min(limits))


def _system_mb(root: Path) -> int:
    with suppress(OSError, ValueError):
        for line in (root / "proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) // 1024
    with suppress(AttributeError, OSError, ValueError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // _MB
    return _UNKNOWN_MB


def _cgroup_bytes(root: Path) -> Iterator[int]:
    """Yield the bytes left in each cgroup of this process, version 2 and version 1."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            yield from _left_upwards(root / "sys/fs/cgroup", path, "memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            yield from _left_upwards(
                root / "sys/fs/cgroup/memory",
                path,
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            )


def _left_upwards(mount: Path, path: str, limit: str, usage: str) -> Iterator[int]:
    """Yield a group and those above it; within a container only the mount itself exists."""
    group = mount / path.strip("/")
    while group.is_relative_to(mount):
        with suppress(OSError, ValueError):
            most = int((group / limit).read_text())  # "max" stands for no limit
            yield most - int((group / usage).read_text()) + _reclaimable(group)
        group = group.parent


def _reclaimable(group: Path) -> int:
    """Return the bytes of cached files, which the system can reclaim."""
    names = ("inactive_file", "total_inactive_file")
    with suppress(OSError, ValueError):
        found = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        return max(int(found.get(name, 0)) for name in names)
    return 0
