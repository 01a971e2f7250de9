"""Self-play: the engine's games against itself, in chunks that any worker can play.

A chunk is determined by the plan and its number, so any worker may play it, even twice: it is
written once, under its number.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from sumito import kernel
from sumito.engine.network import parse
from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.lab import jobs
from sumito.lab.cluster import cancellable
from sumito.lab.learn.samples import NO_TUNING, ChunkHeader, chunk_path, chunks, save
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.modes import Mode

FAMILY: Final = (
    "belgian-daisy",
    "german-daisy",
    "dutch-daisy",
    "swiss-daisy",
    "french-daisy",
    "irish-daisy",
    "scottish-daisy",
    "austrian-daisy",
    "korean-daisy",
    "true-daisy",
)
"""Belgian Daisy, the most popular layout, and its relatives."""

WEIGHTS: Final = {"belgian-daisy": 24, "standard": 12, "german-daisy": 12}
"""Weights of the layouts; related layouts have three, other fair ones one."""


HELD_OUT: Final = (
    "aliening",
    "infiltralien",
    "the-wall",
    "fujiyama",
    "snakes-variation",
    "centrifuge",
    "six-nine",
    "spider",
    "crossed-hearts",
    "crown",
    "checkerboard",
    "star",
    "forcing",
    "king-cake",
    "intimidation",
    "mosaic",
    "octopus",
    "wheel",
    "slaloms",
    "xmas-star",
)
"""Layouts held out of self-play, so that matches on them measure generalisation."""


RANDOM_SIDE_PERMILLE: Final = 100
"""Default number of uneven games in a thousand."""


def weighted_openings(mode: Mode | str = Mode.TWO) -> list[str]:
    """Return start positions of the fair layouts for training, repeated by weight."""
    starts = []
    for id, layout in layouts.of(mode).items():
        if layout.fair and id not in HELD_OUT:
            times = WEIGHTS.get(id, 3 if id in FAMILY else 1)
            starts += [str(Board(id, mode).position)] * times
    return starts


@dataclass(frozen=True, slots=True)
class SelfplayPlan:
    """Config of a self-play run; equal plans give equal samples."""

    chunks: int
    games: int = 64
    """Games per chunk."""
    nodes: int = 1000
    seed: int = 1
    mode: str = Mode.TWO
    network: bytes = b""
    """Contents of the network file; empty for the handcrafted evaluation."""
    random_side_permille: int = RANDOM_SIDE_PERMILLE
    """Games in a thousand where one side plays a share of its moves at random to the end."""
    tuning: dict[str, int] = field(default_factory=dict)

    @property
    def network_name(self) -> str:
        return f"{zlib.crc32(self.network):08x}" if self.network else "none"

    @property
    def tuning_name(self) -> str:
        if not self.tuning:
            return NO_TUNING
        return f"{zlib.crc32(json.dumps(self.tuning, sort_keys=True).encode()):08x}"


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a plan."""

    chunks: int
    games: int
    samples: int


SIGNATURE_DEPTH: Final = 8


@lru_cache(maxsize=4)
def engine_signature(network: bytes) -> int:
    """Return the node count of fixed searches with a network.

    Engines that differ in rules, search or evaluation differ in it.
    """
    return kernel.bench(SIGNATURE_DEPTH, parse(network) if network else None)[0]


def play_chunk(plan: SelfplayPlan, engine: int, chunk: int) -> bytes:
    """Play one chunk and return its samples; deterministic for the same engine."""
    signature = engine_signature(plan.network)
    if signature != engine:
        raise LabError(
            N_(
                "this worker's engine has the signature {found}, not {wanted}: install the same "
                "version of the program everywhere"
            ),
            code="other-engine",
            found=signature,
            wanted=engine,
        )
    games = kernel.Selfplay(
        weighted_openings(plan.mode),
        games=plan.games,
        first=chunk * plan.games,
        nodes=plan.nodes,
        seed=plan.seed,
        random_side_permille=plan.random_side_permille,
        tuning=plan.tuning,
        network=parse(plan.network) if plan.network else None,
    )
    with cancellable(games.stop):
        return games.run()


def play_games(plan: SelfplayPlan, folder: Path, pool: Executor) -> Iterator[Progress]:
    """Play the missing chunks of a plan, yielding progress after each."""
    store = _Chunks(plan, folder)
    yield store.progress
    for _ in jobs.run(store, partial(play_chunk, plan, store.engine), range(plan.chunks), pool):
        yield store.progress


class _Chunks:
    """Store of a plan's chunks in a folder, a file each."""

    def __init__(self, plan: SelfplayPlan, folder: Path) -> None:
        """Read the existing chunks; raise `LabError` if they are of another plan or engine."""
        folder.mkdir(parents=True, exist_ok=True)
        self._plan = plan
        self._folder = folder
        self._done = _present(plan, folder)
        self.engine = engine_signature(plan.network)
        if len(self._done) < plan.chunks:
            _check_engine(folder, self._done, self.engine)

    def is_done(self, chunk: int) -> bool:
        return chunk in self._done

    def save(self, chunk: int, samples: bytes) -> None:
        header = replace(
            _header(self._plan),
            engine=self.engine,
            chunk=chunk,
            samples=len(samples) // kernel.SAMPLE_BYTES,
            checksum=zlib.crc32(samples),
        )
        save(self._folder, header, samples)
        self._done[chunk] = header

    @property
    def progress(self) -> Progress:
        headers = self._done.values()
        return Progress(
            len(headers),
            sum(header.games for header in headers),
            sum(header.samples for header in headers),
        )


def _header(plan: SelfplayPlan) -> ChunkHeader:
    """Return the header fields shared by all chunks of a plan."""
    return ChunkHeader(
        chunk=0,
        games=plan.games,
        samples=0,
        nodes=plan.nodes,
        seed=plan.seed,
        network=plan.network_name,
        checksum=0,
        mode=plan.mode,
        uneven=plan.random_side_permille,
        tuning=plan.tuning_name,
    )


def _present(plan: SelfplayPlan, folder: Path) -> dict[int, ChunkHeader]:
    """Return the existing chunks, which must be of this plan."""
    done = {}
    expected = _header(plan)
    for path in chunks(folder):
        header = ChunkHeader.read(path)
        actual = replace(header, chunk=0, samples=0, checksum=0, engine=0)
        if actual != expected:
            raise LabError(
                N_(
                    "{path} belongs to another plan ({games} games per chunk, {nodes} "
                    "nodes, seed {seed}, network {network}, mode {mode}, {uneven} in 1000 uneven, "
                    "tuning {tuning}); name another folder"
                ),
                code="other-plan",
                path=path,
                games=header.games,
                nodes=header.nodes,
                seed=header.seed,
                network=header.network,
                mode=header.mode,
                uneven=header.uneven,
                tuning=header.tuning,
            )
        if path == chunk_path(folder, header.chunk) and header.chunk < plan.chunks:
            done[header.chunk] = header
    return done


def _check_engine(folder: Path, done: dict[int, ChunkHeader], engine: int) -> None:
    """Raise if the chunks were played by another engine."""
    for chunk, header in done.items():
        if header.engine != engine:
            raise LabError(
                N_(
                    "{path} was played by another engine (signature {found}, this one has "
                    "{wanted}; 0 is unknown); name another folder"
                ),
                code="other-engine",
                path=chunk_path(folder, chunk),
                found=header.engine,
                wanted=engine,
            )
