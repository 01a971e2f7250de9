"""Finished games that were played in a page and are uploaded to an account.

A game is replayed command by command and stored as the resulting events, as any other game. Only
its times are taken from the page.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

import msgspec
from msgspec import structs

from sumito.game import Game, commands
from sumito.game.events import Event
from sumito.game.state import Setup
from sumito.protocol.requests import EndedBy, FinishedGame
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import MOVES
from sumito.server.base.i18n import N_
from sumito.server.base.settings import Settings
from sumito.server.games import seats as seating
from sumito.server.games.event_rows import Started, to_entry
from sumito.server.games.terms import agree
from sumito.server.refusals import Conflict, InvalidInput
from sumito.server.storage import Person, StoredEvent, StoredGame


def id_for(person_id: str, ref: str) -> str:
    """Return the game's id, derived from person and `ref`: a repeated upload gets the same."""
    digest = hashlib.sha256(f"{person_id}:{ref}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:9]).decode()


def replay_finished_game(
    wanted: FinishedGame, person: Person, settings: Settings, now: int
) -> tuple[StoredGame, list[StoredEvent]]:
    """Return the game and its events as stored; raise if it isn't over or breaks the rules."""
    # Never rated: the server did not referee it. No lag compensation.
    plain = structs.replace(wanted.game, rated=False, listed=False, draw_lots=False)
    terms = structs.replace(agree(plain, settings), lag_ms=0)
    mode = terms.position.mode
    seats = seating.seat_people(plain, mode, person, None)
    if any(seat.kind == "open" for seat in seats):
        raise InvalidInput("open-seat", N_("A finished game has no open seats."))
    started = min(wanted.begun_at or now, now)
    names = {Colour.parse(seat.colour): seat.name for seat in seats}
    _check_seats(wanted, mode)
    game, events = _replay(terms.setup(names, started), wanted)
    outcome = game.outcome
    if outcome is None:
        raise Conflict("not-over", N_("Only a finished game can be saved to the account."))
    ended = events[-1].at
    stored = StoredGame(
        id=id_for(person.id, wanted.ref),
        creator=person.id,
        terms=msgspec.json.encode(terms).decode(),
        status="over",
        listed=False,
        created_at=started,
        started_at=started,
        ended_at=ended,
        version=events[-1].version,
        position=str(game.board.position),
        moves=game.ply_count,
        winner=None if outcome.winner is None else str(outcome.winner),
        reason=str(outcome.reason),
        seats=seats,
    )
    return stored, [to_entry(event) for event in events]


def _check_seats(wanted: FinishedGame, mode: Mode) -> None:
    """Raise `Refusal` if a seat is named that the mode doesn't have."""
    for leaving in wanted.left:
        seating.parse_seat(leaving.seat, mode)
    if wanted.ended is not None and wanted.ended.winner is not None:
        seating.parse_seat(wanted.ended.winner, mode)


def _replay(setup: Setup, wanted: FinishedGame) -> tuple[Game, list[Event]]:
    game = Game.begin(setup, 1)
    events: list[Event] = [Started(version=1, at=setup.start_at)]
    at = setup.start_at
    for index, move in enumerate(wanted.moves):
        for one in _resignations_after(wanted, index):
            events += game.apply(one, at)
        seat = game.turn or game.mode.colours[0]
        if index < len(wanted.clocks):
            at += _time_used(game, seat, at, wanted.clocks[index])
        events += game.apply(commands.Play(seat, MOVES[move]), at)
    for one in _resignations_after(wanted, len(wanted.moves)):
        events += game.apply(one, at)
    if wanted.ended is not None and game.outcome is None:
        if wanted.ended.reason == "flag":
            at = game.deadline or at
        for command in _ending_commands(wanted.ended, game):
            events += game.apply(command, at)
    return game, events


def _resignations_after(wanted: FinishedGame, after: int) -> Iterator[commands.Command]:
    for one in wanted.left:
        if one.after == after:
            yield commands.Resign(Colour.parse(one.seat))


def _time_used(game: Game, seat: Colour, at: int, after: int) -> int:
    """How long a move took, by what the mover's clock showed before and after it."""
    before = game.clocks(at)[seat]
    if before is None:
        return 0
    control = game.setup.control
    spent = before + control.increment - after
    return spent + control.delay if spent > 0 else 0


def _ending_commands(ended: EndedBy, game: Game) -> Iterator[commands.Command]:
    mode: Mode = game.mode
    if ended.reason == "flag":
        yield commands.Flag()
    elif ended.reason == "resigned":
        winner = seating.parse_seat(ended.winner, mode) if ended.winner else mode.colours[0]
        resigned = seating.parse_seat(ended.by, mode) if ended.by else _opponent(mode, winner)
        yield commands.Resign(resigned)
    else:
        # Offering what others have offered accepts it.
        for side in mode.sides:
            if game.outcome is None and side[0] not in game.eliminated:
                yield commands.OfferDraw(side[0])


def _opponent(mode: Mode, winner: Colour) -> Colour:
    return next(one for one in mode.colours if mode.side(one) is not mode.side(winner))
