"""Every figure of the rulebooks, as a position that the library must see as its caption does.

The shapes (arc, block, lance, shield) are figures of words, not of rules: here their cells are
checked to be what the caption says, and naming them is the business of `formations`.
"""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from sumito import BLACK, RED, WHITE, Board, Cell, Direction, IllegalMoveError, IllegalReason, Move
from sumito.rules import formations as fm
from sumito.rules import layouts
from sumito.rules.cells import distance
from sumito.rules.formations import Word
from sumito.teaching import figures, words
from support.scenes import names, place

FIGURES = json.loads(
    Path(__file__).parents[1].joinpath("data").joinpath("figures.json").read_text("utf-8")
)["figures"]
PLAYED = sorted(key for key, figure in FIGURES.items() if "mover" in figure)


def board_of(figure: dict[str, list[str]]) -> Board:
    return place(turn=figure["mover"], black=figure["black"], white=figure["white"])


def pushes(board: Board) -> set[str]:
    return {str(move) for move in board.legal_moves if board.effect(move).pushed}


def why_not(board: Board, move: str) -> IllegalReason:
    with pytest.raises(IllegalMoveError) as caught:
        board.push(Move.parse(move))
    return caught.value.reason


def test_all_figures_are_spoken_for() -> None:
    others = {"A1", "A9", "A9b", "A10", "A11", "A12", "A13", "A14", "S6"}
    assert set(FIGURES) == {*PLAYED, *others}


@pytest.mark.parametrize("key", PLAYED)
def test_the_moves_of_a_figure_are_legal_or_not_as_its_caption_says(key: str) -> None:
    figure = FIGURES[key]
    board = board_of(figure)
    assert names(board) >= set(figure.get("legal", ()))
    assert names(board).isdisjoint(figure.get("illegal", ()))
    if "nopush" in figure:
        assert pushes(board) == set()
        assert names(board)


def test_figure_a1_the_start_for_two() -> None:
    assert FIGURES["A1"]["layout"] == "standard"
    assert Board() == Board("standard")


def test_figure_a2_a_marble_goes_six_ways_and_rows_of_two_and_three_two_ways_in_line() -> None:
    moves = names(board_of(FIGURES["A2_foxmind"]))
    assert {move for move in moves if move.startswith("g4")} == {
        *("g4g5", "g4h5", "g4h4", "g4g3", "g4f3", "g4f4")
    }
    assert {"e7f8", "f8e7", "b2b3", "b4b3"} <= moves


def test_figure_a2_in_line_the_whole_row_goes_one_cell() -> None:
    board = board_of(FIGURES["A2_foxmind"])
    board.push(Move.parse("b2b3"))
    assert [board[cell] for cell in ("b2", "b3", "b4", "b5")] == [None, WHITE, WHITE, WHITE]


@pytest.mark.parametrize(
    ("move", "leaves", "reaches"),
    [
        ("h5h7i6", "h5 h6 h7", "i6 i7 i8"),
        ("c2e4d2", "c2 d3 e4", "d2 e3 f4"),
        ("b4b5a3", "b4 b5", "a3 a4"),
    ],
)
def test_figure_a3_side_steps_go_across_the_row(move: str, leaves: str, reaches: str) -> None:
    board = board_of(FIGURES["A3_foxmind"])
    board.push(Move.parse(move))
    assert all(board[cell] is None for cell in leaves.split())
    assert all(board[cell] is WHITE for cell in reaches.split())


def test_figure_a4_1_no_push_when_the_cell_behind_is_taken() -> None:
    assert why_not(board_of(FIGURES["A4.1"]), "e1e2") is IllegalReason.BLOCKED


def test_figure_a4_2_no_push_across_a_gap_the_row_only_closes_up() -> None:
    board = board_of(FIGURES["A4.2"])
    assert board.effect(Move.parse("g3g4")).pushed == ()
    board.push(Move.parse("g3g4"))
    assert board["g6"] is WHITE


def test_figure_a4_3_no_push_off_the_line() -> None:
    board = board_of(FIGURES["A4.3"])
    board.push(Move.parse("c2c3"))
    assert board["d5"] is WHITE


@pytest.mark.parametrize(
    ("key", "after_black", "after_white"),
    [
        ("A5", "e4 e5", "e6"),
        ("A6", "e3 e4 e5", "e6"),
        ("A7_foxmind", "c3 c4 c5", "c6 c7"),
        ("A7bis", "e1 e3 e4 e5", "e6 e7"),
        ("A8", "e8 e9", ""),
        ("S7", "e3 e4 e5 d5 e6", "f7 e7 e8"),
    ],
)
def test_figures_a5_to_a8_and_s7_what_a_sumito_moves(
    key: str, after_black: str, after_white: str
) -> None:
    board = board_of(FIGURES[key])
    (move,) = FIGURES[key]["legal"]
    board.push(Move.parse(move))
    assert {str(cell) for cell in board.marbles(BLACK)} == set(after_black.split())
    assert {str(cell) for cell in board.marbles(WHITE)} == set(after_white.split())


