"""Base classes of enums: `Choice` has words as values, `Numbered` indices into tables.

>>> from sumito import Mode
>>> Mode.parse("teams"), str(Mode.TEAMS)
(Mode.TEAMS, 'teams')
>>> Mode("five")
Traceback (most recent call last):
sumito.errors.ModeError: 'five' is not a mode; modes are two, three, teams, teams-double
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NoReturn, Self

from sumito.errors import InputError, SumitoError
from sumito.i18n.messages import N_


class Choice(StrEnum):
    """An enum of words, each equal to its text; any other value raises a package error.

    `class Stuck(Choice, error=RulesError)` sets the class of that error, `refusal` its message
    template with `{text}` and `{known}`, `code` its code.
    """

    def __init_subclass__(
        cls,
        *,
        error: type[SumitoError] = InputError,
        refusal: str = N_("{text!r} is none of {known}"),
        code: str = "",
    ) -> None:
        super().__init_subclass__()

        def refuse(text: object) -> NoReturn:
            raise error(refusal, code=code, text=str(text), known=tuple(cls))

        cls._missing_ = refuse  # type: ignore[assignment, method-assign]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the member with this text."""
        return cls(text)


class Numbered(IntEnum):
    """An enum whose members index tuples. Each is true, and equal to no member of another enum.

    >>> from sumito import BLACK, Cell
    >>> bool(BLACK), BLACK == Cell.A1, BLACK == 0
    (True, False, True)
    """

    def __eq__(self, other: object) -> bool:
        if isinstance(other, IntEnum):
            return self is other
        return int.__eq__(self, other) if isinstance(other, int) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__

    def __bool__(self) -> bool:
        return True
