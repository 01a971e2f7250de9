"""UGI options: their announcements, their values, and those for the rules.

An engine announces its options, as `option name Hash type spin default 64 min 1 max 8192`. The
options of the rules, `WinAt`, `Repetition`, `PlyLimit`, `PartnerSideStep` and `Stuck`, are sent to
every program that announces them, before a search and whenever they change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from sumito.engine.engine import MOST_HASH_MB, MOST_THREADS, most_hash_mb
from sumito.engine.levels import Level
from sumito.engine.request import DrawPolicy
from sumito.errors import EngineValueError
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
            raise EngineValueError(N_("{text!r} is none of {known}"), text=text, known=self.words)
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
"""The default draw policy: `avoid` in a game, `even` in a search without a limit."""

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
"""The options of the rules: the field of `Rules`, and its values. 0 stands for never."""

HASH: Final = "Hash"
OPTIONS: Final[dict[str, Option]] = {
    "Threads": Spin(1, 1, MOST_THREADS),
    HASH: Spin(64, 1, MOST_HASH_MB),
    "Network": Text(DEFAULT_NETWORK),
    "MultiPV": Spin(1, 1, 64),
    "Level": Combo(str(Level.CHAMPION), tuple(map(str, Level))),
    "Seed": Spin(0, 0, 2**63 - 1),
    "OwnBook": Check(OFF),
    "Draws": Combo(AUTOMATIC, (AUTOMATIC, *map(str, DrawPolicy))),
    "Mode": Combo(str(Mode.TWO), tuple(map(str, Mode))),
    "Layout": Text("standard"),
    "Rules": Combo("rulebook", tuple(PRESETS)),
    **{name: option for name, (_, option) in RULES.items()},
}
"""The options that this package's engine announces."""


def announced(hash_mb: int = 0) -> dict[str, Option]:
    """Return the options, with the largest table that fits if the present one is released."""
    return OPTIONS | {HASH: Spin(64, 1, most_hash_mb(hash_mb))}


def rule_values(rules: Rules) -> dict[str, Value]:
    """Return a rule set as values of options."""
    return {name: _plain(getattr(rules, field)) for name, (field, _) in RULES.items()}


def with_rule(rules: Rules, name: str, value: Value) -> Rules:
    """Return a rule set with one of its options changed."""
    changes: dict[str, Any] = {RULES[name][0]: value or None}
    return replace(rules, **changes)


def _plain(value: object) -> Value:
    return value if isinstance(value, int) else str(value or 0)


def parse_announcement(line: str) -> tuple[str, str | None] | None:
    """Return the name and the default of an announced option; `None` if it is malformed.

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
    """Parse a whole number; raise `EngineValueError` if it is out of bounds."""
    # Python refuses to parse thousands of digits; a number within bounds has few.
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) <= len(str(most)) + 20:
        value = int(text)
        if least <= value <= most:
            return value
    raise EngineValueError(
        N_("{text!r} is not a whole number from {least} to {most}"),
        text=text,
        least=least,
        most=most,
    )
