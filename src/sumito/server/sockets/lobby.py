"""A WebSocket connection to the lobby: it publishes open games and answers pings."""

from __future__ import annotations

from starlette.websockets import WebSocket

from sumito.protocol import commands
from sumito.server.base.i18n import N_
from sumito.server.games.lobby import LOBBY
from sumito.server.realtime.hub import DirectFrame, HubMessage, Resync
from sumito.server.refusals import BadRequest, Refusal, database_unavailable
from sumito.server.services import Services
from sumito.server.sockets.connection import Connection, admit, turn_away
from sumito.server.storage import UnavailableError
from sumito.server.web.operations import address_of


async def lobby_socket(websocket: WebSocket) -> None:
    """Serve a connection to the lobby."""
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
        await turn_away(websocket, database_unavailable())


class LobbyConnection(Connection):
    """A connection that shows the lobby."""

    @property
    def channel(self) -> str:
        return LOBBY

    async def on_open(self) -> None:
        self.queue.put(DirectFrame(await self.services.games.lobby.frame()))

    async def on_hub_message(self, message: HubMessage) -> None:
        if isinstance(message, Resync):
            # Updates may have been lost: read the database.
            await self.send(await self.services.games.lobby.frame())
        else:
            await super().on_hub_message(message)

    async def handle(self, message: commands.Message) -> None:
        if isinstance(message, commands.Hello | commands.Pong):
            return
        raise BadRequest("only-look", N_("The lobby socket accepts no commands."))
