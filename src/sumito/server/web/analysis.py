"""The HTTP API of the engine beside the analysis board: its lines, while it looks deeper.

The answer is a stream, one line of JSON for each depth. Whoever closes it ends the look.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.responses import Response, StreamingResponse

from sumito.position import Position
from sumito.protocol import requests, views
from sumito.rules.board import Board
from sumito.server.base.i18n import N_
from sumito.server.limits import group_of
from sumito.server.refusals import Refusal
from sumito.server.web.operations import Call, Operation

if TYPE_CHECKING:
    from sumito.engine import Line

JSON_LINES: Final = "application/x-ndjson"
_HEADERS: Final = {
    "Content-Encoding": "identity",  # packed, the lines would wait for each other
    "X-Accel-Buffering": "no",  # the same, for a proxy in front
}


async def look(call: Call) -> Response:
    """What the engine says of a position, a line of JSON for each depth; my next look ends it."""
    seconds = call.services.settings.analysis_ms / 1000
    if not seconds:
        raise Refusal("no-analysis", N_("the engine of this server only plays"), status=503)
    wanted = call.body(requests.Look)
    board = Board.at(Position.parse(wanted.position))
    if board.is_over():
        raise Refusal("over", N_("the game is over: there is nothing to search"), status=409)
    computers, owner = call.services.computers, _owner(call)
    computers.check_look(owner)

    async def told() -> AsyncIterator[bytes]:
        async with aclosing(computers.look(board, wanted.lines, seconds, owner)) as found:
            async for lines in found:
                yield _written(lines)

    return StreamingResponse(told(), media_type=JSON_LINES, headers=_HEADERS)


def _owner(call: Call) -> str:
    """Who looks: somebody we know, else all at an address."""
    return call.identity.id if call.identity.cookie is None else group_of(call.address)


def _written(lines: tuple[Line, ...]) -> bytes:
    return msgspec.json.encode(views.EngineLines([_view(line) for line in lines])) + b"\n"


def _view(line: Line) -> views.EngineLine:
    plies = line.score.plies
    return views.EngineLine(
        move=str(line.move),
        score=line.score.value,
        win_in=None if plies is None else plies if line.score.is_win else -plies,
        depth=line.depth,
        nodes=line.nodes,
        ms=round(line.time * 1000),
        pv=[str(move) for move in line.pv],
    )


OPERATIONS: Final = (
    Operation(
        "POST",
        "/api/analysis",
        look,
        requests.Look,
        views.EngineLines,
        media=JSON_LINES,
        refusals=(409, 422, 503),
    ),
)
