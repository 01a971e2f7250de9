"""The HTTP API: all that the page does, a program can do too."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any, Final, cast, get_args

from msgspec import Struct
from starlette.responses import Response

from sumito import layouts
from sumito.board import Board
from sumito.modes import Colour, Mode
from sumito.record import Record
from sumito.rules import PRESETS
from sumito.server import engines as computer
from sumito.server import i18n as words
from sumito.server.game import show
from sumito.server.game.records import game_record, write_records
from sumito.server.game.seats import is_id
from sumito.server.http.errors import Refusal
from sumito.server.http.operations import Call, Operation
from sumito.server.i18n import N_
from sumito.server.people.ratings import Rating, displayed
from sumito.server.store import Person, StoredGame
from sumito.server.wire import commands, requests, scalars, views

PAGE: Final = 50
APGN: Final = "application/x-apgn"


# Oneself.


async def get_me(call: Call) -> views.MeView:
    """Who am I?"""
    return await _me(call, await call.person())


async def put_me(call: Call) -> views.MeView:
    """Change my name or language."""
    patch = call.body(requests.MePatch)
    person = await call.house.people.rename(
        await call.person(), patch.name, patch.language, call.house.games.now()
    )
    return await _me(call, person)


async def _me(call: Call, person: Person) -> views.MeView:
    account = None
    if person.account:
        ratings = await call.house.people.store.ratings(person.id)
        account = views.AccountView(person.account, _rating_views(ratings))
    return views.MeView(person.id, person.name, account, person.language or call.language)


def _rating_views(ratings: dict[str, Rating]) -> dict[scalars.Mode, views.RatingView]:
    return {
        cast(scalars.Mode, mode): views.RatingView(displayed(rating), rating.games)
        for mode, rating in ratings.items()
    }


async def sign_up(call: Call) -> views.MeView:
    """Make an account of the guest I am."""
    await call.house.limits.sign_in(call.address)
    credentials = call.body(requests.Credentials)
    person = await call.kept_person()
    await call.house.people.sign_up(person, credentials.name, credentials.password)
    return await _me(call, await call.person())


async def sign_in(call: Call) -> views.MeView:
    """Sign in."""
    await call.house.limits.sign_in(call.address)
    credentials = call.body(requests.Credentials)
    people = call.house.people
    owner = await people.sign_in(credentials.name, credentials.password)
    guest = await people.store.get(call.identity.id)
    if guest is not None and guest.account is None:
        await call.house.games.hand_over(guest.id, owner)
    call.cookie = people.sign(owner.id)
    return await _me(call, owner)


async def sign_out(call: Call) -> views.MeView:
    """Sign out."""
    newcomer = call.house.people.newcomer()
    call.cookie = newcomer.cookie
    return await _me(call, await call.house.people.person(newcomer, call.language))


async def new_token(call: Call) -> views.TokenView:
    """A token for a bot."""
    await call.house.limits.sign_in(call.address)
    return views.TokenView(await call.house.people.new_token(await call.kept_person()))


async def drop_token(call: Call) -> Response:
    """Make my token void."""
    await call.house.people.store.set_token(call.identity.id, None)
    return Response(status_code=204)


# Games.


async def create_game(call: Call) -> views.Created:
    """Make a game."""
    await call.house.limits.new_game(call.address)
    games = call.house.games
    person = await call.kept_person()
    room = await games.create(person, call.body(requests.NewGame))
    return views.Created(await games.view(room, person.id), games.invitations(room))


async def get_game(call: Call) -> views.Snapshot:
    """A game."""
    games = call.house.games
    room = await games.fresh(call.path("id"))
    if call.identity.id in room.people and room.status == "playing":
        await call.house.timers.presence.visited(room.id, call.identity.id)
    return await games.view(room, call.identity.id)


async def get_invitations(call: Call) -> views.Invitations:
    """The links for the open seats of my game."""
    room = await call.house.games.fresh(call.path("id"))
    if room.creator != call.identity.id:
        raise Refusal("not-yours", N_("only who made the game can do that"), status=403)
    return views.Invitations(call.house.games.invitations(room))


async def join_game(call: Call) -> views.Snapshot:
    """Take an open seat."""
    games = call.house.games
    person = await call.kept_person()
    room = await games.join(person, call.path("id"), call.body(requests.Join))
    return await games.view(room, person.id)


async def fill_seat(call: Call) -> views.Snapshot:
    """Let the computer take an open seat of my game."""
    games = call.house.games
    level = call.body(requests.SeatComputer).level
    room = await games.fill(call.identity.id, call.path("id"), call.path("colour"), level)
    return await games.view(room, call.identity.id)


async def send_command(call: Call) -> views.Acknowledged:
    """Move, resign, offer a draw, …"""
    command: commands.Command = call.body(commands.CommandMessage)  # type: ignore[assignment]
    games = call.house.games
    arrived = games.now()
    room = await games.room(call.path("id"))
    if call.identity.id in room.people:
        await call.house.timers.presence.visited(room.id, call.identity.id)
    return views.Acknowledged(await games.command(room.id, call.identity.id, command, arrived))


async def list_games(call: Call) -> views.GameList:
    """My games, or the library of finished ones."""
    store = call.house.games.store
    before = _cursor(call.query("before"))
    if call.query("mine"):
        found = await store.of_person(call.identity.id, before, PAGE + 1)
    else:
        found = await store.finished(before, PAGE + 1)
    return _page(found)


def _page(found: list[StoredGame]) -> views.GameList:
    shown = found[:PAGE]
    more = f"{shown[-1].created_at}-{shown[-1].id}" if len(found) > PAGE else None
    return views.GameList([show.summary(game) for game in shown], more)


def _cursor(text: str | None) -> tuple[int, str] | None:
    if not text:
        return None
    at, _, id = text.partition("-")
    if not (at.isascii() and at.isdigit() and len(at) <= 15 and is_id(id)):
        raise Refusal("bad-cursor", N_("before is what an earlier answer had as next"))
    return int(at), id


async def lobby(call: Call) -> views.Lobby:
    """Open games."""
    return views.Lobby(await call.house.games.lobby.games())


# Records and pictures.


async def get_apgn(call: Call) -> Response:
    """A game as a record."""
    room = await call.house.games.fresh(call.path("id"))
    return _apgn(write_records([game_record(room)]), f"sumito-{room.id}.apgn")


async def export(call: Call) -> Response:
    """All my games as records."""
    games = call.house.games
    records: list[Record] = []
    before = None
    while found := await games.store.of_person(call.identity.id, before, PAGE):
        for stored in found:
            if stored.moves:
                room = await games.rooms.read(stored.id)
                records.append(game_record(room))
                # Others wait too: a long export lets them in between.
                await asyncio.sleep(0)
        before = (found[-1].created_at, found[-1].id)
    return _apgn(write_records(records), "sumito-games.apgn")


def _apgn(text: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=APGN, headers=headers)


async def get_svg(call: Call) -> Response:
    """A picture of a position."""
    from sumito.drawing import svg

    room = await call.house.games.fresh(call.path("id"))
    last = len(room.game.plies) if room.game else 0
    board = room.board_at(_ply(call.query("ply"), last))
    return Response(svg.board(board), media_type="image/svg+xml")


def _ply(text: str | None, last: int) -> int:
    if text is None:
        return last
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= last):
        raise Refusal("no-such-ply", N_("ply is a number from 0 to {last}"), status=422, last=last)
    return int(text)


# What there is.


async def list_layouts(call: Call) -> list[views.LayoutView]:
    """The start positions of a mode."""
    mode = Mode.parse(call.query("mode") or "two")
    return [
        views.LayoutView(one.id, one.name, one.fair, str(Board(one.id, mode).position))
        for one in layouts.of(mode).values()
    ]


async def choices(_: Call) -> views.Choices:
    """What one can choose from when making a game."""
    return views.Choices(
        modes=[
            views.ModeChoice(
                cast(scalars.Mode, str(mode)),
                [show.name(colour) for colour in mode.colours],
                show.sides_of(mode),
            )
            for mode in Mode
        ],
        presets=[
            show.rules_view(name, {one: _plain(value) for one, value in asdict(rules).items()})
            for name, rules in PRESETS.items()
        ],
        levels=computer.levels(),
        phrases=list(get_args(scalars.Phrase)),
    )


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Colour) else value


async def list_levels(_: Call) -> list[views.LevelView]:
    """The computer's strengths."""
    return computer.levels()


