"""What a match is made of: its plan, and the games that come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sumito.lab.match.elo import Sprt
from sumito.lab.match.openings import Opening
from sumito.lab.match.players import Player
from sumito.modes import Mode
from sumito.move import Move
from sumito.record import Record
from sumito.rules import Outcome, Rules

DEFAULT_RULES: Final = Rules(repetition=3, ply_limit=400)
"""A match must come to an end."""

ROUND: Final = "Round"
"""The tag that numbers a game: round and game in it, both from 1, as `12.2`."""

SEATINGS: Final = {
    2: ((0, 1), (1, 0)),
    3: ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
"""Which player sits at each side: every way that favours neither."""


@dataclass(frozen=True, slots=True)
class Match:
    """What is to be played."""

    first: Player
    second: Player
    rounds: int = 50
    mode: Mode = Mode.TWO
    layouts: tuple[str, ...] = ()
    """Layouts the openings come from; none named: all of the mode."""
    plies: int = 4
    """Random plies an opening has."""
    seed: int = 0
    rules: Rules = DEFAULT_RULES
    concurrency: int = 1
    sprt: Sprt | None = None
    """A test that may end the match early."""

    @property
    def players(self) -> tuple[Player, Player]:
        return self.first, self.second

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        return SEATINGS[len(self.mode.sides)]

    @property
    def games(self) -> int:
        return self.rounds * len(self.seatings)

    @property
    def event(self) -> str:
        """What the records call it: enough to know a match again."""
        return (
            f"{self.first.name} v {self.second.name}, {self.mode}, "
            f"{'+'.join(self.layouts) or 'all layouts'}, {self.plies} plies, seed {self.seed}"
        )


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game of a match."""

    round: int
    seating: int
    opening: Opening
    moves: tuple[Move, ...]
    """Those after the opening."""
    outcome: Outcome
    seats: tuple[int, ...]
    note: str = ""
    """What a program did wrong, if that ended the game."""

    @property
    def points(self) -> float:
        """Of the first player: one for a win, half for a draw."""
        if self.outcome.winner is None:
            return 0.5
        return float(self.seats[self.outcome.winner] == 0)

    def to_record(self, match: Match) -> Record:
        """The game from its opening on; how that came about is told in a tag."""
        names = {
            str(colour).capitalize(): match.players[self.seats[match.mode.side(colour)]].name
            for colour in match.mode.colours
        }
        tags = {
            "Event": match.event,
            **names,
            ROUND: f"{self.round + 1}.{self.seating + 1}",
            "Opening": " ".join((self.opening.layout, *map(str, self.opening.board.moves))),
            "Termination": self.note or str(self.outcome.reason),
        }
        start = self.opening.board.position
        return Record.from_moves(
            start, self.moves, rules=match.rules, tags=tags, result=self.outcome
        )
