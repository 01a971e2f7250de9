"""Output files: a regular file is replaced in one step, everything else is written directly.

A reader of a regular file sees the old contents or the new ones, never half of them, and a file may
be read while its successor is written. Links stay links, and the permissions of a file stay as they
are. Devices, pipes and the standard output under another name can't be replaced: they are opened.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, Literal, overload

from sumito.errors import OutputError
from sumito.i18n.messages import N_

_DISK_ERRORS: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
_STDOUT: Final = 1


@overload
@contextmanager
def open_output(path: Path, *, binary: Literal[False] = ...) -> Iterator[IO[str]]: ...
@overload
@contextmanager
def open_output(path: Path, *, binary: Literal[True]) -> Iterator[IO[bytes]]: ...
@contextmanager
def open_output(path: Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file for writing; a regular one keeps its old contents unless the block succeeds.

    Raise `OutputError` for a pipe that no program reads from, and `OSError` with the path for
    everything else that is in the way.
    """
    try:
        with _opened(path, binary=binary) as file:
            yield file
    except OSError as error:
        if error.filename is None and error.errno in _DISK_ERRORS:
            error.filename = os.fspath(path)
        raise


@contextmanager
def _opened(path: Path, *, binary: bool) -> Iterator[IO[Any]]:
    status = check_output(path)
    if status is None or (stat.S_ISREG(status.st_mode) and not _is_stdout(status)):
        with _replacing(path, status, binary=binary) as file:
            yield file
        return
    with _text_or_binary(_open_in_place(path, status), binary=binary) as file:
        yield file


def check_output(path: Path) -> os.stat_result | None:
    """Raise if the path can't be written; return its status, or None if there is no such file.

    A pipe is not opened, since its reader would notice.
    """
    if "\0" in str(path):
        raise OutputError(N_("{path!r} is not a file name"), path=str(path))
    try:
        status = path.stat()
    except FileNotFoundError:
        folder = Path(os.path.realpath(path)).parent
        with _named(path):
            folder.stat()
        _check_access(folder, path)
        return None
    if stat.S_ISDIR(status.st_mode):
        raise OutputError(N_("{path} is a folder, not a file"), path=path)
    _check_access(path, path)
    if stat.S_ISREG(status.st_mode) and not _is_stdout(status):
        _check_access(Path(os.path.realpath(path)).parent, path)
    return status


def _check_access(path: Path, named: Path) -> None:
    if not os.access(path, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(named))


def _is_stdout(status: os.stat_result) -> bool:
    """Whether it is the standard output, as /dev/stdout is."""
    try:
        return os.path.samestat(status, os.fstat(_STDOUT))
    except OSError:
        return False  # standard output is closed


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Make errors name the requested path, not the temporary one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


@contextmanager
def _replacing(path: Path, status: os.stat_result | None, *, binary: bool) -> Iterator[IO[Any]]:
    """Write a temporary file beside the old one and rename it at the end."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with _named(path):
        descriptor = os.open(part, flags, 0o666)
    try:
        with _text_or_binary(descriptor, binary=binary) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if status is not None:
            _copy_owner_and_mode(part, status)
        with _named(path):
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _copy_owner_and_mode(part: Path, status: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(OSError):  # only root may give files away
            os.chown(part, status.st_uid, status.st_gid)
    part.chmod(stat.S_IMODE(status.st_mode))


def _open_in_place(path: Path, status: os.stat_result) -> int:
    if _is_stdout(status):
        sys.stdout.flush()
        return os.dup(_STDOUT)
    flags = os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
    if not stat.S_ISFIFO(status.st_mode):
        return os.open(path, flags)
    try:
        descriptor = os.open(path, flags | os.O_NONBLOCK)  # without it, opening waits for a reader
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OutputError(
                N_("{path} is a pipe, and no program reads from it"), code="no-reader", path=path
            ) from None
        raise
    os.set_blocking(descriptor, True)
    return descriptor


def _text_or_binary(descriptor: int, *, binary: bool) -> IO[Any]:
    if binary:
        return os.fdopen(descriptor, "wb")
    return os.fdopen(descriptor, "w", encoding="utf-8", newline="\n")
