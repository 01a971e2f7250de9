"""Sumito's own position text, for all modes.

    <rows> <turn> <captured> <quiet> <ply> [mode [out:<letters>]]

Rows i down to a, digits for empty cells. The last field lists the eliminated players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sumito.errors import ModeError, PositionError
from sumito.i18n.messages import N_
from sumito.position.rows import Fields, parse_number, parse_rows, parse_turn, write_rows
from sumito.rules.cells import Mask
from sumito.rules.modes import Colour, Mode

if TYPE_CHECKING:
    from sumito.position.value import Position

_LETTERS: Final = {mode: "".join(colour.letter for colour in mode.colours) for mode in Mode}


class _Parts(NamedTuple):
    """The fields of a position, in the order of its constructor."""

    marbles: tuple[Mask, ...]
    turn: Colour
    captured: tuple[int, ...]
    quiet: int
    ply: int
    mode: Mode
    eliminated: frozenset[Colour]


def parse(text: str) -> _Parts:
    """Parse a text; raise `PositionError` with the column if it is invalid."""
    fields = Fields(text, 5, 7, "<rows> <turn> <captured> <quiet> <ply> [mode]")
    mode = Mode.TWO
    if len(fields) > 5:
        try:
            mode = Mode.parse(fields.texts[5])
        except ModeError as error:
            raise PositionError.about(error.problem, column=fields.columns[5]) from None
    column = fields.columns[2]
    captured = []
    for count in fields.texts[2].split(","):
        captured.append(parse_number(count, "captured", 0, column))
        column += len(count) + 1
    return _Parts(
        parse_rows(fields.texts[0], _LETTERS[mode]),
        parse_turn(fields.texts[1], mode, fields.columns[1]),
        tuple(captured),
        fields.number(3, "quiet"),
        fields.number(4, "ply", 1),
        mode,
        _parse_out(fields, mode) if len(fields) > 6 else frozenset(),
    )


def _parse_out(fields: Fields, mode: Mode) -> frozenset[Colour]:
    text, column = fields.texts[6], fields.columns[6]
    letters = text.removeprefix("out:")
    known = _LETTERS[mode]
    if letters == text or not letters or sorted(set(letters), key="bwru".find) != list(letters):
        raise PositionError(
            N_(
                "{text!r} is not a list of eliminated players; "
                "write out: and letters in the order b, w, r, u"
            ),
            code="out",
            column=column,
            text=text,
        )
    if not set(letters) <= set(known):
        raise PositionError(
            N_("{text!r} names a colour that isn't in mode {mode}"),
            code="out-not-in-mode",
            column=column,
            text=text,
            mode=mode,
        )
    return frozenset(colour for colour in mode.colours if colour.letter in letters)


def write(position: Position) -> str:
    """Return the text of a position."""
    mode = position.mode
    text = (
        f"{write_rows(position.marbles, _LETTERS[mode])} {position.turn.letter} "
        f"{','.join(map(str, position.captured))} {position.quiet} {position.ply}"
    )
    if mode is not Mode.TWO:
        text += f" {mode}"
    if position.eliminated:
        text += " out:" + "".join(colour.letter for colour in sorted(position.eliminated))
    return text
