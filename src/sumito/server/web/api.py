"""The HTTP API: all that the page does, a program can do too."""

from __future__ import annotations

from typing import Final

from sumito.server.web import (
    accounts,
    analysis,
    archive,
    games,
    health,
    players,
    puzzles,
    records,
    reference,
)
from sumito.server.web.operations import Operation

# Addresses with an ending stand before those without one: the first that fits is taken.
OPERATIONS: Final[tuple[Operation, ...]] = (
    *accounts.OPERATIONS,
    *analysis.OPERATIONS,
    *archive.OPERATIONS,
    *records.OPERATIONS,
    *games.OPERATIONS,
    *players.OPERATIONS,
    *puzzles.OPERATIONS,
    *reference.OPERATIONS,
    *health.OPERATIONS,
)
