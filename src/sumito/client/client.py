"""HTTP requests to a server: signing in, games that can be joined, new games."""

from __future__ import annotations

from types import TracebackType
from typing import Final, Self, TypeVar
from urllib.parse import SplitResult, parse_qs, urlsplit

import httpx
import msgspec

from sumito.client.tokens import TokenStore
from sumito.errors import SumitoError
from sumito.i18n.messages import N_
from sumito.protocol import requests, views

TIMEOUT_S: Final = 10.0
"""Seconds to wait for an answer."""
View = TypeVar("View")


class ServerError(SumitoError):
    """The server can't be reached, or refuses; `code` says which."""


class Client:
    """A server, and who one is there.

    >>> client = Client("127.0.0.1:8000")
    >>> client.url
    'http://127.0.0.1:8000'
    """

    def __init__(self, url: str, language: str = "en", tokens: TokenStore | None = None) -> None:
        """Without a token store, `sign_in` creates a new guest each time."""
        link = _parts(url if "://" in url else f"http://{url}")
        if link is None or link.scheme not in ("http", "https") or not link.hostname:
            raise ServerError(
                N_("{url!r} is no address of a server; it is like {example}"),
                url=url,
                example="http://127.0.0.1:8000",
            )
        self.url = f"{link.scheme}://{link.netloc}"
        self._tokens = tokens
        self._http = httpx.AsyncClient(
            base_url=self.url, headers={"Accept-Language": language}, timeout=TIMEOUT_S
        )
        self._token = ""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    @property
    def credentials(self) -> dict[str, str]:
        """The headers that say who asks."""
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}

    async def sign_in(self, token: str = "") -> None:
        """Use a token, else the stored one if the server still knows it, else a new guest's."""
        self._token = token or (self._tokens.get(self.url) if self._tokens else "")
        if token:
            return
        if self._token:
            try:
                await self.request(views.MeView, "GET", "/api/me")
            except ServerError as error:
                if error.code != "bad-token":
                    raise
            else:
                return
        self._token = ""
        self._token = (await self.request(views.TokenView, "POST", "/api/tokens")).token
        if self._tokens:
            self._tokens.set(self.url, self._token)

    async def request(
        self, kind: type[View], method: str, path: str, body: object = None, **query: str
    ) -> View:
        """Return the answer as a view; raise `ServerError` for a refusal or no answer."""
        content = None if body is None else msgspec.json.encode(body)
        try:
            answer = await self._http.request(
                method, path, content=content, params=query, headers=self.credentials
            )
        except httpx.HTTPError as error:
            raise self.unreachable(error) from None
        try:
            if answer.is_success:
                return msgspec.json.decode(answer.content, type=kind)
            refusal = msgspec.json.decode(answer.content, type=views.ErrorAnswer).error
        except msgspec.MsgspecError:
            raise ServerError(
                N_("{url} answers, but it is no Sumito server of this version"),
                code="not-sumito",
                url=self.url,
            ) from None
        raise ServerError(N_("{message}"), code=refusal.code, message=refusal.message)

    def unreachable(self, error: Exception) -> ServerError:
        """Return the error for a server that does not answer."""
        if isinstance(error, httpx.TimeoutException | TimeoutError):
            return ServerError(N_("{url} doesn't answer"), code="unreachable", url=self.url)
        return ServerError(N_("{url} can't be reached"), code="unreachable", url=self.url)

    async def open_games(self) -> list[views.Summary]:
        """Return the games that wait for players."""
        return (await self.request(views.Lobby, "GET", "/api/lobby")).games

    async def my_games(self) -> list[views.Summary]:
        """Return the games in which this client has a seat."""
        return (await self.request(views.GameList, "GET", "/api/games", mine="1")).games

    async def live_games(self) -> list[views.Summary]:
        """Return the games in play that may be watched."""
        return (await self.request(views.GameList, "GET", "/api/games", live="1")).games

    async def game(self, id: str) -> views.Snapshot:
        """Return a game as it stands."""
        return await self.request(views.Snapshot, "GET", f"/api/games/{id}")

    async def create_game(self, game: requests.NewGame) -> views.Created:
        """Create a game; the answer has the links that invite to its open seats."""
        return await self.request(views.Created, "POST", "/api/games", game)

    async def join(self, link: str) -> str:
        """Take a seat of a game by its link or id, or watch it if none is free; return its id."""
        parts = urlsplit(link)
        id = parts.path.rpartition("/")[2]
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        seat = {name: query[name] for name in ("seat", "key") if name in query}
        try:
            await self.request(views.Snapshot, "POST", f"/api/games/{id}/join", seat)
        except ServerError as error:
            if error.code in ("unreachable", "not-sumito", "no-such-game", "not-found"):
                raise
            await self.game(id)
        return id


def _parts(url: str) -> SplitResult | None:
    try:
        httpx.URL(url)
        parts = urlsplit(url)
        is_valid = parts.port != 0  # raises for what is no number of a port
    except (ValueError, httpx.InvalidURL):
        return None
    return parts if is_valid else None
