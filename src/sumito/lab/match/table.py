"""A table at which two players sit down, at least one of them a program of its own."""

from __future__ import annotations

import random
import threading
from contextlib import ExitStack

from sumito import _core
from sumito.board import Board
from sumito.engine.engine import Engine
from sumito.engine.kernel import to_core
from sumito.engine.ugi.external import External
from sumito.errors import EngineClosedError, EngineError
from sumito.lab.match.openings import Opening
from sumito.lab.match.plan import Match, Played
from sumito.lab.match.players import Kind, Player
from sumito.modes import Colour
from sumito.move import MOVES, Move
from sumito.rules import Outcome, Reason


class Table:
    """Plays games of a match one after another; `stack` closes what it opens."""

    def __init__(self, match: Match, stack: ExitStack) -> None:
        self._match = match
        self._stack = stack
        self._engines = [self._open(player) for player in match.players]

    def _open(self, player: Player) -> Engine | External | None:
        if player.kind is Kind.PROGRAM:
            return self._stack.enter_context(External(player.command))
        if player.kind is Kind.ENGINE:
            return self._stack.enter_context(Engine(player.threads, player.hash_mb, player.network))
        return None

    def play(self, round: int, seating: int, opening: Opening, halt: threading.Event) -> Played:
        """One game to its end; a program that fails, or breaks the rules, loses it."""
        match = self._match
        seats = match.seatings[seating]
        board = Board.at(opening.board.position, rules=match.rules)
        dice = random.Random(f"{match.seed} {round} {seating}")  # noqa: S311
        self._clear()
        while (outcome := board.outcome()) is None and not halt.is_set():
            side = match.mode.side(board.turn)
            try:
                board.push(self._choose(seats[side], board, dice))
            except EngineClosedError:
                # Without its program nothing can be played on; whoever runs the match decides.
                raise
            except EngineError as error:
                outcome = Outcome(_other(match, side), Reason.ABANDONED)
                return Played(round, seating, opening, board.moves, outcome, seats, str(error))
        return Played(
            round, seating, opening, board.moves, outcome or Outcome(None, Reason.ABORTED), seats
        )

    def _clear(self) -> None:
        for engine in self._engines:
            if isinstance(engine, External):
                engine.newgame()
            elif engine is not None:
                engine.clear()

    def _choose(self, number: int, board: Board, dice: random.Random) -> Move:
        player, engine = self._match.players[number], self._engines[number]
        if isinstance(engine, External):
            return engine.play(board, player.limit).move
        if engine is not None:
            seed = dice.getrandbits(63)
            return engine.play(board, player.limit, level=player.level, seed=seed).move
        return MOVES[_core.choose(player.to_core(), to_core(board), dice.getrandbits(63))]


def _other(match: Match, side: Colour) -> Colour | None:
    """The winner when a side can't go on; with three sides nobody's."""
    others = [other[0] for other in match.mode.sides if other[0] is not side]
    return others[0] if len(others) == 1 else None
