"""A person at a browser: looks at boards, taps, drags, and presses keys."""

import os
import re
from pathlib import Path

from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / "artefacts"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

PATIENCE_MS = 60_000
"""How long to wait for something that must come; only a failing test waits so long."""
expect.set_options(timeout=PATIENCE_MS)


class Visitor:
    """One page of one person; errors in its console are faults."""

    def __init__(self, page, url, touch):
        self.page = page
        self.url = url
        self.touch = touch
        self.faults = []
        self.tolerant = False
        page.set_default_timeout(PATIENCE_MS)
        if "SUMITO_SLOW" in os.environ:
            # How many times slower than it is: what depends on speed shows itself.
            rate = {"rate": float(os.environ["SUMITO_SLOW"])}
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", rate)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._console)

    def _console(self, message):
        # While a server is down, browsers complain about every try to reach it.
        if message.type == "error" and not self.tolerant:
            self.faults.append(message.text)

    def go(self, path):
        self.page.goto(self.url + path)
        return self

    def new_game(self, **wish):
        """Make a game as the page does, and go there; returns its invitations."""
        answer = self.page.request.post(
            self.url + "/api/games", data=wish, headers={"Origin": self.url}
        )
        assert answer.status == 201, answer.text()
        made = answer.json()
        self.go(f"/g/{made['game']['id']}")
        return made["invitations"]

    def accept(self, link):
        """Open an invitation and sit down."""
        self.go(link)
        self.page.locator(".joining button").first.click()
        expect(self.page.locator(".joining")).to_have_count(0)
        return self

    # The board.

    def cell(self, name):
        # While the game is on its way, the board says that it is busy and takes nothing.
        return self.page.locator(f"sumito-board:not([aria-busy=true]) [data-at={name}]")

    def tap(self, *cells):
        for name in cells:
            if self.touch:
                self.cell(name).tap()
            else:
                self.cell(name).click()

    def drag(self, start, end):
        """Press on a cell, go to another and let go, with the mouse or a finger."""
        (x1, y1), (x2, y2) = self.middle(start), self.middle(end)
        way = [(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part) for part in (0, 0.3, 0.7, 1)]
        if self.touch:
            self._swipe(way)
            return
        mouse = self.page.mouse
        for number, (x, y) in enumerate(way):
            mouse.move(x, y)
            if number == 0:
                mouse.down()
        mouse.up()

    def _swipe(self, points):
        session = self.page.context.new_cdp_session(self.page)
        for number, (x, y) in enumerate(points):
            kind = "touchMove" if number else "touchStart"
            session.send(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            )
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    def middle(self, name):
        box = self.cell(name).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def keys(self, cell, *keys):
        """Put the focus on a cell and press keys."""
        self.cell(cell).focus()
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, move):
        field = self.page.locator(".typing input")
        field.wait_for(state="attached")  # the game is there
        if not field.is_visible():
            self.menu()
        field.fill(move)
        field.press("Enter")

    def menu(self):
        """Open what is behind the three dots."""
        self.page.locator("[popovertarget=game-menu]").click()

    def marbles(self):
        """What stands on the board, by cell, once the game is there."""
        self.page.locator("sumito-board:not([aria-busy=true]) .marble").first.wait_for()
        found = self.page.locator(".marbles .marble")
        pairs = found.evaluate_all(
            "list => list.map(one => [one.dataset.cell, one.classList.item(1)])"
        )
        return dict(pairs)

    def sees(self, cell, colour):
        """Wait until a marble stands somewhere, or nothing does."""
        here = self.page.locator(f".marbles [data-cell={cell}]")
        if colour is None:
            expect(here).to_have_count(0)
        else:
            expect(here).to_have_class(re.compile(rf"\b{colour}\b"))

    def hint(self, text):
        expect(self.page.locator(".hint")).to_contain_text(text)

    # Looking closer.

    def picture(self, name):
        ARTEFACTS.mkdir(exist_ok=True)
        self.page.screenshot(path=ARTEFACTS / f"{name}.png", full_page=True)

    def barriers(self, *within):
        """What axe finds that would keep people out, on the whole page or in some parts of it."""
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate(
            "async parts => (await axe.run(parts.length ? {include: parts} : document)).violations",
            within,
        )
        return [
            f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]
