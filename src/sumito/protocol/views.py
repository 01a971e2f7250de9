"""What is answered: games whole and in lists, people, what there is to choose from."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

from msgspec import Struct

from sumito.protocol.requests import Control, TokenScope
from sumito.protocol.scalars import (
    Ability,
    Colour,
    Mode,
    MoveIndex,
    PackedMoves,
    Phrase,
    Preset,
    Status,
)

Links = dict[Colour | Literal["any"], str]
"""Where to send people for an open seat, or for any of them."""
SeatKind = Literal["person", "computer", "open"]
EndReason = Literal[
    "ejected",
    "no-move",
    "repetition",
    "ply-limit",
    "last-in",
    "resigned",
    "flag",
    "abandoned",
    "agreed",
    "aborted",
]

END_REASONS: Final = get_args(EndReason)


class PlayedMove(Struct, frozen=True):
    """A move that was made, and what it did: the rear or lower end of `moved` comes first."""

    ply: int
    seat: Colour
    move: MoveIndex
    moved: list[str]
    pushed: list[str]
    ejected: Colour | None
    nacre: str
    clock: int | None
    """What the player has left after it, in ms; null without a clock."""


class SeatView(Struct, frozen=True):
    """A seat and who sits there."""

    colour: Colour
    kind: SeatKind
    name: str
    level: str | None = None
    rating: int | None = None
    online: bool = False
    out: bool = False
    guest: bool = False
    """A person whose name is no account's: they chose it, and another may wear it too."""


class SeatSummary(Struct, frozen=True):
    """A seat in a list of games."""

    colour: Colour
    kind: SeatKind
    name: str
    level: str | None = None
    rating: int | None = None
    guest: bool = False
    """As in a game's seats."""


class OutcomeView(Struct, frozen=True):
    """How a game ended; no winner is a draw, or a game called off."""

    winner: Colour | None
    reason: EndReason
    by: Colour | None = None
    """Whose resignation, flag or absence ended it, if a single player's did and it is known."""


class ChatLine(Struct, frozen=True):
    """What somebody said; `sender` is a colour or a spectator's name."""

    id: int
    sender: str
    at: int
    text: str | None = None
    phrase: Phrase | None = None


class Offers(Struct, frozen=True):
    """Who has proposed what, and which other sides have agreed, by their first colours."""

    draw: list[Colour] = []
    takeback: list[Colour] = []
    rematch: list[Colour] = []
    draw_agreed: list[Colour] = []
    takeback_agreed: list[Colour] = []


class RulesView(Struct, frozen=True, kw_only=True):
    """The rules of a game: a preset, and every option as it is in force."""

    preset: Preset
    win_at: int
    repetition: int | None
    ply_limit: int | None
    stuck: str
    partner_sidestep: str
    first: Colour
    leave_three: str
    leave_teams: str
    team_talk: str


class Snapshot(Struct, frozen=True, kw_only=True):
    """All there is to know about a game at one version; the last three are the reader's own."""

    id: str
    mode: Mode
    sides: list[list[Colour]]
    """Who plays together, the sides in the order of `captured`."""
    layout: str
    rules: RulesView
    control: Control
    rated: bool
    listed: bool
    takebacks: bool
    created_at: int
    status: Status
    seats: list[SeatView]
    start: str
    position: str
    turn: Colour | None
    """Null unless the game is on."""
    captured: list[int]
    ply: int
    moves: list[PlayedMove]
    clocks: dict[Colour, int] | None
    """What each has left at `at`; the clock of the player to move runs."""
    delay_left: int
    """How many milliseconds of the turn aren't charged any more from `at` on."""
    at: int
    offers: Offers
    outcome: OutcomeView | None
    rematch: str | None
    spectators: int
    chat: list[ChatLine]
    version: int
    you: list[Colour]
    can: list[Ability]
    legal: PackedMoves
    """The legal moves if it is the reader's turn."""


class Summary(Struct, frozen=True, kw_only=True):
    """A game in a list."""

    id: str
    mode: Mode
    layout: str
    control: Control
    rated: bool
    status: Status
    seats: list[SeatSummary]
    position: str
    moves: int
    outcome: OutcomeView | None
    created_at: int
    imported: bool = False
    """A game of a record from elsewhere: it can be had as a record only."""


class OpeningMove(Struct, frozen=True, kw_only=True):
    """A move that was played in a position, and how its games went."""

    move: str
    """Its Aba-Pro name, as the position was asked for."""
    games: int
    wins: list[int]
    """By side, in the order of the position's captured counts."""
    draws: int
    rating: int | None
    """The average of the players."""
    last_at: int
    """When it was last played; 0 if a record didn't say."""
    last_game: str
    last_players: list[str]


