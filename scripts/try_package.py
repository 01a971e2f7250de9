"""Try an installed package as a newcomer would: no checkout, no compiler, no Node.

Plays a game against the engine, opens the page, runs a match and reads a record back. Run it with
the Python of an environment that only has the wheel: `python scripts/try_package.py`. With
`--alone` it tries what works without any extra.
"""

from __future__ import annotations

import io
import os
import re
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.request
from pathlib import Path

import sumito
from sumito import record

SUMITO = Path(sysconfig.get_path("scripts")) / ("sumito.exe" if os.name == "nt" else "sumito")


def command(*words: str) -> str:
    done = subprocess.run(
        [SUMITO, *words], check=False, capture_output=True, text=True, timeout=300
    )
    if done.returncode:
        sys.exit(f"sumito {' '.join(words)} failed ({done.returncode}):\n{done.stderr}")
    return done.stdout


def play_a_game() -> None:
    board = sumito.Board("belgian-daisy")
    with sumito.Engine() as engine:
        while board.outcome() is None and board.ply < 60:
            board.push(engine.play(board, sumito.Limit(nodes=500)).move)
    text = io.StringIO()
    record.write([record.Record.from_board(board)], text)
    assert "a" in text.getvalue()
    print(f"a game of {board.ply - 1} plies, captured {board.captured}")


def run_a_match() -> None:
    said = command("match", "engine,nodes=500", "random", "--rounds", "2")
    print("a match:", said.strip().splitlines()[-1])


def open_the_page() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [SUMITO, "serve", "--port", str(port), "--database", f"{folder}/games.sqlite"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
        )
        try:
            page = _fetch(f"http://127.0.0.1:{port}/")
            script = re.search(r'src="/?([^"]+\.js)"', page)
            assert script, "the page has no script"
            assert len(_fetch(f"http://127.0.0.1:{port}/{script[1]}")) > 1000
        finally:
            server.terminate()
            server.wait(20)
    print("the page: served with its script")


def _fetch(address: str) -> str:
    for _ in range(200):
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310
                return str(answer.read().decode())
        except OSError:
            time.sleep(0.1)
    sys.exit(f"nothing answers at {address}")


def look_inside() -> None:
    """All that isn't Python code and must be in the package."""
    from importlib import resources

    package = resources.files("sumito")
    for name in (
        "data/layouts.json",
        "data/network.bin",
        "data/openings.txt",
        "teaching/course.json",
        "puzzles/puzzles.json",
        "locale/de/LC_MESSAGES/library.po",
        "locale/de/LC_MESSAGES/library.mo",
        "server/static/index.html",
        "server/static/licences.txt",
        "notebook/static/licences.txt",
        "notebook/static/widget.js",
        "py.typed",
    ):
        assert package.joinpath(name).is_file(), f"{name} is not in the package"
    print("inside: layouts, network, course, puzzles, words, page, widget")


def play_alone() -> None:
    """`sumito play` without an extra: the page as plain files, with kernel and network."""
    assert command("--version") == f"sumito {sumito.__version__}\n"
    assert "play" in command()
    told = subprocess.run([SUMITO, "show"], check=False, capture_output=True, text=True, timeout=60)
    assert 'pip install "sumito[cli]"' in told.stderr, told.stderr
    server = subprocess.Popen(
        [SUMITO, "play", "--no-browser", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())
        assert address, "sumito play says no address"
        page = _fetch(address[0])
        assert 'data-site="files"' in page
        script = re.search(r'src="\./([^"]+\.js)"', page)
        assert script, "the page has no script"
        assert len(_fetch(address[0] + script[1])) > 1000
        kernels = list(Path(str(sumito.__file__)).parent.glob("server/static/assets/*.wasm"))
        assert kernels, "the page has no kernel"
        with urllib.request.urlopen(address[0] + "assets/" + kernels[0].name) as answer:  # noqa: S310
            assert answer.headers["Content-Type"] == "application/wasm"
    finally:
        server.terminate()
        server.wait(20)
    print("sumito play, with nothing but Python: page, script and kernel are served")


def fall_back_to_lines() -> None:
    """Without a terminal, `sumito terminal` reads lines."""
    done = subprocess.run(
        [SUMITO, "terminal"],
        check=True,
        capture_output=True,
        text=True,
        input="a1b2\nquit\n",
        timeout=60,
    )
    assert "white to move" in done.stdout, done.stdout
    print("sumito terminal: line by line without a terminal")


if __name__ == "__main__":
    assert "site-packages" in str(sumito.__file__), f"{sumito.__file__} is not an installed package"
    print("sumito", sumito.__version__, "on Python", sys.version.split()[0])
    look_inside()
    play_a_game()
    if "--alone" in sys.argv:
        play_alone()
    else:
        run_a_match()
        open_the_page()
        fall_back_to_lines()
