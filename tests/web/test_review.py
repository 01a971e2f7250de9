"""A game reviewed in the page: where it turned, what was better, and why."""

from playwright.sync_api import expect

from browsing import PHONE
from sumito import Board
from sumito.record import Record, write

MISSED = "5/6/7/8/4bbbww/8/7/bbb1ww/5 b 2,2 0 1"
"""Black ejects by e5e6 at once; anything else gives that away."""


def game():
    record = Record.begin(Board.parse(MISSED))
    node = record.root
    for name in ("b1c2", "b6c6", "e5e6"):
        node = node.add(node.board().parse_move(name))
    return write(record)


def test_a_review_runs_on_a_phone_says_why_lets_one_try_and_is_kept(visit):
    visitor = visit(PHONE)
    page = visitor.page
    visitor.go("/games")
    page.evaluate(
        "text => localStorage.setItem('sumito.analysis',"
        " JSON.stringify({ text, game: 0, path: [] }))",
        game(),
    )
    visitor.go("/review")
    point = page.locator(".point").first
    expect(point).to_contain_text("1. b1c2")
    expect(point).to_contain_text("could have been pushed off at once")
    expect(page.locator(".review-progress")).to_have_count(0)
    expect(page.locator(".accuracy tbody tr")).to_have_count(2)
    point.get_by_role("button", name="Try to find it yourself").click()
    expect(page.locator(".look-hint")).to_contain_text("What is better than b1c2?")
    visitor.drag("e5", "e6")
    expect(page.locator(".look-hint")).to_contain_text("Yes! e5e6 is better.")
    assert visitor.barriers() == []
    visitor.picture("review-phone")
    page.reload()
    expect(page.locator(".point").first).to_contain_text("b1c2")
    page.get_by_role("button", name="Open on the analysis board").click()
    expect(page.locator(".tree-variation").first).to_contain_text("e5e6")


def test_what_has_no_moves_is_said(visit):
    visitor = visit()
    visitor.tolerant = True
    visitor.go("/review/nonsense")
    expect(visitor.page.locator(".empty")).to_have_text("There is no such game")
