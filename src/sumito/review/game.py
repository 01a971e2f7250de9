"""Reviews a game move by move: the loss of each move, the mistakes and their reasons.

>>> from sumito.engine import Engine, Limit
>>> from sumito.record import Record
>>> record = Record.new()
>>> _ = record.root.add_line([record.board().parse_move("a1b2")])
>>> with Engine() as engine:
...     found = review(record, engine, Limit(nodes=500))
>>> len(found.moves), 0 <= found.accuracy(record.board().turn) <= 1
(1, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from sumito.engine import Engine, Limit, Score, Variation
from sumito.i18n.messages import N_, Message
from sumito.record import Node, Record
from sumito.review.judgement import Verdict, accuracy, loss
from sumito.review.reasons import MistakeReason, mistake_reasons
from sumito.rules.board import Board
from sumito.rules.modes import BLACK, Colour, Mode
from sumito.validate import check_type

Render = Callable[[Message], str]
"""Renders a message in the reader's language."""

VARIATION: Final = 6
"""The most plies of a better variation in a record."""
NO_MISTAKES: Final = Message("no-mistakes", N_("No mistakes were found."))
_DECIDED: Final = 100.0
"""The evaluation of a won game, in marbles."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A played move, and the best move in its position."""

    node: Node
    board: Board
    """The board before the move."""
    played: Variation
    best: Variation
    reasons: tuple[MistakeReason, ...]

    @property
    def colour(self) -> Colour:
        return self.board.turn

    @property
    def loss(self) -> float:
        """The chance of winning that the move lost."""
        return loss(self.best.score, self.played.score)

    @property
    def verdict(self) -> Verdict:
        return Verdict.of(self.loss)


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game."""

    record: Record
    moves: tuple[JudgedMove, ...]

    def accuracy(self, colour: Colour) -> float:
        """Return a player's accuracy, from 0 to 1."""
        return accuracy(move.loss for move in self.moves if move.colour is colour)

    def count(self, colour: Colour, verdict: Verdict) -> int:
        return sum(move.colour is colour and move.verdict is verdict for move in self.moves)

    @property
    def mistakes(self) -> tuple[JudgedMove, ...]:
        """The moves worse than an inaccuracy."""
        worse = (Verdict.MISTAKE, Verdict.BLUNDER)
        return tuple(move for move in self.moves if move.verdict in worse)


def review(
    record: Record, engine: Engine, limit: Limit, on_move: Callable[[], object] = lambda: None
) -> Review:
    """Review every move of a record's game; `on_move` is called after each."""
    check_type("record", record, Record)
    judged = []
    for move in _judge(record, engine, limit):
        judged.append(move)
        on_move()
    return Review(record, tuple(judged))


def _judge(record: Record, engine: Engine, limit: Limit) -> Iterator[JudgedMove]:
    for node, board in zip(record.nodes, record.boards(), strict=False):
        assert node.move is not None
        best = engine.analyse(board, limit)[0]
        played = best
        if best.move is not node.move:
            played = engine.analyse(board, limit, root_moves=[node.move])[0]
        why: tuple[MistakeReason, ...] = ()
        if Verdict.of(loss(best.score, played.score)) is not Verdict.GOOD:
            why = mistake_reasons(board, node.move, best.pv, played.pv[1:])
        yield JudgedMove(node, board, played, best, why)


def annotate(found: Review, render: Render = str) -> Record:
    """Annotate the record: evaluations, marks, better variations and reasons."""
    check_type("found", found, Review)
    for move in found.moves:
        node = move.node
        node.evaluation = evaluation(move.played.score)
        if move.verdict is Verdict.GOOD or node.parent is None:
            continue
        nag = move.verdict.nag
        node.nags = tuple(dict.fromkeys((*node.nags, *([] if nag is None else [nag]))))
        reasons = "; ".join(render(reason.sentence) for reason in move.reasons)
        node.comment = " ".join(part for part in (node.comment, reasons) if part)
        better = node.parent.add(move.best.move)
        better.evaluation = evaluation(move.best.score)
        better.add_line(move.best.pv[1:VARIATION])
    return found.record


def evaluation(score: Score) -> float | None:
    """Return a score as records have it, in marbles from black's side; `None` among three."""
    if score.mode is Mode.THREE:
        return None
    for_black = score.pov(BLACK)
    if for_black.plies is None:
        return for_black.marbles
    return _DECIDED if for_black.is_win else -_DECIDED


def headline(move: JudgedMove) -> Message:
    """Return a mistake in one line: its verdict and the better move."""
    template = N_("{verdict}: {move} loses {loss} % of the chance of winning; {best} was better")
    return Message(
        "headline",
        template,
        {
            "verdict": move.verdict,
            "move": str(move.node.move),
            "loss": round(100 * move.loss),
            "best": str(move.best.move),
        },
    )
