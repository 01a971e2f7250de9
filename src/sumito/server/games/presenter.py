"""The presenter: games as views for clients, whole, as summaries, or as changes of an event."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, cast

import msgspec
import structlog

from sumito.game import Departure, Game, Ply
from sumito.game.events import (
    Ended,
    Event,
    Moved,
    OfferEvent,
    OfferKind,
    PlayerEliminated,
    Resumed,
    TakenBack,
)
from sumito.protocol import frames, scalars, views
from sumito.protocol.frames import Mine, Patch
from sumito.rules import notations
from sumito.rules.board import Board, Effect
from sumito.rules.modes import Colour, Mode
from sumito.rules.rules import Outcome
from sumito.server.base import metrics
from sumito.server.games.abilities import abilities
from sumito.server.games.event_rows import (
    Cancelled,
    Joined,
    Rematched,
    RematchOffered,
    Started,
    event_content,
    kind_of,
)
from sumito.server.games.room import Room, terms_of
from sumito.server.games.terms import Terms
from sumito.server.names import NAMELESS
from sumito.server.storage import SeatRow, StoredGame

_CHAT: Final = msgspec.json.Decoder(views.ChatLine)
_NAMES: Final = cast(tuple[scalars.Colour, ...], tuple(str(colour) for colour in Colour))
_MAX_CACHED: Final = 64
_THREAD_PLIES: Final = 20
"""From this number of plies on, games are replayed in a thread."""
_MAX_UNREADABLE: Final = 1_000
_unreadable: Final[dict[str, None]] = {}
"""Games that were logged as unreadable, the oldest first."""

_log = structlog.get_logger()


def colour_name(colour: Colour) -> scalars.Colour:
    """Return a colour's name in the protocol."""
    return _NAMES[colour]


def sides_of(mode: Mode) -> list[list[scalars.Colour]]:
    """Return the colours of each side."""
    return [[colour_name(colour) for colour in side] for side in mode.sides]


# A whole game.


def game_view(
    room: Room, at: int, person_id: str | None, online: Collection[str], chat: Iterable[str] = ()
) -> views.Snapshot:
    """Return the whole game for one reader."""
    terms, board, game = room.terms, room.board, room.game
    mine = viewer_fields(room, person_id, at)
    return views.Snapshot(
        id=room.id,
        mode=cast(scalars.Mode, terms.mode),
        sides=sides_of(room.mode),
        layout=terms.layout,
        rules=rules_view(terms.preset, terms.rules),
        control=terms.control,
        rated=terms.rated,
        listed=room.listed,
        takebacks=terms.takebacks and not terms.rated,
        created_at=room.created_at,
        status=cast(scalars.Status, room.status),
        seats=seat_views(room, online),
        start=terms.start,
        position=str(board.position),
        turn=_turn(room),
        captured=list(board.captured),
        ply=board.ply,
        moves=played_moves(room),
        clocks=_clocks(game, at),
        delay_left=_delay_left(game, at),
        at=at,
        offers=_offers(room),
        outcome=_outcome(room),
        rematch=room.rematch,
        spectators=spectators(room, online),
        chat=[_CHAT.decode(line) for line in chat],
        version=room.version,
        you=cast(list[scalars.Colour], mine.you),
        can=cast(list[scalars.Ability], mine.can),
        legal=cast(str, mine.legal),
    )


def rules_view(preset: str, rules: dict[str, Any]) -> views.RulesView:
    """Return rules as a view."""
    return msgspec.convert({"preset": preset} | rules, views.RulesView)


def viewer_fields(room: Room, person_id: str | None, at: int) -> Mine:
    """Return the reader's own fields of a snapshot."""
    you = room.seats_of(person_id) if person_id else []
    turn = room.game.turn if room.game else None
    legal = [move.index for move in room.board.legal_moves] if turn in you else []
    return Mine(
        you=[colour_name(colour) for colour in you],
        can=abilities(room, person_id, at),
        legal=scalars.pack(legal),
    )


def _turn(room: Room) -> scalars.Colour | None:
    turn = room.game.turn if room.game else None
    return None if turn is None else colour_name(turn)


def _clocks(game: Game | None, at: int) -> dict[scalars.Colour, int] | None:
    if game is None or game.control.budget is None:
        return None
    return {colour_name(colour): left or 0 for colour, left in game.clocks(at).items()}


def _delay_left(game: Game | None, at: int) -> int:
    return 0 if game is None else game.delay_left(at)


