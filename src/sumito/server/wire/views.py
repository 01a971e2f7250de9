"""Games as clients see them: whole, as a line of a list, or just what an event has changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from sumito.game import Game
from sumito.game.events import Event, LeftGame, Moved
from sumito.server.game.codec import Joined, Started, kind_of, plain
from sumito.server.game.room import Room
from sumito.server.game.terms import Terms
from sumito.server.store import StoredGame
from sumito.server.wire.messages import (
    ChatLine,
    GameView,
    OutcomeView,
    SeatSummary,
    SeatView,
    Summary,
)

_TERMS: Final = msgspec.json.Decoder(Terms)
_CHAT: Final = msgspec.json.Decoder(ChatLine)


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is connected to a game."""

    people: frozenset[str] = frozenset()

    def spectators(self, room: Room) -> int:
        return len(self.people - {seat.person_id for seat in room.seats.values()})


def game_view(
    room: Room, at: int, person_id: str | None, audience: Audience, chat: Iterable[str] = ()
) -> GameView:
    """All of a game, for one reader."""
    terms = room.terms
    changing = changing_fields(room, at)
    seats = [msgspec.convert(seat, SeatView) for seat in seat_fields(room, audience.people)]
    mine = [str(colour) for colour in room.seats_of(person_id)] if person_id else []
    return GameView(
        id=room.id,
        mode=terms.mode,
        layout=terms.layout,
        rules={"preset": terms.preset} | terms.rules,
        control=terms.control,
        rated=terms.rated,
        listed=room.listed,
        created_at=room.created_at,
        seats=[msgspec.structs.replace(seat, you=seat.colour in mine) for seat in seats],
        start=terms.start,
        moves=room.moves,
        spectators=audience.spectators(room),
        chat=[_CHAT.decode(line) for line in chat],
        version=room.version,
        you=mine,
        **changing,
    )


def changing_fields(room: Room, at: int) -> dict[str, Any]:
    """The fields that events change, but for the seats."""
    board, game = room.board, room.game
    outcome = room.outcome
    playing = room.status == "playing"
    return {
        "status": room.status,
        "position": str(board.position),
        "turn": str(board.turn) if playing else None,
        "captured": list(board.captured),
        "ply": board.ply,
        "legal": room.legal,
        "clocks": _clocks(game, at),
        "running": _running(game),
        "at": at,
        "offers": _offers(room),
        "outcome": None
        if outcome is None
        else OutcomeView(
            None if outcome.winner is None else str(outcome.winner), str(outcome.reason)
        ),
        "claimable": [str(colour) for colour in room.claimable(at)],
        "rematch": room.rematch,
    }


def _clocks(game: Game | None, at: int) -> dict[str, int] | None:
    if game is None:
        return None
    clocks = game.clocks(at)
    if None in clocks.values():
        return None
    return {str(colour): left or 0 for colour, left in clocks.items()}


def _running(game: Game | None) -> str | None:
    if game is None or game.turn is None or game.setup.control.budget is None:
        return None
    return str(game.turn)


def _offers(room: Room) -> dict[str, list[str]]:
    offers: dict[str, list[str]] = {"draw": [], "takeback": [], "rematch": []}
    for offer in room.game.offers if room.game else ():
        offers[offer.kind.name.lower()].append(str(offer.seat))
    if not room.rematch:
        offers["rematch"] = [str(seat) for seat in sorted(room.rematch_by)]
    return offers


def seat_fields(room: Room, online: Collection[str]) -> list[dict[str, Any]]:
    """The seats for everybody; whose is whose is added for each reader."""
    out = room.game.out if room.game else frozenset()
    return [
        {
            "colour": str(colour),
            "kind": seat.kind,
            "name": seat.name,
            "level": seat.level,
            "online": seat.kind == "computer" or seat.person_id in online,
            "you": False,
            "out": colour in out,
            "rating": seat.rating,
        }
        for colour in room.mode.colours
        for seat in [room.seats[colour]]
    ]


def changes_seats(event: Event) -> bool:
    """Do the seats look different after this event?"""
    return isinstance(event, Joined | Started | LeftGame)


def event_frames(
    room: Room, events: Sequence[Event], at: int, online: Collection[str]
) -> list[str]:
    """The room's latest events as frames; the last one carries all that has changed."""
    patch = changing_fields(room, at)
    if any(changes_seats(event) for event in events):
        patch["seats"] = seat_fields(room, online)
    made = [event for event in events if isinstance(event, Moved)]
    entries = dict(zip((event.version for event in made), room.moves[-len(made) :], strict=False))
    frames = []
    for event in events:
        content: dict[str, Any] = {"type": kind_of(event)}
        if event.version in entries:
            content |= msgspec.structs.asdict(entries[event.version])
        else:
            content |= plain(event)
        is_last = event is events[-1]
        frames.append(
            encode_frame(
                {
                    "type": "event",
                    "version": event.version,
                    "event": content,
                    "patch": patch | {"version": event.version} if is_last else {},
                }
            )
        )
    return frames


def encode_frame(content: Any) -> str:
    """A message as the text of a WebSocket frame."""
    return msgspec.json.encode(content).decode()


def summary(stored: StoredGame) -> Summary:
    """A game as a line of a list."""
    terms = _TERMS.decode(stored.terms)
    seats = {seat.colour: seat for seat in stored.seats}
    return Summary(
        id=stored.id,
        mode=terms.mode,
        layout=terms.layout,
        control=terms.control,
        rated=terms.rated,
        status=stored.status,
        seats=[
            SeatSummary(seat.colour, seat.kind, seat.name, seat.level)
            for colour in terms.position.mode.colours
            for seat in [seats[str(colour)]]
        ],
        position=stored.position,
        moves=stored.moves,
        outcome=OutcomeView(stored.winner, stored.reason) if stored.reason else None,
        created_at=stored.created_at,
    )
