"""The example bot plays a game against itself."""

import re
import subprocess
import sys
from pathlib import Path

from support.processes import PATIENCE

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def bot(address):
    return subprocess.Popen([sys.executable, BOT, address], stdout=subprocess.PIPE, text=True)


def test_two_bots_play_a_game_to_its_end(server):
    with bot(server.url) as host:
        link = re.search(r"http\S+", host.stdout.readline())[0]
        with bot(link) as visitor:
            results = [one.communicate(timeout=3 * PATIENCE)[0] for one in (host, visitor)]
    assert results[0] == results[1]
    assert re.fullmatch(r"over after \d+ moves: .*ejected.*\n", results[0])
