"""Terms: what is agreed about a game before it starts: mode, layout, rules, time control."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Final

from msgspec import UNSET, Struct, structs

from sumito.errors import ModeError, PositionError
from sumito.game import Game
from sumito.game.state import Setup
from sumito.position import Position
from sumito.protocol.requests import Control, NewGame, NoClock, RuleOptions, SeatOpen
from sumito.rules.board import Board
from sumito.rules.layouts import get as get_layout
from sumito.rules.modes import Colour, Mode
from sumito.rules.rules import PRESETS, Rules
from sumito.server.base.i18n import N_
from sumito.server.base.settings import Settings

DAY = 86_400_000
MOST_START_PLIES: Final = 100_000
"""The last ply a game may start at: far below the engine's limit, so no game reaches that."""


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
    takebacks: bool = True
    """Whether moves may be taken back; true for games stored before this field existed."""

    @property
    def rule_set(self) -> Rules:
        return Rules(**self.rules | {"first": Colour.parse(self.rules["first"])})

    @property
    def position(self) -> Position:
        return Position.parse(self.start)

    @property
    def sequel(self) -> Terms:
        """The terms of a rematch; only old games may be rated without a clock."""
        if self.rated and isinstance(self.control, NoClock):
            return structs.replace(self, rated=False)
        return self

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


def agree(wanted: NewGame, settings: Settings) -> Terms:
    """The terms of a wanted game, or the reason why there can be no such game."""
    mode = Mode.parse(wanted.mode)
    layout = get_layout(wanted.layout, mode)
    preset, rules = _rules(wanted)
    captured = tuple(wanted.captured) if wanted.captured else None
    start = _start(wanted, mode)
    board = (
        Board(layout.id, mode, rules=rules, captured=captured)
        if start is None
        else Board.at(start, rules=rules)
    )
    terms = Terms(
        mode=mode,
        layout=layout.id,
        preset=preset,
        rules={
            one.name: str(value) if isinstance(value, Colour) else value
            for one in fields(rules)
            for value in [getattr(rules, one.name)]
        },
        control=wanted.control,
        rated=wanted.rated and start is None,
        start=str(board.position),
        lag_ms=0 if isinstance(wanted.control, NoClock) else settings.lag_ms,
        # Without a clock people may sleep over a move; nobody loses a game by going to bed.
        grace_ms=DAY if isinstance(wanted.control, NoClock) else settings.grace_ms,
        takebacks=_takebacks(wanted, mode),
    )
    Game.begin(terms.setup(dict.fromkeys(mode.colours, "?"), 0))  # raises if it would be over
    return terms


def _start(wanted: NewGame, mode: Mode) -> Position | None:
    """The position that somebody wants to play on from."""
    if wanted.start is None:
        return None
    start = Position.parse(wanted.start)
    if start.mode is not mode:
        raise ModeError(
            N_("The position is for mode {other}, but the game is of mode {mode}."),
            code="start-mode",
            other=start.mode,
            mode=mode,
        )
    if start.ply > MOST_START_PLIES:
        raise PositionError(
            N_("The ply is {ply}; a game here starts at {most} at most."),
            code="start-ply",
            ply=start.ply,
            most=MOST_START_PLIES,
        )
    return start


def _takebacks(wanted: NewGame, mode: Mode) -> bool:
    """A move made stands, unless the players agree otherwise; a person who plays alone may."""
    if wanted.rated or wanted.takebacks is not None:
        return bool(wanted.takebacks) and not wanted.rated
    seats = wanted.seats.values()
    return len(seats) == len(mode.colours) and not any(isinstance(one, SeatOpen) for one in seats)


def _rules(wanted: NewGame) -> tuple[str, Rules]:
    options = (
        wanted.rules if isinstance(wanted.rules, RuleOptions) else RuleOptions(preset=wanted.rules)
    )
    changes = {
        name: value
        for name, value in structs.asdict(options).items()
        if name != "preset" and value is not UNSET
    }
    if "first" in changes:
        changes["first"] = Colour.parse(changes["first"])
    if wanted.win_at is not None:
        changes["win_at"] = wanted.win_at
    return options.preset, replace(PRESETS[options.preset], **changes)
