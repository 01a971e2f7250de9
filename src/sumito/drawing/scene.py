"""What all pictures of a board share: what is shown, which way it is turned, where players sit.

Pictures stand on the board *after* the last move, so a bare move says less than the board's
history does; an `Effect`, taken before the move, says it all.
"""

from __future__ import annotations

from collections import Counter
from enum import Flag, auto
from typing import Final

from sumito.errors import ColourError, check_kind
from sumito.i18n.messages import N_, Sentence
from sumito.rules.board import Board, Effect
from sumito.rules.modes import BLACK, BLUE, RED, WHITE, Colour, Mode
from sumito.rules.move import Move
from sumito.rules.rules import side_name


class Show(Flag):
    """What a picture shows besides the marbles; combine with `|`, or take from `Show.USUAL`."""

    NOTHING = 0
    COORDINATES = auto()
    """Letters of the rows and digits of the diagonals along the rim."""
    EJECTED = auto()
    """The marbles that lie in the rim, each near the side that ejected it."""
    TURN = auto()
    """Whose turn it is."""
    LETTERS = auto()
    """A letter on each marble, for those who see colours differently."""
    USUAL = COORDINATES | EJECTED | TURN


Lattice = tuple[int, int]
"""A place as steps from the centre e5: along E, then along NW; rim and labels lie beyond 4."""

SEATS: Final = {
    Mode.TWO: {BLACK: 0, WHITE: 3},
    Mode.THREE: {BLACK: 0, WHITE: 4, RED: 2},
    Mode.TEAMS: {BLACK: 0, WHITE: 5, RED: 3, BLUE: 2},
    Mode.TEAMS_DOUBLE: {BLACK: 0, WHITE: 5, RED: 3, BLUE: 2},
}
"""The edge each player sits at, counted counter-clockwise from the bottom, where black sits."""


def turns_for(board: Board, orientation: Colour | int) -> int:
    """How many turns of 60° counter-clockwise an orientation asks for."""
    check_kind("board", board, Board)
    if isinstance(orientation, Colour):
        if orientation not in board.mode.colours:
            raise ColourError(
                N_("{colour} has no seat to look from in mode {mode}"),
                code="no-such-seat",
                colour=orientation,
                mode=board.mode,
            )
        return -SEATS[board.mode][orientation] % 6
    check_kind("orientation", orientation, int)
    return orientation % 6


def turned(place: Lattice, turns: int) -> Lattice:
    """Where a place lies on a board that has been turned counter-clockwise."""
    x, y = place
    for _ in range(turns):
        x, y = x - y, x
    return x, y


def labels() -> dict[str, Lattice]:
    """Where the coordinates stand: letters west of their rows, digits south-east of their lines."""
    places = {"abcdefghi"[y + 4]: (max(-4, y - 4) - 1, y) for y in range(-4, 5)}
    places |= {str(x + 5): (x, max(-4, x - 4) - 1) for x in range(-4, 5)}
    return places


def effect_of(board: Board, last_move: Move | Effect | None) -> Effect | None:
    """What the last move did, as far as it can be known from the board after it."""
    check_kind("board", board, Board)
    check_kind("last_move", last_move, (Move, Effect, type(None)))
    if last_move is None or isinstance(last_move, Effect):
        return last_move
    last = board.last_effect()
    if last is not None and last.move is last_move:
        return last
    return Effect(last_move, last_move.cells, (), None)


def ejected_by(board: Board) -> tuple[tuple[Colour, ...], ...]:
    """The marbles each side ejected, sides in the order they come."""
    check_kind("board", board, Board)
    if board.mode is Mode.THREE:
        return _ejected_by_three(board)
    piles = []
    for side, count in zip(board.mode.sides, board.captured, strict=True):
        others = [colour for colour in board.mode.colours if colour not in side]
        lost = [colour for colour in others for _ in range(_lost(board, colour))]
        # A handicap counts marbles that never stood on the board.
        piles.append(tuple((lost + [others[0]] * count)[:count]))
    return tuple(piles)


def _lost(board: Board, colour: Colour) -> int:
    return max(0, board.mode.marbles - board.marbles_mask(colour).bit_count())


def _ejected_by_three(board: Board) -> tuple[tuple[Colour, ...], ...]:
    """The history tells who ejected whose marble; for what came before it, some way that fits."""
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
    """For each of three sides, how many of the next player's marbles it has, and of the last's.

    Nobody has a marble of their own, so one number decides all the others.
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


def status(board: Board) -> Sentence:
    """Whose turn it is, or how the game ended."""
    check_kind("board", board, Board)
    outcome = board.outcome()
    if outcome is None:
        return Sentence("to-move", N_("{turn} to move"), {"turn": board.turn})
    return outcome.sentence(board.mode, board.rules)


def score(board: Board) -> Sentence:
    """How many marbles each side has ejected."""
    check_kind("board", board, Board)
    counts = tuple(
        Sentence("ejected-by", N_("by {side}: {count}"), {"side": side_name(side), "count": count})
        for side, count in zip(board.mode.sides, board.captured, strict=True)
    )
    return Sentence("score", N_("ejected {counts}"), {"counts": counts})
