"""The page where something is missing: WebAssembly, storage, the network, or a server."""

import re

import pytest
from playwright.sync_api import expect

from sumito.cli.site import write_site
from support.browser import DESKTOP, PHONE, ROOT, Visitor
from support.processes import plain_files

NO_WASM = "delete globalThis.WebAssembly"
BROKEN_WASM = (
    "WebAssembly.compile = WebAssembly.compileStreaming = async () => { throw Error('x') }"
)
NO_STORAGE = """
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
"""
SENTENCE = "This browser can't run the game's engine"


def lacking(visit, script, device=DESKTOP, **more):
    visitor = visit(device, **more)
    visitor.page.context.add_init_script(script)
    return visitor


@pytest.mark.parametrize("script", [NO_WASM, BROKEN_WASM])
def test_without_webassembly_the_first_move_says_what_is_missing(visit, script):
    visitor = lacking(visit, script).go("/")
    visitor.drag("a1", "b2")
    visitor.hint(SENTENCE)
    # The move is taken back, and nothing tries again behind the reader's back.
    visitor.sees("a1", "black")
    visitor.sees("d4", None)
    visitor.picture("no-wasm-home")
    page = visitor.page
    page.get_by_role("button", name="Play the computer").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("dialog")).to_contain_text(SENTENCE)


def test_without_webassembly_every_board_says_so(visit):
    visitor = lacking(visit, NO_WASM, PHONE, locale="de-DE")
    page = visitor.page
    sentence = "Dieser Browser kann die Engine des Spiels nicht ausführen"
    for path, place in {
        "/analysis": ".board-message",
        "/puzzles/daily": ".answer",
        "/review/local-none": ".empty",
        "/g/local-none": ".empty p",
        "/editor": ".toast",
        "/learn/pac/equal": ".toast",
        "/embed": ".embed-text",
    }.items():
        visitor.go(path)
        expect(page.locator(place)).to_contain_text(sentence)
        visitor.picture(f"no-wasm{path.replace('/', '-')}")


def test_without_webassembly_people_play_each_other(visit):
    black, white = lacking(visit, NO_WASM), lacking(visit, NO_WASM, PHONE)
    links = black.new_game(seats={"black": {"kind": "me"}})
    white.accept(links["white"])
    black.hint("Your turn")
    black.tap("c3", "d3")
    white.sees("d3", "black")


def test_a_write_that_fails_is_told_once_and_the_game_goes_on(visit):
    visitor = lacking(visit, NO_STORAGE).go("/")
    page = visitor.page
    page.get_by_role("button", name="Play here together").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".toast.shown")).to_contain_text("can't store anything")
    visitor.picture("no-storage")
    visitor.hint("Black begins")
    page.evaluate(
        "window.told = 0; addEventListener('toast', () => { window.told++; })",
    )
    visitor.type("a1b2")
    visitor.type("i9h8")
    expect(page.locator(".list button")).to_have_count(2)
    assert page.evaluate("told") == 0


def test_a_database_that_the_browser_closes_is_opened_again(visit):
    visitor = visit()
    visitor.page.context.add_init_script(
        """
        const open = IDBFactory.prototype.open;
        window.databases = [];
        IDBFactory.prototype.open = function (...asked) {
          const request = open.apply(this, asked);
          request.addEventListener("success", () => window.databases.push(request.result));
          return request;
        };
        """
    )
    visitor.go("/")
    page = visitor.page
    page.get_by_role("button", name="Play here together").click()
    page.get_by_role("button", name="Start the game").click()
    visitor.hint("Black begins")
    page.evaluate("window.databases.forEach(one => one.close())")
    visitor.type("a1b2")
    expect(page.locator(".list button")).to_have_count(1)
    page.wait_for_function("() => window.databases.length > 1")
    page.reload()
    expect(page.locator(".list button")).to_have_count(1)


def test_the_browser_is_asked_once_to_keep_the_games(visit):
    visitor = visit()
    visitor.page.context.add_init_script(
        """
        window.asked = 0;
        navigator.storage.persist = async () => { window.asked++; return true; };
        """
    )
    visitor.go("/")
    page = visitor.page
    for asked in (1, 0):
        visitor.go("/")
        page.get_by_role("button", name="Play here together").click()
        page.get_by_role("button", name="Start the game").click()
        visitor.type("a1b2")
        visitor.type("i9h8")
        assert page.evaluate("asked") == 0
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Really resign?").click()
        expect(page.locator(".result-card")).to_be_visible()
        assert page.evaluate("asked") == asked


