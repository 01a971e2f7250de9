"""A game as a screen shows it, wherever it is played: here (`local`) or at a server (`online`)."""

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
    """What a player can do besides moving."""

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
    GameAction.ACCEPT_TAKEBACK: N_("Let them take it back"),
    GameAction.DECLINE_TAKEBACK: N_("No, the move stands"),
    GameAction.OFFER_DRAW: N_("Offer a draw"),
    GameAction.ACCEPT_DRAW: N_("Accept the draw"),
    GameAction.DECLINE_DRAW: N_("Decline the draw"),
    GameAction.ABORT: N_("Call the game off"),
    GameAction.RESIGN: N_("Resign"),
    GameAction.CLAIM_WIN: N_("Claim the win"),
    GameAction.CLAIM_DRAW: N_("Claim a draw"),
    GameAction.REMATCH: N_("Another game"),
    GameAction.FOLLOW: N_("On to the next game"),
}


class GameSession(ABC):
    """A game between people and computers. `boards` is its story, the present board last."""

    tr: Localiser
    names: dict[Colour, str]
    local_seats: frozenset[Colour]
    """The seats that are played at this keyboard."""
    thinking: Colour | None = None
    """The computer that thinks."""
    may_chat: bool = False
    """May one say something to the others?"""
    chat: Sequence[tuple[str, str]] = ()
    """What was said, and by whom."""

    def __init__(self, tr: Localiser) -> None:
        self.tr = tr
        self._tell: Callable[[str], None] = lambda _news: None

    @property
    @abstractmethod
    def boards(self) -> list[Board]:
        """The boards of the moves that stand, the start first."""

    @property
    def board(self) -> Board:
        """The board as it stands now."""
        return self.boards[-1]

    async def begin(self, tell: Callable[[str], None]) -> None:
        """Let things happen from now on; `tell` hears of each, in words or with none."""
        self._tell = tell

    @abstractmethod
    async def close(self) -> None:
        """Nobody looks at it any more."""

    @abstractmethod
    async def play(self, move: Move) -> None:
        """Make a move for the seat whose turn it is; an error says why not."""

    @abstractmethod
    async def do(self, action: GameAction) -> None:
        """Do something else."""

    async def say(self, text: str) -> None:  # noqa: ARG002  # said by those who can
        """Say something to the others; an error says why not."""
        raise SumitoError(N_("there is nobody to talk to in this game"))

    @abstractmethod
    def actions(self) -> list[GameAction]:
        """What can be done now."""

    @abstractmethod
    def clocks(self) -> dict[Colour, int | None]:
        """What each has left, in ms; None without a clock."""

    @abstractmethod
    def turn(self) -> Colour | None:
        """Whose turn it is; nobody's before the game begins and when it is over."""

    def heading(self) -> str:
        """What is played."""
        return self.tr.mode(self.board.mode)

    @abstractmethod
    def status(self) -> str:
        """Whose turn it is, or how the game ended."""

    @abstractmethod
    def record(self) -> Record:
        """The game written down."""

    def tick(self) -> None:  # noqa: B027  # most have nothing to do
        """Time goes by."""
