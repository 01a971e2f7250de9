"""The page: files that Vite has built into the package, and one index for all its addresses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from sumito.server import i18n as words
from sumito.server.http.operations import give_cookie, language_of
from sumito.server.i18n import N_
from sumito.server.people.sessions import COOKIE
from sumito.server.services import House

STATIC: Final = Path(__file__).parents[1] / "static"
_FOREVER: Final = "public, max-age=31536000, immutable"


class Files(StaticFiles):
    """Built files. The names of assets tell their content, so browsers keep them for ever."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        is_asset = Path(full_path).parent.name == "assets"
        response.headers["Cache-Control"] = _FOREVER if is_asset else "no-cache"
        return response


_FILES: Final = Files(directory=STATIC, check_dir=False)


async def page(request: Request) -> Response:
    """A built file, or the index, which finds out by itself what its address means."""
    path = request.url.path
    if path.startswith(("/api/", "/ws/")):
        return _nothing()
    try:
        return await _FILES.get_response(_FILES.get_path(request.scope), request.scope)
    except HTTPException:
        if path.startswith("/assets/"):
            return _nothing()
    return await _index(request)


def _nothing() -> Response:
    return PlainTextResponse("There is nothing here.", 404)


async def _index(request: Request) -> Response:
    try:
        response = await _FILES.get_response("index.html", request.scope)
    except HTTPException:
        missing = N_("The page hasn't been built yet: run `make web`. The API works.")
        return PlainTextResponse(words.say(language_of(request), missing), 503)
    house: House = request.app.state.house
    # Given with the page, so that its first calls are all from the same guest.
    identity = await house.people.identify(request.cookies.get(COOKIE), None)
    if identity.cookie is not None:
        give_cookie(request, response, identity.cookie)
    return response
