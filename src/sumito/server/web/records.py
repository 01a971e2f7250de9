"""HTTP endpoints of records and pictures of games."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

import structlog
from starlette.responses import Response, StreamingResponse

from sumito.rules.board import Board
from sumito.server.archive.records import record_text
from sumito.server.base.i18n import N_
from sumito.server.refusals import InvalidInput, no_such_game
from sumito.server.storage import GameRepository, StoredGame, UnavailableError
from sumito.server.storage.archive_repo import IMPORTED
from sumito.server.web.operations import Call, Operation, parse_count

_log = structlog.get_logger()

APGN: Final = "application/x-apgn"
EXPORTING: Final = asyncio.Semaphore(1)


async def get_apgn(call: Call) -> Response:
    """A game as a record."""
    if call.path("id").startswith(IMPORTED):
        return await _imported(call)
    stored, entries = await call.services.games.rooms.load_rows(call.path("id"))
    key = ("apgn", stored.id, len(entries), stored.seats)
    made = await call.services.renderings.get(key, lambda: record_text(stored, entries).encode())
    return Response(made, media_type=APGN, headers=as_file(f"sumito-{stored.id}.apgn"))


async def _imported(call: Call) -> Response:
    game = await call.services.archive.store.get(call.path("id"))
    if game is None:
        raise no_such_game()
    text = await call.services.archive.text(game)
    return Response(text, media_type=APGN, headers=as_file(f"sumito-{game.game_id}.apgn"))


async def export(call: Call) -> Response:
    """All my games as records."""
    games = call.services.games
    person_id = call.identity.id

    async def texts() -> AsyncIterator[str]:
        between = ""
        async for stored in games.store.all_of_person(person_id):
            text = await _exported(games.store, stored) if stored.moves else ""
            if text:
                yield between + text
                between = "\n"

    return StreamingResponse(texts(), media_type=APGN, headers=as_file("sumito-games.apgn"))


async def _exported(store: GameRepository, stored: StoredGame) -> str:
    """Return a game's record; empty if it can't be read, so that the others are sent."""
    try:
        # One game at a time in a process, and in a thread, to leave time for the games in play.
        async with EXPORTING:
            return await asyncio.to_thread(record_text, stored, await store.events(stored.id))
    except UnavailableError:
        raise
    except Exception:
        _log.exception("a game couldn't be exported", game=stored.id)
        return ""


def as_file(name: str) -> dict[str, str]:
    """Return the headers that make a browser save a response under a name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


async def get_svg(call: Call) -> Response:
    """A picture of a position."""
    return Response(await _picture(call, _svg), media_type="image/svg+xml")


async def get_png(call: Call) -> Response:
    """A picture of a position, for programs without SVG."""
    return Response(await _picture(call, _png), media_type="image/png")


def _svg(board: Board) -> bytes:
    from sumito.drawing import svg

    return svg.board(board).encode()


def _png(board: Board) -> bytes:
    from sumito.drawing import png

    return png.board(board)


async def _picture(call: Call, draw: Callable[[Board], bytes]) -> bytes:
    room = await call.services.games.synced_room(call.path("id"))
    plies = _ply(call.query("ply"), len(room.game.plies) if room.game else 0)
    replay = room.replay_to(plies)
    key = (draw.__name__, room.id, room.version, plies)
    return await call.services.renderings.get(key, lambda: draw(replay()))


def _ply(text: str | None, last: int) -> int:
    if text is None:
        return last
    ply = parse_count(text, last)
    if ply is None:
        raise InvalidInput("no-such-ply", N_("`ply` must be a number from 0 to {last}."), last=last)
    return ply


OPERATIONS: Final = (
    Operation("GET", "/api/games/{id}.apgn", get_apgn, media=APGN, refusals=(404, 409), cost=2),
    Operation(
        "GET",
        "/api/games/{id}.svg",
        get_svg,
        query=("ply",),
        media="image/svg+xml",
        refusals=(404,),
        cost=2,
    ),
    Operation(
        "GET",
        "/api/games/{id}.png",
        get_png,
        query=("ply",),
        media="image/png",
        refusals=(404,),
        cost=6,
    ),
    Operation("GET", "/api/export.apgn", export, media=APGN, cost=20),
)
