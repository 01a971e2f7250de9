"""`LocalSession`: a game at this keyboard, between people and computers of any level."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import assert_never

from sumito.drawing import scene
from sumito.engine import Engine, Level, Limit
from sumito.errors import SumitoError
from sumito.game import Game, commands, events
from sumito.game.local import LocalGame
from sumito.i18n.messages import N_
from sumito.record import Record
from sumito.rules.board import Board
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.tui.localisation import Localiser
from sumito.tui.session import GameAction, GameSession

_MEMORY_MB = 16


class LocalSession(GameSession):
    """A `GameSession` of a `Game` whose seats are played here or by the computer."""

    def __init__(self, tr: Localiser, game: Game, levels: Mapping[Colour, Level]) -> None:
        super().__init__(tr)
        self.local = LocalGame(game, levels)
        self.levels = dict(levels)
        self.names = game.seats
        self.local_seats = self.local.people
        self._engine: Engine | None = None
        self._thought: asyncio.Task[None] | None = None

    @property
    def game(self) -> Game:
        """The current game."""
        return self.local.game

    @property
    def boards(self) -> list[Board]:
        """The boards of the moves played, the start first."""
        return self.local.boards

    async def begin(self, notify: Callable[[str], None]) -> None:
        await super().begin(notify)
        self._start_thinking()

    async def close(self) -> None:
        await self._stop_thinking()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    # Commands.

    async def play(self, move: Move) -> None:
        self._handle_events(self.local.play(move))

    async def do(self, action: GameAction) -> None:
        match action:
            case GameAction.TAKE_BACK:
                await self._take_back()
            case GameAction.OFFER_DRAW:
                self._handle_events(self.local.agree_draw())
            case GameAction.RESIGN:
                self._handle_events(self.local.apply(commands.Resign(self.local.seat)))
            case GameAction.ABORT:
                self._handle_events(self.local.apply(commands.Abort(self.local.seat)))
            case GameAction.REMATCH:
                await self._again()
            case (
                GameAction.ACCEPT_DRAW
                | GameAction.DECLINE_DRAW
                | GameAction.ACCEPT_TAKEBACK
                | GameAction.DECLINE_TAKEBACK
                | GameAction.CLAIM_WIN
                | GameAction.CLAIM_DRAW
                | GameAction.FOLLOW
            ):
                raise SumitoError(N_("not available in a local game"))
            case _:
                assert_never(action)

    def actions(self) -> list[GameAction]:
        if self.game.outcome is not None:
            return [GameAction.REMATCH]
        actions = [GameAction.TAKE_BACK] if self.local.last_mover() is not None else []
        if not self.levels:
            actions.append(GameAction.OFFER_DRAW)
        if self.local_seats:
            actions.append(GameAction.RESIGN)
        return actions

    async def _take_back(self) -> None:
        if self.local.last_mover() is not None:
            await self._stop_thinking()
        self._handle_events(self.local.take_back())

    async def _again(self) -> None:
        await self._stop_thinking()
        self.local.restart()
        self._start_thinking()
        self._notify(self.tr(N_("A new game.")))

    # Events.

    def _handle_events(self, changes: Sequence[events.Event]) -> None:
        """Start the computer's search after events, and report the news."""
        self._start_thinking()
        news = filter(None, map(self.local.news, changes))
        self._notify(" ".join(map(self.tr.sentence, news)))

    def tick(self) -> None:
        changes = self.local.check_clock()
        if changes:
            self._handle_events(changes)

    # Views.

    def clocks(self) -> dict[Colour, int | None]:
        return self.local.clocks()

    def turn(self) -> Colour | None:
        return self.game.turn

    def heading(self) -> str:
        control = self.game.control
        clock = "" if control.budget is None else f" · {control}"
        return super().heading() + clock

    def status(self) -> str:
        outcome = self.game.outcome
        message = (
            scene.status(self.board)
            if outcome is None
            else outcome.sentence(self.game.mode, self.game.rules)
        )
        text = self.tr.sentence(message)
        return text[:1].upper() + text[1:]

    def record(self) -> Record:
        return Record.from_game(self.game)

    # Computer players.

    def _start_thinking(self) -> None:
        """Start the computer's search if it is to move."""
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
        left = self.local.clocks()[seat]
        limit = Limit(time=level.seconds(None if left is None else left / 1000))
        line = await self._engine.play_async(
            board,
            limit,
            level=level,
            seed=random.getrandbits(32),
        )
        if self.game.turn is seat and len(self.boards) and self.board == board:
            self._handle_events(self.local.apply(commands.Play(seat, line.move)))


def _current() -> asyncio.Task[object] | None:
    return asyncio.current_task()
