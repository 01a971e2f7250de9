"""Records written, and made from boards, moves and games."""

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from records import TAGS, random_game, text
from sumito import (
    BLACK,
    BLUE,
    RED,
    WHITE,
    Board,
    Mode,
    Move,
    Notation,
    Outcome,
    Position,
    Reason,
    RecordError,
    Rules,
    record,
)
from sumito.record import Line, Node, Record

CLUB = Path(__file__).parent / "data" / "club.apgn"


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("notation", list(Notation))
def test_records_of_all_modes_and_notations_round_trip_exactly(mode, notation):
    games = [Record.from_board(random_game(seed, mode)) for seed in range(5)]
    written = record.write(games, notation=notation)
    again = list(record.read(written))
    assert [game.moves for game in again] == [game.moves for game in games]
    assert record.write(again) == written
    assert list(record.read(record.write(again, notation="aba-pro"))) == games


@pytest.mark.parametrize("value", [0.1, -3.0, 1e6, 5e-324, 1 / 3])
def test_an_evaluation_reads_back_to_the_last_digit(value):
    game = Record(TAGS, Line((Node(Move.parse("a1b2"), eval=value),)))
    assert next(record.read(record.write(game))).evals == (value,)


def test_the_sample_round_trips_exactly():
    games = list(record.read(CLUB))
    written = record.write(games)
    assert list(record.read(written)) == games
    assert record.write(record.read(written)) == written
    assert max(map(len, written.split("\n"))) <= 80


def test_tags_are_written_in_the_usual_order_and_games_end_with_a_blank_line():
    written = record.write(record.read(text(Annotator="X", Source="Y", Round="1", SetUp="0")))
    names = [line[1:].split(" ")[0] for line in written.split("\n\n")[0].split("\n")]
    assert names == [*TAGS, "SetUp", "Source", "Annotator", "Round"]
    assert written.endswith(" *\n\n")


def test_records_are_written_to_files_and_paths(tmp_path):
    games = list(record.read(CLUB))
    path = tmp_path / "out.apgn"
    assert record.write(games, path) is None
    buffer = io.StringIO()
    assert record.write(iter(games), buffer) is None
    assert path.read_bytes().decode() == buffer.getvalue() == record.write(games)


@pytest.mark.parametrize(
    ("tags", "moves", "words"),
    [
        ({"Result": "1-1"}, [], "no result of mode two"),
        ({"Plies": "2"}, ["a1b2"], "the tag Plies is 2, but 1 are played"),
        ({"Event": "two\nlines"}, [], "can't have the character"),
        ({"No name": "x"}, [], "is not a name for a tag"),
        ({}, ["e5e6"], "game 1, move 1, e5e6: there is no marble on e5"),
    ],
)
def test_what_could_not_be_read_is_not_written(tags, moves, words):
    line = Line(tuple(Node(Move.parse(move)) for move in moves))
    with pytest.raises(RecordError, match=words):
        record.write(Record(TAGS | tags, line))


def test_a_game_from_any_position_keeps_it():
    for start in (
        Position((0b111, 1 << 88), WHITE, (3, 2), 4, 38),
        Position((0b111, 1 << 88), WHITE, (3, 2), 0, 2),
        Board(captured=(2, 0)).position,
        random_game(4, "teams", 20).position,
    ):
        game = Record.from_moves(start, [next(iter(Board.at(start).legal_moves))])
        (again,) = record.read(record.write(game))
        assert again == game
        assert again.start == start


def test_a_record_from_moves_knows_clocks_leavers_and_the_outcome():
    moves = [Move.parse(name) for name in ("a1b2", "i5h5", "d8d7")]
    game = Record.from_moves(
        Board(mode="three").position,
        moves,
        clocks=[60_000, 59_000, None],
        outs={1: (BLACK,), 3: (WHITE,)},
        tags={"Black": "Ann", "Source": "here"},
    )
    assert game.tags["Result"] == "0-0-1"
    assert game.tags["Termination"] == "last-in"
    assert (game.tags["Black"], game.tags["White"]) == ("Ann", "?")
    assert game.clocks == (60_000, 59_000, None)
    assert next(record.read(record.write(game))) == game
    with pytest.raises(RecordError, match="3 moves, but 1 clock times"):
        Record.from_moves(game.start, moves, clocks=[1])
    with pytest.raises(RecordError, match="leaves at ply 4; there are 3"):
        Record.from_moves(game.start, moves, outs={4: (RED,)})


def test_a_record_from_a_game_has_its_players_clocks_and_end():
    game = SimpleNamespace(
        seats={BLACK: "Ann", WHITE: "Ben", RED: "Cleo", BLUE: "Dirk"},
        setup=SimpleNamespace(control="600+5"),
        start=Board(mode="teams").position,
        rules=Rules(repetition=3),
        plies=[SimpleNamespace(move=Move.parse("a2b3"), clock=598_000)],
        leavings=[],
        outcome=Outcome(WHITE, Reason.RESIGNED),
    )
    written = Record.from_game(game, {"Event": "Friday"})
    assert written.result == "0-1"
    assert written.tags["Termination"] == "resigned"
    assert (written.tags["Blue"], written.tags["TimeControl"]) == ("Dirk", "600+5")
    assert written.clocks == (598_000,)
    assert next(record.read(record.write(written))) == written
    game.outcome = Outcome(None, Reason.ABORTED)
    assert Record.from_game(game).result == "*"
