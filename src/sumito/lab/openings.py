"""Builds the opening book by long search.

For every fair layout it finds the first moves of about equal score, the replies to every first
move, and the replies to the best of those.

The scores of a multi-PV search are accurate to some hundredths of a marble: moves that are each
other's image, and so equal, come out 0.05 apart. So moves within `MARGIN` of the best count as
equal. Scores are means over the last depths, since even and odd ones are biased to different sides.

A layout is a job and determined by the plan: one thread, fixed nodes, an empty table before each
search. Results are stored in a journal beside the openings, so that an interrupted run resumes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from sumito import kernel, opening_book
from sumito.engine.network import NO_NETWORK, default_bytes
from sumito.engine.network import parse as parse_network
from sumito.errors import LabError, SumitoError
from sumito.i18n.messages import N_
from sumito.kernel.positions import to_kernel
from sumito.lab import jobs
from sumito.lab.cluster import cancellable
from sumito.lab.jobs import Journal
from sumito.opening_book import OpeningMove, Openings
from sumito.output import open_output
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.layouts import Layout
from sumito.rules.modes import Mode
from sumito.rules.move import Move

NODES: Final = 4_000_000
"""Nodes of the search for the first move."""
MARGIN: Final = 10
"""Margin below the best score within which moves count as equal, in hundredths of a marble."""
SECOND_MARGIN: Final = 15
"""Margin of the second best move, larger so that there is a choice."""
DEPTHS: Final = 3
"""Number of last depths whose mean score counts."""
FIRST_MOST: Final = 6
GOOD_MOST: Final = 4
OTHER_MOST: Final = 3
"""Maximum number of moves kept, without images: first moves, replies to those, other replies."""
FIRST_LINES: Final = 12
REPLY_LINES: Final = 8
"""Variations searched: more than are kept, since a late one may turn out better."""
GOOD_SHARE: Final = 4
OTHER_SHARE: Final = 16
"""Divisor of the first search's nodes for the replies to moves that are kept, and to others."""
TABLE_MB: Final = 16

Line = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class OpeningsPlan:
    """Config of an openings run; equal plans give equal openings."""

    layouts: tuple[Layout, ...]
    nodes: int = NODES
    network: bytes = field(default_factory=default_bytes, repr=False)
    """Contents of the network file; empty for the handcrafted evaluation."""

    def network_of(self, mode: Mode) -> str:
        """Return the checksum of the mode's network, or `none` for the handcrafted evaluation."""
        parts = parse_network(self.network).parts if self.network else []
        checksums = (f"{part.checksum:08x}" for part in parts if part.mode == str(mode))
        return next(checksums, NO_NETWORK)

    def has_made(self, layout: Layout, result: Openings) -> bool:
        """Whether these openings are what the plan would give."""
        return (result.nodes, result.network) == (self.nodes, self.network_of(layout.mode))


def fair(mode: Mode | None = None, ids: Sequence[str] = ()) -> tuple[Layout, ...]:
    """Return the fair layouts of a mode, or of all; or those named."""
    if ids:
        return tuple(layouts.get(id, mode or Mode.TWO) for id in dict.fromkeys(ids))
    modes = tuple(Mode) if mode is None else (mode,)
    return tuple(layout for one in modes for layout in layouts.of(one).values() if layout.fair)


@dataclass(frozen=True, slots=True)
class OpeningsProgress:
    """Progress of a run: layouts of the plan that are done, and all in the file."""

    done: int
    known: dict[str, Openings]


def make_openings(plan: OpeningsPlan, out: Path, pool: Executor) -> Iterator[OpeningsProgress]:
    """Search the layouts, yielding progress; the file is updated after each.

    Layouts in the file that are not in the plan are kept.
    """
    known = load(out)
    journal = Journal(work_file(out))
    store = _Store(plan, journal)
    with journal:
        known |= store.done
        if store.done:
            save(known, out)
        yield OpeningsProgress(len(store.done), known)
        for layout, result in jobs.run(store, partial(find, plan), plan.layouts, pool):
            known[str(layout)] = result
            save(known, out)
            yield OpeningsProgress(len(store.done), known)


def work_file(out: Path) -> Path:
    """Return the file beside the openings with what was result so far."""
    return out.with_name(out.name + ".work")


class _Store:
    """Store of a plan's openings in a journal; those of other plans are ignored."""

    def __init__(self, plan: OpeningsPlan, journal: Journal) -> None:
        self._journal = journal
        planned = {str(layout): layout for layout in plan.layouts}
        self.done: dict[str, Openings] = {}
        """The openings of the plan's layouts, by the layouts' texts."""
        for number, entry in enumerate(journal.entries):
            try:
                name, result = Openings.parse(entry)
            except (ValueError, TypeError, KeyError):
                raise journal.unreadable(number) from None
            if name in planned and plan.has_made(planned[name], result):
                self.done[name] = result

    def is_done(self, layout: Layout) -> bool:
        return str(layout) in self.done

    def save(self, layout: Layout, result: Openings) -> None:
        self._journal.append(list(result.lines(str(layout))))
        self.done[str(layout)] = result


