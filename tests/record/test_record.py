"""Records: APGN read and written, and every rule a record must keep."""

import gc
import pickle
import sys
from pathlib import Path

import pytest

from sumito import (
    BLACK,
    RED,
    WHITE,
    Board,
    Mode,
    Move,
    Notation,
    Outcome,
    Reason,
    RecordError,
    Rules,
    record,
)
from sumito.record import Node, Record
from sumito.rules import layouts
from support.records import TAGS, random_game, text

CLUB = Path(__file__).parents[1] / "data" / "club.apgn"


def one(moves="1. a1b2 i9h8 *", **tags):
    (game,) = record.parse(text(moves, **tags))
    return game


def names(first):
    """The moves of a variation."""
    return [str(node.move) for node in (first, *first.line())]


def fault(moves="1. a1b2 i9h8 *", **tags):
    with pytest.raises(RecordError) as caught:
        list(record.parse(text(moves, **tags)))
    return caught.value


# The shape of a file.


def test_the_sample_file_reads_game_by_game():
    first, nacre, study, three = record.read(CLUB)
    assert first.tags["Black"] == 'Ann "the Wall" Vermeer'
    assert list(first.tags)[:4] == ["Event", "Date", "Black", "White"]
    assert first.tags["Board"] == "3"  # a tag nobody knows
    assert first.result == "0-1"
    assert [str(move) for move in first.moves[:3]] == ["b1c2c1", "b6b5", "g7h7"]
    assert nacre.notation is Notation.NACRE
    assert [str(move) for move in nacre.moves] == ["a1b2", "i5h5", "a2b3", "i9h8", "c5d6", "f5f6e5"]
    assert study.start.captured == (5, 4)
    assert study.start.turn is WHITE
    assert three.mode is Mode.THREE
    assert three.departures == {6: (RED,)}


def test_the_sample_file_reads_the_same_from_path_file_lines_and_text():
    whole = CLUB.read_text(encoding="utf-8")
    games = list(record.read(CLUB))
    with CLUB.open(encoding="utf-8") as file:
        assert list(record.read(file)) == games
    assert list(record.parse(whole)) == games
    assert list(record.read(whole.split("\n"))) == games
    assert list(record.parse(whole.replace("\n", "\r\n"))) == games
    assert list(record.parse("\ufeff" + whole)) == games


def test_no_text_is_no_games():
    assert list(record.parse("")) == []
    assert list(record.parse("\n \n\n")) == []


def test_only_text_can_be_read():
    with pytest.raises(TypeError, match="not bytes"):
        record.read(b"[Event]")
    with pytest.raises(TypeError, match="lines of text, not bytes"):
        list(record.read([b"[Event]\n"]))
    with pytest.raises(ValueError, match="collect"):
        record.parse("", errors="ignore")


def test_a_byte_that_is_not_utf8_is_named(tmp_path):
    path = tmp_path / "latin.apgn"
    path.write_bytes(text(Black="Zoe").replace("Zoe", "Zo\xeb").encode("latin-1"))
    with pytest.raises(RecordError, match="byte 11 of the line, 0xeb, is not UTF-8") as caught:
        list(record.read(path))
    assert (caught.value.game, caught.value.line) == (1, 3)
    (game,) = record.read(path, errors="collect")
    assert len(game.errors) == 1
    assert len(game.moves) == 2
    with (
        path.open(encoding="utf-8") as file,
        pytest.raises(RecordError, match="which is not utf-8"),
    ):
        list(record.read(file))


def test_a_file_of_two_megabytes_streams_in_constant_memory():
    game = Record.from_board(random_game(1, plies=30), {"Source": "x" * 450})
    lines = record.write(game).splitlines(keepends=True)
    count = 2_600
    assert count * sum(map(len, lines)) > 2_000_000
    given = 0

    def stream():
        nonlocal given
        for _ in range(count):
            for line in lines:
                given += 1
                yield line

    reader = record.read(stream())
    blocks = []
    for number, _ in enumerate(reader, 1):
        # The first line of the next game ends this one; nothing beyond it is asked for.
        assert given <= number * len(lines) + 1
        if number in (100, count):
            gc.collect()
            blocks.append(sys.getallocatedblocks())
    early, late = blocks
    assert late < early + 1_000


# Tags.


@pytest.mark.parametrize("name", list(TAGS))
def test_each_mandatory_tag_must_be_there(name):
    assert fault(**{name: None}).reason == f"the tag {name} is missing"


