"""Reading records: lines into games, a game's text into tokens, tokens into moves on a board.

One game is held at a time, so a file of any length takes no more memory than its longest game,
and no game may be longer than `LONGEST_GAME`.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import AnyStr, Final, Literal, NamedTuple, Protocol, runtime_checkable

from sumito import notation as notations
from sumito.board import Board
from sumito.errors import RecordError, SumitoError
from sumito.move import Move
from sumito.notation import Notation
from sumito.record import tags as tagging
from sumito.record.record import Record
from sumito.record.tree import DEEPEST, GLYPHS, MOST_NAG, Comment, Count, Node, let_leave
from sumito.sentence import N_, Sentence, Value

LONGEST_GAME: Final = 2_000_000
"""How many characters a game may have, comments and all; the longest known has some 30,000."""

LONGEST_TAG: Final = 10_000
"""How many characters a tag's line may have."""

FileName = str | os.PathLike[str]


@runtime_checkable
class TextFile(Protocol):
    """An open text file."""

    def readline(self, limit: int = -1, /) -> str: ...


Errors = Literal["strict", "collect"]


def read(
    source: FileName | TextFile | Iterable[str], *, errors: Errors = "strict"
) -> Iterator[Record]:
    """The records of a file, by its name or open, or of lines, one by one. `parse` reads a text.

    `strict` raises a `RecordError` at the first fault. `collect` yields every game with its faults
    in `errors`, and the moves up to the first that can't be played.
    """
    if isinstance(source, bytes | bytearray) or not isinstance(
        source, str | os.PathLike | TextFile | Iterable
    ):
        raise TypeError(
            f"records are read from a file or from lines of text, not {type(source).__name__}"
        )
    if isinstance(source, str) and "\n" in source:
        raise RecordError(
            N_("read takes the name of a file, and this is a text; parse reads texts"),
            code="text-for-name",
        )
    if isinstance(source, str | os.PathLike):
        return _read(_file_lines(source), errors)
    return _read(_text_lines(source), errors)


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of a file by its tags: found without reading its moves, and read when it is wanted."""

    path: Path
    number: int
    """Games count from 1."""
    offset: int
    """Where the game begins in the file, in bytes."""
    tags: dict[str, str]
    """The tags that could be read."""

    def read(self) -> Record:
        """The whole game, its faults in `errors`."""
        for part in _games(_file_lines(self.path, self.offset)):
            part.game = self.number
            return _record(part)
        raise RecordError(
            N_("{path} has changed: this game is no longer there"), code="gone", path=self.path
        )


def scan(path: FileName) -> Iterator[Entry]:
    """The games of a file by their tags, one by one; faults don't matter before one is read."""
    path = Path(path)
    for part in _games(_file_lines(path)):
        tags: dict[str, str] = {}
        for line in part.tags:
            with suppress(RecordError):
                name, value = tagging.parse_tag(line.text, LONGEST_TAG)
                tags.setdefault(name, value)
        yield Entry(path, part.game, part.offset, tags)


def parse(text: str, *, errors: Errors = "strict") -> Iterator[Record]:
    """The records of a text, one by one, as `read` has them."""
    if not isinstance(text, str):
        raise TypeError(f"records are parsed from a text, not from {type(text).__name__}")
    return _read(_text_lines(io.StringIO(text, newline=None)), errors)


def _read(lines: Iterator[_Numbered], errors: Errors) -> Iterator[Record]:
    if errors not in ("strict", "collect"):
        raise ValueError(f'errors is "strict" or "collect", not {errors!r}')
    return _records(lines, strict=errors == "strict")


def _records(lines: Iterator[_Numbered], *, strict: bool) -> Iterator[Record]:
    for part in _games(lines):
        record = _record(part)
        if strict and record.errors:
            raise record.errors[0]
        yield record


# Lines.


class _Numbered(NamedTuple):
    number: int
    text: str
    fault: Sentence | None = None
    offset: int = 0
    """Where the line begins in its file, in bytes."""


_TOO_LONG: Final = Sentence(
    "line-too-long",
    N_("this line has more than {most} characters; the rest of it is left out"),
    {"most": LONGEST_GAME},
)


