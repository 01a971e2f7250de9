"""How the server says no: a code for programs, a sentence for people, a status for HTTP.

Sentences are English templates that `words` puts into the reader's language; those of the rules
come finished and are recognised there.
"""

from __future__ import annotations

from typing import Any

from sumito.errors import CommandError, IllegalMoveError, SumitoError
from sumito.sentence import N_, Sentence


class Refusal(Exception):  # noqa: N818 - it is no error to refuse
    """A request that won't be done; nothing has changed."""

    def __init__(self, code: str, template: str, /, *, status: int = 400, **details: Any) -> None:
        self.code = code
        self.template = template
        self.status = status
        self.details = details
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.template.format(**self.details)


class RuleRefusal(Refusal):
    """What the rules or the game say no to, in their own words."""

    def __init__(self, error: SumitoError, sentence: Sentence, **details: Any) -> None:
        self.sentence = sentence
        status = 409 if isinstance(error, CommandError) else 422
        super().__init__(type(error).default_code, str(sentence), status=status, **details)

    @property
    def message(self) -> str:
        return self.template


def refusal_of(error: SumitoError) -> Refusal:
    """What an error of the rules or the game means to a client."""
    if isinstance(error, IllegalMoveError):
        return RuleRefusal(error, error.problem, reason=str(error.reason), move=error.move)
    return RuleRefusal(error, error.sentence)


def away() -> Refusal:
    """What is said when the database is away."""
    return Refusal(
        "unavailable", N_("the server can't reach its database; please try again"), status=503
    )
