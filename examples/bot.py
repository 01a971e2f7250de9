"""A bot that plays one game over the API: it ejects where it can, or pushes, or just moves.

    python examples/bot.py http://127.0.0.1:8000                   makes a game, prints the link
    python examples/bot.py "http://127.0.0.1:8000/g/ID?key=…"      takes the seat of a link

Needs httpx and websockets, and nothing of sumito: the server says which moves there are.
"""

import json
import random
import sys
import uuid
from urllib.parse import parse_qs, urlsplit

import httpx
from websockets.sync.client import connect

link = urlsplit(sys.argv[1])
server = f"{link.scheme}://{link.netloc}"
token = httpx.post(f"{server}/api/tokens").raise_for_status().json()["token"]
credentials = {"Authorization": f"Bearer {token}"}
api = httpx.Client(base_url=f"{server}/api", headers=credentials)

if link.path.startswith("/g/"):
    game_id = link.path.removeprefix("/g/")
    wish = {name: values[0] for name, values in parse_qs(link.query).items()}
    api.post(f"/games/{game_id}/join", json=wish).raise_for_status()
else:
    made = api.post("/games", json={"rules": "rulebook", "win_at": 2}).raise_for_status().json()
    game_id = made["game"]["id"]
    print("play against me:", server + made["invitations"]["any"], flush=True)

with connect(f"ws{server[4:]}/ws/games/{game_id}", additional_headers=credentials) as socket:
    socket.send(json.dumps({"type": "hello"}))
    game = {"status": "waiting", "you": []}
    while game["status"] != "over":
        if game["status"] == "playing" and game["turn"] in game["you"]:
            ejections = [one for one in game["legal"] if one["ejected"]]
            pushes = [one for one in game["legal"] if one["pushed"]]
            move = random.choice(ejections or pushes or game["legal"])["move"]
            play = {"type": "play", "seat": game["turn"], "ply": game["ply"], "move": move}
            socket.send(json.dumps(play | {"ref": str(uuid.uuid4())}))
        version = game.get("version")
        while game.get("version") == version:
            frame = json.loads(socket.recv())
            game |= frame.get("game") or frame.get("patch") or {}
    print("over after", game["ply"] - 1, "moves:", game["outcome"], flush=True)
