"""Commands of the lab: selfplay, train, generation, tune, levels, network, puzzles, openings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sumito.cli.common import (
    LayoutsOption,
    SeedOption,
    echo,
    examples,
    finite,
    progress_bar,
    screen,
    table,
    tr,
)
from sumito.engine.engine import MOST_THREADS
from sumito.engine.levels import Level
from sumito.engine.limit import MOST_NODES
from sumito.engine.network import default_bytes, training_facts
from sumito.engine.network import load as load_network
from sumito.errors import SumitoError
from sumito.i18n.messages import N_
from sumito.lab import plots
from sumito.lab.cluster import MOST_WORKERS, executor
from sumito.lab.learn.generation import (
    GenerationPlan,
    ledger,
    ledger_table,
    run_generations,
    write_page,
)
from sumito.lab.learn.selfplay import RANDOM_SIDE_PERMILLE, Progress, SelfplayPlan, play_games
from sumito.lab.learn.train import Training, TrainingConfig
from sumito.lab.match import ladder
from sumito.lab.match.elo import Sprt
from sumito.lab.match.plan import MOST_ROUNDS
from sumito.lab.match.tune import (
    DEFAULT_PARAMETERS,
    Parameter,
    TuningPlan,
    history,
    picture,
    run_tuning,
)
from sumito.lab.openings import NODES, OpeningsPlan, fair, make_openings
from sumito.lab.puzzles.make import PuzzlePlan, make_puzzles
from sumito.output import check_output
from sumito.puzzles import Puzzle
from sumito.rules.modes import Mode

lab = typer.Typer(no_args_is_help=True, help="Self-play, training, matches and tuning.")

WorkersOption = Annotated[
    int,
    typer.Option(
        "--workers",
        "-w",
        min=0,
        max=MOST_WORKERS,
        help="Games played at the same time; 0 for all cores.",
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler, as tcp://host:8786."),
]
NetworkOption = Annotated[
    str | None,
    typer.Option(
        "--network",
        metavar="FILE",
        help="Network to play with; `none` for the handcrafted evaluation.",
    ),
]
NodesOption = Annotated[int, typer.Option(min=1, max=MOST_NODES, help="Nodes searched per move.")]
ModeOption = Annotated[Mode, typer.Option("--mode", "-m", help="Game mode.")]
ChunksOption = Annotated[int, typer.Option(min=1, max=1_000_000, help="Chunks of 64 games.")]


def _require_one_of(*known: int) -> Callable[[int | None], int | None]:
    """Return a callback that accepts only these numbers."""

    def check(value: int | None) -> int | None:
        if value is not None and value not in known:
            raise typer.BadParameter(
                tr(
                    N_("{value} is not one of {known}."),
                    value=value,
                    known=", ".join(map(str, known)),
                )
            )
        return value

    return check


HiddenOption = Annotated[
    int | None,
    typer.Option(
        callback=_require_one_of(64, 128, 256),
        help="Width of the hidden layer: 64, 128 or 256; by default, the mode's own.",
    ),
]
SecondOption = Annotated[
    int | None,
    typer.Option(
        callback=_require_one_of(0, 16),
        help="Neurons of a second layer: 16, or 0 for none; by default, the mode's own.",
    ),
]
EpochsOption = Annotated[int, typer.Option(min=1, max=10_000, help="Number of training epochs.")]


def register(app: typer.Typer) -> None:
    """Register the commands of this module."""
    lab.command(epilog=examples("lab selfplay samples --chunks 100 --nodes 1000"))(selfplay)
    lab.command(epilog=examples("lab train samples --out new.bin --epochs 12"))(train)
    lab.command(epilog=examples("lab generation --hours 2"))(generation)
    lab.command(epilog=examples("lab tune margins.jsonl", "lab tune leaf.jsonl qpush_margin"))(tune)
    lab.command(epilog=examples("lab levels", "lab levels --mode three --rounds 40"))(levels)
    lab.command(epilog=examples("lab network", "lab network new.bin"))(network)
    lab.command(
        epilog=examples(
            "lab puzzles puzzles.json --count 200",
            "lab puzzles puzzles.json --mode three --count 50",
            "lab puzzles puzzles.json --record club.apgn",
        )
    )(puzzles)
    lab.command(
        epilog=examples(
            "lab openings openings.txt", "lab openings openings.txt --mode three --nodes 500000"
        )
    )(openings)
    app.add_typer(lab, name="lab")


def _contents(network: str | None) -> bytes:
    """Return the network file's contents; empty for the handcrafted evaluation."""
    if network is None:
        return default_bytes()
    return b"" if load_network(network) is None else Path(network).read_bytes()


