"""Generations: play, learn, meet the best so far, and take its place or not.

Everything lies in one folder and what is there already isn't done again, so that a broken-off
generation goes on where it stood. The ledger keeps every generation, those that lost too.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from sumito.engine.limit import Limit
from sumito.engine.network import NO_NETWORK
from sumito.errors import LabError
from sumito.lab.learn import selfplay
from sumito.lab.learn.train import Recipe, Training, curves
from sumito.lab.match import run as matches
from sumito.lab.match.elo import Tally
from sumito.lab.match.plan import Match
from sumito.lab.match.players import Player

LEDGER: Final = "ledger.jsonl"
BEST: Final = "best.bin"
BEGIN_MARK: Final = "<!-- ledger -->"
END_MARK: Final = "<!-- end of ledger -->"

Tell = Callable[[str, float], None]
"""Called with what is going on and how much of it is done, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How large a generation is."""

    samples: selfplay.Plan
    recipe: Recipe = field(default_factory=Recipe)
    rounds: int = 100
    """Openings of the match against the best, each played from both sides."""
    match_nodes: int = 2000
    memory: int = 3
    """Generations whose samples are learnt from, the newest included."""
    layouts: tuple[str, ...] = ("belgian-daisy", "standard", "german-daisy")


@dataclass(frozen=True, slots=True)
class Generation:
    """A line of the ledger."""

    number: int
    samples: int
    """All that were learnt from."""
    hidden: int
    validation: float
    wins: int
    draws: int
    losses: int
    elo: float
    """Against the best before it; the first against the hand-made evaluation."""
    error: float
    total: float
    """Above the hand-made evaluation, added up over the networks that were kept."""
    kept: bool


def ledger(folder: Path) -> list[Generation]:
    """The generations so far."""
    path = folder / LEDGER
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    try:
        return [Generation(**json.loads(line)) for line in lines]
    except (TypeError, ValueError) as error:
        raise LabError(f"{path}: line {len(lines)} or before can't be read: {error}") from None


def run(plan: Plan, folder: Path, hours: float, pool: Executor, tell: Tell) -> Iterator[Generation]:
    """Generation after generation until the time is over; the one begun is finished."""
    end = time.monotonic() + 3600 * hours
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        yield one(plan, folder, pool, tell)
        if time.monotonic() >= end:
            return


def one(plan: Plan, folder: Path, pool: Executor, tell: Tell) -> Generation:
    """The next generation, from where the folder stands."""
    past = ledger(folder)
    number = len(past) + 1
    best = folder / BEST
    _play_samples(plan, folder, number, pool, tell)
    candidate = folder / f"{number:03}.bin"
    training = _train(plan, folder, number, candidate, tell)
    tally = _meet(plan, candidate, best if best.exists() else None, number, pool, tell)
    low, high = tally.interval
    kept = tally.score > 0.5 and low > 0
    before = max((line.total for line in past if line.kept), default=0.0)
    made = Generation(
        number=number,
        samples=training.samples,
        hidden=plan.recipe.hidden,
        validation=training.epochs[-1].validation,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        elo=_finite(tally.elo),
        error=_finite((high - low) / 2),
        total=before + _finite(tally.elo),
        kept=kept,
    )
    if kept:
        part = best.with_suffix(".part")
        part.write_bytes(candidate.read_bytes())
        part.replace(best)
    with (folder / LEDGER).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(made)) + "\n")
    return made


def _finite(elo: float) -> float:
    """Elo as a number that can be written down: all games won say no more than this."""
    return 800.0 if math.isnan(elo) else max(-800.0, min(800.0, elo))


def _samples_folder(folder: Path, number: int) -> Path:
    return folder / f"{number:03}"


def _play_samples(plan: Plan, folder: Path, number: int, pool: Executor, tell: Tell) -> None:
    best = folder / BEST
    network = best.read_bytes() if best.exists() else b""
    wanted = replace(plan.samples, network=network, seed=plan.samples.seed + number)
    for done in selfplay.play(wanted, _samples_folder(folder, number), pool):
        tell(f"generation {number}: {done.samples:,} samples", done.chunks / wanted.chunks)


def _train(plan: Plan, folder: Path, number: int, candidate: Path, tell: Tell) -> Training:
    first = max(1, number - plan.memory + 1)
    training = Training(plan.recipe, [_samples_folder(folder, n) for n in range(first, number + 1)])
    for epoch in training.run():
        share = epoch.number / plan.recipe.epochs
        tell(f"generation {number}: loss {epoch.validation:.5f}", share)
    training.save(candidate)
    return training


def _meet(
    plan: Plan, candidate: Path, best: Path | None, number: int, pool: Executor, tell: Tell
) -> Tally:
    limit = Limit(nodes=plan.match_nodes)
    fresh = Player(f"generation {number}", limit=limit, network=candidate.read_bytes())
    old = Player("best", limit=limit, network=best.read_bytes() if best else NO_NETWORK)
    match = Match(fresh, old, rounds=plan.rounds, layouts=plan.layouts, plies=5, seed=number)
    tally = Tally()
    for standing in matches.play(match, pool=pool):
        tally = standing.tally
        tell(f"generation {number}: {tally}", standing.games / match.games)
    return tally


def table(generations: list[Generation]) -> str:
    """The ledger as a table of Markdown."""
    head = (
        "generation",
        "samples",
        "hidden",
        "validation loss",
        "against the best before",
        "Elo",
        "above hand-made",
        "kept",
    )
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    rows += [
        f"| {g.number} | {g.samples:,} | {g.hidden} | {g.validation:.5f} "
        f"| +{g.wins} ={g.draws} −{g.losses} | {g.elo:+.0f} ± {g.error:.0f} | {g.total:+.0f} "
        f"| {'yes' if g.kept else 'no'} |"
        for g in generations
    ]
    return "\n".join(rows)


def write(generations: list[Generation], page: Path, picture: Path) -> None:
    """Put the table between the marks of a page, and draw the picture it shows."""
    text = page.read_text(encoding="utf-8")
    head, found, rest = text.partition(BEGIN_MARK)
    _, closed, tail = rest.partition(END_MARK)
    if not (found and closed):
        raise LabError(f"{page} has no place for the ledger: {BEGIN_MARK} … {END_MARK}")
    page.write_text(f"{head}{found}\n{table(generations)}\n{closed}{tail}", encoding="utf-8")
    totals = [0.0]
    for generation in generations:
        totals.append(generation.total if generation.kept else totals[-1])
    picture.write_text(
        curves({"best so far": totals}, title="Elo above the hand-made evaluation", first=0),
        encoding="utf-8",
    )
