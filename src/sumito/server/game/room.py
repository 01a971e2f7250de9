"""A game as one process knows it: the seats, and its story folded so far.

A room is a cache. It can be dropped at any time and made again from what is stored, and when it
turns out to be behind, it catches up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from sumito.board import Board
from sumito.board import Effect as BoardEffect
from sumito.cells import Mask
from sumito.game import Game
from sumito.game.events import Event, LeftGame, Moved, TakenBack
from sumito.modes import Colour, Mode
from sumito.move import Move
from sumito.rules import Outcome, Reason
from sumito.server.game.codec import (
    Around,
    Cancelled,
    Rematched,
    RematchOffered,
    Started,
    from_entry,
)
from sumito.server.game.terms import Terms
from sumito.server.store import Entry, SeatRow, StoredGame
from sumito.server.wire.messages import EffectView, MovedView

_TERMS: Final = msgspec.json.Decoder(Terms)


class Room:
    """One game. Only what has been committed is folded into it."""

    def __init__(self, stored: StoredGame, entries: Iterable[Entry]) -> None:
        self.id = stored.id
        self.creator = stored.creator
        self.created_at = stored.created_at
        self.listed = stored.listed
        self.terms = _TERMS.decode(stored.terms)
        self.mode = Mode.parse(self.terms.mode)
        self.lock = asyncio.Lock()
        self.version = 0
        self.at = stored.created_at
        self.game: Game | None = None
        self.cancelled = False
        self.rematch: str | None = None
        self.rematch_by: frozenset[Colour] = frozenset()
        self.moves: list[MovedView] = []
        self.refs: dict[tuple[str | None, str], int] = {}
        self._offset = 0
        self._board = Board.at(self.terms.position, rules=self.terms.rule_set)
        self._legal: tuple[int, list[EffectView]] = (-1, [])
        self.sit(stored.seats)
        self.follow(entries)

    def sit(self, seats: Sequence[SeatRow]) -> None:
        """Let people sit as the database says."""
        by_name = {seat.colour: seat for seat in seats}
        self.seats = {colour: by_name[str(colour)] for colour in self.mode.colours}

    # Asking.

    @property
    def status(self) -> str:
        if self.outcome is not None:
            return "over"
        return "waiting" if self.game is None else "playing"

    @property
    def outcome(self) -> Outcome | None:
        if self.cancelled:
            return Outcome(None, Reason.ABORTED)
        return self.game.outcome if self.game else None

    @property
    def board(self) -> Board:
        """The board; whoever wants to change it takes a copy."""
        return self._board

    @property
    def turn_seat(self) -> SeatRow | None:
        """Who is to move in a game in play."""
        turn = self.game.turn if self.game else None
        return None if turn is None else self.seats[turn]

    def seats_of(self, person_id: str) -> list[Colour]:
        return [colour for colour, seat in self.seats.items() if seat.person_id == person_id]

    @property
    def open_seats(self) -> list[Colour]:
        return [colour for colour in self.mode.colours if self.seats[colour].kind == "open"]

    @property
    def legal(self) -> list[EffectView]:
        """The legal moves with their effects, worked out once for each version."""
        version, legal = self._legal
        if version != self.version:
            playing = self.status == "playing"
            legal = _legal_views(self._board) if playing else []
            self._legal = (self.version, legal)
        return legal

    def claimable(self, at: int) -> list[Colour]:
        """The seats that could claim the game now."""
        game = self.game
        if game is None or game.outcome:
            return []
        gone = {
            self.mode.side(seat)
            for seat, since in game.away.items()
            if at - since >= game.setup.away_grace
        }
        return [
            colour
            for colour in self.mode.colours
            if colour not in game.out and gone - {self.mode.side(colour)}
        ]

    def board_at(self, plies: int) -> Board:
        """The board after so many plies."""
        board = Board.at(self.terms.position, rules=self.terms.rule_set)
        leavings = self.game.leavings if self.game else ()
        for played, moved in enumerate([*self.moves[:plies], None]):
            for leaving in leavings:
                if leaving.plies == played and leaving.seat not in board.out:
                    board.leave(leaving.seat)
            if moved is not None:
                board.push(Move.parse(moved.move))
        return board

    # Following.

    def numbered(self, events: Iterable[Event], at: int) -> tuple[Event, ...]:
        """Events that the next versions of this story are."""
        return tuple(
            replace(event, version=self.version + count, at=at)
            for count, event in enumerate(events, 1)
        )

    def advance(self, events: Iterable[Event], game: Game | None) -> None:
        """Take over what has been decided on a copy and is now stored."""
        for event in events:
            self._note(event)
        if game is not None:
            self.game = game

    def follow(self, entries: Iterable[Entry]) -> None:
        """Take over what was stored elsewhere."""
        own: list[Event] = []
        for entry in entries:
            event = from_entry(entry)
            self._note(event)
            if entry.ref:
                self.refs[entry.person_id, entry.ref] = entry.version
            if not isinstance(event, Around):
                own.append(replace(event, version=event.version - self._offset))
        if own:
            assert self.game is not None
            self.game.follow(own)

    def _note(self, event: Event) -> None:
        match event:
            case Started():
                self._offset = event.version
                names = {colour: seat.name for colour, seat in self.seats.items()}
                self.game = Game.begin(self.terms.setup(names, event.at))
            case Moved(seat=seat, move=move, clock=clock):
                self.moves.append(self._moved(seat, self._board.effect(move), clock))
                self._board.push(move)
            case TakenBack(plies=plies):
                for _ in range(plies):
                    self._board.pop()
                    self.moves.pop()
            case LeftGame(seat=seat):
                if seat not in self._board.out:
                    self._board.leave(seat)
            case Cancelled():
                self.cancelled = True
            case RematchOffered(seat=seat):
                self.rematch_by |= {seat}
            case Rematched(id=id):
                self.rematch = id
        self.version = event.version
        self.at = event.at

    def _moved(self, seat: Colour, effect: BoardEffect, clock: int | None) -> MovedView:
        view = effect_view(effect)
        return MovedView(
            move=view.move,
            direction=view.direction,
            moved=view.moved,
            pushed=view.pushed,
            ejected=view.ejected,
            ply=self._board.ply,
            seat=str(seat),
            nacre=self._board.notate(effect.move, notation="nacre"),
            clock=clock,
        )


_PLAIN: Final[dict[tuple[int, Mask], EffectView]] = {}
"""The views of moves that push nothing, by the move and the cells it moves: there are 3,000."""


def _legal_views(board: Board) -> list[EffectView]:
    """All legal moves; what pushes nothing looks the same on every board."""
    friends = board.friends_mask(board.turn)
    views = []
    for move in board.legal_moves:
        segment = board.segment_mask(move)
        key = (move.index, segment)
        view = _PLAIN.get(key)
        if view is None or segment & ~friends:
            view = effect_view(board.effect(move))
            if not view.pushed:
                _PLAIN[key] = view
        views.append(view)
    return views


def effect_view(effect: BoardEffect) -> EffectView:
    """An effect as clients are told it."""
    return EffectView(
        move=effect.move.name,
        direction=effect.direction.name,
        moved=[str(cell) for cell in effect.moved],
        pushed=[str(cell) for cell in effect.pushed],
        ejected=None if effect.ejected is None else str(effect.ejected),
    )
