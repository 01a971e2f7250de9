"""Bad input: only errors of our own that say what is wrong and where, and nothing accepted quietly.

Whatever a parser takes must write back to the same text.
"""

import random
import string
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sumito
from sumito import (
    BLACK,
    WHITE,
    Board,
    Cell,
    CellError,
    Colour,
    ColourError,
    IllegalMoveError,
    InvalidMoveError,
    LayoutError,
    Mode,
    ModeError,
    Move,
    Notation,
    NotationError,
    Position,
    PositionError,
    Rules,
    RulesError,
    SumitoError,
)
from sumito.errors import ArgumentTypeError
from sumito.rules.layouts import get as get_layout
from support.strategies import boards, positions

START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1"
EMPTY = "5/6/7/8/9/8/7/6/5"


def mutate(text: str, rng: random.Random, letters: str) -> str:
    """A text with one to three characters changed, lost, doubled or moved."""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + rng.choice(letters) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + 1 :]
        elif kind == 2:
            text = text[:at] + rng.choice(letters) + text[at + 1 :]
        else:
            other = rng.randrange(len(text) + 1)
            text = text[:at] + text[other : other + 3] + text[at:]
    return text


@st.composite
def spoilt_positions(draw: st.DrawFn) -> str:
    rng = random.Random(draw(st.integers(0, 2**32)))
    return mutate(draw(positions()).text(), rng, "bwru0123456789/, -:²٣\tSs")


def attempt(call: Callable[[], Any], *kinds: type[SumitoError]) -> tuple[Any, Any]:
    """What a call gives, and the error of these kinds that it raises in place of it."""
    try:
        return call(), None
    except kinds as error:
        return None, error


def check_position(text: str) -> None:
    """A text is either refused in words or means what it says."""
    read, error = attempt(lambda: Position.parse(text), PositionError)
    if error:
        assert str(error)
        assert error.column is None or 1 <= error.column <= len(text) + 1
        with pytest.raises(PositionError):
            Board.parse(text)
        return
    # The one freedom: the mode may be named where it could be left out.
    assert read.text() == text.removesuffix(" two")
    board = Board.parse(text)
    assert Board.parse(str(board.position)) == board


@given(st.text(max_size=80))
@example("")
@example(" ")
@example("/" * 1000)
@example("9" * 5000)
@example(f"{EMPTY} b 0,0,0 0 1 three out:bwr")
@example(f"{EMPTY} b 0,0 0 1 two")
def test_any_text_as_a_position_is_refused_in_words_or_means_what_it_says(text: str) -> None:
    check_position(text)


@given(spoilt_positions())
def test_a_spoilt_position_is_refused_in_words_or_means_what_it_says(text: str) -> None:
    check_position(text)


@given(st.text(alphabet="bw123456789/ ,0", max_size=60))
def test_letters_of_positions_in_any_order_are_refused_or_mean_what_they_say(text: str) -> None:
    check_position(text)


