"""The list of all operations of the HTTP API."""

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

# Paths with an extension come before those without one: the first match is used.
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
