"""The file of a match: its games as records, appended one by one and read on resuming.

Only a file of the same match is written to. A killed match may leave an incomplete record at the
end; it is truncated, and that game is played again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from sumito import record
from sumito.errors import LabError, RecordError
from sumito.i18n.messages import N_
from sumito.lab.match.openings import Opening
from sumito.lab.match.plan import ROUND, Match, MatchGame
from sumito.record import Record
from sumito.record.header import write_tag

_NEXT_GAME = "\n\n[Event "


class MatchFile:
    """Reads a match's games from a file; as a context manager, appends others."""

    def __init__(self, path: Path, match: Match) -> None:
        self._path = path
        self._match = match
        self._text = self._complete_games()
        self._file: IO[str] | None = None

    def _complete_games(self) -> str:
        """Return the text up to the last complete game; raise if the file is of another match."""
        try:
            text = self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError:
            raise self._foreign_file_error() from None
        head = write_tag("Event", self._match.event) + "\n"
        if not text.startswith(head):
            if head.startswith(text):  # empty, or killed while writing the first line
                return ""
            raise self._foreign_file_error(text)
        last = text.rfind(_NEXT_GAME)
        begin = 0 if last < 0 else last + 2
        tail = text[begin:]
        if not (tail.startswith(head) or head.startswith(tail)):
            raise self._foreign_file_error(tail)
        return text if _is_whole(tail) else text[:begin]

    def _foreign_file_error(self, text: str = "") -> LabError:
        """Return the error for a file of another match."""
        first = text.partition("\n")[0]
        if first.startswith("[Event "):
            return LabError(
                N_("{path} holds another match ({event}); name another file"),
                path=self._path,
                event=first,
            )
        return LabError(
            N_("{path} is not a file of this match; name another file"), path=self._path
        )

    def results(self) -> Iterator[tuple[int, int, float]]:
        """Yield round, seating and the first player's points of each game in the file."""
        try:
            for game in record.parse(self._text) if self._text else ():
                if game.tags["Event"] != self._match.event:
                    raise self._foreign_file_error(f'[Event "{game.tags["Event"]}"]')
                yield self._result(game)
        except RecordError as error:
            raise LabError(
                N_("{path}: {problem}"), path=self._path, problem=error.sentence
            ) from None

    def _result(self, game: Record) -> tuple[int, int, float]:
        try:
            round, seating = (int(part) - 1 for part in game.tags[ROUND].split("."))
            seats = self._match.seatings[seating]
        except (KeyError, ValueError, IndexError):
            raise LabError(N_("{path}: a game without its Round tag"), path=self._path) from None
        points = game.result.split("-")
        if "1" not in points:
            return round, seating, 0.5
        return round, seating, float(seats[points.index("1")] == 0)

    def __enter__(self) -> Self:
        if self._path.exists():
            os.truncate(self._path, len(self._text.encode()))
        self._file = self._path.open("a", encoding="utf-8", newline="\n")
        if self._text and not self._text.endswith("\n\n"):
            self._file.write("\n")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, game: MatchGame, opening: Opening) -> None:
        """Append a game; it is on the disk when this returns."""
        assert self._file is not None
        record.write(game.to_record(self._match, opening), self._file)
        self._file.flush()


def _is_whole(text: str) -> bool:
    try:
        return sum(1 for _ in record.parse(text)) == 1
    except RecordError:
        return False
