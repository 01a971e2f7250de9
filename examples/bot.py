"""A bot that plays one game over the API: it ejects where it can, or pushes, or just moves.

    python examples/bot.py http://127.0.0.1:8000                   makes a game, prints the link
    python examples/bot.py "http://127.0.0.1:8000/g/ID?key=…"      takes the seat of a link

Moves are numbers on the wire; the library says what each of them does on the board.
"""

import json
import random
import sys
import uuid
from urllib.parse import parse_qs, urlsplit

import httpx
from websockets.sync.client import connect

from sumito import MOVES, Board

link = urlsplit(sys.argv[1])
server = f"{link.scheme}://{link.netloc}"
token = httpx.post(f"{server}/api/tokens").raise_for_status().json()["token"]
credentials = {"Authorization": f"Bearer {token}"}
api = httpx.Client(base_url=f"{server}/api", headers=credentials)

if link.path.startswith("/g/"):
    game_id = link.path.removeprefix("/g/")
    wanted = {name: values[0] for name, values in parse_qs(link.query).items()}
    api.post(f"/games/{game_id}/join", json=wanted).raise_for_status()
else:
    made = api.post("/games", json={"rules": "rulebook", "win_at": 2}).raise_for_status().json()
    game_id = made["game"]["id"]
    print("play against me:", server + made["invitations"]["any"], flush=True)


def choose(board: Board) -> int:
    """The number of a move: an ejection before a push before anything else."""
    effects = [board.effect(move) for move in board.legal_moves]
    ejections = [one for one in effects if one.ejected is not None]
    pushes = [one for one in effects if one.pushed]
    return random.choice(ejections or pushes or effects).move.index


with connect(f"ws{server[4:]}/ws/games/{game_id}", additional_headers=credentials) as socket:
    socket.send(json.dumps({"type": "hello"}))
    game, board = {"status": "waiting", "can": []}, Board()
    while game["status"] != "over":
        if "move" in game["can"]:
            play = {"type": "play", "ply": game["ply"], "move": choose(board)}
            socket.send(json.dumps(play | {"ref": str(uuid.uuid4())}))
            game["can"] = []
        frame = json.loads(socket.recv())
        if frame["type"] == "state":
            game = frame["game"]
            board = Board.parse(game["position"])
        elif frame["type"] == "event":
            game |= frame["patch"] | frame.get("mine", {})
            if frame["event"]["type"] == "moved":
                board.push(MOVES[frame["event"]["move"]])
    print("over after", game["ply"] - 1, "moves:", game["outcome"], flush=True)
