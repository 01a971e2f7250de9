"""The moves of a record as a tree: each node is a move with its comments and annotations.

The first child of a node continues the line, the others are variations. Nodes can be
edited; a value that no record could hold raises an error when it is set.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from sumito.errors import ColourError, RecordError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move
from sumito.validate import check_type, parsed

if TYPE_CHECKING:
    from sumito.record.header import Header
    from sumito.record.record import Record

DEEPEST: Final = 50
"""The deepest nesting of variations, so that a hostile file can't exhaust the stack."""

UNWRITABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that would break a line or can't be encoded as UTF-8."""

GLYPHS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Annotation marks and their numbers (numeric annotation glyphs, NAGs)."""

MOST_NAG: Final = 255
_LONGEST_CLOCK: Final = 10_000 * 3_600_000


class Node:
    """A move in the tree of a record; the root has none and stands before the first.

    >>> from sumito import record
    >>> game = record.Record.new()
    >>> first = game.root.add("a1b2")
    >>> other = game.root.add("a2b3", comment="better")
    >>> other.promote()
    >>> [str(move) for move in game.moves], first.board().turn
    (['a2b3'], Colour.WHITE)
    """

    __slots__ = (
        "_after",
        "_clock",
        "_comment",
        "_departures",
        "_evaluation",
        "_move",
        "_nags",
        "_opening_comment",
        "_record",
        "children",
        "parent",
    )

    parent: Node | None
    children: list[Node]
    """The nodes after this one: the main continuation first, then its variations."""

    def __init__(
        self,
        move: Move | str | None = None,
        *,
        comment: str = "",
        clock: int | None = None,
        evaluation: float | None = None,
        nags: Iterable[int] = (),
        departures: Iterable[Colour | str] = (),
        opening_comment: str = "",
    ) -> None:
        self._move = None if move is None else parsed("move", move, Move)
        self.parent = None
        self.children = []
        self._record: Record | None = None
        self._after: tuple[Board, Record, Header, int] | None = None
        """The cached board after this move with its versions: see `_board`."""
        check_type("departures", departures, Iterable)
        self._departures = tuple(parsed("colour", colour, Colour) for colour in departures)
        self.comment = comment
        self.clock = clock
        self.evaluation = evaluation
        self.nags = tuple(nags)
        self.opening_comment = opening_comment

    @property
    def move(self) -> Move | None:
        """The move; `None` at the root."""
        return self._move

    @property
    def departures(self) -> tuple[Colour, ...]:
        """The players who leave after this move while the others play on."""
        return self._departures

    @departures.setter
    def departures(self, departures: Iterable[Colour]) -> None:
        self._departures = tuple(departures)
        self._note_edit()

    # Comments and annotations.

    @property
    def comment(self) -> str:
        """The comment after the move; at the root, before the first one."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        check_type("comment", text, str)
        self._comment = clean_comment(text)

    @property
    def opening_comment(self) -> str:
        """The comment before the move, where it opens a variation."""
        return self._opening_comment

    @opening_comment.setter
    def opening_comment(self, text: str) -> None:
        check_type("opening_comment", text, str)
        self._opening_comment = clean_comment(text)

    @property
    def clock(self) -> int | None:
        """The mover's remaining milliseconds."""
        return self._clock

    @clock.setter
    def clock(self, clock: int | None) -> None:
        if clock is not None and not (type(clock) is int and 0 <= clock < _LONGEST_CLOCK):
            raise RecordError(
                N_("a clock shows milliseconds from 0 on, not {value!r}"), code="clock", value=clock
            )
        self._clock = clock

    @property
    def evaluation(self) -> float | None:
        """The evaluation after the move, in marbles, from black's side."""
        return self._evaluation

    @evaluation.setter
    def evaluation(self, value: float | None) -> None:
        is_number = isinstance(value, int | float)
        if value is not None and not (is_number and math.isfinite(value) and abs(value) < 1e9):
            raise RecordError(
                N_("an evaluation is a finite number, not {value!r}"),
                code="evaluation",
                value=value,
            )
        self._evaluation = value

    @property
    def nags(self) -> tuple[int, ...]:
        """Annotations of the move by number: 1 is good (!), 2 a mistake (?), 6 dubious (?!) …"""
        return self._nags

    @nags.setter
    def nags(self, nags: Iterable[int]) -> None:
        check_type("nags", nags, Iterable)
        nags = tuple(nags)
        for nag in nags:
            if type(nag) is not int or not 0 <= nag <= MOST_NAG:
                raise RecordError(
                    N_("an annotation is a number from 0 to {most}, not {value!r}"),
                    code="annotation",
                    most=MOST_NAG,
                    value=nag,
                )
        self._nags = nags

    # Traversal.

    @property
    def next(self) -> Node | None:
        """The next node of the line, `None` at its end."""
        return self.children[0] if self.children else None

    @property
    def variations(self) -> tuple[Node, ...]:
        """The first nodes of the alternatives to the next node."""
        return tuple(self.children[1:])

    def line(self) -> Iterator[Node]:
        """Yield the later nodes of the line in order."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def path(self) -> list[Node]:
        """Return the nodes from the root to this one, without the root."""
        nodes = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def walk(self) -> Iterator[Node]:
        """Yield all nodes below this one: at each branch the line first, then the variations."""
        waiting = self.children[::-1]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children[::-1]

    @property
    def root(self) -> Node:
        """The node before the first move."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def board(self) -> Board:
        """Return the board after this move, with its history."""
        return self._board().copy()

    def _board(self) -> Board:
        """Return the board after this move, cached until an edit of the record changes it."""
        if self._after is not None:
            board, record, header, edits = self._after
            if record._edits == edits and record.header is header:
                return board
        owner = self.root._record
        if owner is None:
            raise RecordError(
                N_("a node has a board once it belongs to a record"), code="node-without-record"
            )
        board = owner.board()
        for node in self.path():
            assert node.move is not None
            board.push(node.move)
            apply_departures(board, node.departures)
        self._after = board, owner, owner.header, owner._edits
        return board

    def _note_edit(self) -> None:
        """Invalidate the cached boards after this node."""
        record = self.root._record
        if record is not None:
            record._edits += 1

    # Editing.

    def add(
        self,
        move: Move | str,
        *,
        comment: str = "",
        clock: int | None = None,
        evaluation: float | None = None,
        nags: Iterable[int] = (),
    ) -> Node:
        """Add a move after this node: the main line if it is the first, else a variation.

        An existing node of that move is returned, with comments and annotations added to it.
        """
        move = parsed("move", move, Move)
        self._board().check(move)
        node = self._child(move)
        if comment:
            node.comment = f"{node.comment} {comment}"
        node.clock = node.clock if clock is None else clock
        node.evaluation = node.evaluation if evaluation is None else evaluation
        node.nags = tuple(dict.fromkeys((*node.nags, *nags)))
        return node

    def add_line(self, moves: Iterable[Move | str]) -> Node:
        """Add a sequence of moves after this node; return the last node."""
        node = self
        for move in moves:
            node = node.add(move)
        return node

    def _child(self, move: Move) -> Node:
        """Return the child with that legal move; add it if it is new."""
        found = next((child for child in self.children if child.move is move), None)
        node = found or self.attach(Node(move))
        if self._after is not None:
            before, record, header, edits = self._after
            board = before.copy()
            board.push_unchecked(move)
            apply_departures(board, node.departures)
            node._after = board, record, header, edits
        return node

    def attach(self, child: Node) -> Node:
        """Add a node with its subtree, unchecked; a record is checked when it is written."""
        check_type("child", child, Node)
        child._note_edit()
        child.parent = self
        self.children.append(child)
        return child

    def promote(self) -> None:
        """Make this move the main continuation, and the former one a variation."""
        siblings = self._siblings()
        siblings.remove(self)
        siblings.insert(0, self)

    def delete(self) -> None:
        """Delete this move and all that follow it."""
        self._siblings().remove(self)
        self._note_edit()
        self.parent = None

    def _siblings(self) -> list[Node]:
        if self.parent is None:
            raise RecordError(
                N_("the root of a record can't be moved or deleted"), code="node-is-root"
            )
        return self.parent.children

    # Text.

    @property
    def comment_text(self) -> str:
        """The comment as written, commands first; empty if there is none."""
        parts = []
        if self.clock is not None:
            parts.append(f"[%clk {_clock_text(self.clock)}]")
        if self.evaluation is not None:
            parts.append(f"[%eval {_eval_text(self.evaluation)}]")
        parts += [f"[%out {colour}]" for colour in self.departures]
        return " ".join(filter(None, (*parts, self.comment)))

    def fields(self) -> tuple[object, ...]:
        """The contents of the node without its relatives, which decide equality."""
        return (
            self.move,
            self.comment,
            self.clock,
            self.evaluation,
            self.nags,
            self.departures,
            self.opening_comment,
        )

    def __repr__(self) -> str:
        return f"<Node {self.move or 'root'}, {len(self.children)} follow>"


