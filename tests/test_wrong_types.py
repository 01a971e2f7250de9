"""What is of the wrong kind at a public door is refused in a sentence, by an error of ours."""

import copy
import pickle
from math import inf, nan

import pytest

import sumito
from sumito import (
    BLACK,
    MOVES,
    RULEBOOK,
    SYMMETRIES,
    TOURNAMENT,
    WHITE,
    Board,
    Cell,
    Colour,
    Direction,
    Game,
    Mode,
    Move,
    Outcome,
    Position,
    PositionBuilder,
    Reason,
    Rules,
    errors,
    opening_book,
    record,
)
from sumito.drawing import svg, terminal
from sumito.engine import Engine, Limit, Score, network
from sumito.engine.players import Player
from sumito.errors import (
    ArgumentTypeError,
    ColourError,
    IllegalMoveError,
    InvalidMoveError,
    RangeError,
    SumitoError,
)
from sumito.lab.match.elo import Sprt, difference, expected
from sumito.lab.match.openings import openings as match_openings
from sumito.record import Node, Record
from sumito.review import accuracy, loss, mistake_reasons
from sumito.rules import formations, layouts
from sumito.teaching import texts

NOTHING_USEFUL = [None, "x", b"x", -1, 2**63, 10**30, 0.5, nan, inf, [], {}, (), object()]
A_MOVE = MOVES[0]

