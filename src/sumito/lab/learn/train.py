"""Training: from folders of samples to a network file, with its loss as a table and a picture.

The trainer lives in the kernel. A picture of the loss is drawn here, in a few lines of SVG.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from sumito import _core
from sumito.errors import LabError
from sumito.lab.learn.samples import ChunkFacts, chunks


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to learn; the same recipe and samples give the same network on the same machine."""

    hidden: int = 128
    epochs: int = 12
    batch: int = 1024
    rate: float = 0.002
    trust: float = 0.7
    """How much of the target is the score of the search; the rest is the result of the game."""
    scale: int = 265
    """The value of one unit of log-odds; where a marble stays about what it is by hand."""
    validation: int = 50
    """Games in a thousand that are kept aside."""
    threads: int = 1
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Epoch:
    """One round through the samples."""

    number: int
    training: float
    validation: float


class Training:
    """Samples loaded, and a network that learns from them epoch by epoch."""

    def __init__(self, recipe: Recipe, folders: Sequence[Path]) -> None:
        self.recipe = recipe
        self.epochs: list[Epoch] = []
        self._networks: set[str] = set()
        try:
            self._trainer = _core.Trainer(**asdict(recipe))
        except ValueError as error:
            raise LabError(str(error)) from None
        for folder in folders:
            self._load(folder)
        try:
            self._trainer.begin()
        except ValueError as error:
            raise LabError(f"{', '.join(map(str, folders))}: {error}") from None

    def _load(self, folder: Path) -> None:
        if not folder.is_dir():
            raise LabError(f"{folder} is not a folder of samples")
        for path in chunks(folder):
            facts, samples = ChunkFacts.load(path)
            self._networks.add(facts.network)
            self._trainer.add(samples)

    @property
    def samples(self) -> int:
        """Those learnt from; ejections and games kept aside don't count."""
        return self._trainer.training_size

    def run(self) -> Iterator[Epoch]:
        """Learn, one epoch at a time."""
        while len(self.epochs) < self.recipe.epochs:
            training, validation = self._trainer.epoch()
            if not math.isfinite(training):
                raise LabError("the loss has grown beyond all bounds: try a smaller rate")
            self.epochs.append(Epoch(len(self.epochs) + 1, training, validation))
            yield self.epochs[-1]

    def network(self) -> bytes:
        """The network so far, as a file that tells how it came about."""
        facts = {
            **asdict(self.recipe),
            "samples": self.samples,
            "games": self._trainer.games,
            "score_unit": round(self._trainer.score_unit, 1),
            "teachers": sorted(self._networks),
            "loss": [[epoch.training, epoch.validation] for epoch in self.epochs[-1:]],
        }
        return self._trainer.file(json.dumps(facts))

    def save(self, path: Path) -> None:
        """The network, and beside it its loss as CSV and SVG."""
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


_WIDTH, _HEIGHT, _MARGIN = 640, 360, 56
_INKS = ("#2563eb", "#d97706", "#059669", "#7c3aed")


def curves(lines: dict[str, list[float]], *, title: str, first: int = 1) -> str:
    """A picture of lines over whole numbers that begin at `first`."""
    values = [value for line in lines.values() for value in line]
    low, high = min(values, default=0.0), max(values, default=1.0)
    high = high if high > low else low + 1.0
    steps = max((len(line) for line in lines.values()), default=1)

    def x(step: int) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * step / max(1, steps - 1)

    def y(value: float) -> float:
        return _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * (value - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">',
        "<style>text{font:13px sans-serif}</style>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_MARGIN}" y="28">{title}</text>',
    ]
    for k in range(5):
        value = low + (high - low) * k / 4
        parts.append(
            f'<path d="M{_MARGIN} {y(value):.1f}H{_WIDTH - _MARGIN}" stroke="#ddd"/>'
            f'<text x="{_MARGIN - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.4g}</text>'
        )
    parts += [
        f'<text x="{x(step):.1f}" y="{_HEIGHT - _MARGIN + 20}" text-anchor="middle">'
        f"{step + first}</text>"
        for step in range(0, steps, max(1, steps // 12))
    ]
    for ink, line in zip(_INKS, lines.values(), strict=False):
        points = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in enumerate(line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x(step):.1f}" cy="{y(value):.1f}" r="3" fill="{ink}"/>'
            for step, value in enumerate(line)
        ]
    for row, (ink, name) in enumerate(zip(_INKS, lines, strict=False)):
        parts.append(
            f'<text x="{_WIDTH - _MARGIN}" y="{28 + 18 * row}" fill="{ink}" '
            f'text-anchor="end">{name}</text>'
        )
    return "\n".join((*parts, "</svg>\n"))
