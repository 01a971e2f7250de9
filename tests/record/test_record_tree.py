"""Records as trees to walk and edit, what other programs write in them, and hostile files."""

import copy
import itertools
import pickle
import subprocess
import sys
import textwrap

import pytest

from sumito import BLACK, Board, IllegalMoveError, Move, record
from sumito.record import Record, RecordError, files
from support.optional_parts import REASONS
from support.records import TAGS, random_game, text


def one(moves, **tags):
    (game,) = record.parse(text(moves, **tags))
    return game


def again(game):
    (read,) = record.parse(record.write(game))
    return read


A1B2, A2B3, I9H8 = map(Move.parse, ("a1b2", "a2b3", "i9h8"))


def test_a_record_is_built_move_by_move():
    game = Record.new(tags={"Black": "Ann"})
    first = game.root.add(A1B2, comment="a start", clock=9_000, evaluation=0.25, nags=[1])
    first.add_line([I9H8, Move.parse("b2c3")])
    assert [str(move) for move in game.moves] == ["a1b2", "i9h8", "b2c3"]
    assert again(game) == game
    assert "1. a1b2 $1 {[%clk 0:00:09] [%eval 0.25] a start} 1... i9h8 2. b2c3 *" in (
        record.write(game)
    )


def test_a_move_that_is_there_already_is_not_added_twice():
    game = Record.new()
    node = game.root.add(A1B2, comment="one", nags=[1])
    assert game.root.add(A1B2, comment="two", nags=[1, 3]) is node
    assert (node.comment, node.nags, len(game.root.children)) == ("one two", (1, 3), 1)
    assert game.root.add_line([A1B2, I9H8]).parent is node


def test_variations_are_promoted_and_deleted():
    game = one("1. a1b2 (1. a2b3 i9h8) i9h8 *")
    other = game.root.variations[0]
    other.promote()
    assert [str(move) for move in game.moves] == ["a2b3", "i9h8"]
    assert again(game) == game
    other.delete()
    assert game.moves == (A1B2, I9H8)
    for change in (game.root.delete, game.root.promote):
        with pytest.raises(RecordError, match="root"):
            change()


def test_a_node_knows_its_board_with_the_history():
    game = one("1. a1b2 (1. a2b3 i9h8) i9h8 *")
    node = game.root.variations[0].next
    board = node.board()
    assert board.moves == (A2B3, I9H8)
    assert [one.move for one in node.path()] == [A2B3, I9H8]
    assert node.root is game.root
    assert game.root.board() == Board()


def test_an_illegal_move_is_not_added():
    game = Record.new()
    with pytest.raises(IllegalMoveError):
        game.root.add(I9H8)
    with pytest.raises(IllegalMoveError):
        game.root.add_line([A1B2, A2B3])
    assert record.write(Record.new())


def test_all_nodes_are_walked_line_first():
    game = one("1. a1b2 (1. a2b3 i9h8) (1. a3b4) i9h8 *")
    assert [str(node.move) for node in game.root.walk()] == [
        "a1b2",
        "i9h8",
        "a2b3",
        "i9h8",
        "a3b4",
    ]


def test_evaluations_can_be_put_into_a_record():
    game = one("1. a1b2 i9h8 *")
    for number, node in enumerate(game.nodes):
        node.evaluation = number - 0.5
    assert again(game).evaluations == (-0.5, 0.5)


@pytest.mark.parametrize(
    ("moves", "nags"),
    [
        ("1. a1b2! i9h8 *", (1,)),
        ("1. a1b2?! i9h8 *", (6,)),
        ("1. a1b2 !? i9h8 *", (5,)),
        ("1. a1b2 $146 $2 i9h8 *", (146, 2)),
        ("1. a1b2!! {yes} $3 1... i9h8 *", (3,)),
    ],
)
def test_annotations_of_other_programs_are_read_and_written_back(moves, nags):
    game = one(moves)
    assert game.nodes[0].nags == nags
    assert again(game).nodes[0].nags == nags


@pytest.mark.parametrize("wrong", ["!!!", "$256", "$99999999999999", "$", "?!?"])
def test_an_annotation_that_is_none_is_named(wrong):
    with pytest.raises(RecordError, match=r"annotation|is not a move"):
        one(f"1. a1b2 {wrong} i9h8 *")
    with pytest.raises(RecordError, match="must follow the move"):
        one("1. ! a1b2 *")


