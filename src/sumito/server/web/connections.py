"""Limits on HTTP connections: header timeout, connections per address, and in all.

An open connection needs a file descriptor, of which a process has a limited number. So headers
have a deadline, an address has a maximum of connections, and when descriptors run out, the
connection that has been idle longest is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import sys
from collections import Counter
from typing import ClassVar, Final

import h11
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from sumito.server.base.settings import Network, Settings
from sumito.server.limits import group_of

_log = structlog.get_logger()

_KEPT_FILES: Final = 48
"""File descriptors for everything else: databases, Redis, the page, engines."""
_ROUNDS: Final = 4
"""Rounds of the event loop from accepting a connection to closing another for it."""
_READ_S: Final = 60.0
"""How long a client may leave a response unread."""


def raise_file_limit() -> int:
    """Raise the limit of file descriptors to the system's maximum; return it."""
    if sys.platform == "win32":
        return 8_192
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def backlog() -> int:
    """Return how many connections to accept at once without running out of descriptors."""
    return max(16, min(2_048, raise_file_limit() // 16))


class GuardedProtocol(H11Protocol):
    """uvicorn's HTTP protocol with deadlines and limits on connections."""

    header_s: ClassVar[float] = 10.0
    most_of_address: ClassVar[int] = 200
    most: ClassVar[int] = 10_000
    proxies: ClassVar[tuple[Network, ...]] = ()
    _of_address: ClassVar[Counter[str]] = Counter()
    _silent: ClassVar[dict[GuardedProtocol, None]] = {}
    """Connections without a request, the one idle longest first."""

    _deadline: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    _group: str | None = None

    @classmethod
    def prepare(cls, settings: Settings) -> None:
        """Apply the settings to the connections of this process."""
        cls.header_s = settings.header_ms / 1000
        cls.most_of_address = settings.connections
        cls.most = max(16, raise_file_limit() - _KEPT_FILES - _ROUNDS * backlog())
        cls.proxies = settings.proxy_networks

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._group = self._counted_group()
        if self._group is not None:
            self._of_address[self._group] += 1
            if self._of_address[self._group] > self.most_of_address:
                _log.debug("too many connections", address=self._group)
                transport.abort()
                return
        self._wait_for_request()
        if len(self.connections) > self.most:
            oldest = next(iter(self._silent))
            _log.debug("too many connections, closing the one idle longest")
            oldest.transport.abort()
            oldest._hear()

    def _counted_group(self) -> str | None:
        if self.client is None:
            return None
        with contextlib.suppress(ValueError):
            address = ipaddress.ip_address(self.client[0].partition("%")[0])
            if any(address in network for network in self.proxies):
                return None
        return group_of(self.client[0])

    def _wait_for_request(self) -> None:
        self._silent.pop(self, None)
        self._silent[self] = None
        self._deadline = self.loop.call_later(self.header_s, self._give_up)

    def _give_up(self) -> None:
        _log.debug("a request didn't come in time", address=self.client and self.client[0])
        self.transport.abort()

    def _hear(self) -> None:
        """Stop the deadline: the headers have arrived, or the connection has ended."""
        self._silent.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def data_received(self, data: bytes) -> None:
        if self._deadline is None and self.conn.their_state is h11.IDLE:
            self._wait_for_request()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._hear()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        # From here on the connection is counted as a WebSocket.
        self._leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        self._hear()
        self._stop_reading_clock()
        if self._group is not None:
            self._of_address[self._group] -= 1
            if not self._of_address[self._group]:
                del self._of_address[self._group]
            self._group = None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            # A client that sends its body after the response would never be stopped.
            self.transport.close()
        elif not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self._silent[self] = None  # uvicorn's own clock for idle connections runs now

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stop_reading_clock()
        self._reading = self.loop.call_later(_READ_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_reading_clock()

    def _stop_reading_clock(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
