"""A local game: people and the computer at one screen, for any interface.

People at one screen agree by talking, so a take-back or a draw needs no second command. The game
knows which seats the computer plays; the interface runs its search.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from typing import Final

from sumito.errors import SumitoError
from sumito.game import commands, events
from sumito.game.game import Game
from sumito.i18n.messages import N_, Message, Value
from sumito.rules import notations
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.rules.notations import Notation

_MOVE: Final = re.compile(r"([a-i][1-9]){2,3}")
_BETWEEN_CELLS: Final = re.compile(r"[\s,>–-]+")


def now() -> int:
    """Return the time in milliseconds since any moment."""
    return time.monotonic_ns() // 1_000_000


def typed_move(text: str) -> str | None:
    """Return the move in a typed text, without separators between cells; `None` if there is none.

    >>> typed_move("A1 - b2"), typed_move("help")
    ('a1b2', None)
    """
    move = _BETWEEN_CELLS.sub("", text.strip().lower())
    return move if _MOVE.fullmatch(move) else None


class LocalGame:
    """A game whose seats are people at this screen, or the computer's.

    >>> local = LocalGame(Game({"black": "Ann", "white": "Ben"}))
    >>> local.play("a1b2")[0].seat, len(local.boards)
    (Colour.BLACK, 2)
    >>> local.take_back()[-1].plies, len(local.boards)
    (1, 1)
    """

    def __init__(self, game: Game, computers: Iterable[Colour] = ()) -> None:
        self.game = game
        self.computers = frozenset(computers)
        self.boards = [game.board]
        """The boards after each move, the start first."""

    @property
    def people(self) -> frozenset[Colour]:
        """The seats that are played at this screen."""
        return frozenset(self.game.mode.colours) - self.computers

    @property
    def seat(self) -> Colour:
        """The person to move, or the first who is still in if a computer is to move."""
        turn = self.game.board.turn
        if turn in self.people or not self.people:
            return turn
        return min(self.people - self.game.eliminated or self.people)

    def clocks(self) -> dict[Colour, int | None]:
        """Return the milliseconds left per seat; `None` without a clock."""
        return self.game.clocks(now())

    def parse_move(self, text: str, notation: Notation | str) -> Move:
        """Parse a move; the game decides whether it is legal."""
        return notations.parse(self.game.board, text, notation)

    def apply(self, *requests: commands.Command) -> list[events.Event]:
        """Apply commands one after the other; return their events."""
        happened: list[events.Event] = []
        for command in requests:
            for event in self.game.apply(command, now()):
                self._update_boards(event)
                happened.append(event)
        return happened

    def _update_boards(self, event: events.Event) -> None:
        match event:
            case events.Moved():
                self.boards.append(self.game.board)
            case events.TakenBack(plies=plies):
                del self.boards[len(self.boards) - plies :]
            case events.PlayerEliminated():
                self.boards[-1] = self.game.board

    def play(self, move: Move | str) -> list[events.Event]:
        """Play a move for the person to move."""
        turn = self.game.turn
        if turn in self.computers:
            raise SumitoError(N_("it is {turn}'s turn, and the computer plays {turn}"), turn=turn)
        return self.apply(
            commands.Play(self.game.board.turn, move)  # type: ignore[arg-type]  # texts too
        )

    def last_mover(self) -> Colour | None:
        """Return the person who moved last, or `None` if nobody has moved."""
        seats = (ply.seat for ply in reversed(self.game.plies))
        return next((seat for seat in seats if seat in self.people), None)

    def take_back(self) -> list[events.Event]:
        """Take back to before the last move of a person, with everybody's agreement."""
        seat = self.last_mover()
        if seat is None:
            raise SumitoError(N_("there is no move to take back"))
        agreed = map(commands.AcceptTakeback, self.others(seat))
        return self.apply(commands.AskTakeback(seat), *agreed)

    def agree_draw(self) -> list[events.Event]:
        """End the game as a draw by agreement; a computer never agrees."""
        if self.computers:
            raise SumitoError(N_("the computer does not agree to draws"))
        seat = self.seat
        agreed = map(commands.AcceptDraw, self.others(seat))
        return self.apply(commands.OfferDraw(seat), *agreed)

    def others(self, seat: Colour) -> list[Colour]:
        """Return one player of each other side that is still in."""
        mode = self.game.mode
        found: dict[Colour, Colour] = {}
        for other in mode.order:
            if other not in self.game.eliminated and mode.side(other) is not mode.side(seat):
                found.setdefault(mode.side(other), other)
        return list(found.values())

    def check_clock(self) -> list[events.Event]:
        """End the turn if the flag of the player to move has fallen; return the events."""
        deadline = self.game.deadline
        if deadline is None or now() < deadline or self.game.outcome is not None:
            return []
        return self.apply(commands.Flag())

    def restart(self) -> None:
        """Replace the game by a new one with the same players on the same seats."""
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

    def news(
        self, event: events.Event, name: Callable[[Colour], Value] = lambda seat: seat
    ) -> Message | None:
        """Return the message about an event that the board doesn't show, if any."""
        match event:
            case events.PlayerEliminated(seat=seat, reason=reason):
                return Message(
                    "eliminated",
                    N_("{player} is out ({reason}); the others play on."),
                    {"player": name(seat), "reason": reason.sentence(self.game.rules)},
                )
            case events.DrawDeclined(seat=seat):
                return Message("draw-declined", N_("{player} declines."), {"player": name(seat)})
            case events.TakenBack():
                return Message("taken-back", N_("The last move is taken back."), {})
        return None
