"""Registers the environments with Gymnasium."""

from __future__ import annotations

from typing import Final

import gymnasium

AGAINST_ENGINE: Final = "sumito/Abalone-v0"
MANY_GAMES: Final = "sumito/AbaloneBatch-v0"


def register() -> None:
    """Register the environments; calling it twice is harmless."""
    if AGAINST_ENGINE not in gymnasium.registry:
        gymnasium.register(id=AGAINST_ENGINE, entry_point="sumito.env.single:AbaloneEnv")
    if MANY_GAMES not in gymnasium.registry:
        gymnasium.register(id=MANY_GAMES, vector_entry_point="sumito.env.batch:Batch")
