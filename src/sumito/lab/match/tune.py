"""Tuning of search parameters by SPSA (simultaneous perturbation stochastic approximation).

Each step perturbs every parameter at random up or down by its `perturbation`. The engine so changed
plays a few rounds against the one changed the other way, and all parameters take a small step
towards the winner. A step is determined by the plan and its number, so an interrupted run resumes
exactly; the file stores every step.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Self

from sumito import kernel
from sumito.engine.limit import Limit, check_whole
from sumito.engine.players import Player
from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.lab.jobs import Journal
from sumito.lab.match.plan import DEFAULT_RULES, Match
from sumito.lab.match.runner import play_match
from sumito.lab.plots import curves


@dataclass(frozen=True, slots=True)
class Parameter:
    """A search parameter with its range and perturbation."""

    name: str
    start: int
    low: int
    high: int
    perturbation: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `lmp_base`, or `lmp_base=4:1:12:1` with start, range and perturbation.

        >>> Parameter.parse("aspiration=40:10:90:8")
        Parameter(name='aspiration', start=40, low=10, high=90, perturbation=8)
        """
        name, _, rest = text.partition("=")
        known = kernel.settings()
        if name not in known:
            raise LabError(
                N_("{name!r} is not a search parameter; there are {known}"),
                name=name,
                known=tuple(sorted(known)),
            )
        least, most = kernel.setting_ranges()[name]
        if not rest:
            start = known[name]
            perturbation = max(1, abs(start) // 5)
            low, high = max(least, min(0, 2 * start)), min(most, max(1, 3 * start))
            return cls(name, start, low, high, perturbation)
        try:
            start, low, high, perturbation = map(int, rest.split(":"))
        except ValueError:
            raise LabError(
                N_(
                    "{text!r}: give start, lowest, highest and perturbation, as in "
                    "lmp_base=4:1:12:1"
                ),
                text=text,
            ) from None
        if not (low <= start <= high and 1 <= perturbation <= high - low):
            raise LabError(
                N_("{text!r}: start and perturbation must lie within the range"), text=text
            )
        if low < least or high > most:
            raise LabError(
                N_("{text!r}: {name} is from {least} to {most}"),
                text=text,
                name=name,
                least=least,
                most=most,
            )
        return cls(name, start, low, high, perturbation)

    def within(self, value: float) -> float:
        return max(self.low, min(self.high, value))


DEFAULT_PARAMETERS: Final = (
    "lmp_base=4:1:12:1",
    "lmp_scale=5:1:12:1",
    "lmr_percent=175:60:260:15",
    "rfp_margin=56:20:140:8",
    "futility_margin=130:60:320:18",
    "qpush_margin=72:0:200:12",
    "singular_margin=2:0:8:1",
    "aspiration=40:12:120:6",
    "history_bonus=16:2:48:3",
    "order_push=2000:0:6000:400",
    "order_centre_gain=24:0:80:4",
)
"""Parameters tuned by default: the margins of the search."""

SPSA_ALPHA: Final = 0.602
SPSA_GAMMA: Final = 0.101
"""Exponents of the decay of step size and perturbation, as in SPSA's theory."""


@dataclass(frozen=True, slots=True)
class TuningPlan:
    """Config of a tuning run."""

    numbers: tuple[Parameter, ...]
    steps: int = 1000
    rounds: int = 4
    """Openings per step, each played from both sides."""
    nodes: int = 20_000
    """Nodes per move. Short searches say nothing about long ones."""
    rate: float = 1.0
    """Initial step in perturbations for a step won without a loss."""
    resign: float = 1.5
    """Lead in marbles at which a game is adjudicated, which saves a quarter of the plies."""
    ply_limit: int = 160
    """Plies after which the leader wins, as the search knows: games between equals are long."""
    layouts: tuple[str, ...] = ()
    seed: int = 1
    network: str | None = None

    def __post_init__(self) -> None:
        check_whole("steps", self.steps, 1, 1_000_000)
        check_whole("rounds", self.rounds, 1, 10_000)
        check_whole("ply_limit", self.ply_limit, 1, 100_000)
        if not self.numbers:
            raise LabError(N_("nothing to tune: name a search parameter"))
        names = [number.name for number in self.numbers]
        if len(set(names)) < len(names):
            raise LabError(N_("a parameter is named twice"))

    @property
    def start(self) -> dict[str, float]:
        return {number.name: float(number.start) for number in self.numbers}


@dataclass(frozen=True, slots=True)
class TuningStep:
    """Result of a step, and the parameter values after it."""

    step: int
    score: float
    """Score of the perturbed engine, from -1, all lost, to 1."""
    values: dict[str, float]


def history(path: Path, plan: TuningPlan) -> list[TuningStep]:
    """Return the steps of a file; raise `LabError` if they are of another plan."""
    return _steps(_journal(path, plan))


def _journal(path: Path, plan: TuningPlan) -> Journal:
    facts = asdict(replace(plan, steps=1))
    del facts["steps"]  # more steps are the same plan
    return Journal(path, {"tuning": facts})


def _steps(journal: Journal) -> list[TuningStep]:
    steps = []
    for number, entry in enumerate(journal.entries):
        try:
            steps.append(TuningStep(**entry))
        except TypeError:
            raise journal.unreadable(number) from None
    return steps


def run_tuning(plan: TuningPlan, path: Path, pool: Executor) -> Iterator[TuningStep]:
    """Make the missing steps; return the last one stored, then each new one."""
    journal = _journal(path, plan)
    steps = _steps(journal)
    values = dict(steps[-1].values) if steps else plan.start
    yield from steps[-1:]
    with journal:
        for number in range(len(steps), plan.steps):
            step = _step(plan, number, values, pool)
            values = step.values
            journal.append(asdict(step))
            yield step


def _step(plan: TuningPlan, step: int, values: Mapping[str, float], pool: Executor) -> TuningStep:
    rng = random.Random(f"{plan.seed} {step}")  # noqa: S311 (chance, no secret)
    narrow = (step + 1) ** -SPSA_GAMMA
    delta = {n.name: rng.choice((-1, 1)) * n.perturbation * narrow for n in plan.numbers}
    up, down = (
        tuple(
            (n.name, round(n.within(values[n.name] + sign * delta[n.name]))) for n in plan.numbers
        )
        for sign in (1, -1)
    )
    score = _play_match(plan, step, up, down, pool)
    rate = plan.rate / (1 + step / (0.1 * plan.steps)) ** SPSA_ALPHA
    moved = {n.name: n.within(values[n.name] + rate * score * delta[n.name]) for n in plan.numbers}
    return TuningStep(step, score, moved)


Settings = Sequence[tuple[str, int]]


def _play_match(plan: TuningPlan, step: int, up: Settings, down: Settings, pool: Executor) -> float:
    limit = Limit(nodes=plan.nodes)
    match = Match(
        Player("up", limit=limit, network=plan.network, tuning=tuple(up)),
        Player("down", limit=limit, network=plan.network, tuning=tuple(down)),
        rounds=plan.rounds,
        layouts=plan.layouts,
        plies=5,
        seed=plan.seed * 1_000_003 + step,
        rules=replace(DEFAULT_RULES, ply_limit=plan.ply_limit),
        resign=plan.resign,
    )
    *_, standing = play_match(match, pool=pool)
    return 2 * standing.tally.score - 1


def picture(plan: TuningPlan, steps: Sequence[TuningStep]) -> str:
    """Draw the parameter values over the steps, relative to their starts."""
    lines = {
        number.name: [1.0, *(step.values[number.name] / (number.start or 1) for step in steps)]
        for number in plan.numbers
    }
    return curves(lines, title="numbers of the search, as shares of their start", first=0)
