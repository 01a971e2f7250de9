"""Frames: what the server sends over a WebSocket, one tagged struct a frame.

An event is encoded once for all readers. A reader's own fields (`mine`) are appended to it.
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


# Events of a game.


class EventBase(Struct, frozen=True, tag_field="type"):
    """An event of a game."""


class SeatEvent(EventBase, frozen=True):
    """Something about a seat."""

    seat: Colour


class Joined(SeatEvent, frozen=True, tag="joined"):
    """Somebody took a seat."""

    name: str


class Started(EventBase, frozen=True, tag="started"):
    """All seats are taken, and the clock runs."""


class Cancelled(EventBase, frozen=True, tag="cancelled"):
    """The game was called off before it started."""


class Moved(PlayedMove, frozen=True, tag_field="type", tag="moved"):
    """A move was made."""


class PlayerEliminated(SeatEvent, frozen=True, tag="left"):
    """A player was eliminated, and the others play on."""

    reason: EndReason


class Ended(EventBase, frozen=True, tag="ended"):
    """The game is over."""

    outcome: OutcomeView


class DrawOffered(SeatEvent, frozen=True, tag="draw_offered"):
    """A player has offered a draw."""


class DrawAccepted(SeatEvent, frozen=True, tag="draw_accepted"):
    """A side has agreed to a draw."""


class DrawDeclined(SeatEvent, frozen=True, tag="draw_declined"):
    """A draw was declined."""


class TakebackAsked(SeatEvent, frozen=True, tag="takeback_asked"):
    """A player has asked to take their last move back."""


class TakebackAccepted(SeatEvent, frozen=True, tag="takeback_accepted"):
    """A side has agreed to a take-back."""


class TakebackDeclined(SeatEvent, frozen=True, tag="takeback_declined"):
    """A take-back was declined."""


class TakenBack(EventBase, frozen=True, tag="taken_back"):
    """The last `plies` plies are undone."""

    plies: int


class Disconnected(SeatEvent, frozen=True, tag="went_away"):
    """A player has disconnected."""


class Reconnected(SeatEvent, frozen=True, tag="came_back"):
    """A player who was away has reconnected."""


class Resumed(EventBase, frozen=True, tag="resumed"):
    """The game resumed after an outage, whose time is charged to nobody."""

    lost: int


class RematchOffered(SeatEvent, frozen=True, tag="rematch_offered"):
    """A player has asked for a rematch."""


class Rematched(EventBase, frozen=True, tag="rematch"):
    """The rematch has been created."""

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
    """Anything the server sends."""


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
    """An event of the game; versions follow each other without a gap."""

    version: int
    event: GameEvent
    patch: Patch
    mine: Mine | UnsetType = UNSET


class PresenceFrame(FrameBase, frozen=True, tag="presence", kw_only=True):
    """Who is connected."""

    online: list[Colour]
    spectators: int
    mine: Mine | UnsetType = UNSET


class ThinkingFrame(FrameBase, frozen=True, tag="thinking"):
    """A computer has started to think, or has finished."""

    seat: Colour
    on: bool


class ChatFrame(FrameBase, frozen=True, tag="chat"):
    """A new chat line."""

    line: ChatLine


class AckFrame(FrameBase, frozen=True, tag="ack"):
    """A command was carried out and stored."""

    ref: str
    version: int


class ErrorFrame(FrameBase, frozen=True, tag="error"):
    """A message was refused: a code for programs, a message for people."""

    ref: str
    code: str
    message: str
    details: dict[str, Any] = {}


class WhyFrame(FrameBase, frozen=True, tag="why"):
    """Which rule forbids a move; no reason if it is legal."""

    ref: str
    message: str
    reason: str | None
    values: dict[str, str | int] = {}


class PongFrame(FrameBase, frozen=True, tag="pong"):
    """The answer to a client's ping."""

    sent: float
    at: int


class PingFrame(FrameBase, frozen=True, tag="ping"):
    """To be answered with a pong at once; the server measures the lag."""

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
    """Return a frame, or a part of one, as text."""
    return _ENCODER.encode(content).decode()


def with_mine(frame: str, mine: str) -> str:
    """Return an encoded frame with a reader's own fields appended."""
    return f'{frame[:-1]},"mine":{mine}}}'
