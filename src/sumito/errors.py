"""The errors the library raises on purpose, all `ValueError`s that say what was wrong and where.

An error is data: a `code`, the `values`, and a `sentence` that is English as `str` and any other
language at the door where it is shown. Errors pickle and copy as themselves, so one raised in
another process arrives whole.

`Illegal` is the list of ways in which a move can break the rules: a program can branch on it,
and a page can say it in the player's language.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any, ClassVar, Final, NoReturn, Self

from sumito.i18n.messages import N_, Sentence, Template, Value, plain


class SumitoError(ValueError):
    """The root of all errors that this package raises on purpose.

    >>> error = CellError(N_("{text!r} is not a cell"), text="z9")
    >>> str(error), error.code, error.values
    ("'z9' is not a cell", 'cell', {'text': 'z9'})
    """

    default_code: ClassVar[str] = "sumito"
    """The code of errors of this class that have no other: the class's name in kebab-case."""

    problem: Sentence
    """What was wrong, without the place."""

    def __init_subclass__(cls) -> None:
        name = cls.__name__.removesuffix("Error")
        cls.default_code = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()

    def __init__(self, template: Template, /, *, code: str = "", **fields: Value) -> None:
        super().__init__()
        self.problem = Sentence(code or self.default_code, template, fields)

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
        """What the error tells, as plain words and numbers."""
        return self.problem.values

    @property
    def sentence(self) -> Sentence:
        """What was wrong and where."""
        return self.problem

    def __str__(self) -> str:
        return str(self.sentence)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # A class's own arguments are not `args`: what an error is made of is its attributes.
        return _rebuild, (type(self),), self.__dict__

    @classmethod
    def about(cls, problem: Sentence, **place: Value) -> Self:
        """An error of this class for a problem that was found elsewhere."""
        error = cls("", **place)  # type: ignore[arg-type]  # checked by the class itself
        error.problem = problem
        return error


def _rebuild(kind: type[SumitoError]) -> SumitoError:
    return kind.__new__(kind)


class CellError(SumitoError):
    """A name that is not one of the 61 cells."""


class DirectionError(SumitoError):
    """A name that is not one of the six directions."""


class ColourError(SumitoError):
    """A colour that doesn't exist, or has no seat in the mode."""


class ModeError(SumitoError):
    """A mode that doesn't exist."""


class SymmetryError(SumitoError):
    """A symmetry that doesn't exist."""


class FormationError(SumitoError):
    """A word that names no formation."""


class PositionError(SumitoError):
    """A position text that is not a position; `column` counts from 1, or is None for the whole."""

    def __init__(
        self, template: Template, /, *, code: str = "", column: int | None = None, **fields: Value
    ) -> None:
        super().__init__(template, code=code, **fields)
        self.column = column

    @property
    def values(self) -> dict[str, str | int]:
        return self.problem.values | ({} if self.column is None else {"column": self.column})

    @property
    def sentence(self) -> Sentence:
        if self.column is None:
            return self.problem
        fields = {"problem": self.problem, "column": self.column}
        return Sentence(self.code, N_("{problem} (column {column})"), fields)


class LayoutError(SumitoError):
    """A layout that doesn't exist, or doesn't fit the mode."""


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
        """What is wrong, without the place, in English."""
        return str(self.problem)

    @property
    def place(self) -> dict[str, str | int]:
        """All that is known of where it is: game, line, move_number, move."""
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
    def sentence(self) -> Sentence:
        place = self.place
        if not place:
            return self.problem
        where = tuple(Sentence(name, _PLACES[name], {name: at}) for name, at in place.items())
        return Sentence(
            self.code, N_("{place}: {problem}"), {"place": where, "problem": self.problem}
        )


_PLACES: Final = {
    "game": N_("game {game}"),
    "line": N_("line {line}"),
    "move_number": N_("move {move_number}"),
    "move": "{move}",
}


class OutputError(SumitoError):
    """A file that can't be written: a folder, a pipe without a reader, no name of a file."""


class LanguageError(SumitoError):
    """A language without a catalogue."""


