"""Decisions: from a room and a command to events; nothing is stored here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from sumito.game import Game, commands
from sumito.game.events import Ended, Event, OfferKind
from sumito.protocol import commands as messages
from sumito.rules.modes import Colour
from sumito.rules.move import MOVES
from sumito.rules.rules import Outcome, Reason
from sumito.server.base.i18n import N_
from sumito.server.games import seats as seating
from sumito.server.games.abilities import taking_back
from sumito.server.games.event_rows import Cancelled, Joined, Started
from sumito.server.games.room import Room
from sumito.server.games.terms import Terms
from sumito.server.ratings.ratings import FEWEST_MOVES, RatedResult
from sumito.server.refusals import Conflict, Forbidden, game_over, not_started, players_only
from sumito.server.storage import Person, SeatRow, StoredGame


@dataclass(frozen=True, slots=True)
class Decision:
    """The events that a command leads to, and what is stored with them."""

    events: Sequence[Event]
    game: Game | None = None
    """The game after the events; None if none of them is the game's own."""
    seats: tuple[SeatRow, ...] = ()
    sequel: StoredGame | None = None
    terms: Terms | None = None
    """Changed terms; clients get the whole game again."""


Decide = Callable[[Room, int], Decision]


def apply(room: Room, command: commands.Command, at: int) -> Decision:
    """Return the game's decision on a command."""
    if room.game is None:
        raise not_started()
    return Decision(*room.game.decide(command, at))


def own_seat(room: Room, person_id: str, message: messages.SeatMessage) -> Colour:
    """Return the seat of a command; raise `Forbidden` if it is not the sender's.

    Unless named, it is the sender's seat to move or to answer, or the first that still plays.
    """
    if message.seat is not None:
        colour = seating.parse_seat(message.seat, room.mode)
        if room.seats[colour].person_id != person_id:
            raise Forbidden("not-your-seat", N_("This seat is somebody else's."))
        return colour
    own = room.seats_of(person_id)
    if not own:
        raise players_only()
    game = room.game
    if game is None:
        return own[0]
    if game.turn in own and not isinstance(message, messages.AnswerMessage):
        return game.turn
    asked = [one for one in own if _is_asked(game, one, message)]
    return (asked or [one for one in own if one not in game.eliminated] or own)[0]


def _is_asked(game: Game, seat: Colour, message: messages.SeatMessage) -> bool:
    takeback = isinstance(message, messages.AcceptTakeback | messages.DeclineTakeback)
    offer = game.offer(OfferKind.TAKEBACK if takeback else OfferKind.DRAW)
    return offer is not None and game.mode.side(offer.seat) is not game.mode.side(seat)


def reseat(room: Room, guest_id: str, owner: Person) -> Decision:
    """Move an account's owner to the seats that they had as a guest."""
    seats = tuple(
        replace(room.seats[colour], person_id=owner.id, name=owner.name, account=True)
        for colour in room.seats_of(guest_id)
    )
    events = [Joined(Colour.parse(seat.colour), seat.name) for seat in seats]
    return Decision(events, seats=seats)


def call_off(room: Room, person_id: str) -> Decision:
    """Cancel a game, for its creator or a player."""
    if room.status == "over":
        raise game_over()
    if person_id != room.creator and person_id not in room.people:
        raise players_only()
    return Decision((Cancelled(),))


def cancel_waiting(room: Room, _: int) -> Decision:
    """Cancel a game that waits for players; leave one that has started alone."""
    return Decision((Cancelled(),) if room.status == "waiting" else ())


_SEAT_COMMANDS: Final[dict[type[messages.CommandMessage], type[commands.SeatCommand]]] = {
    messages.Resign: commands.Resign,
    messages.OfferDraw: commands.OfferDraw,
    messages.AcceptDraw: commands.AcceptDraw,
    messages.DeclineDraw: commands.DeclineDraw,
    messages.AcceptTakeback: commands.AcceptTakeback,
    messages.DeclineTakeback: commands.DeclineTakeback,
    messages.Abort: commands.Abort,
}


