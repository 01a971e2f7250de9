"""Makes puzzles in bulk: plays or reads games and examines every position.

A chunk is a few games between middle levels of the engine, which make mistakes, and is determined
by the plan and its number; a game of a record is a chunk of its own. The results of each chunk are
stored in a journal beside the puzzles, so that an interrupted run resumes.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import count as numbers
from itertools import islice
from pathlib import Path
from typing import Final

from sumito import kernel, puzzles, record
from sumito.engine import network
from sumito.engine.levels import Level
from sumito.i18n.messages import N_
from sumito.kernel.positions import kernel_seed
from sumito.lab import jobs
from sumito.lab.cluster import cancellable
from sumito.lab.jobs import Journal
from sumito.lab.learn.selfplay import weighted_openings
from sumito.lab.puzzles.difficulty import rating_of
from sumito.lab.puzzles.find import Finder
from sumito.puzzles import Goal, Puzzle, PuzzleError
from sumito.rules.board import Board
from sumito.rules.modes import Mode
from sumito.rules.move import Move

GAMES: Final = 4
"""Games per chunk."""
LEVELS: Final = ((6, 7), (7, 7), (7, 8), (8, 8))
"""Levels that play each other: strong enough to make sense, weak enough to make mistakes."""
RANDOM_PLIES: Final = 4
PLY_LIMIT: Final = 160
FIRST_PLY: Final = 12
"""First ply examined; before it no marbles have met."""
APART: Final = 3
"""Minimum distance of two puzzles in a game, in plies."""
MOST_OF_A_KIND: Final = 2
"""Maximum number of puzzles of one kind per game."""
LARGEST_SHARE: Final = 0.25
"""Maximum share of one kind: immediate ejections are always plentiful."""
AT_A_TIME: Final = 16
"""Chunks per batch; a run ends between batches."""

Kind = tuple[Mode, Goal, int]


@dataclass(frozen=True, slots=True)
class Job:
    """A chunk: its name, and its game if it comes from a record."""

    name: str
    number: int = 0
    start: str = ""
    moves: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PuzzlePlan:
    """Config of a puzzle run; equal plans give equal puzzles."""

    mode: Mode = Mode.TWO
    count: int = 1000
    seed: int = 1

    @property
    def name(self) -> str:
        return f"{self.mode}-{self.seed}"

    def chunks(self) -> Iterator[Job]:
        """Yield chunks of the engine's games, without end."""
        return (Job(f"{self.name}-{number}", number) for number in numbers())


class Found:
    """Store of puzzles in a journal, one per position up to symmetry."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.by_key: dict[int, Puzzle] = {}
        self._chunks: set[str] = set()
        for number, entry in enumerate(journal.entries):
            try:
                self._add(entry["chunk"], map(Puzzle.from_json, entry["puzzles"]))
            except (ValueError, KeyError, TypeError):
                raise journal.unreadable(number) from None

    def is_done(self, job: Job) -> bool:
        return job.name in self._chunks

    def save(self, job: Job, found: Sequence[Puzzle]) -> None:
        self._journal.append({"chunk": job.name, "puzzles": [each.as_json() for each in found]})
        self._add(job.name, found)

    def _add(self, chunk: str, found: Iterable[Puzzle]) -> None:
        self._chunks.add(chunk)
        for puzzle in found:
            self.by_key.setdefault(key_of(puzzle), puzzle)

    def of(self, mode: Mode) -> list[Puzzle]:
        """Return the puzzles of a mode."""
        return [puzzle for puzzle in self.by_key.values() if puzzle.mode is mode]


def key_of(puzzle: Puzzle) -> int:
    """Return a key that positions equal up to symmetry share."""
    return kernel.canonical_keys(kernel.Position(puzzle.position))[0][0]


def record_jobs(files: Sequence[Path]) -> Iterator[Job]:
    """Yield a chunk for each game of some files."""
    for file in files:
        for number, game in enumerate(record.read(file), 1):
            board = next(iter(game.boards()))
            moves = tuple(node.move.index for node in game.nodes if node.move is not None)
            yield Job(f"{file.name}#{number}", number, str(board.position), moves)


def make_puzzles(
    plan: PuzzlePlan, out: Path, pool: Executor, records: Sequence[Path] = ()
) -> Iterator[list[Puzzle]]:
    """Find puzzles until there are enough, yielding the current selection after each chunk.

    The file is updated along the way; puzzles of other modes in it are kept.
    """
    others = [puzzle for puzzle in load(out) if puzzle.mode is not plan.mode]
    taken = {puzzle.id for puzzle in others}
    journal = Journal(out.with_name(out.name + ".work"))
    store = Found(journal)
    with journal:
        chosen = choose(store.of(plan.mode), plan.count, taken)
        yield chosen
        todo = (
            job
            for source in (record_jobs(records), plan.chunks())
            for job in source
            if not store.is_done(job)
        )
        while len(chosen) < plan.count:
            batch = list(islice(todo, AT_A_TIME))
            for _ in jobs.run(store, partial(find_puzzles, plan), batch, pool):
                chosen = choose(store.of(plan.mode), plan.count, taken)
                puzzles.write([*others, *chosen], out)
                yield chosen
                if len(chosen) >= plan.count:
                    break
    puzzles.write([*others, *chosen], out)


def load(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file; none if it doesn't exist."""
    if not path.exists():
        return []
    try:
        return [Puzzle.from_json(entry) for entry in json.loads(path.read_text("utf-8"))]
    except (ValueError, TypeError) as error:
        raise PuzzleError(
            N_("{file} is not a puzzle file: {reason}"), file=path, reason=error
        ) from None


