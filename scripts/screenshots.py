"""Photograph the built page into docs/figures, light and dark: python scripts/screenshots.py

Needs the page (`make web`), Playwright and Chromium; `make figures` provides them. The position is
from docs/figures/game.apgn, given in the address of the analysis board. The engine's variations
depend on the machine, so that these pictures, unlike the drawn figures, differ from run to run.
"""

from __future__ import annotations

import base64
import os
import shutil
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from sumito import record
from sumito.cli import static_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TARGET: Final = Path(__file__).parent.parent / "docs" / "figures"
PLIES: Final = 9
"""Plies of the game that are shown."""
THINKING_MS: Final = 4_000
MOST_BYTES: Final = 190_000
VIEWPORT: Final = {"width": 1200, "height": 760}
SCALE: Final = 1.5

_AS_WEBP: Final = """async ([png, quality]) => {
    const bitmap = await createImageBitmap(await (await fetch(png)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality });
    return await new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result);
        reader.readAsDataURL(blob);
    });
}"""


def address() -> str:
    """Return the address of the analysis board with the game, behind the page's own."""
    game = next(record.read(TARGET / "game.apgn"))
    moves = ".".join(str(move) for move in game.moves[:PLIES])
    return "#/analysis?" + urlencode({"position": str(game.board().position), "moves": moves})


def photograph(browser: Browser, url: str, scheme: str) -> bytes:
    """Return a WebP of the page in a colour scheme, under `MOST_BYTES`."""
    context = browser.new_context(
        viewport=VIEWPORT,
        device_scale_factor=SCALE,
        color_scheme=scheme,
        reduced_motion="reduce",
        locale="en-GB",
    )
    page = context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("requestfailed", lambda request: failures.append(request.url))
    page.on(
        "response", lambda answer: failures.extend([answer.url] if answer.status >= 400 else [])
    )
    page.goto(url)
    page.locator("sumito-board [data-at=e5]").wait_for()
    page.wait_for_timeout(THINKING_MS)
    png = page.screenshot()
    if failures:
        sys.exit(f"the page failed to load: {failures}")
    picture = next(
        (
            webp
            for quality in (0.9, 0.8, 0.7)
            if len(webp := _as_webp(page, png, quality)) < MOST_BYTES
        ),
        None,
    )
    context.close()
    if picture is None:
        sys.exit(f"the screenshot is larger than {MOST_BYTES:,} bytes")
    return picture


def _as_webp(page: Page, png: bytes, quality: float) -> bytes:
    """Convert a picture by the browser itself."""
    data = "data:image/png;base64," + base64.b64encode(png).decode()
    answer: str = page.evaluate(_AS_WEBP, [data, quality])
    return base64.b64decode(answer.partition(",")[2])


def main() -> None:
    """Serve the page, photograph it in both colour schemes, and write the pictures."""
    if not (static_server.BUILT / "index.html").is_file():
        sys.exit("the page hasn't been built yet: run `make web`")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    # Chromium refuses its sandbox to the administrator of a container.
    options = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with static_server.listen(0) as server, sync_playwright() as play:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = play.chromium.launch(executable_path=program, args=options)
        url = f"http://127.0.0.1:{server.server_address[1]}/{address()}"
        for scheme in ("light", "dark"):
            picture = photograph(browser, url, scheme)
            (TARGET / f"page-{scheme}.webp").write_bytes(picture)
            print(f"page-{scheme}.webp: {len(picture):,} bytes")
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
