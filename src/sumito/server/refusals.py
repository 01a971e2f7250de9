"""Refusals: what the server declines to do, as a code, a message template and its values.

The class of a refusal says what kind it is; `web` maps kinds to HTTP statuses. A message is
rendered in the reader's language where it leaves the server, those of the rules too. Refusals
that several parts of the server raise have a function here.
"""

from __future__ import annotations

import math
from typing import Any

from sumito.errors import CommandError, IllegalMoveError, SumitoError
from sumito.i18n.messages import N_, Message


class Refusal(Exception):
    """A request that is not carried out; nothing has changed. Raise one of its subclasses."""

    def __init__(self, code: str, template: str | Message, /, **details: Any) -> None:
        self.code = code
        self.template = template
        self.details = details
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The message in English."""
        if isinstance(self.template, Message):
            return str(self.template)
        return self.template.format(**self.details)


class BadRequest(Refusal):
    """The request makes no sense."""


class InvalidInput(Refusal):
    """The request is well-formed, but its content is invalid or breaks the rules of the game."""


class Unauthorised(Refusal):
    """The credentials are missing or wrong."""


class Forbidden(Refusal):
    """The person who asks is not allowed to do this."""


class NotFound(Refusal):
    """What the request names does not exist."""


class Conflict(Refusal):
    """The request does not fit the present state; it may have been possible before."""


class TooLarge(Refusal):
    """The request exceeds a size limit."""


class TooMany(Refusal):
    """The request exceeds a rate limit."""


class TooSlow(Refusal):
    """The request took too long to arrive."""


class ServerError(Refusal):
    """The server's failure, not a mistake of the person who asks."""


class Unavailable(ServerError):
    """The server can't do this at the moment, or not in this installation."""


def refusal_of(error: SumitoError) -> Refusal:
    """Return the refusal that corresponds to an error of the rules or the game."""
    kind = Conflict if isinstance(error, CommandError) else InvalidInput
    code = type(error).default_code
    if isinstance(error, IllegalMoveError):
        return kind(code, error.problem, reason=str(error.reason), move=error.move)
    return kind(code, error.sentence)


# Refusals raised in several places.


def players_only() -> Refusal:
    """Refuse a spectator what only players may do."""
    return Forbidden("players-only", N_("Only players can do that."))


def not_yours() -> Refusal:
    """Refuse what only the creator of a game may do."""
    return Forbidden("not-yours", N_("Only the creator of the game can do that."))


def not_started() -> Refusal:
    """Refuse what needs a game that has started."""
    return Conflict("not-started", N_("The game has not started: it waits for players."))


def game_over() -> Refusal:
    """Refuse what needs a game that is not over."""
    return Conflict("game-over", N_("The game is over."))


def seat_taken() -> Refusal:
    """Refuse a seat that is not open."""
    return Conflict("seat-taken", N_("This seat is taken."))


def account_needed() -> Refusal:
    """Refuse a rated game to a guest."""
    return Forbidden("account-needed", N_("Rated games need an account."))


def not_rateable() -> Refusal:
    """Refuse a rated game with a computer, or with one person on two seats."""
    return Conflict("not-rateable", N_("A rated game is between people with one seat each."))


def no_such_game() -> Refusal:
    """Refuse a game id that is not known."""
    return NotFound("no-such-game", N_("There is no such game."))


def no_such_language(language: str) -> Refusal:
    """Refuse a language without a catalogue."""
    return BadRequest(
        "no-such-language", N_("The language {language} is not available."), language=language
    )


def too_many(wait_s: float) -> Refusal:
    """Refuse what exceeds a rate limit; `retry_after` is the number of seconds to wait."""
    return TooMany(
        "too-many",
        N_("Too many requests. Please wait a moment."),
        retry_after=max(1, math.ceil(wait_s)),
    )


def outdated_page() -> Refusal:
    """Refuse a client that speaks another version of the protocol."""
    return BadRequest("reload", N_("The server has been updated. Please reload the page."))


def too_large() -> Refusal:
    """Refuse a request that exceeds the size limit."""
    return TooLarge("too-large", N_("This request is too large."))


def database_unavailable() -> Refusal:
    """Refuse because the database can't be reached."""
    return Unavailable("unavailable", N_("The server can't reach its database. Please try again."))
