"""Commands of the engine: engine (the UGI program), match, bench."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, Final

import typer

from sumito import kernel
from sumito.cli import ugi_session
from sumito.cli.common import (
    LayoutsOption,
    echo,
    examples,
    finite,
    progress_bar,
    tr,
)
from sumito.engine import Limit
from sumito.engine.limit import MOST_DEPTH, MOST_NODES, MOST_SECONDS
from sumito.engine.network import load
from sumito.engine.players import Player
from sumito.i18n.messages import N_
from sumito.lab.cluster import MOST_WORKERS, executor
from sumito.lab.match.elo import Sprt, SprtVerdict, Tally
from sumito.lab.match.openings import MOST_PLIES
from sumito.lab.match.plan import DEFAULT_RULES, MOST_ROUNDS, Match
from sumito.lab.match.runner import play_match
from sumito.output import check_output
from sumito.rules.modes import Mode

TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time",
        "-t",
        min=0,
        max=MOST_SECONDS,
        callback=finite,
        metavar="SECONDS",
        help="Seconds per move.",
    ),
]
NodesOption = Annotated[
    int | None, typer.Option("--nodes", min=1, max=MOST_NODES, help="Nodes per move.")
]
DepthOption = Annotated[
    int | None, typer.Option("--depth", "-d", min=1, max=MOST_DEPTH, help="Search depth in plies.")
]

_VERDICTS: Final = {
    SprtVerdict.BETTER: N_("Elo {elo1:+g} is accepted"),
    SprtVerdict.NOT_BETTER: N_("Elo {elo0:+g} is accepted"),
    SprtVerdict.GOING_ON: N_("undecided"),
}


def register(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command(epilog=examples("engine"))(engine)
    app.command(
        epilog=examples(
            "match friendly gentle --rounds 50",
            "match engine,nodes=2000 engine,nodes=1000 --sprt 0 10 --records match.apgn",
            'match "cmd:./other-engine" champion --time 0.1 --layout belgian-daisy',
        )
    )(match)
    app.command(epilog=examples("bench"))(bench)


def engine() -> None:
    """Speak UGI, the game-neutral UCI, on standard input and output."""
    ugi_session.run()


def match(
    first: Annotated[str, typer.Argument(metavar="A", help="A player: see the examples.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    rounds: Annotated[
        int,
        typer.Option(
            "--rounds",
            "-r",
            min=1,
            max=MOST_ROUNDS,
            help="Number of openings, each played from all sides.",
        ),
    ] = 50,
    mode: Annotated[Mode, typer.Option("--mode", "-m", help="Game mode.")] = Mode.TWO,
    layout: LayoutsOption = None,
    plies: Annotated[
        int, typer.Option(min=0, max=MOST_PLIES, help="Random plies per opening.")
    ] = 4,
    seed: Annotated[int, typer.Option(help="Random seed of the openings.")] = 0,
    time: TimeOption = None,
    nodes: NodesOption = None,
    depth: DepthOption = None,
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency", "-c", min=1, max=MOST_WORKERS, help="Rounds played at the same time."
        ),
    ] = 1,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="ELO0 ELO1",
            help="Stop when a sequential test accepts one of two Elo differences.",
        ),
    ] = None,
    resign: Annotated[
        float,
        typer.Option(
            metavar="MARBLES",
            help="Adjudicate once both players agree on this lead for three moves each.",
        ),
    ] = 0.0,
    records: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File for the games; an interrupted match resumes from it."
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Dask scheduler to play on, as tcp://host:8786."),
    ] = None,
) -> None:
    """Play a match between two players: levels, the engine within limits, or UGI programs."""
    limit = Limit(time=time, nodes=nodes, depth=depth)
    plan = Match(
        Player.parse(first, limit).portable(),
        Player.parse(second, limit).portable(),
        rounds=rounds,
        mode=mode,
        layouts=tuple(layout or ()),
        plies=plies,
        seed=seed,
        rules=DEFAULT_RULES,
        concurrency=concurrency,
        sprt=Sprt(*sprt) if sprt else None,
        resign=resign,
    )
    if records is not None:
        check_output(records)
    standing = None
    with ExitStack() as stack:
        pool = stack.enter_context(executor(cluster)) if cluster else None
        progress = stack.enter_context(progress_bar())
        task = progress.add_task(tr(N_("match")), total=plan.games)
        # Close at once when the loop is left: an interrupted match would play on until then.
        for standing in stack.enter_context(closing(play_match(plan, records, pool))):
            progress.update(task, completed=standing.games, description=str(standing.tally))
    assert standing is not None
    echo(
        N_("{first} against {second}, {games} games: {tally}"),
        first=first,
        second=second,
        games=standing.games,
        tally=standing.tally,
    )
    if plan.sprt is not None:
        _tell_test(plan.sprt, standing.tally)


def _tell_test(sprt: Sprt, tally: Tally) -> None:
    low, high = sprt.bounds
    verdict = tr(_VERDICTS[sprt.verdict(tally)], elo0=sprt.elo0, elo1=sprt.elo1)
    echo(
        N_("SPRT: {verdict}, LLR {llr:.2f} within {low:.2f} and {high:.2f}"),
        verdict=verdict,
        llr=sprt.llr(tally),
        low=low,
        high=high,
    )


def bench(
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=1, max=60, help="Search depth in plies.")
    ] = 11,
    network: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Network file; `none` for the handcrafted evaluation."),
    ] = None,
) -> None:
    """Search fixed positions: the node count is the search's signature."""
    nodes, milliseconds, speed = kernel.bench(depth, load(network))
    echo(N_("{nodes} nodes {speed} nodes/s {ms} ms"), nodes=nodes, speed=speed, ms=milliseconds)
