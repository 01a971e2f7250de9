"""A bot that plays one game over the API: it ejects where it can, or pushes, or just moves.

    python examples/bot.py http://127.0.0.1:8000                   creates a game, prints the link
    python examples/bot.py "http://127.0.0.1:8000/g/ID?key=…"      takes the seat of a link

It needs the extra [client].
"""

import asyncio
import random
import sys

from sumito import Board, Move
from sumito.client import Client, GameConnection, RemoteGame
from sumito.protocol.requests import NewGame


def choose(board: Board) -> Move:
    """Return an ejection if there is one, else a push, else any move."""
    effects = [board.effect(move) for move in board.legal_moves]
    ejections = [effect for effect in effects if effect.ejected is not None]
    pushes = [effect for effect in effects if effect.pushed]
    return random.choice(ejections or pushes or effects).move


async def main(address: str) -> None:
    """Play one game at a server, or by a link."""
    server, _, id = address.partition("/g/")
    async with Client(server) as client:
        await client.sign_in()
        if id:
            view = await client.game(await client.join(address))
        else:
            created = await client.create_game(NewGame(rules="rulebook", win_at=2))
            view = created.game
            print("play against me:", client.url + created.invitations["any"], flush=True)
        async with GameConnection(client, RemoteGame(view)) as connection:
            game, last_ply = connection.game, 0
            async for _ in connection:
                if game.view.status == "over":
                    print("over after", game.view.ply - 1, "moves:", game.view.outcome, flush=True)
                    return
                if "move" in game.view.can and game.view.ply > last_ply:
                    last_ply = game.view.ply
                    await connection.play(choose(game.board))


asyncio.run(main(sys.argv[1]))