class Openings(Struct, frozen=True):
    """What was played in a position, the most frequent first; symmetric positions are one."""

    position: str
    games: int
    moves: list[OpeningMove]


class EngineLine(Struct, frozen=True, kw_only=True):
    """A move with its score and the play that the engine expects."""

    move: str
    score: int
    """For the player to move, in hundredths of a marble."""
    win_in: int | None
    """Plies to a certain win, negative to a certain loss."""
    depth: int
    nodes: int
    ms: int
    pv: list[str]


class EngineLines(Struct, frozen=True):
    """The best moves as far as the engine has looked, the best first."""

    lines: list[EngineLine]


class Paired(Struct, frozen=True):
    """The game that somebody who looked for an opponent plays, or waits in."""

    id: str
    status: Status
    rated: bool


class Kept(Struct, frozen=True):
    """A game that was handed over and stored."""

    id: str


class Created(Struct, frozen=True):
    """A new game, and the links for its open seats; only its maker sees them."""

    game: Snapshot
    invitations: Links


class Invitations(Struct, frozen=True):
    """The links for the open seats."""

    invitations: Links


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
    ratings: dict[Mode, RatingView]


class MeView(Struct, frozen=True):
    """Who the server thinks one is."""

    id: str
    name: str
    account: AccountView | None
    language: str


class LearnedView(Struct, frozen=True):
    """The steps of the course that are done, on any device."""

    steps: list[str]


class TokenView(Struct, frozen=True):
    """A bot's token, shown this once."""

    token: str
    scope: TokenScope
    """What it may do: play, chat and read games, or all that its owner may."""


class SessionView(Struct, frozen=True):
    """A browser in which one is signed in; `here` is this one."""

    agent: str
    created_at: int
    seen_at: int
    here: bool


class RatingPoint(Struct, frozen=True):
    """A rating after a game."""

    at: int
    rating: int
    game: str


class Profile(Struct, frozen=True):
    """What everybody may know of an account."""

    name: str
    since: int
    ratings: dict[Mode, RatingView]
    history: dict[Mode, list[RatingPoint]]
    games: list[Summary]


class Ranked(Struct, frozen=True):
    """A line of the leaderboard."""

    name: str
    rating: int
    games: int


class Leaderboard(Struct, frozen=True):
    """The best of a mode."""

    mode: Mode
    players: list[Ranked]


class PuzzleStanding(Struct, frozen=True, kw_only=True):
    """How somebody fares with puzzles, and what one of them is rated by those who tried it."""

    rating: int
    tries: int
    solved: int
    puzzle_rating: int | None = None
    """Of the puzzle just tried."""
    counted: bool = True
    """Only the first try of a puzzle counts."""


class PuzzleRatings(Struct, frozen=True):
    """The ratings of the puzzles that people have tried; the others are as they were shipped."""

    ratings: dict[str, int]


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


class ModeChoice(Struct, frozen=True):
    """A way to play: the colours in the order in which they move, and who plays together."""

    id: Mode
    colours: list[Colour]
    sides: list[list[Colour]]


class Choices(Struct, frozen=True):
    """What one can choose from when making a game, and say without typing."""

    modes: list[ModeChoice]
    presets: list[RulesView]
    levels: list[LevelView]
    phrases: list[Phrase]
    analysis_ms: int
    """How long the server's engine looks at a position; 0: it doesn't."""


class ErrorBody(Struct, frozen=True):
    """What is wrong: for programs, for people, and where."""

    code: str
    message: str
    details: dict[str, Any] = {}


class ErrorAnswer(Struct, frozen=True):
    """The answer to a request that wasn't done."""

    error: ErrorBody


class Health(Struct, frozen=True):
    """The server and its database are well."""

    status: str


# What is kept about somebody.


class ModePoint(Struct, frozen=True):
    """A rating after a game, and in which mode."""

    mode: str
    at: int
    rating: int
    game: str


class SaidLine(Struct, frozen=True):
    """A line of chat as it is kept."""

    game: str
    at: int
    line: str


class PersonalData(Struct, frozen=True):
    """All that is kept about a person; the moves of their games are in the records."""

    id: str
    name: str
    account: str | None
    language: str | None
    created_at: int
    sessions: list[SessionView]
    ratings: dict[Mode, RatingView]
    rating_history: list[ModePoint]
    games: list[Summary]
    chat: list[SaidLine]
    learned: list[str]