def _text_lines(source: TextFile | Iterable[str]) -> Iterator[_Numbered]:
    texts = _bounded(source.readline) if isinstance(source, TextFile) else iter(source)
    number = 0
    try:
        for number, text in enumerate(texts, 1):
            if not isinstance(text, str):
                raise TypeError(f"records are read from lines of text, not {type(text).__name__}")
            line = text.rstrip("\r\n")
            line = line.removeprefix("\ufeff") if number == 1 else line
            fault = _TOO_LONG if len(line) > LONGEST_GAME else None
            yield _Numbered(number, line[:LONGEST_GAME], fault)
    except UnicodeDecodeError as error:
        raise RecordError(
            N_("{byte} is not {encoding} after this line"),
            code="encoding",
            line=number,
            byte=f"{error.object[error.start]:#04x}",
            encoding=error.encoding,
        ) from None


def _bounded(readline: Callable[[int], AnyStr]) -> Iterator[AnyStr]:
    """The lines of a file; of one that is too long, only its beginning is ever held."""
    most = LONGEST_GAME + 2
    while line := readline(most):
        yield line
        while len(line) == most and line[-1:] not in ("\n", b"\n"):
            line = readline(most)


def _file_lines(path: FileName, offset: int = 0) -> Iterator[_Numbered]:
    with Path(path).open("rb") as file:
        if offset:
            file.seek(offset)
        end = offset

        def readline(limit: int, /) -> bytes:
            nonlocal end
            line = file.readline(limit)
            end += len(line)
            return line

        for number, raw in enumerate(_bounded(readline), 1):
            begin = end - len(raw)
            line = raw.rstrip(b"\r\n")
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            fault = _TOO_LONG if len(line) > LONGEST_GAME else None
            line = line[:LONGEST_GAME]
            try:
                yield _Numbered(number, line.decode(), fault, begin)
            except UnicodeDecodeError as error:
                fault = fault or Sentence(
                    "encoding",
                    N_("byte {at} of the line, {byte}, is not UTF-8"),
                    {"at": error.start + 1, "byte": f"{line[error.start]:#04x}"},
                )
                yield _Numbered(number, line.decode(errors="replace"), fault, begin)


# Games.


