"""A game in progress between players on seats: commands in, events out.

The time is an argument of each command and nothing is random, so a game replays identically
everywhere. `referee.py` decides the commands.

A fallen flag takes precedence over the command: a move that arrives after it is not made. A move
may still be in transit, so a flag falls only `lag_limit` after the time is up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import chain
from typing import ClassVar

from sumito.errors import ReplayError, SetupError, SumitoError, TimeError
from sumito.game.clock import Control, NoClock
from sumito.game.commands import Command, Play
from sumito.game.events import Event, OfferKind
from sumito.game.referee import Referee
from sumito.game.state import AWAY_GRACE, Departure, Offer, Ply, Setup, State, names_by_colour
from sumito.i18n.messages import N_
from sumito.position import Position
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move
from sumito.rules.rules import RULEBOOK, Outcome, Rules
from sumito.validate import check_type, parsed

__all__ = ["Departure", "Game", "Offer", "Ply", "Setup"]


class Game:
    """A game between named players. `apply` is the only way to change it.

    >>> from sumito import BLACK, WHITE, Move
    >>> from sumito.game.clock import Fischer
    >>> from sumito.game.commands import Play, Resign
    >>> game = Game({BLACK: "Ann", WHITE: "Ben"}, control=Fischer(600_000, 5_000))
    >>> game.apply(Play(BLACK, Move.parse("a1b2")), at=4_000)
    (Moved(version=1, at=4000, seat=Colour.BLACK, move=Move.parse('a1b2'), clock=601000, lag=0),)
    >>> game.clocks(at=10_000)
    {Colour.BLACK: 601000, Colour.WHITE: 594000}
    >>> game.apply(Resign(WHITE), at=11_000)[-1].outcome
    Outcome(winner=Colour.BLACK, reason=<Reason.RESIGNED: 'resigned'>)
    """

    __slots__ = ("_state",)
    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __init__(
        self,
        seats: Mapping[Colour, str] | Mapping[str, str],
        mode: Mode | str = Mode.TWO,
        layout: str | None = None,
        *,
        start: Position | str | None = None,
        captured: tuple[int, ...] | None = None,
        rules: Rules | str = RULEBOOK,
        control: Control | str | None = None,
        rated: bool = False,
        start_at: int = 0,
        lag_limit: int = 0,
        away_grace: int = AWAY_GRACE,
    ) -> None:
        """Create a game that begins at `start_at`; `start` replaces the layout by a position."""
        check_type("seats", seats, Mapping)
        rules = parsed("rules", rules, Rules)
        control = NoClock() if control is None else parsed("control", control, Control)
        if start is None:
            start = layouts.start(layout, mode, first=rules.first, captured=captured)
        else:
            start = parsed("start", start, Position)
            if layout is not None or captured is not None or start.mode != mode:
                raise SetupError(
                    N_("a start position has its own marbles and counts, and its own mode"),
                    code="start-and-layout",
                )
        setup = Setup(
            names=names_by_colour(seats, start.mode),
            start=start,
            rules=rules,
            control=control,
            rated=rated,
            start_at=start_at,
            lag_limit=lag_limit,
            away_grace=away_grace,
        )
        self._state = State.begin(setup)

    @classmethod
    def begin(cls, setup: Setup, version: int = 0) -> Game:
        """Return a game without events of its own; `version` counts external ones before it."""
        return cls._of(State.begin(setup, version))

    @classmethod
    def _of(cls, state: State) -> Game:
        game = cls.__new__(cls)
        game._state = state
        return game

    @classmethod
    def replay(cls, setup: Setup, events: Iterable[Event]) -> Game:
        """Return the game that results from these events."""
        game = cls.begin(setup)
        game.apply_events(events)
        return game

    def apply_events(self, events: Iterable[Event]) -> None:
        """Apply the events of another copy of this game, all of them or none."""
        check_type("events", events, Iterable)
        state = self._state.copy()
        for event in events:
            check_type("event", event, Event)
            try:
                state.apply(event)
            except ReplayError:
                raise
            except SumitoError as error:
                raise ReplayError(
                    N_("event {event}: {problem}"),
                    code=error.code,
                    event=event.version,
                    problem=error.sentence,
                ) from error
        self._state = state

    # Queries.

    @property
    def setup(self) -> Setup:
        return self._state.setup

    @property
    def mode(self) -> Mode:
        return self.setup.mode

    @property
    def rules(self) -> Rules:
        return self.setup.rules

    @property
    def control(self) -> Control:
        return self.setup.control

    @property
    def seats(self) -> dict[Colour, str]:
        """The players' names."""
        return self.setup.seats

    @property
    def start(self) -> Position:
        return self.setup.start

    @property
    def board(self) -> Board:
        """A copy of the board; changing it doesn't change the game."""
        return self._state.board.copy()

    @property
    def turn(self) -> Colour | None:
        """The player to move; `None` when the game is over."""
        return None if self.outcome else self._state.board.turn

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves; empty when the game is over."""
        return () if self.outcome else tuple(self._state.board.legal_moves)

    @property
    def outcome(self) -> Outcome | None:
        return self._state.outcome

    @property
    def ended_by(self) -> Colour | None:
        """The player whose resignation, flag or absence ended the game, if it was just one."""
        return self._state.ended_by

    @property
    def version(self) -> int:
        """The version of the last event, 0 before the first."""
        return self._state.version

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The moves that were not taken back, with times and clocks."""
        return tuple(self._state.plies)

    @property
    def departures(self) -> tuple[Departure, ...]:
        """The departures of players while the others played on."""
        return tuple(self._state.departures)

    @property
    def eliminated(self) -> frozenset[Colour]:
        """The players who are eliminated while the others play on."""
        return self._state.board.eliminated

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The open offers."""
        return tuple(self._state.offers.values())

    @property
    def can_abort(self) -> bool:
        """Whether the game can be aborted: before each side has moved."""
        return self._state.can_abort

    @property
    def last_ply(self) -> Ply | None:
        """The last move that was not taken back."""
        return self._state.plies[-1] if self._state.plies else None

    @property
    def ply_count(self) -> int:
        """The number of moves that were not taken back."""
        return len(self._state.plies)

    def offer(self, kind: OfferKind | str) -> Offer | None:
        """Return the open offer of a kind, if any."""
        kind = parsed("kind", kind, OfferKind)
        return self._state.offers.get(kind)

    @property
    def irreversible_plies(self) -> int:
        """The number of plies that can't be taken back."""
        return self._state.irreversible_plies

    @property
    def away(self) -> dict[Colour, int]:
        """Since when each absent player has been away."""
        return dict(self._state.away)

    def clocks(self, at: int) -> dict[Colour, int | None]:
        """Return the remaining ms per seat; `None` if untimed."""
        clock = self._state.clock
        return {seat: clock.remaining(seat, at) for seat in self.mode.colours}

    def delay_left(self, at: int) -> int:
        """Return the milliseconds of the turn from `at` on that aren't charged."""
        return self._state.clock.free(at)

    @property
    def deadline(self) -> int | None:
        """When `Flag` will end the turn without a move; `None` if never."""
        deadline = self._state.clock.deadline
        return None if deadline is None else deadline + self.setup.lag_limit

    def copy(self) -> Game:
        return self._of(self._state.copy())

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        return self._state == other._state if isinstance(other, Game) else NotImplemented

    def __repr__(self) -> str:
        players = " – ".join(self.setup.names)
        return f"<Game {players}: version {self.version}, {self._state.board.position!s}>"

    def play(self, move: Move | str, at: int | None = None) -> tuple[Event, ...]:
        """Play a move for the player to move; see `apply`.

        >>> game = Game({"black": "Ann", "white": "Ben"})
        >>> game.play("a1b2")[0].seat, game.turn
        (Colour.BLACK, Colour.WHITE)
        """
        return self.apply(Play(self._state.board.turn, move), at)  # type: ignore[arg-type]

    def apply(self, command: Command, at: int | None = None) -> tuple[Event, ...]:
        """Apply a command and return its events; raise `CommandError` and change nothing otherwise.

        `at` is the time in milliseconds; in an untimed game it defaults to the last event's.
        """
        events, after = self.decide(command, at)
        self._state = after._state
        return events

    def decide(self, command: Command, at: int | None = None) -> tuple[tuple[Event, ...], Game]:
        """Return the events and the game after them; this game is unchanged."""
        if at is None:
            if not isinstance(self.control, NoClock):
                raise TimeError(
                    N_("a game with a clock needs the time of each command, in whole milliseconds"),
                    code="no-time",
                )
            at = self._state.at
        trial = self.copy()
        referee = Referee(trial._state, at)
        referee.check(command)
        if referee.flag_is_down(command):
            events = referee.apply_all(referee.flag())
            if trial.outcome is None:
                # The flag fell before the command arrived: the flag is the answer.
                with suppress(SumitoError):
                    events += trial.apply(command, at)
        else:
            events = referee.apply_all(
                chain(referee.mark_present(command), referee.handle(command))
            )
        return events, trial
