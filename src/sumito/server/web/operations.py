"""Operations of the HTTP API: identify, limit and decode requests, encode results and refusals."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
import structlog
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from sumito.errors import SumitoError
from sumito.i18n.messages import Message
from sumito.protocol.requests import TokenScope
from sumito.protocol.views import ErrorAnswer, ErrorBody
from sumito.server.accounts.sessions import COOKIE, DEVICE_COOKIE, LIFETIME_S, Identity
from sumito.server.base import i18n as words
from sumito.server.base.i18n import N_
from sumito.server.refusals import (
    BadRequest,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Refusal,
    ServerError,
    TooLarge,
    TooMany,
    TooSlow,
    Unauthorised,
    Unavailable,
    database_unavailable,
    refusal_of,
    too_large,
)
from sumito.server.services import Services
from sumito.server.storage import Person, UnavailableError

T = TypeVar("T")

_log = structlog.get_logger()

LARGEST_BODY: Final = 16_384
_BODY_S: Final = 10.0
"""How long a body may be on its way; honest ones come with their headers."""
_SAFE: Final = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the API: method, path and handler, with types for the OpenAPI document."""

    method: str
    path: str
    handler: Callable[[Call], Awaitable[Any]]
    body: Any = None
    result: Any = None
    status: int = 200
    query: tuple[str, ...] = ()
    media: str = "application/json"
    refusals: tuple[int, ...] = ()
    scope: TokenScope = "play"
    """The scope that a token needs."""
    cost: int = 1
    """How many requests it counts for in the rate limit."""

    @property
    def summary(self) -> str:
        """The first line of the handler's docstring."""
        return (self.handler.__doc__ or "").partition("\n")[0].removesuffix(".")


@dataclass(slots=True)
class Call:
    """A request as handlers see it."""

    request: Request
    services: Services
    identity: Identity
    cookie: str | None = None
    """A cookie to set with the response."""
    new_device_cookie: str | None = None
    _body: Any = field(default=None)

    @property
    def language(self) -> str:
        return language_of(self.request)

    @property
    def address(self) -> str:
        return address_of(self.request)

    @property
    def device_cookie(self) -> str | None:
        return self.request.cookies.get(DEVICE_COOKIE)

    @property
    def agent(self) -> str:
        """The browser's User-Agent."""
        return self.request.headers.get("user-agent", "")

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def query(self, name: str) -> str | None:
        return self.request.query_params.get(name)

    def body(self, kind: type[T]) -> T:
        assert isinstance(self._body, kind)
        return self._body

    async def person(self) -> Person:
        return await self.services.people.person(self.identity, self.language)

    async def stored_person(self) -> Person:
        """Return the person who asks, storing them if they are not stored yet."""
        return await self.services.people.ensure_stored(await self.person())


def parse_count(text: str, most: int) -> int | None:
    """Return a whole number from 0 to `most` in a query; None if the text isn't one.

    >>> parse_count("12", 40), parse_count("41", 40), parse_count("0" * 5_000, 40)
    (12, None, None)
    """
    # Python's int() raises for thousands of digits.
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        return None
    number = int(text)
    return number if number <= most else None


def address_of(connection: HTTPConnection) -> str:
    """Return the client's address."""
    return connection.client.host if connection.client else "unknown"


def language_of(connection: HTTPConnection) -> str:
    """Return the language to answer in: the page's choice, else the browser's."""
    wanted = connection.headers.get("x-language") or connection.query_params.get("language")
    return words.choose(wanted, connection.headers.get("accept-language", ""))


def check_origin(connection: HTTPConnection, allowed: tuple[str, ...]) -> None:
    """Raise `Forbidden` for a request of another site's page (CSRF).

    Browsers send the page's origin; programs send none and have their own credentials.
    """
    origin = connection.headers.get("origin")
    foreign = connection.headers.get("sec-fetch-site") == "cross-site"
    if origin is not None:
        foreign = _host_of(origin) != connection.headers.get("host") and origin not in allowed
    if foreign:
        raise Forbidden("wrong-origin", N_("This request came from a page of another site."))


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # `http://[` is no address
        return None


