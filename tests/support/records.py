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

PIECES = [
    *("1.", "1...", "2.", "3...", "99.", "a1b2", "i9h8", "c3c5d4", "a1d4", "e5", "*", "1-0"),
    *("0-1", "1/2-1/2", "1-0-0", "(", ")", "{", "}", "{note}", "{[%clk 0:00:09]}", "[%eval 2]"),
    *("{[%out red]}", '"', "\\", "[", "]", "[Event", '[Event "x"]', '[Plies "2"]', "\n", "\n\n"),
    *('[Mode "three"]', '[Red "r"]', '[Rules "win_at=1"]', " ", "٣.", "\x00", "\r", "é", "\ufeff"),
]
"""What a fuzzed move text is made of."""


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


def damage(source, start, length, choose):
    """The text with `length` characters from `start` changed, removed, doubled or reversed."""
    end = min(len(source), start + length)
    piece = choose([*PIECES, "", source[start:end] * 2, source[start:end][::-1]])
    return source[:start] + piece + source[end:]
