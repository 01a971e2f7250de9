"""Scalar types of the protocol: colours, modes, bounded numbers, packed moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, Literal

from msgspec import Meta

from sumito.game.clock import LONGEST
from sumito.rules.move import MOVES

Colour = Literal["black", "white", "red", "blue"]
Mode = Literal["two", "three", "teams", "teams-double"]
Status = Literal["waiting", "playing", "over"]
Preset = Literal["rulebook", "tournament"]
Phrase = Literal[
    "hello",
    "good-luck",
    "good-game",
    "well-played",
    "thanks",
    "sorry",
    "one-moment",
    "oops",
    "bye",
]
"""Predefined chat phrases."""
Ability = Literal[
    "join",
    "fill",
    "move",
    "resign",
    "abort",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "ask_takeback",
    "accept_takeback",
    "decline_takeback",
    "claim_win",
    "claim_draw",
    "rematch",
    "chat",
]
"""What a reader may do now."""

Ms = Annotated[int, Meta(ge=0, le=LONGEST)]
Budget = Annotated[int, Meta(ge=1, le=LONGEST)]
Word = Annotated[str, Meta(max_length=40)]
CellName = Annotated[str, Meta(min_length=2, max_length=2)]
Key = Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=30)]
ChatNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""The id of a chat line; 0: none yet."""
MoveIndex = Annotated[int, Meta(ge=0, lt=len(MOVES))]
"""One of the 1,272 moves by its number."""
PackedMoves = str
"""Moves as a text: two letters each, the number's upper and lower six bits in base64's alphabet."""

_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_LETTERS: Final = tuple(_ALPHABET[one.index >> 6] + _ALPHABET[one.index & 63] for one in MOVES)


def pack(indices: Iterable[int]) -> str:
    """Encode moves, given by their indices, as a text.

    >>> pack([0, 64, 1271])
    'AABAT3'
    """
    return "".join([_LETTERS[index] for index in indices])


def unpack(text: str) -> list[int]:
    """Return the indices of packed moves.

    >>> unpack("AABAT3")
    [0, 64, 1271]
    """
    values = [_ALPHABET.index(letter) for letter in text]
    return [high << 6 | low for high, low in zip(values[::2], values[1::2], strict=True)]
