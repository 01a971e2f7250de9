"""Splits the text of records: a file into numbered lines, lines into games.

Only one game is in memory at a time, and no game may be longer than `LONGEST_GAME`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import AnyStr, BinaryIO, Final, NamedTuple, Protocol, runtime_checkable

from sumito.errors import RecordError
from sumito.i18n.messages import N_, Message

LONGEST_GAME: Final = 2_000_000
"""The most characters of a game, comments included; the longest known has about 30,000."""

FileName = str | os.PathLike[str]


@runtime_checkable
class TextFile(Protocol):
    """An open text file."""

    def readline(self, limit: int = -1, /) -> str: ...


# Lines.


class NumberedLine(NamedTuple):
    """A numbered line of a file, with its error if there is one."""

    number: int
    text: str
    error: Message | None = None
    offset: int = 0
    """The offset of the line in its file, in bytes."""


_TOO_LONG: Final = Message(
    "line-too-long",
    N_("this line has more than {most} characters; the rest of it is left out"),
    {"most": LONGEST_GAME},
)


def text_lines(source: TextFile | Iterable[str]) -> Iterator[NumberedLine]:
    """Return the lines of an open file or of an iterable."""
    texts = _bounded(source.readline) if isinstance(source, TextFile) else iter(source)
    number = 0
    try:
        for number, text in enumerate(texts, 1):
            if not isinstance(text, str):
                raise TypeError(f"records are read from lines of text, not {type(text).__name__}")
            line = text.rstrip("\r\n")
            line = line.removeprefix("\ufeff") if number == 1 else line
            error = _TOO_LONG if len(line) > LONGEST_GAME else None
            yield NumberedLine(number, line[:LONGEST_GAME], error)
    except UnicodeDecodeError as error:
        raise RecordError(
            N_("the line after it has the byte {byte}, which is not {encoding}")
            if number
            else N_("the first line has the byte {byte}, which is not {encoding}"),
            code="encoding",
            line=number or None,
            byte=f"{error.object[error.start]:#04x}",
            encoding=error.encoding,
        ) from None


def _bounded(readline: Callable[[int], AnyStr]) -> Iterator[AnyStr]:
    """Yield the lines of a file; of a line that is too long, only the beginning is read."""
    most = LONGEST_GAME + 2
    while line := readline(most):
        yield line
        while len(line) == most and line[-1:] not in ("\n", b"\n"):
            line = readline(most)


def file_lines(path: FileName, offset: int = 0) -> Iterator[NumberedLine]:
    """Yield the lines of a file by its name; invalid UTF-8 is an error of its line."""
    with Path(path).open("rb") as file:
        if offset:
            file.seek(offset)
        yield from byte_lines(file, offset)


def byte_lines(file: BinaryIO, offset: int = 0) -> Iterator[NumberedLine]:
    """Yield the lines of an open binary file, positioned at the offset."""
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
        error = _TOO_LONG if len(line) > LONGEST_GAME else None
        line = line[:LONGEST_GAME]
        try:
            yield NumberedLine(number, line.decode(), error, begin)
        except UnicodeDecodeError as undecodable:
            error = error or Message(
                "encoding",
                N_("byte {at} of the line, {byte}, is not UTF-8"),
                {"at": undecodable.start + 1, "byte": f"{line[undecodable.start]:#04x}"},
            )
            yield NumberedLine(number, line.decode(errors="replace"), error, begin)


# Games.


@dataclass
class GameText:
    """The lines of one game."""

    game: int
    line: int
    offset: int = 0
    tags: list[NumberedLine] = field(default_factory=list)
    text: list[NumberedLine] = field(default_factory=list)
    errors: list[RecordError] = field(default_factory=list)
    size: int = 0

    def add(self, line: NumberedLine, *, to_tags: bool) -> None:
        """Add a line, unless the game exceeds `LONGEST_GAME`."""
        if self.size > LONGEST_GAME:
            return
        self.size += len(line.text) + 1
        if self.size > LONGEST_GAME and line.error is None:
            line = line._replace(
                error=Message(
                    "game-too-long",
                    N_("this game has more than {most} characters; the rest of it is left out"),
                    {"most": LONGEST_GAME},
                )
            )
        (self.tags if to_tags else self.text).append(line)
        if line.error:
            self.errors.append(RecordError.about(line.error, game=self.game, line=line.number))


_NEXT_GAME: Final = re.compile(r'\[[A-Za-z][A-Za-z0-9_]*[ \t]+"')


def games(lines: Iterable[NumberedLine]) -> Iterator[GameText]:
    """Split the lines into games: each begins with a tag after move text or a blank line."""
    part: GameText | None = None
    game = 0
    in_tags = in_comment = False
    for line in lines:
        blank = not line.text.strip()
        # Only a complete tag ends a comment, so that an unclosed one affects one game alone.
        is_tag = bool(_NEXT_GAME.match(line.text)) or (line.text.startswith("[") and not in_comment)
        if part is None or (is_tag and not in_tags):
            if part is not None:
                yield part
                part = None
            if blank:
                continue
            game += 1
            part, in_comment = GameText(game, line.number, line.offset), False
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
