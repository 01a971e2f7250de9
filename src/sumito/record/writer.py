"""Writes records; each is replayed first, so that every file written can be read."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol, overload

from sumito.errors import RecordError, SumitoError
from sumito.i18n.messages import N_
from sumito.output import open_output
from sumito.record.header import NOTATIONS, Header, check_result, in_order, write_tag
from sumito.record.record import Record
from sumito.record.tree import DEEPEST, MoveNumber, Node, apply_departures
from sumito.rules.board import Board
from sumito.rules.notations import Notation
from sumito.validate import check_type

WIDTH: Final = 80


class Writable(Protocol):
    """An open text file."""

    def write(self, text: str, /) -> object: ...


@overload
def write(
    records: Record | Iterable[Record], file: None = None, *, notation: Notation | str | None = None
) -> str: ...
@overload
def write(
    records: Record | Iterable[Record],
    file: Writable | str | os.PathLike[str],
    *,
    notation: Notation | str | None = None,
) -> None: ...
def write(
    records: Record | Iterable[Record],
    file: Writable | str | os.PathLike[str] | None = None,
    *,
    notation: Notation | str | None = None,
) -> str | None:
    """Write records to a file, by its name or open, or return them as a text.

    `notation` replaces the notation of the records. Each record is checked before it is written;
    on a `RecordError`, a file given by name stays unchanged.
    """
    if isinstance(records, Record):
        records = (records,)
    check_type("records", records, Iterable)
    target = None if notation is None else Notation.parse(notation)
    texts = (_text(number, record, target) for number, record in enumerate(records, 1))
    if file is None:
        return "".join(texts)
    if isinstance(file, str | os.PathLike):
        with open_output(Path(file)) as opened:
            opened.writelines(texts)
    else:
        for text in texts:
            file.write(text)
    return None


def _text(game: int, record: Record, notation: Notation | None) -> str:
    check_type("record", record, Record)
    tags = in_order(record.tags)
    if notation is not None:
        tags["Notation"] = NOTATIONS[notation]
    header = Header(tags)
    try:
        for _, error in header.errors():
            raise error
        lines = [write_tag(name, value) for name, value in tags.items()]
        words = list(_MoveWords(header, record.root).words())
    except RecordError as error:
        raise RecordError.about(
            error.problem, game=game, move_number=error.move_number, move=error.move
        ) from None
    return "\n".join([*lines, "", *_wrapped(words), "", ""])


class _MoveWords:
    """Yield the words of a record's move text; lines break only between words."""

    def __init__(self, header: Header, root: Node) -> None:
        self.header = header
        self.root = root
        self.notation = header.notation

    def words(self) -> Iterator[str]:
        result = self.header.result
        self.header.check_plies(sum(1 for _ in self.root.line()))
        board = Board.at(self.header.start, rules=self.header.rules)
        apply_departures(board, self.root.departures)
        yield from _comment_words(self.root.comment_text)
        yield from self._line(self.root, board, MoveNumber.at(board), 0, interrupted=True)
        check_result(result, board)
        yield result

    def _line(
        self, node: Node, board: Board, count: MoveNumber, depth: int, *, interrupted: bool
    ) -> Iterator[str]:
        """Yield the words of the line after a node; the board is left at its end."""
        while node.next is not None:
            upcoming = count.next(board.mode, board.turn)
            label = upcoming.label(count)
            if interrupted or not label.endswith("..."):
                yield label
            before = board.copy() if node.variations else board
            yield from self._move(node.next, board, upcoming)
            for other in node.variations:
                yield from _in_brackets(self._variation(other, before.copy(), count, depth + 1))
            interrupted = bool(node.next.comment_text or node.variations)
            node, count = node.next, upcoming

    def _variation(self, first: Node, board: Board, count: MoveNumber, depth: int) -> Iterator[str]:
        """Yield the words of a variation."""
        if depth > DEEPEST:
            raise RecordError(
                N_("variations nest deeper than {most}"), code="variation-depth", most=DEEPEST
            )
        yield from _comment_words(first.opening_comment)
        upcoming = count.next(board.mode, board.turn)
        yield upcoming.label(count)
        yield from self._move(first, board, upcoming)
        yield from self._line(first, board, upcoming, depth, interrupted=bool(first.comment_text))

    def _move(self, node: Node, board: Board, upcoming: MoveNumber) -> Iterator[str]:
        move = node.move
        assert move is not None
        try:
            if self.notation is Notation.ABA_PRO:
                text = move.name
                board.push(move)
            else:
                text = board.notate(move, notation=self.notation)
                board.push_unchecked(move)
            apply_departures(board, node.departures)
        except SumitoError as error:
            raise RecordError.about(
                error.problem, move_number=upcoming.number, move=move.name
            ) from None
        yield text
        yield from (f"${nag}" for nag in node.nags)
        yield from _comment_words(node.comment_text)


def _comment_words(comment: str) -> Iterator[str]:
    if comment:
        # At the start of a line this would be read as the next game's tag.
        glued = re.sub(r" (?=\[[A-Za-z])", "\0", comment)
        yield from (word.replace("\0", " ") for word in f"{{{glued}}}".split(" "))


def _in_brackets(words: Iterator[str]) -> Iterator[str]:
    last = "(" + next(words)
    for word in words:
        yield last
        last = word
    yield last + ")"


def _wrapped(words: Iterable[str]) -> list[str]:
    # Blanks within a word are replaced meanwhile, so that no line breaks there.
    text = " ".join(word.replace(" ", "\0") for word in words)
    lines = textwrap.wrap(
        text, WIDTH, break_long_words=False, break_on_hyphens=False, expand_tabs=False
    )
    return [line.replace("\0", " ") for line in lines]
