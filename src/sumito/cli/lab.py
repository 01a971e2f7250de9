"""Commands of the lab: selfplay, train, generation, network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from sumito.cli.common import examples, progress_bar, screen, table
from sumito.engine import network as networks
from sumito.lab.cluster import executor
from sumito.lab.learn import generation as generations
from sumito.lab.learn import selfplay as games
from sumito.lab.learn.train import Recipe, Training
from sumito.modes import Mode

lab = typer.Typer(no_args_is_help=True, help="Play, learn, and measure what was learnt.")

WorkersOption = Annotated[
    int, typer.Option("--workers", "-w", min=0, help="Games at a time; 0 for all cores.")
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler, as tcp://host:8786."),
]
NetworkOption = Annotated[
    str | None,
    typer.Option("--network", metavar="FILE", help="Who plays; `none` for the hand-made judge."),
]
SeedOption = Annotated[int, typer.Option(help="Another seed, other games.")]
NodesOption = Annotated[int, typer.Option(min=1, help="Positions looked at for a move.")]
ModeOption = Annotated[Mode, typer.Option("--mode", "-m", help="How many play, and how.")]
ChunksOption = Annotated[int, typer.Option(min=1, help="Chunks of 64 games.")]


def register(app: typer.Typer) -> None:
    """Give the commands of this module to the program."""
    lab.command(epilog=examples("lab selfplay samples --chunks 100 --nodes 1000"))(selfplay)
    lab.command(epilog=examples("lab train samples --out new.bin --epochs 12"))(train)
    lab.command(epilog=examples("lab generation --hours 2"))(generation)
    lab.command(epilog=examples("lab network", "lab network new.bin"))(network)
    app.add_typer(lab, name="lab")


def _contents(network: str | None) -> bytes:
    """The file of the network that plays; empty for the hand-made evaluation."""
    if network is None:
        return networks.default_bytes()
    return b"" if networks.load(network) is None else Path(network).read_bytes()


def selfplay(
    folder: Annotated[Path, typer.Argument(help="Where the samples go.")],
    chunks: ChunksOption = 100,
    nodes: NodesOption = 1000,
    seed: SeedOption = 1,
    mode: ModeOption = Mode.TWO,
    network: NetworkOption = None,
    workers: WorkersOption = 0,
    cluster: ClusterOption = None,
) -> None:
    """Let the engine play against itself and keep what it saw; goes on where it was left."""
    plan = games.Plan(chunks, nodes=nodes, seed=seed, mode=mode, network=_contents(network))
    done = games.Progress(0, 0, 0)
    with executor(cluster, workers) as pool, progress_bar() as progress:
        task = progress.add_task("self-play", total=chunks)
        for done in games.play(plan, folder, pool):
            progress.update(task, completed=done.chunks, description=f"{done.samples:,} positions")
    screen().print(Text(f"{done.games:,} games, {done.samples:,} positions in {folder}"))


def train(
    folders: Annotated[list[Path], typer.Argument(help="Folders of samples.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The network file to write.")],
    hidden: Annotated[int, typer.Option(help="Width of the hidden layer: 64, 128 or 256.")] = 128,
    epochs: Annotated[int, typer.Option(min=1, help="Rounds through the samples.")] = 12,
    rate: Annotated[float, typer.Option(help="Of learning, at first.")] = Recipe().rate,
    trust: Annotated[
        float, typer.Option(min=0, max=1, help="How much of the target is the search's score.")
    ] = Recipe().trust,
    lookahead: Annotated[
        float, typer.Option(min=0, max=1, help="How much the scores of later plies count.")
    ] = Recipe().lookahead,
    mode: ModeOption = Mode.TWO,
    validation: Annotated[
        Path | None, typer.Option(help="Samples to check on; else some games are kept aside.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="FILE", help="A network to go on from.")
    ] = None,
    seed: SeedOption = 1,
    threads: Annotated[int, typer.Option(min=1, help="Processor cores to use.")] = 1,
) -> None:
    """Learn a network from samples; its loss goes beside it as CSV and SVG."""
    recipe = Recipe(
        mode=mode,
        hidden=hidden,
        epochs=epochs,
        rate=rate,
        trust=trust,
        lookahead=lookahead,
        seed=seed,
        threads=threads,
    )
    training = Training(
        recipe, folders, validation, None if start is None else networks.load(start)
    )
    made = table("epoch", "training", "validation", numbers=("epoch", "training", "validation"))
    with progress_bar() as progress:
        task = progress.add_task(f"{training.samples:,} samples", total=epochs)
        for epoch in training.run():
            made.add_row(str(epoch.number), f"{epoch.training:.5f}", f"{epoch.validation:.5f}")
            progress.update(task, completed=epoch.number)
    training.save(out)
    console = screen()
    console.print(made)
    console.print(Text(f"{out}: {out.stat().st_size:,} bytes"))


def generation(
    hours: Annotated[float, typer.Option(min=0, help="No generation begins after so long.")],
    folder: Annotated[Path, typer.Option(help="Where samples, networks and ledger lie.")] = Path(
        "lab"
    ),
    chunks: ChunksOption = 200,
    nodes: Annotated[
        list[int] | None, typer.Option(min=1, help="Of each generation's self-play, a move.")
    ] = None,
    mode: ModeOption = Mode.TWO,
    rounds: Annotated[int, typer.Option(min=1, help="Openings of each match.")] = 100,
    hidden: Annotated[int, typer.Option(help="Width of the hidden layer.")] = 128,
    epochs: Annotated[int, typer.Option(min=1, help="Rounds through the samples.")] = 12,
    workers: WorkersOption = 0,
    cluster: ClusterOption = None,
    page: Annotated[
        Path | None, typer.Option(help="A page with marks for the ledger, as docs/network.md.")
    ] = None,
) -> None:
    """Play, learn, meet the best so far; keep what is better. Goes on where it was left."""
    plan = generations.Plan(
        games.Plan(chunks, mode=mode),
        replace(Recipe(), hidden=hidden, epochs=epochs),
        rounds=rounds,
    )
    if nodes:
        plan = replace(plan, teachers=tuple(nodes))
    with executor(cluster, workers) as pool, progress_bar() as progress:
        task = progress.add_task("generation", total=1.0)

        def tell(what: str, share: float) -> None:
            progress.update(task, description=what, completed=share)

        for _ in generations.run(plan, folder, hours, pool, tell):
            if page is not None:
                picture = page.with_name("plots") / "generations.svg"
                generations.write(generations.ledger(folder), page, picture)
    typer.echo(generations.table(generations.ledger(folder)))


def network(
    file: Annotated[str | None, typer.Argument(help="A network file; else the package's.")] = None,
) -> None:
    """Tell what a network is and how it was made."""
    found = networks.load(file)
    if found is None:
        typer.echo("the hand-made evaluation")
        return
    for part in found.parts:
        made = table("fact", "value")
        made.add_row("mode", part.mode)
        made.add_row("hidden", str(part.hidden))
        made.add_row("checksum", f"{part.checksum:08x}")
        for name, value in networks.facts(part).items():
            if name not in ("mode", "hidden"):
                made.add_row(name, str(value))
        screen().print(made)
