"""`Match`, the config of a match, and `MatchGame`, its result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sumito.engine.limit import check_whole
from sumito.engine.memory import available_mb
from sumito.engine.players import Kind, Player
from sumito.errors import LabError
from sumito.i18n.messages import N_
from sumito.lab.cluster import MOST_WORKERS
from sumito.lab.jobs import checksum
from sumito.lab.match.elo import Sprt
from sumito.lab.match.openings import MOST_PLIES, Opening, openings
from sumito.record import Record
from sumito.rules.layouts import get
from sumito.rules.modes import Mode
from sumito.rules.move import Move
from sumito.rules.rules import Outcome, Rules
from sumito.validate import check_type

DEFAULT_RULES: Final = Rules(repetition=3, ply_limit=400)
"""Default rules of a match, which guarantee that games end."""

ROUND: Final = "Round"
"""The tag that numbers a game: round and game in it, both from 1, as `12.2`."""

SEATINGS: Final = {
    2: ((0, 1), (1, 0)),
    3: ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
"""Which player has each side: every seating that favours neither."""

MOST_ROUNDS: Final = 100_000
MOST_RESIGN: Final = 50


@dataclass(frozen=True, slots=True)
class Match:
    """Config of a match."""

    first: Player
    second: Player
    rounds: int = 50
    mode: Mode = Mode.TWO
    layouts: tuple[str, ...] = ()
    """Layouts of the openings; if empty, all of the mode."""
    plies: int = 4
    """Random plies per opening."""
    seed: int = 0
    rules: Rules = DEFAULT_RULES
    concurrency: int = 1
    """Concurrent rounds."""
    sprt: Sprt | None = None
    """A test that may end the match early."""
    resign: float = 0.0
    """Lead in marbles at which a game is adjudicated if both agree for three moves; 0: never."""

    def __post_init__(self) -> None:
        check_whole("rounds", self.rounds, 1, MOST_ROUNDS)
        check_whole("plies", self.plies, 0, MOST_PLIES)
        check_whole("concurrency", self.concurrency, 1, MOST_WORKERS)
        self._check_resign()
        for id in self.layouts:
            get(id, self.mode)
        for player in self.players:
            check_type("player", player, Player)
            player.check()
        needed = self.concurrency * sum(player.table_mb for player in self.players)
        if needed > available_mb():
            raise LabError(
                N_(
                    "{rounds} concurrent rounds need {needed:,} MB of hash tables, but "
                    "{memory:,} MB are available"
                ),
                rounds=self.concurrency,
                needed=needed,
                memory=available_mb(),
            )

    def _check_resign(self) -> None:
        if not 0 <= self.resign <= MOST_RESIGN:
            raise LabError(
                N_("resign must be from 0 to {most} marbles, not {value}"),
                value=self.resign,
                most=MOST_RESIGN,
            )
        if self.resign and self.mode is Mode.THREE:
            raise LabError(
                N_(
                    "resigning is not possible with three players: two may stand worse than "
                    "the third"
                )
            )

    @property
    def players(self) -> tuple[Player, Player]:
        return self.first, self.second

    @property
    def has_programs(self) -> bool:
        return any(player.kind is Kind.PROGRAM for player in self.players)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        return SEATINGS[len(self.mode.sides)]

    @property
    def games(self) -> int:
        return self.rounds * len(self.seatings)

    @property
    def event(self) -> str:
        """Event tag of the records, which identifies the match.

        It ends with a checksum of all that its games depend on: the players with their limits, the
        rules and the openings. More rounds are the same match.
        """
        event = (
            f"{self.first.name} v {self.second.name}, {self.mode}, "
            f"{'+'.join(self.layouts) or 'all layouts'}, {self.plies} plies, seed {self.seed}"
        )
        if self.resign:
            event += f", resign {self.resign:g}"
        plan = [*(player.plan() for player in self.players), str(self.rules)]
        return f"{event}, plan {checksum(plan)}"

    def openings(self) -> Iterator[Opening]:
        """Yield an opening for each round."""
        stream = openings(
            self.layouts or None,
            mode=self.mode,
            plies=self.plies,
            seed=self.seed,
            rules=self.rules,
        )
        return islice(stream, self.rounds)


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A finished game of a match."""

    round: int
    seating: int
    moves: tuple[Move, ...]
    """Moves after the opening."""
    outcome: Outcome
    note: str = ""
    """Reason if a program's failure ended the game."""

    def points(self, match: Match) -> float:
        """Return the first player's points: one for a win, half for a draw."""
        if self.outcome.winner is None:
            return 0.5
        return float(match.seatings[self.seating][self.outcome.winner] == 0)

    def to_record(self, match: Match, opening: Opening) -> Record:
        """Return the record of the game from its opening on; a tag has the opening."""
        seats = match.seatings[self.seating]
        names = {
            str(colour).capitalize(): match.players[seats[match.mode.side(colour)]].name
            for colour in match.mode.colours
        }
        tags = {
            "Event": match.event,
            **names,
            ROUND: f"{self.round + 1}.{self.seating + 1}",
            "Opening": " ".join((opening.layout, *map(str, opening.board.moves))),
            "Termination": self.note or str(self.outcome.reason),
        }
        start = opening.board.position
        return Record.from_moves(
            start, self.moves, rules=match.rules, tags=tags, result=self.outcome
        )
