"""Runs games with external UGI programs; each worker thread has its own engines."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Final, Self

from sumito import kernel
from sumito.engine.base import BaseEngine
from sumito.engine.engine import Engine
from sumito.engine.players import Kind, Player
from sumito.engine.request import DrawPolicy
from sumito.engine.ugi.client import UgiEngine
from sumito.errors import EngineClosedError, EngineError
from sumito.i18n.messages import N_
from sumito.kernel.positions import to_kernel
from sumito.lab.cluster import cancellable
from sumito.lab.match.openings import Opening
from sumito.lab.match.plan import Match, MatchGame
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import MOVES, Move
from sumito.rules.rules import Outcome, Reason

Engines = tuple[BaseEngine | None, ...]
"""Engine of each player; None for simple players, which the kernel plays."""


class CancelScope:
    """Cancels games from another thread by ending their engines, silent ones too."""

    def __init__(self, engines: Engines) -> None:
        self.halted = threading.Event()
        self._engines = [engine for engine in engines if engine is not None]

    def add(self, engine: BaseEngine) -> None:
        """Register an engine that was started."""
        self._engines.append(engine)
        if self.halted.is_set():
            self.halt()

    def halt(self) -> None:
        self.halted.set()
        for engine in tuple(self._engines):
            if isinstance(engine, UgiEngine):
                engine.kill()
            else:
                engine.stop()


class ResignAdjudicator:
    """Adjudicates a game once the players of two sides agree for long enough that one is lost.

    The kernel's own matches do the same.
    """

    PLIES: Final = 6
    """Plies of agreement: three moves of each of two players."""

    def __init__(self, marbles: float) -> None:
        self._bar = marbles
        self._lost: Colour | None = None
        self._times = 0

    def update(self, side: Colour, other: Colour, marbles: float) -> Colour | None:
        """Count a player's evaluation; return the losing side once decided."""
        lost = side if marbles <= -self._bar else other if marbles >= self._bar else None
        self._times = self._times + 1 if lost is self._lost else 1
        self._lost = lost
        return lost if self._bar and self._times >= self.PLIES else None


class UgiGameRunner:
    """Plays games of a match; as a context manager, ends the programs."""

    def __init__(self, match: Match, starts: Sequence[Opening]) -> None:
        self._match = match
        self._starts = starts
        self._opened = ExitStack()
        self._opening = threading.Lock()
        self._here = threading.local()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._opened.close()

    def play(self, which: tuple[int, int]) -> MatchGame | None:
        """Play one game of a round; return None if it was cancelled.

        A program that fails, or breaks the rules, loses it.
        """
        here = self._here
        here.halting = halting = CancelScope(getattr(here, "engines", ()))
        with cancellable(halting.halt):
            try:
                engines = self._engines()
                for engine in engines:
                    if engine is not None:
                        engine.clear()
                return self._play(which, engines, halting.halted)
            except EngineClosedError:
                if halting.halted.is_set():
                    return None
                # Without its program no game can be played; the caller decides.
                raise

    def _engines(self) -> Engines:
        """Return this thread's engines, started on first use."""
        engines: Engines | None = getattr(self._here, "engines", None)
        if engines is None:
            with self._opening:
                engines = tuple(map(self._start, self._match.players))
            self._here.engines = engines
        return engines

    def _start(self, player: Player) -> BaseEngine | None:
        if player.kind is Kind.PROGRAM:
            program = UgiEngine(player.command, started=self._here.halting.add)
            return self._opened.enter_context(program)
        if player.kind is Kind.ENGINE and not player.tuning:
            engine = Engine(player.threads, player.hash_mb, player.network)
            self._here.halting.add(engine)
            return self._opened.enter_context(engine)
        if player.kind is Kind.ENGINE:
            raise EngineError(
                N_("{player!r}: search parameters can't be changed in a match against a program"),
                player=player.name,
            )
        return None

    def _play(
        self, which: tuple[int, int], engines: Engines, halted: threading.Event
    ) -> MatchGame | None:
        match = self._match
        round, seating = which
        seats = match.seatings[seating]
        board = Board.at(self._starts[round].board.position, rules=match.rules)
        rng = random.Random(f"{match.seed} {round} {seating}")  # noqa: S311
        agreement = ResignAdjudicator(match.resign)
        outcome = board.outcome()
        while outcome is None:
            side = match.mode.side(board.turn)
            other = _other(match.mode, side)
            number = seats[side]
            try:
                move, marbles = self._choose(number, engines[number], board, rng, halted)
            except EngineClosedError:
                raise
            except EngineError as error:
                outcome = Outcome(other, Reason.ABANDONED)
                return MatchGame(round, seating, board.moves, outcome, str(error))
            if halted.is_set():
                return None
            board.push(move)
            outcome = board.outcome()
            if outcome is None and other is not None:
                loser = agreement.update(side, other, marbles)
                if loser is not None:
                    outcome = Outcome(other if loser is side else side, Reason.RESIGNED)
        return MatchGame(round, seating, board.moves, outcome)

    def _choose(
        self,
        number: int,
        engine: BaseEngine | None,
        board: Board,
        rng: random.Random,
        halted: threading.Event,
    ) -> tuple[Move, float]:
        """Choose a move; return it with the player's evaluation in marbles, if it has one."""
        player = self._match.players[number]
        seed = rng.getrandbits(63)
        if engine is None:
            return MOVES[kernel.choose(player.to_kernel(), to_kernel(board), seed)], 0.0
        level = None if player.level.is_full_strength else player.level
        with engine.analysis(
            board, player.limit, level=level, seed=seed, draws=DrawPolicy.AVOIDED
        ) as analysis:
            if halted.is_set():
                analysis.stop()
            line = analysis.wait()[0]
            return line.move, line.score.marbles


def _other(mode: Mode, side: Colour) -> Colour | None:
    """Return the winner if a side forfeits; None with three players."""
    others = [other[0] for other in mode.sides if other[0] is not side]
    return others[0] if len(others) == 1 else None
