"""The board of the terminal app: from touched cells to moves, and from characters to cells."""

import pytest

from support.optional_parts import REASONS

pytest.importorskip("textual", reason=REASONS["tui"])

from sumito import Board, Cell, Move
from sumito.errors import SumitoError
from sumito.rules.cells import CELLS
from sumito.rules.modes import BLUE, RED
from sumito.tui import choosing, picture


def touched(board, *cells):
    hand = choosing.EMPTY
    for name in cells:
        hand = choosing.touch(board, hand, Cell.parse(name))
    return hand


def names(cells):
    return " ".join(map(str, cells))


def test_touched_marbles_make_a_row_and_a_free_cell_moves_it():
    board = Board()
    assert names(touched(board, "a1")) == "a1"
    assert names(touched(board, "a1", "c3")) == "a1 b2 c3"
    assert names(touched(board, "c3", "b2", "a1")) == "c3 b2 a1"
    assert touched(board, "a1", "c3", "d4") is Move.parse("a1b2")


def test_a_row_steps_aside_the_way_the_marble_touched_last_goes():
    board = Board()
    assert touched(board, "c3", "c5", "d5") is Move.parse("c3c5d3")
    assert touched(board, "c3", "c5", "d6") is Move.parse("c3c5d4")


def test_a_marble_elsewhere_begins_a_new_row_and_the_last_one_again_lets_go():
    board = Board()
    assert names(touched(board, "a1", "b6")) == "b6"
    assert touched(board, "a1", "a1") == choosing.EMPTY


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (("e5",), "there is no marble on e5"),
        (("i5",), "i5 is white's, and it is black's turn"),
        (("b1", "b4"), "four marbles can't move at once"),
        (("c3", "e5"), "e5 is not beside the row: marbles go one cell"),
    ],
)
def test_a_touch_that_leads_nowhere_is_answered_with_the_reason(cells, reason):
    with pytest.raises(SumitoError) as error:
        touched(Board(), *cells)
    assert str(error.value) == reason


def test_a_pac_is_called_one():
    board = Board.parse("5/6/7/8/2bbww3/8/7/6/5 b 0,0 0 1")
    with pytest.raises(SumitoError, match="2 against 2 is a pac"):
        touched(board, "e3", "e4", "e5")


@pytest.mark.parametrize("mode", ["two", "three", "teams"])
def test_every_legal_move_is_offered_by_touching_its_row_and_its_target(mode):
    board = Board(mode=mode)
    found = set()
    for move in board.legal_moves:
        effect = board.effect(move)
        for hand in {effect.moved, effect.moved[::-1]}:
            for target in choosing.targets(board, hand):
                assert choosing.touch(board, hand, target.cell) is target.effect.move
                found.add(target.effect.move)
    assert found == set(board.legal_moves)


@pytest.mark.parametrize("size", picture.SIZES)
@pytest.mark.parametrize("turns", range(6))
def test_every_character_in_the_middle_of_a_cell_is_that_cell(size, turns):
    drawn = picture.Picture(size, turns)
    for cell in CELLS:
        x, y = drawn.centre(cell)
        assert drawn.cell_at(round(x), round(y) // 2) is cell
        assert drawn.cell_at(round(x) - 1, round(y) // 2 - 1) is cell
    assert drawn.cell_at(0, 0) is None


def test_the_largest_board_that_fits_is_drawn():
    assert [picture.size_for(*picture.extent(size)) for size in picture.SIZES] == list(
        picture.SIZES
    )
    assert picture.size_for(80, 20) == 4
    assert picture.size_for(41, 20) is None
    assert picture.size_for(200, 19) is None


@pytest.mark.parametrize("size", picture.SIZES)
def test_a_picture_fills_its_extent_and_has_all_coordinates(size):
    lines = picture.paint({}, size).lines()
    texts = ["".join(one.text for one in line) for line in lines]
    assert {len(text) for text in texts} == {picture.extent(size)[0]}
    assert len(texts) == picture.extent(size)[1]
    assert set("abcdefghi123456789") <= set("".join(texts))


def test_red_and_blue_can_be_told_apart_without_colours():
    def drawn(colour):
        lines = picture.paint({Cell.E5: colour}, 4).lines()
        return "".join(one.text for line in lines for one in line)

    assert drawn(RED) != drawn(BLUE)
    assert "╲╱" in drawn(RED)
