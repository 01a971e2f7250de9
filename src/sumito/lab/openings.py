"""Openings found by long search: for every fair layout the first moves of about equal worth, the
replies to every first move, and the replies to the best of those.

A search of many lines tells worths that are right to some hundredths of a marble: moves that are
each other's image, and so worth the same, come out 0.05 apart. So what is within `MARGIN` of the
best can't be told from it and is kept. Worths are the mean of the last depths, since even and odd
ones lean to different sides.

A layout is a chunk and follows from the plan alone: one thread, fixed nodes, an empty table before
each search. Chunks that are done are kept in a work file beside the openings, so that a run that
was broken off goes on where it was.
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
"""Of the search for the first move."""
MARGIN: Final = 10
"""Hundredths of a marble below the best that still are of equal worth."""
SECOND_MARGIN: Final = 15
"""The same for the second best, so that there is a choice at all."""
DEPTHS: Final = 3
"""The last ones, whose mean is a move's worth."""
FIRST_MOST: Final = 6
GOOD_MOST: Final = 4
OTHER_MOST: Final = 3
"""Moves that are kept, images not counted: first ones, replies to those, and all other replies."""
FIRST_LINES: Final = 12
REPLY_LINES: Final = 8
"""Of a search: more than are kept, since a late one may turn out the better."""
GOOD_SHARE: Final = 4
OTHER_SHARE: Final = 16
"""What part of the first search's nodes the replies get: to moves that are kept, and to others."""
TABLE_MB: Final = 16

Line = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class OpeningsPlan:
    """What is to be searched, and how long; equal plans find equal openings."""

    layouts: tuple[Layout, ...]
    nodes: int = NODES
    network: bytes = field(default_factory=default_bytes, repr=False)
    """The file of the judge; empty for the hand-made one."""

    def network_of(self, mode: Mode) -> str:
        """The checksum of the mode's judge, or `none` if that is the hand-made one."""
        parts = parse_network(self.network).parts if self.network else []
        found = (f"{part.checksum:08x}" for part in parts if part.mode == str(mode))
        return next(found, NO_NETWORK)

    def has_made(self, layout: Layout, found: Openings) -> bool:
        """Is this what the plan would find?"""
        return (found.nodes, found.network) == (self.nodes, self.network_of(layout.mode))


def fair(mode: Mode | None = None, ids: Sequence[str] = ()) -> tuple[Layout, ...]:
    """The fair layouts of a mode, or of all; or just those that are named."""
    if ids:
        return tuple(layouts.get(id, mode or Mode.TWO) for id in dict.fromkeys(ids))
    modes = tuple(Mode) if mode is None else (mode,)
    return tuple(layout for one in modes for layout in layouts.of(one).values() if layout.fair)


@dataclass(frozen=True, slots=True)
class OpeningsProgress:
    """How far a run is: layouts of the plan that are done, and all that the file has."""

    done: int
    known: dict[str, Openings]


def make_openings(plan: OpeningsPlan, out: Path, pool: Executor) -> Iterator[OpeningsProgress]:
    """Search layout after layout, telling how far it is; the file is written along the way.

    Layouts that the file has and the plan hasn't stay in it.
    """
    known = load(out)
    journal = Journal(work_file(out))
    store = _Store(plan, journal)
    with journal:
        known |= store.done
        if store.done:
            save(known, out)
        yield OpeningsProgress(len(store.done), known)
        for layout, found in jobs.run(store, partial(find, plan), plan.layouts, pool):
            known[str(layout)] = found
            save(known, out)
            yield OpeningsProgress(len(store.done), known)


def work_file(out: Path) -> Path:
    """Return the file beside the openings with what was found so far."""
    return out.with_name(out.name + ".work")


