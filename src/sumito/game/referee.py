"""Decides commands: turns each into the events it causes, or refuses it with an error.

Conventions beyond the rulebook:

*Draws.* An offer goes to every other side still in play; one player answers for a side. It stays
open until all have accepted or one declines. A move by a side that has not answered yet declines
it; a move by the side that offered leaves it open.
*Take-backs.* Only in unrated games, and only if every other side accepts. The player's last move
and all later ones are undone, clocks included; departures are never undone. Any move made in the
meantime declines the request.
*Departures* (resignation, flag, claim) follow the rule set: with two players they lose. All offers
lapse when someone leaves or a move is taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import singledispatchmethod
from typing import Final

from sumito.errors import (
    ClaimError,
    GameOverError,
    InvalidCommandError,
    NoSuchOfferError,
    NoSuchSeatError,
    NotYourTurnError,
    OfferStandsError,
    OutOfGameError,
    TakebackError,
    TimeError,
    TooLateError,
)
from sumito.game.commands import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    Award,
    Claim,
    Command,
    DeclineDraw,
    DeclineTakeback,
    Disconnect,
    Flag,
    OfferDraw,
    Play,
    Reconnect,
    Resign,
    Resume,
    SeatCommand,
)
from sumito.game.events import (
    Accepted,
    Declined,
    Disconnected,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Ended,
    Event,
    Moved,
    OfferKind,
    PlayerEliminated,
    Reconnected,
    Resumed,
    TakebackAccepted,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
)
from sumito.game.state import Offer, State
from sumito.i18n.messages import N_, NN_
from sumito.rules.modes import Colour, Mode
from sumito.rules.rules import LeaveTeams, LeaveThree, Outcome, Reason
from sumito.validate import check_milliseconds

_ACCEPTED: Final[Mapping[OfferKind, type[Accepted]]] = {
    OfferKind.DRAW: DrawAccepted,
    OfferKind.TAKEBACK: TakebackAccepted,
}
_DECLINED: Final[Mapping[OfferKind, type[Declined]]] = {
    OfferKind.DRAW: DrawDeclined,
    OfferKind.TAKEBACK: TakebackDeclined,
}
_OWN_OFFER: Final = {
    OfferKind.DRAW: N_("the draw offer is {seat}'s: only the other side can answer it"),
    OfferKind.TAKEBACK: N_("the take-back offer is {seat}'s: only the other side can answer it"),
}
_AGREED: Final = {
    OfferKind.DRAW: N_("{seat}'s side has already agreed to the draw"),
    OfferKind.TAKEBACK: N_("{seat}'s side has already agreed to the take-back"),
}
_NO_OFFER: Final = {
    OfferKind.DRAW: N_("there is no draw offer to answer"),
    OfferKind.TAKEBACK: N_("there is no take-back offer to answer"),
}


class Referee:
    """Decides commands at one time on one state, which it changes: pass a copy."""

    def __init__(self, state: State, at: int) -> None:
        self.state = state
        self.at = at
        self.setup = state.setup
        self.mode = state.setup.mode

    def check(self, command: Command) -> None:
        """Raise `CommandError` for a wrong time, a wrong seat or a finished game."""
        if self.state.outcome is not None:
            raise GameOverError(N_("the game is over ({reason})"), reason=self.state.outcome.reason)
        check_milliseconds("at", self.at, TimeError)
        if self.at < self.state.at:
            raise TimeError(
                N_("the time {at} is before the last event at {last}"),
                last=self.state.at,
                at=self.at,
            )
        if isinstance(command, SeatCommand):
            seat = command.seat
            if not isinstance(seat, Colour) or seat not in self.mode.colours:
                raise NoSuchSeatError(
                    N_("mode {mode} has no seat {seat}"), mode=self.mode, seat=seat
                )
            if seat in self.state.board.eliminated:
                raise OutOfGameError(N_("{seat} has left the game"), seat=seat)

    def apply_all(self, events: Iterator[Event]) -> tuple[Event, ...]:
        """Apply events one by one as they are decided; return them."""
        applied = []
        for event in events:
            numbered = replace(event, version=self.state.version + 1, at=self.at)
            self.state.apply(numbered)
            applied.append(numbered)
        return tuple(applied)

    def flag_is_down(self, command: Command) -> bool:
        """Whether the player to move ran out of time before this command."""
        if isinstance(command, Resume):  # the command itself reports how much time to subtract
            return False
        turn = self.state.board.turn
        lag = self.setup.lag_limit
        if isinstance(command, Play) and command.seat is turn:
            lag = self._granted(command)
        return self.state.clock.flagged(turn, self.at - lag)

    def _granted(self, play: Play) -> int:
        return max(0, min(play.lag, self.setup.lag_limit))

    def flag(self) -> Iterator[Event]:
        """Decide the fall of the flag of the player to move."""
        return self.leave((self.state.board.turn,), Reason.FLAG)

    def mark_present(self, command: Command) -> Iterator[Event]:
        """Decide that a player is back: any command of an absent seat but `Disconnect` says so."""
        match command:
            case Disconnect():
                return
            case SeatCommand(seat) if seat in self.state.away:
                yield Reconnected(seat)

    @singledispatchmethod
    def handle(self, command: Command) -> Iterator[Event]:
        """Yield the events that a command causes."""
        raise InvalidCommandError(
            N_("{kind} is not a game command"), code="no-command", kind=type(command).__name__
        )

    @handle.register
    def _play(self, command: Play) -> Iterator[Event]:
        state, seat = self.state, command.seat
        if seat is not state.board.turn:
            raise NotYourTurnError(
                N_("it is {turn}'s turn, not {seat}'s"), turn=state.board.turn, seat=seat
            )
        yield from self._lapse(seat)
        lag = self._granted(command)
        clock = state.clock.press(self.at, lag).remaining(seat, self.at)
        out = state.board.eliminated
        yield Moved(seat, command.move, clock, lag)
        yield from self._follow_board(out)

    def _lapse(self, mover: Colour) -> Iterator[Event]:
        """Decline the offers that a move answers."""
        draw = self.state.offers.get(OfferKind.DRAW)
        side = self.mode.side(mover)
        if draw and side is not self.mode.side(draw.seat) and side not in draw.agreed:
            yield DrawDeclined(mover)
        if OfferKind.TAKEBACK in self.state.offers:
            yield TakebackDeclined(mover)

    def _follow_board(self, out: frozenset[Colour]) -> Iterator[Event]:
        """Yield the eliminations and the end that follow from the board after the last event."""
        for seat in sorted(self.state.board.eliminated - out):
            yield PlayerEliminated(seat, Reason.NO_MOVE)
        outcome = self.state.board.outcome()
        if outcome is not None:
            yield Ended(outcome)

    # Departures.

    @handle.register
    def _resign(self, command: Resign) -> Iterator[Event]:
        return self.leave((command.seat,), Reason.RESIGNED)

    @handle.register
    def _flag(self, _: Flag) -> Iterator[Event]:
        return iter(())  # a fallen flag was handled before

    @handle.register
    def _abort(self, _: Abort) -> Iterator[Event]:
        if not self.state.can_abort:
            raise TooLateError(N_("the game has begun: it can be resigned, but not aborted"))
        yield Ended(Outcome(None, Reason.ABORTED))

    @handle.register
    def _claim(self, command: Claim) -> Iterator[Event]:
        absent = self._absent_opponents(command.seat)
        if not absent:
            raise ClaimError(
                NN_(
                    "no opponent has been away for {count} second",
                    "no opponent has been away for {count} seconds",
                ),
                count=-(-self.setup.away_grace // 1000),
            )
        if command.award is Award.WIN:
            yield from self.leave(absent, Reason.ABANDONED)
            return
        present = self._others(command.seat) - {self.mode.side(seat) for seat in absent}
        if present:
            raise ClaimError(
                N_("no draw can be claimed while {seat} is connected"),
                code="claim-draw",
                seat=min(present),
            )
        yield Ended(Outcome(None, Reason.ABANDONED))

    def _absent_opponents(self, seat: Colour) -> tuple[Colour, ...]:
        side, grace = self.mode.side(seat), self.setup.away_grace
        return tuple(
            other
            for other, since in sorted(self.state.away.items())
            if self.mode.side(other) is not side and self.at - since >= grace
        )

    def leave(self, seats: tuple[Colour, ...], reason: Reason) -> Iterator[Event]:
        """Decide departures: the others play on or the game ends, by the rule set."""
        if not self._others_play_on():
            by = seats[0] if len(seats) == 1 else None
            yield Ended(Outcome(self._winner_without(seats), reason), by)
            return
        for seat in seats:
            out = self.state.board.eliminated | {seat}
            yield PlayerEliminated(seat, reason)
            yield from self._follow_board(out)
            if self.state.outcome is not None:
                return

    def _others_play_on(self) -> bool:
        if self.mode is Mode.THREE:
            return self.setup.rules.leave_three is LeaveThree.OUT
        return self.mode is not Mode.TWO and self.setup.rules.leave_teams is LeaveTeams.PARTNER

    def _winner_without(self, seats: tuple[Colour, ...]) -> Colour | None:
        """Return the winner if these leave: of the other sides, the one that ejected most."""
        stay = self._sides_in() - {self.mode.side(seat) for seat in seats}
        captured = self.state.board.captured
        most = max(captured[side] for side in stay)
        best = [side for side in stay if captured[side] == most]
        return best[0] if len(best) == 1 else None

    def _sides_in(self) -> set[Colour]:
        out = self.state.board.eliminated
        return {self.mode.side(seat) for seat in self.mode.colours if seat not in out}

    def _others(self, seat: Colour) -> set[Colour]:
        return self._sides_in() - {self.mode.side(seat)}

    # Offers.

    @handle.register
    def _offer_draw(self, command: OfferDraw) -> Iterator[Event]:
        standing = self.state.offers.get(OfferKind.DRAW)
        if standing is None:
            yield DrawOffered(command.seat)
        elif self.mode.side(standing.seat) is self.mode.side(command.seat):
            raise OfferStandsError(
                N_("{seat} has already offered a draw"), code="draw-offered", seat=standing.seat
            )
        else:
            yield from self._accept(OfferKind.DRAW, command.seat)

    @handle.register
    def _ask_takeback(self, command: AskTakeback) -> Iterator[Event]:
        if self.setup.rated:
            raise TakebackError(
                N_("take-backs are not available in rated games"), code="takeback-rated"
            )
        self._plies_back(command.seat)  # raises an error if there is nothing to take back
        standing = self.state.offers.get(OfferKind.TAKEBACK)
        if standing is not None:
            raise OfferStandsError(
                N_("{seat} has already asked for a take-back"),
                code="takeback-asked",
                seat=standing.seat,
            )
        yield TakebackAsked(command.seat)

    @handle.register
    def _accept_offer(self, command: AcceptDraw | AcceptTakeback) -> Iterator[Event]:
        takeback = isinstance(command, AcceptTakeback)
        return self._accept(OfferKind.TAKEBACK if takeback else OfferKind.DRAW, command.seat)

    @handle.register
    def _decline_offer(self, command: DeclineDraw | DeclineTakeback) -> Iterator[Event]:
        takeback = isinstance(command, DeclineTakeback)
        kind = OfferKind.TAKEBACK if takeback else OfferKind.DRAW
        self._standing(kind)
        yield _DECLINED[kind](command.seat)

    def _accept(self, kind: OfferKind, seat: Colour) -> Iterator[Event]:
        offer = self._standing(kind)
        side = self.mode.side(seat)
        if side is self.mode.side(offer.seat):
            raise NoSuchOfferError(_OWN_OFFER[kind], code="own-offer", seat=offer.seat)
        if side in offer.agreed:
            raise OfferStandsError(_AGREED[kind], code="agreed-already", seat=seat)
        yield _ACCEPTED[kind](seat)
        if not self._others(offer.seat) <= self._standing(kind).agreed:
            return
        if kind is OfferKind.DRAW:
            yield Ended(Outcome(None, Reason.AGREED))
        else:
            yield TakenBack(self._plies_back(offer.seat))

    def _standing(self, kind: OfferKind) -> Offer:
        offer = self.state.offers.get(kind)
        if offer is None:
            raise NoSuchOfferError(_NO_OFFER[kind])
        return offer

    def _plies_back(self, seat: Colour) -> int:
        """Return the number of plies to take back to undo the seat's last move."""
        open_plies = self.state.plies[self.state.irreversible_plies :]
        for count, ply in enumerate(reversed(open_plies), 1):
            if ply.seat is seat:
                return count
        raise TakebackError(
            N_("{seat} has no move that could be taken back"),
            code="nothing-to-take-back",
            seat=seat,
        )

    # Presence and uncharged time.

    @handle.register
    def _left(self, command: Disconnect) -> Iterator[Event]:
        if command.seat not in self.state.away:
            yield Disconnected(command.seat)

    @handle.register
    def _returned(self, _: Reconnect) -> Iterator[Event]:
        return iter(())  # `mark_present` has reported it

    @handle.register
    def _resume(self, command: Resume) -> Iterator[Event]:
        if command.stopped_at > self.at:
            raise TimeError(
                N_("stopped_at {stopped_at} is after the current time {at}"),
                code="stop-in-future",
                stopped_at=command.stopped_at,
                at=self.at,
            )
        # An event after the reported stop proves that the server was up until then.
        lost = self.at - max(command.stopped_at, self.state.at)
        if lost:
            yield Resumed(lost)
