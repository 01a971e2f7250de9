"""Reading records: lines into games, a game's text into tokens, tokens into moves on a board.

One game is held at a time, so a file of any length takes no more memory than its longest game.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

from sumito import notation as notations
from sumito.board import Board
from sumito.errors import RecordError, SumitoError
from sumito.modes import Colour
from sumito.move import Move
from sumito.notation import Notation
from sumito.record import tags as tagging
from sumito.record.record import Record
from sumito.record.tree import DEEPEST, Count, Line, Node, Said, depart
from sumito.sentence import Sentence

Source = str | Path | Iterable[str]


def read(source: Source, *, errors: Literal["strict", "collect"] = "strict") -> Iterator[Record]:
    """The records of a text, of a file (open, or by its `Path`) or of lines, one by one.

    `strict` raises a `RecordError` at the first fault. `collect` yields every game with its faults
    in `errors`, and the moves up to the first that can't be played.
    """
    if errors not in ("strict", "collect"):
        raise ValueError(f'errors is "strict" or "collect", not {errors!r}')
    if isinstance(source, bytes | bytearray) or not isinstance(source, str | Path | Iterable):
        raise TypeError(f"records are read from text, not from {type(source).__name__}")
    return _read(source, strict=errors == "strict")


def _read(source: Source, *, strict: bool) -> Iterator[Record]:
    for part in _games(_lines(source)):
        record = _record(part)
        if strict and record.errors:
            raise record.errors[0]
        yield record


# Lines.


class _Numbered(NamedTuple):
    number: int
    text: str
    fault: str = ""


def _lines(source: Source) -> Iterator[_Numbered]:
    if isinstance(source, Path):
        yield from _file_lines(source)
        return
    texts = io.StringIO(source, newline=None) if isinstance(source, str) else source
    number = 0
    try:
        for number, text in enumerate(texts, 1):
            if not isinstance(text, str):
                raise TypeError(f"records are read from lines of text, not {type(text).__name__}")
            line = text.rstrip("\r\n")
            yield _Numbered(number, line.removeprefix("\ufeff") if number == 1 else line)
    except UnicodeDecodeError as error:
        reason = f"{error.object[error.start]:#04x} is not {error.encoding} after this line"
        raise RecordError(reason, line=number) from None


def _file_lines(path: Path) -> Iterator[_Numbered]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            line = raw.rstrip(b"\r\n")
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            try:
                yield _Numbered(number, line.decode())
            except UnicodeDecodeError as error:
                at = error.start
                fault = f"byte {at + 1} of the line, {line[at]:#04x}, is not UTF-8"
                yield _Numbered(number, line.decode(errors="replace"), fault)


# Games.


@dataclass
class _Part:
    """The lines of one game."""

    game: int
    line: int
    tags: list[_Numbered] = field(default_factory=list)
    text: list[_Numbered] = field(default_factory=list)
    faults: list[RecordError] = field(default_factory=list)

    def add(self, line: _Numbered, *, to_tags: bool) -> None:
        (self.tags if to_tags else self.text).append(line)
        if line.fault:
            self.faults.append(RecordError(line.fault, game=self.game, line=line.number))


_NEXT_GAME: Final = re.compile(r'\[[A-Za-z][A-Za-z0-9_]*[ \t]+"')


def _games(lines: Iterable[_Numbered]) -> Iterator[_Part]:
    """Part the lines into games: each begins with a tag that follows move text or a blank line."""
    part: _Part | None = None
    game = 0
    in_tags = in_comment = False
    for line in lines:
        blank = not line.text.strip()
        # Nothing but a whole tag ends a comment, so that one left open costs one game, not all.
        is_tag = bool(_NEXT_GAME.match(line.text)) or (line.text.startswith("[") and not in_comment)
        if part is None or (is_tag and not in_tags):
            if part is not None:
                yield part
                part = None
            if blank:
                continue
            game += 1
            part, in_comment = _Part(game, line.number), False
        in_tags = is_tag
        if is_tag or part.text or not blank:
            part.add(line, to_tags=is_tag)
        if not is_tag:
            in_comment = _leaves_open(line.text, in_comment)
    if part is not None:
        yield part


def _leaves_open(text: str, in_comment: bool) -> bool:
    opened, closed = text.rfind("{"), text.rfind("}")
    return in_comment if opened == closed else opened > closed


def _record(part: _Part) -> Record:
    """The record of a game's lines, its faults with it."""
    faults = part.faults
    tags: dict[str, str] = {}
    where: dict[str, int] = {}
    before = len(faults)
    for line in part.tags:
        try:
            name, value = tagging.parse_tag(line.text)
        except RecordError as error:
            faults.append(RecordError.about(error.problem, game=part.game, line=line.number))
            continue
        if name in tags:
            faults.append(
                RecordError(f"the tag {name} stands twice", game=part.game, line=line.number)
            )
        else:
            tags[name], where[name] = value, line.number
    for name, fault in tagging.check(tags):
        faults.append(
            RecordError.about(fault.problem, game=part.game, line=where.get(name, part.line))
        )
    try:
        text = _MoveText(part, Record(tags))
    except RecordError:  # the tags don't tell where the game begins, as they were found out above
        return Record(tags, errors=tuple(faults))
    try:
        text.read()
        if len(faults) == before:
            text.check_end()
    except RecordError as error:
        faults.append(error)
    return Record(tags, text.line(), tuple(faults))


