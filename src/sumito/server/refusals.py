"""How the server says no: a code for programs, a sentence for people, a status for HTTP.

Sentences are templates with values until the door says them in the reader's language, those of the
rules too. What is refused in several places is refused here in one way.
"""

from __future__ import annotations

import math
from typing import Any, Final

from sumito.errors import CommandError, IllegalMoveError, SumitoError
from sumito.i18n.messages import N_, Sentence

SERVER_ERROR: Final = 500
"""From this status on a refusal is the server's failure, not the asker's."""


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


# What is refused in several places.


def players_only() -> Refusal:
    """A stranger asks for what only players do."""
    return Refusal("players-only", N_("only those who play can do that"), status=403)


def not_yours() -> Refusal:
    """Somebody asks for what only the maker of a game does."""
    return Refusal("not-yours", N_("only who made the game can do that"), status=403)


def not_started() -> Refusal:
    """There is no game yet to do that in."""
    return Refusal("not-started", N_("the game waits for players"), status=409)


def game_over() -> Refusal:
    """It is too late for that."""
    return Refusal("game-over", N_("the game is over"), status=409)


def seat_taken() -> Refusal:
    """A seat that is not open."""
    return Refusal("seat-taken", N_("somebody sits there already"), status=409)


def account_needed() -> Refusal:
    """A guest wants a rated game."""
    return Refusal("account-needed", N_("rated games need an account"), status=403)


def not_rateable() -> Refusal:
    """Somebody on two seats, or a computer, in a rated game."""
    return Refusal(
        "not-rateable",
        N_("a rated game is between people, each on one seat of their own"),
        status=409,
    )


def no_such_language(language: str, status: int) -> Refusal:
    """A language that there is no catalogue for."""
    return Refusal(
        "no-such-language",
        N_("there is no language {language} here"),
        status=status,
        language=language,
    )


def too_many(wait_s: float) -> Refusal:
    """More than a rate limit allows; `retry_after` says how many seconds to wait."""
    return Refusal(
        "too-many",
        N_("that was too much at once; please wait a moment"),
        status=429,
        retry_after=max(1, math.ceil(wait_s)),
    )


def outdated_page() -> Refusal:
    """A client that speaks another version of the protocol."""
    return Refusal("reload", N_("The server has been updated. Please reload the page."))


def too_large() -> Refusal:
    """More than any honest request has."""
    return Refusal("too-large", N_("this request is too large"), status=413)


def away() -> Refusal:
    """What is said when the database is away."""
    return Refusal(
        "unavailable", N_("the server can't reach its database; please try again"), status=503
    )
