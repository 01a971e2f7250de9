"""The text of APGN's `Position` tag, for two players.

    <rows>[-<n>b<n>w] <turn>

The counts are the marbles *lost* by black and by white, omitted when both are 0. The counts that
the text lacks get the values of a start: no quiet plies, and the first move of the game.
"""

from __future__ import annotations

import re
from typing import Final

from sumito.errors import PositionError
from sumito.i18n.messages import N_
from sumito.position.playstrategy import first_ply
from sumito.position.rows import Fields, parse_rows, parse_turn, write_rows
from sumito.position.value import Position
from sumito.rules.modes import Mode

_LETTERS: Final = "bw"
_LOST: Final = re.compile(r"(0|[1-9][0-9]?)b(0|[1-9][0-9]?)w")


def parse(text: str) -> Position:
    """Parse a text; raise `PositionError` with the column if it is invalid."""
    fields = Fields(text, 2, 2, "<rows>[-<n>b<n>w] <turn>")
    rows, hyphen, lost = fields.texts[0].partition("-")
    counts = _LOST.fullmatch(lost)
    if hyphen and not counts:
        raise PositionError(
            N_("{text!r} is not a count of lost marbles; 5 black and 4 white ones are 5b4w"),
            code="lost",
            column=len(rows) + 2,
            text=lost,
        )
    turn = parse_turn(fields.texts[1], Mode.TWO, fields.columns[1])
    return Position(
        marbles=parse_rows(rows, _LETTERS),
        turn=turn,
        captured=(int(counts[2]), int(counts[1])) if counts else (0, 0),
        ply=first_ply(turn),
    )


def write(position: Position) -> str:
    """Return the text of a position for two; it omits quiet plies and the ply number."""
    by_black, by_white = position.captured
    lost = f"-{by_white}b{by_black}w" if by_black or by_white else ""
    return f"{write_rows(position.marbles, _LETTERS)}{lost} {position.turn.letter}"
