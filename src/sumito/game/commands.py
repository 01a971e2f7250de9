"""The commands of a game, from players and from the server.

`Game.apply` answers a command with events, or raises a `CommandError` with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from sumito.choice import Choice
from sumito.errors import InvalidCommandError
from sumito.i18n.messages import N_
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.validate import check_milliseconds, parsed


@dataclass(frozen=True, slots=True)
class Command:
    """Base class of commands."""


@dataclass(frozen=True, slots=True)
class SeatCommand(Command):
    """A command of the player on a seat."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Play(SeatCommand):
    """Make a move. `lag` is its network delay in ms; the setup limits the compensation."""

    move: Move
    lag: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "move", parsed("move", self.move, Move))
        check_milliseconds("lag", self.lag, InvalidCommandError)


@dataclass(frozen=True, slots=True)
class Resign(SeatCommand):
    """Give up."""


@dataclass(frozen=True, slots=True)
class OfferDraw(SeatCommand):
    """Offer a draw to every other side, or accept the offer of one of them."""


@dataclass(frozen=True, slots=True)
class AcceptDraw(SeatCommand):
    """Accept a draw for the player's side."""


@dataclass(frozen=True, slots=True)
class DeclineDraw(SeatCommand):
    """Decline a draw, or withdraw the side's own offer."""


@dataclass(frozen=True, slots=True)
class AskTakeback(SeatCommand):
    """Ask every other side for a take-back of the player's last move."""


@dataclass(frozen=True, slots=True)
class AcceptTakeback(SeatCommand):
    """Accept a take-back for the player's side."""


@dataclass(frozen=True, slots=True)
class DeclineTakeback(SeatCommand):
    """Decline a take-back, or withdraw the side's own request."""


@dataclass(frozen=True, slots=True)
class Abort(SeatCommand):
    """Abort the game before each side has moved."""


class Award(
    Choice,
    error=InvalidCommandError,
    refusal=N_("one claims a win or a draw, not {text!r}"),
    code="award",
):
    """What a player claims when the opponents are away."""

    WIN = "win"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Claim(SeatCommand):
    """Claim the game from opponents who have been away for longer than the grace period."""

    award: Award = Award.WIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "award", Award(self.award))


@dataclass(frozen=True, slots=True)
class Disconnect(SeatCommand):
    """Report that the player's connection was lost; sent by the server."""


@dataclass(frozen=True, slots=True)
class Reconnect(SeatCommand):
    """Report that the player is back, as any other command of an absent seat does."""


@dataclass(frozen=True, slots=True)
class Flag(Command):
    """Check the clock and end the turn if the flag has fallen; anyone may ask at any time."""


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Report that the server was down from `stopped_at` until now; that time isn't charged."""

    stopped_at: int

    def __post_init__(self) -> None:
        check_milliseconds("stopped_at", self.stopped_at, InvalidCommandError)
