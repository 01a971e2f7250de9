"""What goes over the wire, as msgspec structs: requests and commands in, games and lists out.

The types are the checks: what doesn't fit them is refused with the place where it doesn't. The
OpenAPI document is made from the same types.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, field

from sumito.game import clock
from sumito.game.clock import LONGEST

Ms = Annotated[int, Meta(ge=0, le=LONGEST)]
Budget = Annotated[int, Meta(ge=1, le=LONGEST)]
Word = Annotated[str, Meta(max_length=40)]
CellName = Annotated[str, Meta(min_length=2, max_length=2)]
Key = Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=30)]
AccountName = Annotated[str, Meta(min_length=2, max_length=20, pattern=r"^[\w.-]+$")]
Password = Annotated[str, Meta(min_length=8, max_length=200)]


# Time controls.


class ControlMessage(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A time control."""


class NoClock(ControlMessage, frozen=True, tag="none"):
    """Nobody counts the time."""

    def control(self) -> clock.Control:
        return clock.NoClock()


class SuddenDeath(ControlMessage, frozen=True, tag="sudden_death"):
    """So much time for the whole game."""

    ms: Budget

    def control(self) -> clock.Control:
        return clock.SuddenDeath(self.ms)


class Fischer(ControlMessage, frozen=True, tag="fischer"):
    """So much time, and some more with each move made."""

    ms: Budget
    increment_ms: Ms

    def control(self) -> clock.Control:
        return clock.Fischer(self.ms, self.increment_ms)


class Delay(ControlMessage, frozen=True, tag="delay"):
    """So much time, and the first moments of each turn aren't charged."""

    ms: Budget
    delay_ms: Ms

    def control(self) -> clock.Control:
        return clock.Delay(self.ms, self.delay_ms)


Control = NoClock | SuddenDeath | Fischer | Delay


# A new game.


