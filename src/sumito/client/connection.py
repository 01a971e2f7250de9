"""One game over a WebSocket: frames as they come, commands that wait for their acknowledgement."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from sumito.client.client import TIMEOUT_S, Client, ServerError
from sumito.client.remote_game import RemoteGame
from sumito.i18n.messages import N_
from sumito.protocol import frames
from sumito.rules.move import Move

_DECODER: Final = msgspec.json.Decoder[frames.Frame](frames.Frame)


class GameConnection:
    """A connection to one game; `async with` opens it, and iterating over it gives its frames.

    Pings are answered, acknowledgements go to the commands that wait for them, and frames of
    types that a newer server may send are left out. `game` has taken in a frame before the reader
    sees it. Raise what `websockets` raises if the connection can't be opened.
    """

    def __init__(self, client: Client, game: RemoteGame) -> None:
        self.game = game
        self._client = client
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._frames: asyncio.Queue[frames.Frame | None] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._socket = await connect(
            f"ws{self._client.url[4:]}/ws/games/{self.game.view.id}",
            additional_headers=self._client.credentials,
            open_timeout=TIMEOUT_S,
        )
        self._reader = asyncio.create_task(self._read(self._socket))
        try:
            await self._say_hello()
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        await self.close()
        if self._reader is not None:
            self._reader.cancel()
            with suppress(asyncio.CancelledError):
                await self._reader

    async def close(self) -> None:
        """Close the connection; iterating over it ends."""
        if self._socket is not None:
            await self._socket.close()

    async def __aiter__(self) -> AsyncIterator[frames.Frame]:
        while (frame := await self._frames.get()) is not None:
            yield frame

    async def play(self, move: Move) -> None:
        """Make a move; raise `ServerError` if the server refuses it."""
        await self.command("play", ply=self.game.view.ply, move=move.index)

    async def command(self, type: str, **content: object) -> None:
        """Send a command and wait until the server has stored it; raise `ServerError` if not."""
        ref = secrets.token_hex(8)
        waiting = self._waiting[ref] = asyncio.get_running_loop().create_future()
        try:
            await self._send({"type": type, "ref": ref} | content)
            async with asyncio.timeout(TIMEOUT_S):
                await waiting
        except TimeoutError as error:
            raise self._client.unreachable(error) from None
        finally:
            self._waiting.pop(ref, None)

    async def _say_hello(self) -> None:
        await self._send({"type": "hello", "since": None})

    async def _send(self, message: dict[str, object]) -> None:
        try:
            if self._socket is not None:
                await self._socket.send(json.dumps(message))
                return
        except ConnectionClosed:
            pass
        raise ServerError(N_("not connected to the server"), code="unreachable")

    async def _read(self, socket: ClientConnection) -> None:
        try:
            with suppress(ConnectionClosed, ServerError):
                async for text in socket:
                    try:
                        frame = _DECODER.decode(text)
                    except msgspec.MsgspecError:
                        continue
                    await self._handle(frame)
        finally:
            self._fail_commands()
            self._frames.put_nowait(None)

    async def _handle(self, frame: frames.Frame) -> None:
        match frame:
            case frames.PingFrame(sent=sent):
                await self._send({"type": "pong", "sent": sent})
            case frames.AckFrame(ref=ref):
                self._answer(ref, None)
            case frames.ErrorFrame(ref=ref, code=code, message=message):
                error = ServerError(N_("{message}"), code=code, message=message)
                if not self._answer(ref, error):
                    self._frames.put_nowait(frame)
            case _ if self.game.apply(frame):
                self._frames.put_nowait(frame)
            case _:
                await self._say_hello()

    def _answer(self, ref: str, error: ServerError | None) -> bool:
        waiting = self._waiting.pop(ref, None)
        if waiting is None or waiting.done():
            return False
        if error is None:
            waiting.set_result(None)
        else:
            waiting.set_exception(error)
        return True

    def _fail_commands(self) -> None:
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(
                    ServerError(
                        N_("the connection was lost; the command may have arrived"),
                        code="unreachable",
                    )
                )
        self._waiting = {}