def flattened(root: Node) -> list[tuple[int, tuple[object, ...]]]:
    """Return a tree as a list of nodes in order, each with its parent's index, -1 for none."""
    places = {id(root): 0}
    flat: list[tuple[int, tuple[object, ...]]] = [(-1, root.fields())]
    for node in root.walk():
        places[id(node)] = len(flat)
        flat.append((places[id(node.parent)], node.fields()))
    return flat


def unflattened(flat: Sequence[tuple[int, tuple[object, ...]]]) -> Node:
    """Restore a tree from the list of `flattened`."""
    nodes: list[Node] = []
    for parent, (move, comment, clock, evaluation, nags, departures, opening_comment) in flat:
        node = Node(
            move,  # type: ignore[arg-type]  # as `fields` has them
            comment=comment,  # type: ignore[arg-type]
            clock=clock,  # type: ignore[arg-type]
            evaluation=evaluation,  # type: ignore[arg-type]
            nags=nags,  # type: ignore[arg-type]
            departures=departures,  # type: ignore[arg-type]
            opening_comment=opening_comment,  # type: ignore[arg-type]
        )
        nodes.append(node if parent < 0 else nodes[parent].attach(node))
    return nodes[0]


# Comments.

_COMMAND: Final = re.compile(r"\[%(clk|eval|out)\b([^\[\]]*)\]")
_CLOCK: Final = re.compile(r"([0-9]{1,4}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,3}))?")
_EVAL: Final = re.compile(r"([+-]?[0-9]{1,9}(?:\.[0-9]{1,400})?)(?:,[0-9]{1,4})?")
_BLANKS: Final = re.compile(r"\s+")