def test_mandatory_tags_come_in_order_and_others_may_stand_between():
    lines = text().split("\n")
    lines.insert(3, '[Round "2"]')
    assert next(record.parse("\n".join(lines))).tags["Round"] == "2"
    lines[0], lines[1] = lines[1], lines[0]
    with pytest.raises(RecordError, match="game 1, line 2: the tag Event comes too late"):
        list(record.parse("\n".join(lines)))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('[Event "a" b"]', "is not a tag"),
        ("[Event]", "is not a tag"),
        ('[Event "a\\n"]', "is not a tag"),
        ('[2nd "a"]', "is not a tag"),
        ('[Event "a\x07"]', "can't contain the character"),
    ],
)
def test_a_tag_that_is_none_is_named(line, words):
    with pytest.raises(RecordError, match=words) as caught:
        list(record.parse(line + "\n" + text()))
    assert (caught.value.game, caught.value.line) == (1, 1)


def test_a_tag_stands_once():
    with pytest.raises(RecordError, match="the tag Event occurs twice"):
        list(record.parse('[Event "a"]\n' + text()))


def test_quotes_and_backslashes_survive_in_tags():
    game = one()
    game.tags["Event"] = 'a\\"b" \\ [x]'
    assert next(record.parse(record.write(game))) == game


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("standard", "standard"),
        ("belgian", "belgian-daisy"),
        ("german_daisy", "german-daisy"),
        ("dutch_daisy", "dutch-daisy"),
        ("swiss_daisy", "swiss-daisy"),
        ("alien", "alien-attack"),
        ("alliances", "alliances"),
        ("atomouche", "atomouche"),
        ("centrifugeuse", "centrifuge"),
        ("corners", "corners"),
        ("domination", "domination"),
        ("duel", "duel"),
        ("fujiyama", "fujiyama"),
        ("snakes_variant", "snakes-variation"),
        ("star", "star"),
        ("the_wall", "the-wall"),
    ],
)
def test_variants_are_known_by_the_names_that_files_use(name, id):
    start = Board(layout=id).position
    assert one("*", Variant=name).start == start
    assert one("*", Variant=id).start == start
    assert Record.from_moves(start, []).tags["Variant"] == name


@pytest.mark.parametrize("id", list(layouts.of("two")))
def test_every_layout_is_written_by_name(id):
    written = Record.from_board(Board(layout=id))
    assert "Position" not in written.tags
    assert written.start == Board(layout=id).position


def test_custom_needs_setup_and_position():
    position = "5/6/7/8/9/8/7/6/bbb2 b"
    assert "needs a tag Position" in fault(Variant="custom").reason
    assert "needs a tag Position" in fault(SetUp="1").reason
    assert 'needs SetUp "1"' in fault(Variant="custom", Position=position).reason
    assert one("1. a1a2 *", Variant="custom", SetUp="1", Position=position).moves
    assert "tag SetUp" in fault(SetUp="yes").reason


def test_a_variant_only_its_position_explains_needs_one():
    assert "no layout 'accelium'" in fault(Variant="accelium").reason
    game = one("1. a1a2 *", Variant="accelium", Position="5/6/7/8/9/8/7/6/bbb2 b")
    assert game.start.marbles == (0b111, 0)


def test_where_variant_and_position_disagree_position_holds():
    game = one("1. a1a2 *", Variant="belgian", Position="5/6/7/8/9/8/7/6/bbb2 b")
    assert game.start.marbles == (0b111, 0)


def test_a_position_tag_is_read_in_apgn_and_in_our_form():
    apgn = one("1... i9i8 *", Position="4w/6/7/8/9/8/7/6/bbb2-1b2w w")
    own = one("19... i9i8 *", Position="4w/6/7/8/9/8/7/6/bbb2 w 2,1 5 38")
    assert apgn.start.captured == own.start.captured == (2, 1)
    assert (own.start.quiet, own.start.ply) == (5, 38)
    error = fault(Position="wwwwww/6/7/8/9/8/7/6/5 b")
    assert "column 6" in error.reason
    assert error.line == 8
    assert "mode three" in fault(Position=str(Board(mode="three").position)).reason


def test_the_notation_is_never_guessed():
    assert "is not a notation" in fault(Notation="standard").reason
    assert one("1. a1d4 *", Notation="Nacre").moves == (Move.parse("a1b2"),)
    assert one("1. a1d4 *", Notation="PlayStrategy").moves == (Move.parse("a1b2"),)
    assert "are not neighbours" in fault("1. a1d4 *").reason