async def leaderboard(call: Call) -> views.Leaderboard:
    """The best of a mode."""
    mode = Mode.parse(call.query("mode") or "two")
    best = await call.house.people.store.best(mode)
    return views.Leaderboard(
        cast(scalars.Mode, str(mode)),
        [views.Ranked(name, displayed(one), one.games) for name, one in best],
    )


async def get_player(call: Call) -> views.Profile:
    """A player."""
    store = call.house.people.store
    name = call.path("name")
    person = await store.by_account(name) if name.isprintable() else None
    if person is None or person.account is None:
        raise Refusal("no-such-player", N_("there is no player of that name"), status=404)
    history: dict[scalars.Mode, list[views.RatingPoint]] = {}
    for mode, at, rating, game in await store.history(person.id):
        history.setdefault(cast(scalars.Mode, mode), []).append(views.RatingPoint(at, rating, game))
    games = await call.house.games.store.of_person(person.id, limit=20)
    return views.Profile(
        person.account,
        person.created_at,
        _rating_views(await store.ratings(person.id)),
        history,
        [show.summary(game) for game in games if game.status == "over"],
    )


async def get_words(call: Call) -> dict[str, str]:
    """All texts of a language by their English."""
    language = call.path("language")
    if language not in words.languages():
        raise Refusal(
            "no-such-language",
            N_("there is no language {language} here"),
            status=404,
            language=language,
        )
    return dict(words.catalogue(language))


