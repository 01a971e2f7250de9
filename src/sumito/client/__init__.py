"""A client of the server's HTTP and WebSocket API, for terminals, bots and tests.

`Client` asks by HTTP; `GameConnection` follows one game over a WebSocket and keeps it as a
`RemoteGame`. What the server refuses is raised as `ServerError`.
"""

from sumito.client.client import Client, ServerError
from sumito.client.connection import GameConnection
from sumito.client.remote_game import RemoteGame
from sumito.client.tokens import TokenStore

__all__ = ["Client", "GameConnection", "RemoteGame", "ServerError", "TokenStore"]