def selfplay(
    folder: Annotated[Path, typer.Argument(help="Folder to write the samples to.")],
    chunks: ChunksOption = 100,
    nodes: NodesOption = 1000,
    seed: SeedOption = 1,
    mode: ModeOption = Mode.TWO,
    network: NetworkOption = None,
    uneven: Annotated[
        int,
        typer.Option(
            min=0, max=1000, help="Games in a thousand in which one side plays partly at random."
        ),
    ] = RANDOM_SIDE_PERMILLE,
    workers: WorkersOption = 0,
    cluster: ClusterOption = None,
) -> None:
    """Write training samples from self-play; an interrupted run resumes."""
    plan = SelfplayPlan(
        chunks,
        nodes=nodes,
        seed=seed,
        mode=mode,
        network=_contents(network),
        random_side_permille=uneven,
    )
    done = Progress(0, 0, 0)
    with executor(cluster, workers) as pool, progress_bar() as progress:
        task = progress.add_task(tr(N_("self-play")), total=chunks)
        for done in play_games(plan, folder, pool):
            progress.update(
                task,
                completed=done.chunks,
                description=tr(N_("{count:,} positions"), count=done.samples),
            )
    echo(
        N_("{games:,} games, {samples:,} positions in {folder}"),
        games=done.games,
        samples=done.samples,
        folder=folder,
    )


def train(
    folders: Annotated[list[Path], typer.Argument(help="Folders of samples.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The network file to write.")],
    hidden: HiddenOption = None,
    second_layer: SecondOption = None,
    epochs: EpochsOption = 12,
    learning_rate: Annotated[
        float, typer.Option(min=1e-9, max=1, callback=finite, help="Initial learning rate.")
    ] = TrainingConfig().learning_rate,
    score_weight: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            callback=finite,
            help="Share of the search's score in the training target.",
        ),
    ] = None,
    td_lambda: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, callback=finite, help="Weight of the scores of later plies (TD lambda)."
        ),
    ] = None,
    held_lead_log_odds: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=100,
            callback=finite,
            help="Log-odds of a marble's lead where the ply limit ended a game.",
        ),
    ] = None,
    ranking_weight: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=100,
            callback=finite,
            help="Weight of ranking positions with a large lead by their scores.",
        ),
    ] = None,
    mode: ModeOption = Mode.TWO,
    validation: Annotated[
        Path | None, typer.Option(help="Validation samples; by default, some games are held out.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="Network to continue training from."),
    ] = None,
    seed: SeedOption = 1,
    threads: Annotated[
        int, typer.Option(min=1, max=MOST_THREADS, help="Processor cores to use.")
    ] = 1,
) -> None:
    """Train a network on samples, and write its loss beside it as CSV and SVG."""
    default = _layers(mode, hidden, second_layer)
    config = replace(
        default,
        epochs=epochs,
        learning_rate=learning_rate,
        score_weight=default.score_weight if score_weight is None else score_weight,
        td_lambda=default.td_lambda if td_lambda is None else td_lambda,
        held_lead_log_odds=(
            default.held_lead_log_odds if held_lead_log_odds is None else held_lead_log_odds
        ),
        ranking_weight=default.ranking_weight if ranking_weight is None else ranking_weight,
        seed=seed,
        threads=threads,
    )
    check_output(out)
    plots.check_installed()
    training = Training(config, folders, validation, None if start is None else load_network(start))
    rows = table(
        N_("epoch"),
        N_("training"),
        N_("validation"),
        numbers=(N_("epoch"), N_("training"), N_("validation")),
    )
    with progress_bar() as progress:
        task = progress.add_task(tr(N_("{count:,} samples"), count=training.samples), total=epochs)
        for epoch in training.run():
            rows.add_row(str(epoch.number), f"{epoch.training:.5f}", f"{epoch.validation:.5f}")
            progress.update(task, completed=epoch.number)
    training.save(out)
    screen().print(rows)
    echo(N_("{file}: {size:,} bytes"), file=out, size=out.stat().st_size)


def _layers(mode: Mode, hidden: int | None, second_layer: int | None) -> TrainingConfig:
    """Return the default config of a mode with these layers; a width alone is one layer."""
    default = TrainingConfig.default_for(mode)
    if hidden is None:
        return default if second_layer is None else replace(default, second_layer=second_layer)
    return replace(default, hidden=hidden, second_layer=second_layer or 0)


