"""Static files of the page, and its index for all its URLs."""

from __future__ import annotations

import os
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from sumito.drawing import png
from sumito.server.accounts.sessions import COOKIE
from sumito.server.base import i18n as words
from sumito.server.base.i18n import N_
from sumito.server.games.seats import is_id
from sumito.server.services import Services
from sumito.server.storage import UnavailableError
from sumito.server.web.operations import give_cookie, language_of

STATIC: Final = Path(__file__).parents[1] / "static"
_log = structlog.get_logger()

_HOST: Final = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")
_FOREVER: Final = "public, max-age=31536000, immutable"
_MEDIA: Final = {".webmanifest": "application/manifest+json", ".wasm": "application/wasm"}
"""Types that not every system knows."""


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
        if kind := _MEDIA.get(Path(full_path).suffix):
            response.headers["Content-Type"] = kind
        return response


_FILES: Final = Files(directory=STATIC, check_dir=False)


async def page(request: Request) -> Response:
    """A built file, or the index, which finds out by itself what its address means."""
    path = request.url.path
    if path.startswith(("/api/", "/ws/")):
        return _nothing()
    if path.endswith("/index.html"):
        return await _index(request)
    try:
        return await _FILES.get_response(_FILES.get_path(request.scope), request.scope)
    except HTTPException:
        if path.startswith("/assets/"):
            return _nothing()
    return await _index(request)


def _nothing() -> Response:
    return PlainTextResponse("There is nothing here.", 404)


async def _index(request: Request) -> Response:
    index = STATIC / "index.html"
    if not index.is_file():
        missing = N_("The page hasn't been built yet: run `make web`. The API works.")
        return PlainTextResponse(words.say(language_of(request), missing), 503)
    services: Services = request.app.state.services
    preview, identity = "", None
    try:
        preview = await _preview(request, services)
        # Given with the page, so that its first calls are all from the same guest.
        identity = await services.people.identify(request.cookies.get(COOKIE), None)
    except UnavailableError as error:
        # The page works without: it plays against the computer, and says what is wrong.
        _log.warning("the page is served without the database", why=str(error))
    text = _read(index).replace("</head>", preview + "</head>")
    response = HTMLResponse(text, headers={"Cache-Control": "no-cache"})
    if identity is not None and identity.cookie is not None:
        give_cookie(request, response, COOKIE, identity.cookie)
    return response


@cache
def _read(file: Path) -> str:
    return file.read_text("utf-8")


def _site(request: Request, services: Services) -> str | None:
    """The server's address for others; None if it isn't set and the request's makes no sense."""
    if services.settings.public_url:
        return services.settings.public_url
    host = request.headers.get("host", "")
    return f"{request.url.scheme}://{host}" if _HOST.fullmatch(host) else None


async def _preview(request: Request, services: Services) -> str:
    """What others show of a link to a game: who plays, and the position as a picture."""
    here, _, id = request.url.path.removeprefix("/").partition("/")
    game = await services.games.store.get(id) if here == "g" and is_id(id) else None
    if game is None:
        return ""
    site = _site(request, services)
    if site is None:
        return ""
    names = " – ".join(seat.name or seat.colour for seat in game.seats)
    tags = {
        "og:type": "website",
        "og:site_name": "Sumito",
        "og:title": names,
        "og:url": f"{site}/g/{id}",
        "og:image": f"{site}/api/games/{id}.png",
        "og:image:width": str(png.WIDTH),
        "og:image:height": str(png.HEIGHT),
        "twitter:card": "summary_large_image",
    }
    return "".join(
        f'<meta property="{name}" content="{escape(text)}" />' for name, text in tags.items()
    )