def _offers(room: Room) -> views.Offers:
    game = room.game
    draw = game.offer(OfferKind.DRAW) if game else None
    takeback = game.offer(OfferKind.TAKEBACK) if game else None
    return views.Offers(
        draw=[colour_name(draw.seat)] if draw else [],
        takeback=[colour_name(takeback.seat)] if takeback else [],
        rematch=[] if room.rematch else [colour_name(seat) for seat in sorted(room.rematch_by)],
        draw_agreed=[colour_name(side) for side in sorted(draw.agreed)] if draw else [],
        takeback_agreed=[colour_name(side) for side in sorted(takeback.agreed)] if takeback else [],
    )


def outcome_view(outcome: Outcome, by: Colour | None) -> views.OutcomeView:
    """Return an outcome as a view."""
    winner = None if outcome.winner is None else colour_name(outcome.winner)
    reason = cast(views.EndReason, str(outcome.reason))
    return views.OutcomeView(winner, reason, None if by is None else colour_name(by))


def _outcome(room: Room) -> views.OutcomeView | None:
    if room.outcome is None:
        return None
    return outcome_view(room.outcome, room.game.ended_by if room.game else None)


def seat_views(room: Room, online: Collection[str]) -> list[views.SeatView]:
    """Return the seats as views."""
    out = room.game.eliminated if room.game else frozenset()
    return [
        views.SeatView(
            colour=colour_name(colour),
            kind=cast(views.SeatKind, seat.kind),
            name=seat.name,
            level=seat.level,
            rating=seat.rating,
            online=seat.kind == "computer" or seat.person_id in online,
            out=colour in out,
            guest=is_guest(seat),
        )
        for colour, seat in room.seats.items()
    ]


def is_guest(seat: SeatRow) -> bool:
    """Whether a person without an account sits there; a deleted account is no guest."""
    return seat.kind == "person" and not seat.account and seat.name != NAMELESS


def spectators(room: Room, online: Collection[str]) -> int:
    """Return the number of people who watch without a seat."""
    return len(set(online) - room.people)


def presence_frame(room: Room, online: Collection[str]) -> str:
    """Return the encoded frame that says who is connected."""
    there = [one.colour for one in seat_views(room, online) if one.online]
    return frames.encode(frames.PresenceFrame(online=there, spectators=spectators(room, online)))


# Moves that were made.

_moves: Final[OrderedDict[tuple[str, int], list[views.PlayedMove]]] = OrderedDict()
"""An LRU cache of move lists: many clients open the same game at the same time."""


def played_moves(room: Room) -> list[views.PlayedMove]:
    """Return all moves of the game with their effects."""
    if room.game is None:
        return []
    key = (room.id, room.version)
    if key not in _moves:
        _cache_moves(key, _replay(room.terms, room.game.plies, room.game.departures))
    return _moves[key]


async def replay_moves(room: Room) -> None:
    """Replay a long game in a thread, so that `played_moves` has nothing left to do."""
    key, game = (room.id, room.version), room.game
    if game is None or key in _moves or game.ply_count < _THREAD_PLIES:
        return
    plies, departures = game.plies, tuple(game.departures)
    _cache_moves(key, await asyncio.to_thread(_replay, room.terms, plies, departures))


def _cache_moves(key: tuple[str, int], moves: list[views.PlayedMove]) -> None:
    _moves[key] = moves
    if len(_moves) > _MAX_CACHED:
        _moves.popitem(last=False)


def _replay(
    terms: Terms, plies: Sequence[Ply], departures: Sequence[Departure]
) -> list[views.PlayedMove]:
    board = Board.at(terms.position, rules=terms.rule_set)
    moves = []
    for played, ply in enumerate(plies):
        for leaving in departures:
            if leaving.plies == played and leaving.seat not in board.eliminated:
                board.leave(leaving.seat)
        moves.append(_move_view(board.effect(ply.move), ply, board.ply))
        board.push(ply.move)
    return moves


def _move_view(effect: Effect, ply: Ply, number: int) -> views.PlayedMove:
    return views.PlayedMove(
        ply=number,
        seat=colour_name(ply.seat),
        move=effect.move.index,
        moved=[str(cell) for cell in effect.moved],
        pushed=[str(cell) for cell in effect.pushed],
        ejected=None if effect.ejected is None else colour_name(effect.ejected),
        nacre=notations.write(effect, "nacre"),
        clock=ply.clock,
    )


def _last_played(game: Game) -> views.PlayedMove:
    board = game.board
    effect = board.last_effect()
    assert effect is not None
    assert game.last_ply is not None
    return _move_view(effect, game.last_ply, board.ply - 1)


# Events.


def changes_seats(event: Event) -> bool:
    """Whether an event changes the seats' views."""
    return isinstance(event, Joined | Started | PlayerEliminated)


