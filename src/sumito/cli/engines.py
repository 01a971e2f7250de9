"""Commands of the engine: engine (the protocol), analyse, match, bench."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live
from rich.table import Table
from rich.text import Text

from sumito import _core, record
from sumito.board import Board
from sumito.cli.common import (
    FormOption,
    LayoutOption,
    ModeOption,
    PositionWords,
    Preset,
    board_of,
    examples,
    progress_bar,
    screen,
    table,
)
from sumito.engine import Engine, Limit, Lines
from sumito.engine.network import load
from sumito.engine.ugi import session as ugi
from sumito.errors import SumitoError
from sumito.lab.cluster import executor
from sumito.lab.match import run as matches
from sumito.lab.match.elo import Sprt, Verdict
from sumito.lab.match.plan import DEFAULT_RULES, Match
from sumito.lab.match.players import Player
from sumito.modes import Mode
from sumito.move import Move
from sumito.position import Form

TimeOption = Annotated[
    float | None, typer.Option("--time", "-t", metavar="SECONDS", help="Seconds a move.")
]
NodesOption = Annotated[int | None, typer.Option("--nodes", help="Positions a move.")]
DepthOption = Annotated[int | None, typer.Option("--depth", "-d", help="Plies to look ahead.")]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, help="Processor cores to use.")]


def register(app: typer.Typer) -> None:
    """Give the commands of this module to the program."""
    app.command(epilog=examples("engine"))(engine)
    app.command(
        epilog=examples(
            "analyse --layout belgian-daisy --time 2 --lines 3",
            "analyse games.apgn --time 0.1",
            "analyse 5/6/7/8/2bbw4/8/7/6/5 b 0,0 0 1 --depth 8",
        )
    )(analyse)
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
    ugi.run()


def analyse(
    position: PositionWords = None,
    layout: LayoutOption = None,
    mode: ModeOption = None,
    form: FormOption = Form.SUMITO,
    rules: Annotated[Preset, typer.Option(help="The rule set.")] = Preset.TOURNAMENT,
    time: TimeOption = None,
    nodes: NodesOption = None,
    depth: DepthOption = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many moves.")] = 1,
    threads: ThreadsOption = 1,
    hash_mb: Annotated[int, typer.Option("--hash", min=1, help="Memory in megabytes.")] = 64,
) -> None:
    """Find the best moves of a position, or judge every move of a file of records."""
    limit = Limit(time=time, nodes=nodes, depth=depth)
    if limit.is_endless:
        limit = Limit(time=1.0)
    with Engine(threads, hash_mb) as thinker:
        if position and len(position) == 1 and Path(position[0]).is_file():
            _analyse_records(thinker, Path(position[0]), limit)
        else:
            board = board_of(position, layout, mode, form, rules.rules)
            _analyse_board(thinker, board, limit, lines)


def _analyse_board(thinker: Engine, board: Board, limit: Limit, lines: int) -> None:
    console = screen()
    last: Lines = ()
    with Live(console=console, transient=True, auto_refresh=False) as live:
        for last in thinker.analysis(board, limit, lines):
            live.update(_lines_table(last), refresh=True)
    console.print(_lines_table(last))


def _lines_table(lines: Lines) -> Table:
    made = table("score", "depth", "nodes", "line", numbers=("score", "depth", "nodes"))
    for line in lines:
        made.add_row(
            str(line.score), str(line.depth), f"{line.nodes:,}", " ".join(map(str, line.pv))
        )
    return made


def _analyse_records(thinker: Engine, path: Path, limit: Limit) -> None:
    console = screen()
    for number, game in enumerate(record.read(path), 1):
        made = table("ply", "move", "score", "better", "score ", numbers=("ply", "score", "score "))
        boards = list(game.boards())
        with progress_bar() as progress:
            task = progress.add_task(f"game {number}", total=len(game.moves))
            for board, move in zip(boards, game.moves, strict=False):
                made.add_row(*_judge(thinker, board, move, limit))
                progress.advance(task)
        console.print(Text(f"{game.tags['Black']} – {game.tags['White']}, {game.result}"))
        console.print(made)


def _judge(thinker: Engine, board: Board, move: Move, limit: Limit) -> tuple[str, ...]:
    """A row for a move that was played: what it was worth, and what would have been better."""
    best = thinker.play(board, limit)
    if best.move is move:
        return str(board.ply), str(move), str(best.score), "", ""
    played = thinker.play(board, limit, among=[move])
    return str(board.ply), str(move), str(played.score), str(best.move), str(best.score)


def match(
    first: Annotated[str, typer.Argument(metavar="A", help="A player: see the examples.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    rounds: Annotated[
        int, typer.Option("--rounds", "-r", min=1, help="Openings, each played from all sides.")
    ] = 50,
    mode: Annotated[Mode, typer.Option("--mode", "-m", help="How many play, and how.")] = Mode.TWO,
    layout: Annotated[
        list[str] | None,
        typer.Option("--layout", "-l", metavar="ID", help="Layouts to open with; all if none."),
    ] = None,
    plies: Annotated[int, typer.Option(min=0, help="Random plies of an opening.")] = 4,
    seed: Annotated[int, typer.Option(help="Another seed makes other openings.")] = 0,
    time: TimeOption = None,
    nodes: NodesOption = None,
    depth: DepthOption = None,
    concurrency: Annotated[int, typer.Option("--concurrency", "-c", min=1)] = 1,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop when one of two differences is decided."),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the games; an interrupted match goes on there."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler that plays, as tcp://host:8786."),
    ] = None,
) -> None:
    """Let two players meet: levels, the engine within limits, or programs that speak UGI."""
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
    )
    if sprt and sprt[0] >= sprt[1]:
        raise SumitoError("--sprt takes a smaller and a larger difference, as in --sprt 0 10")
    standing = None
    with ExitStack() as stack:
        pool = stack.enter_context(executor(cluster)) if cluster else None
        progress = stack.enter_context(progress_bar())
        task = progress.add_task("match", total=plan.games)
        for standing in matches.play(plan, records, pool):
            progress.update(task, completed=standing.games, description=str(standing.tally))
    assert standing is not None
    console = screen()
    console.print(Text(f"{first} against {second}, {standing.games} games: {standing.tally}"))
    if plan.sprt is not None:
        low, high = plan.sprt.bounds
        llr = plan.sprt.llr(standing.tally)
        word = {
            Verdict.BETTER: f"Elo {plan.sprt.elo1:+g} is accepted",
            Verdict.NOT_BETTER: f"Elo {plan.sprt.elo0:+g} is accepted",
            Verdict.GOING_ON: "undecided",
        }[standing.verdict]
        console.print(Text(f"SPRT: {word}, LLR {llr:.2f} within {low:.2f} and {high:.2f}"))


def bench(
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, help="Plies to look ahead.")] = 11,
    network: Annotated[
        str | None, typer.Option(metavar="FILE", help="`none` for the hand-made evaluation.")
    ] = None,
) -> None:
    """Search fixed positions: the node count is the search's signature."""
    nodes, milliseconds, speed = _core.bench(depth, load(network))
    typer.echo(f"{nodes} nodes {speed} nodes/s {milliseconds} ms")
