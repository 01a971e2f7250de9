"""A real server, a real Chromium, and people with phones and desktops."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from support.browser import DESKTOP, ROOT, Visitor
from support.optional_parts import REASONS
from support.processes import ServerProcess


# Not for the session: while Playwright is there, no test elsewhere could run its own event loop.
@pytest.fixture(scope="module")
def chromium():
    """The system's Chromium; `make test` installs it where that is allowed."""
    if shutil.which("chromium") is None:
        pytest.skip(REASONS["browser"])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def built():
    if not (ROOT / "src/sumito/server/static/index.html").exists():
        pytest.fail("the page isn't built: run `make web`")


@pytest.fixture(scope="session")
def site(built, tmp_path_factory):
    server = ServerProcess(tmp_path_factory.mktemp("site") / "games.sqlite3").start()
    yield server
    said = server.stop()
    assert "Traceback" not in said, said


@pytest.fixture
def visit(chromium, site):
    """Makes visitors, each somebody else; whatever their consoles complain of is a fault."""
    made = []

    def make(device=DESKTOP, server=site, **more):
        context = chromium.new_context(**({"locale": "en-GB"} | device | more))
        visitor = Visitor(context.new_page(), server.url, touch="has_touch" in device)
        made.append((context, visitor))
        return visitor

    yield make
    faults = [fault for _, visitor in made for fault in visitor.faults]
    for context, _ in made:
        context.close()
    assert faults == []
