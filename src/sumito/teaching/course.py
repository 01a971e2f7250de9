"""The course: lessons of a few steps, each a board with a task and an answer to whatever is tried.

A step's answers are keys of texts. What the rules forbid is answered by the rules themselves, so a
step only lists the mistakes that deserve words of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from sumito.errors import IllegalMoveError, SumitoError, check_kind
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.cells import Cell
from sumito.rules.move import Move
from sumito.teaching.texts import read

OTHER: Final = "course.other"
"""The answer to a legal move that isn't what the task asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One board with a task."""

    key: str
    """Where its texts begin, as `lesson.row.two`."""
    position: str = ""

    @property
    def task(self) -> str:
        return f"{self.key}.task"

    @property
    def board(self) -> Board:
        return Board.parse(self.position)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayStep(Step):
    """Play one of the wanted moves."""

    want: frozenset[Move]
    wrong: tuple[Move, ...] = ()
    """Tempting moves, legal or not, that have an answer of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TryStep(Step):
    """Try what can't be done, and read why."""

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
    """Look, and go on."""

    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StartStep(Step):
    """The learner's first game."""

    mode: str
    layout: str
    level: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A few steps about one thing."""

    id: str
    part: str
    steps: tuple[Step, ...] = field(repr=False)

    @property
    def title(self) -> str:
        return f"lesson.{self.id}.title"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a learner hears, and whether the step is done with it."""

    key: str
    done: bool


@cache
def course() -> tuple[Lesson, ...]:
    """All lessons in their order."""
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
        N_("{key}: {kind!r} is no kind of step"), code="step-kind", key=key, kind=data["kind"]
    )


def judge(step: Step, tried: str | int) -> Answer | None:
    """The answer to a move, a cell or an option; None where the rules say why not."""
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
    check_kind("step", step, Step)
    raise SumitoError(N_("{key} asks for nothing"), code="step-without-task", key=step.key)


def _judge_try(step: TryStep, move: Move) -> Answer | None:
    """Whatever the rules refuse for the same reason teaches the same."""
    code = _refusal(step, move)
    if code is None:
        return Answer(OTHER, done=False)
    alike = move in step.attempts or code in {_refusal(step, one) for one in step.attempts}
    return Answer(f"{step.key}.done", done=True) if alike else None


def _refusal(step: TryStep, move: Move) -> str | None:
    """The rule that forbids a move, by its code."""
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