DOORS = {
    "Board(captured)": lambda bad: Board(captured=bad) if bad is not None else refuse(),
    "Board(rules)": lambda bad: Board(rules=bad),
    "Board(mode)": lambda bad: Board(mode=bad),
    "Board.at": Board.at,
    "Board.parse": Board.parse,
    "Board.marbles": lambda bad: Board().marbles(bad),
    "Board.marbles_mask": lambda bad: Board().marbles_mask(bad) if bad != -1 else refuse(),
    "Board.friends_mask": lambda bad: Board().friends_mask(bad) if bad != -1 else refuse(),
    "Board.has_move": lambda bad: Board().has_move(bad) if bad != -1 else refuse(),
    "Board.is_legal": lambda bad: Board().is_legal(bad),
    "in legal_moves": lambda bad: bad in Board().legal_moves,
    "Board.push": lambda bad: Board().push(bad),
    "Board.variation_text": lambda bad: (
        refuse() if bad in ([], {}, ()) else Board().variation_text(bad)
    ),
    "Board.perft": lambda bad: Board().perft(bad),
    "Board.perft_by_rules": lambda bad: Board().perft_by_rules(bad),
    "Mode.side": lambda bad: Mode.TWO.side(bad) if bad != -1 else refuse(),
    "Mode.partner": lambda bad: Mode.TWO.partner(bad) if bad != -1 else refuse(),
    "Mode.after": lambda bad: Mode.TWO.after(bad) if bad != -1 else refuse(),
    "Move.of": Move.of,
    "Move.parse": Move.parse,
    "Move.in_line rear": lambda bad: Move.in_line(bad, Direction.E),
    "Move.in_line direction": lambda bad: Move.in_line(Cell.E5, bad),
    "Move.side_step one": lambda bad: Move.side_step(bad, Cell.E5, Direction.NE),
    "Move.side_step other": lambda bad: Move.side_step(Cell.E5, bad, Direction.NE),
    "Move.side_step direction": lambda bad: Move.side_step(Cell.E5, Cell.E6, bad),
    "Position": lambda bad: Position(bad, BLACK, bad, mode=bad),
    "PositionBuilder": lambda bad: PositionBuilder(bad) if bad is not None else refuse(),
    "Outcome.result": lambda bad: Outcome(BLACK, Reason.FLAG).result(bad),
    "Outcome.sentence": lambda bad: Outcome(BLACK, Reason.FLAG).sentence(bad),
    "Symmetry.cell": SYMMETRIES[1].cell,
    "Symmetry.direction": SYMMETRIES[1].direction,
    "Symmetry.mask": lambda bad: SYMMETRIES[1].mask(bad) if bad != 2**63 else refuse(),
    "Symmetry.then": SYMMETRIES[1].then,
    "layouts.get": lambda bad: layouts.get(bad) if bad is not None else refuse(),
    "layouts.find": lambda bad: layouts.find(bad, bad),
    "openings.parse": lambda bad: opening_book.parse(bad),
    "Record": lambda bad: Record(bad) if bad != {} else refuse(),
    "Record.new board": lambda bad: Record.new(bad) if bad is not None else refuse(),
    "Record.new tags": lambda bad: (
        Record.new(tags=bad) if bad is not None and bad != {} else refuse()
    ),
    "Record.from_moves": lambda bad: Record.from_moves(bad, ()),
    "Record clocks": lambda bad: Record.from_moves(Board().position, [A_MOVE], clocks=bad),
    "Record.from_game": Record.from_game,
    "Node.evaluation": lambda bad: (
        setattr(Node(), "evaluation", bad) if bad not in (None, -1, 0.5) else refuse()
    ),
    "Node.clock": lambda bad: setattr(Node(), "clock", bad) if bad is not None else refuse(),
    "Node.attach": lambda bad: Node().attach(bad),
    "record.parse errors": lambda bad: list(record.parse("", errors=bad)),
    "Game seats": Game,
    "Game.begin": Game.begin,
    "Game.offer": lambda bad: game().offer(bad),
    "Limit.parse": Limit.parse,
    "Limit.with_part": lambda bad: Limit().with_part(bad, "1"),
    "Score.win": Score.win,
    "Score.pov": lambda bad: Score(5, BLACK).pov(bad) if bad != -1 else refuse(),
    "network.load": lambda bad: network.load(bad) if bad is not None else refuse(),
    "network.parse": network.parse,
    "svg.board": svg.board,
    "svg size": lambda bad: svg.board(Board(), size=bad) if bad is not None else refuse(),
    "svg show": lambda bad: svg.board(Board(), show=bad),
    "svg last move": lambda bad: svg.board(Board(), last_move=bad) if bad is not None else refuse(),
    "svg arrows": lambda bad: (
        svg.board(Board(), arrows=bad) if bad not in ([], {}, ()) else refuse()
    ),
    "terminal.board": terminal.board,
    "terminal show": lambda bad: terminal.board(Board(), show=bad),
    "expected": lambda bad: expected(bad) if not isinstance(bad, int | float) else refuse(),
    "difference": lambda bad: difference(bad) if not isinstance(bad, int | float) else refuse(),
    "Sprt": lambda bad: Sprt(bad, bad),
    "Player.parse": Player.parse,
    "match openings": lambda bad: next(match_openings(plies=bad)),
    "review.mistake_reasons": lambda bad: mistake_reasons(bad, A_MOVE, [A_MOVE]),
    "review.loss": lambda bad: loss(bad, Score(0)),
    "review.accuracy": lambda bad: (
        accuracy(bad) if not isinstance(bad, str | bytes | list | dict | tuple) else refuse()
    ),
    "texts": texts,
    **{
        f"formations.{name}": lambda bad, name=name: getattr(formations, name)(bad, BLACK)
        for name in ("arcs", "blocks", "dets", "groups", "lances", "pacs", "pairs", "sumitos")
    },
    "formations colour": lambda bad: formations.triples(Board(), bad),
}


def refuse():
    """Where the value means something."""
    raise SumitoError("allowed")


def game():
    return Game({BLACK: "Ann", WHITE: "Ben"})


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("bad", NOTHING_USEFUL, ids=lambda bad: repr(bad)[:12])
def test_what_is_of_the_wrong_kind_is_an_error_of_ours(door, bad):
    with pytest.raises(SumitoError) as caught:
        DOORS[door](bad)
    assert str(caught.value)