class _Store:
    """The openings found for a plan, in a journal; those of other plans are left alone."""

    def __init__(self, plan: OpeningsPlan, journal: Journal) -> None:
        self._journal = journal
        wanted = {str(layout): layout for layout in plan.layouts}
        self.done: dict[str, Openings] = {}
        """The openings of the plan's layouts, by the layouts' texts."""
        for number, entry in enumerate(journal.entries):
            try:
                name, found = Openings.parse(entry)
            except (ValueError, TypeError, KeyError):
                raise journal.unreadable(number) from None
            if name in wanted and plan.has_made(wanted[name], found):
                self.done[name] = found

    def is_done(self, layout: Layout) -> bool:
        return str(layout) in self.done

    def save(self, layout: Layout, found: Openings) -> None:
        self._journal.append(list(found.lines(str(layout))))
        self.done[str(layout)] = found


def load(path: Path) -> dict[str, Openings]:
    """The openings of a file; none if there is none yet."""
    if not path.exists():
        return {}
    try:
        return opening_book.parse(path.read_text("utf-8"))
    except (SumitoError, UnicodeError) as error:
        reason = error.sentence if isinstance(error, SumitoError) else error
        raise LabError(
            N_("{file} is no file of openings: {reason}"), file=path, reason=reason
        ) from None


def save(known: dict[str, Openings], path: Path) -> None:
    """Write a file of openings, whole or not at all."""
    with open_output(path) as file:
        file.write(opening_book.write(known))


def find(plan: OpeningsPlan, layout: Layout) -> Openings:
    """The openings of a layout."""
    finder = _Finder(plan, layout)
    with cancellable(finder.stop.set):
        return finder.find()


class _Finder:
    """Searches the beginning of one layout's games."""

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
        found: dict[Line, list[OpeningMove]] = {(): first}
        good = [reply.move for reply in first]
        for move in self._moves(()):
            share, most = (GOOD_SHARE, GOOD_MOST) if move in good else (OTHER_SHARE, OTHER_MOST)
            found[(move,)] = self._replies((move,), nodes // share)[:most]
        for line in [(move, reply.move) for move in good for reply in found[(move,)]]:
            found[line] = self._replies(line, nodes // OTHER_SHARE)[:OTHER_MOST]
        after = {
            " ".join(move.name for move in line): opening_book.write_replies(replies)
            for line, replies in found.items()
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
        """The legal moves, one of two that are each other's image."""
        moves = self._board(line).legal_moves
        image = self._symmetry.move
        if tuple(map(image, line)) != line:
            return list(moves)
        return [move for move in moves if move.index <= image(move).index]

    def _replies(self, line: Line, nodes: int, lines: int = REPLY_LINES) -> list[OpeningMove]:
        """The moves that can't be told from the best, the best first."""
        board = self._board(line)
        if board.is_over():
            return []
        worths = self._worths(board, self._moves(line), max(1, nodes), lines)
        ordered = sorted(worths.items(), key=lambda found: (-found[1], found[0]))
        best = ordered[0][1]
        return [
            OpeningMove(Move.of(index), round(worth))
            for rank, (index, worth) in enumerate(ordered)
            if best - worth <= (SECOND_MARGIN if rank == 1 else MARGIN)
        ]

    def _worths(
        self, board: Board, moves: Sequence[Move], nodes: int, lines: int
    ) -> dict[int, float]:
        """What the best moves are worth, by their index."""
        lines = min(lines, len(moves))
        depths: dict[int, dict[int, float]] = {}

        def hear(info: kernel.Info) -> None:
            depths.setdefault(info.depth, {})[info.pv[0]] = info.score * 100 / kernel.MARBLE

        self._searcher.clear()
        result = self._searcher.search(
            to_kernel(board),
            nodes=nodes,
            multipv=lines,
            searchmoves=[move.index for move in moves],
            contempt=0,
            on_info=hear,
            stop=self.stop,
        )
        if self.stop.is_set:
            raise LabError(N_("the search was broken off"))
        whole = [scores for scores in depths.values() if len(scores) == lines]
        last = whole[-DEPTHS:] or [{i.pv[0]: i.score * 100 / kernel.MARBLE for i in result.lines}]
        return {index: _mean([each[index] for each in last if index in each]) for index in last[-1]}


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
