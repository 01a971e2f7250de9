"""Samples of self-play on disk: a folder of chunks, each some games of one plan.

A chunk is written under another name and then renamed, so that it appears complete or not at all;
its header counts the samples, so that they needn't be read for that.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, Final, Self

from sumito import kernel
from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.output import open_output

MAGIC: Final = b"SUMITOSA"
VERSION: Final = 3
READABLE: Final = (2, 3)
"""Readable versions; version 2 lacks the engine's signature and tuning."""
SUFFIX: Final = ".samples"
NO_TUNING: Final = "none"
_FRONT: Final = struct.Struct("<8sII")


@dataclass(frozen=True, slots=True)
class ChunkHeader:
    """Header of a chunk."""

    chunk: int
    games: int
    samples: int
    nodes: int
    seed: int
    network: str
    """Checksum of the network that played, or `none`."""
    checksum: int
    mode: str = "two"
    uneven: int = 0
    engine: int = 0
    """Signature of the engine that played; 0 if it isn't known."""
    tuning: str = NO_TUNING
    """Checksum of the settings that differed from the engine's own, or `none`."""

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the header alone."""
        with path.open("rb") as file:
            return cls._parse(path, file)

    @classmethod
    def load(cls, path: Path) -> tuple[Self, bytes]:
        """Read header and samples, and verify the checksum."""
        with path.open("rb") as file:
            header = cls._parse(path, file)
            samples = file.read()
        found, rest = divmod(len(samples), kernel.SAMPLE_BYTES)
        if (found, rest) != (header.samples, 0):
            raise LabError(
                N_("{path}: {promised} samples expected, but it has {found} and {rest} bytes"),
                code="samples-missing",
                path=path,
                promised=header.samples,
                found=found,
                rest=rest,
            )
        if zlib.crc32(samples) != header.checksum:
            raise LabError(
                N_("{path}: the samples don't match their checksum"),
                code="samples-checksum",
                path=path,
            )
        return header, samples

    @classmethod
    def _parse(cls, path: Path, file: BinaryIO) -> Self:
        front = file.read(_FRONT.size)
        if len(front) < _FRONT.size or front[:8] != MAGIC:
            raise LabError(N_("{path}: not a file of samples"), code="not-samples", path=path)
        _, version, length = _FRONT.unpack(front)
        if version not in READABLE:
            raise LabError(
                N_("{path}: version {version}; this program reads versions {known}"),
                code="samples-version",
                path=path,
                version=version,
                known=READABLE,
            )
        try:
            return cls(**json.loads(file.read(length)))
        except (TypeError, ValueError) as error:
            raise LabError(
                N_("{path}: the header can't be read: {reason}"),
                code="samples-header",
                path=path,
                reason=error,
            ) from None


def chunk_path(folder: Path, chunk: int) -> Path:
    """Return the path of a chunk."""
    return folder / f"{chunk:06}{SUFFIX}"


def save(folder: Path, header: ChunkHeader, samples: bytes) -> Path:
    """Write a chunk, completely or not at all."""
    path = chunk_path(folder, header.chunk)
    text = json.dumps(asdict(header)).encode()
    with open_output(path, binary=True) as file:
        file.write(_FRONT.pack(MAGIC, VERSION, len(text)) + text + samples)
    return path


def chunks(folder: Path) -> Iterator[Path]:
    """Return the finished chunks of a folder in order."""
    yield from sorted(folder.glob(f"*{SUFFIX}"))
