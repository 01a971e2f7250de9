"""Values that are one of a few words: `Choice` is an enum of texts that reads and refuses itself.

>>> from sumito import Mode
>>> Mode.parse("teams"), str(Mode.TEAMS)
(Mode.TEAMS, 'teams')
>>> Mode("five")
Traceback (most recent call last):
sumito.errors.ModeError: 'five' is not a mode; modes are two, three, teams, teams-double
"""

from __future__ import annotations

from enum import StrEnum
from typing import NoReturn, Self

from sumito.errors import SumitoError
from sumito.i18n.messages import N_


class Choice(StrEnum):
    """One of a few words, equal to its text; anything else is refused in a sentence.

    `class Stuck(Choice, error=RulesError)` says which error that is; `refusal` is a sentence of its
    own about `{text}` and what is `{known}`, `code` that error's code.
    """

    def __init_subclass__(
        cls,
        *,
        error: type[SumitoError] = SumitoError,
        refusal: str = N_("{text!r} is none of {known}"),
        code: str = "",
    ) -> None:
        super().__init_subclass__()

        def refuse(text: object) -> NoReturn:
            raise error(refusal, code=code, text=str(text), known=tuple(cls))

        cls._missing_ = refuse  # type: ignore[assignment, method-assign]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The one that is written so."""
        return cls(text)
