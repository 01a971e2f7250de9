"""Errors are data: a code, values, a template; and they arrive whole in another process."""

import ast
import copy
import json
import multiprocessing
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sumito
from sumito import BLACK, MOVES, Board, Cell, Move
from sumito.errors import (
    ILLEGAL,
    Illegal,
    IllegalMoveError,
    PositionError,
    RecordError,
    SumitoError,
)
from sumito.i18n.messages import NN_, Sentence
from sumito.rules.rules import Outcome, Reason, Rules

SOURCE = Path(sumito.__file__).parent


def family(kind=SumitoError):
    yield kind
    for child in kind.__subclasses__():
        yield from family(child)


def example(kind):
    if kind is IllegalMoveError:
        return IllegalMoveError(Illegal.PAC, text="a1b2", own=3, opposing=3)
    if kind is PositionError:
        return PositionError("row {row} is too long", code="row-too-long", column=7, row="i")
    if kind is RecordError:
        return RecordError("{tag} is missing", game=2, line=3, move_number=4, move="a1b2", tag="X")
    return kind("{cell} is {owner}'s", code="not-yours", cell=Cell.E5, owner=BLACK)


@pytest.mark.parametrize("kind", list(family()))
def test_every_error_pickles_and_copies_as_itself(kind):
    error = example(kind)
    error.add_note("a note")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is kind
        assert str(twin) == str(error)
        assert (twin.code, twin.values, twin.sentence) == (error.code, error.values, error.sentence)
        assert vars(twin) == vars(error)


def test_an_illegal_move_in_a_worker_is_raised_here():
    with (
        multiprocessing.get_context("spawn").Pool(1) as pool,
        pytest.raises(IllegalMoveError, match="no marble on e5") as caught,
    ):
        pool.apply_async(Board().push, [Move.parse("e5e6")]).get(timeout=300)
    assert caught.value.reason is Illegal.EMPTY_CELL


def test_an_error_tells_programs_a_code_and_plain_values():
    with pytest.raises(IllegalMoveError) as caught:
        Board().push(Move.parse("i5h5"))
    error = caught.value
    assert error.code == "not-yours"
    assert json.loads(json.dumps(error.values)) == {"cell": "i5", "owner": "white", "turn": "black"}
    assert str(error) == "i5h5: i5 is white's, and it is black's turn"
    assert str(error.problem) == "i5 is white's, and it is black's turn"


def test_an_error_is_said_in_another_language_words_and_place_with_it():
    german = {
        "{move}: {problem}": "Zug {move}: {problem}",
        "{cell} is {owner}'s, and it is {turn}'s turn": "{cell} gehört {owner}, {turn} ist am Zug",
        "black": "Schwarz",
        "white": "Weiß",
    }
    with pytest.raises(IllegalMoveError) as caught:
        Board().push(Move.parse("i5h5"))
    said = caught.value.sentence.say(lambda text: german.get(text, text))
    assert said == "Zug i5h5: i5 gehört Weiß, Schwarz ist am Zug"


def test_plurals_go_by_the_count():
    marbles = NN_("{count} marble", "{count} marbles")
    assert [str(Sentence("x", marbles, {"count": n})) for n in (0, 1, 2)] == [
        "0 marbles",
        "1 marble",
        "2 marbles",
    ]

    def french(one, many, count):
        return "{count} bille" if count < 2 else "{count} billes"

    assert Sentence("x", marbles, {"count": 0}).say(str, french) == "0 bille"


@pytest.mark.parametrize("board", [Board(), Board(mode="three"), Board(mode="teams")])
def test_every_illegal_move_has_a_sentence_with_all_its_values(board):
    for move in MOVES:
        if not board.is_legal(move):
            with pytest.raises(IllegalMoveError) as caught:
                board.push(move)
            error = caught.value
            names = set(re.findall(r"{(\w+)}", ILLEGAL[error.reason]))
            assert set(error.values) == names
            assert "{" not in str(error)


def test_every_way_to_be_illegal_has_a_sentence():
    assert set(ILLEGAL) == set(Illegal)


@pytest.mark.parametrize(
    "value",
    ["x" * 10**7, 10**10_000, -(10**10_000), object(), ("y",) * 3],
    ids=["text", "number", "negative", "object", "tuple"],
)
def test_whatever_was_typed_the_sentence_stays_short(value):
    error = SumitoError("{value!r} is wrong", value=value)
    assert len(str(error)) < 200
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    json.dumps(error.values)


@given(st.text())
def test_braces_in_what_was_typed_are_no_fields(text):
    with pytest.raises(SumitoError) as caught:
        Cell.parse(text + "{cell}")
    assert "is not a cell" in str(caught.value)


@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("mode", sumito.Mode)
def test_every_outcome_has_a_sentence(reason, mode):
    for winner in (None, *(side[0] for side in mode.sides)):
        assert "{" not in str(Outcome(winner, reason).sentence(mode))


def test_an_outcome_names_the_side_and_the_count():
    assert str(Outcome(BLACK, Reason.EJECTED).sentence(sumito.Mode.TEAMS)) == (
        "black+red win (6 marbles ejected)"
    )
    one = Outcome(BLACK, Reason.EJECTED).sentence(rules=Rules(win_at=1))
    assert str(one) == "black wins (1 marble ejected)"


def raised(tree):
    """The calls that make an error in a module, with the class's name."""
    known = {kind.__name__ for kind in family()}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in known:
                yield node, name, first


FLOORS = [
    path
    for folder in (".", "position", "game", "record", "drawing", "engine", "lab", "cli")
    for path in sorted((SOURCE / folder).glob("*.py" if folder == "." else "**/*.py"))
    if path.name != "errors.py"
]


def test_every_error_of_the_library_can_be_translated():
    """Its template is marked for the catalogue, or chosen from marked ones; never put together."""
    composed = [
        f"{path.name}:{node.lineno}"
        for path in FLOORS
        for node, name, first in raised(ast.parse(path.read_text("utf-8")))
        if isinstance(first, ast.JoinedStr | ast.Constant) and name != "IllegalMoveError"
    ]
    assert composed == []


def test_codes_are_kebab_case():
    codes = {kind.default_code for kind in family()} | {
        word.value.value
        for path in FLOORS
        for node, _, _ in raised(ast.parse(path.read_text("utf-8")))
        for word in node.keywords
        if word.arg == "code" and isinstance(word.value, ast.Constant)
    }
    assert len(codes) > 50
    assert [code for code in codes if not re.fullmatch(r"[a-z]+(-[a-z]+)*", code)] == []
