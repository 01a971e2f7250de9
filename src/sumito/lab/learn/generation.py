"""Generations: self-play, training, and a match that decides whether to replace the best network.

Everything is stored in one folder, and what is there is not computed again, so that an interrupted
generation resumes: chunks of samples, the trained network, the games of its matches. One validation
set is made before the first generation and one network is the anchor of all, so that the figures of
generations can be compared. The ledger lists every generation, rejected ones included.
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
from sumito.engine.network import NO_NETWORK, default_bytes, training_facts
from sumito.engine.network import parse as parse_network
from sumito.engine.players import Player
from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.lab.learn import selfplay
from sumito.lab.learn.train import Training, TrainingConfig
from sumito.lab.match.elo import Sprt, SprtVerdict, Tally
from sumito.lab.match.plan import Match
from sumito.lab.match.runner import play_match
from sumito.lab.plots import curves
from sumito.output import open_output
from sumito.rules.modes import Mode

LEDGER: Final = "ledger.jsonl"
BEST: Final = "best.bin"
ANCHOR: Final = "anchor.bin"
VALIDATION: Final = "validation"
BEGIN_MARK: Final = "<!-- ledger -->"
END_MARK: Final = "<!-- end of ledger -->"

ReportProgress = Callable[[str, float], None]
"""Progress callback: what is going on, and the share of it done, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """Size of a generation."""

    samples: selfplay.SelfplayPlan
    config: TrainingConfig = field(default_factory=TrainingConfig)
    selfplay_nodes: tuple[int, ...] = (1000, 5000, 20000)
    """Nodes per move in the self-play of each generation; the last applies to all later ones."""
    validation: int = 10
    """Chunks of the validation set, played by the anchor with the first number of nodes."""
    rounds: int = 100
    """Number of openings in the match against the anchor, each played from all sides."""
    sprt: Sprt = field(default_factory=lambda: Sprt(0, 5))
    """Test against the best network that decides whether a generation is accepted."""
    games: int = 4000
    """Maximum number of games in that match; if undecided, the likelier result counts."""
    match_nodes: int = 5000
    window: int = 3
    """Number of latest generations whose samples are used for training."""
    layouts: tuple[str, ...] = selfplay.HELD_OUT
    """Layouts of the matches; in modes other than two, all."""

    def nodes(self, number: int) -> int:
        """Return the nodes per move in a generation's self-play."""
        return self.selfplay_nodes[min(number, len(self.selfplay_nodes)) - 1]


@dataclass(frozen=True, slots=True)
class Generation:
    """A line of the ledger."""

    number: int
    samples: int
    """Number of training samples."""
    hidden: int
    validation: float
    wins: int
    draws: int
    losses: int
    elo: float
    """Elo against the best network before it; of the first, against the anchor."""
    error: float
    total: float
    """Elo against the anchor."""
    kept: bool
    total_error: float = 0.0
    nodes: int = 0
    """Nodes per move in its self-play."""


def ledger(folder: Path) -> list[Generation]:
    """Return the generations so far."""
    path = folder / LEDGER
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    try:
        return [Generation(**json.loads(line)) for line in lines]
    except (TypeError, ValueError) as error:
        raise LabError(
            N_("{path}: line {line} or before can't be read: {reason}"),
            code="ledger",
            path=path,
            line=len(lines),
            reason=error,
        ) from None


def run_generations(
    plan: GenerationPlan, folder: Path, hours: float, pool: Executor, report: ReportProgress
) -> Iterator[Generation]:
    """Run generations until the time is over; finish the one begun."""
    end = time.monotonic() + 3600 * hours
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        yield run_generation(plan, folder, pool, report)
        if time.monotonic() >= end:
            return


def run_generation(
    plan: GenerationPlan, folder: Path, pool: Executor, report: ReportProgress
) -> Generation:
    """Run the next generation, resuming what the folder has."""
    past = ledger(folder)
    number = len(past) + 1
    best, anchor = folder / BEST, folder / ANCHOR
    if not anchor.exists():
        _replace_file(anchor, default_bytes())
    _make_validation_samples(plan, folder, pool, report)
    _play_samples(plan, folder, number, pool, report)
    candidate = folder / f"{number:03}.bin"
    if not candidate.exists():
        _train(plan, folder, number, candidate, report)
    facts = training_facts(parse_network(candidate.read_bytes()).parts[0])
    if best.exists():
        against = _play_match(plan, folder, number, anchor, None, pool, report)
        tally = _play_match(plan, folder, number, best, plan.sprt, pool, report)
    else:
        against = tally = _play_match(plan, folder, number, anchor, plan.sprt, pool, report)
    loss = facts["loss"]
    generation = Generation(
        number=number,
        samples=int(str(facts["samples"])),
        hidden=plan.config.hidden,
        validation=loss[-1][-1] if isinstance(loss, list) else math.nan,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        elo=_finite(tally.elo),
        error=_error(tally),
        total=_finite(against.elo),
        kept=is_better(plan.sprt, tally),
        total_error=_error(against),
        nodes=plan.nodes(number),
    )
    if generation.kept:
        _replace_file(best, candidate.read_bytes())
    with (folder / LEDGER).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(generation)) + "\n")
    return generation


def is_better(sprt: Sprt, tally: Tally) -> bool:
    """Return a test's verdict or, if undecided, the likelier result."""
    verdict = sprt.verdict(tally)
    if verdict is SprtVerdict.GOING_ON:
        return sprt.llr(tally) > 0
    return verdict is SprtVerdict.BETTER


