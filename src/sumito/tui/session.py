"""`GameSession`: a game as a screen shows it, played here (`local`) or online (`online`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from sumito.errors import SumitoError
from sumito.i18n.messages import N_
from sumito.record import Record
from sumito.rules.board import Board
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.tui.localisation import Localiser


class GameAction(StrEnum):
    """An action of a player besides moving."""

    TAKE_BACK = "take-back"
    ACCEPT_TAKEBACK = "accept-takeback"
    DECLINE_TAKEBACK = "decline-takeback"
    OFFER_DRAW = "offer-draw"
    ACCEPT_DRAW = "accept-draw"
    DECLINE_DRAW = "decline-draw"
    ABORT = "abort"
    RESIGN = "resign"
    CLAIM_WIN = "claim-win"
    CLAIM_DRAW = "claim-draw"
    REMATCH = "rematch"
    FOLLOW = "follow"


ACTION_NAMES: Final = {
    GameAction.TAKE_BACK: N_("Take back"),
    GameAction.ACCEPT_TAKEBACK: N_("Allow the take-back"),
    GameAction.DECLINE_TAKEBACK: N_("Decline the take-back"),
    GameAction.OFFER_DRAW: N_("Offer a draw"),
    GameAction.ACCEPT_DRAW: N_("Accept the draw"),
    GameAction.DECLINE_DRAW: N_("Decline the draw"),
    GameAction.ABORT: N_("Abort the game"),
    GameAction.RESIGN: N_("Resign"),
    GameAction.CLAIM_WIN: N_("Claim the win"),
    GameAction.CLAIM_DRAW: N_("Claim a draw"),
    GameAction.REMATCH: N_("Another game"),
    GameAction.FOLLOW: N_("Go to the next game"),
}


class GameSession(ABC):
    """A game between people and computers; `boards` is its history, the present board last."""

    tr: Localiser
    names: dict[Colour, str]
    local_seats: frozenset[Colour]
    """The seats played at this keyboard."""
    thinking: Colour | None = None
    """The seat whose computer player is thinking."""
    may_chat: bool = False
    """Whether chat is available."""
    chat: Sequence[tuple[str, str]] = ()
    """Chat lines: sender and text."""

    def __init__(self, tr: Localiser) -> None:
        self.tr = tr
        self._notify: Callable[[str], None] = lambda _news: None

    @property
    @abstractmethod
    def boards(self) -> list[Board]:
        """The boards of the moves played, the start first."""

    @property
    def board(self) -> Board:
        """The present board."""
        return self.boards[-1]

    async def begin(self, notify: Callable[[str], None]) -> None:
        """Start the session; `notify` is called on each change with its news, or with ""."""
        self._notify = notify

    @abstractmethod
    async def close(self) -> None:
        """End the session."""

    @abstractmethod
    async def play(self, move: Move) -> None:
        """Make a move for the seat to move; raise if it is refused."""

    @abstractmethod
    async def do(self, action: GameAction) -> None:
        """Perform an action."""

    async def say(self, text: str) -> None:  # noqa: ARG002 - sessions with a chat override it
        """Send a chat line; raise if that is not possible."""
        raise SumitoError(N_("this game has no chat"))

    @abstractmethod
    def actions(self) -> list[GameAction]:
        """Return the actions possible now."""

    @abstractmethod
    def clocks(self) -> dict[Colour, int | None]:
        """Return the time left per seat, in ms; None without a clock."""

    @abstractmethod
    def turn(self) -> Colour | None:
        """Return the seat to move; None before the game begins and after its end."""

    def heading(self) -> str:
        """Return mode and clock."""
        return self.tr.mode(self.board.mode)

    @abstractmethod
    def status(self) -> str:
        """Return whose turn it is, or how the game ended."""

    @abstractmethod
    def record(self) -> Record:
        """Return the record of the game."""

    def tick(self) -> None:  # noqa: B027 - optional hook
        """Update the clocks; called periodically."""
