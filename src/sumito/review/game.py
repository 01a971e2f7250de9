"""A game judged move by move: what each lost, which were mistakes, and why.

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
from sumito.review.faults import Fault, faults
from sumito.review.judgement import Verdict, accuracy, loss
from sumito.rules.board import Board
from sumito.rules.modes import BLACK, Colour, Mode
from sumito.validate import check_type

Say = Callable[[Message], str]
"""Makes a sentence in the reader's language."""

VARIATION: Final = 6
"""Plies of the better line that are written down."""
NO_MISTAKES: Final = Message("no-mistakes", N_("No mistakes were found."))
_DECIDED: Final = 100.0
"""What an evaluation says in marbles when the game is won."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move that was played, and what was the best there."""

    node: Node
    board: Board
    """Before the move."""
    played: Variation
    best: Variation
    faults: tuple[Fault, ...]

    @property
    def colour(self) -> Colour:
        return self.board.turn

    @property
    def loss(self) -> float:
        """The chance of winning that was given away."""
        return loss(self.best.score, self.played.score)

    @property
    def verdict(self) -> Verdict:
        return Verdict.of(self.loss)


@dataclass(frozen=True, slots=True)
class Review:
    """What there is to say of a game."""

    record: Record
    moves: tuple[JudgedMove, ...]

    def accuracy(self, colour: Colour) -> float:
        """How accurately somebody played, 0 to 1."""
        return accuracy(move.loss for move in self.moves if move.colour is colour)

    def count(self, colour: Colour, verdict: Verdict) -> int:
        return sum(move.colour is colour and move.verdict is verdict for move in self.moves)

    @property
    def mistakes(self) -> tuple[JudgedMove, ...]:
        """The moves that were worse than an inaccuracy."""
        worse = (Verdict.MISTAKE, Verdict.BLUNDER)
        return tuple(move for move in self.moves if move.verdict in worse)


def review(
    record: Record, engine: Engine, limit: Limit, tell: Callable[[], object] = lambda: None
) -> Review:
    """Judge every move of a record's game; `tell` is called after each."""
    check_type("record", record, Record)
    judged = []
    for move in _judge(record, engine, limit):
        judged.append(move)
        tell()
    return Review(record, tuple(judged))


def _judge(record: Record, engine: Engine, limit: Limit) -> Iterator[JudgedMove]:
    for node, board in zip(record.nodes, record.boards(), strict=False):
        assert node.move is not None
        best = engine.analyse(board, limit)[0]
        played = best
        if best.move is not node.move:
            played = engine.analyse(board, limit, root_moves=[node.move])[0]
        why: tuple[Fault, ...] = ()
        if Verdict.of(loss(best.score, played.score)) is not Verdict.GOOD:
            why = faults(board, node.move, best.pv, played.pv[1:])
        yield JudgedMove(node, board, played, best, why)


def annotate(found: Review, say: Say = str) -> Record:
    """Write into the record what was found: evaluations, marks, better lines, and why."""
    check_type("found", found, Review)
    for move in found.moves:
        node = move.node
        node.evaluation = evaluation(move.played.score)
        if move.verdict is Verdict.GOOD or node.parent is None:
            continue
        nag = move.verdict.nag
        node.nags = tuple(dict.fromkeys((*node.nags, *([] if nag is None else [nag]))))
        said = "; ".join(say(fault.sentence) for fault in move.faults)
        node.comment = " ".join(part for part in (node.comment, said) if part)
        better = node.parent.add(move.best.move)
        better.evaluation = evaluation(move.best.score)
        better.add_line(move.best.pv[1:VARIATION])
    return found.record


def evaluation(score: Score) -> float | None:
    """In marbles from black's side, as records have it; among three nobody's side is black's."""
    if score.mode is Mode.THREE:
        return None
    seen = score.pov(BLACK)
    if seen.plies is None:
        return seen.marbles
    return _DECIDED if seen.is_win else -_DECIDED


def headline(move: JudgedMove) -> Message:
    """A mistake in one line: what it was called, and what was better."""
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
