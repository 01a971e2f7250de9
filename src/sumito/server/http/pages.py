"""The page: files that Vite has built into the package, and one index for all its addresses."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from sumito.server import i18n as words
from sumito.server.http.operations import language_of
from sumito.server.i18n import N_
from sumito.server.people.sessions import COOKIE, LIFETIME_S
from sumito.server.services import House

STATIC: Final = Path(__file__).parents[1] / "static"
_FOREVER: Final = "public, max-age=31536000, immutable"


@cache
def _files() -> dict[str, Path]:
    """All built files by their address; only these are served, so no path leads elsewhere."""
    return {
        "/" + file.relative_to(STATIC).as_posix(): file
        for file in STATIC.rglob("*")
        if file.is_file()
    }


async def page(request: Request) -> Response:
    """A built file, or the index, which finds out by itself what its address means."""
    path = request.url.path
    file = _files().get(path)
    if file is not None and file.name != "index.html":
        cache = _FOREVER if path.startswith("/assets/") else "no-cache"
        return FileResponse(file, headers={"Cache-Control": cache})
    if path.startswith(("/assets/", "/api/", "/ws/")):
        return PlainTextResponse("There is nothing here.", 404)
    index = _files().get("/index.html")
    if index is None:
        missing = N_("The page hasn't been built yet: run `make web`. The API works.")
        return PlainTextResponse(words.say(language_of(request), missing), 503)
    response = FileResponse(index, headers={"Cache-Control": "no-cache"})
    house: House = request.app.state.house
    # Given with the page, so that its first calls are all from the same guest.
    identity = await house.people.identify(request.cookies.get(COOKIE), None)
    if identity.cookie is not None:
        response.set_cookie(
            COOKIE,
            identity.cookie,
            max_age=LIFETIME_S,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
    return response
