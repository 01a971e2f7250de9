"""Renders a review as one self-contained HTML page: the winning chances and the mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from sumito.drawing import svg
from sumito.i18n.messages import N_, Message
from sumito.review.game import NO_MISTAKES, JudgedMove, Render, Review, headline
from sumito.review.judgement import Verdict
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move

_WIDTH, _HEIGHT = 720, 200
_STYLE: Final = """
:root { color-scheme: light dark; --ink: #222; --paper: #fdfcf9; --line: #8a8170; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eee; --paper: #1b1b1e; --line: #9a917f; --bad: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 46rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; }
th { overflow-wrap: normal; }
td { font-variant-numeric: tabular-nums; }
.curve { width: 100%; height: auto; } .curve text { font-size: 12px; fill: currentColor; }
article { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.5rem 0; }
article svg { max-width: 100%; height: auto; } article div { flex: 1 1 16rem; }
h3 { margin: 0; } ul { padding-left: 1.2rem; }
"""
_STROKES: Final = ("currentColor", "#b9aa84", "#ea5435")


def report(reviews: list[Review], render: Render = str, language: str = "en") -> str:
    """Return the page in a language."""
    title = render(Message("review", N_("Game review")))
    body = "".join(
        part for number, found in enumerate(reviews, 1) for part in _game(number, found, render)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def _game(number: int, found: Review, render: Render) -> Iterator[str]:
    tags = found.record.tags
    colours = found.record.mode.colours
    names = " – ".join(tags.get(str(colour).capitalize(), "?") for colour in colours)
    yield f"<h2>{escape(names)}, {escape(found.record.result)}</h2>"
    facts = [tags.get("Event", ""), tags.get("Date", "").removeprefix("????.??.??")]
    yield f"<p>{escape(' · '.join(fact for fact in facts if fact not in ('', '?')))}</p>"
    yield _players(found, render)
    yield _curve(number, found, render)
    if not found.mistakes:
        yield f"<p>{escape(render(NO_MISTAKES))}</p>"
    for move in found.mistakes:
        yield _mistake(number, move, render)


def _players(found: Review, render: Render) -> str:
    shown = (Verdict.INACCURACY, Verdict.MISTAKE, Verdict.BLUNDER)
    head = [render(Message("player", N_("player"))), render(Message("accuracy", N_("accuracy")))]
    head += [render(Message(verdict, verdict.label)) for verdict in shown]
    rows = []
    for colour in found.record.mode.colours:
        name = found.record.tags.get(str(colour).capitalize(), "?")
        cells = [f"{name} ({render(_colour(colour))})", f"{found.accuracy(colour):.0%}"]
        cells += [str(found.count(colour, verdict)) for verdict in shown]
        rows.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
    heads = "".join(f'<th scope="col">{escape(text)}</th>' for text in head)
    return f"<table><tr>{heads}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _colour(colour: Colour) -> Message:
    return Message("colour", "{colour}", {"colour": colour})


def _curve(number: int, found: Review, render: Render) -> str:
    """Return the chart of the first side's winning chances; among three, of each player's."""
    mode = found.record.mode
    last = max(1, len(found.moves))
    step = _WIDTH / last
    lines: dict[int, list[tuple[float, float]]] = {}
    marks = []
    for ply, move in enumerate(found.moves, 1):
        line, chance = _chance(move, mode)
        point = (ply * step, _HEIGHT * (1 - chance))
        lines.setdefault(line, []).append(point)
        if move.verdict in (Verdict.MISTAKE, Verdict.BLUNDER):
            marks.append((ply, point, move))
    text = escape(render(Message("curve", N_("chance of winning after each move"))))
    frame = (
        f'<svg class="curve" viewBox="0 -8 {_WIDTH} {_HEIGHT + 16}" role="img" '
        f'aria-label="{text}"><title>{text}</title>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="var(--line)"/>'
        f'<line x1="0" x2="{_WIDTH}" y1="{_HEIGHT / 2}" y2="{_HEIGHT / 2}" '
        'stroke="var(--line)" stroke-dasharray="4 4"/>'
    )
    drawn = [frame]
    for line, points in lines.items():
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        drawn.append(
            f'<polyline points="{path}" fill="none" stroke="{_STROKES[line]}" stroke-width="2"/>'
        )
    for ply, (x, y), move in marks:
        name = escape(f"{ply}. {move.node.move}")
        drawn.append(
            f'<a href="#{_anchor(number, move)}"><circle cx="{x:.1f}" cy="{y:.1f}" r="5" '
            f'fill="var(--bad)"><title>{name}</title></circle></a>'
        )
    return "".join([*drawn, "</svg>"])


def _chance(move: JudgedMove, mode: Mode) -> tuple[int, float]:
    """Return the line of a point and its height."""
    sides = [side[0] for side in mode.sides]
    side = sides.index(mode.side(move.colour))
    chance = move.played.score.chance
    if len(sides) > 2:
        return side, chance
    return 0, chance if side == 0 else 1 - chance


def _anchor(number: int, move: JudgedMove) -> str:
    return f"game-{number}-ply-{move.board.ply}"


def _mistake(number: int, move: JudgedMove, render: Render) -> str:
    played = move.node.move
    assert played is not None
    picture = svg.board(
        move.board,
        size=320,
        arrows=[_arrow(played, svg.Tint.RED), _arrow(move.best.move, svg.Tint.GREEN)],
    )
    why = "".join(f"<li>{escape(render(reason.sentence))}</li>" for reason in move.reasons)
    line = " ".join(str(each) for each in move.best.pv[:6])
    return (
        f'<article id="{_anchor(number, move)}">{picture}<div><h3>{move.board.ply}. '
        f"{escape(render(_colour(move.colour)))}</h3><p>{escape(render(headline(move)))}</p>"
        f"<ul>{why}</ul><p><code>{escape(line)}</code></p></div></article>"
    )


def _arrow(move: Move, tint: svg.Tint) -> svg.Arrow:
    """Return the arrow of a move: from the rear or middle marble one step on."""
    start = move.cells[len(move.cells) // 2]
    end = start.step(move.direction)
    assert end is not None
    return svg.Arrow(start, end, tint)
