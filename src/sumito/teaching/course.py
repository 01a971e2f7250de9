"""The course: lessons of a few steps, each a board with a task and answers to every attempt.

A step's answers are keys of texts. Illegal moves are answered by the rules' own messages, so a
step lists only the mistakes with an answer of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from sumito.errors import IllegalMoveError, SumitoError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.cells import Cell
from sumito.rules.move import Move
from sumito.teaching.texts import read
from sumito.validate import check_type

OTHER: Final = "course.other"
"""The answer to a legal move that isn't what the task asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One board with a task."""

    key: str
    """The common prefix of its texts' keys, as `lesson.row.two`."""
    position: str = ""

    @property
    def task(self) -> str:
        return f"{self.key}.task"

    @property
    def board(self) -> Board:
        return Board.parse(self.position)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayStep(Step):
    """Play one of the expected moves."""

    want: frozenset[Move]
    wrong: tuple[Move, ...] = ()
    """Tempting moves, legal or not, that have an answer of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TryStep(Step):
    """Try an illegal move, and read why it is illegal."""

    attempts: frozenset[Move]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkStep(Step):
    """Point at a cell."""

    cells: frozenset[Cell]
    wrong: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseStep(Step):
    """Answer a question; every option has its answer."""

    right: int
    options: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowStep(Step):
    """Read, and go on."""

    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StartStep(Step):
    """The learner's first game."""

    mode: str
    layout: str
    level: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A few steps on one subject."""

    id: str
    part: str
    steps: tuple[Step, ...] = field(repr=False)

    @property
    def title(self) -> str:
        return f"lesson.{self.id}.title"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to an attempt, and whether it completes the step."""

    key: str
    done: bool


@cache
def course() -> tuple[Lesson, ...]:
    """Return all lessons in order."""
    return tuple(
        Lesson(
            lesson["id"],
            part["id"],
            tuple(_step(f"lesson.{lesson['id']}.{step['id']}", step) for step in lesson["steps"]),
        )
        for part in read("course.json")["parts"]
        for lesson in part["lessons"]
    )


def _step(key: str, data: dict[str, Any]) -> Step:
    position = data.get("position", "")
    match data["kind"]:
        case "play":
            return PlayStep(
                key=key,
                position=position,
                want=frozenset(map(Move.parse, data["want"])),
                wrong=tuple(map(Move.parse, data["wrong"])),
            )
        case "attempt":
            return TryStep(
                key=key, position=position, attempts=frozenset(map(Move.parse, data["attempt"]))
            )
        case "mark":
            return MarkStep(
                key=key,
                position=position,
                cells=frozenset(map(Cell.parse, data["cells"])),
                wrong=tuple(map(Cell.parse, data["wrong"])),
            )
        case "choose":
            return ChooseStep(
                key=key, position=position, right=data["right"], options=data["options"]
            )
        case "show":
            return ShowStep(key=key, position=position, moves=tuple(map(Move.parse, data["moves"])))
        case "game":
            return StartStep(key=key, mode=data["mode"], layout=data["layout"], level=data["level"])
    raise SumitoError(
        N_("{key}: {kind!r} is not a kind of step"), code="step-kind", key=key, kind=data["kind"]
    )


def judge(step: Step, tried: str | int) -> Answer | None:
    """Return the answer to a move, a cell or an option; `None` for an illegal move."""
    match step:
        case PlayStep():
            return _judge_move(step, Move.parse(str(tried)))
        case TryStep():
            return _judge_try(step, Move.parse(str(tried)))
        case MarkStep():
            cell = Cell.parse(str(tried))
            if cell in step.cells:
                return Answer(f"{step.key}.done", done=True)
            return Answer(f"{step.key}.wrong.{cell}" if cell in step.wrong else OTHER, done=False)
        case ChooseStep():
            return Answer(f"{step.key}.answer.{tried}", done=tried == step.right)
    check_type("step", step, Step)
    raise SumitoError(N_("{key} has no task to answer"), code="step-without-task", key=step.key)


def _judge_try(step: TryStep, move: Move) -> Answer | None:
    """Return the answer to an attempt at an illegal move; any with the same reason counts."""
    code = _refusal(step, move)
    if code is None:
        return Answer(OTHER, done=False)
    alike = move in step.attempts or code in {_refusal(step, one) for one in step.attempts}
    return Answer(f"{step.key}.done", done=True) if alike else None


def _refusal(step: TryStep, move: Move) -> str | None:
    """Return the code of the rule that forbids a move."""
    try:
        step.board.check(move)
    except IllegalMoveError as error:
        return error.code
    return None


def _judge_move(step: PlayStep, move: Move) -> Answer | None:
    if move in step.want:
        return Answer(f"{step.key}.done", done=True)
    if move in step.wrong:
        return Answer(f"{step.key}.wrong.{move}", done=False)
    return Answer(OTHER, done=False) if move in step.board.legal_moves else None
