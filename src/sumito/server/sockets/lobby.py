"""A connection to the lobby: it listens, and answers pings."""

from __future__ import annotations

from starlette.websockets import WebSocket

from sumito.protocol import commands
from sumito.server.base.i18n import N_
from sumito.server.games.lobby import LOBBY
from sumito.server.realtime.hub import Missed, Reply, Told
from sumito.server.refusals import Refusal, away
from sumito.server.services import Services
from sumito.server.sockets.connection import Connection, admit, turn_away
from sumito.server.storage import UnavailableError
from sumito.server.web.operations import address_of


async def lobby_socket(websocket: WebSocket) -> None:
    """Somebody looks at the lobby."""
    services: Services = websocket.app.state.services
    try:
        identity = await admit(websocket, services)
        with services.limits.connection(address_of(websocket)):
            connection = LobbyConnection(websocket, services, identity)
            await websocket.accept()
            await connection.run()
    except Refusal as refusal:
        await turn_away(websocket, refusal)
    except UnavailableError:
        await turn_away(websocket, away())


class LobbyConnection(Connection):
    """Somebody who looks at the lobby."""

    @property
    def channel(self) -> str:
        return LOBBY

    async def begun(self) -> None:
        self.queue.put(Reply(await self.services.games.lobby.frame()))

    async def told(self, told: Told) -> None:
        if isinstance(told, Missed):
            # News may have got lost: the database knows.
            await self.send(await self.services.games.lobby.frame())
        else:
            await super().told(told)

    async def obey(self, message: commands.Message) -> None:
        if isinstance(message, commands.Hello | commands.Pong):
            return
        raise Refusal("only-look", N_("in the lobby one only looks; games are played elsewhere"))
