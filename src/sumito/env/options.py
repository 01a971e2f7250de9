"""`EnvConfig`: the arguments of the environments, validated in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sumito.errors import EnvError
from sumito.i18n.messages import N_
from sumito.position import Position
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.modes import Mode
from sumito.rules.rules import PRESETS, TOURNAMENT, Rules

LONGEST_GAME: Final = 1_000_000
"""Upper bound on the length of a game, in plies."""
MOST_HISTORY: Final = 16


@dataclass(frozen=True, slots=True)
class EnvConfig:
    """Start position, rules, ply limit, and number of positions in an observation."""

    start: Position
    rules: Rules = TOURNAMENT
    ply_limit: int = LONGEST_GAME
    history: int = 1

    @classmethod
    def of(
        cls,
        mode: Mode | str = Mode.TWO,
        layout: str | None = None,
        captured: Sequence[int] | None = None,
        rules: Rules | str = TOURNAMENT,
        ply_limit: int | None = None,
        history: int = 1,
    ) -> EnvConfig:
        """Return the config for a caller's arguments; raise if one is invalid."""
        rules = _rules(rules)
        return cls.at(
            layouts.start(layout, mode, first=rules.first, captured=captured),
            rules,
            ply_limit,
            history,
        )

    @classmethod
    def at(
        cls, start: Position, rules: Rules, ply_limit: int | None = None, history: int = 1
    ) -> EnvConfig:
        """Return the config for games from any position that is not over."""
        if ply_limit is None:
            ply_limit = LONGEST_GAME
        whole_number("ply_limit", ply_limit, 1, LONGEST_GAME)
        whole_number("history", history, 1, MOST_HISTORY)
        board = Board.at(start, rules=rules)
        outcome = board.outcome()
        if outcome is not None:
            raise EnvError(
                N_("the game is over before it begins: {outcome}"),
                code="env-over",
                outcome=outcome.sentence(board.mode, rules),
            )
        if start.ply + ply_limit > LONGEST_GAME:
            ply_limit = LONGEST_GAME - start.ply
        return cls(board.position, rules, ply_limit, history)

    @property
    def mode(self) -> Mode:
        return self.start.mode

    def plies_left(self, ply: int) -> int:
        """Return how many plies a game can still last, by the ply limit and the rules."""
        left = self.start.ply + self.ply_limit - ply
        limit = self.rules.ply_limit
        return max(0, left if limit is None else min(left, limit + 1 - ply))


def _rules(rules: Rules | str) -> Rules:
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str) and rules in PRESETS:
        return PRESETS[rules]
    raise EnvError(
        N_("rules are {known} or a Rules, not {value!r}"),
        code="env-rules",
        known=tuple(PRESETS),
        value=rules,
    )


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """Raise unless the value is an integer between the bounds."""
    if type(value) is not int or not least <= value <= most:
        raise EnvError(
            N_("{name} must be a whole number from {least} to {most}, not {value!r}"),
            code="env-number",
            name=name,
            least=least,
            most=most,
            value=value,
        )
    return value
