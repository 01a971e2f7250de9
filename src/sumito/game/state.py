"""The state of a game: its set-up, and the changes that each event makes.

Only `State.apply` changes a game, and only by an event, so stored events replay to the same game
even if the rules for commands have changed since.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod
from typing import Final

from sumito.errors import ReplayError, SetupError
from sumito.game.clock import Clock, Control, NoClock
from sumito.game.events import (
    Accepted,
    Declined,
    Disconnected,
    Ended,
    Event,
    ExternalEvent,
    Moved,
    Offered,
    OfferKind,
    PlayerEliminated,
    Reconnected,
    Resumed,
    TakenBack,
)
from sumito.i18n.messages import N_, NN_
from sumito.position import Position
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move
from sumito.rules.rules import RULEBOOK, Outcome, Reason, Rules
from sumito.validate import check_milliseconds, check_type, parsed

AWAY_GRACE: Final = 60_000
"""Default grace period in ms: how long a player may be away before the game can be claimed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The settings of a game, fixed before the first move."""

    names: tuple[str, ...]
    """The players' names, in the order of colours."""
    start: Position
    rules: Rules = RULEBOOK
    control: Control = field(default_factory=NoClock)
    rated: bool = False
    start_at: int = 0
    """The time at which the game and the first clock start."""
    lag_limit: int = 0
    """The most network delay of a move that isn't charged, in ms."""
    away_grace: int = AWAY_GRACE

    def __post_init__(self) -> None:
        for name, kind in (("start", Position), ("rules", Rules), ("control", Control)):
            object.__setattr__(self, name, parsed(name, getattr(self, name), kind))
        if len(self.names) != len(self.mode.colours):
            raise SetupError(
                N_("mode {mode} has {seats} seats, not {given}"),
                code="seats",
                mode=self.mode,
                seats=len(self.mode.colours),
                given=len(self.names),
            )
        check_milliseconds("start_at", self.start_at, SetupError)
        check_milliseconds("lag_limit", self.lag_limit, SetupError, least=0)
        check_milliseconds("away_grace", self.away_grace, SetupError, least=0)

    @property
    def mode(self) -> Mode:
        return self.start.mode

    @property
    def seats(self) -> dict[Colour, str]:
        """The player's name per seat."""
        return dict(zip(self.mode.colours, self.names, strict=True))


def names_by_colour(seats: Mapping[Colour, str] | Mapping[str, str], mode: Mode) -> tuple[str, ...]:
    """Return the players' names in the order of the colours; raise unless each seat has one."""
    players = {parsed("seat", seat, Colour): name for seat, name in seats.items()}
    for colour, name in players.items():
        if colour not in mode.colours:
            raise SetupError(
                N_("mode {mode} has no {colour} seat for {name!r}"),
                code="no-such-seat",
                mode=mode,
                colour=colour,
                name=name,
            )
    for colour in mode.colours:
        if colour not in players:
            raise SetupError(
                N_("the {colour} seat has no player"), code="empty-seat", colour=colour
            )
    return tuple(players[colour] for colour in mode.colours)


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of the game, with its player's clock after it."""

    seat: Colour
    move: Move
    at: int
    clock: int | None


