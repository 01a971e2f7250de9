"""Exponential backoff for games whose work fails: growing pauses, counted failures."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Final

_REMEMBERED_S: Final = 60.0
"""How long failures are remembered after their pause, at least: a busy machine retries late."""


@dataclass(slots=True)
class _Failures:
    count: int
    pause: float
    until: float


class Backoff:
    """Counts failures in a row by game; a game that isn't retried is forgotten."""

    def __init__(self, first_s: float, longest_s: float) -> None:
        self._first = first_s
        self._longest = longest_s
        self._games: dict[str, _Failures] = {}

    def __len__(self) -> int:
        return len(self._games)

    def waits(self, game_id: str) -> bool:
        """Whether it is too early to retry."""
        known = self._games.get(game_id)
        return known is not None and monotonic() < known.until

    def fail(self, game_id: str) -> int:
        """Record a failure and return how many there were in a row; the pause doubles each time."""
        known = self._games.get(game_id) or _Failures(0, self._first / 2, 0.0)
        pause = min(2 * known.pause, self._longest)
        self._games[game_id] = _Failures(known.count + 1, pause, monotonic() + pause)
        return known.count + 1

    def clear(self, game_id: str) -> None:
        """Forget a game's failures after a success."""
        self._games.pop(game_id, None)

    def forget_old(self) -> None:
        """Forget the games that were not retried for as long as they had to wait."""
        now = monotonic()
        self._games = {
            game_id: known
            for game_id, known in self._games.items()
            if now < known.until + max(known.pause, _REMEMBERED_S)
        }
