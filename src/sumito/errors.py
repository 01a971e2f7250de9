"""Exceptions with a code, a message template and its values.

All derive from `SumitoError`. An `InputError` is a `ValueError` about a value that was passed; a
`StateError` is a `RuntimeError` about the current state (a closed engine, a finished game).

An error has a `code`, `values` and a `sentence`, which is English as `str` and is translated where
it is shown. Errors can be pickled and copied, so one raised in another process arrives complete.

`IllegalReason` lists the ways in which a move can break the rules, for programs to branch on.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any, ClassVar, Final, NoReturn, Self

from sumito.i18n.messages import N_, Message, Template, Value, plain


class SumitoError(Exception):
    """Base class of all errors that this package raises deliberately.

    >>> error = CellError(N_("{text!r} is not a cell"), text="z9")
    >>> str(error), error.code, error.values
    ("'z9' is not a cell", 'cell', {'text': 'z9'})
    """

    default_code: ClassVar[str] = "sumito"
    """The default code of this class: its name in kebab-case."""

    problem: Message
    """The problem, without its place."""

    def __init_subclass__(cls) -> None:
        if "default_code" in vars(cls):
            return
        name = cls.__name__.removesuffix("Error")
        cls.default_code = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()

    def __init__(self, template: Template, /, *, code: str = "", **fields: Value) -> None:
        super().__init__()
        self.problem = Message(code or self.default_code, template, fields)

    @property
    def code(self) -> str:
        """A stable name in kebab-case for programs to branch on."""
        return self.problem.code

    @property
    def template(self) -> Template:
        """The English text of the problem with `{names}`: the key of the translations."""
        return self.problem.template

    @property
    def values(self) -> dict[str, str | int]:
        """The values of the message as plain words and numbers."""
        return self.problem.values

    @property
    def sentence(self) -> Message:
        """The message: the problem and its place."""
        return self.problem

    def __str__(self) -> str:
        return str(self.sentence)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Subclasses have their own arguments, so `args` can't restore one; the attributes can.
        return _rebuild, (type(self),), self.__dict__

    @classmethod
    def about(cls, problem: Message, **place: Value) -> Self:
        """Return an error of this class for an existing problem."""
        error = cls("", **place)  # type: ignore[arg-type]  # checked by the class itself
        error.problem = problem
        return error


def _rebuild(kind: type[SumitoError]) -> SumitoError:
    return kind.__new__(kind)


class InputError(SumitoError, ValueError):
    """An invalid value passed by the caller."""


class StateError(SumitoError, RuntimeError):
    """A valid request that the current state does not allow."""


class CellError(InputError):
    """An invalid cell name."""


class DirectionError(InputError):
    """An invalid direction."""


class ColourError(InputError):
    """An unknown colour, or one without a seat in the mode."""


class ModeError(InputError):
    """An unknown mode."""


class SymmetryError(InputError):
    """An unknown symmetry."""


class FormationError(InputError):
    """An unknown formation."""


class PositionError(InputError):
    """An invalid position; `column` counts from 1 in its text, `None` for the whole text."""

    def __init__(
        self, template: Template, /, *, code: str = "", column: int | None = None, **fields: Value
    ) -> None:
        super().__init__(template, code=code, **fields)
        self.column = column

    @property
    def values(self) -> dict[str, str | int]:
        return self.problem.values | ({} if self.column is None else {"column": self.column})

    @property
    def sentence(self) -> Message:
        if self.column is None:
            return self.problem
        fields = {"problem": self.problem, "column": self.column}
        return Message(self.code, N_("{problem} (column {column})"), fields)


class LayoutError(InputError):
    """An unknown layout, or one of another mode."""


class RulesError(InputError):
    """An invalid option of a rule set, or options that contradict each other."""


class NotationError(InputError):
    """An unknown notation or text format."""


class InvalidMoveError(InputError):
    """A text that is not a move in its notation, whatever the position."""


class RecordError(InputError):
    """An invalid record; the message gives the known place: game, line, tag, move."""

    def __init__(
        self,
        template: Template,
        /,
        *,
        code: str = "",
        game: int | None = None,
        line: int | None = None,
        move_number: int | None = None,
        move: str | None = None,
        **fields: Value,
    ) -> None:
        super().__init__(template, code=code, **fields)
        self.game = game
        self.line = line
        self.move_number = move_number
        self.move = move

    @property
    def reason(self) -> str:
        """The problem in English, without its place."""
        return str(self.problem)

    @property
    def place(self) -> dict[str, str | int]:
        """The known parts of the place: game, line, move_number, move."""
        known = {
            "game": self.game,
            "line": self.line,
            "move_number": self.move_number,
            "move": self.move,
        }
        return {name: plain(value) for name, value in known.items() if value is not None}

    @property
    def values(self) -> dict[str, str | int]:
        return self.problem.values | self.place

    @property
    def sentence(self) -> Message:
        place = self.place
        if not place:
            return self.problem
        where = tuple(Message(name, _PLACES[name], {name: at}) for name, at in place.items())
        return Message(
            self.code, N_("{place}: {problem}"), {"place": where, "problem": self.problem}
        )


_PLACES: Final = {
    "game": N_("game {game}"),
    "line": N_("line {line}"),
    "move_number": N_("move {move_number}"),
    "move": "{move}",
}


class OutputError(InputError):
    """A file that can't be written: a folder, a pipe without a reader, an invalid name."""


