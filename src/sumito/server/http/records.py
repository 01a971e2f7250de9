"""The HTTP API of records and pictures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import structlog
from starlette.responses import Response, StreamingResponse

from sumito.board import Board
from sumito.record import write
from sumito.server.game.records import game_record, record_text
from sumito.server.http.errors import Refusal
from sumito.server.http.operations import Call, Operation
from sumito.server.i18n import N_
from sumito.server.store import GameStore, StoredGame, UnavailableError
from sumito.server.store.archive import IMPORTED

_log = structlog.get_logger()

APGN: Final = "application/x-apgn"
EXPORTING: Final = asyncio.Semaphore(1)


async def get_apgn(call: Call) -> Response:
    """A game as a record."""
    if call.path("id").startswith(IMPORTED):
        return await _imported(call)
    room = await call.services.games.fresh(call.path("id"))
    text = write([game_record(room)])
    return Response(text, media_type=APGN, headers=as_file(f"sumito-{room.id}.apgn"))


async def _imported(call: Call) -> Response:
    game = await call.services.archive.store.get(call.path("id"))
    if game is None:
        raise Refusal("no-such-game", N_("there is no such game"), status=404)
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


async def _exported(store: GameStore, stored: StoredGame) -> str:
    """A game's record; nothing if it can't be read, since that is no reason to keep the others."""
    try:
        # One game at a time in a process, and in a thread: replaying is work, and people play.
        async with EXPORTING:
            return await asyncio.to_thread(record_text, stored, await store.events(stored.id))
    except UnavailableError:
        raise
    except Exception:
        _log.exception("a game couldn't be exported", game=stored.id)
        return ""


def as_file(name: str) -> dict[str, str]:
    """What makes a browser save an answer under a name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


async def get_svg(call: Call) -> Response:
    """A picture of a position."""
    from sumito.drawing import svg

    return Response(svg.board(await _board_of(call)), media_type="image/svg+xml")


async def get_png(call: Call) -> Response:
    """A picture of a position, for those who show no SVG."""
    from sumito.drawing import png

    return Response(png.board(await _board_of(call)), media_type="image/png")


async def _board_of(call: Call) -> Board:
    room = await call.services.games.fresh(call.path("id"))
    last = len(room.game.plies) if room.game else 0
    return room.board_at(_ply(call.query("ply"), last))


def _ply(text: str | None, last: int) -> int:
    if text is None:
        return last
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= last):
        raise Refusal("no-such-ply", N_("ply is a number from 0 to {last}"), status=422, last=last)
    return int(text)


OPERATIONS: Final = (
    Operation("GET", "/api/games/{id}.apgn", get_apgn, media=APGN, refusals=(404, 409)),
    Operation(
        "GET",
        "/api/games/{id}.svg",
        get_svg,
        query=("ply",),
        media="image/svg+xml",
        refusals=(404,),
    ),
    Operation(
        "GET",
        "/api/games/{id}.png",
        get_png,
        query=("ply",),
        media="image/png",
        refusals=(404,),
    ),
    Operation("GET", "/api/export.apgn", export, media=APGN),
)
