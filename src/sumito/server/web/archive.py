"""HTTP endpoints of the archive: search, download and opening explorer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog
from starlette.responses import Response, StreamingResponse

from sumito.position import Position
from sumito.protocol import views
from sumito.rules import layouts
from sumito.rules.modes import Colour, Mode
from sumito.server.archive.archive import CUSTOM, Archive
from sumito.server.base.i18n import N_
from sumito.server.refusals import BadRequest, InvalidInput, Refusal
from sumito.server.storage import UnavailableError
from sumito.server.storage.archive_repo import ArchivedGame, GameSearch
from sumito.server.web.operations import Call, Operation, parse_count
from sumito.server.web.records import APGN, EXPORTING, as_file

_log = structlog.get_logger()

PAGE: Final = 50
FILTERS: Final = (
    "player",
    "layout",
    "mode",
    "result",
    "since",
    "until",
    "shortest",
    "longest",
    "position",
)
LONGEST_NAME: Final = 80
MOST_PLIES: Final = 1_000_000
MOST_NUMBER: Final = 2**31 - 1
"""The highest number that a game of the archive can have."""
MOST_GAMES: Final = 20_000
"""Of one download."""


async def get_openings(call: Call) -> views.Openings:
    """The moves played in a position, in all games of the archive."""
    return await call.services.archive.explore(_position(call.query("position") or ""))


async def search(call: Call) -> views.GameList:
    """Search finished games, newest first."""
    archive = call.services.archive
    wanted = search_of(call)
    found = await archive.store.search(wanted, _cursor(call.query("before")), PAGE + 1)
    shown = found[:PAGE]
    more = f"{shown[-1].at}-{shown[-1].number}" if len(found) > PAGE else None
    return views.GameList(await archive.summaries(shown), more)


async def download(call: Call) -> Response:
    """Download finished games as records."""
    archive = call.services.archive
    wanted = search_of(call)

    async def texts() -> AsyncIterator[str]:
        before, between = None, ""
        for _ in range(MOST_GAMES // PAGE):
            found = await archive.store.search(wanted, before, PAGE)
            for game in found:
                if text := await _text(archive, game):
                    yield between + text
                    between = "\n"
            if len(found) < PAGE:
                break
            before = (found[-1].at, found[-1].number)

    return StreamingResponse(texts(), media_type=APGN, headers=as_file("sumito-found.apgn"))


async def _text(archive: Archive, game: ArchivedGame) -> str:
    """Return a game's record; empty if it can't be read, so that the others are sent."""
    try:
        # One game at a time in a process, to leave time for the games in play.
        async with EXPORTING:
            return await archive.text(game)
    except UnavailableError:
        raise
    except Exception:
        _log.exception("an archived game can't be written", game=game.game_id)
        return ""


def search_of(call: Call) -> GameSearch:
    """Return the search of a query; raise `InvalidInput` that names the wrong parameter."""
    mode = _one_of(call, "mode", tuple(str(mode) for mode in Mode))
    return GameSearch(
        player=_name(call.query("player")),
        layout=_layout(call.query("layout")),
        mode=mode,
        result=_one_of(call, "result", (*(str(colour) for colour in Colour), "draw")),
        since=_day(call, "since"),
        until=_day(call, "until", days=1),
        shortest=_number(call, "shortest"),
        longest=_number(call, "longest"),
        position=_position(text) if (text := call.query("position")) else None,
    )


def _wrong(name: str, expected: str) -> Refusal:
    return InvalidInput(
        "bad-query", N_("`{name}` must be {expected}."), name=name, expected=expected
    )


def _one_of(call: Call, name: str, known: tuple[str, ...]) -> str | None:
    text = call.query(name)
    if not text:
        return None
    if text not in known:
        raise _wrong(name, ", ".join(known))
    return text


def _name(text: str | None) -> str | None:
    if text and not text.isprintable():
        raise InvalidInput(
            "bad-query", N_("{name} has characters that are not allowed in names."), name="player"
        )
    return text.strip()[:LONGEST_NAME] or None if text else None


def _layout(text: str | None) -> str | None:
    if not text:
        return None
    if text != CUSTOM and not any(text in layouts.of(mode) for mode in Mode):
        raise InvalidInput("no-such-layout", N_("There is no layout {layout}."), layout=text)
    return text


def _day(call: Call, name: str, days: int = 0) -> int | None:
    """The beginning of a day in ms, `days` days later."""
    text = call.query(name)
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC) + timedelta(days=days)
        return int(day.timestamp() * 1000)
    except (ValueError, OverflowError):
        raise _wrong(name, "2026-05-31") from None


def _number(call: Call, name: str) -> int | None:
    text = call.query(name)
    if not text:
        return None
    number = parse_count(text, MOST_PLIES)
    if number is None:
        raise _wrong(name, f"0 … {MOST_PLIES}")
    return number


def _position(text: str) -> str:
    """The position as we write it; a `PositionError` says what is wrong with it."""
    return str(Position.parse(text))


def _cursor(text: str | None) -> tuple[int, int] | None:
    if not text:
        return None
    at, _, number = text.rpartition("-")
    is_known = all(part.isascii() and part.isdigit() and len(part) <= 15 for part in (at, number))
    if not is_known or int(number) > MOST_NUMBER:
        raise BadRequest(
            "bad-cursor", N_("`before` must be the `next` value of an earlier answer.")
        )
    return int(at), int(number)


OPERATIONS: Final = (
    Operation(
        "GET",
        "/api/openings",
        get_openings,
        result=views.Openings,
        query=("position",),
        refusals=(422,),
    ),
    Operation(
        "GET", "/api/games.apgn", download, query=FILTERS, media=APGN, refusals=(422,), cost=20
    ),
)