def event_frames(
    room: Room, events: Sequence[Event], at: int, online: Collection[str]
) -> list[str]:
    """Encode the room's latest events; the last frame carries all changed fields."""
    made = [event.version for event in events if isinstance(event, Moved)]
    if len(made) == 1:
        assert room.game is not None
        moves = [_last_played(room.game)]
    else:
        moves = played_moves(room)[-len(made) :] if made else []
    played = dict(zip(made, moves, strict=True))
    patch = patch_of(room, events, at, online)
    return [
        frames.encode(
            frames.EventFrame(
                version=event.version,
                event=_event_view(event, played.get(event.version)),
                patch=patch if event is events[-1] else Patch(),
            )
        )
        for event in events
    ]


_KINDS: Final[dict[str, Any]] = {
    str(kind.__struct_config__.tag): kind for kind in cast(Any, frames.GameEvent).__args__
}


def _event_view(event: Event, played: views.PlayedMove | None) -> frames.GameEvent:
    if played is not None:
        return frames.Moved(*msgspec.structs.astuple(played))
    if isinstance(event, Ended):
        return frames.Ended(outcome_view(event.outcome, event.by))
    found: frames.GameEvent = msgspec.convert(
        {"type": kind_of(event)} | event_content(event), frames.GameEvent
    )
    return found


def patch_of(room: Room, events: Sequence[Event], at: int, online: Collection[str]) -> Patch:
    """Return the fields of a snapshot that these events have changed."""
    kinds = tuple(type(event) for event in events)

    def any_of(*wanted: type[Event]) -> bool:
        return any(issubclass(kind, wanted) for kind in kinds)

    changed: dict[str, Any] = {}
    turns = any_of(Moved, TakenBack, PlayerEliminated, Started, Ended)
    if turns:
        changed |= {"turn": _turn(room), "ply": room.board.ply}
    if turns or any_of(Resumed):
        changed["clocks"] = _clocks(room.game, at)
        if room.game is not None and room.game.control.delay:
            changed["delay_left"] = room.game.delay_left(at)
    if any_of(Moved, TakenBack):
        changed["captured"] = list(room.board.captured)
    if any_of(OfferEvent, TakenBack, PlayerEliminated, Ended, RematchOffered, Rematched):
        changed["offers"] = _offers(room)
    if any_of(Started, Ended, Cancelled):
        changed |= {"status": room.status, "outcome": _outcome(room)}
    if any_of(Joined, Started, PlayerEliminated) or (
        any_of(TakenBack) and room.mode is not Mode.TWO
    ):
        changed["seats"] = seat_views(room, online)
    if any_of(Rematched):
        changed["rematch"] = room.rematch
    return Patch(**changed)


def viewer_fields_by_person(room: Room, events: Sequence[Event], at: int) -> dict[str, str]:
    """Return the encoded own fields of each player; "" stands for everybody else."""
    found = {person: frames.encode(viewer_fields(room, person, at)) for person in room.people}
    if any(isinstance(event, Joined | Started | Cancelled | Ended) for event in events):
        found[""] = frames.encode(viewer_fields(room, None, at))
    return found


# Lists.


def summary(stored: StoredGame) -> views.Summary:
    """Return a game's summary for lists."""
    terms: Terms = terms_of(stored.terms)
    seats = {seat.colour: seat for seat in stored.seats}
    return views.Summary(
        id=stored.id,
        mode=cast(scalars.Mode, terms.mode),
        layout=terms.layout,
        control=terms.control,
        rated=terms.rated,
        status=cast(scalars.Status, stored.status),
        seats=[
            views.SeatSummary(
                colour_name(colour),
                cast(views.SeatKind, seat.kind),
                seat.name,
                seat.level,
                seat.rating,
                is_guest(seat),
            )
            for colour in Mode.parse(terms.mode).colours
            for seat in [seats[str(colour)]]
        ],
        position=stored.position,
        moves=stored.moves,
        outcome=_stored_outcome(stored),
        created_at=stored.created_at,
    )


def summaries(found: Iterable[StoredGame]) -> list[views.Summary]:
    """Return the summaries of games; unreadable ones are left out and logged once each."""
    shown = []
    for stored in found:
        try:
            shown.append(summary(stored))
        except Exception:
            if stored.id not in _unreadable:
                metrics.UNREADABLE.labels("list").inc()
                _log.exception("a game can't be shown", game=stored.id)
            _unreadable[stored.id] = None
            if len(_unreadable) > _MAX_UNREADABLE:
                del _unreadable[next(iter(_unreadable))]
    return shown


def _stored_outcome(stored: StoredGame) -> views.OutcomeView | None:
    if not stored.reason:
        return None
    winner = cast(scalars.Colour | None, stored.winner)
    return views.OutcomeView(winner, cast(views.EndReason, stored.reason))
