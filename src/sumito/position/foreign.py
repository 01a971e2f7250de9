"""Position texts of other programs, all of them for two players.

`playstrategy`   <rows> <black's score> <white's score> <turn> <quiet> <move number>
                 S is a black marble, s a white one; a score is how many that player has ejected.
`apgn`           <rows>[-<n>b<n>w] <turn>
                 The counts are the marbles *lost* by black and by white, left out when both are 0.
`kaa`            <n><cells>_<n><cells>
                 Black, then white: one digit for the marbles that colour has *lost*, then its cells
                 row by row, `a12b123`. Black is always to move.

What a text doesn't say is read as a fresh start: no quiet plies, and the first move of the game.
"""

from __future__ import annotations

import re
from typing import Final

from sumito.cells import BY_NAME, Cell, Mask, cells_of
from sumito.errors import PositionError
from sumito.modes import BLACK, WHITE, Colour, Mode
from sumito.position.position import Fields, Form, Position, parse_rows, parse_turn, write_rows

_PLAYSTRATEGY_LETTERS: Final = "Ss"
_APGN_LETTERS: Final = "bw"
_MOST_LOST: Final = 9
"""KAA has one digit for the marbles lost."""


def parse(text: str, form: Form) -> Position:
    """Read another program's text; a `PositionError` says what is wrong and in which column."""
    return _PARSERS[form](text)


def write(position: Position, form: Form) -> str:
    """The text another program reads; what it has no words for is an error, never dropped.

    Only the counters that `apgn` and `kaa` don't know, quiet and ply, go without saying.
    """
    if position.mode is not Mode.TWO:
        raise PositionError(
            f"{form} is for two players; this is a position of mode {position.mode}"
        )
    return _WRITERS[form](position)


def _ply(number: int, turn: Colour) -> int:
    return 2 * number - 1 + turn


def _letters(position: Position, letters: str) -> dict[Cell, str]:
    return {
        cell: letter
        for letter, mask in zip(letters, position.marbles, strict=True)
        for cell in cells_of(mask)
    }


def _parse_playstrategy(text: str) -> Position:
    fields = Fields(text, 6, 6, "<rows> <score> <score> <turn> <quiet> <move number>")
    turn = parse_turn(fields.texts[3], Mode.TWO, fields.columns[3])
    return Position(
        marbles=parse_rows(fields.texts[0], _PLAYSTRATEGY_LETTERS),
        turn=turn,
        captured=(fields.number(1, "black's score"), fields.number(2, "white's score")),
        quiet=fields.number(4, "quiet"),
        ply=_ply(fields.number(5, "move number", 1), turn),
    )


def _write_playstrategy(position: Position) -> str:
    by_black, by_white = position.captured
    number = (position.ply + 1) // 2
    if _ply(number, position.turn) != position.ply:
        raise PositionError(
            f"playstrategy counts moves from black's: {position.turn} can't be to move "
            f"at ply {position.ply}"
        )
    rows = write_rows(_letters(position, _PLAYSTRATEGY_LETTERS))
    return f"{rows} {by_black} {by_white} {position.turn.letter} {position.quiet} {number}"


def _parse_apgn(text: str) -> Position:
    fields = Fields(text, 2, 2, "<rows>[-<n>b<n>w] <turn>")
    rows, hyphen, lost = fields.texts[0].partition("-")
    counts = re.fullmatch(r"(0|[1-9][0-9]?)b(0|[1-9][0-9]?)w", lost)
    if hyphen and not counts:
        raise PositionError(
            f"{lost!r} doesn't say what was lost; 5 black and 4 white marbles are 5b4w",
            column=len(rows) + 2,
        )
    turn = parse_turn(fields.texts[1], Mode.TWO, fields.columns[1])
    return Position(
        marbles=parse_rows(rows, _APGN_LETTERS),
        turn=turn,
        captured=(int(counts[2]), int(counts[1])) if counts else (0, 0),
        ply=_ply(1, turn),
    )


def _write_apgn(position: Position) -> str:
    by_black, by_white = position.captured
    lost = f"-{by_white}b{by_black}w" if by_black or by_white else ""
    rows = write_rows(_letters(position, _APGN_LETTERS))
    return f"{rows}{lost} {position.turn.letter}"


def _parse_kaa(text: str) -> Position:
    halves = text.split("_")
    if len(halves) != 2:
        raise PositionError(
            "a position is `<lost><cells>_<lost><cells>`, black's half and white's, "
            f"with one _ between; here are {len(halves) - 1}"
        )
    black, lost_by_black = _parse_half(halves[0], BLACK, 1)
    white, lost_by_white = _parse_half(halves[1], WHITE, len(halves[0]) + 2)
    return Position((black, white), BLACK, (lost_by_white, lost_by_black))


def _parse_half(text: str, colour: Colour, column: int) -> tuple[Mask, int]:
    if not re.match(r"[0-9](?![0-9])", text):
        raise PositionError(
            f"{colour}'s half starts with one digit, the marbles {colour} has lost", column=column
        )
    mask = 0
    for row in re.finditer(r"([a-i])([1-9]+)|.", text[1:], re.DOTALL):
        at = column + 1 + row.start()
        if not row[1]:
            raise PositionError(
                f"{row[0]!r} should be a row from a to i and digits, as b123", column=at
            )
        for offset, digit in enumerate(row[2], 1):
            cell = BY_NAME.get(row[1] + digit)
            if cell is None:
                raise PositionError(f"{row[1]}{digit} is not a cell", column=at + offset)
            if mask & cell.mask:
                raise PositionError(f"{cell} is named twice", column=at + offset)
            mask |= cell.mask
    return mask, int(text[0])


def _write_kaa(position: Position) -> str:
    if position.turn is not BLACK:
        raise PositionError("kaa can't say that white is to move")
    by_black, by_white = position.captured
    halves = []
    for colour, mask, lost in zip(
        (BLACK, WHITE), position.marbles, (by_white, by_black), strict=True
    ):
        if lost > _MOST_LOST:
            raise PositionError(f"kaa has one digit for the {lost} marbles {colour} has lost")
        cells = "".join(map(str, cells_of(mask)))
        # Cells come row by row, so only the first of a row keeps its letter.
        halves.append(f"{lost}" + re.sub(r"([a-i])[1-9](?:\1[1-9])*", _one_row, cells))
    return "_".join(halves)


def _one_row(cells: re.Match[str]) -> str:
    return cells[1] + cells[0].replace(cells[1], "")


_PARSERS: Final = {
    Form.PLAYSTRATEGY: _parse_playstrategy,
    Form.APGN: _parse_apgn,
    Form.KAA: _parse_kaa,
}
_WRITERS: Final = {
    Form.PLAYSTRATEGY: _write_playstrategy,
    Form.APGN: _write_apgn,
    Form.KAA: _write_kaa,
}
