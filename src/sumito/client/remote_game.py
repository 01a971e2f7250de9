"""A game at a server as its client knows it: a snapshot, updated by the server's frames."""

from __future__ import annotations

import time

import msgspec

from sumito.protocol import frames, requests, views
from sumito.record import Record
from sumito.rules.board import Board
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.rules.rules import Outcome, Reason, Rules


def rules_from_view(view: views.RulesView) -> Rules:
    """Return the rules that a game at the server is played by."""
    options = msgspec.structs.asdict(view)
    del options["preset"]
    options["first"] = Colour.parse(options["first"])
    return Rules(**options)


class RemoteGame:
    """A game that follows its events. `boards` has every position, the present one last."""

    view: views.Snapshot
    boards: list[Board]

    def __init__(self, view: views.Snapshot) -> None:
        self._replace(view)

    @property
    def board(self) -> Board:
        """The present board."""
        return self.boards[-1]

    @property
    def my_seats(self) -> frozenset[Colour]:
        """The seats that this client plays."""
        return frozenset(Colour.parse(seat) for seat in self.view.you)

    @property
    def turn(self) -> Colour | None:
        """The seat to move; `None` before the game begins and after it ends."""
        return None if self.view.turn is None else Colour.parse(self.view.turn)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; `None` while it goes on."""
        if self.view.outcome is None:
            return None
        winner = self.view.outcome.winner
        return Outcome(
            None if winner is None else Colour.parse(winner), Reason(self.view.outcome.reason)
        )

    def clocks(self) -> dict[Colour, int]:
        """Return the time left per seat, in milliseconds; empty in a game without a clock."""
        if self.view.clocks is None:
            return {}
        elapsed = round((time.monotonic() - self._received_at) * 1000)
        control = self.view.control
        delay = control.delay_ms if isinstance(control, requests.Delay) else 0
        return {
            Colour.parse(seat): max(0, left - max(0, elapsed - delay))
            if seat == self.view.turn
            else left
            for seat, left in self.view.clocks.items()
        }

    def apply(self, frame: frames.Frame) -> bool:
        """Take in a frame; return whether the game is up to date, or a version was missed."""
        match frame:
            case frames.StateFrame(game=game):
                self._replace(game)
            case frames.EventFrame():
                if frame.version != self.view.version + 1:
                    return False
                self._apply_event(frame)
            case frames.PresenceFrame(online=online, mine=mine):
                self._change(mine)
                seats = [
                    msgspec.structs.replace(seat, online=seat.colour in online)
                    if seat.kind == "person"
                    else seat
                    for seat in self.view.seats
                ]
                self.view = msgspec.structs.replace(self.view, seats=seats)
            case frames.ChatFrame(line=line):
                self.view = msgspec.structs.replace(self.view, chat=[*self.view.chat, line])
        return True

    def record(self) -> Record:
        """Return the game as a record, with clocks, departures and the result."""
        tags = {Colour.parse(seat.colour).name.capitalize(): seat.name for seat in self.view.seats}
        departures: dict[int, tuple[Colour, ...]] = {}
        for plies, seat in self._departures:
            departures[plies] = (*departures.get(plies, ()), seat)
        start = self._start()
        return Record.from_moves(
            start.position,
            [move for move, _ in self._plies],
            rules=start.rules,
            clocks=[clock for _, clock in self._plies],
            departures=departures,
            tags=tags | {"TimeControl": str(self.view.control.control())},
            result=self.outcome,
        )

    def _start(self) -> Board:
        return Board.parse(self.view.start, rules=rules_from_view(self.view.rules))

    def _replace(self, view: views.Snapshot) -> None:
        self.view = view
        self._received_at = time.monotonic()
        self.boards = [self._start()]
        self._plies: list[tuple[Move, int | None]] = []
        self._departures: list[tuple[int, Colour]] = []
        for played in view.moves:
            while self.board.turn is not Colour.parse(played.seat):
                self._leave(self.board.turn)  # a snapshot says who is out, but not since when
            self._push(Move.of(played.move), played.clock)
        for seat in view.seats:
            if seat.out:
                self._leave(Colour.parse(seat.colour))

    def _apply_event(self, frame: frames.EventFrame) -> None:
        match frame.event:
            case frames.Moved(move=move, clock=clock):
                self._push(Move.of(move), clock)
            case frames.TakenBack(plies=plies):
                del self.boards[len(self.boards) - plies :]
                del self._plies[len(self._plies) - plies :]
            case frames.PlayerEliminated(seat=seat):
                self._leave(Colour.parse(seat))
        self._change(frame.patch)
        self._change(frame.mine)
        self.view = msgspec.structs.replace(self.view, version=frame.version)
        self._received_at = time.monotonic()

    def _push(self, move: Move, clock: int | None) -> None:
        board = self.board.copy()
        board.push(move)
        self.boards.append(board)
        self._plies.append((move, clock))

    def _leave(self, seat: Colour) -> None:
        # The board may have eliminated a player who can't move before the server said so.
        if seat not in self.board.eliminated:
            board = self.board.copy()
            board.leave(seat)
            self.boards[-1] = board
            self._departures.append((len(self._plies), seat))

    def _change(self, changes: frames.Patch | frames.Mine | msgspec.UnsetType) -> None:
        if not isinstance(changes, msgspec.UnsetType):
            known = {
                name: value
                for name, value in msgspec.structs.asdict(changes).items()
                if value is not msgspec.UNSET
            }
            self.view = msgspec.structs.replace(self.view, **known)
