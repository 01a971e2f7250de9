"""The events of a game, as immutable values.

`Game.replay` restores a game from its events. Their versions count 1, 2, 3 …, so a client notices
those it missed; `at` is the time of the event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from sumito.choice import Choice
from sumito.i18n.messages import N_
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.rules.rules import Outcome, Reason


class OfferKind(Choice):
    """The kind of an offer."""

    DRAW = "draw"
    TAKEBACK = "take-back"

    @property
    def label(self) -> str:
        """The name as a template, to be translated."""
        return N_("draw") if self is OfferKind.DRAW else N_("take-back")


@dataclass(frozen=True, slots=True)
class Event:
    """Base class of events; the game sets version and time."""

    version: int = field(default=0, kw_only=True)
    at: int = field(default=0, kw_only=True)


@dataclass(frozen=True, slots=True)
class ExternalEvent(Event):
    """An event outside the game, such as chat, which only takes a version number."""


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A move was made. `clock` is the player's time left after it, `None` if untimed."""

    seat: Colour
    move: Move
    clock: int | None
    lag: int = 0
    """The network delay that wasn't charged, in ms."""


@dataclass(frozen=True, slots=True)
class PlayerEliminated(Event):
    """A player is eliminated, and the others play on."""

    seat: Colour
    reason: Reason


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over; an aborted one has no winner and the reason `aborted`."""

    outcome: Outcome
    by: Colour | None = None
    """The player whose resignation, flag or absence ended it; `None` if not just one."""


@dataclass(frozen=True, slots=True)
class OfferEvent(Event):
    """An event of an offer."""

    kind: ClassVar[OfferKind]
    seat: Colour


@dataclass(frozen=True, slots=True)
class Offered(OfferEvent):
    """A player has made an offer to the other sides."""


@dataclass(frozen=True, slots=True)
class Accepted(OfferEvent):
    """A player has accepted for their side."""


@dataclass(frozen=True, slots=True)
class Declined(OfferEvent):
    """The offer was declined, answered by a move, or withdrawn."""


@dataclass(frozen=True, slots=True)
class DrawOffered(Offered):
    """A player has offered a draw."""

    kind = OfferKind.DRAW


@dataclass(frozen=True, slots=True)
class DrawAccepted(Accepted):
    """A side has accepted a draw; when the last one has, the game ends."""

    kind = OfferKind.DRAW


@dataclass(frozen=True, slots=True)
class DrawDeclined(Declined):
    """The draw offer was declined or withdrawn."""

    kind = OfferKind.DRAW


@dataclass(frozen=True, slots=True)
class TakebackAsked(Offered):
    """A player has asked for a take-back of their last move."""

    kind = OfferKind.TAKEBACK


@dataclass(frozen=True, slots=True)
class TakebackAccepted(Accepted):
    """A side has accepted the take-back; when the last one has, it is carried out."""

    kind = OfferKind.TAKEBACK


@dataclass(frozen=True, slots=True)
class TakebackDeclined(Declined):
    """The take-back was declined or withdrawn."""

    kind = OfferKind.TAKEBACK


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """The last `plies` plies were undone, and the clocks restored."""

    plies: int


@dataclass(frozen=True, slots=True)
class Disconnected(Event):
    """A player's connection was lost."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Reconnected(Event):
    """A player who was away is back."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The game continued after a time in which it was stopped for everybody."""

    lost: int
    """The stopped time in ms, which isn't charged."""
