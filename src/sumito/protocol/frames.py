"""What the server says over a WebSocket: one tagged struct a frame.

An event is written once for all who read it. What is each reader's own (`mine`) is put at its end
for those whom it concerns.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Encoder

from sumito.protocol.scalars import Ability, Colour, PackedMoves, Status
from sumito.protocol.views import (
    ChatLine,
    EndReason,
    Offers,
    OutcomeView,
    PlayedMove,
    SeatView,
    Snapshot,
    Summary,
)

_ENCODER = Encoder()


# What happens in a game.


class Happening(Struct, frozen=True, tag_field="type"):
    """An event of a game."""


class SeatHappening(Happening, frozen=True):
    """Something about a seat."""

    seat: Colour


class Joined(SeatHappening, frozen=True, tag="joined"):
    """Somebody took a seat."""

    name: str


class Started(Happening, frozen=True, tag="started"):
    """All seats are taken, and the clock runs."""


class Cancelled(Happening, frozen=True, tag="cancelled"):
    """The game was called off before it started."""


class Moved(PlayedMove, frozen=True, tag_field="type", tag="moved"):
    """A move was made."""


class PlayerEliminated(SeatHappening, frozen=True, tag="left"):
    """A player is out, and the others play on."""

    reason: EndReason


class Ended(Happening, frozen=True, tag="ended"):
    """The game is over."""

    outcome: OutcomeView


class DrawOffered(SeatHappening, frozen=True, tag="draw_offered"):
    """A player has offered a draw."""


class DrawAccepted(SeatHappening, frozen=True, tag="draw_accepted"):
    """A side has agreed to a draw."""


class DrawDeclined(SeatHappening, frozen=True, tag="draw_declined"):
    """No draw this time."""


class TakebackAsked(SeatHappening, frozen=True, tag="takeback_asked"):
    """A player would like to take their last move back."""


class TakebackAccepted(SeatHappening, frozen=True, tag="takeback_accepted"):
    """A side lets the player take the move back."""


class TakebackDeclined(SeatHappening, frozen=True, tag="takeback_declined"):
    """The move stands."""


class TakenBack(Happening, frozen=True, tag="taken_back"):
    """The last `plies` plies are undone."""

    plies: int


class Disconnected(SeatHappening, frozen=True, tag="went_away"):
    """A player's connection is gone."""


class Reconnected(SeatHappening, frozen=True, tag="came_back"):
    """A player who was away is there again."""


class Resumed(Happening, frozen=True, tag="resumed"):
    """The game went on after a time that counts for nobody."""

    lost: int


class RematchOffered(SeatHappening, frozen=True, tag="rematch_offered"):
    """A player would like another game."""


class Rematched(Happening, frozen=True, tag="rematch"):
    """There is another game."""

    id: str


GameEvent = (
    Joined
    | Started
    | Cancelled
    | Moved
    | PlayerEliminated
    | Ended
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | TakebackAsked
    | TakebackAccepted
    | TakebackDeclined
    | TakenBack
    | Disconnected
    | Reconnected
    | Resumed
    | RematchOffered
    | Rematched
)


# Frames.


class FrameBase(Struct, frozen=True, tag_field="type"):
    """Anything the server says."""


class StateFrame(FrameBase, frozen=True, tag="state"):
    """The whole game."""

    game: Snapshot


class Patch(Struct, frozen=True, kw_only=True):
    """The fields of a snapshot that an event has changed."""

    status: Status | UnsetType = UNSET
    turn: Colour | UnsetType | None = UNSET
    ply: int | UnsetType = UNSET
    captured: list[int] | UnsetType = UNSET
    clocks: dict[Colour, int] | UnsetType | None = UNSET
    delay_left: int | UnsetType = UNSET
    offers: Offers | UnsetType = UNSET
    outcome: OutcomeView | UnsetType | None = UNSET
    seats: list[SeatView] | UnsetType = UNSET
    rematch: str | UnsetType | None = UNSET


class Mine(Struct, frozen=True, kw_only=True):
    """The fields of a snapshot that are the reader's own, as far as they have changed."""

    you: list[Colour] | UnsetType = UNSET
    can: list[Ability] | UnsetType = UNSET
    legal: PackedMoves | UnsetType = UNSET


class EventFrame(FrameBase, frozen=True, tag="event", kw_only=True):
    """The game went on: versions follow each other without a gap."""

    version: int
    event: GameEvent
    patch: Patch
    mine: Mine | UnsetType = UNSET


class PresenceFrame(FrameBase, frozen=True, tag="presence", kw_only=True):
    """Who is there."""

    online: list[Colour]
    spectators: int
    mine: Mine | UnsetType = UNSET


class ThinkingFrame(FrameBase, frozen=True, tag="thinking"):
    """A computer begins to think, or has done."""

    seat: Colour
    on: bool


class ChatFrame(FrameBase, frozen=True, tag="chat"):
    """Somebody said something."""

    line: ChatLine


class AckFrame(FrameBase, frozen=True, tag="ack"):
    """A command is done, and stored."""

    ref: str
    version: int


class ErrorFrame(FrameBase, frozen=True, tag="error"):
    """A message wasn't obeyed: why, for programs and for people."""

    ref: str
    code: str
    message: str
    details: dict[str, Any] = {}


class WhyFrame(FrameBase, frozen=True, tag="why"):
    """Why a row can't go where somebody tried to move it; no reason if it can."""

    ref: str
    message: str
    reason: str | None
    values: dict[str, str | int] = {}


class PongFrame(FrameBase, frozen=True, tag="pong"):
    """The answer to a client's ping."""

    sent: float
    at: int


class PingFrame(FrameBase, frozen=True, tag="ping"):
    """To be answered with a pong at once: so long is the way."""

    sent: int


class LobbyFrame(FrameBase, frozen=True, tag="lobby"):
    """Open games, for those who are in the lobby."""

    games: list[Summary]


Frame = (
    StateFrame
    | EventFrame
    | PresenceFrame
    | ThinkingFrame
    | ChatFrame
    | AckFrame
    | ErrorFrame
    | WhyFrame
    | PongFrame
    | PingFrame
    | LobbyFrame
)


def encode(content: Any) -> str:
    """A frame, or a part of one, as text."""
    return _ENCODER.encode(content).decode()


def with_mine(frame: str, mine: str) -> str:
    """A frame that was written for everybody, with what is one reader's own at its end."""
    return f'{frame[:-1]},"mine":{mine}}}'
