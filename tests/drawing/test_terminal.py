"""The board in a terminal: every marble in its place, with colours and without."""

import re

import pytest

import sumito
from sumito import BLUE, RED, WHITE, Board, Mode
from sumito.drawing import terminal
from sumito.drawing.terminal import Glyphs, Palette, Show

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def hexagon(drawn):
    return "\n".join(drawn.split("\n")[:10])


def test_plain_text_shows_rows_from_i_to_a_with_their_letters_and_digits():
    assert (
        hexagon(terminal.board(Board(mode="teams")))
        == """\
      i r r r r .
     h . r r r . u
    g . . r r . u u
   f . . . . . u u u
  e w w w . . . u u u
   d w w w . . . . . 9
    c w w . b b . . 8
     b w . b b b . 7
      a . b b b b 6
         1 2 3 4 5"""
    )


def test_str_of_a_board_is_its_plain_text():
    assert str(Board()) == terminal.board(Board())
    assert str(Board()).isascii()


@pytest.mark.parametrize(
    ("mode", "score"),
    [
        ("two", "by black: 0, by white: 0"),
        ("three", "by black: 0, by white: 0, by red: 0"),
        ("teams", "by black+red: 0, by white+blue: 0"),
    ],
)
def test_the_lines_below_tell_the_score_and_whose_turn_it_is(mode, score):
    assert terminal.board(Board(mode=mode)).endswith(f"\nejected {score}\nblack to move")


@pytest.mark.parametrize(
    ("position", "status"),
    [
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,6 0 9", "white wins (6 marbles ejected)"),
        ("rrr2/6/7/8/9/8/7/6/bbb2 b 6,0 0 9 teams", "black+red win (6 marbles ejected)"),
        ("5/6/7/8/9/8/7/6/5 b 0,0,0 0 9 three", "draw (no move left)"),
    ],
)
def test_the_last_line_tells_how_a_game_ended(position, status):
    assert terminal.board(Board.parse(position)).split("\n")[-1] == status


def test_without_anything_to_show_only_the_cells_remain():
    drawn = terminal.board(Board(), show=Show.NOTHING)
    assert len(drawn.split("\n")) == 9
    assert not re.search(r"[0-9ac-hi]", drawn)


def test_the_last_move_brackets_what_moved_and_dots_what_it_left():
    board = Board()
    board.push(board.parse_move("c3c5d4"))
    lines = terminal.board(board, last_move=board.last_effect()).split("\n")
    assert lines[5] == "   d . . .[b b b]. . 9"
    assert lines[6] == "    c . . : : : . . 8"
    assert lines[10] == "last move: c3c5d4"


def test_the_last_move_brackets_pushed_marbles_too():
    board = Board.parse("5/6/7/8/2bbbww2/8/7/6/5 b 0,0 0 1")
    move = board.parse_move("e3e4")
    board.push(move)
    assert "  e . . :[b b b w w]." in terminal.board(board, last_move=move)


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("mode", Mode)
def test_colours_change_nothing_but_colours(mode, palette):
    board = Board(mode=mode)
    painted = terminal.board(board, palette=palette, glyphs=Glyphs.LETTERS)
    assert [line.rstrip() for line in ANSI.sub("", painted).split("\n")] == str(board).split("\n")
    assert (palette is Palette.NONE) == (painted == ANSI.sub("", painted))


@pytest.mark.parametrize("palette", [Palette.ANSI256, Palette.TRUECOLOUR])
def test_every_colour_is_reset_before_the_line_ends(palette):
    for line in terminal.board(Board(), palette=palette).split("\n"):
        codes = ANSI.findall(line)
        assert codes[1::2] == ["\x1b[0m"] * (len(codes) // 2)
        assert len(codes) % 2 == 0


@pytest.mark.parametrize("palette", [Palette.ANSI256, Palette.TRUECOLOUR])
def test_four_colours_of_marbles_are_four_colours_in_a_terminal(palette):
    painted = terminal.board(Board(mode="teams"), palette=palette)
    codes = set(re.findall(r"(\x1b\[[0-9;]*m)●", painted))
    assert len(codes) == 4


def test_signs_without_colour_tell_four_players_apart():
    drawn = terminal.board(Board(mode="teams"), glyphs="marbles")
    assert {sign: drawn.count(sign) for sign in "●○◆◇"} == dict.fromkeys("●○◆◇", 9)


def test_letters_on_coloured_marbles_on_request():
    drawn = ANSI.sub("", terminal.board(Board(), palette="ansi256", show=Show.LETTERS))
    assert (drawn.count("b"), drawn.count("w"), drawn.count("●")) == (14, 14, 0)


@pytest.mark.parametrize(("mode", "colour"), [("two", WHITE), ("three", RED), ("teams", BLUE)])
def test_the_colour_that_the_board_is_turned_to_sits_at_the_bottom(mode, colour):
    lines = terminal.board(Board(mode=mode), orientation=colour, show=Show.NOTHING).split("\n")
    assert set(lines[-1].split()) - {"."} == {colour.letter}


def test_a_turned_board_keeps_its_cells_beside_their_letters():
    lines = terminal.board(Board(), orientation=WHITE).split("\n")
    assert lines[1] == "     6 b b b b b a"
    assert lines[9] == "       w w w w w i"


def test_an_unknown_palette_is_refused():
    with pytest.raises(ValueError, match="purple"):
        terminal.board(Board(), palette="purple")


def test_every_layout_can_be_drawn():
    for layout in sumito.layouts.of():
        board = Board(layout=layout)
        drawn = terminal.board(board, show=Show.NOTHING)
        assert drawn.count("b") == len(board.marbles(sumito.BLACK))
        assert drawn.count("w") == len(board.marbles(sumito.WHITE))
