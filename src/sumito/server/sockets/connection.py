"""A WebSocket connection with a bounded send queue.

Everything for a connection goes through its queue, so answers and events keep their order, and a
client that doesn't read is disconnected without anybody waiting for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import Any, Final

import msgspec
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sumito.errors import SumitoError
from sumito.protocol import commands, frames
from sumito.server.accounts.sessions import COOKIE, Identity
from sumito.server.base import metrics
from sumito.server.base.i18n import N_
from sumito.server.realtime.hub import Broadcast, DirectFrame, HubMessage, Subscription
from sumito.server.refusals import (
    BadRequest,
    Refusal,
    TooMany,
    Unavailable,
    database_unavailable,
    outdated_page,
    refusal_of,
    too_large,
    too_many,
)
from sumito.server.services import Services
from sumito.server.storage import UnavailableError
from sumito.server.web.operations import address_of, check_origin, error_body, language_of

_log = structlog.get_logger()

LARGEST: Final = 4_096
_ABNORMAL_CLOSURE: Final = 1006
_TRY_AGAIN: Final = 1013
_POLICY: Final = 1008
_LONGEST_PAUSE_S: Final = 1.0
"""How long a client over its rate limit isn't read, at most: its pongs wait with its messages."""
_DECODER: Final = msgspec.json.Decoder(commands.Message)


class _RefField(msgspec.Struct):
    ref: str = ""


async def admit(websocket: WebSocket, services: Services) -> Identity:
    """Return who connects; raise `Refusal` if they may not."""
    await services.limits.handshake(address_of(websocket))
    identity = await services.people.identify(
        websocket.cookies.get(COOKIE), websocket.headers.get("authorization")
    )
    if not identity.by_token:
        check_origin(websocket, services.settings.origin_list)
    return identity


async def turn_away(websocket: WebSocket, refusal: Refusal) -> None:
    """Accept, send the refusal and close; a page can't read the body of a failed handshake."""
    if websocket.client_state is WebSocketState.DISCONNECTED:
        return
    language = language_of(websocket)  # the headers are gone after the handshake
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        if refusal.code == "wrong-origin":
            await websocket.close(_POLICY)
            return
        if websocket.application_state is WebSocketState.CONNECTING:
            await websocket.accept()
        await websocket.send_text(error_frame(refusal, language, ""))
        code = _TRY_AGAIN if isinstance(refusal, TooMany | Unavailable) else _POLICY
        await websocket.close(code, refusal.code)


def error_frame(refusal: Refusal, language: str, ref: str) -> str:
    """Return a refusal as an encoded frame, in the reader's language."""
    body = error_body(refusal, language)
    return frames.encode(frames.ErrorFrame(ref, body.code, body.message, body.details))


