"""The start positions that ship with the package."""

import pytest

from sumito import BLACK, BLUE, RED, SYMMETRIES, WHITE, Board, Layout, LayoutError, Mode, ModeError
from sumito.rules import layouts
from sumito.rules.layouts import find
from sumito.rules.layouts import get as get_layout

FOR_TWO = list(layouts.of("two").values())
ALL = [layout for mode in Mode for layout in layouts.of(mode).values()]


def by_id(layout: Layout) -> str:
    return f"{layout.mode}-{layout.id}"


def cells(text: str) -> set[str]:
    return set(text.split())


def names(board: Board, colour: int) -> set[str]:
    return {str(cell) for cell in board.marbles(colour)}


def test_there_are_66_layouts_for_two_and_one_for_each_other_mode() -> None:
    assert len(FOR_TWO) == 66
    assert [len(layouts.of(mode)) for mode in ("three", "teams", "teams-double")] == [1, 1, 1]


@pytest.mark.parametrize("layout", ALL, ids=by_id)
def test_a_layout_is_on_the_board_and_round_trips_as_text(layout: Layout) -> None:
    board = Board(layout.id, mode=layout.mode)
    assert Board.parse(str(board.position)) == board
    assert tuple(board.marbles_mask(colour) for colour in layout.mode.colours) == layout.marbles
    assert board.turn is BLACK
    assert (board.quiet, board.ply, set(board.captured)) == (0, 1, {0})
    assert board.outcome() is None
    assert board.legal_moves


@pytest.mark.parametrize("layout", ALL, ids=by_id)
def test_a_layout_is_found_by_its_marbles_and_by_its_id(layout: Layout) -> None:
    assert find(layout.marbles, layout.mode) == layout
    assert get_layout(layout.id, layout.mode) is layout


@pytest.mark.parametrize("layout", ALL, ids=by_id)
def test_a_layouts_id_can_be_typed_and_its_name_read(layout: Layout) -> None:
    assert layout.name.strip() == layout.name != ""
    assert set(layout.id) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")


def test_no_two_layouts_for_two_have_the_same_marbles() -> None:
    assert len({layout.marbles for layout in FOR_TWO}) == len(FOR_TWO)


def can_swap_colours(layout: Layout) -> bool:
    black, white = layout.marbles
    return any(
        symmetry.mask(black) == white and symmetry.mask(white) == black for symmetry in SYMMETRIES
    )


@pytest.mark.parametrize("layout", FOR_TWO, ids=by_id)
def test_a_layout_is_called_fair_just_when_a_symmetry_swaps_the_colours(layout: Layout) -> None:
    assert layout.fair is can_swap_colours(layout)


def test_each_player_has_14_marbles_save_in_five_layouts() -> None:
    odd = {
        layout.id: tuple(mask.bit_count() for mask in layout.marbles)
        for layout in FOR_TWO
        if [mask.bit_count() for mask in layout.marbles] != [14, 14]
    }
    assert odd == {
        "atomouche": (12, 12),
        "corners": (13, 13),
        "coffee-or-milk": (14, 13),
        "the-arrow": (14, 13),
        "sibe": (15, 15),
    }


def test_the_standard_layout_is_the_rulebooks() -> None:
    board = Board()
    assert board == Board("standard")
    assert names(board, BLACK) == cells("a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 b6 c3 c4 c5")
    assert names(board, WHITE) == cells("i5 i6 i7 i8 i9 h4 h5 h6 h7 h8 h9 g5 g6 g7")
    assert str(board.position) == "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1"


def test_three_players_have_11_marbles_each_at_the_bottom_and_both_upper_sides() -> None:
    board = Board(mode="three")
    assert [len(board.marbles(colour)) for colour in (BLACK, WHITE, RED)] == [11, 11, 11]
    assert names(board, BLACK) == cells("a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 b6")
    for colour, corner in ((WHITE, "i5"), (WHITE, "e1"), (RED, "i9"), (RED, "e9")):
        assert board[corner] is colour


@pytest.mark.parametrize("mode", ["teams", "teams-double"])
def test_four_players_have_9_marbles_each_bottom_left_top_right(mode: str) -> None:
    board = Board(mode=mode)
    assert [len(board.marbles(colour)) for colour in (BLACK, WHITE, RED, BLUE)] == [9, 9, 9, 9]
    half_turn = SYMMETRIES[3]
    assert half_turn.mask(board.marbles_mask(BLACK)) == board.marbles_mask(RED)
    assert half_turn.mask(board.marbles_mask(WHITE)) == board.marbles_mask(BLUE)
    assert board["a5"] is BLACK
    assert board["i5"] is RED
    assert board["e1"] is WHITE
    assert board["e9"] is BLUE


def test_both_team_modes_start_alike() -> None:
    one, other = Board(mode="teams"), Board(mode="teams-double")
    for colour in (BLACK, WHITE, RED, BLUE):
        assert one.marbles(colour) == other.marbles(colour)


def test_an_unknown_layout_gets_a_suggestion() -> None:
    with pytest.raises(LayoutError) as caught:
        Board("belgian-dasy")
    assert "no layout 'belgian-dasy' for mode two; did you mean belgian-daisy" in str(caught.value)


def test_a_layout_of_another_mode_is_named_as_such() -> None:
    with pytest.raises(LayoutError, match="no layout 'standard' for mode teams; it is one of mode"):
        Board("standard", mode="teams")


def test_an_unlike_name_is_told_how_many_there_are() -> None:
    with pytest.raises(LayoutError, match="there are 66"):
        Board("zzzzzzz")


def test_an_unknown_mode_is_told_which_there_are() -> None:
    with pytest.raises(ModeError, match="'four' is not a mode; modes are two, three, teams,"):
        Board(mode="four")


def test_the_list_of_layouts_is_the_callers_own() -> None:
    layouts.of().clear()
    assert len(layouts.of()) == 66
