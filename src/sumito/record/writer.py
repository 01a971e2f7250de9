"""Writing records: every one is replayed first, so what is written can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol, overload

from sumito.board import Board
from sumito.errors import RecordError, SumitoError
from sumito.notation import Notation
from sumito.record import tags as tagging
from sumito.record.record import Record
from sumito.record.tree import DEEPEST, Count, Line, Node, depart

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
    file: Writable | Path,
    *,
    notation: Notation | str | None = None,
) -> None: ...
def write(
    records: Record | Iterable[Record],
    file: Writable | Path | None = None,
    *,
    notation: Notation | str | None = None,
) -> str | None:
    """Write records to an open file or a `Path`, or return them as a text.

    `notation` writes the moves in another one than the records have. Each record is checked before
    anything of it is written; a `RecordError` says what can't stand.
    """
    if isinstance(records, Record):
        records = (records,)
    wanted = None if notation is None else Notation.parse(notation)
    texts = (_text(number, record, wanted) for number, record in enumerate(records, 1))
    if file is None:
        return "".join(texts)
    if isinstance(file, Path):
        with file.open("w", encoding="utf-8", newline="\n") as opened:
            opened.writelines(texts)
    else:
        for text in texts:
            file.write(text)
    return None


def _text(game: int, record: Record, notation: Notation | None) -> str:
    tags = tagging.in_order(record.tags)
    if notation is not None:
        tags["Notation"] = tagging.NOTATIONS[notation]
    try:
        for _, error in tagging.check(tags):
            raise error
        lines = [tagging.write_tag(name, value) for name, value in tags.items()]
        words = list(_MoveText(Record(tags, record.line)).words())
    except RecordError as error:
        raise RecordError.about(
            error.problem, game=game, move_number=error.move_number, move=error.move
        ) from None
    return "\n".join([*lines, "", *_wrapped(words), "", ""])


class _MoveText:
    """The words of a record's move text; a word is what a line break must not part."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.notation = record.notation

    def words(self) -> Iterator[str]:
        record = self.record
        plies, played = tagging.plies_of(record.tags), len(record.nodes)
        if plies is not None and plies != played:
            raise RecordError(f"the tag Plies is {plies}, but {played} are played")
        board = Board.at(record.start, rules=record.rules)
        yield from self._line(record.line, board, Count.at(board), 0)
        tagging.check_result(record.result, board)
        yield record.result

    def _line(self, line: Line, board: Board, count: Count, depth: int) -> Iterator[str]:
        """The words of a line; the board is left at its end."""
        if depth > DEEPEST:
            raise RecordError(f"variations nest deeper than {DEEPEST}")
        depart(board, line.outs)
        yield from _comment_words(line.said)
        interrupted = True
        for node in line.nodes:
            upcoming = count.next(board.mode, board.turn)
            label = upcoming.label(count)
            if interrupted or not label.endswith("..."):
                yield label
            before = board.copy() if node.variations else board
            yield self._play(node, board, upcoming)
            said = node.said
            yield from _comment_words(said)
            for variation in node.variations:
                yield from _in_brackets(self._line(variation, before.copy(), count, depth + 1))
            interrupted = bool(said or node.variations)
            count = upcoming

    def _play(self, node: Node, board: Board, upcoming: Count) -> str:
        move = node.move
        try:
            if self.notation is Notation.ABA_PRO:
                text = move.name
                board.push(move)
            else:
                text = board.notate(move, notation=self.notation)
                board.push_unchecked(move)
            depart(board, node.outs)
        except SumitoError as error:
            raise RecordError.about(
                error.problem, move_number=upcoming.number, move=move.name
            ) from None
        return text


def _comment_words(said: str) -> Iterator[str]:
    if said:
        # At the start of a line this would read as the tag of the next game.
        glued = re.sub(r" (?=\[[A-Za-z])", "\0", said)
        yield from (word.replace("\0", " ") for word in f"{{{glued}}}".split(" "))


def _in_brackets(words: Iterator[str]) -> Iterator[str]:
    last = "(" + next(words)
    for word in words:
        yield last
        last = word
    yield last + ")"


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