def test_the_rest_of_a_line_after_a_semicolon_is_a_comment():
    game = one("1. a1b2 ; well played\n1... i9h8 ; the end { of it\n*".replace("{ ", ""))
    assert game.comments == ("well played", "the end of it")
    assert again(game) == game


def test_an_evaluation_with_the_depth_of_its_search_is_read():
    assert one("1. a1b2 {[%eval 1.25,12]} *").evaluations == (1.25,)


def test_what_is_said_before_a_variation_stays_there():
    game = one("{Start.} 1. a1b2 ({or} 1. a2b3 {so}) *")
    assert game.root.comment == "Start."
    (other,) = game.root.variations
    assert (other.opening_comment, other.comment) == ("or", "so")
    assert again(game) == game


def test_a_record_is_copied_and_pickled_however_long_it_is():
    board = Board()
    back_and_forth = itertools.cycle(["a1b2", "i9h8", "d4c3", "f6g7"])
    for move in itertools.islice(back_and_forth, 4_000):
        board.push_text(move)
    game = Record.from_board(board)
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert twin == game
        assert twin.root is not game.root
        assert twin.nodes[-1].board() == board


def test_a_record_changes_so_it_has_no_hash():
    with pytest.raises(TypeError, match="unhashable"):
        hash(Record(TAGS))


def test_a_node_without_a_record_has_no_board():
    with pytest.raises(RecordError, match="belongs to a record"):
        record.Node(A1B2).board()


def test_boards_share_their_history():
    """Each board of a game can take back every move, and none copies what came before."""
    game = Record.from_board(random_game(3, plies=60))
    boards = list(game.boards())
    assert [len(board.moves) for board in boards] == list(range(61))
    boards[30].pop()
    assert len(boards[30].moves) == 29
    assert len(boards[31].moves) == 31
    assert boards[-1].root() == boards[0]


def test_a_files_name_is_read_as_a_file_and_a_text_is_refused(tmp_path):
    path = tmp_path / "games.apgn"
    record.write(one("1. a1b2 *"), path)
    assert next(record.read(str(path))) == next(record.read(path)) == one("1. a1b2 *")
    with pytest.raises(FileNotFoundError):
        list(record.read("games.apgn"))
    with pytest.raises(RecordError, match="use parse for texts"):
        record.read(text())
    record.write(one("1. a1b2 *"), str(path))
    assert len(list(record.read(path))) == 1


# Hostile files.

HOSTILE = {
    "tag": b'[Event "' + b"x" * 8_000_000 + b'"]\n',
    "quotes": b'[Event "' + b'\\"' * 4_000_000 + b'"]\n',
    "word": b'[Event "x"]\n\n' + b"x" * 8_000_000 + b"\n",
    "comment": b'[Event "x"]\n\n{' + b"x y " * 2_000_000 + b"}\n",
    "lines": b'[Event "x"]\n\n' + b"x y z\n" * 1_500_000,
    "comments": b'[Event "x"]\n\n' + b"{a} " * 2_000_000 + b"\n",
}

MEASURE = textwrap.dedent("""
    import resource, sys
    from sumito import record
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    games = faults = 0
    for game in record.read(sys.argv[1], errors="collect"):
        games += 1
        faults += len(game.errors)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(games, faults, used // 1024)
""")


@pytest.mark.skipif(sys.platform != "linux", reason=REASONS["linux"])
@pytest.mark.parametrize("kind", list(HOSTILE))
def test_a_hostile_file_is_refused_in_little_memory_and_the_next_game_is_read(kind, tmp_path):
    path = tmp_path / "hostile.apgn"
    path.write_bytes(HOSTILE[kind] + b"\n" + text("1. a1b2 *").encode())
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, path], capture_output=True, text=True, check=True
    )
    games, faults, megabytes = map(int, done.stdout.split())
    assert games == 2
    assert faults >= 1
    assert megabytes < 100
    with pytest.raises(RecordError, match="characters"):
        list(record.read(path))


def test_a_long_line_is_bounded_in_a_text_too():
    whole = text("1. a1b2 {" + "x" * (files.LONGEST_GAME + 10) + "} *") + "\n" + text("1. a1b2 *")
    first, second = record.parse(whole, errors="collect")
    assert "more than 2000000 characters" in str(first.errors[0])
    assert second.errors == ()


def test_a_player_who_leaves_is_kept_in_the_tree():
    three = {"Mode": "three", "Variant": "three", "Red": "Cleo", "Result": "*"}
    game = one("{[%out black]} 1... *".replace("1... ", ""), **three)
    assert game.root.departures == (BLACK,)
    assert again(game) == game
