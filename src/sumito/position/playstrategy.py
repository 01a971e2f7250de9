"""PlayStrategy's position text, for two players.

    <rows> <black's score> <white's score> <turn> <quiet> <move number>

S is a black marble, s a white one; a score is how many marbles that player has ejected.
"""

from __future__ import annotations

from sumito.errors import PositionError
from sumito.i18n.messages import N_
from sumito.position.rows import Fields, parse_rows, parse_turn, write_rows
from sumito.position.value import Position
from sumito.rules.modes import Colour, Mode

_LETTERS = "Ss"


def parse(text: str) -> Position:
    """Parse a text; raise `PositionError` with the column if it is invalid."""
    fields = Fields(text, 6, 6, "<rows> <score> <score> <turn> <quiet> <move number>")
    turn = parse_turn(fields.texts[3], Mode.TWO, fields.columns[3])
    return Position(
        marbles=parse_rows(fields.texts[0], _LETTERS),
        turn=turn,
        captured=(fields.number(1, "black's score"), fields.number(2, "white's score")),
        quiet=fields.number(4, "quiet"),
        ply=first_ply(turn, fields.number(5, "move number", 1)),
    )


def first_ply(turn: Colour, move_number: int = 1) -> int:
    """Return the ply at which a colour makes its move of that number."""
    return 2 * move_number - 1 + turn


def write(position: Position) -> str:
    """Return the text of a position for two."""
    by_black, by_white = position.captured
    number = (position.ply + 1) // 2
    if first_ply(position.turn, number) != position.ply:
        raise PositionError(
            N_("playstrategy counts moves from black's: {turn} can't be to move at ply {ply}"),
            code="playstrategy-ply",
            turn=position.turn,
            ply=position.ply,
        )
    rows = write_rows(position.marbles, _LETTERS)
    return f"{rows} {by_black} {by_white} {position.turn.letter} {position.quiet} {number}"
