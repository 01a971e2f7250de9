"""Bodies of HTTP requests: a new game, a seat, an account.

The types are the validation: a body that doesn't match is refused, with the place of the error.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sumito.game import clock
from sumito.protocol.scalars import Budget, Colour, Key, Mode, MoveIndex, Ms, Name, Preset, Word

_PLAIN = r"^[\w.-]+$(?!\n)"
"""In Python's patterns `$` also matches before a final line break; the lookahead forbids it."""
AccountName = Annotated[str, Meta(min_length=2, max_length=20, pattern=_PLAIN)]
MOST_MOVES: Final = 1200
"""The most moves of an uploaded game; it has to fit into a request."""
Password = Annotated[str, Meta(min_length=8, max_length=200)]


# Time controls.


class ControlMessage(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A time control."""


class NoClock(ControlMessage, frozen=True, tag="none"):
    """No time control."""

    def control(self) -> clock.Control:
        return clock.NoClock()


class SuddenDeath(ControlMessage, frozen=True, tag="sudden_death"):
    """A fixed time for the whole game."""

    ms: Budget

    def control(self) -> clock.Control:
        return clock.SuddenDeath(self.ms)


class Fischer(ControlMessage, frozen=True, tag="fischer"):
    """A time for the game, and an increment with each move."""

    ms: Budget
    increment_ms: Ms

    def control(self) -> clock.Control:
        return clock.Fischer(self.ms, self.increment_ms)


class Delay(ControlMessage, frozen=True, tag="delay"):
    """A time for the game; the first moments of each turn aren't charged."""

    ms: Budget
    delay_ms: Ms

    def control(self) -> clock.Control:
        return clock.Delay(self.ms, self.delay_ms)


Control = NoClock | SuddenDeath | Fischer | Delay


# A new game.


class SeatChoice(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """Who gets a seat of a new game."""


class SeatMe(SeatChoice, frozen=True, tag="me"):
    """The person who creates the game."""


class SeatHere(SeatChoice, frozen=True, tag="here"):
    """Somebody at the same device."""

    name: Name | None = None


class SeatOpen(SeatChoice, frozen=True, tag="open"):
    """An invited person."""


class SeatComputer(SeatChoice, frozen=True, tag="computer"):
    """The computer."""

    level: Word = "friendly"


Seating = SeatMe | SeatHere | SeatOpen | SeatComputer


class RuleOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A preset and what differs from it."""

    preset: Preset = "rulebook"
    win_at: Annotated[int, Meta(ge=1, le=14)] | UnsetType = UNSET
    repetition: Annotated[int, Meta(ge=2, le=100)] | UnsetType | None = UNSET
    ply_limit: Annotated[int, Meta(ge=1, le=100000)] | UnsetType | None = UNSET
    stuck: Word | UnsetType = UNSET
    partner_sidestep: Word | UnsetType = UNSET
    first: Word | UnsetType = UNSET
    leave_three: Word | UnsetType = UNSET
    leave_teams: Word | UnsetType = UNSET
    team_talk: Word | UnsetType = UNSET


class NewGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game to create."""

    mode: Mode = "two"
    layout: Word | None = None
    rules: Preset | RuleOptions = "rulebook"
    control: Control = NoClock()
    seats: dict[Colour, Seating] = {}
    rated: bool = False
    listed: bool = False
    takebacks: bool | None = None
    """Whether moves may be taken back if the others agree; by default if there is one person."""
    captured: Annotated[list[Annotated[int, Meta(ge=0, le=14)]], Meta(max_length=3)] | None = None
    win_at: Annotated[int, Meta(ge=1, le=14)] | None = None
    draw_lots: bool = False
    start: Annotated[str, Meta(max_length=200)] | None = None
    """A position to play on from, instead of a layout; such a game isn't rated."""


class PairingRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A search for an opponent at the standard layout with a clock."""

    control: Control = NoClock()
    rated: bool = False
    """The game is rated if both ask for it."""


# A game that was played in a page.


class Departure(Struct, frozen=True, forbid_unknown_fields=True):
    """One of three players resigned, and the others played on."""

    seat: Colour
    after: Annotated[int, Meta(ge=0, le=MOST_MOVES)]


class EndedBy(Struct, frozen=True, forbid_unknown_fields=True):
    """An end that doesn't follow from the moves."""

    reason: Literal["resigned", "flag", "agreed"]
    winner: Colour | None = None
    by: Colour | None = None
    """Who resigned."""


class FinishedGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished game that was played in a page, without the server."""

    ref: Annotated[str, Meta(min_length=1, max_length=64)]
    """The page's id of the game: uploaded twice, it is stored once."""
    game: NewGame
    moves: Annotated[list[MoveIndex], Meta(max_length=MOST_MOVES)]
    clocks: Annotated[list[Ms], Meta(max_length=MOST_MOVES)] = []
    """The mover's clock after each move in ms, if there were clocks."""
    left: Annotated[list[Departure], Meta(max_length=2)] = []
    ended: EndedBy | None = None
    begun_at: Annotated[int, Meta(ge=0)] = 0
    """When it began by the page's clock, in ms since 1970."""


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for an open seat."""

    seat: Colour | None = None
    key: Key | None = None
    name: Name | None = None


class AnalysisRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A position that the server's engine is to analyse."""

    position: Annotated[str, Meta(max_length=400)]
    """In any supported position format."""
    lines: Annotated[int, Meta(ge=1, le=5)] = 3


class PuzzleTry(Struct, frozen=True, forbid_unknown_fields=True):
    """A first try at a puzzle."""

    moves: Annotated[list[MoveIndex], Meta(max_length=40)]
    """The solver's moves against the solution's replies; none if they asked for help."""


TokenScope = Literal["play", "account"]


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to create."""

    scope: TokenScope = "play"
    """What it may do: play, chat and read games, or all that its owner may."""


class MePatch(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes of one's name or language."""

    name: Name | None = None
    language: Word | None = None


class LearnedSteps(Struct, frozen=True, forbid_unknown_fields=True):
    """Steps of the course that are done; without an account they are stored in the browser only."""

    steps: Annotated[list[Annotated[str, Meta(max_length=60)]], Meta(max_length=400)]


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a password, to sign up or in."""

    name: AccountName
    password: Password


class PasswordChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A new password, together with the old one."""

    old: Annotated[str, Meta(max_length=200)]
    new: Password


class Confirmation(Struct, frozen=True, forbid_unknown_fields=True):
    """The password again, to confirm what can't be undone."""

    password: Annotated[str, Meta(max_length=200)]
