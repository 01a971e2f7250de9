"""Matches: two players over many openings, every seating of each, until enough is known.

Players of the kernel meet in the kernel, thousands of quick games a minute; a program is driven
from here. Both ways yield the same games. Written to a file as records, a match can be broken off
and taken up again: the file says which rounds are done.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

from sumito import _core, record
from sumito.engine.kernel import options
from sumito.errors import EngineError
from sumito.lab.cluster import as_they_come
from sumito.lab.match.elo import Tally, Verdict
from sumito.lab.match.openings import Opening, openings
from sumito.lab.match.plan import ROUND, Match, Played
from sumito.lab.match.players import Kind
from sumito.lab.match.table import Table
from sumito.modes import Colour
from sumito.move import MOVES
from sumito.record import Record
from sumito.rules import Outcome, Reason

POLL_SECONDS: Final = 0.02
"""How often the kernel is asked for finished games."""


@dataclass(slots=True)
class Standing:
    """How a match stands: whole rounds counted, and games of rounds still open."""

    match: Match
    tally: Tally = field(default_factory=Tally)
    games: int = 0
    _open: dict[int, dict[int, float]] = field(default_factory=dict)
    _done: set[int] = field(default_factory=set)

    def add(self, round: int, seating: int, points: float) -> None:
        """Count a game; once only, however often it is told."""
        if round in self._done or seating in self._open.setdefault(round, {}):
            return
        self.games += 1
        self._open[round][seating] = points
        if len(self._open[round]) == len(self.match.seatings):
            self.tally.add(list(self._open.pop(round).values()))
            self._done.add(round)

    def lacks(self, round: int, seating: int) -> bool:
        return round not in self._done and seating not in self._open.get(round, {})

    @property
    def verdict(self) -> Verdict:
        sprt = self.match.sprt
        return sprt.verdict(self.tally) if sprt else Verdict.GOING_ON

    @property
    def is_over(self) -> bool:
        return self.games >= self.match.games or self.verdict is not Verdict.GOING_ON


def play(
    match: Match, records: Path | None = None, pool: Executor | None = None
) -> Iterator[Standing]:
    """Play what is left of a match, telling how it stands after each game.

    With a file for the records, games already in it count and aren't played again. With an
    executor the games are played there, a round a job.
    """
    standing = Standing(match)
    if records is not None:
        resume(standing, records)
    yield standing
    if standing.is_over:
        return
    with ExitStack() as stack:
        file = stack.enter_context(records.open("a", encoding="utf-8")) if records else None
        games = _games(standing, pool)
        stack.callback(games.close)
        for game in games:
            if file is not None:
                record.write([game.to_record(match)], file)
                file.flush()
            standing.add(game.round, game.seating, game.points)
            yield standing
            if standing.is_over:
                return


def resume(standing: Standing, records: Path) -> None:
    """Count the games that a file of records has of this match."""
    if not records.exists():
        return
    _drop_torn_end(records)
    for game in record.read(records):
        if game.tags["Event"] != standing.match.event:
            raise EngineError(
                f"{records} holds another match ({game.tags['Event']}); name another file"
            )
        round, seating = (int(part) - 1 for part in game.tags[ROUND].split("."))
        seats = standing.match.seatings[seating]
        winner = _winner(game)
        points = 0.5 if winner is None else float(seats[winner] == 0)
        standing.add(round, seating, points)


def _drop_torn_end(records: Path) -> None:
    """A match that was killed may have left half a record; that game is played again."""
    text = records.read_text(encoding="utf-8")
    whole = text.rfind("\n\n[Event ")
    last = text[whole + 2 :] if whole >= 0 else text
    try:
        for _ in record.read(last):
            pass
    except record.RecordError:
        records.write_text(text[: whole + 1] if whole >= 0 else "", encoding="utf-8")


def _winner(game: Record) -> int | None:
    points = game.result.split("-")
    return points.index("1") if "1" in points else None


def _games(standing: Standing, pool: Executor | None) -> Generator[Played]:
    match = standing.match
    stream = openings(
        match.layouts or None,
        mode=match.mode,
        plies=match.plies,
        seed=match.seed,
        rules=match.rules,
    )
    starts = list(islice(stream, match.rounds))
    if Kind.PROGRAM in (match.first.kind, match.second.kind):
        return _by_programs(standing, starts)
    if pool is not None:
        return _by_executor(standing, starts, pool)
    return _in_kernel(standing, starts)


def _in_kernel(standing: Standing, starts: Sequence[Opening]) -> Generator[Played]:
    """Games that the kernel plays by itself, in threads of its own."""
    match = standing.match
    wanted = [
        round
        for round in range(match.rounds)
        if any(standing.lacks(round, seating) for seating in range(len(match.seatings)))
    ]
    by_text: dict[str, list[int]] = {}
    for round in wanted:
        by_text.setdefault(str(starts[round].board.position), []).append(round)
    runner = _core.Match(
        match.first.to_core(),
        match.second.to_core(),
        [str(starts[round].board.position) for round in wanted],
        games=len(wanted) * len(match.seatings),
        concurrency=match.concurrency,
        seed=match.seed + 1,
        **options(match.rules),
    )
    told = 0
    try:
        while True:
            last = runner.done
            for game in runner.games(told):
                told += 1
                seating = match.seatings.index(tuple(game.seats))
                # Two rounds may share an opening by chance; either may have the game.
                for round in by_text[game.start]:
                    if standing.lacks(round, seating):
                        yield _played(game, round, seating, starts[round])
                        break
            if last:
                return
            time.sleep(POLL_SECONDS)
    finally:
        runner.cancel()
        runner.wait()


def _played(game: GameFacts, round: int, seating: int, opening: Opening) -> Played:
    winner = None if game.winner is None else Colour(game.winner)
    return Played(
        round,
        seating,
        opening,
        tuple(MOVES[index] for index in game.moves),
        Outcome(winner, Reason(game.reason)),
        tuple(game.seats),
    )


class GameFacts(Protocol):
    """What the kernel tells of a game."""

    @property
    def moves(self) -> list[int]: ...
    @property
    def winner(self) -> int | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def seats(self) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class _Sent:
    """A game as it comes back from another machine."""

    moves: list[int]
    winner: int | None
    reason: str
    seats: list[int]


def play_round(match: Match, start: tuple[int, str]) -> list[_Sent]:
    """All games of a round, numbered and with its opening; the same wherever they are played."""
    round, text = start
    runner = _core.Match(
        match.first.to_core(),
        match.second.to_core(),
        [text],
        games=len(match.seatings),
        seed=match.seed + 1 + round,
        **options(match.rules),
    )
    runner.wait()
    return [_Sent(game.moves, game.winner, game.reason, game.seats) for game in runner.games()]


def _by_executor(
    standing: Standing, starts: Sequence[Opening], pool: Executor
) -> Generator[Played]:
    match = standing.match
    wanted = [
        (round, str(starts[round].board.position))
        for round in range(match.rounds)
        if any(standing.lacks(round, seating) for seating in range(len(match.seatings)))
    ]
    for (round, _), games in as_they_come(pool, partial(play_round, match), wanted):
        for game in games:
            seating = match.seatings.index(tuple(game.seats))
            if standing.lacks(round, seating):
                yield _played(game, round, seating, starts[round])


def _by_programs(standing: Standing, starts: Sequence[Opening]) -> Generator[Played]:
    """Games in which a program of somebody else's takes part, each worker with its own."""
    match = standing.match
    todo: queue.SimpleQueue[tuple[int, int]] = queue.SimpleQueue()
    for round in range(match.rounds):
        for seating in range(len(match.seatings)):
            if standing.lacks(round, seating):
                todo.put((round, seating))
    done: queue.SimpleQueue[Played | BaseException | None] = queue.SimpleQueue()
    halt = threading.Event()

    def work() -> None:
        try:
            with ExitStack() as stack, suppress(queue.Empty):
                table = Table(match, stack)
                while not halt.is_set():
                    round, seating = todo.get_nowait()
                    done.put(table.play(round, seating, starts[round], halt))
        except BaseException as error:
            done.put(error)
        finally:
            done.put(None)

    with ThreadPoolExecutor(match.concurrency) as pool:
        for _ in range(match.concurrency):
            pool.submit(work)
        try:
            yield from _until_all_stop(done, match.concurrency)
        finally:
            halt.set()


def _until_all_stop(
    done: queue.SimpleQueue[Played | BaseException | None], working: int
) -> Iterator[Played]:
    while working:
        item = done.get()
        if isinstance(item, BaseException):
            raise item
        if item is None:
            working -= 1
        else:
            yield item