class SeatWish(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """Who shall sit on a seat."""


class Me(SeatWish, frozen=True, tag="me"):
    """The one who makes the game."""


class Here(SeatWish, frozen=True, tag="here"):
    """Somebody at the same device."""

    name: Name | None = None


class Open(SeatWish, frozen=True, tag="open"):
    """Whoever is invited."""


class Computer(SeatWish, frozen=True, tag="computer"):
    """The computer."""

    level: Word = "friendly"


Wish = Me | Here | Open | Computer


class RuleOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A preset and what differs from it."""

    preset: Word = "tournament"
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
    """A game that somebody wants to play."""

    mode: Word = "two"
    layout: Word | None = None
    rules: Word | RuleOptions = "tournament"
    control: Control = NoClock()
    seats: dict[str, Wish] = {}
    rated: bool = False
    listed: bool = False
    captured: Annotated[list[Annotated[int, Meta(ge=0, le=14)]], Meta(max_length=3)] | None = None
    win_at: Annotated[int, Meta(ge=1, le=14)] | None = None
    draw_lots: bool = False


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody takes an open seat."""

    seat: Word | None = None
    key: Key | None = None
    name: Name | None = None


class MePatch(Struct, frozen=True, forbid_unknown_fields=True):
    """What one changes about oneself."""

    name: Name | None = None
    language: Word | None = None


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a password, to sign up or in."""

    name: AccountName
    password: Password


# Commands to a game, over HTTP and WebSocket alike.


class CommandMessage(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Anything a client may ask; the same `ref` twice is done once."""

    ref: Annotated[str, Meta(max_length=64, pattern=r"^[ -~]*$")] = ""


class SeatMessage(CommandMessage, frozen=True, kw_only=True):
    """A command for a seat."""

    seat: Word


class Play(SeatMessage, frozen=True, tag="play", kw_only=True):
    """Make a move, the ply being the number of the move one thinks it is."""

    ply: int
    move: Word
    lag: Ms = 0


class Resign(SeatMessage, frozen=True, tag="resign"):
    """Give up."""


class OfferDraw(SeatMessage, frozen=True, tag="offer_draw"):
    """Offer a draw."""


class AcceptDraw(SeatMessage, frozen=True, tag="accept_draw"):
    """Agree to a draw."""


class DeclineDraw(SeatMessage, frozen=True, tag="decline_draw"):
    """Decline a draw."""


class AskTakeback(SeatMessage, frozen=True, tag="ask_takeback"):
    """Ask to take one's last move back."""


class AcceptTakeback(SeatMessage, frozen=True, tag="accept_takeback"):
    """Let the other take the move back."""


class DeclineTakeback(SeatMessage, frozen=True, tag="decline_takeback"):
    """The move stands."""


class Abort(SeatMessage, frozen=True, tag="abort"):
    """Call the game off before each side has moved."""


class Claim(SeatMessage, frozen=True, tag="claim", kw_only=True):
    """Claim a game whose other players are gone."""

    result: Word = "win"


class Rematch(SeatMessage, frozen=True, tag="rematch"):
    """Ask for another game with the colours swapped."""


class Flag(CommandMessage, frozen=True, tag="flag", kw_only=True):
    """Ask the server to look at the clock."""

    seat: Word | None = None


class Chat(CommandMessage, frozen=True, tag="chat", kw_only=True):
    """Say something, in one's own words or one of the preset ones."""

    seat: Word | None = None
    text: Annotated[str, Meta(min_length=1, max_length=300)] | None = None
    preset: Word | None = None


Command = (
    Play
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | AskTakeback
    | AcceptTakeback
    | DeclineTakeback
    | Abort
    | Claim
    | Rematch
    | Flag
    | Chat
)


# What only a WebSocket hears.


class Hello(CommandMessage, frozen=True, tag="hello", kw_only=True):
    """The first message: up to which version the client knows the game."""

    since: int | None = None
    key: Key | None = None


class Why(CommandMessage, frozen=True, tag="why", kw_only=True):
    """Why can't these marbles go there?"""

    seat: Word | None = None
    cells: Annotated[list[CellName], Meta(min_length=1, max_length=9)]
    direction: Word


class Ping(CommandMessage, frozen=True, tag="ping", kw_only=True):
    """Is anyone there?"""

    sent: float = 0


Heard = Command | Hello | Why | Ping


# A game as clients see it.


class EffectView(Struct, frozen=True):
    """A move and what it does."""

    move: str
    direction: str
    moved: list[str]
    pushed: list[str]
    ejected: str | None


class MovedView(EffectView, frozen=True):
    """A move that was made."""

    ply: int
    seat: str
    nacre: str
    clock: int | None


class SeatView(Struct, frozen=True):
    """A seat and who sits there."""

    colour: str
    kind: str
    name: str
    level: str | None = None
    online: bool = False
    you: bool = False
    out: bool = False
    rating: int | None = None


class SeatSummary(Struct, frozen=True):
    """A seat in a list of games."""

    colour: str
    kind: str
    name: str
    level: str | None = None


class OutcomeView(Struct, frozen=True):
    """How a game ended; no winner is a draw, or a game called off."""

    winner: str | None
    reason: str


class ChatLine(Struct, frozen=True, omit_defaults=True):
    """What somebody said."""

    sender: str = field(name="from")
    at: int = 0
    text: str | None = None
    preset: str | None = None


class GameView(Struct, frozen=True, kw_only=True):
    """All there is to know about a game; `you` differs from reader to reader."""

    id: str
    mode: str
    layout: str
    rules: dict[str, Any]
    control: Control
    rated: bool
    listed: bool
    created_at: int
    status: str
    seats: list[SeatView]
    start: str
    position: str
    turn: str | None
    captured: list[int]
    ply: int
    moves: list[MovedView]
    legal: list[EffectView]
    clocks: dict[str, int] | None
    running: str | None
    at: int
    offers: dict[str, list[str]]
    outcome: OutcomeView | None
    claimable: list[str]
    rematch: str | None
    spectators: int
    chat: list[ChatLine]
    version: int
    you: list[str]


class Summary(Struct, frozen=True, kw_only=True):
    """A game in a list."""

    id: str
    mode: str
    layout: str
    control: Control
    rated: bool
    status: str
    seats: list[SeatSummary]
    position: str
    moves: int
    outcome: OutcomeView | None
    created_at: int


class Created(Struct, frozen=True):
    """A new game, and the links for its open seats; only its maker sees them."""

    game: GameView
    invitations: dict[str, str]


class Invitations(Struct, frozen=True):
    """The links for the open seats."""

    invitations: dict[str, str]


class Lobby(Struct, frozen=True):
    """Open games."""

    games: list[Summary]


class GameList(Struct, frozen=True):
    """A page of games; `next` is the cursor of the page after it."""

    games: list[Summary]
    next: str | None = None


class Acknowledged(Struct, frozen=True):
    """Done, and stored."""

    version: int


class RatingView(Struct, frozen=True):
    """How strong somebody is in a mode."""

    rating: int
    games: int


class AccountView(Struct, frozen=True):
    """An account as its owner sees it."""

    name: str
    ratings: dict[str, RatingView]


class MeView(Struct, frozen=True):
    """Who the server thinks one is."""

    id: str
    name: str
    account: AccountView | None
    language: str


class TokenView(Struct, frozen=True):
    """A bot's token, shown this once."""

    token: str


class RatingPoint(Struct, frozen=True):
    """A rating after a game."""

    at: int
    rating: int
    game: str


class Profile(Struct, frozen=True):
    """What everybody may know of an account."""

    name: str
    since: int
    ratings: dict[str, RatingView]
    history: dict[str, list[RatingPoint]]
    games: list[Summary]


class Ranked(Struct, frozen=True):
    """A line of the leaderboard."""

    name: str
    rating: int
    games: int


class Leaderboard(Struct, frozen=True):
    """The best of a mode."""

    mode: str
    players: list[Ranked]


class LayoutView(Struct, frozen=True):
    """A start position."""

    id: str
    name: str
    fair: bool
    position: str


class LevelView(Struct, frozen=True):
    """A strength of the computer."""

    id: str
    name: str
    number: int


class ErrorBody(Struct, frozen=True):
    """What is wrong: for programs, for people, and where."""

    code: str
    message: str
    details: dict[str, Any] = {}


class ErrorView(Struct, frozen=True):
    """The answer to a request that wasn't done."""

    error: ErrorBody
