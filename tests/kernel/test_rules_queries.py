"""The differential test of what a page asks: the Python rules and the kernel give one answer.

What each move does, why one is illegal, how it is written and read, which formations stand there.
"""

from __future__ import annotations

import random

import pytest

from sumito import CELLS, MOVES, Board, Direction, Mode, Move, kernel
from sumito.kernel.positions import to_kernel
from support import rules_queries
from support.strategies import ALL_RULES, random_board, random_setup


def compare_questions(board: Board, rng: random.Random) -> None:
    position = to_kernel(board)
    where = str(board.position)
    assert kernel.effects(position) == rules_queries.effects(board), where
    for move in rules_queries.some_illegal(board, rng.randrange(len(MOVES)), 60):
        assert kernel.why_illegal(position, move.index) == rules_queries.why(board, move), (
            where,
            move,
        )
    assert kernel.formations(position) == rules_queries.formations(board), where
    strangers = [f"{rng.choice(CELLS)}{rng.choice(CELLS)}" for _ in range(20)]
    for notation, texts in rules_queries.texts(board).items():
        for move, text in zip(board.legal_moves, texts, strict=True):
            assert kernel.write_move(position, move.index, notation) == text
        for text in (*texts, *strangers, "", "a1", "a1b2c", "z9a1", "é1a2", "a1a3b2", "x" * 99):
            found = kernel.read_move(position, text, notation)
            assert found == rules_queries.read(board, text, notation), (where, text, notation)


@pytest.mark.parametrize("mode", Mode)
def test_questions_about_random_games_have_one_answer(mode: Mode) -> None:
    rng = random.Random(3)
    for _ in range(40):
        compare_questions(random_board(rng, mode, rng.randrange(150), rng.choice(ALL_RULES)), rng)


@pytest.mark.parametrize("mode", Mode)
def test_questions_about_random_setups_have_one_answer(mode: Mode) -> None:
    rng = random.Random(4)
    for _ in range(60):
        rules = rng.choice(ALL_RULES)
        compare_questions(Board.at(random_setup(rng, mode), rules=rules), rng)


def test_a_hand_of_marbles_and_a_way_name_a_move() -> None:
    for move in MOVES:
        cells = [str(cell) for cell in move.cells]
        assert kernel.move_of(cells, move.direction) == move.index
        assert kernel.move_of(cells[::-1], move.direction) == move.index
    assert kernel.move_of(["e4", "e5"], Direction.E) == Move.parse("e4e5").index
    assert kernel.move_of(["e4", "e5", "e6"], Direction.W) == Move.parse("e6e5").index
    assert kernel.move_of(["e4", "e6"], Direction.E) is None
    assert kernel.move_of(["a1"], Direction.W) is None