def generation(
    hours: Annotated[
        float,
        typer.Option(
            min=0,
            max=1_000_000,
            callback=finite,
            help="Hours after which no new generation starts.",
        ),
    ],
    folder: Annotated[
        Path, typer.Option(help="Folder of the samples, networks and ledger.")
    ] = Path("lab"),
    chunks: ChunksOption = 200,
    nodes: Annotated[
        list[int] | None,
        typer.Option(min=1, max=MOST_NODES, help="Nodes per move in each generation's self-play."),
    ] = None,
    mode: ModeOption = Mode.TWO,
    rounds: Annotated[
        int,
        typer.Option(
            min=1, max=MOST_ROUNDS, help="Number of openings in the match against the anchor."
        ),
    ] = 100,
    sprt: Annotated[
        tuple[float, float],
        typer.Option(
            metavar="ELO0 ELO1", help="The sequential test that keeps or rejects a generation."
        ),
    ] = (0, 5),
    most_games: Annotated[
        int,
        typer.Option(
            "--games",
            min=1,
            max=MOST_ROUNDS,
            help="Maximum number of games in that test; if undecided, the likelier result counts.",
        ),
    ] = 4000,
    hidden: HiddenOption = None,
    second_layer: SecondOption = None,
    epochs: EpochsOption = 12,
    workers: WorkersOption = 0,
    cluster: ClusterOption = None,
    page: Annotated[
        Path | None, typer.Option(help="A page with marks for the ledger, as docs/network.md.")
    ] = None,
) -> None:
    """Train network generations and keep each that beats the best; an interrupted run resumes."""
    plan = GenerationPlan(
        SelfplayPlan(chunks, mode=mode),
        replace(_layers(mode, hidden, second_layer), epochs=epochs),
        rounds=rounds,
        sprt=Sprt(*sprt),
        games=most_games,
    )
    if nodes:
        plan = replace(plan, selfplay_nodes=tuple(nodes))
    plots.check_installed()
    with executor(cluster, workers) as pool, progress_bar() as progress:
        task = progress.add_task(tr(N_("generation")), total=1.0)

        def report(activity: str, share: float) -> None:
            progress.update(task, description=activity, completed=share)

        for _ in run_generations(plan, folder, hours, pool, report):
            if page is not None:
                picture = page.with_name("plots") / "generations.svg"
                write_page(ledger(folder), page, picture)
    typer.echo(ledger_table(ledger(folder)))


def tune(
    file: Annotated[
        Path,
        typer.Argument(help="File that stores every step; an interrupted run resumes from it."),
    ],
    numbers: Annotated[
        list[str] | None,
        typer.Argument(
            help="Parameters to tune, as lmp_base or lmp_base=4:1:12:1; by default, the "
            "search margins."
        ),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, max=1_000_000, help="Total number of steps.")] = 1000,
    rounds: Annotated[int, typer.Option(min=1, max=10_000, help="Openings per step.")] = 4,
    nodes: NodesOption = 20_000,
    layout: LayoutsOption = None,
    network: NetworkOption = None,
    seed: SeedOption = 1,
    workers: WorkersOption = 0,
    cluster: ClusterOption = None,
) -> None:
    """Tune search parameters by SPSA, and write a plot beside the file."""
    check_output(file)
    plots.check_installed()
    plan = TuningPlan(
        tuple(map(Parameter.parse, numbers or DEFAULT_PARAMETERS)),
        steps=steps,
        rounds=rounds,
        nodes=nodes,
        layouts=tuple(layout or ()),
        seed=seed,
        network=network,
    )
    with executor(cluster, workers) as pool, progress_bar() as progress:
        task = progress.add_task(tr(N_("tuning")), total=steps)
        for step in run_tuning(plan, file, pool):
            progress.update(task, completed=step.step + 1)
    tuning_steps = history(file, plan)
    file.with_suffix(".svg").write_text(picture(plan, tuning_steps), encoding="utf-8")
    rows = table(N_("number"), N_("start"), N_("now"), numbers=(N_("start"), N_("now")))
    for number in plan.numbers:
        rows.add_row(number.name, str(number.start), f"{tuning_steps[-1].values[number.name]:.1f}")
    screen().print(rows)


