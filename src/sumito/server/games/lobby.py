"""The lobby: games that wait for anybody to join."""

from __future__ import annotations

from typing import Final

from sumito.protocol import frames, views
from sumito.server.games import presenter
from sumito.server.realtime.hub import Hub, Notice
from sumito.server.storage import GameStore

LOBBY: Final = "lobby"


class Lobby:
    """Shows the open games, and tells those who look when they change."""

    def __init__(self, store: GameStore, hub: Hub) -> None:
        self._store = store
        self._hub = hub

    async def games(self) -> list[views.Summary]:
        """Open games, newest first; a few of each maker, so that nobody pushes the others out."""
        return presenter.summaries(await self._store.lobby())

    async def frame(self) -> str:
        """The lobby as a frame."""
        return frames.encode(frames.LobbyFrame(await self.games()))

    async def tell(self) -> None:
        if self._hub.listened(LOBBY) or self._hub.shared:
            await self._hub.tell(LOBBY, Notice(await self.frame()))