@pytest.mark.parametrize(
    ("text", "said", "column"),
    [
        (START.replace("wwwww/", "wwwwww/", 1), "row i is too long: it has 5 cells", 6),
        (START.replace("/9/", "/91/"), "row e is too long: it has 9 cells", 23),
        (START.replace("/9/", "/8/"), "row e is too short: 8 of 9 cells", 23),
        (START.replace("/9/", "/x8/"), "row e: 'x' is not a marble here (b, w)", 22),
        (START.replace("2bbb2", "2rbb2"), "row c: 'r' is not a marble here (b, w)", 27),
        (START.replace("/9/", "/45/"), "row e: 4 and 5 side by side should be one number", 23),
        (START.replace("/9/", "/0/"), "row e: '0' is not a marble here", 22),
        (START.replace("/bbbbb ", " "), "a board has 9 rows, not 8", 38),
        (START.replace(" b ", "/5 b "), "a board has 9 rows, not 10", 44),
        (START.replace(" b ", " r "), "invalid side to move 'r' in mode two; expected one of", 45),
        (START.replace(" b ", " - "), "invalid side to move '-' in mode two", 45),
        (START.replace("0,0", "0,x"), "captured must be a whole number from 0 on, not 'x'", 49),
        (START.replace("0,0", "-1,0"), "captured must be a whole number from 0 on, not '-1'", 47),
        (START.replace("0,0", "0,0,0"), "mode two has 2 sides, but captured has 3 counts", None),
        (START.replace("0 1", "00 1"), "quiet must be a whole number from 0 on, not '00'", 51),
        (START.replace("0 1", "0 0"), "ply must be a whole number from 1 on, not '0'", 53),
        (START.replace("0 1", "1 1"), "quiet is 1, but only 0 plies have been played", None),
        (START.replace(" 0,0", "  0,0"), "fields have one blank between them", 47),
        (START + "\n", "fields have one blank between them", 53),
        (START + " four", "'four' is not a mode; modes are two, three, teams, teams-double", 55),
        (START + " two out:b", "no player can be eliminated in mode two", None),
        (START + " a b c", "nothing follows it", 59),
        (EMPTY, "this text ends before all fields are there", 18),
        ("bbbbb/bbbbbb/bbbb3/8/9/8/7/6/5 b 0,0 0 1", "black has 15 marbles", None),
        (f"{EMPTY} u 0,0,0 0 1 three", "invalid side to move 'u' in mode three", 19),
        (f"{EMPTY} b 0,0,0 0 1 three out:u", "'out:u' names a colour that isn't in mode", 37),
        (f"{EMPTY} b 0,0,0 0 1 three out:rw", "letters in the order b, w, r, u", 37),
        (f"{EMPTY} b 0,0,0 0 1 three gone:r", "'gone:r' is not a list of eliminated players", 37),
        (f"{EMPTY} b 0,0,0 0 1 three out:b", "black can't be both to move and eliminated", None),
        (f"{EMPTY} b 0,0,0 0 1 three out:bwr", "at least one player must not be eliminated", None),
        (f"{EMPTY} b 0,0 0 1 teams out:bwru", "at least one player must not be eliminated", None),
    ],
)
def test_a_bad_position_says_what_is_wrong_and_where(
    text: str, said: str, column: int | None
) -> None:
    with pytest.raises(PositionError) as caught:
        Board.parse(text)
    assert said in str(caught.value)
    assert caught.value.column == column


@given(st.text(max_size=8), st.sampled_from(Notation))
@example("", Notation.ABA_PRO)
@example("a1", Notation.NACRE)
@example("a1b2\n", Notation.ABA_PRO)
@example("A1B2", Notation.ABA_PRO)
@example("a1b2" * 1000, Notation.PLAYSTRATEGY)
def test_any_text_as_a_move_is_refused_in_words(text: str, notation: Notation) -> None:
    check_move(Board(), text, notation)


@given(boards(), st.sampled_from(Notation), st.integers(0, 2**32))
def test_a_spoilt_move_is_refused_in_words_or_means_what_it_says(
    board: Board, notation: Notation, seed: int
) -> None:
    rng = random.Random(seed)
    moves = list(board.legal_moves) or [Move.of(0)]
    for _ in range(10):
        move = rng.choice(moves)
        text = board.notate(move, notation=notation) if board.legal_moves else str(move)
        check_move(board, mutate(text, rng, "abcdefghi123456789 ÷²"), notation)


def check_move(board: Board, text: str, notation: Notation) -> None:
    before = board.copy()
    move, error = attempt(
        lambda: board.parse_move(text, notation=notation), InvalidMoveError, IllegalMoveError
    )
    if error:
        assert str(error)
    else:
        written = board.notate(move, notation=notation)
        # A side-step may be read from either end in Aba-Pro.
        assert text == written or text[2:4] + text[:2] == written[:4]
        assert len(text) == len(written)
    assert board == before


