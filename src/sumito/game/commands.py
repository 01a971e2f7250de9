"""What players, and the server on their behalf, may ask of a game.

A command says who wants what; the game answers with events, or raises an error that says why not.
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
    """Anything that can be asked of a game."""


@dataclass(frozen=True, slots=True)
class SeatCommand(Command):
    """Asked by the player on a seat."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Play(SeatCommand):
    """Make a move. `lag` is how many ms it was on its way; the setup says how much is granted."""

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
    """Offer a draw to every other side; where one of them has offered it, accept it."""


@dataclass(frozen=True, slots=True)
class AcceptDraw(SeatCommand):
    """Agree to a draw for one's side."""


@dataclass(frozen=True, slots=True)
class DeclineDraw(SeatCommand):
    """Decline a draw, or withdraw the offer of one's own side."""


@dataclass(frozen=True, slots=True)
class AskTakeback(SeatCommand):
    """Ask every other side to let one take one's last move back."""


@dataclass(frozen=True, slots=True)
class AcceptTakeback(SeatCommand):
    """Agree to a take-back for one's side."""


@dataclass(frozen=True, slots=True)
class DeclineTakeback(SeatCommand):
    """Decline a take-back, or no longer ask for one's own."""


@dataclass(frozen=True, slots=True)
class Abort(SeatCommand):
    """Call the game off before each side has moved."""


class Award(
    Choice,
    error=InvalidCommandError,
    refusal=N_("one claims a win or a draw, not {text!r}"),
    code="award",
):
    """What one claims when the others are gone."""

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
    """The player's connection is gone. Presence is the server's knowledge, not the player's."""


@dataclass(frozen=True, slots=True)
class Reconnect(SeatCommand):
    """The player is back; every other command from an absent seat says so too."""


@dataclass(frozen=True, slots=True)
class Flag(Command):
    """Look at the clock. Anyone may ask at any time: only the clock decides."""


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """The server was away from `stopped_at` until now: that time is charged to nobody."""

    stopped_at: int

    def __post_init__(self) -> None:
        check_milliseconds("stopped_at", self.stopped_at, InvalidCommandError)
