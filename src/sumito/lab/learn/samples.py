"""Samples of self-play on disk: a folder of chunks, each some games of one plan.

A chunk is written under another name and then renamed, so that it is there whole or not at all;
its header says what it holds, so that counts are exact without reading the samples.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, Final, Self

from sumito import _core
from sumito.errors import LabError

MAGIC: Final = b"SUMITOSA"
VERSION: Final = 2
SUFFIX: Final = ".samples"
_FRONT: Final = struct.Struct("<8sII")


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """What a chunk says of itself."""

    chunk: int
    games: int
    samples: int
    nodes: int
    seed: int
    network: str
    """Checksum of the network that played, or `none`."""
    checksum: int
    mode: str = "two"

    @classmethod
    def read(cls, path: Path) -> Self:
        """The header alone."""
        with path.open("rb") as file:
            return cls._parse(path, file)

    @classmethod
    def load(cls, path: Path) -> tuple[Self, bytes]:
        """Header and samples, checked against each other."""
        with path.open("rb") as file:
            facts = cls._parse(path, file)
            samples = file.read()
        if len(samples) != facts.samples * _core.SAMPLE_BYTES:
            raise LabError(
                f"{path}: {facts.samples} samples are promised, "
                f"{len(samples) / _core.SAMPLE_BYTES:g} are there"
            )
        if zlib.crc32(samples) != facts.checksum:
            raise LabError(f"{path}: the samples don't match their checksum")
        return facts, samples

    @classmethod
    def _parse(cls, path: Path, file: BinaryIO) -> Self:
        front = file.read(_FRONT.size)
        if len(front) < _FRONT.size or front[:8] != MAGIC:
            raise LabError(f"{path}: not a file of samples")
        _, version, length = _FRONT.unpack(front)
        if version != VERSION:
            raise LabError(f"{path}: version {version}; this program reads version {VERSION}")
        try:
            return cls(**json.loads(file.read(length)))
        except (TypeError, ValueError) as error:
            raise LabError(f"{path}: the header can't be read: {error}") from None


def chunk_path(folder: Path, chunk: int) -> Path:
    """Where a chunk lies, finished or not."""
    return folder / f"{chunk:06}{SUFFIX}"


def save(folder: Path, facts: ChunkFacts, samples: bytes) -> Path:
    """Write a chunk, whole or not at all."""
    path = chunk_path(folder, facts.chunk)
    header = json.dumps(asdict(facts)).encode()
    part = path.with_suffix(".part")
    part.write_bytes(_FRONT.pack(MAGIC, VERSION, len(header)) + header + samples)
    part.replace(path)
    return path


def chunks(folder: Path) -> Iterator[Path]:
    """The finished chunks of a folder in order."""
    yield from sorted(folder.glob(f"*{SUFFIX}"))
