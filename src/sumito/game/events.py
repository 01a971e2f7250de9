"""What happens in a game, one frozen value each.

The events of a game, in order, are its whole story: `Game.replay` makes the game of them again.
Their versions count 1, 2, 3 …, so a client that missed some knows which; `at` is when it happened.
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
    """What one player can propose to the others."""

    DRAW = "draw"
    TAKEBACK = "take-back"

    @property
    def label(self) -> str:
        """The name as a template, to be translated."""
        return N_("draw") if self is OfferKind.DRAW else N_("take-back")


@dataclass(frozen=True, slots=True)
class Event:
    """Anything that happens; the game stamps version and time on it."""

    version: int = field(default=0, kw_only=True)
    at: int = field(default=0, kw_only=True)


@dataclass(frozen=True, slots=True)
class ExternalEvent(Event):
    """Something around the game that it only counts, so that its story has one numbering."""


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A move was made. `clock` is what the player has left after it, None without a clock."""

    seat: Colour
    move: Move
    clock: int | None
    lag: int = 0
    """The part of the turn that wasn't charged because the move was on its way."""


@dataclass(frozen=True, slots=True)
class PlayerEliminated(Event):
    """A player is out, and the others play on."""

    seat: Colour
    reason: Reason


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over; an aborted one has no winner and the reason `aborted`."""

    outcome: Outcome
    by: Colour | None = None
    """Whose resignation, flag or absence ended it; None if no single player's did."""


@dataclass(frozen=True, slots=True)
class OfferEvent(Event):
    """Something about an offer."""

    kind: ClassVar[OfferKind]
    seat: Colour


@dataclass(frozen=True, slots=True)
class Offered(OfferEvent):
    """A player has proposed something to the other sides."""


@dataclass(frozen=True, slots=True)
class Accepted(OfferEvent):
    """A player has agreed for their side."""


@dataclass(frozen=True, slots=True)
class Declined(OfferEvent):
    """The offer is gone: somebody declined it or moved on, or the offering side withdrew it."""


@dataclass(frozen=True, slots=True)
class DrawOffered(Offered):
    """A player has offered a draw."""

    kind = OfferKind.DRAW


@dataclass(frozen=True, slots=True)
class DrawAccepted(Accepted):
    """A side has agreed to a draw; when the last one has, the game ends."""

    kind = OfferKind.DRAW


@dataclass(frozen=True, slots=True)
class DrawDeclined(Declined):
    """No draw this time."""

    kind = OfferKind.DRAW


@dataclass(frozen=True, slots=True)
class TakebackAsked(Offered):
    """A player would like to take their last move back."""

    kind = OfferKind.TAKEBACK


@dataclass(frozen=True, slots=True)
class TakebackAccepted(Accepted):
    """A side lets the player take the move back; when the last one has, it is done."""

    kind = OfferKind.TAKEBACK


@dataclass(frozen=True, slots=True)
class TakebackDeclined(Declined):
    """The move stands."""

    kind = OfferKind.TAKEBACK


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """The last `plies` plies are undone; the clocks show what they showed before them."""

    plies: int


@dataclass(frozen=True, slots=True)
class Disconnected(Event):
    """A player's connection is gone."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Reconnected(Event):
    """A player who was away is there again."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The game went on after a time in which it stood still for everybody."""

    lost: int
    """Some milliseconds are charged to nobody."""