class Illegal(StrEnum):
    """Which rule forbids a move. `ILLEGAL` has the sentence of each, and which values it takes."""

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
    def parse(cls, text: str) -> Illegal:
        """The one that is written so."""
        return cls(text)

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        known = tuple(cls)
        raise SumitoError(N_("{text!r} is none of {known}"), text=str(value), known=known)


ILLEGAL: Final = {
    Illegal.GAME_OVER: N_("the game is over"),
    Illegal.EMPTY_CELL: N_("there is no marble on {cell}"),
    Illegal.NOT_YOURS: N_("{cell} is {owner}'s, and it is {turn}'s turn"),
    Illegal.PARTNER_REAR: N_("the rear marble must be your own; {cell} is your partner's"),
    Illegal.PARTNER_ONLY: N_("at least one marble of a side-step must be your own"),
    Illegal.PARTNER_SIDE_STEP: N_("{cell} is your partner's: only your own may side-step"),
    Illegal.FOUR: N_("four marbles can't move at once"),
    Illegal.OWN_RIM: N_("{cell} is at the rim: nobody pushes a marble of their own off"),
    Illegal.ALONE: N_("one marble alone can't push, and {cell} is occupied"),
    Illegal.PAC: N_("no sumito: {own} against {opposing} is a pac"),
    Illegal.OUTNUMBERED: N_("no sumito: {own} against {opposing}"),
    Illegal.BLOCKED: N_("{cell} behind the pushed marbles is occupied"),
    Illegal.OCCUPIED: N_("{cell} is occupied: a side-step never pushes"),
    Illegal.OTHER_MOVE: N_("not what happens here; {move} would be written {right}"),
}


class IllegalMoveError(SumitoError):
    """A move that the rules forbid here; `reason` says which rule, the message says it in words."""

    def __init__(self, reason: Illegal, /, *, text: str = "", **fields: Value) -> None:
        super().__init__(ILLEGAL[reason], code=reason.value, **fields)
        self.reason = reason
        self.move = text

    @property
    def sentence(self) -> Sentence:
        if not self.move:
            return self.problem
        return Sentence(
            self.code, N_("{move}: {problem}"), {"move": self.move, "problem": self.problem}
        )


class KindError(SumitoError, TypeError):
    """A thing of another kind than the one that belongs there: a text in place of a board."""


def check_kind(name: str, value: object, kind: type | tuple[type, ...]) -> None:
    """Refuse what is of another type; `name` says what it would be."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        raise KindError(
            N_("{name} is a {kind}, not {value!r}"),
            code="wrong-type",
            name=name,
            kind="|".join(each.__name__ for each in kinds),
            value=value,
        )


class RangeError(SumitoError):
    """A number that is too small, too large, or no whole one."""


def check_whole(
    name: str, value: object, least: int, most: int, error: type[SumitoError] = RangeError
) -> None:
    """Raise an error unless the value is a whole number between two bounds."""
    if type(value) is not int or not least <= value <= most:
        raise error(
            N_("{name} can't be {value!r}: it is a whole number from {least} to {most:,}"),
            name=name,
            value=value,
            least=least,
            most=most,
        )


class EngineError(SumitoError):
    """A request that the engine can't serve, or an engine that failed."""


class NetworkError(EngineError):
    """A network file that can't be used, with the reason."""


class LabError(SumitoError):
    """Data of the lab that can't be used, or a plan that makes no sense."""


class OpeningsError(SumitoError):
    """A file that holds no openings."""


class EnvError(SumitoError):
    """An environment for learning that can't be made as asked, or is used out of order."""


class EngineClosedError(EngineError):
    """The engine has been closed, or its process is gone."""


class EngineBusyError(EngineError):
    """An engine searches one position at a time."""


class ControlError(SumitoError):
    """A time control that doesn't exist, or a clock used as no clock can be."""


class SetupError(SumitoError):
    """A game that can't begin so: a seat without a player, a position that is over already."""


class ReplayError(SumitoError):
    """Stored events that can't have happened in the game they are replayed in."""


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