def load(path: Path) -> dict[str, Openings]:
    """Return the openings of a file; none if it doesn't exist."""
    if not path.exists():
        return {}
    try:
        return opening_book.parse(path.read_text("utf-8"))
    except (SumitoError, UnicodeError) as error:
        reason = error.sentence if isinstance(error, SumitoError) else error
        raise LabError(
            N_("{file} is not an openings file: {reason}"), file=path, reason=reason
        ) from None


def save(known: dict[str, Openings], path: Path) -> None:
    """Write an openings file, completely or not at all."""
    with open_output(path) as file:
        file.write(opening_book.write(known))


def find(plan: OpeningsPlan, layout: Layout) -> Openings:
    """Find the openings of a layout."""
    finder = _Finder(plan, layout)
    with cancellable(finder.stop.set):
        return finder.find()


class _Finder:
    """Searches the first plies of one layout."""

    def __init__(self, plan: OpeningsPlan, layout: Layout) -> None:
        self.stop = kernel.Stop()
        self._plan = plan
        self._layout = layout
        self._symmetry = opening_book.symmetry_of(layout)
        network = parse_network(plan.network) if plan.network else None
        self._searcher = kernel.Searcher(1, TABLE_MB, network=network)

    def find(self) -> Openings:
        nodes = self._plan.nodes
        first = self._replies((), nodes, FIRST_LINES)[:FIRST_MOST]
        replies_by_line: dict[Line, list[OpeningMove]] = {(): first}
        good = [reply.move for reply in first]
        for move in self._moves(()):
            share, most = (GOOD_SHARE, GOOD_MOST) if move in good else (OTHER_SHARE, OTHER_MOST)
            replies_by_line[(move,)] = self._replies((move,), nodes // share)[:most]
        for line in [(move, reply.move) for move in good for reply in replies_by_line[(move,)]]:
            replies_by_line[line] = self._replies(line, nodes // OTHER_SHARE)[:OTHER_MOST]
        after = {
            " ".join(move.name for move in line): opening_book.write_replies(replies)
            for line, replies in replies_by_line.items()
            if replies
        }
        layout = self._layout
        return Openings(after, self._symmetry, nodes, self._plan.network_of(layout.mode))

    def _board(self, line: Line) -> Board:
        board = Board(self._layout.id, self._layout.mode)
        for move in line:
            board.push(move)
        return board

    def _moves(self, line: Line) -> list[Move]:
        """Return the legal moves, one of each two that are each other's image."""
        moves = self._board(line).legal_moves
        image = self._symmetry.move
        if tuple(map(image, line)) != line:
            return list(moves)
        return [move for move in moves if move.index <= image(move).index]

    def _replies(self, line: Line, nodes: int, lines: int = REPLY_LINES) -> list[OpeningMove]:
        """Return the moves that count as equal to the best, best first."""
        board = self._board(line)
        if board.is_over():
            return []
        scores_by_move = self._scores(board, self._moves(line), max(1, nodes), lines)
        ordered = sorted(scores_by_move.items(), key=lambda item: (-item[1], item[0]))
        best = ordered[0][1]
        return [
            OpeningMove(Move.of(index), round(worth))
            for rank, (index, worth) in enumerate(ordered)
            if best - worth <= (SECOND_MARGIN if rank == 1 else MARGIN)
        ]

    def _scores(
        self, board: Board, moves: Sequence[Move], nodes: int, lines: int
    ) -> dict[int, float]:
        """Return the scores of the best moves, by their index."""
        lines = min(lines, len(moves))
        depths: dict[int, dict[int, float]] = {}

        def record_info(info: kernel.Info) -> None:
            depths.setdefault(info.depth, {})[info.pv[0]] = info.score * 100 / kernel.MARBLE

        self._searcher.clear()
        result = self._searcher.search(
            to_kernel(board),
            nodes=nodes,
            multipv=lines,
            searchmoves=[move.index for move in moves],
            contempt=0,
            on_info=record_info,
            stop=self.stop,
        )
        if self.stop.is_set:
            raise LabError(N_("the search was cancelled"))
        whole = [scores for scores in depths.values() if len(scores) == lines]
        last = whole[-DEPTHS:] or [{i.pv[0]: i.score * 100 / kernel.MARBLE for i in result.lines}]
        return {index: _mean([each[index] for each in last if index in each]) for index in last[-1]}


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