@dataclass(frozen=True, slots=True)
class Departure:
    """A departure from a game that went on: after how many plies, and why."""

    seat: Colour
    reason: Reason
    plies: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer, and the other sides that have accepted it so far."""

    kind: OfferKind
    seat: Colour
    agreed: frozenset[Colour] = frozenset()


@dataclass(slots=True)
class State:
    """The state of a game after its events."""

    setup: Setup
    board: Board
    clock: Clock
    at: int
    """The time of the last event."""
    version: int = 0
    plies: list[Ply] = field(default_factory=list)
    clocks_before: list[Clock] = field(default_factory=list)
    """The running clock just before each ply, for take-backs."""
    departures: list[Departure] = field(default_factory=list)
    offers: dict[OfferKind, Offer] = field(default_factory=dict)
    away: dict[Colour, int] = field(default_factory=dict)
    """Since when each absent player has been away."""
    outcome: Outcome | None = None
    ended_by: Colour | None = None
    """The player whose resignation, flag or absence ended the game, if it was just one."""

    @classmethod
    def begin(cls, setup: Setup, version: int = 0) -> State:
        check_type("setup", setup, Setup)
        board = Board.at(setup.start, rules=setup.rules)
        outcome = board.outcome()
        if outcome is not None:
            raise SetupError(
                N_("the game would be over before it begins ({reason})"),
                code="over-before-it-begins",
                reason=outcome.reason,
            )
        clock = Clock.of(setup.control, len(setup.names)).start(board.turn, setup.start_at)
        return cls(setup, board, clock, setup.start_at, version)

    def copy(self) -> State:
        return replace(
            self,
            board=self.board.copy(),
            plies=self.plies.copy(),
            clocks_before=self.clocks_before.copy(),
            departures=self.departures.copy(),
            offers=self.offers.copy(),
            away=self.away.copy(),
        )

    @property
    def irreversible_plies(self) -> int:
        """The number of plies that can't be taken back: those before the last departure."""
        return self.departures[-1].plies if self.departures else 0

    @property
    def can_abort(self) -> bool:
        """Whether a side hasn't moved yet and nobody has left."""
        mode = self.setup.mode
        waiting = {mode.side(seat) for seat in mode.colours if seat not in self.board.eliminated}
        for ply in self.plies:
            waiting.discard(mode.side(ply.seat))
            if not waiting:
                return False
        return not self.departures

    def apply(self, event: Event) -> None:
        """Apply an event; raise `ReplayError` if it contradicts the state."""
        check_type("event", event, Event)
        if event.version != self.version + 1:
            raise ReplayError(
                N_("event {event} can't follow event {version}"),
                code="event-order",
                event=event.version,
                version=self.version,
            )
        if self.outcome is not None and not isinstance(event, ExternalEvent):
            raise ReplayError(
                N_("event {event} comes after the end of the game"),
                code="event-after-end",
                event=event.version,
            )
        if event.at < self.at:
            raise ReplayError(
                N_("event {event} at {at} is before {last}"),
                code="event-backwards",
                event=event.version,
                at=event.at,
                last=self.at,
            )
        self._apply(event)
        self.version = event.version
        self.at = event.at

    @singledispatchmethod
    def _apply(self, event: Event) -> None:
        raise ReplayError(
            N_("{kind} is not a game event"), code="no-event", kind=type(event).__name__
        )

    @_apply.register
    def _noted(self, event: ExternalEvent) -> None:
        pass

    @_apply.register
    def _moved(self, event: Moved) -> None:
        if event.seat is not self.board.turn:
            raise ReplayError(
                N_("{seat} can't have moved: it was {turn}'s turn"),
                code="event-turn",
                seat=event.seat,
                turn=self.board.turn,
            )
        pressed = self.clock.press(event.at, event.lag)
        if pressed.remaining(event.seat, event.at) != event.clock:
            raise ReplayError(
                N_("the clock of {seat} can't have shown {clock} ms"),
                code="event-clock",
                seat=event.seat,
                clock=event.clock,
            )
        self.board.push(event.move)
        self.plies.append(Ply(event.seat, event.move, event.at, event.clock))
        self.clocks_before.append(self.clock)
        self.clock = pressed.start(self.board.turn, event.at)

    @_apply.register
    def _taken_back(self, event: TakenBack) -> None:
        if not 1 <= event.plies <= len(self.plies) - self.irreversible_plies:
            raise ReplayError(
                NN_("{count} ply can't be taken back", "{count} plies can't be taken back"),
                code="event-takeback",
                count=event.plies,
            )
        for _ in range(event.plies):
            self.board.pop()
            self.plies.pop()
            before = self.clocks_before.pop()
        self.clock = replace(before, since=event.at)
        self.offers.clear()

    @_apply.register
    def _left_game(self, event: PlayerEliminated) -> None:
        # A player without a legal move is out by the board, and a take-back undoes it.
        if event.seat not in self.board.eliminated:
            self.board.leave(event.seat)
            self.departures.append(Departure(event.seat, event.reason, len(self.plies)))
        if self.clock.running != self.board.turn:
            self.clock = self.clock.stop(event.at).start(self.board.turn, event.at)
        self.offers.clear()
        self.away.pop(event.seat, None)

    @_apply.register
    def _ended(self, event: Ended) -> None:
        self.outcome = event.outcome
        self.ended_by = event.by
        self.clock = self.clock.stop(event.at)
        self.offers.clear()

    @_apply.register
    def _offered(self, event: Offered) -> None:
        self.offers[event.kind] = Offer(event.kind, event.seat)

    @_apply.register
    def _accepted(self, event: Accepted) -> None:
        offer = self.offers.get(event.kind)
        if offer is None:
            raise ReplayError(
                N_("{seat} can't have accepted: there was no offer ({kind})"),
                code="event-offer",
                seat=event.seat,
                kind=event.kind,
            )
        side = self.setup.mode.side(event.seat)
        self.offers[event.kind] = replace(offer, agreed=offer.agreed | {side})

    @_apply.register
    def _declined(self, event: Declined) -> None:
        if self.offers.pop(event.kind, None) is None:
            raise ReplayError(
                N_("{seat} can't have declined: there was no offer ({kind})"),
                code="event-offer",
                seat=event.seat,
                kind=event.kind,
            )

    @_apply.register
    def _went_away(self, event: Disconnected) -> None:
        self.away[event.seat] = event.at

    @_apply.register
    def _came_back(self, event: Reconnected) -> None:
        self.away.pop(event.seat, None)

    @_apply.register
    def _resumed(self, event: Resumed) -> None:
        self.clock = self.clock.shift(event.lost)
        self.away = {seat: since + event.lost for seat, since in self.away.items()}
