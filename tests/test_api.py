"""The public API as a user meets it: texts for values, questions to a board, equality, errors."""

import pytest

import sumito
from sumito import (
    BLACK,
    RULEBOOK,
    SYMMETRIES,
    TOURNAMENT,
    WHITE,
    Board,
    Cell,
    Colour,
    Direction,
    Engine,
    Game,
    Mode,
    Move,
    Position,
    Score,
    errors,
    record,
)
from sumito.engine import Level, Limit
from sumito.game.clock import Fischer, NoClock
from sumito.record import Header, Record, header
from sumito.rules.board import Board as PlainBoard

START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1"
PUSH = "5/6/7/8/2bbw4/8/7/6/5 b 0,0 0 1"
EJECTION = "5/6/7/8/6bbw/8/7/6/5 b 0,0 0 1"


def test_a_parameter_takes_the_text_of_its_value():
    assert Board(rules="tournament").rules == TOURNAMENT
    assert Board.parse(START, rules="win_at=4").rules.win_at == 4
    assert Board.at(START, rules="rulebook") == Board(rules=RULEBOOK)
    assert Move.in_line("a1", "NE") is Move.in_line(Cell.A1, Direction.NE)
    assert Move.side_step("c3", "c5", "NE") is Move.parse("c3c5d4")
    assert Board().marbles("black") == Board().marbles(BLACK)
    assert Board().marbles_mask("w") == Board().marbles_mask(WHITE)
    assert Board().has_move("white")
    assert Mode.TEAMS.partner("black") is Colour.RED
    assert SYMMETRIES[3].cell("a1") is Cell.I9
    assert SYMMETRIES[3].direction("E") is Direction.W
    assert SYMMETRIES[3].move("a1b2").name == "i9h8"
    board = Board()
    for ask in (board.check, board.effect, board.is_legal, board.notate, board.push):
        ask("a1b2")
    assert [move.name for move in board.moves] == ["a1b2"]


def test_a_game_takes_texts_too_and_no_time_where_there_is_no_clock():
    game = Game({"black": "Ann", "w": "Ben"}, start=START, rules="tournament", control="-")
    assert (game.rules, game.control) == (TOURNAMENT, NoClock())
    (event,) = game.play("a1b2")
    assert (event.seat, event.at, game.turn) == (BLACK, 0, WHITE)
    game.play(Move.parse("i9h8"), at=7)
    assert game.play("a2b3")[0].at == 7


def test_a_game_with_a_clock_needs_the_time():
    game = Game({BLACK: "Ann", WHITE: "Ben"}, control="60+1")
    assert game.control == Fischer(60_000, 1_000)
    with pytest.raises(errors.TimeError, match="needs the time of each command"):
        game.play("a1b2")
    assert game.play("a1b2", at=1_000)[0].clock == 60_000


def test_an_engine_takes_texts():
    with Engine(hash_mb=1) as engine:
        assert engine.play(Board(), "nodes=200", root_moves=["a1b2"]).move.name == "a1b2"
        assert engine.play(Board(), level="gentle", seed=1) == engine.play(
            Board(), level=Level.GENTLE, seed=1
        )
        by_value = engine.analyse(Board(), Limit(nodes=200), 2)
        assert [each.move for each in engine.analyse(Board(), "nodes=200", 2)] == [
            each.move for each in by_value
        ]


def test_a_position_given_for_a_layout_is_pointed_to_parse():
    with pytest.raises(errors.LayoutError, match=r"is a position.*Board\.parse reads positions"):
        Board(START)


def test_legal_moves_know_texts_and_their_number():
    moves = Board().legal_moves
    assert "a1b2" in moves
    assert "e5e6" not in moves
    assert moves.count() == 44
    assert (moves.count("a1b2"), moves.count(Move.parse("e5e6"))) == (1, 0)
    with pytest.raises(errors.InvalidMoveError):
        assert "a1" not in moves


def test_the_marbles_of_a_board_can_be_listed():
    board = Board.parse(PUSH)
    assert list(board.items()) == [(Cell.E3, BLACK), (Cell.E4, BLACK), (Cell.E5, WHITE)]
    assert board.cells() == (Cell.E3, Cell.E4, Cell.E5)
    assert dict(Board("belgian-daisy").items()) == {
        cell: colour for colour in (BLACK, WHITE) for cell in Board("belgian-daisy").marbles(colour)
    }


def test_a_board_says_what_a_move_pushes_and_ejects():
    pushing, ejecting = Board.parse(PUSH), Board.parse(EJECTION)
    assert (pushing.is_push("e3e4"), pushing.is_ejection("e3e4")) == (True, False)
    assert (pushing.is_push("e3e2"), pushing.is_ejection("e3e2")) == (False, False)
    assert (ejecting.is_push("e7e8"), ejecting.is_ejection("e7e8")) == (True, True)
    for ask in (pushing.is_push, pushing.is_ejection):
        with pytest.raises(errors.IllegalMoveError):
            ask("e4e5")


