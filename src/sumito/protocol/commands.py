"""Messages of clients: commands over HTTP and WebSocket, and messages of WebSockets only."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from sumito.protocol.scalars import CellName, ChatNumber, Colour, MoveIndex, Phrase

PROTOCOL: Final = 1
"""The version of the WebSocket protocol; a page of another version has to be reloaded."""

MOST_COUNTED: Final = 2**31 - 1
"""The highest version of a game and id of a chat line that the database can hold."""


class CommandMessage(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A message of a client; a repeated `ref` is acknowledged, not carried out again."""

    ref: Annotated[str, Meta(max_length=64, pattern=r"^[ -~]*$")] = ""


class SeatMessage(CommandMessage, frozen=True, kw_only=True):
    """A command for a seat; unless given, the sender's seat to move, or their first."""

    seat: Colour | None = None


class AnswerMessage(SeatMessage, frozen=True, kw_only=True):
    """An answer to an offer of another side."""


class Play(SeatMessage, frozen=True, tag="play", kw_only=True):
    """Make a move; refused if the game is not at this ply."""

    ply: int
    move: MoveIndex


class Resign(SeatMessage, frozen=True, tag="resign"):
    """Resign."""


class OfferDraw(SeatMessage, frozen=True, tag="offer_draw"):
    """Offer a draw."""


class AcceptDraw(AnswerMessage, frozen=True, tag="accept_draw"):
    """Agree to a draw."""


class DeclineDraw(AnswerMessage, frozen=True, tag="decline_draw"):
    """Decline a draw."""


class AskTakeback(SeatMessage, frozen=True, tag="ask_takeback"):
    """Ask to take one's last move back."""


class AcceptTakeback(AnswerMessage, frozen=True, tag="accept_takeback"):
    """Agree to a take-back."""


class DeclineTakeback(AnswerMessage, frozen=True, tag="decline_takeback"):
    """Decline a take-back."""


class Abort(SeatMessage, frozen=True, tag="abort"):
    """Abort the game before each side has moved."""


class Claim(SeatMessage, frozen=True, tag="claim", kw_only=True):
    """Claim a game whose other players have been away too long."""

    result: Literal["win", "draw"] = "win"


class Rematch(SeatMessage, frozen=True, tag="rematch"):
    """Ask for another game with the colours swapped."""


class Flag(CommandMessage, frozen=True, tag="flag", kw_only=True):
    """Ask the server to check the clock; any player may."""


class Chat(SeatMessage, frozen=True, tag="chat", kw_only=True):
    """Send a chat line: a text, or one of the phrases."""

    text: Annotated[str, Meta(min_length=1, max_length=300)] | None = None
    phrase: Phrase | None = None


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


# Messages of WebSockets only.


class Hello(CommandMessage, frozen=True, tag="hello", kw_only=True):
    """The first message: which events and chat lines the client has."""

    since: Annotated[int, Meta(ge=-MOST_COUNTED, le=MOST_COUNTED)] | None = None
    heard: ChatNumber = 0
    """The id of the last chat line that the client has."""
    protocol: int = PROTOCOL
    """The version the client speaks."""


class Why(CommandMessage, frozen=True, tag="why", kw_only=True):
    """Ask which rule forbids these marbles to move in a direction."""

    cells: Annotated[list[CellName], Meta(min_length=1, max_length=9)]
    direction: Literal["E", "NE", "NW", "W", "SW", "SE"]


class Ping(CommandMessage, frozen=True, tag="ping", kw_only=True):
    """Ask for a pong."""

    sent: float = 0


class Pong(CommandMessage, frozen=True, tag="pong", kw_only=True):
    """The answer to the server's ping, by which it measures the lag."""

    sent: int


Message = Command | Hello | Why | Ping | Pong