@pytest.mark.parametrize(
    ("text", "notation", "said"),
    [
        ("", "aba-pro", "in line is two cells (a1b2), a side-step three (c3c5d4)"),
        ("a1d4", "aba-pro", "a1 and d4 are not neighbours"),
        ("a1a9", "aba-pro", "'a9' is not a cell"),
        ("a1a3c2", "aba-pro", "a1 and a3 must be the ends of a row of two or three"),
        ("a1b", "nacre", "it takes two cells, as a1d4"),
        ("a1z4", "nacre", "'z4' is not a cell"),
        ("a1e3", "nacre", "no row that starts at a1 ends at e3"),
        ("a1i9", "playstrategy", "no row that starts at a1 ends at i9"),
        ("a1b2", "nacre", "the move a1b2 is written a1d4"),
        ("a1c3", "playstrategy", "the move a1b2 is written a1d4"),
    ],
)
def test_a_bad_move_text_says_what_is_wrong(text: str, notation: str, said: str) -> None:
    with pytest.raises((InvalidMoveError, IllegalMoveError)) as caught:
        Board().parse_move(text, notation=notation)
    assert said in str(caught.value)


@given(st.text(max_size=4))
@example("a1 ")
@example("A1")
@example("a١")
@example("j1")
@example("a6")
def test_any_text_as_a_cell_is_refused_or_is_that_cell(text: str) -> None:
    cell, error = attempt(lambda: Cell.parse(text), CellError)
    assert repr(text) in str(error) if error else str(cell) == text


@given(st.text(alphabet="abcdefghij0123456789", min_size=2, max_size=2))
def test_a_letter_and_a_digit_are_a_cell_only_on_the_board(text: str) -> None:
    on_board = text in {str(cell) for cell in Cell}
    cell, error = attempt(lambda: Cell.parse(text), CellError)
    assert str(cell) == text if on_board else error


@pytest.mark.parametrize("cell", ["a9", "", "z"])
def test_asking_a_board_for_a_cell_it_has_not_names_the_cell(cell: str) -> None:
    with pytest.raises(CellError, match="is not a cell"):
        Board()[cell]


@pytest.mark.parametrize("cell", [5, 9, 99, -1, None, 2.5, Colour.BLACK])
def test_asking_a_board_for_what_is_no_cell_names_the_type(cell: object) -> None:
    with pytest.raises(ArgumentTypeError, match="cell is a Cell, not"):
        Board()[cell]  # type: ignore[index]


@given(
    st.fixed_dictionaries(
        {},
        optional={
            name: st.one_of(
                st.integers(-3, 9), st.none(), st.booleans(), st.text(max_size=6), st.floats()
            )
            for name in Rules.__dataclass_fields__
        },
    )
)
def test_any_rule_options_are_refused_in_words_or_mean_what_they_say(
    options: dict[str, object],
) -> None:
    rules, error = attempt(lambda: Rules(**options), RulesError)
    if error:
        assert any(name in str(error) for name in options)
    else:
        for name, value in options.items():
            assert getattr(rules, name) == value
        assert hash(rules) == hash(Rules(**options))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"win_at": 0}, "win_at must be a whole number from 1 on, not 0"),
        ({"win_at": None}, "win_at must be a whole number from 1 on, not None"),
        ({"win_at": True}, "win_at must be a whole number from 1 on, not True"),
        ({"repetition": 1}, "repetition must be a whole number from 2 on, not 1"),
        ({"ply_limit": 0}, "ply_limit must be a whole number from 1 on, not 0"),
        ({"ply_limit": 10.0}, "ply_limit must be a whole number from 1 on, not 10.0"),
        ({"stuck": "waits"}, "stuck is one of by-mode, loses, passes, draws, not 'waits'"),
        ({"partner_sidestep": "all"}, "partner_sidestep is one of any, none, not 'all'"),
        ({"first": "green"}, "first is one of black, white, red, blue, not 'green'"),
        ({"first": 4}, "first is one of black, white, red, blue, not 4"),
    ],
)
def test_a_bad_rule_option_says_what_is_wrong(options: dict[str, object], said: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**options)
    assert str(caught.value) == said


