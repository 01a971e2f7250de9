"""The verbs of a board, a position and a move that are not rules of the game."""

import copy
import pickle
import random

import pytest

import sumito
from sumito import (
    BLACK,
    MOVES,
    SYMMETRIES,
    WHITE,
    Board,
    ColourError,
    IllegalMoveError,
    Mode,
    Move,
    Notation,
    Position,
    PositionBuilder,
    PositionError,
    Rules,
)
from sumito.game.clock import Control


def played(*texts, **options):
    board = Board(**options)
    for text in texts:
        board.push_text(text)
    return board


def test_push_text_plays_what_it_reads_in_any_notation():
    board = Board()
    assert board.push_text("a1b2") is Move.parse("a1b2")
    assert board.push_text("i9f6", notation="nacre") is Move.parse("i9h8")
    with pytest.raises(IllegalMoveError):
        board.push_text("a1b2")
    assert len(board.moves) == 2


def test_peek_shows_the_last_move_and_root_the_first_board():
    board = played("a1b2", "i9h8")
    assert board.peek() is Move.parse("i9h8")
    assert board.root() == Board()
    assert board.root().moves == ()
    assert board.moves == (Move.parse("a1b2"), Move.parse("i9h8"))
    with pytest.raises(IndexError):
        Board().peek()


def test_check_says_why_a_move_may_not_be_played_and_changes_nothing():
    board = Board()
    assert board.check(Move.parse("a1b2")) is None
    with pytest.raises(IllegalMoveError, match="no marble on e5"):
        board.check(Move.parse("e5e6"))
    assert board == Board()


@pytest.mark.parametrize(
    ("board", "result"),
    [
        (Board(), "*"),
        (Board(captured=(6, 0)), "1-0"),
        (Board(captured=(0, 6)), "0-1"),
        (Board(mode="three", captured=(0, 0, 6)), "0-0-1"),
        (Board(mode="teams", captured=(0, 6)), "0-1"),
        (played("a1b2", rules=Rules(ply_limit=1)), "1/2-1/2"),
    ],
)
def test_the_result_is_written_as_records_write_it(board, result):
    assert board.result() == result
    assert board.is_over() is (result != "*")


def test_a_copy_without_history_is_the_same_board_with_nothing_to_take_back():
    board = played("a1b2", "i9h8")
    bare = board.copy(history=False)
    assert bare == board
    assert bare.moves == ()
    bare.push_text("b2c3")
    assert board.moves == (Move.parse("a1b2"), Move.parse("i9h8"))


def test_a_random_legal_move_can_be_chosen():
    board = Board()
    rng = random.Random(1)
    assert {rng.choice(board.legal_moves) for _ in range(2000)} == set(board.legal_moves)
    assert board.legal_moves[0] is next(iter(board.legal_moves))
    assert board.legal_moves[-2:] == list(board.legal_moves)[-2:]
    with pytest.raises(IndexError):
        board.legal_moves[44]


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize("mode", Mode)
def test_a_line_is_read_as_it_was_written(notation, mode):
    rng = random.Random(3)
    board = Board(mode=mode)
    walk, moves = board.copy(), []
    for _ in range(60):
        moves.append(rng.choice(walk.legal_moves))
        walk.push(moves[-1])
    text = board.variation_text(moves, notation=notation)
    assert board.parse_variation(text, notation=notation) == moves
    assert board.moves == ()


def test_a_line_may_have_move_numbers():
    assert Board().parse_variation("1. a1b2 i9h8 2. b2c3") == Board().parse_variation(
        "a1b2 i9h8 b2c3"
    )
    with pytest.raises(IllegalMoveError):
        Board().parse_variation("1. a1b2 a2b3")


def test_moves_order_by_their_index():
    shuffled = random.Random(1).sample(MOVES, len(MOVES))
    assert sorted(shuffled) == list(MOVES)
    one, other = MOVES[3], MOVES[4]
    assert one < other
    assert one <= other
    assert other > one
    assert other >= one
    assert max(MOVES) is MOVES[-1]
    with pytest.raises(TypeError):
        assert one < 4


