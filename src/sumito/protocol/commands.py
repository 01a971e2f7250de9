"""What a client asks of a game, over HTTP and WebSocket alike, and what only a WebSocket hears."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from sumito.protocol.scalars import CellName, ChatNumber, Colour, MoveIndex, Phrase

PROTOCOL: Final = 1
"""The version of what is said over WebSockets; a page of another version has to be reloaded."""

MOST_COUNTED: Final = 2**31 - 1
"""The highest version of a game and number of a line that the database can hold."""


class CommandMessage(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Anything a client may ask; the same `ref` twice is done once."""

    ref: Annotated[str, Meta(max_length=64, pattern=r"^[ -~]*$")] = ""


class SeatMessage(CommandMessage, frozen=True, kw_only=True):
    """A command for a seat; unless it is named, the sender's that is to move, or their first."""

    seat: Colour | None = None


class AnswerMessage(SeatMessage, frozen=True, kw_only=True):
    """An answer to what another side has proposed."""


class Play(SeatMessage, frozen=True, tag="play", kw_only=True):
    """Make a move, the ply being the number of the move one thinks it is."""

    ply: int
    move: MoveIndex


class Resign(SeatMessage, frozen=True, tag="resign"):
    """Give up."""


class OfferDraw(SeatMessage, frozen=True, tag="offer_draw"):
    """Offer a draw."""


class AcceptDraw(AnswerMessage, frozen=True, tag="accept_draw"):
    """Agree to a draw."""


class DeclineDraw(AnswerMessage, frozen=True, tag="decline_draw"):
    """Decline a draw."""


class AskTakeback(SeatMessage, frozen=True, tag="ask_takeback"):
    """Ask to take one's last move back."""


class AcceptTakeback(AnswerMessage, frozen=True, tag="accept_takeback"):
    """Let the other take the move back."""


class DeclineTakeback(AnswerMessage, frozen=True, tag="decline_takeback"):
    """The move stands."""


class Abort(SeatMessage, frozen=True, tag="abort"):
    """Call the game off before each side has moved."""


class Claim(SeatMessage, frozen=True, tag="claim", kw_only=True):
    """Claim a game whose other players are gone."""

    result: Literal["win", "draw"] = "win"


class Rematch(SeatMessage, frozen=True, tag="rematch"):
    """Ask for another game with the colours swapped."""


class Flag(CommandMessage, frozen=True, tag="flag", kw_only=True):
    """Ask the server to look at the clock; only the clock decides, so any player may."""


class Chat(SeatMessage, frozen=True, tag="chat", kw_only=True):
    """Say something, in one's own words or by one of the phrases."""

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


# What only a WebSocket hears.


class Hello(CommandMessage, frozen=True, tag="hello", kw_only=True):
    """The first message: up to where the client knows the game and what was said."""

    since: Annotated[int, Meta(ge=-MOST_COUNTED, le=MOST_COUNTED)] | None = None
    heard: ChatNumber = 0
    """The id of the last chat line it has."""
    protocol: int = PROTOCOL
    """The version the client speaks."""


class Why(CommandMessage, frozen=True, tag="why", kw_only=True):
    """Why can't these marbles go there?"""

    cells: Annotated[list[CellName], Meta(min_length=1, max_length=9)]
    direction: Literal["E", "NE", "NW", "W", "SW", "SE"]


class Ping(CommandMessage, frozen=True, tag="ping", kw_only=True):
    """Is anyone there?"""

    sent: float = 0


class Pong(CommandMessage, frozen=True, tag="pong", kw_only=True):
    """The answer to the server's ping, by which it measures how long a move is on its way."""

    sent: int


Message = Command | Hello | Why | Ping | Pong
