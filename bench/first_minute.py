"""From a clone to the first answer of the computer: seconds of each step, with empty caches.

    python bench/first_minute.py [--runs 3]

Clones this repository into a fresh folder, runs `make play` with empty caches of npm, pip and the
compiler, opens the page in Chromium, plays a move and waits for the answer; then `make play` once
more. Uncommitted changes are not in the clone.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

ROOT: Final = Path(__file__).parent.parent
FIRST_S: Final = 60
AGAIN_S: Final = 3
CHROMIUM_FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync")
ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+/")


def main() -> None:
    """Print the seconds of each step, and whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1)
    for run in range(parser.parse_args().runs):
        print(f"run {run + 1}")
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder))


def measure(folder: Path) -> None:
    """Measure one clone."""
    clock = Clock()
    checkout = folder / "sumito"
    subprocess.run(["git", "clone", "--quiet", ROOT, checkout], check=True)  # noqa: S603, S607
    clock.lap("git clone")
    environment = os.environ | {
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "npm_config_cache": str(folder / "npm"),
        "PIP_NO_CACHE_DIR": "1",
    }
    for first in (True, False):
        process = play(checkout, environment)
        try:
            url = address(process, clock)
            if first:
                in_browser(url, clock)
                verdict(clock.total, FIRST_S, "from clone to the first answer")
            else:
                verdict(clock.laps[-1], AGAIN_S, "second start")
        finally:
            process.terminate()
            process.wait()


class Clock:
    """Laps of wall-clock time."""

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()
        self.laps: list[float] = []

    @property
    def total(self) -> float:
        """Seconds since the start."""
        return self._last - self._start

    def lap(self, name: str) -> None:
        """Print the seconds since the last lap."""
        now = time.monotonic()
        self.laps.append(now - self._last)
        self._last = now
        print(f"  {name:<40} {self.laps[-1]:6.1f} s", flush=True)


def play(checkout: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    """Start `make play` as a user would, but without a browser."""
    return subprocess.Popen(
        ["make", "play", "OPTIONS=--no-browser --port 0"],  # noqa: S607
        cwd=checkout,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def address(process: subprocess.Popen[str], clock: Clock) -> str:
    """Return where the page is, once `make play` prints it."""
    assert process.stdout is not None
    step = "make play"
    for line in process.stdout:
        clock.lap(step)
        if found := ADDRESS.search(line):
            return found[0]
        step = line.strip().removeprefix("sumito: ")
    sys.exit("make play ended without an address")


def in_browser(url: str, clock: Clock) -> None:
    """Open the page, play a move and wait for the computer's answer."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("no chromium here")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*CHROMIUM_FLAGS])
        page = browser.new_page(locale="en-US")
        page.goto(url)
        board = "sumito-board:not([aria-busy=true])"
        page.locator(board).wait_for()
        clock.lap("a board in the browser")
        for cell in ("c3", "d3"):
            page.locator(f"{board} [data-at={cell}]").click()
        page.locator(".list button").nth(1).wait_for()  # two moves are listed
        clock.lap("a move and its answer")
        browser.close()


def verdict(seconds: float, most: float, what: str) -> None:
    """Print a figure with its target."""
    print(
        f"  {what:<40} {seconds:6.1f} s   target {most} s   {'ok' if seconds <= most else 'MISSED'}"
    )


if __name__ == "__main__":
    main()
