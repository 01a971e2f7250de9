"""Position texts of PlayStrategy, APGN and KAA."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sumito import Board, Form, Position, PositionError
from sumito.rules import layouts
from sumito.rules.modes import BLACK, WHITE

FOREIGN = [Form.PLAYSTRATEGY, Form.APGN, Form.KAA]
BELGIAN = {
    Form.PLAYSTRATEGY: "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1",
    Form.APGN: "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww b",
    Form.KAA: "0a12b123c23g78h789i89_0a45b456c56g45h456i56",
}


@st.composite
def positions_played(draw):
    """A position of a random game that began with some ejections as a handicap."""
    choose = random.Random(draw(st.integers(0, 10**6)))
    captured = draw(st.tuples(st.integers(0, 5), st.integers(0, 5)))
    board = Board("belgian-daisy", captured=captured)
    for _ in range(draw(st.integers(0, 60))):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(choose.choice(moves))
    return board.position


@pytest.mark.parametrize("form", FOREIGN)
def test_belgian_daisy_reads_and_writes_in_every_form(form):
    board = Board(layout="belgian-daisy")
    assert Board.parse(BELGIAN[form], form=form) == board
    assert board.position.text(form) == BELGIAN[form]


@pytest.mark.parametrize("form", FOREIGN)
@pytest.mark.parametrize("id", list(layouts.of("two")))
def test_every_layout_survives_every_form(id, form):
    start = Board(layout=id).position
    assert Position.parse(start.text(form), form) == start


@given(positions_played())
def test_playstrategy_keeps_the_whole_position(position):
    text = position.text(Form.PLAYSTRATEGY)
    assert Position.parse(text, Form.PLAYSTRATEGY) == position


@given(positions_played())
def test_apgn_and_kaa_keep_marbles_turn_and_ejections(position):
    for form in (Form.APGN, Form.KAA):
        if form is Form.KAA and position.turn is WHITE:
            continue
        read = Position.parse(position.text(form), form)
        assert (read.marbles, read.turn, read.captured) == (
            position.marbles,
            position.turn,
            position.captured,
        )


def test_apgn_counts_the_marbles_lost_so_the_other_side_ejected_them():
    text = "ww3/www3/2www2/8/9/8/2bbb2/3bbb/3bb-5b4w w"
    position = Position.parse(text, Form.APGN)
    assert position.captured == (4, 5)
    assert (position.turn, position.quiet, position.ply) == (WHITE, 0, 2)
    assert position.text(Form.APGN) == text


def test_apgn_reads_a_score_of_nothing_and_leaves_it_out_when_writing():
    position = Position.parse("wwwww/6/7/8/9/8/7/6/bbbbb-0b0w b", Form.APGN)
    assert position.text(Form.APGN) == "wwwww/6/7/8/9/8/7/6/bbbbb b"


def test_kaa_counts_the_marbles_lost_and_black_is_to_move():
    position = Position.parse("2a1_5i9h9", Form.KAA)
    assert position.captured == (5, 2)
    assert position.turn is BLACK
    assert position.text(Form.KAA) == "2a1_5h9i9"


def test_playstrategy_scores_are_ejections_made_and_its_number_counts_rounds():
    position = Position.parse("SSSSS/6/7/8/9/8/7/6/sssss 3 1 w 4 12", Form.PLAYSTRATEGY)
    assert position.captured == (3, 1)
    assert (position.quiet, position.ply) == (4, 24)


@pytest.mark.parametrize(
    ("form", "text", "words", "column"),
    [
        (Form.PLAYSTRATEGY, "SSSSS/6/7/8/9/8/7/6/sssss 0 0 b 0", "ends before", 34),
        (Form.PLAYSTRATEGY, "SSSSb/6/7/8/9/8/7/6/sssss 0 0 b 0 1", "'b' is not a marble", 5),
        (Form.PLAYSTRATEGY, "SSSSS/6/7/8/9/8/7/6/sssss x 0 b 0 1", "black's score", 27),
        (Form.PLAYSTRATEGY, "SSSSS/6/7/8/9/8/7/6/sssss 0 0 r 0 1", "side to move 'r'", 31),
        (Form.PLAYSTRATEGY, "SSSSS/6/7/8/9/8/7/6/sssss 0 0 b 0 0", "move number", 35),
        (Form.APGN, "wwwww/6/7/8/9/8/7/6/bbbbb", "ends before", 26),
        (Form.APGN, "wwwww/6/7/8/9/8/7/6/bbbbb-5b b", "'5b' is not a count", 27),
        (Form.APGN, "wwwww/6/7/8/9/8/7/6/bbbbb- b", "'' is not a count", 27),
        (Form.APGN, "wwwww/6/7/8/9/8/7/6/bbbbbb b", "row a is too long", 26),
        (Form.APGN, "wwwww/6/7/8/9/8/7/6/bbbbb B", "side to move 'B'", 27),
        (Form.KAA, "0a12", "one _ between", None),
        (Form.KAA, "a12_0a3", "black's half starts with one digit", 1),
        (Form.KAA, "12a1_0a3", "black's half starts with one digit", 1),
        (Form.KAA, "0a12_a3", "white's half starts with one digit", 6),
        (Form.KAA, "0a16_0i9", "a6 is not a cell", 4),
        (Form.KAA, "0a12_0i99", "i9 is named twice", 9),
        (Form.KAA, "0a12_0j1", "'j' should be a row", 7),
        (Form.KAA, "0a12_0a2", "two marbles lie on a2", None),
        (Form.KAA, "0ab1_0a2", "'a' should be a row", 2),
    ],
)
def test_a_bad_text_is_named_with_its_column(form, text, words, column):
    with pytest.raises(PositionError, match=words) as caught:
        Position.parse(text, form)
    assert caught.value.column == column


@pytest.mark.parametrize("form", FOREIGN)
def test_other_modes_have_no_foreign_text(form):
    with pytest.raises(PositionError, match="for two players; this is a position of mode three"):
        Board(mode="three").position.text(form)


def test_kaa_refuses_what_it_has_no_words_for():
    with pytest.raises(PositionError, match="requires black to move"):
        Position.parse("5/6/7/8/9/8/7/6/b4 w", Form.APGN).text(Form.KAA)
    with pytest.raises(PositionError, match="one digit for the 10 marbles black has lost"):
        Position.parse("5/6/7/8/9/8/7/6/b4-10b0w b", Form.APGN).text(Form.KAA)


def test_playstrategy_refuses_a_ply_that_is_not_the_movers():
    start = Position((1, 2), WHITE, (0, 0), ply=1)
    with pytest.raises(PositionError, match="white can't be to move at ply 1"):
        start.text(Form.PLAYSTRATEGY)


@pytest.mark.parametrize("form", FOREIGN)
@given(text=st.text(alphabet="abceiSsw123459/_- \n٣é", max_size=60))
def test_any_text_is_a_position_or_a_position_error(form, text):
    try:
        position = Position.parse(text, form)
    except PositionError:
        return
    again = position.text(form)
    assert Position.parse(again, form) == position
