"""The command `review`: annotates games with mistakes and their reasons."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from sumito import record
from sumito.cli.common import (
    examples,
    progress_bar,
    readable,
    records_source,
    screen,
    table,
    tr,
)
from sumito.cli.engines import DepthOption, NodesOption, TimeOption
from sumito.cli.language import LanguageOption, reader_language, translator
from sumito.engine import Engine, Limit
from sumito.engine.engine import MOST_THREADS
from sumito.errors import SumitoError
from sumito.i18n.messages import N_, Message
from sumito.output import open_output
from sumito.record import Record
from sumito.review.game import NO_MISTAKES, Render, Review, annotate, headline
from sumito.review.game import review as review_game
from sumito.review.report import report


def register(app: typer.Typer) -> None:
    """Register the command of this module."""
    app.command(
        epilog=examples(
            "review game.apgn",
            "review game.apgn --out annotated.apgn --report review.html",
            "review game.apgn --nodes 200000 --language de",
        )
    )(review)


def review(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", callback=readable, help="Records in APGN; - for standard input."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the annotated records."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write an HTML report with the evaluation curve and boards.",
        ),
    ] = None,
    time: TimeOption = None,
    nodes: NodesOption = None,
    depth: DepthOption = None,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=MOST_THREADS, help="Processor cores to use.")
    ] = 1,
    language: LanguageOption = "",
) -> None:
    """Review games: accuracy, mistakes, what was better, and why."""
    limit = Limit(time=time, nodes=nodes, depth=depth)
    if limit.is_endless:
        limit = Limit(nodes=50_000)
    code = reader_language(language)
    render = translator(code).sentence
    with ExitStack() as outputs:  # opened first, so that a wrong name fails before the work
        written_page = None if page is None else outputs.enter_context(open_output(page))
        written_records = None if out is None else outputs.enter_context(open_output(out))
        games = list(record.read(records_source(file)))
        if not games:
            raise SumitoError(N_("there is no game in {path}"), path=file)
        reviews = _review_all(games, limit, threads)
        for game_review in reviews:
            _print(game_review, render)
        if written_page is not None:
            written_page.write(report(reviews, render, code))
        if written_records is not None:
            record.write(
                [annotate(game_review, render) for game_review in reviews], written_records
            )


def _review_all(games: list[Record], limit: Limit, threads: int) -> list[Review]:
    with Engine(threads) as engine, progress_bar() as progress:
        task = progress.add_task(tr(N_("review")), total=sum(len(game.moves) for game in games))
        return [review_game(game, engine, limit, lambda: progress.advance(task)) for game in games]


def _print(game_review: Review, render: Render) -> None:
    console = screen()
    tags = game_review.record.tags
    colours = game_review.record.mode.colours
    accuracies = ", ".join(
        f"{tags.get(str(colour).capitalize(), '?')} {game_review.accuracy(colour):.0%}"
        for colour in colours
    )
    title = render(Message("accuracy", N_("accuracy")))
    console.print(Text(f"{title}: {accuracies}"))
    rows = table(N_("ply"), N_("mistake"), N_("why"), numbers=(N_("ply"),))
    for move in game_review.mistakes:
        why = "; ".join(render(reason.sentence) for reason in move.reasons)
        rows.add_row(str(move.board.ply), render(headline(move)), why)
    console.print(rows if game_review.mistakes else Text(render(NO_MISTAKES)))