class Comment(NamedTuple):
    """The contents of one comment: text and commands."""

    text: str
    clock: int | None
    evaluation: float | None
    departures: tuple[Colour, ...]

    @classmethod
    def parse(cls, text: str) -> Comment:
        """Parse the commands of a comment; unknown commands stay in its text."""
        clock: int | None = None
        evaluation: float | None = None
        departures: list[Colour] = []
        for found in _COMMAND.finditer(text):
            command, argument = found[1], found[2].strip()
            if command == "out":
                departures.append(_parse_out(argument))
            elif command == "clk" and clock is None:
                clock = _parse_clock(argument)
            elif command == "eval" and evaluation is None:
                evaluation = _parse_eval(argument)
            else:
                raise RecordError(
                    N_("[%{command}] occurs twice in one comment"),
                    code="command-twice",
                    command=command,
                )
        return cls(clean_comment(_COMMAND.sub(" ", text)), clock, evaluation, tuple(departures))


def clean_comment(text: str) -> str:
    """Return the text with single blanks; raise `RecordError` if no comment can hold it."""
    text = _BLANKS.sub(" ", text).strip()
    if "{" in text or "}" in text:
        raise RecordError(N_("a comment can't contain a brace"), code="comment-brace")
    if match := UNWRITABLE.search(text):
        raise RecordError(
            N_("a comment can't contain the character {character!r}"),
            code="comment-character",
            character=match[0],
        )
    if match := re.search(r"\[%(clk|eval|out)\b", text):
        raise RecordError(
            N_("{command}…] in a comment must be closed and separated by blanks"),
            code="comment-command",
            command=match[0],
        )
    return text


def _parse_clock(text: str) -> int:
    match = _CLOCK.fullmatch(text)
    if not match:
        raise RecordError(
            N_("{text!r} is not a clock time; nine minutes and a half are 0:09:30"),
            code="clock",
            text=text,
        )
    hours, minutes, seconds = (int(match[at]) for at in (1, 2, 3))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int((match[4] or "").ljust(3, "0"))


def _clock_text(clock: int) -> str:
    seconds, ms = divmod(clock, 1000)
    fraction = f".{ms:03}".rstrip("0") if ms else ""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"


def _parse_eval(text: str) -> float:
    # Other programs append the search depth, as 1.25,12.
    match = _EVAL.fullmatch(text)
    if not match:
        raise RecordError(
            N_("{text!r} is not an evaluation; it is a number, as 1.25 or -0.5"),
            code="evaluation",
            text=text,
        )
    return float(match[1])


def _eval_text(value: float) -> str:
    # The shortest digits that read back as the same number, never with an exponent.
    return format(Decimal(repr(float(value))), "f")


def _parse_out(text: str) -> Colour:
    for colour in Colour:
        if str(colour) == text:
            return colour
    raise RecordError(
        N_("{text!r} is not a player who can leave; write [%out red]"), code="out-colour", text=text
    )


def apply_departures(board: Board, departures: Iterable[Colour]) -> None:
    """Eliminate players who leave while the others play on."""
    for colour in departures:
        if colour in board.eliminated:
            raise RecordError(N_("{colour} is out already"), code="out-already", colour=colour)
        if board.is_over():
            raise RecordError(
                N_("{colour} can't leave a game that is over"), code="out-too-late", colour=colour
            )
        try:
            board.leave(colour)
        except ColourError as error:
            raise RecordError.about(error.problem) from None


class MoveNumber(NamedTuple):
    """The number of the last move, and its player's index in the order of turns."""

    number: int
    place: int

    @classmethod
    def at(cls, board: Board) -> MoveNumber:
        """Return the number before the first move from a start position."""
        return cls((board.ply - 1) // len(board.mode.order) + 1, -1)

    def next(self, mode: Mode, turn: Colour) -> MoveNumber:
        place = mode.order.index(turn)
        return MoveNumber(self.number + (place <= self.place), place)

    def label(self, last: MoveNumber) -> str:
        """Return `2.` for the first move of a round, `2...` for a later one."""
        opens = self.number > last.number or self.place == 0
        return f"{self.number}." if opens else f"{self.number}..."