class LanguageError(InputError):
    """A language without a catalogue."""


class IllegalReason(StrEnum):
    """The rule that forbids a move. `ILLEGAL` has the message template of each."""

    GAME_OVER = "game-over"
    EMPTY_CELL = "empty-cell"
    NOT_YOURS = "not-yours"
    PARTNER_REAR = "partner-rear"
    PARTNER_ONLY = "partner-only"
    PARTNER_SIDE_STEP = "partner-side-step"
    FOUR = "four"
    OWN_RIM = "own-rim"
    ALONE = "alone"
    PAC = "pac"
    OUTNUMBERED = "outnumbered"
    BLOCKED = "blocked"
    OCCUPIED = "occupied"
    OTHER_MOVE = "other-move"

    @classmethod
    def parse(cls, text: str) -> IllegalReason:
        """Return the member with this text."""
        return cls(text)

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        known = tuple(cls)
        raise InputError(N_("{text!r} is none of {known}"), text=str(value), known=known)


ILLEGAL: Final = {
    IllegalReason.GAME_OVER: N_("the game is over"),
    IllegalReason.EMPTY_CELL: N_("there is no marble on {cell}"),
    IllegalReason.NOT_YOURS: N_("{cell} is {owner}'s, and it is {turn}'s turn"),
    IllegalReason.PARTNER_REAR: N_("the rear marble must be your own; {cell} is your partner's"),
    IllegalReason.PARTNER_ONLY: N_("at least one marble of a side-step must be your own"),
    IllegalReason.PARTNER_SIDE_STEP: N_("{cell} is your partner's: only your own may side-step"),
    IllegalReason.FOUR: N_("four marbles can't move at once"),
    IllegalReason.OWN_RIM: N_("{cell} is at the rim: a move can't push its own marbles off"),
    IllegalReason.ALONE: N_("one marble alone can't push, and {cell} is occupied"),
    IllegalReason.PAC: N_("no sumito: {own} against {opposing} is a pac"),
    IllegalReason.OUTNUMBERED: N_("no sumito: {own} against {opposing}"),
    IllegalReason.BLOCKED: N_("{cell} behind the pushed marbles is occupied"),
    IllegalReason.OCCUPIED: N_("{cell} is occupied: a side-step never pushes"),
    IllegalReason.OTHER_MOVE: N_("on this board the move {move} is written {right}"),
}


class IllegalMoveError(InputError):
    """A move that is illegal on this board; `reason` is the rule that forbids it."""

    def __init__(self, reason: IllegalReason, /, *, text: str = "", **fields: Value) -> None:
        super().__init__(ILLEGAL[reason], code=reason.value, **fields)
        self.reason = reason
        self.move = text

    @property
    def sentence(self) -> Message:
        if not self.move:
            return self.problem
        return Message(
            self.code, N_("{move}: {problem}"), {"move": self.move, "problem": self.problem}
        )


class ArgumentTypeError(InputError, TypeError):
    """An argument of the wrong type."""


class RangeError(InputError):
    """A number out of range, or not a whole number."""


class EngineError(SumitoError):
    """Base class of the engine's errors: an impossible request, or a failed engine."""


class EngineValueError(EngineError, InputError):
    """An invalid level, limit, score or engine option."""

    default_code = "engine"


class NetworkError(EngineError, InputError):
    """An unreadable or invalid network file."""


class LabError(InputError):
    """Invalid lab data or configuration."""


class OpeningsError(InputError):
    """An invalid file of openings."""


class EnvError(InputError):
    """Invalid settings of a learning environment, or a call out of order."""


class EngineClosedError(EngineError, StateError):
    """The engine has been closed, or its process has ended."""


class EngineBusyError(EngineError, StateError):
    """The engine is searching already; it searches one position at a time."""


class ControlError(InputError):
    """An invalid time control, or an invalid operation on a clock."""


class SetupError(InputError):
    """An invalid set-up of a game: a seat without a player, a decided start position."""


class ReplayError(InputError):
    """Stored events that contradict the game they are replayed in."""


class CommandError(SumitoError):
    """Base class of refused commands to a game; the game is unchanged."""


class InvalidCommandError(CommandError, InputError):
    """An invalid command, whatever the game."""

    default_code = "command"


class NoSuchSeatError(CommandError, InputError):
    """A command from a seat that does not exist in the mode."""


class GameOverError(CommandError, StateError):
    """A command to a finished game."""


class OutOfGameError(CommandError, StateError):
    """A command from a player who is eliminated."""


class NotYourTurnError(CommandError, StateError):
    """A move out of turn."""


class NoSuchOfferError(CommandError, StateError):
    """An answer without an open offer, or by a player who may not answer it."""


class OfferStandsError(CommandError, StateError):
    """An offer or an answer made twice."""


class TakebackError(CommandError, StateError):
    """A take-back in a rated game, or without a move to take back."""


class TooLateError(CommandError, StateError):
    """An abort after every side has moved."""


class ClaimError(CommandError, StateError):
    """A claim against players who are connected, or within the grace period."""


class TimeError(CommandError, InputError):
    """A time before the last event."""
