"""Argument checks: types, whole numbers, and texts that are parsed to values.

`parsed` lets every public parameter whose type has a `parse` accept its text as well.
"""

from __future__ import annotations

from typing import Protocol, Self, TypeVar

from sumito.errors import ArgumentTypeError, RangeError, SumitoError
from sumito.i18n.messages import N_


class Parsable(Protocol):
    """A class with a `parse` that reads its values from text."""

    @classmethod
    def parse(cls, text: str, /) -> Self: ...


_Parsed = TypeVar("_Parsed", bound=Parsable)


def check_type(name: str, value: object, kind: type | tuple[type, ...]) -> None:
    """Raise `ArgumentTypeError` unless the value of parameter `name` has that type."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        raise ArgumentTypeError(
            N_("{name} is a {kind}, not {value!r}"),
            code="wrong-type",
            name=name,
            kind="|".join(each.__name__ for each in kinds),
            value=value,
        )


def parsed(name: str, value: _Parsed | str, kind: type[_Parsed]) -> _Parsed:
    """Return the value, parsed if it is a text; raise `ArgumentTypeError` for another type.

    >>> from sumito import Cell
    >>> parsed("cell", "e5", Cell), parsed("cell", Cell.E5, Cell)
    (Cell.E5, Cell.E5)
    """
    if isinstance(value, kind):
        return value
    if isinstance(value, str):
        return kind.parse(value)
    check_type(name, value, kind)
    raise AssertionError("not of the type, and yet of it")


def check_whole(
    name: str, value: object, least: int, most: int, error: type[SumitoError] = RangeError
) -> int:
    """Return a whole number between two bounds; raise an error for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise error(
            N_("{name} must be a whole number from {least} to {most:,}, not {value!r}"),
            name=name,
            value=value,
            least=least,
            most=most,
        )
    return value


def check_at_least(
    name: str, value: object, least: int, error: type[SumitoError] = RangeError, code: str = ""
) -> int:
    """Return a whole number that is large enough; raise an error for anything else."""
    if type(value) is not int or value < least:
        raise error(
            N_("{name} must be a whole number from {least} on, not {value!r}"),
            code=code,
            name=name,
            least=least,
            value=value,
        )
    return value


def check_number(
    name: str, value: object, most: float, error: type[SumitoError] = RangeError
) -> float:
    """Return a number from 0 to a bound; raise an error for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise error(
            N_("{name} must be a number from 0 to {most:,}, not {value!r}"),
            name=name,
            value=value,
            most=most,
        )
    return value


def check_milliseconds(
    name: str, value: object, error: type[SumitoError] = RangeError, least: int | None = None
) -> int:
    """Return a whole number of milliseconds; raise an error for anything else."""
    if type(value) is not int:
        raise error(
            N_("{name} must be in whole milliseconds, not {value!r}"),
            code="not-milliseconds",
            name=name,
            value=value,
        )
    if least is not None and value < least:
        raise error(
            N_("{name} must be in whole milliseconds from {least} on, not {value!r}"),
            code="not-milliseconds",
            name=name,
            least=least,
            value=value,
        )
    return value


def parse_whole(text: str, least: int, most: int, error: type[SumitoError] = RangeError) -> int:
    """Return the whole number that a text writes in digits; raise an error for anything else."""
    # A number that fits has few digits; Python refuses to read one of some thousand.
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) <= len(str(most)) + 20:
        value = int(text)
        if least <= value <= most:
            return value
    raise error(
        N_("{text!r} is not a whole number from {least} to {most}"),
        text=text,
        least=least,
        most=most,
    )
