"""Commands on positions: show, moves, perft, and layouts, which lists start positions."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.columns import Columns

from sumito import teaching
from sumito.cli.common import (
    FormOption,
    LayoutOption,
    ModeOption,
    NotationOption,
    PositionWords,
    board_of,
    echo,
    examples,
    picture,
    play_all,
    progress_bar,
    screen,
    table,
    tr,
)
from sumito.cli.language import reader_language
from sumito.drawing import svg
from sumito.i18n.messages import N_, NN_
from sumito.kernel import positions
from sumito.output import open_output
from sumito.position import Form
from sumito.rules import formations
from sumito.rules.layouts import of as layouts_of
from sumito.rules.modes import Mode
from sumito.rules.notations import Notation

if TYPE_CHECKING:
    from rich.table import Table

    from sumito.rules.board import Board, Effect
    from sumito.rules.move import Move


_STRENGTH: Final = N_("{one} against {other}")
_KINDS: Final = (N_("ejections"), N_("pushes"), N_("in line"), N_("side-steps"))


def register(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command(
        epilog=examples(
            "show --layout belgian-daisy",
            'show --moves "a1b2 i9h8"',
            "show --mode three --svg three.svg",
            "show 5/6/7/8/2bbw4/8/7/6/5 b 0,0 0 1 --words",
        )
    )(show)
    app.command(epilog=examples("layouts", "layouts --mode teams"))(layouts)
    app.command(
        epilog=examples("moves", "moves --layout german-daisy --notation nacre"),
    )(moves)
    app.command(epilog=examples("perft 3", "perft --layout belgian-daisy --divide 3"))(perft)


def show(
    position: PositionWords = None,
    layout: LayoutOption = None,
    mode: ModeOption = None,
    form: FormOption = Form.SUMITO,
    played: Annotated[
        str,
        typer.Option("--moves", metavar="MOVES", help="Moves to play first, separated by spaces."),
    ] = "",
    notation: NotationOption = Notation.ABA_PRO,
    named: Annotated[
        bool, typer.Option("--words", help="List the formations that have a name.")
    ] = False,
    svg_file: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Draw the board into an SVG file instead."),
    ] = None,
) -> None:
    """Show a board, and its position text."""
    board = play_all(board_of(position, layout, mode, form), played, notation)
    if svg_file is not None:
        with open_output(svg_file) as file:
            file.write(svg.board(board, last_move=board.last_effect()))
        echo(N_("drew {file}"), file=svg_file)
        return
    console = screen()
    typer.echo(picture(board, console))
    typer.echo(str(board.position))
    if named:
        console.print(_words_on(board))


def _words_on(board: Board) -> Table:
    rows = table(N_("word"), N_("colour"), N_("cells"), "")
    for formation in formations.find(board):
        cells = " ".join(map(str, formation.cells))
        colour = tr("{colour}", colour=formation.colour)
        rows.add_row(_word(formation.word), colour, cells, _remark(formation))
    return rows


def _word(word: formations.Word) -> str:
    """Return a term of the players in the reader's language."""
    return teaching.texts(reader_language())[f"word.{str(word).removesuffix(' move')}.name"]


def _remark(formation: formations.Formation) -> str:
    match formation:
        case formations.Sumito():
            state = N_("ejecting") if formation.ejecting else N_("playable")
            strength = tr(_STRENGTH, one=len(formation.row), other=len(formation.opposing))
            return f"{strength}, {tr(state if formation.playable else N_('blocked'))}"
        case formations.Pac():
            return tr(_STRENGTH, one=formation.strength, other=formation.strength)
        case formations.Triple():
            return _word(formation.shape)
    return ""


def layouts(mode: ModeOption = None) -> None:
    """List the start positions."""
    heads = (N_("id"), N_("name"), N_("mode"), N_("marbles"), N_("fair"), N_("author"))
    marbles = tr(N_("marbles"))
    listed = table(*map(tr, heads), numbers=(marbles,))
    for one in (mode,) if mode is not None else tuple(Mode):
        for layout in layouts_of(one).values():
            counts = sorted({mask.bit_count() for mask in layout.marbles})
            listed.add_row(
                layout.id,
                tr(layout.name),
                tr("{mode}", mode=layout.mode),
                "/".join(map(str, counts)),
                tr(N_("yes") if layout.fair else N_("no")),
                layout.author,
            )
    screen().print(listed)


def moves(
    position: PositionWords = None,
    layout: LayoutOption = None,
    mode: ModeOption = None,
    form: FormOption = Form.SUMITO,
    notation: NotationOption = Notation.ABA_PRO,
) -> None:
    """List the legal moves, one per line if the output is not a terminal."""
    board = board_of(position, layout, mode, form)
    console = screen()
    if not console.is_terminal:
        for move in board.legal_moves:
            typer.echo(board.notate(move, notation=notation))
        return
    list_moves(board, notation)


def list_moves(board: Board, notation: Notation) -> None:
    """Print the legal moves, grouped by what they do."""
    kinds: dict[str, list[str]] = {}
    for move in board.legal_moves:
        kinds.setdefault(_kind(board.effect(move)), []).append(
            board.notate(move, notation=notation)
        )
    console = screen()
    for kind in _KINDS:
        if kind in kinds:
            console.print(f"[bold]{tr(kind)}[/bold] ({len(kinds[kind])})")
            console.print(Columns(kinds[kind], padding=(0, 2)))
    echo(
        NN_("{count} move for {colour}", "{count} moves for {colour}"),
        count=len(board.legal_moves),
        colour=board.turn,
    )


def _kind(effect: Effect) -> str:
    if effect.ejected is not None:
        return "ejections"
    if effect.pushed:
        return "pushes"
    return "side-steps" if effect.move.is_side_step else "in line"


def perft(
    position: PositionWords = None,
    *,
    depth: Annotated[int, typer.Argument(min=0, max=100, metavar="DEPTH", help="Depth in plies.")],
    layout: LayoutOption = None,
    mode: ModeOption = None,
    form: FormOption = Form.SUMITO,
    divide: Annotated[
        bool, typer.Option("--divide", help="Show the count for each first move.")
    ] = False,
) -> None:
    """Count the move sequences of length DEPTH (perft), to test move generators."""
    board = board_of(position, layout, mode, form)
    began = time.perf_counter()
    leaves = _leaves(board, depth)
    seconds = time.perf_counter() - began
    total = sum(leaves.values()) if depth else 1
    if divide:
        for move, count in leaves.items():
            typer.echo(f"{move} {count}")
    echo(
        NN_("{count:,} leaf at depth {depth}", "{count:,} leaves at depth {depth}"),
        count=total,
        depth=depth,
    )
    speed = total / max(seconds, 1e-9)
    echo(N_("{seconds:.2f} s, {speed:,.0f} leaves/s"), seconds=seconds, speed=speed, err=True)


def _leaves(board: Board, depth: int) -> dict[Move, int]:
    """Return the leaves under each first move, with a progress bar."""
    leaves: dict[Move, int] = {}
    first_moves = list(board.legal_moves) if depth else []
    with progress_bar() as progress:
        bar = progress.add_task("", total=len(first_moves))
        for move in first_moves:
            progress.update(bar, description=str(move))
            leaves[move] = positions.perft(board, depth, move)
            progress.advance(bar)
    return leaves