def test_plies_must_match_when_given():
    assert one(Plies="2").moves
    assert fault(Plies="3").reason == "the tag Plies is 3, but 2 are played"
    assert "tag Plies" in fault(Plies="two").reason


def test_more_players_need_their_names_and_their_mode():
    assert "the tag Red is missing" in fault("*", Mode="three", Variant="three").reason
    assert "the tag Blue is missing" in fault("*", Mode="teams", Variant="teams", Red="C").reason
    assert "'four' is not a mode" in fault("*", Mode="four").reason
    assert one("*", Mode="teams", Variant="teams", Red="C", Blue="D").mode is Mode.TEAMS


def test_rules_other_than_the_rulebook_are_kept():
    rules = Rules(win_at=2, repetition=3, stuck="draws", first=RED)
    board = random_game(3, "three", 20, rules)
    game = Record.from_board(board)
    assert game.tags["Rules"] == "win_at=2 repetition=3 stuck=draws first=red"
    (again,) = record.parse(record.write(game))
    assert again.rules == rules
    assert list(again.boards())[-1] == board
    assert one(Rules="tournament").rules == Rules(repetition=3)
    for bad in ("fast", "win_at=0", "win_at=", "win_at=2 win_at=2", "stuck=never", "first=9"):
        assert "tag Rules" in fault(Rules=bad).reason


# Moves.


def test_boards_are_those_of_the_game():
    board = random_game(5, plies=30)
    boards = list(Record.from_board(board).boards())
    assert boards[0] == Board()
    assert boards[-1] == board
    assert [b.ply for b in boards] == list(range(1, 32))


@pytest.mark.parametrize("moves", ["1. c3c4d3 *", "1. c4c3d4 *"])
def test_a_side_step_may_be_written_from_either_end(moves):
    assert one(moves).moves == (Move.parse("c3c4d3"),)


def test_moves_may_wrap_anywhere_and_stand_close_to_their_number():
    game = one("1.\na1b2\n\ni9h8\n2.a2b3   i8h7\n*")
    assert len(game.moves) == 4


@pytest.mark.parametrize(
    ("moves", "words", "number"),
    [
        ("1. a1b2 2. i9h8 *", "2. should be 1... (white's move)", 1),
        ("1. a1b2 i9h8 3. a2b3 *", "3. should be 2. (black's move)", 2),
        ("1... a1b2 *", "1... should be 1. (black's move)", 1),
        ("a1b2 *", "the number 1. is missing", 1),
        ("1. a1b2 i9h8 a2b3 *", "the number 2. is missing", 2),
        ("1. 1. a1b2 *", "1. follows 1. without a move", 1),
        ("1. a1b2 i9h8 2. *", "2. has no move", 2),
        ("1. a1b2", "the result is missing", 1),
        ("1. a1b2 * i9h8", "nothing follows the result", 1),
        ("1. a1b2 * {over}", "nothing follows the result", 1),
        ("1. a1b2 i9h8 1-0", "the moves end with 1-0, but the tag Result is *", 2),
        ("1. a1b2 ( *", "a variation has no result", 1),
        ("1. a1b2 () *", "a variation ends with a move", 1),
        ("1. a1b2 (1. a2b3 i9h8 2.) *", "a variation ends with a move", 2),
        ("1. a1b2 (1. a2b3", "a variation is not closed", 1),
        ("1. a1b2 ) *", "a ) closes no variation", 1),
        ("(1. a2b3) 1. a1b2 *", "follow the move it replaces", 1),
        ("1. a1b2 {never closed *", "a comment is not closed", 1),
        ("1. a1b2 {a {b} *", "a comment is not closed", 1),
        ("1. a1b2 } *", "a } closes no comment", 1),
        ("1. a1b2 {[%clk 9:58]} *", "'9:58' is not a clock time", 1),
        ("1. a1b2 {[%clk 0:01:00] [%clk 0:01:00]} *", "[%clk] occurs twice", 1),
        ("1. a1b2 {[%clk 0:01:00]} {[%clk 0:01:00]} *", "already given", 1),
        ("1. a1b2 {[%eval 1]} {[%eval 1]} *", "already given", 1),
        ("1. a1b2 {[%eval good]} *", "'good' is not an evaluation", 1),
        ("1. a1b2 {[%clk 0:01:00 } *", "must be closed", 1),
        ("{[%clk 0:01:00]} 1. a1b2 *", "must follow a move", 1),
        ("1. a1b2 {[%out red]} *", "can't leave", 1),
        ("1. a1b2 {[%out green]} *", "'green' is not a player who can leave", 1),
    ],
)
def test_what_is_wrong_in_the_moves_is_said(moves, words, number):
    error = fault(moves)
    assert words in error.reason
    assert (error.game, error.line, error.move_number) == (1, 9, number)


