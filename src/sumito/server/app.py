"""The ASGI application: routes, middleware, start and stop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose

from sumito.server.base import logs, metrics
from sumito.server.base.i18n import N_
from sumito.server.base.settings import Settings
from sumito.server.engines.pool import EngineThinker, Thinker
from sumito.server.refusals import BadRequest
from sumito.server.services import open_services
from sumito.server.sockets.game import game_socket
from sumito.server.sockets.lobby import lobby_socket
from sumito.server.web import openapi
from sumito.server.web.api import OPERATIONS
from sumito.server.web.connections import GuardedProtocol
from sumito.server.web.middleware import RequestLog, SafeHeaders, UnreadBody
from sumito.server.web.operations import endpoint, language_of, refuse
from sumito.server.web.pages import page

_SOCKETS: Final = (
    WebSocketRoute("/ws/games/{id}", game_socket),
    WebSocketRoute("/ws/lobby", lobby_socket),
)


class Application(Starlette):
    """Starlette, with WebSockets routed before the middleware.

    The middleware has nothing to do for a WebSocket, but each of its layers would stay in memory
    for as long as the connection is open.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await super().__call__(scope, receive, send)
            return
        scope["app"] = self
        for route in _SOCKETS:
            match, found = route.matches(scope)
            if match is Match.FULL:
                scope.update(found)
                await route.endpoint(WebSocket(scope, receive, send))
                return
        await WebSocketClose()(scope, receive, send)


def make_app(
    settings: Settings | None = None, make_thinker: Callable[[], Thinker] = EngineThinker
) -> Starlette:
    """Return the application; without settings, those of the environment."""
    settings = settings or Settings.read()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with open_services(settings, make_thinker) as services:
            app.state.services = services
            yield

    routes: list[Any] = [
        Route(one.path, endpoint(one), methods=[one.method], name=f"{one.method} {one.path}")
        for one in OPERATIONS
    ]
    routes += [
        Route("/openapi.json", openapi_document),
        Route("/metrics", prometheus),
        Route("/{path:path}", page),
    ]
    return Application(
        routes=routes,
        lifespan=lifespan,
        middleware=[
            Middleware(UnreadBody),
            Middleware(SafeHeaders),
            Middleware(RequestLog),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={HTTPException: _http_error},
    )


def serve() -> Starlette:
    """Return the application of a worker process, with logging configured."""
    settings = Settings.read()
    logs.configure(settings)
    GuardedProtocol.prepare(settings)
    return make_app(settings)


@cache
def _document() -> bytes:
    return msgspec.json.encode(openapi.document(OPERATIONS))


async def openapi_document(_: Request) -> Response:
    """The OpenAPI document."""
    return Response(_document(), media_type="application/json")


async def prometheus(_: Request) -> Response:
    """Metrics for Prometheus."""
    return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    refusal = BadRequest("http", N_("The server can't do that here."))
    response = refuse(refusal, language_of(request), status)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response
