"""Records to test with: texts put together by hand, and games played at random."""

import random

from sumito import Board, Rules

TAGS = {
    "Event": "Test",
    "Date": "2024.01.31",
    "Black": "Ann",
    "White": "Ben",
    "Variant": "standard",
    "Result": "*",
    "Notation": "Aba-Pro",
}


def text(moves="1. a1b2 i9h8 *", **tags):
    """A game with these moves; a tag that is None is left out."""
    lines = [f'[{name} "{value}"]' for name, value in (TAGS | tags).items() if value is not None]
    return "\n".join([*lines, "", moves, ""])


def random_game(seed, mode="two", plies=60, rules=None, layout=None):
    """A board after a random game."""
    choose = random.Random(seed)
    board = Board(layout, mode, rules=rules or Rules())
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(choose.choice(moves))
    return board
