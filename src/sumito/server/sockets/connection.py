"""A WebSocket with a queue before it.

Everything for a connection goes through its one bounded queue, so answers and events keep their
order, and a reader that has gone to sleep is let go without anybody waiting for it.
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
from sumito.server.realtime.hub import Notice, Reply, Subscription, Told
from sumito.server.refusals import Refusal, away, outdated_page, refusal_of, too_large, too_many
from sumito.server.services import Services
from sumito.server.storage import UnavailableError
from sumito.server.web.operations import address_of, check_origin, error_body, language_of

_log = structlog.get_logger()

LARGEST: Final = 4_096
_GONE: Final = 1006
_TRY_AGAIN: Final = 1013
_POLICY: Final = 1008
_LONGEST_PAUSE_S: Final = 1.0
"""How long a sender who is too fast isn't read, at most: its pongs wait with its messages."""
_DECODER: Final = msgspec.json.Decoder(commands.Message)


class _RefField(msgspec.Struct):
    ref: str = ""


async def admit(websocket: WebSocket, services: Services) -> Identity:
    """Who wants to connect; raises if they may not."""
    await services.limits.handshake(address_of(websocket))
    identity = await services.people.identify(
        websocket.cookies.get(COOKIE), websocket.headers.get("authorization")
    )
    if not identity.by_token:
        check_origin(websocket, services.settings.origin_list)
    return identity


async def turn_away(websocket: WebSocket, refusal: Refusal) -> None:
    """Say why not, then close; a page can't read the body of a failed handshake."""
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
        code = _TRY_AGAIN if refusal.status in (429, 503) else _POLICY
        await websocket.close(code, refusal.code)


def error_frame(refusal: Refusal, language: str, ref: str) -> str:
    """A refusal as a frame, in the reader's language."""
    body = error_body(refusal, language)
    return frames.encode(frames.ErrorFrame(ref, body.code, body.message, body.details))


class Connection:
    """One client; what it hears and says is up to the kinds of connection.

    It is made before the handshake is done: afterwards the headers are gone.
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
        self.queue = await self.services.hub.listen(self.channel)
        sending = asyncio.create_task(self._send())
        # One who doesn't keep up isn't listened to either; what was begun for them is finished.
        self.queue.on_overrun = self.end
        try:
            await self.begun()
            await self._receive()
        finally:
            self._serving = None
            # Queue and connection shall not hold each other any more.
            self.queue.on_overrun = None
            sending.cancel()
            try:
                await asyncio.gather(sending, return_exceptions=True)
                await self.services.hub.leave(self.queue)
            finally:
                await self._gone()

    def end(self) -> None:
        """Serve the connection no longer."""
        self._ended = True
        if self._serving is not None:
            self._serving.cancel()
            self._serving = None

    async def _gone(self) -> None:
        try:
            await self.gone()
        except (Refusal, UnavailableError) as error:
            _log.warning("a connection's end couldn't be noted", why=str(error))

    @property
    def channel(self) -> str:
        """What the connection listens to."""
        raise NotImplementedError

    async def begun(self) -> None:
        """The connection listens from now on."""

    async def obey(self, message: commands.Message) -> None:
        """A message has come."""

    async def told(self, told: Told) -> None:
        """The hub has told something."""
        if isinstance(told, Notice | Reply):
            await self.send(told.frame)

    async def gone(self) -> None:
        """The connection is no more."""

    def answer(self, frame: Any) -> None:
        """Queue a frame for this connection."""
        self.queue.put(Reply(frames.encode(frame)))

    def refuse(self, refusal: Refusal, ref: str) -> None:
        """Queue an error."""
        self.queue.put(Reply(error_frame(refusal, self.language, ref)))

    async def send(self, frame: str) -> None:
        try:
            await self.websocket.send({"type": "websocket.send", "text": frame})
        except RuntimeError as error:
            # What Starlette and uvicorn raise while the other end is closing.
            _log.debug("a frame came too late", why=str(error))
            raise WebSocketDisconnect(_GONE) from None

    async def _send(self) -> None:
        try:
            while True:
                await self.told(await self.queue.get())
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
                # Reading on would only fill the queue: the sender waits with us.
                await asyncio.sleep(min(wait_s, _LONGEST_PAUSE_S))
                continue
            text = message.get("text")
            if text is None:
                self.refuse(Refusal("not-text", N_("messages are JSON texts")), "")
            elif len(text) > LARGEST:
                self.refuse(too_large(), "")
            else:
                await self._heard(text)

    async def _heard(self, text: str) -> None:
        try:
            message = _DECODER.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            refusal = Refusal(
                "invalid", N_("this message can't be understood: {why}"), why=str(error)
            )
            self.refuse(refusal, _ref_of(text))
            return
        try:
            if isinstance(message, commands.Ping):
                self.answer(frames.PongFrame(message.sent, self.services.games.now()))
            else:
                if isinstance(message, commands.Hello) and message.protocol != commands.PROTOCOL:
                    raise outdated_page()
                await self.obey(message)
        except Refusal as refusal:
            self.refuse(refusal, message.ref)
        except SumitoError as error:
            self.refuse(refusal_of(error), message.ref)
        except UnavailableError:
            self.refuse(away(), message.ref)

    async def _close(self) -> None:
        if self.websocket.client_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(1):
                    await self.websocket.close(_TRY_AGAIN)


def _report(error: Exception) -> None:
    """Log what ended a connection, unless it is only that the client is gone."""
    if isinstance(error, Refusal | UnavailableError):
        _log.warning("a connection was closed by the server", why=str(error))
    elif not isinstance(error, WebSocketDisconnect):
        _log.error("a connection failed", exc_info=error)


def _ref_of(text: str) -> str:
    """The ref of a message that is wrong otherwise, so that the sender knows which one it was."""
    try:
        return msgspec.json.decode(text, type=_RefField).ref[:64]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
