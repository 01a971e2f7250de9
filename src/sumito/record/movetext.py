"""Parses the move text of a game: splits it into tokens and replays the moves on a board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from sumito.errors import RecordError, SumitoError
from sumito.i18n.messages import N_, Message, Value
from sumito.record.files import GameText, NumberedLine
from sumito.record.header import Header, check_result
from sumito.record.tree import (
    DEEPEST,
    GLYPHS,
    MOST_NAG,
    Comment,
    MoveNumber,
    Node,
    apply_departures,
)
from sumito.rules import notations
from sumito.rules.board import Board
from sumito.rules.move import Move
from sumito.rules.notations import Notation


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


def _tokens(lines: list[NumberedLine]) -> Iterator[_Token]:
    number = lines[0].number if lines else 0
    for match in _TOKEN.finditer("\n".join(line.text for line in lines)):
        kind = match.lastgroup
        if kind == "newline":
            number += 1
        elif kind is not None:
            yield _Token(kind, match[0], number)
            if kind == "comment":
                number += match[0].count("\n")


class _OpenLine:
    """A variation while it is read: its last node, the board there, and the move number."""

    def __init__(self, node: Node, board: Board, count: MoveNumber, *, is_variation: bool) -> None:
        self.node = node
        self.board = board
        self.count = count
        self.is_variation = is_variation
        self.has_moves = False
        self.count_before = count
        """The move number before the last move."""
        self.board_before_leaving: Board | None = None
        """The board before departures, which can't be popped."""
        self.number: str | None = None
        """A move number without its move yet."""
        self.comments: list[str] = []
        """The comments since the last move, joined when the next one is read."""
        self.opening_comment = ""

    def upcoming(self) -> MoveNumber:
        return self.count.next(self.board.mode, self.board.turn)

    def label(self) -> str:
        return self.upcoming().label(self.count)

    def play(self, move: Move, upcoming: MoveNumber) -> None:
        """Add a move that has been made on the board."""
        self.settle()
        self.node = self.node.attach(Node(move, opening_comment=self.opening_comment))
        self.opening_comment = ""
        self.has_moves = True
        self.count_before, self.count = self.count, upcoming
        self.number = self.board_before_leaving = None

    def settle(self) -> None:
        """Join the comments on the last move."""
        text = " ".join(filter(None, self.comments))
        if self.is_variation and not self.has_moves:
            self.opening_comment = text
        else:
            self.node.comment = text
        self.comments = []

    def add_comment(self, comment: Comment) -> None:
        node = self.node
        if (comment.clock is not None or comment.evaluation is not None) and not self.has_moves:
            raise RecordError(
                N_("a clock or an evaluation must follow a move"), code="comment-before-move"
            )
        if comment.clock is not None and node.clock is not None:
            raise RecordError(N_("the clock of this move was already given"), code="clock-twice")
        if comment.evaluation is not None and node.evaluation is not None:
            raise RecordError(
                N_("the evaluation of this move was already given"), code="evaluation-twice"
            )
        self.comments.append(comment.text)
        if comment.clock is not None:
            node.clock = comment.clock
        if comment.evaluation is not None:
            node.evaluation = comment.evaluation
        if comment.departures:
            self._leave(comment)

    def _leave(self, comment: Comment) -> None:
        if self.number is not None or (self.is_variation and not self.has_moves):
            raise RecordError(
                N_("a departure must follow a move, or precede the first move of the game"),
                code="out-place",
            )
        self.board_before_leaving = self.board_before_leaving or self.board.copy()
        apply_departures(self.board, comment.departures)
        self.node.departures += comment.departures

    def branch(self) -> _OpenLine:
        """Return a variation that replaces the last move."""
        assert self.node.parent is not None
        board = (self.board_before_leaving or self.board).copy()
        board.pop()
        return _OpenLine(self.node.parent, board, self.count_before, is_variation=True)


class MoveText:
    """The parser of one game's move text; open variations are on a stack."""

    def __init__(self, part: GameText, header: Header) -> None:
        self.part = part
        self.header = header
        self.notation = header.notation
        self.root = Node()
        board = Board.at(header.start, rules=header.rules)
        self.lines = [_OpenLine(self.root, board, MoveNumber.at(board), is_variation=False)]
        self.plies = 0
        self.result: str | None = None
        self.at = part.line

    @property
    def line(self) -> _OpenLine:
        return self.lines[-1]

    def read(self) -> None:
        """Replay all moves with their comments; raise `RecordError` at the first error."""
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
        return self._placed(Message(code, template, fields), move)

    def _placed(self, problem: Message, move: str | None = None) -> RecordError:
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
                N_("{text} must follow the move it annotates"), code="annotation-place", text=text
            )
        number = text[1:5].isdecimal() and len(text) < 6 and int(text[1:])
        nag = GLYPHS.get(text) if text[0] != "$" else number
        if nag is None or nag is False or nag > MOST_NAG:
            raise self._fault(
                N_("{text!r} is not an annotation; use ! ? !! ?? !? ?! or $0 to ${most}"),
                code="annotation",
                text=text,
                most=MOST_NAG,
            )
        line.node.nags = tuple(dict.fromkeys((*line.node.nags, nag)))

    def _open(self, _: str) -> None:
        line = self.line
        if not line.has_moves or line.number is not None:
            raise self._fault(
                N_("a variation must follow the move it replaces"), code="variation-place"
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
        """Raise `RecordError` if the result contradicts the tags or the board."""
        if self.result != self.header.result:
            raise self._fault(
                N_("the moves end with {result}, but the tag Result is {tag}"),
                code="result-differs",
                result=self.result,
                tag=self.header.result,
            )
        try:
            self.header.check_plies(self.plies)
            check_result(self.header.result, self.line.board)
        except RecordError as error:
            raise self._placed(error.problem) from None
