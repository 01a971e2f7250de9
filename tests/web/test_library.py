"""The library and the explorer: what is looked for is found, and what isn't there is said."""

from playwright.sync_api import expect


def test_a_search_that_finds_nothing_says_so_and_nonsense_is_refused(visit):
    visitor = visit()
    page = visitor.page
    visitor.go("/games")
    page.get_by_role("button", name="Library").click()
    page.get_by_label("Player", exact=True).fill("Nobody at all")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".empty")).to_contain_text("No game fits this.")
    assert visitor.barriers() == []
    visitor.tolerant = True
    page.get_by_label("Games that reached this position").fill("nonsense")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".absent")).to_be_visible()


def test_the_explorer_says_when_no_game_came_here(visit):
    visitor = visit()
    page = visitor.page
    visitor.go("/analysis?position=5/6/7/8/9/8/7/6/b3w_b_0,0_0_1")
    page.locator(".openings-card summary").click()
    expect(page.locator(".openings-note")).to_have_text("No game has reached this position.")