def test_a_number_or_a_cell_is_no_colour():
    for wrong in (0, Cell.A1, Direction.E):
        for ask in (Board().marbles, Board().marbles_mask, Board().has_move, Mode.TWO.side):
            with pytest.raises(ArgumentTypeError, match="colour is a Colour, not"):
                ask(wrong)
        with pytest.raises(ArgumentTypeError, match="seat is a Colour, not"):
            Game({wrong: "A", WHITE: "B"})
    for wrong in (0, BLACK, Direction.E):
        with pytest.raises(ArgumentTypeError, match="cell is a Cell, not"):
            Board()[wrong]
    with pytest.raises(ColourError, match="mode two has no red marbles"):
        Board().marbles(Colour.RED)


@pytest.mark.parametrize("depth", [-1, 101, 10**30, 1.5, nan, None, True])
def test_leaves_are_counted_to_a_whole_number_of_plies(depth):
    for count in (Board().perft, Board().perft_by_rules):
        with pytest.raises(RangeError, match="depth must be"):
            count(depth)
    assert Board().perft(0) == Board().perft_by_rules(0) == 1


def test_an_endless_limit_is_none_and_nothing_else():
    with Engine(hash_mb=1) as engine:
        for limit in ([], {}, 0, False):
            with pytest.raises(ArgumentTypeError):
                engine.analyse(Board(), limit)
            with pytest.raises(ArgumentTypeError):
                engine.analysis(Board(), limit)
        with pytest.raises(ArgumentTypeError):
            engine.analyse(Board(), Limit(nodes=1), root_moves=None)


def test_a_move_never_changes():
    move = Move.parse("a1b2")
    for name in (*Move.__slots__, "anything"):
        with pytest.raises(AttributeError, match="a1b2 is a Move"):
            setattr(move, name, 5)
        with pytest.raises(AttributeError, match="a1b2 is a Move"):
            delattr(move, name)
    Board().push_text("a1b2")
    assert pickle.loads(pickle.dumps(move)) is copy.deepcopy(move) is move


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("turn", "nonsense"),
        ("turn", WHITE),
        ("captured", (9, 9, 9)),
        ("quiet", 5),
        ("ply", -1),
        ("out", frozenset()),
        ("rules", TOURNAMENT),
        ("mode", Mode.THREE),
    ],
)
def test_only_moves_change_a_board(name, value):
    board = Board()
    with pytest.raises(AttributeError):
        setattr(board, name, value)
    with pytest.raises(AttributeError):
        board.unheard_of = 1
    assert board == Board()


@pytest.mark.parametrize("rules", [RULEBOOK, TOURNAMENT, Rules(win_at=2, ply_limit=9)])
@pytest.mark.parametrize("mode", Mode)
def test_a_boards_repr_makes_an_equal_board(rules, mode):
    board = Board(mode=mode, rules=rules)
    board.push(board.legal_moves[0])
    names = {"Board": Board, "Rules": Rules}
    assert eval(repr(board), names) == board


def every_error():
    """One of each class."""
    for name, kind in vars(errors).items():
        if not (isinstance(kind, type) and issubclass(kind, SumitoError)):
            continue
        if kind is IllegalMoveError:
            yield IllegalMoveError(errors.IllegalReason.PAC, text="a1b2", own=2, opposing=2)
        elif kind is errors.PositionError:
            yield kind("row {row} is wrong", row="a", column=5)
        elif kind is errors.RecordError:
            yield kind("bad {what}", what=BLACK, game=1, line=2, move_number=3, move="a1b2")
        else:
            yield kind("{name} is wrong: {value!r}", name=name, value=10**5000)


@pytest.mark.parametrize("error", list(every_error()), ids=lambda error: type(error).__name__)
def test_an_errors_repr_shows_its_sentence_and_errors_are_copied_whole(error):
    assert repr(error) == f"{type(error).__name__}({str(error)!r})"
    assert str(error)
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is type(error)
        assert (str(twin), repr(twin)) == (str(error), repr(error))
        assert (twin.code, twin.values, twin.template) == (error.code, error.values, error.template)


def test_an_error_raised_by_the_library_survives_the_way_to_another_process():
    for fail in (lambda: Board().push_text("a1a9"), lambda: sumito.Move.of(-1)):
        with pytest.raises(InvalidMoveError) as caught:
            fail()
        assert repr(pickle.loads(pickle.dumps(caught.value))) == repr(caught.value)