def to_game_command(
    room: Room, seat: Colour, message: messages.SeatMessage, lag: int
) -> commands.Command:
    """Return the game's command for a client's message."""
    match message:
        case messages.Play(ply=ply, move=move):
            if room.status == "playing" and ply != room.board.ply:
                raise Conflict(
                    "wrong-ply",
                    N_("This was meant for move {ply}, but the game is at move {now}."),
                    ply=ply,
                    now=room.board.ply,
                )
            return commands.Play(seat, MOVES[move], lag)
        case messages.Claim(result=result):
            return commands.Claim(seat, commands.Award(result))
        case messages.AskTakeback():
            return _ask_takeback(room, seat, message)
    return _SEAT_COMMANDS[type(message)](seat)


def _ask_takeback(room: Room, seat: Colour, message: messages.AskTakeback) -> commands.AskTakeback:
    if not room.terms.takebacks and not room.terms.rated:
        raise Conflict("no-takebacks", N_("Moves can't be taken back in this game."))
    person = room.seats[seat].person_id
    own = room.seats_of(person) if person else []
    if room.game is not None and message.seat is None:
        found = taking_back(room, room.game, own)
        seat = seat if found is None else found
    return commands.AskTakeback(seat)


def start_event(stored: StoredGame | None) -> Event:
    """Return the first event of a game without open seats."""
    assert stored is not None
    return Started(version=1, at=stored.created_at)


def row_changes(room: Room, decision: Decision, events: Sequence[Event]) -> dict[str, Any]:
    """Return the changed columns of the game's row after these events."""
    at = events[-1].at
    row: dict[str, Any]
    if any(isinstance(event, Started) for event in events):
        seats = {seat.colour: seat for seat in (*room.seats.values(), *decision.seats)}
        due = seating.first_due_at(room.terms, tuple(seats.values()), at)
        row = {"status": "playing", "started_at": at, "due_at": due}
        if decision.terms is not None:
            row["terms"] = msgspec.json.encode(decision.terms).decode()
        return row
    if any(isinstance(event, Cancelled) for event in events):
        return {"status": "over", "ended_at": at, "reason": str(Reason.ABORTED), "due_at": None}
    game = decision.game
    if game is None:
        return {}
    row = {
        "position": str(game.board.position),
        "moves": game.ply_count,
        "due_at": due_at(room, game, at),
    }
    outcome: Outcome | None = game.outcome
    if outcome is not None:
        row |= {
            "status": "over",
            "ended_at": at,
            "winner": None if outcome.winner is None else str(outcome.winner),
            "reason": str(outcome.reason),
        }
    return row


COMPUTER_TIMEOUT_MS: Final = 15_000
"""After this time without a computer's move, its process is assumed dead and another takes over."""


def due_at(room: Room, game: Game, at: int) -> int | None:
    """Return when the game has to be checked, in ms; None: never."""
    if game.turn is None:
        return None
    deadline = game.deadline
    if room.seats[game.turn].kind == "computer":
        return min(at + COMPUTER_TIMEOUT_MS, deadline or at + COMPUTER_TIMEOUT_MS)
    return deadline


def rated_result_of(room: Room, events: Sequence[Event]) -> RatedResult | None:
    """Return the result to rate if these events end a rated game."""
    ended = next((event for event in events if isinstance(event, Ended)), None)
    if ended is None or not room.terms.rated or ended.outcome.reason is Reason.ABORTED:
        return None
    plies = room.game.plies if room.game else ()
    if len(plies) < FEWEST_MOVES * len(room.mode.colours):
        return None
    sides = tuple(
        tuple(room.seats[colour].person_id or "" for colour in side) for side in room.mode.sides
    )
    winner = ended.outcome.winner
    places = tuple(int(winner is not None and side[0] is not winner) for side in room.mode.sides)
    # A seat whose player deleted the account has no person any more.
    result = RatedResult(room.terms.mode, sides, places).restricted_to(room.people)
    return result if len(result.sides) > 1 else None
