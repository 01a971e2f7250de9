"""HTTP endpoints of games: create, join, play, list, pair."""

from __future__ import annotations

from typing import Final, cast

from msgspec import structs
from starlette.responses import Response

from sumito.protocol import commands, requests, scalars, views
from sumito.server.base.i18n import N_
from sumito.server.games import presenter, rated_games
from sumito.server.games.seats import is_id
from sumito.server.refusals import BadRequest, Refusal, not_yours
from sumito.server.storage import Person, StoredGame
from sumito.server.web import archive
from sumito.server.web.operations import Call, Operation

PAGE: Final = 50


async def create_game(call: Call) -> views.Created:
    """Create a game."""
    await call.services.limits.new_game(call.address, call.identity.id)
    games = call.services.games
    person = await call.person()
    wanted = call.body(requests.NewGame)
    rated_games.check(wanted)
    if wanted.rated:
        await _admit(call, person)
    for seat in wanted.seats.values():
        if isinstance(seat, requests.SeatHere) and seat.name:
            await call.services.people.free_name(seat.name, person)
    room = await games.create(person, wanted)
    await call.services.people.ensure_stored(person)
    return views.Created(await games.view(room, person.id), games.invitations(room))


async def store_finished(call: Call) -> views.SavedGame:
    """Save a finished game that I played in a page, without the server."""
    await call.services.limits.new_game(call.address, call.identity.id)
    games = call.services.games
    person = await call.person()
    wanted = call.body(requests.FinishedGame)
    seats = {
        colour: await _nameable(call, person, seat) for colour, seat in wanted.game.seats.items()
    }
    wanted = structs.replace(wanted, game=structs.replace(wanted.game, seats=seats))
    id = await games.store_finished(person, wanted)
    await call.services.people.ensure_stored(person)
    return views.SavedGame(id)


async def _nameable(call: Call, person: Person, seat: requests.Seating) -> requests.Seating:
    """Return the seat, without a name that looks like an account's."""
    if isinstance(seat, requests.SeatHere) and seat.name:
        try:
            await call.services.people.free_name(seat.name, person)
        except Refusal:
            return requests.SeatHere()
    return seat


async def pair(call: Call) -> views.PairingResult:
    """Look for an opponent: join a waiting game with this clock, or wait in one of my own."""
    await call.services.limits.new_game(call.address, call.identity.id)
    person = await call.person()
    room = await call.services.pairing.pair(person, call.body(requests.PairingRequest))
    await call.services.people.ensure_stored(person)
    return views.PairingResult(room.id, cast(scalars.Status, room.status), room.terms.rated)


async def stop_pairing(call: Call) -> Response:
    """Stop looking for an opponent."""
    await call.services.pairing.withdraw(call.identity.id)
    return Response(status_code=204)


async def get_game(call: Call) -> views.Snapshot:
    """A game."""
    games = call.services.games
    room = await games.synced_room(call.path("id"))
    if call.identity.id in room.people and room.status != "over":
        await call.services.scheduler.presence.on_visit(room.id, call.identity.id)
    return await games.view(room, call.identity.id)


async def get_invitations(call: Call) -> views.Invitations:
    """The links for the open seats of my game."""
    room = await call.services.games.synced_room(call.path("id"))
    if room.creator != call.identity.id:
        raise not_yours()
    return views.Invitations(call.services.games.invitations(room))


async def join_game(call: Call) -> views.Snapshot:
    """Take an open seat."""
    games = call.services.games
    person = await call.person()
    wanted = call.body(requests.Join)
    if wanted.name and not person.account:
        await call.services.people.free_name(wanted.name, person)
    if (await games.synced_room(call.path("id"))).terms.rated:
        await _admit(call, person)
    room = await games.join(person, call.path("id"), wanted)
    # Stored only now: a failed attempt leaves nothing behind.
    await call.services.people.ensure_stored(person)
    return await games.view(room, person.id)


async def _admit(call: Call, person: Person) -> None:
    services = call.services
    await rated_games.admit(
        services.people, person, call.address, services.settings, services.games.now()
    )


async def fill_seat(call: Call) -> views.Snapshot:
    """Let the computer take an open seat of my game."""
    games = call.services.games
    level = call.body(requests.SeatComputer).level
    room = await games.fill(call.identity.id, call.path("id"), call.path("colour"), level)
    return await games.view(room, call.identity.id)


async def send_command(call: Call) -> views.Acknowledged:
    """Send a command: move, resign, offer a draw, …"""
    command: commands.Command = call.body(commands.CommandMessage)  # type: ignore[assignment]
    games = call.services.games
    arrived = games.now()
    if isinstance(command, commands.Chat):
        await call.services.limits.chat(call.identity.id)
    room = await games.room(call.path("id"))
    if call.identity.id in room.people:
        await call.services.scheduler.presence.on_visit(room.id, call.identity.id)
    return views.Acknowledged(await games.command(room.id, call.identity.id, command, arrived))


async def list_games(call: Call) -> views.GameList:
    """My games, public games in play, or a search of finished games."""
    store = call.services.games.store
    if call.query("mine"):
        before = _cursor(call.query("before"))
        return _page(await store.of_person(call.identity.id, before, PAGE + 1))
    if call.query("live"):
        return _page(await store.live())
    return await archive.search(call)


def _page(found: list[StoredGame]) -> views.GameList:
    shown = found[:PAGE]
    more = f"{shown[-1].created_at}-{shown[-1].id}" if len(found) > PAGE else None
    return views.GameList(presenter.summaries(shown), more)


def _cursor(text: str | None) -> tuple[int, str] | None:
    if not text:
        return None
    at, _, id = text.partition("-")
    if not (at.isascii() and at.isdigit() and len(at) <= 15 and is_id(id)):
        raise BadRequest(
            "bad-cursor", N_("`before` must be the `next` value of an earlier answer.")
        )
    return int(at), id


async def lobby(call: Call) -> views.Lobby:
    """Open games."""
    return views.Lobby(await call.services.games.lobby.games())


OPERATIONS: Final = (
    Operation(
        "POST", "/api/games", create_game, requests.NewGame, views.Created, 201, refusals=(503,)
    ),
    Operation(
        "POST",
        "/api/games/finished",
        store_finished,
        requests.FinishedGame,
        views.SavedGame,
        201,
        cost=10,
        refusals=(409, 503),
    ),
    Operation(
        "GET",
        "/api/games",
        list_games,
        result=views.GameList,
        query=("mine", "live", "finished", "before", *archive.FILTERS),
        refusals=(422,),
    ),
    Operation("GET", "/api/games/{id}", get_game, result=views.Snapshot, refusals=(404,)),
    Operation(
        "GET",
        "/api/games/{id}/invitations",
        get_invitations,
        result=views.Invitations,
        refusals=(404,),
    ),
    Operation(
        "POST",
        "/api/games/{id}/join",
        join_game,
        requests.Join,
        views.Snapshot,
        refusals=(404, 409),
    ),
    Operation(
        "POST",
        "/api/games/{id}/seats/{colour}",
        fill_seat,
        requests.SeatComputer,
        views.Snapshot,
        refusals=(404, 409, 503),
    ),
    Operation(
        "POST",
        "/api/games/{id}/commands",
        send_command,
        commands.Command,
        views.Acknowledged,
        refusals=(404, 409, 503),
    ),
    Operation(
        "POST",
        "/api/pairing",
        pair,
        requests.PairingRequest,
        views.PairingResult,
        refusals=(403, 422, 503),
    ),
    Operation("DELETE", "/api/pairing", stop_pairing, status=204),
    Operation("GET", "/api/lobby", lobby, result=views.Lobby),
)
