"""Random boards for tests: games played at random, and marbles set out at random.

`random_board` and `random_setup` take a seeded generator, for tests that want volume; `boards` and
`positions` are the hypothesis strategies over the same. Setups come in styles that games rarely
reach: scattered, crowded, few marbles, and players who are shut in and can't act.
"""

from __future__ import annotations

import random
from contextlib import suppress

from hypothesis import strategies as st

from sumito import CELLS, RULEBOOK, Board, Cell, Colour, Mode, Move, Position, Rules
from sumito.rules import layouts
from sumito.rules.cells import distance, mask_of

STYLES = ("scattered", "crowded", "few", "shut-in")

ALL_RULES = (
    RULEBOOK,
    Rules(repetition=3),
    Rules(win_at=1),
    Rules(win_at=2, repetition=2),
    Rules(ply_limit=12),
    Rules(stuck="passes"),
    Rules(stuck="draws", repetition=3),
    Rules(stuck="loses"),
    Rules(partner_sidestep="none"),
)


def play_random(board: Board, rng: random.Random, plies: int) -> Board:
    """Play up to that many random moves, ejections more often than chance would have them."""
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        ejecting = [move for move in moves if board.effect(move).ejected is not None]
        board.push(rng.choice(ejecting if ejecting and rng.random() < 0.5 else moves))
    return board


def random_board(
    rng: random.Random, mode: Mode | str, plies: int, rules: Rules = RULEBOOK
) -> Board:
    """A board after a random game of up to that many plies from a random layout."""
    layout = rng.choice(list(layouts.of(mode)))
    return play_random(Board(layout, mode=mode, rules=rules), rng, plies)


def random_setup(rng: random.Random, mode: Mode | str, style: str | None = None) -> Position:
    """Marbles set out at random, as no game would leave them."""
    mode = Mode(mode)
    style = style or rng.choice(STYLES)
    marbles = _shut_in(rng, mode) if style == "shut-in" else _spread(rng, mode, style)
    out = frozenset[Colour]()
    if mode is not Mode.TWO and rng.random() < 0.3:
        out = frozenset({rng.choice(mode.colours)})
    quiet = rng.randrange(8)
    return Position(
        marbles=tuple(mask_of(cells) for cells in marbles),
        turn=rng.choice([colour for colour in mode.colours if colour not in out]),
        captured=tuple(rng.choice((0, 0, 1, 4, 5)) for _ in mode.sides),
        quiet=quiet,
        ply=quiet + rng.randrange(1, 20),
        mode=mode,
        eliminated=out,
    )


def _spread(rng: random.Random, mode: Mode, style: str) -> list[list[Cell]]:
    cells = list(CELLS)
    if style == "crowded":
        # All marbles around one cell, so that rows of every length meet.
        centre = rng.choice(CELLS)
        cells.sort(key=lambda cell: distance(centre, cell) + 3 * rng.random())
        counts = [mode.marbles] * len(mode.colours)
        cells = cells[: sum(counts)]
    elif style == "few":
        counts = [rng.randrange(4) for _ in mode.colours]
    else:
        counts = [rng.randrange(mode.marbles + 1) for _ in mode.colours]
    rng.shuffle(cells)
    return [[cells.pop() for _ in range(count)] for count in counts]


def _shut_in(rng: random.Random, mode: Mode) -> list[list[Cell]]:
    """One or two players in corners of the board, everything around them held by another."""
    marbles: list[list[Cell]] = [[] for _ in mode.colours]
    prisoners = rng.sample(mode.colours, rng.randrange(1, len(mode.colours)))
    guards = [colour for colour in mode.colours if colour not in prisoners]
    corners = [Cell.A1, Cell.A5, Cell.E1, Cell.E9, Cell.I5, Cell.I9]
    taken: set[Cell] = set()
    for prisoner, corner in zip(prisoners, rng.sample(corners, len(prisoners)), strict=True):
        marbles[prisoner].append(corner)
        taken.add(corner)
        guard = rng.choice(guards)
        reach = 2 if len(guards) == 1 and len(prisoners) == 1 and rng.random() < 0.7 else 1
        for cell in CELLS:
            near = 0 < distance(corner, cell) <= reach
            if near and len(marbles[guard]) < mode.marbles and rng.random() < 0.97:
                marbles[guard].append(cell)
                taken.add(cell)
    for guard in guards:
        free = [cell for cell in CELLS if cell not in taken]
        for cell in rng.sample(free, rng.randrange(3)):
            if len(marbles[guard]) < mode.marbles:
                marbles[guard].append(cell)
                taken.add(cell)
    return marbles


ANY_MODE = st.sampled_from(Mode)
THE_RULEBOOK = st.just(RULEBOOK)


@st.composite
def positions(draw: st.DrawFn, modes: st.SearchStrategy[Mode] = ANY_MODE) -> Position:
    """Positions of setups, as values."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    return random_setup(rng, draw(modes), draw(st.sampled_from(STYLES)))


@st.composite
def boards(
    draw: st.DrawFn,
    modes: st.SearchStrategy[Mode] = ANY_MODE,
    rules: st.SearchStrategy[Rules] = THE_RULEBOOK,
    most_plies: int = 60,
) -> Board:
    """Boards of games and of setups, with some history."""
    mode, rule_set = draw(modes), draw(rules)
    rng = random.Random(draw(st.integers(0, 2**32)))
    plies = draw(st.integers(0, most_plies))
    if draw(st.booleans()):
        return random_board(rng, mode, plies, rule_set)
    start = random_setup(rng, mode, draw(st.sampled_from(STYLES)))
    return play_random(Board.at(start, rules=rule_set), rng, min(plies, 10))


@st.composite
def boards_with_a_move(draw: st.DrawFn, **kinds: object) -> tuple[Board, Move]:
    """A board on which the game goes on, and one of its legal moves."""
    board = draw(boards(**kinds).filter(lambda board: bool(board.legal_moves)))
    return board, draw(st.sampled_from(list(board.legal_moves)))


def taken_back(board: Board) -> list[Move]:
    """Take back all moves of a board; the moves, the last one first."""
    moves = []
    with suppress(IndexError):
        while True:
            moves.append(board.pop())
    return moves


def snapshot(board: Board) -> tuple[object, ...]:
    """Everything that taking moves back must restore."""
    trail = board.copy()
    moves = taken_back(trail)
    return str(board.position), board.rules, board.occurrences(), tuple(moves), str(trail.position)


def marble_counts(board: Board) -> list[int]:
    return [len(board.marbles(colour)) for colour in board.mode.colours]