@pytest.mark.parametrize("value", [*MOVES[::200], *SYMMETRIES], ids=str)
def test_what_exists_once_is_copied_and_pickled_as_itself(value):
    assert pickle.loads(pickle.dumps(value)) is value
    assert copy.copy(value) is value
    assert copy.deepcopy(value) is value


@pytest.mark.parametrize("mode", Mode)
def test_a_board_is_pickled_with_its_rules_and_history(mode):
    rng = random.Random(5)
    board = Board(mode=mode, rules=Rules(repetition=2))
    for _ in range(30):
        if board.is_over():
            break
        board.push(rng.choice(board.legal_moves))
    twin = pickle.loads(pickle.dumps(board))
    assert (twin, twin.moves, twin.occurrences()) == (board, board.moves, board.occurrences())
    assert twin.root() == board.root()
    if mode is Mode.THREE:
        board.leave(BLACK)
        assert pickle.loads(pickle.dumps(board)).eliminated == {BLACK}


def test_a_board_changes_so_it_has_no_hash_but_its_position_has():
    with pytest.raises(TypeError, match="unhashable"):
        hash(Board())
    assert len({Board().position, Board().position, played("a1b2").position}) == 2


TEXTS = [
    "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1",
    "5/6/7/8/2bbw4/8/7/6/5 w 3,1 4 12",
    "5/6/7/8/2brw4/8/7/6/5 w 3,1,0 4 12 three out:b",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_position_is_a_value_that_reads_what_it_writes(text):
    position = Position.parse(text)
    assert str(position) == text
    assert Board.at(position).position == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert f"{position}" == position.text()


@pytest.mark.parametrize("text", ["-", "900", "600+5", "600d3"])
def test_a_time_control_reads_what_it_writes(text):
    assert str(Control.parse(text)) == text


def test_a_position_is_built_marble_by_marble():
    builder = PositionBuilder(mode="three")
    builder.set("e5", "red")
    builder.set("e6", BLACK)
    builder.set("e6", WHITE)
    builder.turn, builder.captured = WHITE, [1, 2, 3]
    assert str(builder.position) == "5/6/7/8/4rw3/8/7/6/5 w 1,2,3 0 1 three"
    assert builder["e5"] is sumito.RED
    assert builder.remove("e5") is sumito.RED
    assert builder.remove("e5") is None
    builder.clear()
    assert str(builder.position) == "5/6/7/8/9/8/7/6/5 w 1,2,3 0 1 three"


def test_a_builder_starts_from_a_position_and_leaves_it_as_it_was():
    start = Board().position
    builder = start.edit()
    builder.remove("a1")
    assert builder.position != start == Board().position
    assert start.edit().position == start


def test_a_builder_says_what_cannot_stand():
    builder = Board().position.edit()
    with pytest.raises(ColourError, match="mode two has no red marbles"):
        builder.set("e5", "red")
    with pytest.raises(ColourError, match="'green' is not a colour"):
        builder.set("e5", "green")
    with pytest.raises(sumito.CellError, match="'z9' is not a cell"):
        builder.remove("z9")
    builder.set("e5", "black")
    with pytest.raises(PositionError, match="black has 15 marbles"):
        _ = builder.position


def test_the_last_effect_is_that_of_the_last_move():
    board = Board.parse("5/6/7/8/6bbw/8/7/6/5 b 0,0 0 1")
    move = board.push_text("e7e8")
    effect = board.last_effect()
    assert (effect.move, effect.ejected) == (move, WHITE)
    assert Board().last_effect() is None


def test_the_package_shows_all_that_it_has():
    assert {"Engine", "Game", "record", "svg", "layouts"} <= set(dir(sumito))
    assert set(sumito.__all__) <= set(dir(sumito))


def test_the_module_of_layouts_is_not_hidden():
    import sumito

    assert sumito.layouts.get("belgian-daisy").name == "Belgian Daisy"
