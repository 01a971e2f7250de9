"""Argument checks: what they accept, what they refuse, and with which error."""

import pytest

from sumito import Cell, Direction, Rules
from sumito.errors import ArgumentTypeError, CellError, LabError, RangeError
from sumito.validate import (
    check_at_least,
    check_milliseconds,
    check_number,
    check_type,
    check_whole,
    parse_whole,
    parsed,
)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("e5", Cell, Cell.E5),
        ("NE", Direction, Direction.NE),
        ("win_at=4", Rules, Rules(win_at=4)),
    ],
)
def test_parsed_accepts_a_value_and_its_text(text, kind, value):
    assert parsed("it", text, kind) == parsed("it", value, kind) == value


def test_parsed_refuses_other_types_and_wrong_texts():
    with pytest.raises(ArgumentTypeError, match="cell is a Cell, not 5"):
        parsed("cell", 5, Cell)
    with pytest.raises(CellError, match="'z9' is not a cell"):
        parsed("cell", "z9", Cell)


def test_check_type_names_the_parameter_and_the_types():
    check_type("size", 3, (int, float))
    with pytest.raises(ArgumentTypeError, match=r"size is a int\|float, not 'x'"):
        check_type("size", "x", (int, float))


@pytest.mark.parametrize("value", [-1, 11, 1.0, "1", None, True])
def test_whole_numbers_have_bounds(value):
    with pytest.raises(RangeError, match="count must be"):
        check_whole("count", value, 0, 10)
    with pytest.raises(LabError, match="count must be a whole number from 12 on"):
        check_at_least("count", value, 12, LabError)
    assert check_whole("count", 10, 0, 10) == check_at_least("count", 10, 10) == 10


@pytest.mark.parametrize("value", [-0.1, 10.1, float("nan"), "1", None, True])
def test_numbers_have_bounds(value):
    with pytest.raises(RangeError, match="share must be"):
        check_number("share", value, 10)
    assert check_number("share", 2.5, 10) == 2.5


def test_milliseconds_are_whole_and_may_have_a_least():
    assert check_milliseconds("lag", -5) == -5
    with pytest.raises(RangeError, match=r"whole milliseconds, not 0\.5"):
        check_milliseconds("lag", 0.5)
    with pytest.raises(RangeError, match="from 0 on, not -5"):
        check_milliseconds("lag", -5, least=0)


@pytest.mark.parametrize("text", ["", "x", "1.0", "٣", "11", "-1", "9" * 5000])
def test_a_text_that_writes_no_number_in_bounds_is_refused(text):
    with pytest.raises(RangeError, match="is not a whole number from 0 to 10"):
        parse_whole(text, 0, 10)
    assert parse_whole("7", 0, 10) == 7
