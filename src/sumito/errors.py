"""The errors the library raises on purpose, all `ValueError`s that say what was wrong and where.

`Illegal` is the list of ways in which a move can break the rules: a program can branch on it,
and a page can say it in the player's language.
"""

from __future__ import annotations

from enum import StrEnum


class SumitoError(ValueError):
    """The root of all errors that this package raises on purpose."""


class CellError(SumitoError):
    """A name that is not one of the 61 cells."""


class PositionError(SumitoError):
    """A position text that is not a position; `column` counts from 1, or is None for the whole."""

    def __init__(self, message: str, column: int | None = None) -> None:
        self.column = column
        super().__init__(message if column is None else f"{message} (column {column})")


class LayoutError(SumitoError):
    """A layout or a mode that doesn't exist, or one that doesn't fit the other."""


class RulesError(SumitoError):
    """A rule set whose options contradict each other or make no game."""


class NotationError(SumitoError):
    """A notation or a form of text that doesn't exist."""


class InvalidMoveError(SumitoError):
    """A text that is no move in the notation it was read in, whatever the position."""


class RecordError(SumitoError):
    """A record that can't be read or written: the message names all that is known of the place."""

    def __init__(
        self,
        reason: str,
        game: int | None = None,
        line: int | None = None,
        move_number: int | None = None,
        move: str | None = None,
    ) -> None:
        self.reason = reason
        self.game = game
        self.line = line
        self.move_number = move_number
        self.move = move
        places = (("game", game), ("line", line), ("move", move_number), ("", move))
        where = ", ".join(f"{name} {at}".strip() for name, at in places if at is not None)
        super().__init__(f"{where}: {reason}" if where else reason)

    def __reduce__(self) -> tuple[type[RecordError], tuple[object, ...]]:
        # The message is made from these; without them a copy in another process would lose them.
        return type(self), (self.reason, self.game, self.line, self.move_number, self.move)


class Illegal(StrEnum):
    """Which rule forbids a move."""

    GAME_OVER = "game-over"
    EMPTY_CELL = "empty-cell"
    NOT_YOURS = "not-yours"
    PARTNER_REAR = "partner-rear"
    PARTNER_ONLY = "partner-only"
    FOUR = "four"
    OWN_RIM = "own-rim"
    ALONE = "alone"
    PAC = "pac"
    OUTNUMBERED = "outnumbered"
    BLOCKED = "blocked"
    OCCUPIED = "occupied"
    OTHER_MOVE = "other-move"


class IllegalMoveError(SumitoError):
    """A move that the rules forbid here; `reason` says which rule, the message says it in words."""

    def __init__(self, message: str, reason: Illegal, move: str = "") -> None:
        self.reason = reason
        self.move = move
        super().__init__(f"{move}: {message}" if move else message)


class EngineError(SumitoError):
    """A request that the engine can't serve, or an engine that failed."""


class NetworkError(EngineError):
    """A network file that can't be used, with the reason."""


class LabError(SumitoError):
    """Data of the lab that can't be used, or a plan that makes no sense."""


class EngineClosedError(EngineError):
    """The engine has been closed, or its process is gone."""


class EngineBusyError(EngineError):
    """An engine searches one position at a time."""


class ControlError(SumitoError):
    """A time control that doesn't exist, or a clock used as no clock can be."""


class SetupError(SumitoError):
    """A game that can't begin so: a seat without a player, a position that is over already."""


class ReplayError(SumitoError):
    """Stored events that are not the story of the game they are replayed in."""


class CommandError(SumitoError):
    """The root of what can be wrong with a command to a game; the game stays as it was."""


class NoSuchSeatError(CommandError):
    """A command from a seat that the mode doesn't have."""


class GameOverError(CommandError):
    """A command to a game that has ended."""


class OutOfGameError(CommandError):
    """A command from a player who has left a game that goes on."""


class NotYourTurnError(CommandError):
    """A move by someone else than the player whose turn it is."""


class NoSuchOfferError(CommandError):
    """An answer to an offer that isn't there, or isn't this player's to answer."""


class OfferStandsError(CommandError):
    """An offer or an answer that has been made already."""


class TakebackError(CommandError):
    """A take-back where moves stand, or where there is no move to take back."""


class TooLateError(CommandError):
    """An abort of a game that has begun in earnest."""


class ClaimError(CommandError):
    """A claim against players who are there, or haven't been away for long enough."""


class TimeError(CommandError):
    """A time before the last event: time never goes backwards."""
