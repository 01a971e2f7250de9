"""Resumable work: every result is stored when it is ready, and a stored one is not computed again.

A `Store` knows which jobs are done and saves the results of others; `run` gives the missing jobs to
an executor. Results must follow from a job alone, so a run that was interrupted, or spread over
machines, ends with the same results. `Journal` stores one line of JSON per result.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol, Self, TypeVar

from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.lab.cluster import map_unordered
from sumito.output import open_output

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")
_JobIn = TypeVar("_JobIn", contravariant=True)
_ResultIn = TypeVar("_ResultIn", contravariant=True)


class Store(Protocol[_JobIn, _ResultIn]):
    """Where the results of a run are stored."""

    def is_done(self, job: _JobIn, /) -> bool:
        """Whether the result of a job is stored."""

    def save(self, job: _JobIn, result: _ResultIn, /) -> None:
        """Store the result of a job; it is on the disk when this returns."""


def run(
    store: Store[_Job, _Result],
    work: Callable[[_Job], _Result],
    jobs: Iterable[_Job],
    pool: Executor,
) -> Iterator[tuple[_Job, _Result]]:
    """Do the jobs that the store lacks; return each with its result, once that is stored."""
    missing = [job for job in jobs if not store.is_done(job)]
    for job, result in map_unordered(pool, work, missing):
        store.save(job, result)
        yield job, result


def checksum(plan: object) -> str:
    """Return eight hexadecimal digits that differ between plans; the plan must be JSON."""
    return f"{zlib.crc32(json.dumps(plan, sort_keys=True).encode()):08x}"


class Journal:
    """A file with one line of JSON per result, behind a heading that says whose results they are.

    Opened as a context manager it takes further results. The end of a line that was being written
    when the process was killed is dropped; its job is missing, and done again.
    """

    def __init__(self, path: Path, heading: Mapping[str, object] | None = None) -> None:
        """Read a file; raise `LabError` if it has another heading or is no journal.

        Without a heading every entry must identify its run.
        """
        self._path = path
        self._heading = [] if heading is None else [json.dumps(heading)]
        self._file: IO[str] | None = None
        self.entries: list[Any] = []
        """The results in the order in which they were stored."""
        exists = path.exists()
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if exists else []
        if exists and lines[: len(self._heading)] != self._heading:
            raise LabError(N_("{file} was written by a different run"), file=path)
        last = len(lines) - 1
        for number, line in enumerate(lines):
            if number < len(self._heading):
                continue
            try:
                self.entries.append(json.loads(line))
            except ValueError:
                if number == last:
                    break
                raise self.unreadable(len(self.entries)) from None

    def unreadable(self, entry: int) -> LabError:
        """Return the error for an entry, by its index, that can't be understood."""
        line = len(self._heading) + entry + 1
        return LabError(N_("{file}, line {line}, can't be read"), file=self._path, line=line)

    def __enter__(self) -> Self:
        lines = [*self._heading, *map(json.dumps, self.entries)]
        with open_output(self._path) as file:
            file.writelines(f"{line}\n" for line in lines)
        self._file = self._path.open("a", encoding="utf-8")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def append(self, entry: object) -> None:
        """Store a result."""
        assert self._file is not None
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()
        self.entries.append(entry)
