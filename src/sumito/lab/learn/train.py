"""Training: from folders of samples to a network file, with its loss as CSV and SVG.

The trainer lives in the kernel.
"""

from __future__ import annotations

import csv
import json
import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from sumito import kernel
from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.lab.learn.samples import ChunkHeader, chunks
from sumito.lab.plots import curves
from sumito.rules.modes import Mode


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Training configuration; the same config and samples give the same network on one machine."""

    mode: str = Mode.TWO
    hidden: int = 128
    second_layer: int = 0
    """Neurons of a second layer: 16, or 0 for none."""
    epochs: int = 12
    batch: int = 1024
    learning_rate: float = 0.002
    score_weight: float = 0.7
    """Share of the search's score in the target; the rest is the game's result."""
    td_lambda: float = 0.0
    """TD(λ): weight of the next ply's target in that of a ply."""
    held_lead_log_odds: float = 0.6
    """Log-odds of a lead of one marble where the ply limit ended a game."""
    scale: int = 345
    """Score of one unit of log-odds, as the margins of the search assume."""
    validation: int = 50
    """Games in a thousand held out for validation."""
    score_clamp: int = 4000
    """Scores are clamped to this, as are proved wins."""
    ranking_weight: float = 0.0
    """Weight of the loss that ranks positions with a large lead by their scores."""
    threads: int = 1
    seed: int = 1

    @classmethod
    def default_for(cls, mode: Mode) -> Self:
        """Return the configuration that performed best in a mode.

        For three players, game results are too noisy to train on. When partners move in succession,
        twice the width gained nothing for its size.
        """
        if mode is Mode.THREE:
            return cls(mode=mode, second_layer=16, score_weight=1.0, td_lambda=0.9, scale=600)
        if mode is Mode.TWO:
            return cls(hidden=256, second_layer=16, ranking_weight=0.4)
        return cls(
            mode=mode, hidden=256 if mode is Mode.TEAMS else 128, second_layer=16, score_weight=0.8
        )


@dataclass(frozen=True, slots=True)
class Epoch:
    """One epoch."""

    number: int
    training: float
    validation: float


class Source:
    """A folder of samples, as recorded in a network's training facts."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.resolve().name
        self.samples = 0
        self.networks: set[str] = set()
        self._checksum = 0
        self._engines: set[int] = set()

    def add(self, header: ChunkHeader) -> None:
        self.samples += header.samples
        self.networks.add(header.network)
        self._checksum = zlib.crc32(header.checksum.to_bytes(4, "little"), self._checksum)
        self._engines.add(header.engine)

    def facts(self) -> dict[str, object]:
        return {
            "folder": self.name,
            "samples": self.samples,
            "checksum": f"{self._checksum:08x}",
            "engines": sorted(self._engines),
        }


class Training:
    """Loaded samples, and a network trained on them epoch by epoch."""

    def __init__(
        self,
        config: TrainingConfig,
        folders: Sequence[Path],
        validation: Path | None = None,
        start: kernel.Network | None = None,
    ) -> None:
        """Load the samples; those of a validation folder are never trained on.

        Training continues from `start`: a network of the same shape or, for modes other than two,
        one for two players of half the width, which sees partners as one.
        """
        self.config = config
        self.epochs: list[Epoch] = []
        self._parent = None if start is None else _checksum(start, config.mode)
        try:
            kept_aside = {"validation": 0} if validation else {}
            self._trainer = kernel.Trainer(**(asdict(config) | kept_aside))
        except ValueError as error:
            raise LabError(
                N_("invalid training configuration: {reason}"), code="recipe", reason=error
            ) from None
        self._sources = [self._load(folder, self._trainer.add) for folder in folders]
        self._validation_source = (
            self._load(validation, self._trainer.add_validation) if validation else None
        )
        try:
            self._trainer.begin(start)
        except ValueError as error:
            raise LabError(
                N_("{folders}: {reason}"), code="samples", folders=tuple(folders), reason=error
            ) from None

    def _load(self, folder: Path, take: Callable[[bytes], None]) -> Source:
        """Add a folder's samples to the trainer."""
        source = Source(folder)
        if not folder.is_dir():
            raise LabError(
                N_("{folder} is not a folder of samples"), code="no-samples", folder=folder
            )
        for path in chunks(folder):
            header, samples = ChunkHeader.load(path)
            if header.mode != self.config.mode:
                raise LabError(
                    N_("{path}: samples of mode {other}, not of mode {mode}"),
                    code="samples-mode",
                    path=path,
                    other=header.mode,
                    mode=self.config.mode,
                )
            source.add(header)
            take(samples)
        self._trainer.end_source()
        return source

    @property
    def samples(self) -> int:
        """Number of training samples, without ejections and validation games."""
        return self._trainer.training_size

    def run(self) -> Iterator[Epoch]:
        """Train, one epoch at a time."""
        while len(self.epochs) < self.config.epochs:
            training, validation = self._trainer.epoch()
            if not math.isfinite(training):
                raise LabError(
                    N_("the loss has diverged: try a lower learning rate"), code="diverged"
                )
            self.epochs.append(Epoch(len(self.epochs) + 1, training, validation))
            yield self.epochs[-1]

    def network(self) -> bytes:
        """Return the present network as a file with its training facts."""
        facts = {
            **asdict(self.config),
            "samples": self.samples,
            "games": self._trainer.games,
            "score_unit": round(self._trainer.score_unit, 1),
            "teachers": sorted({name for source in self._sources for name in source.networks}),
            "sources": [source.facts() for source in self._sources],
            "validation_source": self._validation_source and self._validation_source.facts(),
            "parent": self._parent,
            "loss": [[epoch.training, epoch.validation] for epoch in self.epochs[-1:]],
        }
        return self._trainer.file(json.dumps(facts))

    def save(self, path: Path) -> None:
        """Write the network, and its loss beside it as CSV and SVG."""
        path.write_bytes(self.network())
        with path.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(("epoch", "training", "validation"))
            table.writerows(
                (e.number, f"{e.training:.6f}", f"{e.validation:.6f}") for e in self.epochs
            )
        path.with_suffix(".svg").write_text(
            curves(
                {
                    "training": [epoch.training for epoch in self.epochs],
                    "validation": [epoch.validation for epoch in self.epochs],
                },
                title="Loss by epoch",
            ),
            encoding="utf-8",
        )


def _checksum(network: kernel.Network, mode: str) -> str | None:
    """Return the checksum of the part that training in a mode continues from, if any."""
    parts = {part.mode: part for part in network.parts}
    part = parts.get(mode) or parts.get(Mode.TWO)
    return None if part is None else f"{part.checksum:08x}"
