"""The three notations, sentence by sentence; that they read back is among the properties."""

import pytest

from sumito import (
    Board,
    IllegalMoveError,
    IllegalReason,
    InvalidMoveError,
    Move,
    Notation,
    NotationError,
)
from support.scenes import place


@pytest.mark.parametrize(
    ("move", "aba_pro", "nacre", "playstrategy"),
    [
        ("a1b2", "a1b2", "a1d4", "a1d4"),
        ("b1c2", "b1c2", "b1c2", "b1c2"),
        ("a2b2", "a2b2", "a2c2", "a2c2"),
        ("c3c5d4", "c3c5d4", "c3d6", "c3d6"),
        ("c3c5d3", "c3c5d3", "c5d3", "c5d3"),
    ],
)
def test_a_move_of_the_start_in_three_notations(
    move: str, aba_pro: str, nacre: str, playstrategy: str
) -> None:
    board = Board()
    written = [board.notate(Move.parse(move), notation=notation) for notation in Notation]
    assert written == [aba_pro, nacre, playstrategy]


def test_aba_pro_does_not_mark_a_push_or_an_ejection() -> None:
    for white in ("", "e5", "e5 e6"):
        board = place(black="e2 e3 e4", white=f"{white} i5")
        assert board.notate(Move.parse("e2e3")) == "e2e3"
    assert place(black="e7 e8", white="e9 i5").notate(Move.parse("e7e8")) == "e7e8"


@pytest.mark.parametrize(
    ("white", "nacre", "playstrategy"),
    [("i5", "e2e5", "e2e5"), ("i5 e5", "e2e5", "e2e6"), ("i5 e5 e6", "e2e5", "e2e7")],
)
def test_in_line_nacre_names_the_front_own_marbles_landing_and_playstrategy_the_first_cell_beyond(
    white: str, nacre: str, playstrategy: str
) -> None:
    board = place(black="e2 e3 e4", white=white)
    move = Move.parse("e2e3")
    assert board.notate(move, notation="nacre") == nacre
    assert board.notate(move, notation="playstrategy") == playstrategy


@pytest.mark.parametrize(
    ("black", "white", "move"),
    [("e7 e8", "e9", "e7e8"), ("e6 e7 e8", "e9", "e6e7"), ("e5 e6 e7", "e8 e9", "e5e6")],
)
def test_on_ejection_playstrategy_names_the_ejected_marbles_own_cell(
    black: str, white: str, move: str
) -> None:
    board = place(black=black, white=f"{white} i5")
    assert board.notate(Move.parse(move), notation="playstrategy") == f"{move[:2]}e9"
    assert board.parse_move(f"{move[:2]}e9", notation="playstrategy") is Move.parse(move)


def test_nothing_guesses_between_aba_pro_and_nacre() -> None:
    """The same text is one marble's move in one notation, and no move in the other."""
    board = Board()
    assert board.parse_move("a1b2") is Move.parse("a1b2")
    with pytest.raises(IllegalMoveError) as caught:
        board.parse_move("a1b2", notation="nacre")
    assert caught.value.reason is IllegalReason.OTHER_MOVE
    with pytest.raises(InvalidMoveError):
        board.parse_move("a1d4")


def test_aba_pro_reads_a_side_step_from_either_end_nacre_from_the_far_pair_alone() -> None:
    board = Board()
    assert board.parse_move("c5c3d6") is board.parse_move("c3c5d4")
    assert str(board.parse_move("c3d6", notation="nacre")) == "c3c5d4"
    # The near pair of the same three marbles is the far pair of another move.
    assert str(board.parse_move("c5d4", notation="nacre")) == "c4c5d4"


def test_two_side_steps_with_the_same_far_cells_are_told_apart_by_the_board() -> None:
    flat = place(black="c3 c4", white="i5")
    steep = place(black="c3 d4", white="i5")
    assert str(flat.parse_move("c3d5", notation="nacre")) == "c3c4d4"
    assert str(steep.parse_move("c3d5", notation="nacre")) == "c3d4c4"


def test_notation_names_are_those_of_records_too() -> None:
    assert Notation.parse("Aba-Pro") is Notation.ABA_PRO
    assert Notation.parse("Nacre") is Notation.NACRE
    with pytest.raises(
        NotationError, match="'uci' is not a notation; notations are aba-pro, nacre"
    ):
        Board().parse_move("a1b2", notation="uci")
