"""The levels of the computer: which exist, and how long each may think about a move."""

from __future__ import annotations

from typing import Any, Final

from sumito.protocol.views import LevelView
from sumito.server.base.i18n import N_
from sumito.server.refusals import BadRequest, Unavailable

_SHORTEST_S: Final = 0.02


def levels() -> list[LevelView]:
    """Return all levels, the weakest first."""
    level_type = _level_type()
    return [LevelView(str(one), str(one).capitalize(), int(one)) for one in level_type]


def check_level(name: str) -> str:
    """Return the name of a level; raise `BadRequest` if there is no such level."""
    known = [level.id for level in levels()]
    if name not in known:
        raise BadRequest(
            "no-such-level",
            N_("There is no level {level}; the levels are {known}."),
            level=name,
            known=", ".join(known),
        )
    return name


def seconds_for(level: str, left_ms: int | None, waiting: int) -> float:
    """Return how long a level may think: stronger levels longer, all less under load.

    `left_ms` is what the clock has left, `waiting` the number of moves that wait for an engine.
    """
    number = next((one.number for one in levels() if one.id == level), 1)
    seconds: float = _level_type()(number).seconds(None if left_ms is None else left_ms / 1000)
    return max(_SHORTEST_S, seconds / (1 + waiting / 4))


def _level_type() -> Any:
    try:
        from sumito.engine import Level
    except ImportError:
        raise Unavailable("no-computer", N_("This server has no engine.")) from None
    return Level