class Connection:
    """One client's connection; subclasses handle its messages.

    Created before the handshake is accepted: afterwards the headers are gone.
    """

    def __init__(self, websocket: WebSocket, services: Services, identity: Identity) -> None:
        self.websocket = websocket
        self.services = services
        self.identity = identity
        self.id = secrets.token_hex(8)
        self.language = language_of(websocket)
        self.queue: Subscription
        self._allowances = services.limits.messages(address_of(websocket), identity.id)
        self._serving: asyncio.Task[Any] | None = None
        self._ended = False

    async def run(self) -> None:
        """Serve the connection until either side ends it."""
        metrics.SOCKETS.inc()
        self._serving = serving = asyncio.current_task()
        assert serving is not None
        try:
            await self._serve()
        except asyncio.CancelledError:
            if not self._ended:
                raise
            serving.uncancel()
        except Exception as error:
            _report(error)
        finally:
            self._serving = None
            metrics.SOCKETS.dec()
            await self._close()

    async def _serve(self) -> None:
        self.queue = await self.services.hub.subscribe(self.channel)
        sending = asyncio.create_task(self._send())
        # A client whose queue is full isn't read either; commands under way are finished.
        self.queue.on_overrun = self.end
        try:
            await self.on_open()
            await self._receive()
        finally:
            self._serving = None
            # Break the reference cycle of queue and connection.
            self.queue.on_overrun = None
            sending.cancel()
            try:
                await asyncio.gather(sending, return_exceptions=True)
                await self.services.hub.unsubscribe(self.queue)
            finally:
                await self._finish()

    def end(self) -> None:
        """Stop serving the connection."""
        self._ended = True
        if self._serving is not None:
            self._serving.cancel()
            self._serving = None

    async def _finish(self) -> None:
        try:
            await self.on_close()
        except (Refusal, UnavailableError) as error:
            _log.warning("a connection's end couldn't be noted", why=str(error))

    @property
    def channel(self) -> str:
        """The hub channel that the connection subscribes to."""
        raise NotImplementedError

    async def on_open(self) -> None:
        """Called after subscribing, before the first message is read."""

    async def handle(self, message: commands.Message) -> None:
        """Handle a message of the client."""

    async def on_hub_message(self, message: HubMessage) -> None:
        """Send a message of the hub."""
        if isinstance(message, Broadcast | DirectFrame):
            await self.send(message.frame)

    async def on_close(self) -> None:
        """Called after the connection has ended."""

    def answer(self, frame: Any) -> None:
        """Queue a frame for this connection."""
        self.queue.put(DirectFrame(frames.encode(frame)))

    def refuse(self, refusal: Refusal, ref: str) -> None:
        """Queue an error."""
        self.queue.put(DirectFrame(error_frame(refusal, self.language, ref)))

    async def send(self, frame: str) -> None:
        try:
            await self.websocket.send({"type": "websocket.send", "text": frame})
        except RuntimeError as error:
            # What Starlette and uvicorn raise while the other end is closing.
            _log.debug("a frame came too late", why=str(error))
            raise WebSocketDisconnect(_ABNORMAL_CLOSURE) from None

    async def _send(self) -> None:
        try:
            while True:
                await self.on_hub_message(await self.queue.get())
        except Exception as error:
            _report(error)
            self.end()

    async def _receive(self) -> None:
        while True:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            wait_s = max(one.spend() for one in self._allowances)
            if wait_s > 0:
                self.refuse(too_many(wait_s), "")
                # Reading on would only fill the queue.
                await asyncio.sleep(min(wait_s, _LONGEST_PAUSE_S))
                continue
            text = message.get("text")
            if text is None:
                self.refuse(BadRequest("not-text", N_("A message must be JSON text.")), "")
            elif len(text) > LARGEST:
                self.refuse(too_large(), "")
            else:
                await self._receive_text(text)

    async def _receive_text(self, text: str) -> None:
        try:
            message = _DECODER.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            refusal = BadRequest("invalid", N_("This message is invalid: {why}"), why=str(error))
            self.refuse(refusal, _ref_of(text))
            return
        try:
            if isinstance(message, commands.Ping):
                self.answer(frames.PongFrame(message.sent, self.services.games.now()))
            else:
                if isinstance(message, commands.Hello) and message.protocol != commands.PROTOCOL:
                    raise outdated_page()
                await self.handle(message)
        except Refusal as refusal:
            self.refuse(refusal, message.ref)
        except SumitoError as error:
            self.refuse(refusal_of(error), message.ref)
        except UnavailableError:
            self.refuse(database_unavailable(), message.ref)

    async def _close(self) -> None:
        if self.websocket.client_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(1):
                    await self.websocket.close(_TRY_AGAIN)


def _report(error: Exception) -> None:
    """Log what ended a connection, unless the client has disconnected."""
    if isinstance(error, Refusal | UnavailableError):
        _log.warning("a connection was closed by the server", why=str(error))
    elif not isinstance(error, WebSocketDisconnect):
        _log.error("a connection failed", exc_info=error)


def _ref_of(text: str) -> str:
    """Return the `ref` of an invalid message, so that the sender knows which one it was."""
    try:
        return msgspec.json.decode(text, type=_RefField).ref[:64]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
