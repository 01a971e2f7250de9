"""The pages around the game: at once usable, on phone and desktop, for everybody."""

import gzip

import pytest
from playwright.sync_api import expect

from support.browser import DESKTOP, PHONE

DEVICES = {"desktop": DESKTOP, "phone": PHONE}
PAGES = [
    "/",
    "/lobby",
    "/games",
    "/leaderboard",
    "/account",
    "/analysis",
    "/editor",
    "/puzzles",
    "/nowhere",
]


@pytest.mark.parametrize("name", DEVICES)
def test_no_page_has_barriers_or_scrolls_sideways(visit, name):
    visitor = visit(DEVICES[name])
    found = {}
    for path in PAGES:
        visitor.go(path)
        expect(visitor.page.locator("h1")).to_be_visible()
        found[path] = visitor.barriers()
        visitor.picture(f"page{path.replace('/', '-')}-{name}")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert visitor.page.evaluate(wide) == 0, path
    assert found == {path: [] for path in PAGES}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", DEVICES)
def test_a_game_has_no_barriers(visit, name, theme):
    visitor = visit(DEVICES[name], color_scheme=theme)
    control = {"kind": "fischer", "ms": 600_000, "increment_ms": 5_000}
    visitor.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}}, control=control)
    visitor.type("c3d3")
    visitor.hint("White to move")
    visitor.tap("g5")
    expect(visitor.page.locator(".arrow").first).to_be_visible()
    visitor.picture(f"game-{name}-{theme}")
    assert visitor.barriers() == []


def test_the_first_load_is_light(visit):
    visitor = visit(PHONE)
    loaded = []
    visitor.page.on("response", lambda response: loaded.append(response))
    visitor.go("/")
    expect(visitor.page.locator("sumito-board [role=grid]")).to_be_visible()
    sizes = {one.url: len(gzip.compress(one.body())) for one in loaded}
    assert len(sizes) > 3
    # The typeface is shown once it is there; nothing waits for it.
    awaited = {url: size for url, size in sizes.items() if not url.endswith(".woff2")}
    assert sum(awaited.values()) < 75_000, awaited


def test_a_cell_says_what_stands_there_and_a_move_is_read_out(visit):
    visitor = visit()
    visitor.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    expect(visitor.cell("c3")).to_have_attribute("aria-label", "c3, Black marble")
    expect(visitor.cell("e5")).to_have_attribute("aria-label", "e5, empty")
    visitor.keys("e5", "ArrowDown", "ArrowDown")
    expect(visitor.page.locator("[data-at]:focus")).to_have_attribute("data-at", "c4")
    visitor.page.keyboard.press("Enter")
    expect(visitor.cell("c4")).to_have_attribute("aria-selected", "true")
    visitor.page.keyboard.press("e")
    visitor.sees("d5", "black")
    expect(visitor.page.locator("[role=log]")).to_have_text("Black: c4d5")


@pytest.mark.parametrize("name", DEVICES)
def test_a_new_game_is_made_in_the_dialog_and_an_invitation_is_accepted(visit, name):
    host = visit(DEVICES[name]).go("/")
    host.page.get_by_role("button", name="Invite friends").click()
    dialog = host.page.get_by_role("dialog")
    dialog.get_by_text("Change").click()
    dialog.get_by_role("button", name="Belgian Daisy").click()
    dialog.get_by_text("More").click()
    rated = dialog.get_by_role("switch", name="Rated")
    expect(rated).to_be_disabled()
    dialog.get_by_role("radio", name="10 min").check()
    rated.check()
    dialog.get_by_role("radio", name="No clock").check()
    expect(rated).not_to_be_checked()
    dialog.get_by_role("radio", name="10 min").check()
    rated.uncheck()
    host.picture(f"new-game-{name}")
    assert host.barriers() == []
    dialog.get_by_role("button", name="Create invitation link").click()
    expect(host.page.locator(".qr")).to_be_visible()
    host.picture(f"invitation-{name}")
    assert host.barriers() == []
    link = host.page.get_by_role("textbox", name="Link").input_value()
    guest = visit(PHONE).go(link.removeprefix(host.url))
    guest.page.get_by_role("textbox", name="Your name").fill("Grandma")
    guest.page.get_by_role("button", name="Play White").click()
    expect(host.page.locator(".corner.ur .name")).to_have_text("Grandma (Guest)")
    expect(host.page.locator(".clock.running")).to_have_count(1)
    host.type("a1b1")
    guest.sees("c1", "black")


def test_an_open_game_appears_in_the_lobby_and_can_be_joined(visit):
    watcher = visit(PHONE).go("/lobby")
    host = visit()
    host.new_game(seats={"black": {"kind": "me"}}, listed=True)
    watcher.page.locator(f"a[href='{host.page.url.removeprefix(host.url)}']").click()
    watcher.page.get_by_role("button", name="Play White").click()
    host.hint("Your turn")


def test_a_game_stays_in_my_games_and_can_be_replayed(visit):
    visitor = visit(PHONE)
    visitor.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    visitor.type("c3d3")
    visitor.hint("White to move")
    visitor.type("g5f5")
    visitor.hint("Black to move")
    visitor.page.get_by_role("button", name="Resign").click()
    visitor.page.get_by_role("button", name="Really resign?").click()
    visitor.hint("wins")
    visitor.go("/games")
    visitor.page.locator(".game-row").first.click()
    visitor.page.get_by_role("button", name="Start").click()
    visitor.sees("c3", "black")
    visitor.menu()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("link", name="Record").click()
    assert "c3d3 g5f5" in download.value.path().read_text()


def test_the_page_speaks_the_browsers_language_and_can_be_switched(visit):
    visitor = visit(locale="de-DE").go("/")
    expect(visitor.page.get_by_role("button", name="Freunde einladen")).to_be_visible()
    visitor.page.get_by_role("button", name="Einstellungen").click()
    visitor.page.get_by_label("Sprache").select_option("nl")
    expect(visitor.page.locator("html")).to_have_attribute("lang", "nl")
    visitor.page.keyboard.press("Escape")
    visitor.page.reload()
    expect(visitor.page.get_by_role("button", name="Vrienden uitnodigen")).to_be_visible()


def test_a_guest_becomes_an_account_and_has_a_profile(visit):
    visitor = visit().go("/account")
    visitor.page.get_by_label("Name", exact=True).fill("Marguerite")
    visitor.page.get_by_label("Password").fill("a-long-password")
    visitor.page.get_by_role("button", name="Create an account").click()
    visitor.page.get_by_role("link", name="My profile").click()
    expect(visitor.page.locator("h1")).to_have_text("Marguerite")
    expect(visitor.page.locator(".empty")).to_be_visible()


def test_the_home_page_is_a_board_to_play_on_at_once(visit):
    visitor = visit(PHONE).go("/")
    visitor.tap("c3")
    expect(visitor.page.locator(".arrow").first).to_be_visible()
    visitor.tap("d3")
    expect(visitor.page.locator(".list button")).to_have_count(2)
    visitor.hint("Your turn")
