"""The options of UGI: how they are announced and read, and those that carry the rules.

An engine announces what it has, as `option name Hash type spin default 64 min 1 max 8192`. The
options of the rules, `WinAt`, `Repetition`, `PlyLimit`, `PartnerSideStep` and `Stuck`, are told to
every program that announces them, before a search and whenever they change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from sumito.engine.base import Draws
from sumito.engine.engine import MOST_HASH_MB, MOST_THREADS, most_hash_mb
from sumito.engine.levels import Level
from sumito.errors import EngineError
from sumito.i18n.messages import N_
from sumito.rules.modes import Mode
from sumito.rules.rules import PRESETS, PartnerSideStep, Rules, Stuck

Value = int | str

ON: Final = "true"
OFF: Final = "false"


@dataclass(frozen=True, slots=True)
class Spin:
    """An option that is a whole number."""

    default: int
    least: int
    most: int

    def __str__(self) -> str:
        return f"type spin default {self.default} min {self.least} max {self.most}"

    def parse(self, text: str) -> int:
        return parse_whole(text, self.least, self.most)


@dataclass(frozen=True, slots=True)
class Combo:
    """An option that is one of some words."""

    default: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"type combo default {self.default} " + " ".join(f"var {w}" for w in self.words)

    def parse(self, text: str) -> str:
        if text not in self.words:
            raise EngineError(N_("{text!r} is none of {known}"), text=text, known=self.words)
        return text


@dataclass(frozen=True, slots=True)
class Text:
    """An option that is any text."""

    default: str

    def __str__(self) -> str:
        return f"type string default {self.default}"

    def parse(self, text: str) -> str:
        return text


@dataclass(frozen=True, slots=True)
class Check:
    """An option that is on or off."""

    default: str

    def __str__(self) -> str:
        return f"type check default {self.default}"

    def parse(self, text: str) -> str:
        return Combo(OFF, (ON, OFF)).parse(text.lower())


Option = Spin | Combo | Check | Text

DEFAULT_NETWORK: Final = "default"
AUTOMATIC: Final = "auto"
"""A draw is avoided in a game and even in a search without a limit."""

RULES: Final[dict[str, tuple[str, Option]]] = {
    "WinAt": ("win_at", Spin(6, 1, 30)),
    "Repetition": ("repetition", Spin(0, 0, 100)),
    "PlyLimit": ("ply_limit", Spin(0, 0, 1_000_000)),
    "PartnerSideStep": (
        "partner_sidestep",
        Combo(str(PartnerSideStep.ANY), tuple(map(str, PartnerSideStep))),
    ),
    "Stuck": ("stuck", Combo(str(Stuck.BY_MODE), tuple(map(str, Stuck)))),
}
"""The options that carry a rule set: the field of `Rules`, and what it may be. 0 is for never."""

HASH: Final = "Hash"
OPTIONS: Final[dict[str, Option]] = {
    "Threads": Spin(1, 1, MOST_THREADS),
    HASH: Spin(64, 1, MOST_HASH_MB),
    "Network": Text(DEFAULT_NETWORK),
    "MultiPV": Spin(1, 1, 64),
    "Level": Combo(str(Level.CHAMPION), tuple(map(str, Level))),
    "Seed": Spin(0, 0, 2**63 - 1),
    "OwnBook": Check(OFF),
    "Draws": Combo(AUTOMATIC, (AUTOMATIC, *map(str, Draws))),
    "Mode": Combo(str(Mode.TWO), tuple(map(str, Mode))),
    "Layout": Text("standard"),
    "Rules": Combo("rulebook", tuple(PRESETS)),
    **{name: option for name, (_, option) in RULES.items()},
}
"""What our engine announces."""


def announced(hash_mb: int = 0) -> dict[str, Option]:
    """The options with the largest table that fits now, beside an own one that is given up."""
    return OPTIONS | {HASH: Spin(64, 1, most_hash_mb(hash_mb))}


def rule_values(rules: Rules) -> dict[str, Value]:
    """A rule set as options."""
    return {name: _plain(getattr(rules, field)) for name, (field, _) in RULES.items()}


def with_rule(rules: Rules, name: str, value: Value) -> Rules:
    """A rule set with one of its options changed."""
    changes: dict[str, Any] = {RULES[name][0]: value or None}
    return replace(rules, **changes)


def _plain(value: object) -> Value:
    return value if isinstance(value, int) else str(value or 0)


def parse_announcement(line: str) -> tuple[str, str | None] | None:
    """The name and the default of an option that a program announces; None if it can't be read.

    >>> parse_announcement("option name Clear Hash type button")
    ('Clear Hash', None)
    >>> parse_announcement("option name Hash type spin default 64 min 1 max 128")
    ('Hash', '64')
    """
    words = line.split()
    if words[:2] != ["option", "name"] or "type" not in words:
        return None
    kind = words.index("type")
    default = None
    if "default" in words[kind:]:
        at = words.index("default", kind) + 1
        default = words[at] if at < len(words) else ""
    return " ".join(words[2:kind]), default


def parse_whole(text: str, least: int, most: int) -> int:
    """A whole number between two bounds, or an error that names them."""
    # A number that fits has few digits; Python doesn't read one of some thousand.
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) <= len(str(most)) + 20:
        value = int(text)
        if least <= value <= most:
            return value
    raise EngineError(
        N_("{text!r} is not a whole number from {least} to {most}"),
        text=text,
        least=least,
        most=most,
    )
