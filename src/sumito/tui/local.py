"""A game at this keyboard: people around it, and computers of any level."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import assert_never

from sumito.drawing import scene
from sumito.engine import Engine, Level, Limit
from sumito.errors import SumitoError
from sumito.game import Game, commands, events
from sumito.i18n.messages import N_
from sumito.record import Record
from sumito.rules.board import Board
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.tui.match import Deed, TerminalMatch
from sumito.tui.words import Words

_MEMORY_MB = 16


def now() -> int:
    """The time in ms, since any moment."""
    return time.monotonic_ns() // 1_000_000


class LocalMatch(TerminalMatch):
    """A `Game` whose seats are people here, or the computer."""

    def __init__(self, words: Words, game: Game, levels: Mapping[Colour, Level]) -> None:
        super().__init__(words)
        self.game = game
        self.levels = dict(levels)
        self.names = game.seats
        self.hands = frozenset(game.mode.colours) - frozenset(levels)
        self.boards = [game.board]
        self._engine: Engine | None = None
        self._thought: asyncio.Task[None] | None = None

    async def begin(self, tell: Callable[[str], None]) -> None:
        await super().begin(tell)
        self._let_think()

    async def close(self) -> None:
        await self._stop_thinking()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    # What is asked.

    async def play(self, move: Move) -> None:
        turn = self.game.turn
        if turn is not None and turn not in self.hands:
            raise SumitoError(N_("it is {turn}'s turn, and the computer plays {turn}"), turn=turn)
        self._apply(commands.Play(turn or self.board.turn, move))

    async def do(self, deed: Deed) -> None:
        match deed:
            case Deed.TAKE_BACK:
                await self._take_back()
            case Deed.OFFER_DRAW:
                self._agree_draw()
            case Deed.RESIGN:
                self._apply(commands.Resign(self._person()))
            case Deed.ABORT:
                self._apply(commands.Abort(self._person()))
            case Deed.REMATCH:
                await self._again()
            case (
                Deed.ACCEPT_DRAW
                | Deed.DECLINE_DRAW
                | Deed.ACCEPT_TAKEBACK
                | Deed.DECLINE_TAKEBACK
                | Deed.CLAIM_WIN
                | Deed.CLAIM_DRAW
                | Deed.FOLLOW
            ):
                raise SumitoError(N_("around one table, one says so"))
            case _:
                assert_never(deed)

    def deeds(self) -> list[Deed]:
        if self.game.outcome is not None:
            return [Deed.REMATCH]
        found = [Deed.TAKE_BACK] if self._last_of_hands() is not None else []
        if not self.levels:
            found.append(Deed.OFFER_DRAW)
        if self.hands:
            found.append(Deed.RESIGN)
        return found

    async def _take_back(self) -> None:
        """Back to before the last move of a person; computers have no say in it."""
        seat = self._last_of_hands()
        if seat is None:
            raise SumitoError(N_("there is no move to take back"))
        await self._stop_thinking()
        self._apply(commands.AskTakeback(seat), *map(commands.AcceptTakeback, self._others(seat)))

    def _last_of_hands(self) -> Colour | None:
        return next((ply.seat for ply in reversed(self.game.plies) if ply.seat in self.hands), None)

    def _agree_draw(self) -> None:
        if self.levels:
            raise SumitoError(N_("the computer plays on: it takes no draws"))
        seat = self._person()
        self._apply(commands.OfferDraw(seat), *map(commands.AcceptDraw, self._others(seat)))

    def _others(self, seat: Colour) -> list[Colour]:
        """One player for each other side that is still in."""
        mode, asked = self.game.mode, dict[Colour, Colour]()
        for other in mode.order:
            if other not in self.game.out and mode.side(other) is not mode.side(seat):
                asked.setdefault(mode.side(other), other)
        return list(asked.values())

    def _person(self) -> Colour:
        """The person to move, or the first one if a computer is."""
        turn = self.board.turn
        if turn in self.hands or not self.hands:
            return turn
        return min(self.hands - self.game.out or self.hands)

    async def _again(self) -> None:
        await self._stop_thinking()
        old = self.game
        self.game = Game(
            old.seats,
            old.mode,
            start=old.start,
            rules=old.rules,
            control=old.control,
            start_at=now(),
        )
        self.boards = [self.game.board]
        self._let_think()
        self._tell(self.words(N_("A new game.")))

    # What happens.

    def _apply(self, *asked: commands.Command) -> None:
        told: list[str] = []
        for command in asked:
            for event in self.game.apply(command, now()):
                self._follow(event)
                told.append(self._news(event))
        self._let_think()
        self._tell(" ".join(filter(None, told)))

    def _follow(self, event: events.Event) -> None:
        match event:
            case events.Moved():
                self.boards.append(self.game.board)
            case events.TakenBack(plies=plies):
                del self.boards[len(self.boards) - plies :]
            case events.LeftGame():
                self.boards[-1] = self.game.board

    def _news(self, event: events.Event) -> str:
        match event:
            case events.LeftGame(seat=seat, reason=reason):
                return self.words(
                    N_("{player} is out ({reason}); the others play on."),
                    player=seat,
                    reason=reason.sentence(self.game.rules),
                )
            case events.TakenBack():
                return self.words(N_("The last move is taken back."))
        return ""

    def tick(self) -> None:
        deadline = self.game.deadline
        if deadline is not None and now() >= deadline and self.game.outcome is None:
            self._apply(commands.Flag())

    # What there is to see.

    def clocks(self) -> dict[Colour, int | None]:
        return self.game.clocks(now())

    def turn(self) -> Colour | None:
        return self.game.turn

    def heading(self) -> str:
        control = self.game.control
        clock = "" if control.budget is None else f" · {control}"
        return super().heading() + clock

    def status(self) -> str:
        outcome = self.game.outcome
        said = (
            scene.status(self.board)
            if outcome is None
            else outcome.sentence(self.game.mode, self.game.rules)
        )
        told = self.words.sentence(said)
        return told[:1].upper() + told[1:]

    def record(self) -> Record:
        return Record.from_game(self.game)

    # The computer.

    def _let_think(self) -> None:
        """Have the computer move, if it is its turn."""
        turn = self.game.turn
        if turn is None or turn not in self.levels:
            self.thinking = None
        elif self._thought is None or self._thought.done() or self._thought is _current():
            self.thinking = turn
            self._thought = asyncio.create_task(self._think(self.board, turn, self.levels[turn]))

    async def _stop_thinking(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
            with suppress(asyncio.CancelledError):
                await self._thought
            self._thought = self.thinking = None

    async def _think(self, board: Board, seat: Colour, level: Level) -> None:
        if self._engine is None:
            self._engine = await asyncio.to_thread(Engine, hash_mb=_MEMORY_MB)
        left = self.game.clocks(now())[seat]
        limit = Limit(time=level.seconds(None if left is None else left / 1000))
        line = await self._engine.play_async(
            board,
            limit,
            level=level,
            seed=random.getrandbits(32),
        )
        if self.game.turn is seat and len(self.boards) and self.board == board:
            self._apply(commands.Play(seat, line.move))


def _current() -> asyncio.Task[object] | None:
    return asyncio.current_task()
