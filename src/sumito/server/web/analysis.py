"""HTTP endpoint of the server's engine for the analysis board.

The answer is a stream of newline-delimited JSON, one object per depth. Closing it ends the search.
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
from sumito.server.refusals import Conflict, Unavailable
from sumito.server.web.operations import Call, Operation

if TYPE_CHECKING:
    from sumito.engine import Variation

JSON_LINES: Final = "application/x-ndjson"
_HEADERS: Final = {
    "Content-Encoding": "identity",  # compression would buffer the lines
    "X-Accel-Buffering": "no",  # the same, for a proxy in front
}


async def analyse(call: Call) -> Response:
    """Analyse a position: newline-delimited JSON, one object per depth; my next request ends it."""
    seconds = call.services.settings.analysis_ms / 1000
    if not seconds:
        raise Unavailable("no-analysis", N_("This server offers no analysis."))
    wanted = call.body(requests.AnalysisRequest)
    board = Board.at(Position.parse(wanted.position))
    if board.is_over():
        raise Conflict("over", N_("The game is over: there is nothing to search."))
    engine, owner = call.services.analysis, _owner(call)
    engine.ensure_capacity(owner)

    async def stream() -> AsyncIterator[bytes]:
        async with aclosing(engine.analyse(board, wanted.lines, seconds, owner)) as found:
            async for lines in found:
                yield _encode(lines)

    return StreamingResponse(stream(), media_type=JSON_LINES, headers=_HEADERS)


def _owner(call: Call) -> str:
    """Return whose analysis it is: a known person's, else that of everybody at an address."""
    return call.identity.id if call.identity.cookie is None else group_of(call.address)


def _encode(lines: tuple[Variation, ...]) -> bytes:
    return msgspec.json.encode(views.EngineLines([_view(line) for line in lines])) + b"\n"


def _view(line: Variation) -> views.EngineLine:
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
        analyse,
        requests.AnalysisRequest,
        views.EngineLines,
        media=JSON_LINES,
        refusals=(409, 422, 503),
    ),
)