# Move text.


def _shown(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "…"


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


_TOKEN: Final = re.compile(
    r"(?P<newline>\n)"
    r"|[^\S\n]+"
    r"|(?P<comment>\{[^{}]*\})"
    r"|(?P<open>\()"
    r"|(?P<close>\))"
    r"|(?P<number>[0-9]{1,7}\.(?:\.\.)?(?!\.))"
    r"|(?P<word>[^\s(){}]+)"
    r"|(?P<brace>[{}])"
)
_RESULT: Final = re.compile(r"\*|(?:1/2|[01])(?:-(?:1/2|[01]))+")


def _tokens(lines: list[_Numbered]) -> Iterator[_Token]:
    number = lines[0].number if lines else 0
    for match in _TOKEN.finditer("\n".join(line.text for line in lines)):
        kind = match.lastgroup
        if kind == "newline":
            number += 1
        elif kind is not None:
            yield _Token(kind, match[0], number)
            if kind == "comment":
                number += match[0].count("\n")


@dataclass
class _Talk:
    """What is said after the last move, gathered until the next one comes."""

    comments: list[str] = field(default_factory=list)
    clock: int | None = None
    eval: float | None = None
    outs: list[Colour] = field(default_factory=list)
    variations: list[Line] = field(default_factory=list)

    def add(self, said: Said) -> None:
        if said.clock is not None and self.clock is not None:
            raise RecordError("the clock of this move was already given")
        if said.eval is not None and self.eval is not None:
            raise RecordError("the evaluation of this move was already given")
        self.clock = self.clock if said.clock is None else said.clock
        self.eval = self.eval if said.eval is None else said.eval
        self.comments.append(said.comment)

    def line(self) -> Line:
        return Line((), " ".join(self.comments), tuple(self.outs))

    def node(self, move: Move) -> Node:
        comment = " ".join(self.comments)
        return Node(move, comment, self.clock, self.eval, tuple(self.outs), tuple(self.variations))


class _Walk:
    """A line of moves as it is read: the board at its end, and how its moves are numbered."""

    def __init__(self, board: Board, count: Count) -> None:
        self.board = board
        self.count = count
        self.before = count
        """How the move before the last was numbered."""
        self.parted: Board | None = None
        """The board before players left it, since that can't be taken back."""
        self.number: str | None = None
        self.plies = 0
        self.head = Line()
        self.nodes: list[Node] = []
        self.last: Move | None = None
        """The last move, which becomes a node when all is said about it."""
        self.talk: _Talk | None = None

    def upcoming(self) -> Count:
        return self.count.next(self.board.mode, self.board.turn)

    def label(self) -> str:
        return self.upcoming().label(self.count)

    def play(self, move: Move, upcoming: Count) -> None:
        """Note a move that is already made on the board."""
        self._settle()
        self.last = move
        self.plies += 1
        self.before, self.count = self.count, upcoming
        self.number = self.parted = None

    def say(self, said: Said) -> None:
        if self.last is None and (said.clock is not None or said.eval is not None):
            raise RecordError("a clock or an evaluation stands after a move")
        if said.outs and self.number is not None:
            raise RecordError(f"nobody leaves between {self.number} and its move")
        self.talk = self.talk or _Talk()
        self.talk.add(said)
        if said.outs and self.parted is None:
            self.parted = self.board.copy()
        for colour in said.outs:
            depart(self.board, (colour,))
            self.talk.outs.append(colour)

    def branch(self) -> _Walk:
        """A walk that begins where the last move was made."""
        board = (self.parted or self.board).copy()
        board.pop()
        return _Walk(board, self.before)

    def join(self, variation: Line) -> None:
        self.talk = self.talk or _Talk()
        self.talk.variations.append(variation)

    def _settle(self) -> None:
        """Nothing more is said about the last move."""
        if self.last is not None:
            self.nodes.append(self.talk.node(self.last) if self.talk else Node(self.last))
        elif self.talk:
            self.head = self.talk.line()
        self.last = self.talk = None

    def line(self) -> Line:
        self._settle()
        return self.head.after(self.nodes)


class _MoveText:
    """The move text of one game, read against the board; variations lie on a stack of walks."""

    def __init__(self, part: _Part, record: Record) -> None:
        self.part = part
        self.record = record
        self.aba_pro = record.notation is Notation.ABA_PRO
        board = record.board()
        self.walks = [_Walk(board, Count.at(board))]
        self.result: str | None = None
        self.at = part.line

    @property
    def walk(self) -> _Walk:
        return self.walks[-1]

    def line(self) -> Line:
        return self.walks[0].line()

    def read(self) -> None:
        actions = {
            "number": self._number,
            "word": self._word,
            "comment": self._comment,
            "open": self._open,
            "close": self._close,
            "brace": self._brace,
        }
        for token in _tokens(self.part.text):
            self.at = token.line
            if self.result is not None:
                raise self._fault(f"nothing follows the result, but here is {_shown(token.text)}")
            actions[token.kind](token.text)
        if len(self.walks) > 1:
            raise self._fault("a variation is not closed: ) is missing")
        if self.result is None:
            raise self._fault("the result is missing at the end of the moves")

    def _fault(self, reason: str | Sentence, move: str | None = None) -> RecordError:
        number = self.walk.upcoming().number
        problem = reason if isinstance(reason, Sentence) else Sentence("record", reason)
        return RecordError.about(
            problem, game=self.part.game, line=self.at, move_number=number, move=move
        )

    def _number(self, text: str) -> None:
        walk = self.walk
        if walk.number is not None:
            raise self._fault(f"{text} follows {walk.number} without a move")
        right = walk.label()
        if text != right:
            turn = walk.board.turn
            raise self._fault(f"{text} should be {right} ({turn}'s move)")
        walk.number = text

    def _word(self, text: str) -> None:
        if _RESULT.fullmatch(text):
            self._end(text)
        else:
            self._move(text)

    def _move(self, text: str) -> None:
        walk = self.walk
        board, upcoming = walk.board, walk.upcoming()
        if walk.number is None:
            label = upcoming.label(walk.count)
            if not walk.plies or not label.endswith("..."):
                raise self._fault(f"the number {label} is missing", _shown(text))
        try:
            if self.aba_pro:
                move = Move.parse(text)
                board.push(move)
            else:
                move = notations.parse(board, text, self.record.notation)
                board.push_unchecked(move)
        except SumitoError as error:
            raise self._fault(error.problem, _shown(text)) from None
        walk.play(move, upcoming)

    def _comment(self, text: str) -> None:
        try:
            self.walk.say(Said.parse(text[1:-1]))
        except RecordError as error:
            raise self._fault(error.problem) from None

    def _open(self, _: str) -> None:
        walk = self.walk
        if not walk.plies or walk.number is not None:
            raise self._fault("a variation stands after the move it replaces")
        if len(self.walks) > DEEPEST:
            raise self._fault(f"variations nest deeper than {DEEPEST}")
        self.walks.append(walk.branch())

    def _close(self, _: str) -> None:
        walk = self.walk
        if len(self.walks) == 1:
            raise self._fault("a ) closes no variation")
        if not walk.plies or walk.number is not None:
            raise self._fault("a variation ends with a move")
        self.walks.pop()
        self.walk.join(walk.line())

    def _brace(self, text: str) -> None:
        reason = "a comment is not closed: } is missing" if text == "{" else "a } closes none"
        raise self._fault(reason)

    def _end(self, text: str) -> None:
        if len(self.walks) > 1:
            raise self._fault(f"a variation has no result, but here is {text}")
        if self.walk.number is not None:
            raise self._fault(f"{self.walk.number} has no move")
        self.result = text

    def check_end(self) -> None:
        """Does the end agree with the tags and with the board?"""
        tags, walk = self.record.tags, self.walks[0]
        if self.result != tags["Result"]:
            raise self._fault(
                f"the moves end with {self.result}, but the tag Result is {tags['Result']}"
            )
        plies = tagging.plies_of(tags)
        if plies is not None and plies != walk.plies:
            raise self._fault(f"the tag Plies is {plies}, but {walk.plies} are played")
        try:
            tagging.check_result(tags["Result"], walk.board)
        except RecordError as error:
            raise self._fault(error.problem) from None
