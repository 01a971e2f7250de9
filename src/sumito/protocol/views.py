"""Views: what the server answers, of games, people and choices."""

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
"""The invitation link of each open seat, and one for any of them."""
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
    """A person without an account, whose name is not reserved for them."""


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
    """A chat line; `sender` is a colour or a spectator's name."""

    id: int
    sender: str
    at: int
    text: str | None = None
    phrase: Phrase | None = None


class Offers(Struct, frozen=True):
    """Open offers: who has made them, and which other sides have agreed, by first colour."""

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
    """A whole game at one version; the last three fields are the reader's own."""

    id: str
    mode: Mode
    sides: list[list[Colour]]
    """The colours of each side, in the order of `captured`."""
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
    """How many milliseconds of the turn are still not charged from `at` on."""
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
    """Whether the game was imported: then it is available as a record only."""


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
    """The best moves at a depth, the best first."""

    lines: list[EngineLine]


class PairingResult(Struct, frozen=True):
    """The game that pairing has found, or in which one waits."""

    id: str
    status: Status
    rated: bool


class SavedGame(Struct, frozen=True):
    """An uploaded game that is stored."""

    id: str


class Created(Struct, frozen=True):
    """A new game, and the links of its open seats, for its creator only."""

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
    """A command was carried out and stored."""

    version: int


class RatingView(Struct, frozen=True):
    """A rating in a mode."""

    rating: int
    games: int


class AccountView(Struct, frozen=True):
    """An account as its owner sees it."""

    name: str
    ratings: dict[Mode, RatingView]


class MeView(Struct, frozen=True):
    """The person who asks."""

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
    """The public profile of an account."""

    name: str
    since: int
    ratings: dict[Mode, RatingView]
    history: dict[Mode, list[RatingPoint]]
    games: list[Summary]


class LeaderboardEntry(Struct, frozen=True):
    """A line of the leaderboard."""

    name: str
    rating: int
    games: int


class Leaderboard(Struct, frozen=True):
    """The leaderboard of a mode."""

    mode: Mode
    players: list[LeaderboardEntry]


class PuzzleStanding(Struct, frozen=True, kw_only=True):
    """A person's puzzle rating and results, and the rating of the puzzle just tried."""

    rating: int
    tries: int
    solved: int
    puzzle_rating: int | None = None
    """Of the puzzle just tried."""
    counted: bool = True
    """Only the first try of a puzzle counts."""


class PuzzleRatings(Struct, frozen=True):
    """The ratings of the puzzles that were tried; the others have their first ratings."""

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
    """The choices for a new game, and the chat phrases."""

    modes: list[ModeChoice]
    presets: list[RulesView]
    levels: list[LevelView]
    phrases: list[Phrase]
    analysis_ms: int
    """How long the server's engine analyses a position, in ms; 0: it doesn't."""


class ErrorBody(Struct, frozen=True):
    """A refusal: a code for programs, a message for people, and details."""

    code: str
    message: str
    details: dict[str, Any] = {}


class ErrorAnswer(Struct, frozen=True):
    """The body of a refused request."""

    error: ErrorBody


class Health(Struct, frozen=True):
    """The server and its database are well."""

    status: str


# Personal data.


class ModePoint(Struct, frozen=True):
    """A rating after a game, and in which mode."""

    mode: str
    at: int
    rating: int
    game: str


class StoredChatLine(Struct, frozen=True):
    """A chat line as it is stored."""

    game: str
    at: int
    line: str


class PersonalData(Struct, frozen=True):
    """All data that is stored about a person; the moves of their games are in the records."""

    id: str
    name: str
    account: str | None
    language: str | None
    created_at: int
    sessions: list[SessionView]
    ratings: dict[Mode, RatingView]
    rating_history: list[ModePoint]
    games: list[Summary]
    chat: list[StoredChatLine]
    learned: list[str]