def respond(content: Any, status: int = 200) -> Response:
    """Return content as a JSON response."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


STATUSES: Final[dict[type[Refusal], int]] = {
    BadRequest: 400,
    Unauthorised: 401,
    Forbidden: 403,
    NotFound: 404,
    TooSlow: 408,
    Conflict: 409,
    TooLarge: 413,
    InvalidInput: 422,
    TooMany: 429,
    ServerError: 500,
    Unavailable: 503,
}
"""The HTTP status of each kind of refusal."""


def refuse(refusal: Refusal, language: str, status: int | None = None) -> Response:
    """Return a refusal as a response; the status is that of its kind unless given."""
    content = ErrorAnswer(error_body(refusal, language))
    response = respond(content, status or STATUSES[type(refusal)])
    response.headers["Cache-Control"] = "no-store"
    if "retry_after" in refusal.details:
        response.headers["Retry-After"] = str(refusal.details["retry_after"])
    return response


def error_body(refusal: Refusal, language: str) -> ErrorBody:
    """Return a refusal as an error body, in the reader's language."""
    if isinstance(refusal.template, Message):
        message = words.sentence(language, refusal.template)
    else:
        message = words.say(language, refusal.template).format(**refusal.details)
    return ErrorBody(refusal.code, message, refusal.details)


def endpoint(operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    """Return the operation as a Starlette endpoint."""

    async def call(request: Request) -> Response:
        services: Services = request.app.state.services
        language = language_of(request)
        try:
            return await _answer(operation, request, services)
        except Refusal as refusal:
            return refuse(refusal, language)
        except SumitoError as error:
            return refuse(refusal_of(error), language)
        except UnavailableError as error:
            _log.error("the database is unavailable", why=str(error), path=request.url.path)
            return refuse(database_unavailable(), language)

    return call


async def _answer(operation: Operation, request: Request, services: Services) -> Response:
    await services.limits.request(address_of(request), operation.cost)
    identity = await services.people.identify(
        request.cookies.get(COOKIE), request.headers.get("authorization")
    )
    if request.method not in _SAFE and not identity.by_token:
        check_origin(request, services.settings.origin_list)
    if identity.cookie is None:
        await services.limits.request_of(identity.id, operation.cost)
    if operation.scope == "account" != identity.scope:
        raise Forbidden(
            "token-scope",
            N_("This token may only play. Sign in, or make a token of the scope “account”."),
        )
    call = Call(request, services, identity, identity.cookie)
    if operation.body is not None:
        call._body = decode_body(await read_body(request), operation.body)
    result = await operation.handler(call)
    response = result if isinstance(result, Response) else respond(result, operation.status)
    if call.cookie is not None and not identity.by_token:
        give_cookie(request, response, COOKIE, call.cookie)
    if call.new_device_cookie is not None and not identity.by_token:
        give_cookie(request, response, DEVICE_COOKIE, call.new_device_cookie)
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def give_cookie(request: Request, response: Response, name: str, cookie: str) -> None:
    """Set a cookie that scripts can't read."""
    response.set_cookie(
        name,
        cookie,
        max_age=LIFETIME_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


async def read_body(request: Request) -> bytes:
    """Return the body; raise `Refusal` if it is too large, too slow or incomplete."""
    read = bytearray()
    try:
        async with asyncio.timeout(_BODY_S):
            async for chunk in request.stream():
                read += chunk
                if len(read) > LARGEST_BODY:
                    raise too_large()
    except TimeoutError:
        raise TooSlow("too-slow", N_("This request took too long to arrive.")) from None
    except ClientDisconnect:
        raise BadRequest(
            "gone", N_("The connection was closed before the request was complete.")
        ) from None
    return bytes(read)


def decode_body(body: bytes, kind: Any) -> Any:
    """Return the body as a message; raise `Refusal` that says where it is invalid."""
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as error:
        raise InvalidInput(
            "invalid", N_("This request is invalid: {why}"), why=str(error)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest("not-json", N_("This is not JSON: {why}"), why=str(error)) from None