def test_an_illegal_move_is_named_with_game_line_number_and_rule():
    whole = text() + "\n" + text("1. a1b2 i9h8\n2. a2b3 i8h7 3. e5e6 *")
    with pytest.raises(RecordError) as caught:
        list(record.parse(whole))
    error = caught.value
    assert (error.game, error.line, error.move_number, error.move) == (2, 20, 3, "e5e6")
    assert error.reason == "there is no marble on e5"
    assert str(error) == "game 2, line 20, move 3, e5e6: there is no marble on e5"


def test_an_error_survives_a_trip_between_processes():
    error = fault("1. e5e6 *")
    twin = pickle.loads(pickle.dumps(error))
    assert (str(twin), twin.move, twin.line) == (str(error), error.move, error.line)


def test_a_number_covers_one_round_of_the_modes_order():
    game = Record.from_board(random_game(2, "teams-double", 6))
    words = record.write(game).split("\n\n")[1].split()
    assert [words.index("1."), words.index("2.")] == [0, 5]
    game = Record.from_board(random_game(2, "three", 4))
    words = record.write(game).split("\n\n")[1].split()
    assert [words.index("1."), words.index("2.")] == [0, 4]


# The end.


def test_a_finished_game_has_no_more_moves():
    position = "5/6/7/8/5bbbw/8/7/6/wwwww b 5,0 0 1"
    tags = {"Variant": "custom", "SetUp": "1", "Position": position, "Result": "1-0"}
    assert one("1. e6e7 1-0", **tags).moves
    assert fault("1. e6e7 a1b2 1-0", **tags).reason == "the game is over"


def test_a_result_cannot_contradict_the_board_but_may_be_unknown():
    position = "5/6/7/8/5bbbw/8/7/6/wwwww b 5,0 0 1"
    tags = {"Variant": "custom", "SetUp": "1", "Position": position}
    error = fault("1. e6e7 0-1", Result="0-1", **tags)
    assert error.reason == "the result is 0-1, but the game ended 1-0 on the board (ejections)"
    assert one("1. e6e7 *", **tags).result == "*"


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_a_game_may_end_anywhere(result):
    assert one(f"1. a1b2 {result}", Result=result).result == result


def test_the_result_must_be_one_of_the_mode():
    assert "not a result of mode two" in fault("*", Result="1-0-0").reason
    three = {"Mode": "three", "Variant": "three", "Red": "Cleo"}
    assert "not a result of mode three" in fault("1-0", Result="1-0", **three).reason
    for result in ("1-0-0", "0-1-0", "0-0-1", "1/2-1/2-1/2"):
        assert one(result, Result=result, **three).result == result


def test_one_who_is_out_has_no_share_in_the_result():
    three = {"Mode": "three", "Variant": "three", "Red": "Cleo"}
    out = "{[%out red]} "
    assert one(out + "1/2-1/2-0", Result="1/2-1/2-0", **three).departures == {0: (RED,)}
    assert one(out + "0-1-0", Result="0-1-0", **three)
    for result in ("1/2-1/2-1/2", "0-0-1", "0-1/2-1/2"):
        assert "no share" in fault(out + result, Result=result, **three).reason


# Players who leave.


def test_turns_pass_over_one_who_left_and_the_last_in_wins():
    three = {"Mode": "three", "Variant": "three", "Red": "Cleo", "Result": "1-0-0"}
    game = one("1. a1b2 {[%out white] gone} d8d7 2. a2b3 {[%out red]} 1-0-0", **three)
    *_, final = game.boards()
    assert final.eliminated == {WHITE, RED}
    assert final.outcome() == Outcome(BLACK, Reason.LAST_IN)
    assert game.departures == {1: (WHITE,), 3: (RED,)}
    moves = "1. a1b2 {[%out white]} d8d7 2. a2b3 {[%out red]} 3. a3b4 1-0-0"
    assert fault(moves, **three).reason == "the game is over"
    assert "is out already" in fault("{[%out red] [%out red]} 1-0-0", **three).reason
    moves = "{[%out red]} {[%out white]} {[%out black]} 1-0-0"
    assert "game that is over" in fault(moves, **three).reason
    assert "a departure must follow a move" in fault("1. {[%out red]} a1b2 1-0-0", **three).reason