def levels(
    mode: ModeOption = Mode.TWO,
    rounds: Annotated[int, typer.Option(min=1, max=MOST_ROUNDS, help="Openings per match.")] = 50,
    layout: LayoutsOption = None,
    time: Annotated[
        float,
        typer.Option(
            min=0.001, max=3600, callback=finite, help="Seconds per move at full strength."
        ),
    ] = 0.1,
    seed: SeedOption = 1,
    workers: WorkersOption = 0,
    cluster: ClusterOption = None,
) -> None:
    """Rate each level by a match against the one below; random play is 0 Elo."""
    rows = table(N_("level"), N_("against the one below"), N_("Elo"), numbers=(N_("Elo"),))
    with executor(cluster, workers) as pool, progress_bar() as progress:
        task = progress.add_task(tr(N_("levels")), total=len(Level))
        for rung in ladder.rate_levels(
            pool, mode=mode, rounds=rounds, layouts=tuple(layout or ()), seconds=time, seed=seed
        ):
            progress.update(task, completed=int(rung.level), description=str(rung.level))
            rows.add_row(str(rung.level), str(rung.tally), f"{rung.elo:.0f} ± {rung.error:.0f}")
    screen().print(rows)


def network(
    file: Annotated[
        str | None, typer.Argument(help="Network file; by default, the one in the package.")
    ] = None,
) -> None:
    """Show a network's layers and how it was trained."""
    loaded = load_network(file)
    if loaded is None:
        echo(N_("the handcrafted evaluation"))
        return
    for part in loaded.parts:
        rows = table(N_("fact"), N_("value"))
        rows.add_row(tr(N_("mode")), part.mode)
        rows.add_row(tr(N_("hidden")), str(part.hidden))
        rows.add_row(tr(N_("checksum")), f"{part.checksum:08x}")
        for name, value in training_facts(part).items():
            if name not in ("mode", "hidden"):
                rows.add_row(name, str(value))
        screen().print(rows)


def puzzles(
    out: Annotated[
        Path, typer.Argument(help="File to write; puzzles of other modes in it are kept.")
    ],
    count: Annotated[
        int, typer.Option(min=1, max=100_000, help="Number of puzzles of this mode.")
    ] = 1000,
    mode: ModeOption = Mode.TWO,
    records: Annotated[
        list[Path] | None,
        typer.Option("--record", "-r", metavar="FILE", help="Records to search first."),
    ] = None,
    seed: SeedOption = 1,
    workers: WorkersOption = 0,
    cluster: ClusterOption = None,
) -> None:
    """Find puzzles with checked solutions in games; an interrupted run resumes."""
    check_output(out)
    for file in records or ():
        if not file.is_file():
            raise SumitoError(N_("{path} is not a file"), path=file)
    plan = PuzzlePlan(mode, count, seed)
    found: list[Puzzle] = []
    with executor(cluster, workers) as pool, progress_bar() as progress:
        task = progress.add_task(tr(N_("puzzles")), total=count)
        for found in make_puzzles(plan, out, pool, records or ()):
            progress.update(task, completed=len(found))
    kinds = Counter((puzzle.goal, puzzle.moves) for puzzle in found)
    rows = table(N_("goal"), N_("moves"), N_("puzzles"), numbers=(N_("moves"), N_("puzzles")))
    for (goal, moves), number in sorted(kinds.items()):
        rows.add_row(str(goal), str(moves), str(number))
    screen().print(rows)
    echo(N_("{count:,} puzzles in {file}"), count=len(found), file=out)


def openings(
    out: Annotated[Path, typer.Argument(help="File to write; other layouts in it are kept.")],
    nodes: Annotated[
        int, typer.Option(min=1, max=MOST_NODES, help="Nodes searched for the first move.")
    ] = NODES,
    mode: Annotated[
        Mode | None, typer.Option("--mode", "-m", help="Game mode; all by default.")
    ] = None,
    layout: Annotated[
        list[str] | None,
        typer.Option(
            "--layout", "-l", metavar="ID", help="Layouts to search; all fair ones by default."
        ),
    ] = None,
    network: NetworkOption = None,
    workers: WorkersOption = 0,
    cluster: ClusterOption = None,
) -> None:
    """Build the opening book by long searches; an interrupted run resumes."""
    check_output(out)
    plan = OpeningsPlan(fair(mode, layout or ()), nodes, network=_contents(network))
    with executor(cluster, workers) as pool, progress_bar() as progress:
        task = progress.add_task(tr(N_("openings")), total=len(plan.layouts))
        for state in make_openings(plan, out, pool):
            progress.update(task, completed=state.done)
    echo(
        N_("{layouts:,} layouts, replies to {lines:,} lines of play in {file}"),
        layouts=len(state.known),
        lines=sum(len(one.after) for one in state.known.values()),
        file=out,
    )
