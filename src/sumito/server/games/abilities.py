"""Abilities: what a reader may do in a game now, so that clients need not know the rules."""

from __future__ import annotations

from collections.abc import Iterator

from sumito.game import Game
from sumito.game.events import OfferKind
from sumito.protocol.scalars import Ability
from sumito.rules.modes import Colour
from sumito.rules.rules import TeamTalk
from sumito.server.games.room import Room


def abilities(room: Room, person_id: str | None, at: int) -> list[Ability]:
    """Return all that a person may do in a game at a time."""
    seats = room.seats_of(person_id) if person_id else []
    if room.status == "waiting":
        return list(_while_waiting(room, person_id, seats))
    if not seats:
        return []
    if room.status == "over":
        found: list[Ability] = [] if room.rematch or room.cancelled else ["rematch"]
        return [*found, "chat"]
    assert room.game is not None
    return list(_while_playing(room, room.game, seats, at))


def _while_waiting(room: Room, person_id: str | None, seats: list[Colour]) -> Iterator[Ability]:
    is_creator = person_id == room.creator
    if room.listed and not seats:
        yield "join"
    if is_creator and not room.terms.rated:
        yield "fill"
    if is_creator or seats:
        yield "abort"
    if seats:
        yield "chat"


def _while_playing(room: Room, game: Game, seats: list[Colour], at: int) -> Iterator[Ability]:
    playing = [seat for seat in seats if seat not in game.eliminated]
    if game.turn in playing:
        yield "move"
    if playing:
        yield "abort" if game.can_abort else "resign"
        yield from _about_draws(room, game, playing)
        yield from _about_takebacks(room, game, playing)
        yield from _about_absence(game, playing, at)
    if may_talk(room):
        yield "chat"


def _about_draws(room: Room, game: Game, seats: list[Colour]) -> Iterator[Ability]:
    standing = game.offer(OfferKind.DRAW)
    others = {seat.person_id for seat in room.seats.values() if seat.kind == "person"}
    mine = {room.seats[seat].person_id for seat in seats}
    if standing is None:
        if others - mine:
            yield "offer_draw"
    elif any(_answers(game, seat, standing.seat, standing.agreed) for seat in seats):
        yield "accept_draw"
        yield "decline_draw"


def _about_takebacks(room: Room, game: Game, seats: list[Colour]) -> Iterator[Ability]:
    standing = game.offer(OfferKind.TAKEBACK)
    if not room.terms.takebacks or room.terms.rated:
        return
    if standing is None:
        if taking_back(room, game, seats) is not None:
            yield "ask_takeback"
    elif any(_answers(game, seat, standing.seat, standing.agreed) for seat in seats):
        yield "accept_takeback"
        yield "decline_takeback"


def taking_back(room: Room, game: Game, seats: list[Colour]) -> Colour | None:
    """Return the seat whose last move a person on these seats would take back.

    Their own; if they play all seats, that of the last move.
    """
    if game.ply_count <= game.irreversible_plies or game.last_ply is None:
        return None
    alone = all(colour in seats for colour in room.mode.colours if colour not in game.eliminated)
    if alone:
        return game.last_ply.seat
    open_plies = game.plies[game.irreversible_plies :]
    return next((ply.seat for ply in reversed(open_plies) if ply.seat in seats), None)


def _answers(game: Game, seat: Colour, asker: Colour, agreed: frozenset[Colour]) -> bool:
    side = game.mode.side(seat)
    return side is not game.mode.side(asker) and side not in agreed


def _about_absence(game: Game, seats: list[Colour], at: int) -> Iterator[Ability]:
    claimable = {
        game.mode.side(seat)
        for seat, since in game.away.items()
        if at - since >= game.setup.away_grace
    }
    for seat in seats:
        if claimable - {game.mode.side(seat)}:
            yield "claim_win"
            others = {
                game.mode.side(one) for one in game.mode.colours if one not in game.eliminated
            }
            if others - {game.mode.side(seat)} <= claimable:
                yield "claim_draw"
            return


def may_talk(room: Room) -> bool:
    """Whether chat is allowed during the game: not with partners, unless the rules allow it."""
    partners = room.mode.partner(room.mode.colours[0]) is not None
    return not partners or room.terms.rule_set.team_talk is not TeamTalk.NONE