def choose(
    found: Sequence[Puzzle], most: int, taken: Collection[str] = frozenset()
) -> list[Puzzle]:
    """Select puzzles, the kinds in turn, so that rare ones aren't crowded out.

    Names are short, so a puzzle whose name is taken is left out.
    """
    kinds: dict[Kind, list[Puzzle]] = {}
    for puzzle in sorted(found, key=lambda puzzle: puzzle.id):
        kinds.setdefault(kind_of(puzzle), []).append(puzzle)
    chosen: list[Puzzle] = []
    names = set(taken)
    longest = max(map(len, kinds.values()), default=0)
    for turn in range(min(longest, math.ceil(LARGEST_SHARE * most))):
        for kind in kinds.values():
            if turn < len(kind) and len(chosen) < most and kind[turn].id not in names:
                names.add(kind[turn].id)
                chosen.append(kind[turn])
    return chosen


def kind_of(puzzle: Puzzle) -> Kind:
    """Return mode, goal and number of moves."""
    return puzzle.mode, puzzle.goal, puzzle.moves


def find_puzzles(plan: PuzzlePlan, job: Job) -> list[Puzzle]:
    """Return the puzzles of a chunk, with their ratings."""
    finder = Finder.make()
    games = [(job.start, job.moves)] if job.start else _play(plan, job.number)
    found = [puzzle for start, moves in games for puzzle in _of_game(finder, start, moves)]
    return [replace(puzzle, rating=rating_of(puzzle, finder.searcher)) for puzzle in found]


def _of_game(finder: Finder, start: str, moves: Sequence[int]) -> Iterator[Puzzle]:
    board = Board.parse(start)
    last = -APART
    kinds: dict[Kind, int] = {}
    for ply, index in enumerate(moves):
        if ply >= FIRST_PLY and ply - last >= APART:
            puzzle = finder.find(board)
            if puzzle is not None and kinds.get(kind_of(puzzle), 0) < MOST_OF_A_KIND:
                last = ply
                kinds[kind_of(puzzle)] = kinds.get(kind_of(puzzle), 0) + 1
                yield puzzle
        board.push(Move.of(index))


def _play(plan: PuzzlePlan, chunk: int) -> list[tuple[str, Sequence[int]]]:
    """Play the engine's games of a chunk; deterministic."""
    rng = random.Random(f"{plan.name}-{chunk}")  # noqa: S311 - games, not secrets
    net = network.load()
    one, other = (
        kernel.Player(handicap=Level(level).to_kernel(rng.getrandbits(32)), network=net)
        for level in rng.choice(LEVELS)
    )
    openings = weighted_openings(plan.mode)
    match = kernel.Match(
        one,
        other,
        rng.sample(openings, min(GAMES // 2, len(openings))),
        games=GAMES,
        random_plies=RANDOM_PLIES,
        seed=kernel_seed(rng.getrandbits(63)),
        ply_limit=PLY_LIMIT,
    )
    with cancellable(match.cancel):
        match.wait()
    played = sorted(match.games(), key=lambda game: (game.start, game.moves))
    return [(game.start, game.moves) for game in played]