@pytest.mark.parametrize("colour", Colour)
def test_who_begins_may_be_said_by_name(colour: Colour) -> None:
    assert Rules(first=str(colour)) == Rules(first=colour)
    assert Rules(first=str(colour)).first is colour


@given(st.text(max_size=20), st.sampled_from(Mode))
def test_any_text_as_a_layout_is_refused_or_is_that_layout(text: str, mode: Mode) -> None:
    layout, error = attempt(lambda: get_layout(text, mode), LayoutError)
    assert repr(text) in str(error) if error else layout.id == text


@given(st.text(max_size=12))
def test_any_text_as_a_mode_a_notation_or_a_form_is_refused_or_is_that_one(text: str) -> None:
    for parse, kind in (
        (Mode.parse, ModeError),
        (Notation.parse, NotationError),
        (sumito.Form.parse, NotationError),
        (Colour.parse, ColourError),
        (sumito.Symmetry.parse, SumitoError),
    ):
        found, error = attempt(partial(parse, text), kind)
        if error:
            assert repr(text) in str(error)
        else:
            assert text.lower() in (str(found), getattr(found, "letter", None))


def test_every_error_is_about_the_input_or_about_the_moment() -> None:
    bases = {sumito.errors.SumitoError, sumito.errors.EngineError, sumito.errors.CommandError}
    for kind in vars(sumito.errors).values():
        if isinstance(kind, type) and issubclass(kind, Exception) and kind not in bases:
            assert issubclass(kind, SumitoError)
            assert issubclass(kind, ValueError) != issubclass(kind, RuntimeError), kind


def test_counts_of_ejections_must_fit_the_mode() -> None:
    with pytest.raises(PositionError, match="mode two has 2 sides, but captured has 1 counts"):
        Board(captured=(1,))
    with pytest.raises(PositionError, match="mode three has 3 sides"):
        Board(mode="three", captured=(0, 0))
    with pytest.raises(PositionError, match="captured must be a whole number from 0 on, not -1"):
        Board(captured=(-1, 0))


def test_counts_of_ejections_may_be_any_sequence() -> None:
    board = Board(captured=[2, 0])
    assert board == Board(captured=(2, 0))
    assert board.position == Board(captured=(2, 0)).position


def test_a_position_put_together_by_hand_is_checked() -> None:
    a1, a2 = Cell.A1.mask, Cell.A2.mask
    Position((a1, a2), BLACK, (0, 0))
    for marbles, said in (
        ((a1, a1 | a2), "two marbles lie on a1"),
        ((a1, 1 << 5), "a marble lies outside the board"),
        ((a1, -1), "a marble lies outside the board"),
        ((a1,), "mode two has 2 colours of marbles"),
    ):
        with pytest.raises(PositionError, match=said):
            Position(marbles, BLACK, (0, 0))
    with pytest.raises(PositionError, match="red can't be to move: mode two has no red"):
        Position((a1, a2), Colour.RED, (0, 0))
    with pytest.raises(PositionError, match="an eliminated player has no seat in mode three"):
        Position(
            (a1, a2, 0), BLACK, (0, 0, 0), mode=Mode.THREE, eliminated=frozenset({Colour.BLUE})
        )


def test_the_last_player_in_cannot_leave() -> None:
    board = Board(mode="three")
    board.leave(BLACK)
    board.leave(WHITE)
    with pytest.raises(ColourError, match="red can't leave: no other player is left"):
        board.leave(Colour.RED)
    assert board.outcome() == sumito.Outcome(Colour.RED, sumito.Reason.LAST_IN)


@pytest.mark.parametrize("index", [-1, 1272])
def test_a_moves_number_beyond_the_list_is_refused_in_words(index: int) -> None:
    with pytest.raises(sumito.InvalidMoveError, match="numbered from 0 to 1271"):
        Move.of(index)


@given(st.text(alphabet=string.printable, max_size=30))
def test_any_text_in_another_programs_form_is_refused_in_words_or_read(text: str) -> None:
    for form in sumito.Form:
        read, error = attempt(partial(Position.parse, text, form), PositionError)
        assert read is not None or str(error)
