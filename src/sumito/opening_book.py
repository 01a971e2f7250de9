"""The opening book: first moves and replies of about equal score for fair layouts.

They are in `data/openings.txt`, found by long search (`sumito lab openings`), and read on first
use. A blank line ends a layout; its first line names it, with its symmetry, the nodes of the
longest search and the network's checksum. Each line below has moves from the start, the score of
the best reply to them in hundredths of a marble, and the replies with how much lower each scores:

    standard: mirror0 4000000 5e1d0a77
    +31 a2b3 a1b2-1 b3c4-4
    a2b3 -30 i5h5 i8h7-2

Of moves that are each other's image under the symmetry, only one is listed.

>>> from sumito import Board
>>> [reply.worth >= 0 for reply in replies(Board("standard"))][:2]
[True, True]
>>> replies(Board.parse("5/6/7/2bb4/4w4/8/7/6/5 b 0,0 0 1"))
()
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from sumito.errors import OpeningsError, SumitoError
from sumito.i18n.messages import N_
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.layouts import Layout
from sumito.rules.move import Move
from sumito.rules.symmetry import SYMMETRIES, Symmetry
from sumito.validate import check_type

SHIPPED: Final = "data/openings.txt"
LONGEST: Final = 2
"""Longest line, in plies, whose replies are known."""
SAME: Final = SYMMETRIES[0]
_MOVE: Final = "(?:[a-i][1-9]){2,3}"
_HEAD: Final = re.compile(
    r"(?P<layout>[^:]+): (?P<symmetry>[a-z0-5]+) (?P<nodes>[0-9]{1,19}) (?P<network>[0-9a-z]+)"
)
_LINE: Final = re.compile(
    rf"(?P<moves>(?:{_MOVE} )*)(?P<replies>[+-][0-9]+(?: {_MOVE}(?:-[0-9]+)?)+)"
)


@dataclass(frozen=True, slots=True)
class OpeningMove:
    """A move with its score for the player making it, in hundredths of a marble."""

    move: Move
    worth: int


@dataclass(frozen=True, slots=True)
class Openings:
    """The openings of one layout, and how they were found."""

    after: Mapping[str, str]
    """Replies by the moves from the start, both as in the file."""
    symmetry: Symmetry = SAME
    """Symmetry of the layout."""
    nodes: int = 0
    """Nodes of the search for the first move."""
    network: str = ""
    """Checksum of the network, as `sumito lab network` shows it."""

    def replies(self, line: Sequence[Move]) -> tuple[OpeningMove, ...]:
        """Return the replies to a line or to its image, the best first."""
        replies: dict[Move, OpeningMove] = {}
        for symmetry in (SAME, self.symmetry):
            image = " ".join(symmetry.move(move).name for move in line)
            for reply in parse_replies(self.after.get(image, "")):
                move = symmetry.inverse.move(reply.move)
                replies.setdefault(move, OpeningMove(move, reply.worth))
        return tuple(sorted(replies.values(), key=lambda reply: -reply.worth))

    def lines(self, layout: str) -> Iterator[str]:
        """Yield the lines of the file."""
        yield f"{layout}: {self.symmetry} {self.nodes} {self.network}"
        for moves, replies in self.after.items():
            yield f"{moves} {replies}".lstrip()

    @classmethod
    def parse(cls, lines: Sequence[str]) -> tuple[str, Openings]:
        """Parse a layout's text and its openings from the lines that `lines` writes."""
        head = _match(_HEAD, lines[0] if lines else "")
        rows = [_match(_LINE, line) for line in lines[1:]]
        after = {line["moves"].rstrip(): line["replies"] for line in rows}
        symmetry = Symmetry.parse(head["symmetry"])
        layout = Layout.parse(head["layout"])
        return str(layout), cls(after, symmetry, int(head["nodes"]), head["network"])


def _match(pattern: re.Pattern[str], line: str) -> re.Match[str]:
    match = pattern.fullmatch(line)
    if match is None:
        raise OpeningsError(N_("{text!r} is not a line of openings"), text=line)
    return match


def parse_replies(text: str) -> tuple[OpeningMove, ...]:
    """Parse replies as in `+31 a2b3 a1b2-1`; none from an empty text."""
    check_type("text", text, str)
    best, *words = text.split() or ["0"]
    parts = (word.partition("-") for word in words)
    return tuple(
        OpeningMove(Move.parse(name), int(best) - int(less or 0)) for name, _, less in parts
    )


def write_replies(replies: Iterable[OpeningMove]) -> str:
    """Return replies as the text that `parse_replies` reads."""
    ordered = sorted(replies, key=lambda reply: -reply.worth)
    best = ordered[0].worth
    less = (f"{reply.worth - best or ''}" for reply in ordered)
    words = (f"{reply.move.name}{short}" for reply, short in zip(ordered, less, strict=True))
    return " ".join((f"{best:+d}", *words))


def symmetry_of(layout: Layout) -> Symmetry:
    """Return the symmetry of a layout, each colour mapped onto itself; no layout has two."""
    marbles = layout.marbles
    others = (s for s in SYMMETRIES[1:] if tuple(map(s.mask, marbles)) == marbles)
    return next(others, SAME)


def parse(text: str) -> dict[str, Openings]:
    """Parse a file into openings by layout text; raise `OpeningsError` if it is invalid."""
    check_type("text", text, str)
    known = {}
    for number, block in enumerate(text.strip().split("\n\n") if text.strip() else (), 1):
        try:
            layout, openings = Openings.parse(block.splitlines())
        except SumitoError as error:
            raise OpeningsError(
                N_("layout {number} of the openings can't be read: {reason}"),
                number=number,
                reason=error.sentence,
            ) from None
        known[layout] = openings
    return known


def write(known: Mapping[str, Openings]) -> str:
    """Return the text of a file."""
    blocks = ("\n".join(known[layout].lines(layout)) for layout in sorted(known))
    return "\n\n".join(blocks) + "\n"


@cache
def shipped() -> dict[str, Openings]:
    """Return the openings of the package, by layout text."""
    return parse(resources.files("sumito").joinpath(SHIPPED).read_text(encoding="utf-8"))


def replies(board: Board) -> tuple[OpeningMove, ...]:
    """Return the moves of about equal score at the beginning of a layout's game, best first.

    None later in the game, and none if it began otherwise: with a handicap, or from another
    position.
    """
    check_type("board", board, Board)
    if board.ply > LONGEST + 1:
        return ()
    start = board.root().position
    layout = layouts.find(start.marbles, start.mode)
    if layout is None or start != layouts.start(layout.id, layout.mode):
        return ()
    known = shipped().get(str(layout))
    known_replies = () if known is None else known.replies(board.moves)
    return tuple(reply for reply in known_replies if board.is_legal(reply.move))


def pick(board: Board, seed: int, root_moves: Collection[Move] = ()) -> OpeningMove | None:
    """Return a random reply, the same for the same seed; None if none is known.

    `root_moves` restricts the choice.
    """
    check_type("root_moves", root_moves, Collection)
    known = [reply for reply in replies(board) if not root_moves or reply.move in root_moves]
    if not known:
        return None
    rng = random.Random(f"{seed} {board.position}")  # noqa: S311 - games, not secrets
    return rng.choice(known)
