"""Events as rows: encoding and decoding, and the server's own events around a game.

All events of a game share one numbering: seats taken, the start, the game's own events, a guest who
signed in, a rematch. The game counts the server's events and is otherwise not affected by them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final

import msgspec

from sumito.game import events
from sumito.game.events import Event, ExternalEvent
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.rules.rules import Outcome, Reason
from sumito.server.storage import StoredEvent


@dataclass(frozen=True, slots=True)
class Joined(ExternalEvent):
    """Somebody took a seat."""

    seat: Colour
    name: str


@dataclass(frozen=True, slots=True)
class Started(ExternalEvent):
    """All seats are taken, and the clock runs."""


@dataclass(frozen=True, slots=True)
class Cancelled(ExternalEvent):
    """The game was called off from outside."""


@dataclass(frozen=True, slots=True)
class RematchOffered(ExternalEvent):
    """A player would like another game."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Rematched(ExternalEvent):
    """There is another game."""

    id: str


KINDS: Final[dict[str, type[Event]]] = {
    "joined": Joined,
    "started": Started,
    "cancelled": Cancelled,
    "moved": events.Moved,
    "left": events.PlayerEliminated,
    "ended": events.Ended,
    "draw_offered": events.DrawOffered,
    "draw_accepted": events.DrawAccepted,
    "draw_declined": events.DrawDeclined,
    "takeback_asked": events.TakebackAsked,
    "takeback_accepted": events.TakebackAccepted,
    "takeback_declined": events.TakebackDeclined,
    "taken_back": events.TakenBack,
    "went_away": events.Disconnected,
    "came_back": events.Reconnected,
    "resumed": events.Resumed,
    "rematch_offered": RematchOffered,
    "rematch": Rematched,
}
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def kind_of(event: Event) -> str:
    """Return the stored name of an event's type."""
    return _NAMES[type(event)]


def event_content(event: Event) -> dict[str, Any]:
    """Return an event's fields, without version and time, as JSON values."""
    return {
        field.name: _write(getattr(event, field.name))
        for field in fields(event)
        if field.name not in ("version", "at")
    }


def _write(value: Any) -> Any:
    if isinstance(value, Colour | Move):
        return str(value)
    if isinstance(value, Outcome):
        return {
            "winner": None if value.winner is None else str(value.winner),
            "reason": str(value.reason),
        }
    return value


def _read_outcome(value: dict[str, Any]) -> Outcome:
    winner = value["winner"]
    return Outcome(None if winner is None else Colour.parse(winner), Reason(value["reason"]))


def _read_colour(value: str | None) -> Colour | None:
    return None if value is None else Colour.parse(value)


_READ: Final[dict[str, Callable[[Any], Any]]] = {
    "seat": Colour.parse,
    "by": _read_colour,
    "move": Move.parse,
    "reason": Reason,
    "outcome": _read_outcome,
}


def to_entry(event: Event, person_id: str | None = None, ref: str = "") -> StoredEvent:
    """Return an event as a row."""
    body = msgspec.json.encode(event_content(event)).decode()
    return StoredEvent(event.version, event.at, kind_of(event), body, person_id, ref or None)


def from_entry(entry: StoredEvent) -> Event:
    """Return the event of a row."""
    content = msgspec.json.decode(entry.body)
    values = {name: _READ.get(name, _same)(value) for name, value in content.items()}
    return KINDS[entry.kind](**values, version=entry.version, at=entry.at)


def _same(value: Any) -> Any:
    return value
