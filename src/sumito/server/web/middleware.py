"""Middleware: request log, error responses, security headers, unread bodies."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sumito.server.base.i18n import N_
from sumito.server.refusals import ServerError
from sumito.server.web.operations import address_of, language_of, refuse

_log = structlog.get_logger()

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; "
    "script-src 'self' 'wasm-unsafe-eval'",  # the kernel is WebAssembly
    # Together these let the page share memory with the worker in which the computer thinks.
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), "
    "midi=(), payment=(), serial=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_EMBEDDED: Final = {
    name: value.replace("frame-ancestors 'none'", "frame-ancestors *")
    for name, value in _HEADERS.items()
    if name != "X-Frame-Options"
} | {"Cross-Origin-Resource-Policy": "cross-origin"}
"""Headers of the board that other pages may embed; it has no actions."""
_DRAIN_BYTES: Final = 65_536
_DRAIN_S: Final = 2.0
"""How much of an unread body is read, and for how long."""
_QUIET: Final = ("/assets/", "/healthz", "/metrics")
"""Paths that are requested so often that they are logged at the level debug."""


class SafeHeaders:
    """Adds security headers to every response, also of errors."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                chosen = _EMBEDDED if scope["path"] == "/embed" else _HEADERS
                for name, value in chosen.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_safely)


class UnreadBody:
    """Reads the rest of a small body before a response, so that the connection can be reused.

    A client that is refused before its body was read would otherwise send its next request on a
    connection that is being closed. If the body is too large or too slow to be read to its end,
    the response announces the closing.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _has_body(scope):
            await self._app(scope, receive, send)
            return
        waits_for_leave = Headers(scope=scope).get("expect", "").lower() == "100-continue"
        is_read = False

        async def receive_noted() -> Message:
            nonlocal is_read, waits_for_leave
            waits_for_leave = False
            message = await receive()
            is_read = not message.get("more_body", False)
            return message

        async def send_late(message: Message) -> None:
            if message["type"] == "http.response.start" and not is_read:
                if not waits_for_leave:
                    await _drain(receive_noted)
                if not is_read:
                    MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        await self._app(scope, receive_noted, send_late)


def _has_body(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


async def _drain(receive: Receive) -> None:
    """Read a body to its end, unless that takes too much or too long."""
    read = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_S):
            while read <= _DRAIN_BYTES:
                message = await receive()
                read += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


class RequestLog:
    """Logs each request with its status; logs and answers uncaught exceptions."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        request = Request(scope)
        try:
            await self._app(scope, receive, send_noted)
        except asyncio.CancelledError:
            raise
        except Exception:
            _log.exception("a request failed", method=request.method, path=request.url.path)
            if status:
                # The response has begun: only a broken connection shows that it is incomplete.
                raise
            await _failed(request)(scope, receive, send_noted)
        _note(request, status, (time.perf_counter() - began) * 1000)


def _failed(request: Request) -> ASGIApp:
    refusal = ServerError("failed", N_("Something went wrong on the server. The error was logged."))
    return refuse(refusal, language_of(request))


def _note(request: Request, status: int, ms: float) -> None:
    path = request.url.path
    note = _log.debug if status < 400 and path.startswith(_QUIET) else _log.info
    note(
        "request",
        method=request.method,
        path=path,
        status=status,
        ms=round(ms, 1),
        address=address_of(request),
    )
