"""Prometheus metrics, served at `/metrics`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable in which prometheus-client finds the folder that processes share."""

REGISTRY: Final = CollectorRegistry()

COMMANDS: Final = Counter(
    "sumito_commands",
    "Commands to games, by type and result",
    ("type", "result"),
    registry=REGISTRY,
)
EVENTS: Final = Counter("sumito_events", "Events stored, by type", ("type",), registry=REGISTRY)
CONFLICTS: Final = Counter(
    "sumito_conflicts", "Writes that lost against another process", registry=REGISTRY
)
COMMAND_SECONDS: Final = Histogram(
    "sumito_command_seconds",
    "From a command's arrival to its commit",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
    registry=REGISTRY,
)
SOCKETS: Final = Gauge(
    "sumito_sockets", "Open WebSockets", registry=REGISTRY, multiprocess_mode="livesum"
)
DROPPED: Final = Counter(
    "sumito_sockets_dropped", "WebSockets closed because their queue was full", registry=REGISTRY
)
FAILURES: Final = Counter(
    "sumito_failures", "Background work that failed", ("work",), registry=REGISTRY
)
UNREADABLE: Final = Counter(
    "sumito_unreadable_games",
    "Stored games that could not be read, by where they were needed",
    ("place",),
    registry=REGISTRY,
)
ROOMS: Final = Gauge(
    "sumito_rooms", "Games in memory", registry=REGISTRY, multiprocess_mode="livesum"
)
WAITING: Final = Gauge(
    "sumito_computer_waiting",
    "Computer moves that wait",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
THINKING_SECONDS: Final = Histogram(
    "sumito_computer_seconds",
    "From a computer's turn to its move",
    ("level",),
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=REGISTRY,
)


def text() -> bytes:
    """Return all metrics in Prometheus' text format, summed over all workers."""
    folder = os.environ.get(SHARED)
    if not folder:
        return generate_latest(REGISTRY)
    _forget_the_dead(Path(folder))
    everyone = CollectorRegistry()
    multiprocess.MultiProcessCollector(everyone, folder)  # type: ignore[no-untyped-call]
    return generate_latest(everyone)


def share(folder: Path) -> None:
    """Let the processes that are started from here on share their counters."""
    os.environ[SHARED] = str(folder)


def _forget_the_dead(folder: Path) -> None:
    """Drop the gauges of killed processes, which could not reset them."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        if not _lives(pid):
            multiprocess.mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
