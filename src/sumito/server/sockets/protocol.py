"""uvicorn's WebSocket protocol, closing on invalid UTF-8, and with less memory per connection.

Both classes use uvicorn's private attributes: its version is bounded in pyproject.toml.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sumito.server.realtime.queue import LightEvent, SingleReaderQueue


class StrictProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that is closed with code 1007 by a text that is not UTF-8.

    uvicorn closes it too, but logs a traceback, and fails at the next such message of a batch.
    """

    __slots__ = ()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self._close_as_invalid()
                return
        super().send_receive_event_to_app()

    def _close_as_invalid(self) -> None:
        """Close as if the application had asked for it: the client answers, or a timer ends it."""
        reason = "text is not UTF-8"
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1007, "reason": reason})
        self.conn.send_close(1007, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)


class LeanProtocol(StrictProtocol):
    """A WebSocket that forgets its handshake; headers are to be read before `accept`."""

    # Python stores this number of attributes in a table twice as large as they need.
    __slots__ = (
        "app",
        "app_state",
        "asgi_version",
        "client",
        "close_sent",
        "close_timeout",
        "close_timer",
        "config",
        "conn",
        "connections",
        "curr_msg_data_type",
        "default_headers",
        "disconnected",
        "frames",
        "handshake_complete",
        "handshake_initiated",
        "initial_response",
        "last_ping_rtt",
        "logger",
        "loop",
        "pending_ping_payload",
        "ping_interval",
        "ping_sent_at",
        "ping_timeout",
        "ping_timer",
        "pong_timer",
        "queue",
        "read_paused",
        "request",
        "response",
        "root_path",
        "scheme",
        "scope",
        "server",
        "tasks",
        "transport",
        "writable",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue: SingleReaderQueue[Any] = SingleReaderQueue()  # type: ignore[assignment]
        self.writable: LightEvent = LightEvent()  # type: ignore[assignment]

    def start_keepalive(self) -> None:
        super().start_keepalive()
        del self.request, self.response
        # Emptied, not replaced: others hold the same list.
        self.scope["headers"].clear()  # type: ignore[attr-defined]
        # A parser that has read the request keeps it; one that begins now knows only frames.
        self.conn.parser.close()
        self.conn.parser = self.conn.parse()
        next(self.conn.parser)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # The parser and its state hold each other, and would wait for the garbage collector.
        self.conn.parser.close()
