"""The command `analyse`: the best moves of a position, or an annotated record.

A file of records can be written with the engine's analysis: after each move its evaluation, in
marbles from black's side, and, where another move was better, that variation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.live import Live
from rich.table import Table
from rich.text import Text

from sumito import record
from sumito.cli.common import (
    FormOption,
    HashOption,
    LayoutOption,
    ModeOption,
    PositionWords,
    Preset,
    board_of,
    examples,
    is_stdin,
    progress_bar,
    records_source,
    screen,
    table,
)
from sumito.cli.engines import DepthOption, NodesOption, TimeOption
from sumito.cli.records import writing
from sumito.engine import Engine, Limit, Score, Variation, Variations
from sumito.engine.engine import MOST_THREADS
from sumito.errors import SumitoError
from sumito.i18n.messages import N_
from sumito.output import check_output
from sumito.position import Form
from sumito.record import Node, Record
from sumito.rules.board import Board
from sumito.rules.modes import BLACK, Mode
from sumito.rules.move import Move

_DECIDED: Final = 100.0
"""Evaluation in marbles that stands for a won game."""


def register(app: typer.Typer) -> None:
    """Register the command of this module."""
    app.command(
        epilog=examples(
            "analyse --layout belgian-daisy --time 2 --lines 3",
            "analyse games.apgn --time 0.1 --out judged.apgn",
            "analyse 5/6/7/8/2bbw4/8/7/6/5 b 0,0 0 1 --depth 8",
        )
    )(analyse)


def analyse(
    position: PositionWords = None,
    layout: LayoutOption = None,
    mode: ModeOption = None,
    form: FormOption = Form.SUMITO,
    rules: Annotated[
        Preset | None, typer.Option(help="The rule set; a record's own if there is one.")
    ] = None,
    time: TimeOption = None,
    nodes: NodesOption = None,
    depth: DepthOption = None,
    lines: Annotated[
        int, typer.Option("--lines", "-n", min=1, max=64, help="Number of variations.")
    ] = 1,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=MOST_THREADS, help="Processor cores to use.")
    ] = 1,
    hash_mb: HashOption = 64,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the annotated records to a file."),
    ] = None,
) -> None:
    """Find the best moves of a position, or annotate every move of a file of records."""
    limit = Limit(time=time, nodes=nodes, depth=depth)
    if limit.is_endless:
        limit = Limit(time=1.0)
    path = _file_named(position, form)
    if path is None:
        if out is not None:
            raise SumitoError(N_("--out is for a file of records, not for a position"))
        board = board_of(position, layout, mode, form, (rules or Preset.RULEBOOK).rules)
        with Engine(threads, hash_mb) as engine:
            _analyse_board(engine, board, limit, lines)
        return
    if layout is not None or mode is not None or rules is not None:
        raise SumitoError(
            N_(
                "a record has its own layout, mode and rules; leave out --layout, "
                "--mode and --rules"
            )
        )
    if out is not None:
        check_output(out)
    with Engine(threads, hash_mb) as engine:
        judged = _judged_games(engine, path, limit, lines)
        if out is None:
            for _ in judged:
                pass
        else:
            with writing(out) as file:
                record.write(judged, file)


def _file_named(words: list[str] | None, form: Form) -> Path | None:
    """Return the file that is named; None if it is a position, whose text has spaces."""
    if not words or len(words) > 1 or form is not Form.SUMITO or " " in words[0].strip():
        return None
    path = Path(words[0])
    if is_stdin(path):
        return path
    if not path.exists():
        raise SumitoError(N_("{text!r} is neither a file nor a position"), text=words[0])
    if path.is_dir():
        raise SumitoError(N_("{path} is a folder, not a file"), path=path)
    return path


def _analyse_board(engine: Engine, board: Board, limit: Limit, lines: int) -> None:
    console = screen()
    last: Variations = ()
    with (
        engine.analysis(board, limit, lines) as analysis,
        Live(console=console, transient=True, auto_refresh=False) as live,
    ):
        for last in analysis:
            live.update(_lines_table(last), refresh=True)
    console.print(_lines_table(last))


def _lines_table(lines: Variations) -> Table:
    numbers = (N_("score"), N_("chance"), N_("depth"), N_("nodes"))
    result = table(*numbers, N_("line"), numbers=numbers)
    for line in lines:
        result.add_row(
            str(line.score),
            f"{line.score.chance:.0%}",
            str(line.depth),
            f"{line.nodes:,}",
            " ".join(map(str, line.pv)),
        )
    return result


@dataclass(frozen=True, slots=True)
class Judgement:
    """The evaluation of a played move, and the best variations at that point."""

    played: Variation
    best: Variations

    @classmethod
    def of(cls, engine: Engine, move: Move, board: Board, limit: Limit, lines: int) -> Judgement:
        best = engine.analyse(board, limit, lines)
        for line in best:
            if line.move is move:
                return cls(line, best)
        return cls(engine.analyse(board, limit, root_moves=[move])[0], best)

    @property
    def was_best(self) -> bool:
        return self.best[0].move is self.played.move

    def row(self, ply: int) -> tuple[str, ...]:
        best = (f"{line.move} {line.score}" for line in self.best if line is not self.played)
        score = self.played.score
        return str(ply), str(self.played.move), str(score), f"{score.chance:.0%}", ", ".join(best)

    def annotate(self, node: Node) -> None:
        """Set the move's evaluation, and add the best variation if another move was better."""
        node.evaluation = _eval(self.played.score)
        if self.was_best or node.parent is None:
            return
        best = node.parent.add(self.best[0].move)
        best.evaluation = _eval(self.best[0].score)
        best.add_line(self.best[0].pv[1:])


def _eval(score: Score) -> float | None:
    """Return the evaluation in marbles from black's side; None for three players."""
    if score.mode is Mode.THREE:
        return None
    black_score = score.pov(BLACK)
    if black_score.plies is None:
        return black_score.marbles
    return _DECIDED if black_score.is_win else -_DECIDED


def _judged_games(engine: Engine, path: Path, limit: Limit, lines: int) -> Iterator[Record]:
    """Yield the annotated games of a file, printing each when it is done."""
    console = screen()
    for number, game in enumerate(record.read(records_source(path)), 1):
        numbers = (N_("ply"), N_("score"), N_("chance"))
        result = table(numbers[0], N_("move"), *numbers[1:], N_("best"), numbers=numbers)
        with progress_bar() as progress:
            task = progress.add_task(f"{path.name} {number}", total=len(game.nodes))
            for node, board in zip(game.nodes, game.boards(), strict=False):
                assert node.move is not None
                judgement = Judgement.of(engine, node.move, board, limit, lines)
                result.add_row(*judgement.row(board.ply))
                judgement.annotate(node)
                progress.advance(task)
        console.print(Text(f"{game.tags['Black']} – {game.tags['White']}, {game.result}"))
        console.print(result)
        yield game
