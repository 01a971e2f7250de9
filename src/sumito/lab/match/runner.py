"""Runs matches: two players over many openings in every seating, with optional early stopping.

A round is determined by the match and its number, so rounds may be played by any worker, in any
order. Players of the kernel are matched in the kernel; external programs are run from here. A match
with a file can be interrupted and resumed: the file says which games are done.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sumito import kernel
from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.kernel.positions import kernel_rules, kernel_seed
from sumito.lab.cluster import cancellable, executor, map_unordered
from sumito.lab.match.elo import SprtVerdict, Tally
from sumito.lab.match.file import MatchFile
from sumito.lab.match.openings import Opening
from sumito.lab.match.plan import Match, MatchGame
from sumito.lab.match.programs import UgiGameRunner
from sumito.rules.modes import Colour
from sumito.rules.move import MOVES
from sumito.rules.rules import Outcome, Reason


@dataclass(slots=True)
class MatchProgress:
    """State of a match: complete rounds counted, and games of incomplete ones."""

    match: Match
    tally: Tally = field(default_factory=Tally)
    games: int = 0
    _open: dict[int, dict[int, float]] = field(default_factory=dict)
    _done: set[int] = field(default_factory=set)

    def add(self, round: int, seating: int, points: float) -> None:
        """Count a game, once."""
        if not self.is_missing(round, seating):
            return
        self.games += 1
        played = self._open.setdefault(round, {})
        played[seating] = points
        if len(played) == len(self.match.seatings):
            self.tally.add(list(self._open.pop(round).values()))
            self._done.add(round)

    def is_missing(self, round: int, seating: int) -> bool:
        return round not in self._done and seating not in self._open.get(round, {})

    @property
    def verdict(self) -> SprtVerdict:
        sprt = self.match.sprt
        return sprt.verdict(self.tally) if sprt else SprtVerdict.GOING_ON

    @property
    def is_over(self) -> bool:
        return self.games >= self.match.games or self.verdict is not SprtVerdict.GOING_ON


def play_match(
    match: Match, records: Path | None = None, pool: Executor | None = None
) -> Generator[MatchProgress]:
    """Play the missing games of a match, yielding its state after each.

    With a file for the records, games already in it count and are not played again. With an
    executor the games are played there, a round per job; programs run locally only.
    """
    if pool is not None and match.has_programs:
        raise LabError(N_("programs run on this machine only; leave out the cluster"))
    standing = MatchProgress(match)
    file = None if records is None else MatchFile(records, match)
    if file is not None:
        for round, seating, points in file.results():
            standing.add(round, seating, points)
    yield standing
    if standing.is_over:
        return
    starts = list(match.openings())
    with ExitStack() as stack:
        if file is not None:
            stack.enter_context(file)
        for game in _games(standing, starts, pool, stack):
            if not standing.is_missing(game.round, game.seating):
                continue
            if file is not None:
                file.write(game, starts[game.round])
            standing.add(game.round, game.seating, game.points(match))
            yield standing
            if standing.is_over:
                return


def _games(
    standing: MatchProgress, starts: list[Opening], pool: Executor | None, stack: ExitStack
) -> Iterator[MatchGame]:
    """Yield the missing games in order of completion; `stack` releases what plays them."""
    match = standing.match
    missing = [
        (round, seating)
        for round in range(match.rounds)
        for seating in range(len(match.seatings))
        if standing.is_missing(round, seating)
    ]
    if match.has_programs:
        programs = stack.enter_context(UgiGameRunner(match, starts))
        pool = stack.enter_context(executor(workers=match.concurrency))
        for _, game in map_unordered(pool, programs.play, missing):
            if game is not None:
                yield game
        return
    if pool is None:
        pool = stack.enter_context(executor(workers=match.concurrency))
    rounds = sorted({round for round, _ in missing})
    jobs = [(round, str(starts[round].board.position)) for round in rounds]
    for _, games in map_unordered(pool, partial(play_round, match), jobs):
        yield from games


def play_round(match: Match, job: tuple[int, str]) -> list[MatchGame]:
    """Play all games of a round, given its number and opening; deterministic."""
    round, start = job
    runner = kernel.Match(
        match.first.to_kernel(),
        match.second.to_kernel(),
        [start],
        games=len(match.seatings),
        seed=kernel_seed(match.seed + 1 + round),
        resign=int(match.resign * kernel.MARBLE),
        **kernel_rules(match.rules),
    )
    try:
        with cancellable(runner.cancel):
            runner.wait()
    except (ValueError, RuntimeError, MemoryError) as error:
        raise LabError(
            N_("round {number} can't be played: {reason}"), number=round + 1, reason=error
        ) from None
    return [
        MatchGame(
            round,
            match.seatings.index(tuple(game.seats)),
            tuple(MOVES[index] for index in game.moves),
            Outcome(None if game.winner is None else Colour(game.winner), Reason(game.reason)),
        )
        for game in runner.games()
    ]
