"""One way to write values: `X.parse` reads what `str` writes, and nonsense is an error of ours."""

import importlib
import importlib.util
import inspect
import pickle
import pkgutil
from enum import Enum, Flag

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sumito
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
    DrawPolicy,
    Engine,
    Form,
    IllegalReason,
    Layout,
    Level,
    Limit,
    Mode,
    Move,
    Notation,
    Outcome,
    Position,
    Reason,
    Rules,
    Score,
    Symmetry,
    TimeLeft,
    svg,
)
from sumito.drawing import png, terminal
from sumito.errors import ArgumentTypeError, ColourError, EngineError, InvalidMoveError, SumitoError
from sumito.game import Game
from sumito.game.clock import Control, Delay, Fischer, NoClock, SuddenDeath
from sumito.record import Record, write
from sumito.review.game import review
from sumito.rules import formations, layouts

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
    DrawPolicy: tuple(DrawPolicy),
    Limit: (
        Limit(),
        Limit(time=0.25),
        Limit(time=1e-7, nodes=1, depth=99),
        Limit(clock=TimeLeft(600)),
        Limit(clock=TimeLeft(600.125, 0.5, 40)),
    ),
    TimeLeft: (TimeLeft(0), TimeLeft(60, 1), TimeLeft(0.001, 2.5, 7)),
    Layout: tuple(layout for mode in Mode for layout in layouts.of(mode).values()),
    Outcome: tuple(
        Outcome(winner, reason)
        for reason in Reason
        for winner in ((None,) if reason is Reason.ABORTED else (None, *Colour))
    ),
    Score: (Score(0), Score(-7), Score(99_999), Score.win(3), Score.loss(40)),
}

THINGS = {"Board", "Effect", "Engine", "Game", "LegalMoves", "PositionBuilder"}
"""What has a state or describes one: no values with a text of their own."""
APPLICATIONS = (
    "sumito.__main__",
    "sumito.cli",
    "sumito.env",
    "sumito.notebook",
    "sumito.protocol",
    "sumito.server",
    "sumito.tui",
)
"""Layers whose values are their own, and some of whose packages may not be installed."""
EXTRAS = ("numpy", "distributed")
"""Packages of extras that a module below the applications may need when it is imported."""


def modules():
    """The names of all modules below the applications."""
    for found in pkgutil.walk_packages(sumito.__path__, "sumito."):
        if not found.name.startswith(APPLICATIONS):
            yield found.name


def import_modules():
    """Import the modules below the applications, except those that need an absent extra."""
    for name in modules():
        try:
            yield importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name not in EXTRAS or importlib.util.find_spec(error.name):
                raise


def enums():
    """Every enum that has a public name, where it is made."""
    for module in import_modules():
        for name, kind in vars(module).items():
            made_here = inspect.isclass(kind) and kind.__module__ == module.__name__
            if made_here and name[0] != "_" and issubclass(kind, Enum) and len(kind):
                yield kind


for choices in enums():
    if not issubclass(choices, Flag):
        VALUES.setdefault(choices, tuple(choices))


def test_every_public_value_is_tried_here():
    public = [getattr(sumito, name) for name in sumito.__all__]
    kinds = {kind for kind in public if inspect.isclass(kind) and not issubclass(kind, Exception)}
    assert {kind.__name__ for kind in kinds - set(VALUES)} == THINGS
    assert {IllegalReason, Reason, formations.Word, formations.Within} < set(VALUES)


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_parse_reads_what_str_writes(kind):
    for value in VALUES[kind]:
        assert kind.parse(str(value)) == value
        assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_what_is_no_value_is_refused_in_a_sentence(kind):
    for text in ("", "zz", "=", "1=1", "9" * 5000, "\0", None, 5.5, [], b"a1"):
        with pytest.raises(SumitoError) as caught:
            kind.parse(text)
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "kind", [kind for kind in VALUES if issubclass(kind, Enum)], ids=lambda kind: kind.__name__
)
def test_an_enum_refuses_what_is_none_of_it(kind):
    for value in ("zz", 99, -1, None, 5.5, [], b"a1", "9" * 5000):
        with pytest.raises(SumitoError) as caught:
            kind(value)
        assert isinstance(caught.value, ValueError)
        assert len(str(caught.value)) < 300


DOORS = {
    "Board.at": Board.at,
    "Board(rules=)": lambda wrong: Board(rules=wrong),
    "Board.push": lambda wrong: Board().push(wrong),
    "Board.parse_variation": lambda wrong: Board().parse_variation(wrong),
    "Board.perft": lambda wrong: Board().perft(wrong),
    "layouts.get": lambda wrong: layouts.get("x" if wrong is None else wrong),
    "formations.find": formations.find,
    "Board.transform": Board().transform,
    "Symmetry.move": SYMMETRIES[1].move,
    "svg.board": svg.board,
    "terminal.board": terminal.board,
    "png.board": png.board,
    "Record.new": lambda wrong: Record.new("x" if wrong is None else wrong),
    "Record.from_moves": lambda wrong: Record.from_moves(wrong, []),
    "Record.from_moves([])": lambda wrong: Record.from_moves(Board().position, [wrong]),
    "Record.from_board": Record.from_board,
    "Record.from_game": Record.from_game,
    "record.write": lambda wrong: write([wrong]),
    "review": lambda wrong: review(wrong, None, Limit()),
    "Game(start=)": lambda wrong: Game(SEATS, start="x" if wrong is None else wrong),
    "Game(rules=)": lambda wrong: Game(SEATS, rules=wrong),
    "Game(seats=)": Game,
    "Game.apply": lambda wrong: Game(SEATS).apply(wrong, 0),
}
SEATS = {Colour.BLACK: "Ann", Colour.WHITE: "Ben"}


@pytest.mark.parametrize("door", DOORS)
def test_a_thing_of_another_kind_is_refused_at_the_door(door):
    for wrong in ("x", 3.5, None, [], object()):
        with pytest.raises(SumitoError) as caught:
            DOORS[door](wrong)
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
        lambda board, text: board.variation_text([text]),
        lambda board, text: Record.new(board).root.add(text),
        lambda board, text: Record.new(board).root.add_line([text]),
    ],
)
def test_a_text_in_the_place_of_a_move_is_read(use):
    use(Board(), "a1b2")
    with pytest.raises(InvalidMoveError, match="'zz' is not a move"):
        use(Board(), "zz")
    with pytest.raises(ArgumentTypeError, match="move is a Move, not 5"):
        use(Board(), 5)


def test_colours_that_are_not_in_the_mode_are_refused():
    with pytest.raises(ColourError, match="mode two has no red"):
        Board().marbles(RED)


@pytest.mark.parametrize(
    "asked",
    [
        {"board": "x"},
        {"limit": 5},
        {"level": 5},
        {"level": "chummy"},
        {"seed": "x"},
        {"draws": "x"},
        {"root_moves": ["e5e6"]},
        {"root_moves": [5]},
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