def _replace_file(path: Path, contents: bytes) -> None:
    """Write a file, whole or not at all."""
    with open_output(path, binary=True) as file:
        file.write(contents)


def _error(tally: Tally) -> float:
    low, high = tally.interval
    return _finite((high - low) / 2)


def _finite(elo: float) -> float:
    """Clip infinite Elo, of matches won or lost throughout, to a finite number."""
    return 800.0 if math.isnan(elo) else max(-800.0, min(800.0, elo))


def _samples_folder(folder: Path, number: int) -> Path:
    return folder / f"{number:03}"


def _teacher(folder: Path) -> bytes:
    best = folder / BEST
    return (best if best.exists() else folder / ANCHOR).read_bytes()


def _make_validation_samples(
    plan: GenerationPlan, folder: Path, pool: Executor, report: ReportProgress
) -> None:
    """Make the validation set of all generations, once."""
    validation_plan = replace(
        plan.samples,
        chunks=plan.validation,
        nodes=plan.nodes(1),
        network=(folder / ANCHOR).read_bytes(),
    )
    for done in selfplay.play_games(validation_plan, folder / VALIDATION, pool):
        report(
            f"validation: {done.samples:,} samples", done.chunks / max(1, validation_plan.chunks)
        )


def _play_samples(
    plan: GenerationPlan, folder: Path, number: int, pool: Executor, report: ReportProgress
) -> None:
    selfplay_plan = replace(
        plan.samples,
        nodes=plan.nodes(number),
        network=_teacher(folder),
        seed=plan.samples.seed + number,
    )
    for done in selfplay.play_games(selfplay_plan, _samples_folder(folder, number), pool):
        report(f"generation {number}: {done.samples:,} samples", done.chunks / selfplay_plan.chunks)


def _train(
    plan: GenerationPlan, folder: Path, number: int, candidate: Path, report: ReportProgress
) -> None:
    first = max(1, number - plan.window + 1)
    training = Training(
        replace(plan.config, mode=plan.samples.mode),
        [_samples_folder(folder, n) for n in range(first, number + 1)],
        folder / VALIDATION,
    )
    for epoch in training.run():
        share = epoch.number / plan.config.epochs
        report(f"generation {number}: loss {epoch.validation:.5f}", share)
    training.save(candidate)


def _play_match(
    plan: GenerationPlan,
    folder: Path,
    number: int,
    opponent: Path,
    sprt: Sprt | None,
    pool: Executor,
    report: ReportProgress,
) -> Tally:
    """Play a match of the newest network; an interrupted one resumes from its records.

    With a test it lasts until that is decided or the plan's games are played.
    """
    mode = Mode.parse(plan.samples.mode)
    limit = Limit(nodes=plan.match_nodes)
    candidate = (folder / f"{number:03}.bin").read_bytes()
    other = opponent.read_bytes()
    knows = any(part.mode == mode for part in parse_network(other).parts)
    match = Match(
        Player(f"generation {number}", limit=limit, network=candidate),
        Player(opponent.stem, limit=limit, network=other if knows else NO_NETWORK),
        rounds=plan.rounds,
        mode=mode,
        layouts=plan.layouts if mode is Mode.TWO else (),
        plies=5,
        seed=number,
    )
    if sprt is not None:
        rounds = math.ceil(plan.games / len(match.seatings))
        match = replace(match, rounds=rounds, sprt=sprt)
    tally = Tally()
    for standing in play_match(match, folder / f"{number:03}-{opponent.stem}.apgn", pool):
        tally = standing.tally
        share = standing.games / match.games
        report(f"generation {number} against {opponent.stem}: {tally}", share)
    return tally


def ledger_table(generations: list[Generation]) -> str:
    """Return the ledger as a Markdown table."""
    head = (
        "generation",
        "samples",
        "hidden",
        "teacher's nodes",
        "validation loss",
        "against the best before",
        "Elo",
        "against the anchor",
        "kept",
    )
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    rows += [
        f"| {g.number} | {g.samples:,} | {g.hidden} | {g.nodes:,} | {g.validation:.5f} "
        f"| +{g.wins} ={g.draws} −{g.losses} | {g.elo:+.0f} ± {g.error:.0f} "
        f"| {g.total:+.0f} ± {g.total_error:.0f} "
        f"| {'yes' if g.kept else 'no'} |"
        for g in generations
    ]
    return "\n".join(rows)


def write_page(generations: list[Generation], page: Path, picture: Path) -> None:
    """Write the table between the marks of a page, and draw the plot it shows.

    Raise `LabError` if the page has no such place, or a table with other columns in it.
    """
    text = page.read_text(encoding="utf-8")
    head, found, rest = text.partition(BEGIN_MARK)
    between, closed, tail = rest.partition(END_MARK)
    if not (found and closed):
        raise LabError(
            N_("{page} has no place for the ledger: {begin} … {end}"),
            code="ledger-place",
            page=page,
            begin=BEGIN_MARK,
            end=END_MARK,
        )
    rows = ledger_table(generations)
    heading = between.strip().partition("\n")[0]
    if heading and heading != rows.partition("\n")[0]:
        raise LabError(
            N_("{page} has another table in the place of the ledger: {found}"),
            code="ledger-table",
            page=page,
            found=heading,
        )
    page.write_text(f"{head}{found}\n{rows}\n{closed}{tail}", encoding="utf-8")
    totals = [0.0]
    for generation in generations:
        totals.append(generation.total if generation.kept else totals[-1])
    picture.write_text(
        curves({"best so far": totals}, title="Elo above the anchor", first=0),
        encoding="utf-8",
    )
