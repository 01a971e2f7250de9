"""Ways through the page: reachable at every size, and from the lobby to a game with a stranger."""

import pytest
from playwright.sync_api import expect

from support.browser import DESKTOP, PHONE

SIZES = [(390, 844), (844, 390), (896, 414), (820, 1180), (1280, 720), (720, 450)]
PATHS = ["/", "/learn", "/learn/sumito/2-1", "/puzzles/train", "/analysis", "/editor", "/lobby"]


def ways(page):
    """Links to the main pages, and buttons of the menu with them, that one can see."""
    links = page.get_by_role("link", name="Puzzles", exact=True)
    buttons = page.locator("button[popovertarget=ways]")
    return [one for one in [*links.all(), *buttons.all()] if one.is_visible()]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_other_pages_can_be_reached_from_every_page(visit, size):
    device = PHONE if min(size) < 500 else DESKTOP
    visitor = visit(device | {"viewport": {"width": size[0], "height": size[1]}})
    for path in PATHS:
        visitor.go(path)
        expect(visitor.page.locator("main > *").first).to_be_visible()
        found = ways(visitor.page)
        assert found, path
        for one in found:
            box = one.bounding_box()
            assert 0 <= box["x"] <= size[0] - box["width"], path
            assert min(box["width"], box["height"]) >= 24, path
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert visitor.page.evaluate(wide) == 0, path


@pytest.mark.parametrize("size", [(390, 844), (844, 390)], ids=["upright", "sideways"])
def test_the_menu_of_a_phone_has_all_pages_and_the_settings(visit, size):
    visitor = visit(PHONE | {"viewport": {"width": size[0], "height": size[1]}}).go("/analysis")
    page = visitor.page
    page.locator("button[popovertarget=ways]:visible").click()
    for name in ("Learn", "Lobby", "Games", "Ratings", "Account"):
        expect(page.locator("#ways").get_by_role("link", name=name)).to_be_in_viewport()
    page.locator("#ways").get_by_role("button", name="Settings").click()
    expect(page.locator("sumito-settings dialog")).to_be_visible()
    expect(page.locator("#ways")).to_be_hidden()


def test_strangers_meet_in_the_lobby_by_the_clock_they_choose(visit):
    first, second = visit(DESKTOP).go("/lobby"), visit(PHONE).go("/lobby")
    first.page.get_by_role("button", name="5 min + 3 s").click()
    expect(first.page.get_by_role("heading", name="Looking for an opponent…")).to_be_visible()
    expect(first.page.locator(".invite .code")).to_be_hidden()
    first.page.get_by_text("Invite a friend instead").click()
    expect(first.page.locator(".invite .code svg, .invite .code img")).to_be_visible()
    second.page.get_by_role("button", name="5 min + 3 s").click()
    expect(second.page.locator(".seat").first).to_be_visible()
    for one in (first, second):
        expect(one.page.locator(".invite")).to_have_count(0)
        expect(one.page.locator("sumito-board [role=grid]")).to_be_visible()


def test_games_in_play_can_be_watched_from_the_lobby(visit):
    player, watcher = visit(DESKTOP), visit(PHONE)
    clock = {"kind": "sudden_death", "ms": 600_000}
    seats = {"black": {"kind": "me"}, "white": {"kind": "open"}}
    links = player.new_game(seats=seats, control=clock, listed=True)
    visit(DESKTOP).accept(links["any"])
    address = player.page.url.removeprefix(player.url).split("?")[0]
    player.type("c3d3")
    player.hint("Waiting for")
    watcher.go("/lobby")
    game = watcher.page.locator(f".live-games a[href='{address}']")
    expect(game).to_be_visible()
    game.click()
    expect(watcher.page.locator("sumito-board [role=grid]")).to_be_visible()
