"""One way to write values: `X.parse` reads what `str` writes, and nonsense is an error of ours."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sumito import (
    BLACK,
    CELLS,
    DIRECTIONS,
    MOVES,
    RED,
    RULEBOOK,
    SYMMETRIES,
    TOURNAMENT,
    Board,
    Cell,
    Colour,
    Direction,
    Draws,
    Engine,
    Form,
    Level,
    Limit,
    Mode,
    Move,
    Notation,
    Position,
    Rules,
    Score,
    Symmetry,
    TimeLeft,
)
from sumito.errors import ColourError, EngineError, InvalidMoveError, SumitoError
from sumito.game.clock import Control, Delay, Fischer, NoClock, SuddenDeath
from sumito.record import Record

VALUES = {
    Cell: CELLS,
    Direction: DIRECTIONS,
    Colour: tuple(Colour),
    Mode: tuple(Mode),
    Notation: tuple(Notation),
    Form: tuple(Form),
    Move: MOVES,
    Symmetry: SYMMETRIES,
    Position: tuple(Board(mode=mode).position for mode in Mode),
    Rules: (
        RULEBOOK,
        TOURNAMENT,
        Rules(win_at=4, repetition=5, ply_limit=300, first=RED, stuck="draws"),
        Rules(leave_three="ends", leave_teams="partner", partner_sidestep="none"),
    ),
    Control: (NoClock(), SuddenDeath(900_000), Fischer(60_000, 1_500), Delay(5_000, 250)),
    Level: tuple(Level),
    Draws: tuple(Draws),
    Limit: (
        Limit(),
        Limit(time=0.25),
        Limit(time=1e-7, nodes=1, depth=99),
        Limit(clock=TimeLeft(600)),
        Limit(clock=TimeLeft(600.125, 0.5, 40)),
    ),
    TimeLeft: (TimeLeft(0), TimeLeft(60, 1), TimeLeft(0.001, 2.5, 7)),
    Score: (Score(0), Score(-7), Score(99_999), Score.win(3), Score.loss(40)),
}


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_parse_reads_what_str_writes(kind):
    for value in VALUES[kind]:
        assert kind.parse(str(value)) == value
        assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("text", ["", "zz", "=", "1=1", "9" * 5000, "\0", None, 5.5, [], b"a1"])
def test_what_is_no_value_is_refused_in_a_sentence(kind, text):
    with pytest.raises(SumitoError) as caught:
        kind.parse(text)
    assert len(str(caught.value)) < 300


@given(
    st.builds(
        Limit,
        time=st.none() | st.floats(0, 1e9),
        nodes=st.none() | st.integers(1, 2**63 - 1),
        depth=st.none() | st.integers(1, 2**31 - 1),
        clock=st.none()
        | st.builds(TimeLeft, st.integers(0, 10**9), st.just(0.5), st.none() | st.integers(1, 99)),
    )
)
def test_every_limit_is_written_and_read(limit):
    assert Limit.parse(str(limit)) == limit


@given(st.integers(-99_999, 99_999) | st.integers(999_001, 999_999))
def test_every_score_is_written_and_read(value):
    for score in (Score(value), Score(-value)):
        assert Score.parse(str(score)) == score


@pytest.mark.parametrize(
    "text", ["time=1 time=2", "depth=0", "nodes=x", "time=nan", "clock=60+", "endless nodes=1"]
)
def test_a_limit_that_is_none_is_refused(text):
    with pytest.raises(EngineError):
        Limit.parse(text)


@pytest.mark.parametrize(
    "use",
    [
        lambda board, text: board.push(text),
        lambda board, text: board.check(text),
        lambda board, text: board.is_legal(text),
        lambda board, text: board.effect(text),
        lambda board, text: board.notate(text),
        lambda board, text: board.line([text]),
        lambda board, text: Record.begin(board).root.add(text),
        lambda board, text: Record.begin(board).root.add_line([text]),
    ],
)
def test_a_text_in_the_place_of_a_move_is_told_how_it_is_read(use):
    with pytest.raises(InvalidMoveError, match="reads texts") as caught:
        use(Board(), "a1b2")
    assert caught.value.code == "not-a-move"


def test_colours_that_are_not_in_the_mode_are_refused():
    with pytest.raises(ColourError, match="mode two has no red"):
        Board().marbles(RED)


@pytest.mark.parametrize(
    "asked",
    [
        {"board": "x"},
        {"limit": 5},
        {"level": 5},
        {"level": "friendly"},
        {"seed": "x"},
        {"draws": "x"},
        {"among": ["a1b2"]},
    ],
    ids=str,
)
def test_an_engine_refuses_what_is_of_another_kind(asked):
    asked = {"board": Board(), "limit": Limit(depth=1), **asked}
    with Engine(hash_mb=1) as engine, pytest.raises(SumitoError):
        engine.play(**asked)
    with Engine(hash_mb=1) as engine:
        assert engine.play(Board(), Limit(depth=1)).score.side is BLACK


@pytest.mark.parametrize("turns", [-1, 6, 10**30, None, 2.5])
def test_there_are_twelve_symmetries(turns):
    with pytest.raises(SumitoError):
        Symmetry(turns, False)