async def health(call: Call) -> dict[str, Any]:
    """Is everything well?"""
    await call.house.people.store.get(call.identity.id)  # fails if the database does
    return {"status": "ok"}


class Health(Struct):
    """The server and its database answer."""

    status: str


OPERATIONS: Final = (
    Operation("GET", "/api/me", get_me, result=views.MeView),
    Operation("PUT", "/api/me", put_me, requests.MePatch, views.MeView),
    Operation(
        "POST",
        "/api/accounts",
        sign_up,
        requests.Credentials,
        views.MeView,
        201,
        refusals=(409,),
    ),
    Operation("POST", "/api/session", sign_in, requests.Credentials, views.MeView, refusals=(401,)),
    Operation("DELETE", "/api/session", sign_out, result=views.MeView),
    Operation("POST", "/api/tokens", new_token, result=views.TokenView, status=201),
    Operation("DELETE", "/api/tokens", drop_token, status=204),
    Operation(
        "POST", "/api/games", create_game, requests.NewGame, views.Created, 201, refusals=(503,)
    ),
    Operation(
        "GET",
        "/api/games",
        list_games,
        result=views.GameList,
        query=("mine", "finished", "before"),
    ),
    Operation("GET", "/api/games/{id}.apgn", get_apgn, media=APGN, refusals=(404, 409)),
    Operation(
        "GET",
        "/api/games/{id}.svg",
        get_svg,
        query=("ply",),
        media="image/svg+xml",
        refusals=(404,),
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
    Operation("GET", "/api/lobby", lobby, result=views.Lobby),
    Operation("GET", "/api/export.apgn", export, media=APGN),
    Operation(
        "GET",
        "/api/layouts",
        list_layouts,
        result=list[views.LayoutView],
        query=("mode",),
    ),
    Operation(
        "GET",
        "/api/levels",
        list_levels,
        result=list[views.LevelView],
        refusals=(503,),
    ),
    Operation(
        "GET",
        "/api/leaderboard",
        leaderboard,
        result=views.Leaderboard,
        query=("mode",),
    ),
    Operation("GET", "/api/players/{name}", get_player, result=views.Profile, refusals=(404,)),
    Operation(
        "GET",
        "/api/words/{language}",
        get_words,
        result=dict[str, str],
        refusals=(404,),
    ),
    Operation("GET", "/api/choices", choices, result=views.Choices),
    Operation("GET", "/healthz", health, result=Health),
)
