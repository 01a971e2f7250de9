"""The lobby: games that wait for anybody to join."""

from __future__ import annotations

from typing import Final

from sumito.protocol import frames, views
from sumito.server.games import presenter
from sumito.server.realtime.hub import Broadcast, Hub
from sumito.server.storage import GameRepository

LOBBY: Final = "lobby"


class Lobby:
    """Lists the open games, and publishes changes."""

    def __init__(self, store: GameRepository, hub: Hub) -> None:
        self._store = store
        self._hub = hub

    async def games(self) -> list[views.Summary]:
        """Return the open games, newest first, with a limit for each creator."""
        return presenter.summaries(await self._store.lobby())

    async def frame(self) -> str:
        """Return the lobby as an encoded frame."""
        return frames.encode(frames.LobbyFrame(await self.games()))

    async def publish(self) -> None:
        if self._hub.has_subscribers(LOBBY) or self._hub.is_shared:
            await self._hub.publish(LOBBY, Broadcast(await self.frame()))
