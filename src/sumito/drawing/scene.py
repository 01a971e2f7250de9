"""Shared by all drawings of a board: what is shown, the orientation, the seats.

Drawings show the board *after* the last move, so a bare move has less information than the board's
history; an `Effect`, taken before the move, is complete.
"""

from __future__ import annotations

from collections import Counter
from enum import Flag, auto
from typing import Final

from sumito.errors import ColourError
from sumito.i18n.messages import N_, Message
from sumito.rules.board import Board, Effect
from sumito.rules.modes import BLACK, BLUE, RED, WHITE, Colour, Mode
from sumito.rules.move import Move
from sumito.rules.rules import side_name
from sumito.validate import check_type


class Show(Flag):
    """The parts of a drawing besides the marbles; combine with `|`, or start from `Show.USUAL`."""

    NOTHING = 0
    COORDINATES = auto()
    """Letters of the rows and digits of the diagonals along the rim."""
    EJECTED = auto()
    """The marbles that lie in the rim, each near the side that ejected it."""
    TURN = auto()
    """The player to move."""
    LETTERS = auto()
    """A letter on each marble, for those who see colours differently."""
    USUAL = COORDINATES | EJECTED | TURN


Lattice = tuple[int, int]
"""A place as steps from the centre e5, along E and along NW; rim and labels lie beyond 4."""

SEATS: Final = {
    Mode.TWO: {BLACK: 0, WHITE: 3},
    Mode.THREE: {BLACK: 0, WHITE: 4, RED: 2},
    Mode.TEAMS: {BLACK: 0, WHITE: 5, RED: 3, BLUE: 2},
    Mode.TEAMS_DOUBLE: {BLACK: 0, WHITE: 5, RED: 3, BLUE: 2},
}
"""Each player's edge, counted counter-clockwise from the bottom, where black sits."""


def turns_for(board: Board, orientation: Colour | int) -> int:
    """Return the turns of 60° counter-clockwise of an orientation."""
    check_type("board", board, Board)
    if isinstance(orientation, Colour):
        if orientation not in board.mode.colours:
            raise ColourError(
                N_("{colour} has no seat in mode {mode}"),
                code="no-such-seat",
                colour=orientation,
                mode=board.mode,
            )
        return -SEATS[board.mode][orientation] % 6
    check_type("orientation", orientation, int)
    return orientation % 6


def turned(place: Lattice, turns: int) -> Lattice:
    """Return a place turned counter-clockwise."""
    x, y = place
    for _ in range(turns):
        x, y = x - y, x
    return x, y


def labels() -> dict[str, Lattice]:
    """Return the labels' places: letters west of their rows, digits south-east of diagonals."""
    places = {"abcdefghi"[y + 4]: (max(-4, y - 4) - 1, y) for y in range(-4, 5)}
    places |= {str(x + 5): (x, max(-4, x - 4) - 1) for x in range(-4, 5)}
    return places


def effect_of(board: Board, last_move: Move | Effect | None) -> Effect | None:
    """Return the effect of the last move, as far as the board after it shows it."""
    check_type("board", board, Board)
    check_type("last_move", last_move, (Move, Effect, type(None)))
    if last_move is None or isinstance(last_move, Effect):
        return last_move
    last = board.last_effect()
    if last is not None and last.move is last_move:
        return last
    return Effect(last_move, last_move.cells, (), None)


def ejected_by(board: Board) -> tuple[tuple[Colour, ...], ...]:
    """Return the marbles each side has ejected, in the order of sides."""
    check_type("board", board, Board)
    if board.mode is Mode.THREE:
        return _ejected_by_three(board)
    piles = []
    for side, count in zip(board.mode.sides, board.captured, strict=True):
        others = [colour for colour in board.mode.colours if colour not in side]
        lost = [colour for colour in others for _ in range(_lost(board, colour))]
        # A handicap counts marbles that were never on the board.
        piles.append(tuple((lost + [others[0]] * count)[:count]))
    return tuple(piles)


def _lost(board: Board, colour: Colour) -> int:
    return max(0, board.mode.marbles - board.marbles_mask(colour).bit_count())


def _ejected_by_three(board: Board) -> tuple[tuple[Colour, ...], ...]:
    """Return who ejected whose marbles: by the history, and before it, in a way that fits."""
    piles: list[list[Colour]] = [[] for _ in board.mode.sides]
    before = board.copy()
    while (effect := before.last_effect()) is not None:
        before.pop()
        if effect.ejected is not None:
            piles[before.turn].insert(0, effect.ejected)
    left = [count - len(pile) for count, pile in zip(board.captured, piles, strict=True)]
    known = Counter(colour for pile in piles for colour in pile)
    lost = [_lost(board, colour) - known[colour] for colour in board.mode.colours]
    for side, counts in enumerate(_deal(left, lost)):
        first, second = (Colour((side + step) % 3) for step in (1, 2))
        piles[side][:0] = [first] * counts[0] + [second] * counts[1]
    return tuple(map(tuple, piles))


def _deal(left: list[int], lost: list[int]) -> list[tuple[int, int]]:
    """Return, for each of three sides, its counts of the next and the previous player's marbles.

    Nobody ejects marbles of their own, so one number determines all the others.
    """
    fits = []
    for whites in range(left[0] + 1):
        reds = left[0] - whites
        reds_of_white = lost[2] - reds
        blacks_of_white = left[1] - reds_of_white
        blacks_of_red = lost[0] - blacks_of_white
        deal = [
            (whites, reds),
            (reds_of_white, blacks_of_white),
            (blacks_of_red, left[2] - blacks_of_red),
        ]
        if min(min(pair) for pair in deal) >= 0 and whites + deal[2][1] == lost[1]:
            fits.append(deal)
    return fits[len(fits) // 2] if fits else [(count, 0) for count in left]


def status(board: Board) -> Message:
    """Return the player to move, or how the game ended."""
    check_type("board", board, Board)
    outcome = board.outcome()
    if outcome is None:
        return Message("to-move", N_("{turn} to move"), {"turn": board.turn})
    return outcome.sentence(board.mode, board.rules)


def score(board: Board) -> Message:
    """Return the number of marbles each side has ejected."""
    check_type("board", board, Board)
    counts = tuple(
        Message("ejected-by", N_("by {side}: {count}"), {"side": side_name(side), "count": count})
        for side, count in zip(board.mode.sides, board.captured, strict=True)
    )
    return Message("score", N_("ejected {counts}"), {"counts": counts})