@dataclass
class _Part:
    """The lines of one game."""

    game: int
    line: int
    offset: int = 0
    tags: list[_Numbered] = field(default_factory=list)
    text: list[_Numbered] = field(default_factory=list)
    faults: list[RecordError] = field(default_factory=list)
    size: int = 0

    def add(self, line: _Numbered, *, to_tags: bool) -> None:
        """Keep a line, unless the game has become longer than any may be."""
        if self.size > LONGEST_GAME:
            return
        self.size += len(line.text) + 1
        if self.size > LONGEST_GAME and line.fault is None:
            line = line._replace(
                fault=Sentence(
                    "game-too-long",
                    N_("this game has more than {most} characters; the rest of it is left out"),
                    {"most": LONGEST_GAME},
                )
            )
        (self.tags if to_tags else self.text).append(line)
        if line.fault:
            self.faults.append(RecordError.about(line.fault, game=self.game, line=line.number))


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
            part, in_comment = _Part(game, line.number, line.offset), False
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
            name, value = tagging.parse_tag(line.text, LONGEST_TAG)
        except RecordError as error:
            faults.append(RecordError.about(error.problem, game=part.game, line=line.number))
            continue
        if name in tags:
            faults.append(
                RecordError(
                    N_("the tag {tag} stands twice"),
                    code="tag-twice",
                    game=part.game,
                    line=line.number,
                    tag=name,
                )
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
        return Record(tags, errors=faults)
    try:
        text.read()
        if len(faults) == before:
            text.check_end()
    except RecordError as error:
        faults.append(error)
    return Record(tags, text.root, faults)


# Move text.


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


_TOKEN: Final = re.compile(
    r"(?P<newline>\n)"
    r"|[^\S\n]+"
    r"|(?P<comment>\{[^{}]*\})"
    r"|(?P<rest>;[^\n]*)"
    r"|(?P<open>\()"
    r"|(?P<close>\))"
    r"|(?P<number>[0-9]{1,7}\.(?:\.\.)?(?!\.))"
    r"|(?P<nag>\$[0-9]+|[!?]+)"
    r"|(?P<word>[^\s(){};!?$]+|\$)"
    r"|(?P<brace>[{}])"
)
_RESULT: Final = re.compile(r"\*|(?:1/2|[01])(?:-(?:1/2|[01])){1,3}")


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


class _Line:
    """A line of moves as it is read: its last node, the board there, and the count of moves."""

    def __init__(self, node: Node, board: Board, count: Count, *, is_variation: bool) -> None:
        self.node = node
        self.board = board
        self.count = count
        self.is_variation = is_variation
        self.has_moves = False
        self.count_before = count
        """The count before the last move."""
        self.board_before_leaving: Board | None = None
        """The board before players left it, since that can't be taken back."""
        self.number: str | None = None
        """A move number that waits for its move."""
        self.comments: list[str] = []
        """What is said since the last move; it is put together when the next one comes."""
        self.opening_comment = ""

    def upcoming(self) -> Count:
        return self.count.next(self.board.mode, self.board.turn)

    def label(self) -> str:
        return self.upcoming().label(self.count)

    def play(self, move: Move, upcoming: Count) -> None:
        """Note a move that is already made on the board."""
        self.settle()
        self.node = self.node.attach(Node(move, opening_comment=self.opening_comment))
        self.opening_comment = ""
        self.has_moves = True
        self.count_before, self.count = self.count, upcoming
        self.number = self.board_before_leaving = None

    def settle(self) -> None:
        """Nothing more is said about the last move."""
        text = " ".join(filter(None, self.comments))
        if self.is_variation and not self.has_moves:
            self.opening_comment = text
        else:
            self.node.comment = text
        self.comments = []

    def add_comment(self, said: Comment) -> None:
        node = self.node
        if (said.clock is not None or said.evaluation is not None) and not self.has_moves:
            raise RecordError(
                N_("a clock or an evaluation stands after a move"), code="comment-before-move"
            )
        if said.clock is not None and node.clock is not None:
            raise RecordError(N_("the clock of this move was already given"), code="clock-twice")
        if said.evaluation is not None and node.evaluation is not None:
            raise RecordError(
                N_("the evaluation of this move was already given"), code="evaluation-twice"
            )
        self.comments.append(said.text)
        if said.clock is not None:
            node.clock = said.clock
        if said.evaluation is not None:
            node.evaluation = said.evaluation
        if said.outs:
            self._leave(said)

    def _leave(self, said: Comment) -> None:
        if self.number is not None or (self.is_variation and not self.has_moves):
            raise RecordError(
                N_("players leave after a move, or before the first one of the game"),
                code="out-place",
            )
        self.board_before_leaving = self.board_before_leaving or self.board.copy()
        let_leave(self.board, said.outs)
        self.node.outs += said.outs

    def branch(self) -> _Line:
        """A line that begins where the last move was made."""
        assert self.node.parent is not None
        board = (self.board_before_leaving or self.board).copy()
        board.pop()
        return _Line(self.node.parent, board, self.count_before, is_variation=True)


class _MoveText:
    """The move text of one game, read against the board; variations lie on a stack of lines."""

    def __init__(self, part: _Part, record: Record) -> None:
        self.part = part
        self.tags = record.tags
        self.notation = record.notation
        self.root = Node()
        board = record.board()
        self.lines = [_Line(self.root, board, Count.at(board), is_variation=False)]
        self.plies = 0
        self.result: str | None = None
        self.at = part.line

    @property
    def line(self) -> _Line:
        return self.lines[-1]

    def read(self) -> None:
        actions = {
            "number": self._number,
            "word": self._word,
            "comment": self._comment,
            "rest": self._rest_of_line,
            "nag": self._nag,
            "open": self._open,
            "close": self._close,
            "brace": self._brace,
        }
        try:
            for token in _tokens(self.part.text):
                self.at = token.line
                if self.result is not None:
                    raise self._fault(
                        N_("nothing follows the result, but here is {text!r}"),
                        code="after-result",
                        text=token.text,
                    )
                actions[token.kind](token.text)
            if len(self.lines) > 1:
                raise self._fault(
                    N_("a variation is not closed: ) is missing"), code="open-variation"
                )
            if self.result is None:
                raise self._fault(
                    N_("the result is missing at the end of the moves"), code="no-result"
                )
        finally:
            for line in self.lines:
                line.settle()

    def _fault(
        self, template: str, *, code: str, move: str | None = None, **fields: Value
    ) -> RecordError:
        return self._placed(Sentence(code, template, fields), move)

    def _placed(self, problem: Sentence, move: str | None = None) -> RecordError:
        number = self.line.upcoming().number
        return RecordError.about(
            problem, game=self.part.game, line=self.at, move_number=number, move=move
        )

    def _number(self, text: str) -> None:
        line = self.line
        if line.number is not None:
            raise self._fault(
                N_("{text} follows {number} without a move"),
                code="number-without-move",
                text=text,
                number=line.number,
            )
        right = line.label()
        if text != right:
            raise self._fault(
                N_("{text} should be {right} ({turn}'s move)"),
                code="number-wrong",
                text=text,
                right=right,
                turn=line.board.turn,
            )
        line.number = text

    def _word(self, text: str) -> None:
        if _RESULT.fullmatch(text):
            self._end(text)
        else:
            self._move(text)

    def _move(self, text: str) -> None:
        line = self.line
        board, upcoming = line.board, line.upcoming()
        shown = text if len(text) <= 20 else text[:20] + "…"
        if line.number is None:
            label = upcoming.label(line.count)
            if not line.has_moves or not label.endswith("..."):
                raise self._fault(
                    N_("the number {label} is missing"), code="no-number", move=shown, label=label
                )
        try:
            if self.notation is Notation.ABA_PRO:
                move = Move.parse(text)
                board.push(move)
            else:
                move = notations.parse(board, text, self.notation)
                board.push_unchecked(move)
        except SumitoError as error:
            raise self._placed(error.problem, shown) from None
        line.play(move, upcoming)
        self.plies += len(self.lines) == 1

    def _comment(self, text: str) -> None:
        try:
            self.line.add_comment(Comment.parse(text[1:-1]))
        except RecordError as error:
            raise self._placed(error.problem) from None

    def _rest_of_line(self, text: str) -> None:
        self._comment(text + " ")

    def _nag(self, text: str) -> None:
        line = self.line
        if not line.has_moves or line.number is not None:
            raise self._fault(
                N_("{text} stands after the move it judges"), code="annotation-place", text=text
            )
        number = text[1:5].isdecimal() and len(text) < 6 and int(text[1:])
        nag = GLYPHS.get(text) if text[0] != "$" else number
        if nag is None or nag is False or nag > MOST_NAG:
            raise self._fault(
                N_("{text!r} is no annotation; there are ! ? !! ?? !? ?! and $0 to ${most}"),
                code="annotation",
                text=text,
                most=MOST_NAG,
            )
        line.node.nags = tuple(dict.fromkeys((*line.node.nags, nag)))

    def _open(self, _: str) -> None:
        line = self.line
        if not line.has_moves or line.number is not None:
            raise self._fault(
                N_("a variation stands after the move it replaces"), code="variation-place"
            )
        if len(self.lines) > DEEPEST:
            raise self._fault(
                N_("variations nest deeper than {most}"), code="variation-depth", most=DEEPEST
            )
        self.lines.append(line.branch())

    def _close(self, _: str) -> None:
        line = self.line
        if len(self.lines) == 1:
            raise self._fault(N_("a ) closes no variation"), code="close-variation")
        if not line.has_moves or line.number is not None:
            raise self._fault(N_("a variation ends with a move"), code="variation-end")
        line.settle()
        self.lines.pop()

    def _brace(self, text: str) -> None:
        if text == "{":
            raise self._fault(N_("a comment is not closed: } is missing"), code="open-comment")
        raise self._fault(N_("a } closes no comment"), code="close-comment")

    def _end(self, text: str) -> None:
        if len(self.lines) > 1:
            raise self._fault(
                N_("a variation has no result, but here is {text}"),
                code="variation-result",
                text=text,
            )
        if self.line.number is not None:
            raise self._fault(
                N_("{number} has no move"), code="number-without-move", number=self.line.number
            )
        self.result = text

    def check_end(self) -> None:
        """Does the end agree with the tags and with the board?"""
        if self.result != self.tags["Result"]:
            raise self._fault(
                N_("the moves end with {result}, but the tag Result is {tag}"),
                code="result-differs",
                result=self.result,
                tag=self.tags["Result"],
            )
        try:
            tagging.check_plies(self.tags, self.plies)
            tagging.check_result(self.tags["Result"], self.line.board)
        except RecordError as error:
            raise self._placed(error.problem) from None