def test_a_board_can_be_turned_and_mirrored():
    board = Board.parse(PUSH, rules="tournament")
    assert board.mirror().marbles(WHITE) == (SYMMETRIES[6].cell(Cell.E5),)
    assert board.mirror().mirror() == board
    for symmetry in SYMMETRIES:
        turned = board.transform(str(symmetry))
        assert turned == board.transform(symmetry)
        assert set(turned.legal_moves) == set(map(symmetry.move, board.legal_moves))
        assert turned.transform(symmetry.inverse) == board


def test_a_transposition_key_leaves_out_how_the_position_came_about():
    board = Board()
    key = board.transposition_key()
    for move in ("a1b2", "i9h8", "c4c3", "g6g7"):
        if move in board.legal_moves:
            board.push(move)
    there, back = Board(), Board()
    there.push_text("c3c4")
    assert there.transposition_key() != key
    assert back.transposition_key() == key
    assert Board.parse(START.replace("0 1", "4 9")).transposition_key() == key
    assert Board.parse(START.replace(" b ", " w ")).transposition_key() != key
    assert Board.parse(START.replace("0,0", "1,0")).transposition_key() != key
    assert len({there.transposition_key(), key, back.transposition_key()}) == 2


@pytest.mark.parametrize("member", [*Colour, *Cell, *Direction], ids=repr)
def test_colours_cells_and_directions_are_true_and_equal_themselves_alone(member):
    assert bool(member) is True
    assert member == int(member)
    assert hash(member) == hash(int(member))
    equal = [other for other in (*Colour, *Cell, *Direction) if other == member]
    assert equal == [member]
    assert all((other != member) is (other is not member) for other in (*Colour, *Direction))
    assert {Colour.BLACK: 1}.get(member, 0) == (member is BLACK)


def test_a_colour_is_no_cell():
    with pytest.raises(errors.ArgumentTypeError, match="cell is a Cell, not 'black'"):
        Board()[BLACK]


def test_scores_of_different_sides_are_not_compared():
    black, white = Score(125, side=BLACK), Score(125, side=WHITE)
    assert black != white
    assert black == Score(125, side="black")
    assert black.pov(WHITE) == Score(-125, side=WHITE)
    assert black > white.pov("black")
    assert black > Score(100)
    for compare in (
        lambda: black < white,
        lambda: black <= white,
        lambda: black > white,
        lambda: black >= white,
        lambda: max(black, white),
    ):
        with pytest.raises(errors.EngineValueError, match="different sides"):
            compare()


def test_what_writes_a_board_reads_back_with_its_rules():
    board = Board("german-daisy", rules="win_at=4 repetition=3")
    names = {"Board": PlainBoard, "Rules": sumito.Rules}
    assert eval(repr(board), names) == board


def test_a_records_text_is_apgn():
    game = Record.from_moves(Position.parse(START), ["a1b2", "i9h8"], tags={"Black": "Ann"})
    assert str(game) == record.write(game)
    assert next(record.parse(str(game))) == game


def test_engine_errors_of_the_moment_are_no_value_errors():
    for kind in (errors.EngineClosedError, errors.EngineBusyError, errors.GameOverError):
        assert not issubclass(kind, ValueError)
        assert issubclass(kind, errors.SumitoError)


def test_a_header_is_parsed_once(monkeypatch):
    parsed = []

    class CountedMode:
        TWO = Mode.TWO

        @staticmethod
        def parse(text):
            parsed.append(text)
            return Mode.parse(text)

    board = Board(mode="teams")
    text = str(Record.from_moves(board.position, [board.legal_moves[0]]))
    monkeypatch.setattr(header, "Mode", CountedMode)
    game = next(record.parse(text))
    for _ in range(3):
        assert (game.mode, game.start) == (Mode.TEAMS, board.position)
    assert parsed == ["teams"]
    assert isinstance(game.header, Header)
    assert game.header is game.header


def test_a_header_follows_the_tags():
    game = Record.new()
    before = game.header
    game.tags["Rules"] = "tournament"
    assert game.header is not before
    assert game.rules == TOURNAMENT
    assert before.rules == RULEBOOK
    assert game.header.players == {BLACK: "?", WHITE: "?"}


def test_adding_moves_one_by_one_plays_each_once(monkeypatch):
    played = []
    real = Board._apply
    monkeypatch.setattr(
        Board, "_apply", lambda board, *move: played.append(move) or real(board, *move)
    )
    for count in (50, 200):
        node = Record.new().root
        played.clear()
        for _ in range(count // 2):
            node = node.add("a1b1" if "a1b1" in node.board().legal_moves else "b1a1")
            node = node.add(node.board().legal_moves[0])
        assert len(played) <= 2 * count


def test_a_nodes_board_follows_edits_before_it():
    game = Record.new(Board(mode="three"))
    first = game.root.add(Board(mode="three").legal_moves[0])
    second = first.add(first.board().legal_moves[0])
    assert second.board().turn is Colour.RED
    first.departures = (Colour.RED,)
    assert second.board().turn is BLACK
    game.tags["Rules"] = "win_at=4"
    assert second.board().rules.win_at == 4
    first.delete()
    with pytest.raises(errors.RecordError, match="once it belongs to a record"):
        second.board()
    game.root.attach(first)
    assert second.board().moves[-1] is second.move
