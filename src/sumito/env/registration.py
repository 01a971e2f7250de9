"""The names under which Gymnasium knows these environments."""

from __future__ import annotations

from typing import Final

import gymnasium

AGAINST_ENGINE: Final = "sumito/Abalone-v0"
MANY_GAMES: Final = "sumito/AbaloneBatch-v0"


def register() -> None:
    """Tell Gymnasium; once is enough, and twice does no harm."""
    if AGAINST_ENGINE not in gymnasium.registry:
        gymnasium.register(id=AGAINST_ENGINE, entry_point="sumito.env.single:AbaloneEnv")
    if MANY_GAMES not in gymnasium.registry:
        gymnasium.register(id=MANY_GAMES, vector_entry_point="sumito.env.batch:Batch")