def test_a_variation_may_replace_the_move_after_which_someone_left():
    three = {"Mode": "three", "Variant": "three", "Red": "Cleo"}
    moves = "1. a1b2 i5h5 {[%out red]} (1... h4h5 d8d7) 2. a2b3 *"
    game = one(moves, **three)
    assert names(game.nodes[0].variations[0]) == ["h4h5", "d8d7"]
    assert next(record.parse(record.write(game))) == game


# What is said about moves.


def test_comments_clocks_and_evaluations_belong_to_their_move():
    game = one("{Start.} 1. a1b2 {[%clk 1:02:03.45] solid [%eval -0.5]\n and  slow} {really} *")
    (node,) = game.nodes
    assert game.root.comment == "Start."
    assert (node.comment, node.clock, node.evaluation) == ("solid and slow really", 3_723_450, -0.5)
    assert game.clocks == (3_723_450,)
    assert game.evaluations == (-0.5,)
    assert game.comments == ("solid and slow really",)


def test_commands_nobody_knows_stay_in_the_comment():
    assert one("1. a1b2 {[%emt 0:05] x} *").nodes[0].comment == "[%emt 0:05] x"


def test_variations_nest_and_are_replayed():
    game = one("1. a1b2 (1. a2b3 i9h8 (1... i8h7 2. a1b2)) (1. a3b4) 1... i9h8 *")
    first, second = game.root.variations
    assert names(first) == ["a2b3", "i9h8"]
    assert names(first.variations[0]) == ["i8h7", "a1b2"]
    assert names(second) == ["a3b4"]
    error = fault("1. a1b2 (1. e5e6) *")
    assert (error.move, error.reason) == ("e5e6", "there is no marble on e5")


def test_variations_may_not_nest_without_end():
    deep = "1. a1b2 " + "(1. a1b2 " * 20_000 + ")" * 20_000 + " *"
    assert "nest deeper" in fault(deep).reason
    game = Record(TAGS)
    node = game.root
    for _ in range(60):
        moves = list(node.board().legal_moves)
        node.add(moves[0])
        node = node.add(moves[1])
    with pytest.raises(RecordError, match="nest deeper"):
        record.write(game)


@pytest.mark.parametrize("comment", ["a { b", "a } b", "bell\x07", "[%clk 0:00:01]", "\ud800"])
def test_a_comment_that_could_not_be_read_back_cannot_be_made(comment):
    with pytest.raises(RecordError):
        Node(Move.parse("a1b2"), comment=comment)
    with pytest.raises(RecordError):
        Node(Move.parse("a1b2")).opening_comment = comment


def test_clocks_evaluations_and_annotations_are_checked_when_set():
    move = Move.parse("a1b2")
    for wrong in ({"clock": -1}, {"clock": 1.5}, {"evaluation": float("nan")}, {"nags": [256]}):
        with pytest.raises(RecordError):
            Node(move, **wrong)


def test_a_long_comment_never_looks_like_the_next_game():
    comment = ("word " * 17 + '[Event "x"] and ') * 9
    game = Record(TAGS)
    game.root.add(Move.parse("a1b2"), comment=comment)
    assert list(record.parse(record.write(game))) == [game]


# Faults collected.


def test_collect_yields_every_game_and_keeps_the_good_moves():
    whole = "\n".join(
        [
            text(),
            text("1. a1b2 i9h8 2. e5e6 *"),
            text("1. a1b2 {open comment"),
            text(Event=None, Date=None),
            text(Variant="nothing", Plies="x"),
            text("1. a1b2 i9h8 2. a2b3 *"),
        ]
    )
    games = list(record.parse(whole, errors="collect"))
    assert [len(game.moves) for game in games] == [2, 2, 1, 2, 0, 3]
    assert [len(game.errors) for game in games] == [0, 1, 1, 2, 2, 0]
    assert [game.errors[0].game for game in games if game.errors] == [2, 3, 4, 5]
    with pytest.raises(RecordError, match="the tag Event is missing"):
        record.write(games[3])


def test_a_game_without_moves_does_not_take_the_next_ones_tags():
    tags = text("").strip()
    games = list(record.parse(tags + "\n\n" + text(), errors="collect"))
    assert [len(game.moves) for game in games] == [0, 2]
    assert "result is missing" in games[0].errors[0].reason
