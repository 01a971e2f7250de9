"""The names under which Gymnasium knows these environments."""

from __future__ import annotations

from typing import Final

import gymnasium

AGAINST_ENGINE: Final = "sumito/Abalone-v0"


def register() -> None:
    """Tell Gymnasium; once is enough, and twice does no harm."""
    if AGAINST_ENGINE not in gymnasium.registry:
        gymnasium.register(id=AGAINST_ENGINE, entry_point="sumito.env.single:AbaloneEnv")