def test_figure_a7bis_of_four_against_two_three_move_and_the_fourth_stays() -> None:
    board = board_of(FIGURES["A7bis"])
    assert why_not(board, "e1e2") is IllegalReason.FOUR
    board.push(Move.parse("e2e3"))
    assert board["e1"] is BLACK


def test_figure_a8_a_marble_pushed_onto_the_rim_is_out() -> None:
    board = board_of(FIGURES["A8"])
    effect = board.effect(Move.parse("e7e8"))
    assert effect.ejected is WHITE
    assert str(effect.pushed[-1]) == FIGURES["A8"]["ejects"]
    board.push(effect.move)
    assert board.marbles(WHITE) == ()
    assert board.captured == (1, 0)


@pytest.mark.parametrize(("key", "mode"), [("A9", "three"), ("A10", "teams")])
def test_figures_a9_and_a10_the_starts_for_more_players(key: str, mode: str) -> None:
    assert FIGURES[key]["layout"] in {"three_player", "four_player"}
    assert len(layouts.of(mode)) == 1
    assert Board(mode=mode).outcome() is None


def test_figure_a9b_three_push_two_of_different_colours() -> None:
    figure = FIGURES["A9b"]
    board = place(mode="three", black=figure["own"], white=figure["opp1"], red=figure["opp2"])
    board.push(Move.parse("e2e3"))
    assert [board[cell] for cell in ("e6", "e7")] == [WHITE, RED]


@pytest.mark.parametrize("example", FIGURES["A11"]["examples"])
@pytest.mark.parametrize("mode", ["teams", "teams-double"])
def test_figure_a11_team_sumitos_need_the_rear_marble_to_be_ones_own(
    mode: str, example: dict[str, list[str]]
) -> None:
    board = place(
        mode=mode,
        black=example["own"],
        red=example["partner"],
        white=example["opp1"],
        blue=example.get("opp2", ""),
    )
    rear = min(example["own"] + example["partner"])
    move = Move.in_line(Cell.parse(rear), Direction.E)
    if example.get("illegal"):
        assert why_not(board, str(move)) is IllegalReason.PARTNER_REAR
    else:
        opposing = len(example["opp1"]) + len(example.get("opp2", ""))
        assert len(board.effect(move).pushed) == opposing


def bends(cells: list[str]) -> list[int]:
    """How far apart each two of three marbles lie, nearest first."""
    one, two, three = map(Cell.parse, cells)
    return sorted((distance(one, two), distance(two, three), distance(one, three)))


def test_figures_a12_and_a14_the_three_triples() -> None:
    triples = FIGURES["A14"]
    assert bends(FIGURES["A12"]["black"]) == bends(triples["arc"])
    assert bends(triples["shield"]) == [1, 1, 1]
    assert bends(triples["lance"]) == bends(triples["arc"]) == [1, 1, 2]
    in_a_line = {Cell.parse(b) - Cell.parse(a) for a, b in pairwise(triples["lance"])}
    assert len(in_a_line) == 1
    assert len({Cell.parse(b) - Cell.parse(a) for a, b in pairwise(triples["arc"])}) == 2


def test_figure_a14_shows_three_shapes_that_do_not_touch() -> None:
    (drawn,) = figures()["triples"]
    found = {triple.shape: set(map(str, triple.cells)) for triple in fm.triples(drawn.board, BLACK)}
    shapes = {Word.LANCE: "lance", Word.ARC: "arc", Word.SHIELD: "shield"}
    assert found == {word: set(FIGURES["A14"][name]) for word, name in shapes.items()}
    glossary = {word.id: word for word in words()}
    for name in ("lance", "shield"):
        assert set(map(str, glossary[name].cells)) == set(FIGURES["A14"][name])


def test_figure_a13_the_block_is_three_parallel_rows_of_three() -> None:
    cells = FIGURES["A13"]["black"]
    rows = {row: sorted(cell[1] for cell in cells if cell[0] == row) for row in "def"}
    assert rows == {row: ["4", "5", "6"] for row in "def"}


@pytest.mark.parametrize("row", FIGURES["S6"]["rows"], ids=lambda row: f"{len(row['black'])}")
def test_figure_s6_equal_rows_are_a_pac_and_neither_pushes(row: dict[str, list[str]]) -> None:
    size = len(row["black"])
    board = place(**row)
    assert pushes(board) == set()
    with pytest.raises(IllegalMoveError) as caught:
        board.push(Move.in_line(Cell.parse(row["black"][0]), Direction.E))
    assert caught.value.reason is IllegalReason.PAC
    assert f"no sumito: {size} against {size} is a pac" in str(caught.value)
    assert pushes(place(turn="w", **row)) == set()


def test_figure_s7_a_pac_is_broken_by_a_push_on_another_line() -> None:
    board = board_of(FIGURES["S7"])
    assert why_not(board, "e3e4") is IllegalReason.PAC
    board.push(Move.parse("c4d5"))
    broken = place(black=map(str, board.marbles(BLACK)), white=map(str, board.marbles(WHITE)))
    assert list(map(str, broken.effect(Move.parse("e4e5")).pushed)) == ["e7", "e8"]
