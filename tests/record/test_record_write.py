"""Records written, and made from boards, moves and games."""

import io
from pathlib import Path

import pytest

from sumito import (
    BLACK,
    BLUE,
    RED,
    WHITE,
    Board,
    Mode,
    Move,
    Notation,
    Position,
    RecordError,
    Rules,
    record,
)
from sumito.game import Game
from sumito.game.clock import Control
from sumito.game.commands import Abort, Play, Resign
from sumito.record import Node, Record
from support.records import TAGS, random_game, text

CLUB = Path(__file__).parents[1] / "data" / "club.apgn"


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("notation", list(Notation))
def test_records_of_all_modes_and_notations_round_trip_exactly(mode, notation):
    games = [Record.from_board(random_game(seed, mode)) for seed in range(5)]
    written = record.write(games, notation=notation)
    again = list(record.parse(written))
    assert [game.moves for game in again] == [game.moves for game in games]
    assert record.write(again) == written
    assert list(record.parse(record.write(again, notation="aba-pro"))) == games


@pytest.mark.parametrize("value", [0.1, -3.0, 1e6, 5e-324, 1 / 3])
def test_an_evaluation_reads_back_to_the_last_digit(value):
    game = Record(TAGS)
    game.root.add(Move.parse("a1b2"), evaluation=value)
    assert next(record.parse(record.write(game))).evaluations == (value,)


def test_the_sample_round_trips_exactly():
    games = list(record.read(CLUB))
    written = record.write(games)
    assert list(record.parse(written)) == games
    assert record.write(record.parse(written)) == written
    assert max(map(len, written.split("\n"))) <= 80


def test_tags_are_written_in_the_usual_order_and_games_end_with_a_blank_line():
    written = record.write(record.parse(text(Annotator="X", Source="Y", Round="1", SetUp="0")))
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
        ({"Result": "1-1"}, [], "not a result of mode two"),
        ({"Plies": "2"}, ["a1b2"], "the tag Plies is 2, but 1 are played"),
        ({"Event": "two\nlines"}, [], "can't contain the character"),
        ({"No name": "x"}, [], "is not a tag name"),
        ({}, ["e5e6"], "game 1, move 1, e5e6: there is no marble on e5"),
    ],
)
def test_what_could_not_be_read_is_not_written(tags, moves, words):
    game = Record(TAGS | tags)
    node = game.root
    for move in moves:
        node = node.attach(Node(Move.parse(move)))
    with pytest.raises(RecordError, match=words):
        record.write(game)


def test_a_game_from_any_position_keeps_it():
    for start in (
        Position((0b111, 1 << 88), WHITE, (3, 2), 4, 38),
        Position((0b111, 1 << 88), WHITE, (3, 2), 0, 2),
        Board(captured=(2, 0)).position,
        random_game(4, "teams", 20).position,
    ):
        game = Record.from_moves(start, [next(iter(Board.at(start).legal_moves))])
        (again,) = record.parse(record.write(game))
        assert again == game
        assert again.start == start


def test_a_record_from_moves_knows_clocks_leavers_and_the_outcome():
    moves = [Move.parse(name) for name in ("a1b2", "i5h5", "d8d7")]
    game = Record.from_moves(
        Board(mode="three").position,
        moves,
        clocks=[60_000, 59_000, None],
        departures={1: (BLACK,), 3: (WHITE,)},
        tags={"Black": "Ann", "Source": "here"},
    )
    assert game.tags["Result"] == "0-0-1"
    assert game.tags["Termination"] == "last-in"
    assert (game.tags["Black"], game.tags["White"]) == ("Ann", "?")
    assert game.clocks == (60_000, 59_000, None)
    assert next(record.parse(record.write(game))) == game
    with pytest.raises(RecordError, match="3 moves, but 1 clock times"):
        Record.from_moves(game.start, moves, clocks=[1])
    with pytest.raises(RecordError, match="departure after 4 moves, but only 3 moves"):
        Record.from_moves(game.start, moves, departures={4: (RED,)})


def test_a_record_from_a_game_has_its_players_clocks_and_end():
    game = Game(
        {BLACK: "Ann", WHITE: "Ben", RED: "Cleo", BLUE: "Dirk"},
        "teams",
        rules=Rules(repetition=3),
        control=Control.parse("600+5"),
    )
    aborted = game.copy()
    game.apply(Play(BLACK, Move.parse("a2b3")), 7_000)
    game.apply(Resign(RED), 8_000)
    written = Record.from_game(game, {"Event": "Friday"})
    assert written.result == "0-1"
    assert written.tags["Termination"] == "resigned"
    assert (written.tags["Blue"], written.tags["TimeControl"]) == ("Dirk", "600+5")
    assert written.clocks == (598_000,)
    assert next(record.parse(record.write(written))) == written
    aborted.apply(Abort(BLACK), 0)
    assert Record.from_game(aborted).result == "*"