@pytest.mark.parametrize(("device", "locale"), [(DESKTOP, "en-GB"), (PHONE, "de-DE")])
def test_offline_the_home_page_offers_what_works(visit, device, locale):
    visitor = visit(device, locale=locale)
    page = visitor.page
    visitor.go("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    expect(page.locator(".quick")).to_be_visible()
    visitor.tolerant = True
    page.context.set_offline(True)
    expect(page.locator(".quick")).to_have_count(0)
    expect(page.locator(".home .offline")).to_contain_text("offline")
    expect(page.locator(".choices button.choice")).to_have_count(2)
    expect(page.locator(".choices a.choice")).to_have_count(2)
    visitor.picture(f"offline-home-{locale[:2]}")
    assert visitor.barriers() == []
    page.reload()
    expect(page.locator(".home .offline")).to_be_visible()
    page.locator(".choices a.choice[href='/learn']").click()
    expect(page.locator(".lesson-card").first).to_be_visible()
    page.evaluate("history.pushState(null, '', '/lobby')")
    page.reload()
    expect(page.locator(".placeholder")).to_be_visible()
    expect(page.locator(".placeholder")).not_to_contain_text("running")
    visitor.picture(f"offline-lobby-{locale[:2]}")
    page.context.set_offline(False)
    visitor.go("/")
    expect(page.locator(".quick")).to_be_visible()
    expect(page.locator(".home .offline")).to_have_count(0)


@pytest.fixture(scope="module")
def files(built, tmp_path_factory):
    """The page as plain files in a folder of some web host."""
    root = tmp_path_factory.mktemp("host")
    write_site(root / "some" / "folder", ROOT / "src/sumito/server/static", overwrite=False)
    with plain_files(root) as url:
        yield f"{url}/some/folder/"


@pytest.fixture
def reader(chromium, files):
    context = chromium.new_context(locale="en-GB", **DESKTOP)
    visitor = Visitor(context.new_page(), files, touch=False)
    visitor.page.goto(files)
    yield visitor
    context.close()
    assert visitor.faults == []


def test_links_of_plain_files_open_in_new_tabs(reader, files):
    page = reader.page
    expect(page.get_by_role("link", name="Learn", exact=True)).to_have_attribute("href", "#/learn")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Learn", exact=True).click(modifiers=["Control"])
    tab = opened.value
    tab.wait_for_url(f"{files}#/learn")
    tab.get_by_role("link", name="Pushing: the sumito").click()
    tab.wait_for_url(re.compile(r"/some/folder/#/learn/sumito"))
    expect(tab.locator("article.lesson")).to_be_visible()
    tab.go_back()
    expect(tab.get_by_role("link", name="Pushing: the sumito")).to_be_visible()
    for address in ("#/", "#/learn", "#/rules", "#/words", "#/puzzles", "#/games", "#/analysis"):
        tab.goto(files + address)
        tab.locator("main a, main button").first.wait_for()
        links = tab.locator("a[href^='/']")
        expect(links).to_have_count(0)


def test_the_skip_link_of_plain_files_stays_on_the_page(reader, files):
    page = reader.page
    page.goto(f"{files}#/learn")
    page.get_by_role("link", name="Skip to the content").focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    assert page.url == f"{files}#/learn"


@pytest.mark.parametrize(
    "path", ["leaderboard", "lobby", "account", "players/Ann", "g/abc", "review/abc"]
)
def test_plain_files_say_what_takes_a_server(reader, files, path):
    reader.page.goto(f"{files}#/{path}")
    expect(reader.page.locator(".empty")).to_contain_text("This copy of the game has no server")
    reader.picture("no-server")
    reader.page.get_by_role("link", name="Back to the board").click()
    expect(reader.page.locator("sumito-home sumito-board")).to_be_visible()


@pytest.mark.parametrize("path", ["learn/1", "learn/pac/none"])
def test_a_lesson_that_does_not_exist_leads_to_the_course(reader, files, path):
    reader.page.goto(f"{files}#/{path}")
    expect(reader.page.get_by_role("heading")).to_have_text("There is no such lesson")
    reader.picture("no-lesson")
    reader.page.locator(".empty a").click()
    expect(reader.page.locator(".lesson-card").first).to_be_visible()
