"""Reads records: `files` splits a text into games, `movetext` replays a game's moves."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Literal, cast

from sumito.errors import ArgumentTypeError, RecordError
from sumito.i18n.messages import N_
from sumito.record.files import (
    FileName,
    GameText,
    NumberedLine,
    TextFile,
    byte_lines,
    file_lines,
    games,
    text_lines,
)
from sumito.record.header import Header, parse_tag
from sumito.record.movetext import MoveText
from sumito.record.record import Record
from sumito.validate import check_type

LONGEST_TAG: Final = 10_000
"""The most characters of a tag's line."""

Errors = Literal["strict", "collect"]


def read(
    source: FileName | TextFile | BinaryIO | Iterable[str], *, errors: Errors = "strict"
) -> Iterator[Record]:
    """Yield the records of a file, by its name or open, or of lines. `parse` reads a text.

    A binary file is read as UTF-8.

    `strict` raises a `RecordError` at the first error. `collect` yields every game with its errors
    in `errors`, and the moves up to the first illegal one.
    """
    if isinstance(source, bytes | bytearray) or not isinstance(
        source, str | os.PathLike | TextFile | Iterable
    ):
        raise ArgumentTypeError(
            N_("records are read from a file or from lines of text, not {kind}"),
            code="wrong-type",
            kind=type(source).__name__,
        )
    if isinstance(source, str) and "\n" in source:
        raise RecordError(
            N_("read takes the name of a file, not a text; use parse for texts"),
            code="text-for-name",
        )
    if isinstance(source, str | os.PathLike):
        return _read(file_lines(source), errors)
    if isinstance(source, io.RawIOBase | io.BufferedIOBase):
        return _read(byte_lines(cast(BinaryIO, source)), errors)
    return _read(text_lines(cast("TextFile | Iterable[str]", source)), errors)


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of a file by its tags; `read` reads its moves."""

    path: Path
    number: int
    """Games count from 1."""
    offset: int
    """The offset of the game in the file, in bytes."""
    tags: dict[str, str]
    """The tags that could be read."""

    def read(self) -> Record:
        """Return the whole game, with its errors in `errors`."""
        for part in games(file_lines(self.path, self.offset)):
            part.game = self.number
            return _record(part)
        raise RecordError(
            N_("{path} has changed: this game is no longer there"), code="gone", path=self.path
        )


def scan(path: FileName) -> Iterator[Entry]:
    """Yield the games of a file by their tags; errors are reported when a game is read."""
    check_type("path", path, (str, os.PathLike))
    path = Path(path)
    for part in games(file_lines(path)):
        tags: dict[str, str] = {}
        for line in part.tags:
            with suppress(RecordError):
                name, value = parse_tag(line.text, LONGEST_TAG)
                tags.setdefault(name, value)
        yield Entry(path, part.game, part.offset, tags)


def parse(text: str, *, errors: Errors = "strict") -> Iterator[Record]:
    """Yield the records of a text, as `read` does."""
    check_type("text", text, str)
    return _read(text_lines(io.StringIO(text, newline=None)), errors)


def _read(lines: Iterator[NumberedLine], errors: Errors) -> Iterator[Record]:
    if errors not in ("strict", "collect"):
        raise RecordError(
            N_("errors is 'strict' or 'collect', not {value!r}"), code="errors", value=errors
        )
    return _records(lines, strict=errors == "strict")


def _records(lines: Iterator[NumberedLine], *, strict: bool) -> Iterator[Record]:
    for part in games(lines):
        record = _record(part)
        if strict and record.errors:
            raise record.errors[0]
        yield record


def _record(part: GameText) -> Record:
    """Return the record of a game's lines, with its errors."""
    errors = part.errors
    before = len(errors)
    header = _read_header(part)
    try:
        text = MoveText(part, header)
    except RecordError:  # without a start position, which is among the errors
        return Record(header, errors=errors)
    try:
        text.read()
        if len(errors) == before:
            text.check_end()
    except RecordError as error:
        errors.append(error)
    return Record(header, text.root, errors)


def _read_header(part: GameText) -> Header:
    """Return the header of a game; its errors are added to the game's."""
    tags: dict[str, str] = {}
    where: dict[str, int] = {}
    for line in part.tags:
        try:
            name, value = _new_tag(line.text, tags)
        except RecordError as error:
            part.errors.append(RecordError.about(error.problem, game=part.game, line=line.number))
        else:
            tags[name], where[name] = value, line.number
    header = Header(tags)
    for name, tag_error in header.errors():
        line_number = where.get(name, part.line)
        part.errors.append(RecordError.about(tag_error.problem, game=part.game, line=line_number))
    return header


def _new_tag(text: str, tags: dict[str, str]) -> tuple[str, str]:
    name, value = parse_tag(text, LONGEST_TAG)
    if name in tags:
        raise RecordError(N_("the tag {tag} occurs twice"), code="tag-twice", tag=name)
    return name, value
