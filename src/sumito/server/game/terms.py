"""What is settled about a game before it starts: mode, layout, rules, control."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from msgspec import UNSET, Struct, structs

from sumito.board import Board
from sumito.game.state import Setup
from sumito.layouts import get as get_layout
from sumito.modes import Colour, Mode
from sumito.position import Position
from sumito.rules import PRESETS, Rules
from sumito.server.http.errors import Refusal
from sumito.server.i18n import N_
from sumito.server.settings import Settings
from sumito.server.wire.messages import Control, NewGame, NoClock, RuleOptions

DAY = 86_400_000


class Terms(Struct, frozen=True):
    """The terms of a game, stored with it."""

    mode: str
    layout: str
    preset: str
    rules: dict[str, Any]
    """Every option of the rule set; colours by name."""
    control: Control
    rated: bool
    start: str
    lag_ms: int
    grace_ms: int

    @property
    def rule_set(self) -> Rules:
        return Rules(**self.rules | {"first": Colour.parse(self.rules["first"])})

    @property
    def position(self) -> Position:
        return Position.parse(self.start)

    def setup(self, names: dict[Colour, str], at: int) -> Setup:
        """The game's setup when these people sit down and it starts."""
        start = self.position
        return Setup(
            names=tuple(names[colour] for colour in start.mode.colours),
            start=start,
            rules=self.rule_set,
            control=self.control.control(),
            rated=self.rated,
            start_at=at,
            lag_limit=self.lag_ms,
            away_grace=self.grace_ms,
        )


def agree(wish: NewGame, settings: Settings) -> Terms:
    """The terms of a wished game, or the reason why there can be no such game."""
    mode = Mode.parse(wish.mode)
    layout = get_layout(wish.layout, mode)
    preset, rules = _rules(wish)
    captured = tuple(wish.captured) if wish.captured else None
    board = Board(layout.id, mode, rules=rules, captured=captured)
    terms = Terms(
        mode=mode,
        layout=layout.id,
        preset=preset,
        rules={
            one.name: str(value) if isinstance(value, Colour) else value
            for one in fields(rules)
            for value in [getattr(rules, one.name)]
        },
        control=wish.control,
        rated=wish.rated,
        start=str(board.position),
        lag_ms=0 if isinstance(wish.control, NoClock) else settings.lag_ms,
        # Without a clock people may sleep over a move; nobody loses a game by going to bed.
        grace_ms=DAY if isinstance(wish.control, NoClock) else settings.grace_ms,
    )
    terms.setup(dict.fromkeys(mode.colours, "?"), 0)  # raises if the game would be over at once
    return terms


def _rules(wish: NewGame) -> tuple[str, Rules]:
    options = wish.rules if isinstance(wish.rules, RuleOptions) else RuleOptions(preset=wish.rules)
    if options.preset not in PRESETS:
        raise Refusal(
            "no-such-rules",
            N_("there are no rules called {name}; there are {known}"),
            name=options.preset,
            known=", ".join(PRESETS),
        )
    changes = {
        name: value
        for name, value in structs.asdict(options).items()
        if name != "preset" and value is not UNSET
    }
    if "first" in changes:
        changes["first"] = Colour.parse(changes["first"])
    if wish.win_at is not None:
        changes["win_at"] = wish.win_at
    return options.preset, replace(PRESETS[options.preset], **changes)
