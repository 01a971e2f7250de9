"""A game reviewed in the page: where it turned, what was better, and why."""

from playwright.sync_api import expect

from sumito import Board
from sumito.record import Record, write
from support.browser import PHONE

MISSED = "5/6/7/8/4bbbww/8/7/bbb1ww/5 b 2,2 0 1"
"""Black ejects by e5e6 at once; anything else gives that away."""


def game():
    record = Record.new(Board.parse(MISSED))
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
    expect(page.locator(".board-message")).to_contain_text("What is better than b1c2?")
    visitor.drag("e5", "e6")
    expect(page.locator(".board-message")).to_contain_text("Yes! e5e6 is better.")
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


STORED_POSITIONS = """async () => {
  const open = indexedDB.open("sumito-reviews");
  const database = await new Promise(done => { open.onsuccess = () => done(open.result); });
  const get = database.transaction("reviews").objectStore("reviews").getAll();
  const [review] = await new Promise(done => { get.onsuccess = () => done(get.result); });
  database.close();
  return review?.positions.length ?? 0;
}"""


def test_a_review_that_is_stopped_and_goes_on_looks_at_every_position(visit):
    visitor = visit()
    page = visitor.page
    board = Board()
    record = Record.new(board)
    node = record.root
    for _ in range(16):
        node = node.add(min(node.board().legal_moves, key=str))
    visitor.go("/games")
    page.evaluate(
        "text => localStorage.setItem('sumito.analysis',"
        " JSON.stringify({ text, game: 0, path: [] }))",
        write(record),
    )
    visitor.go("/review")
    stop, go_on = (page.get_by_role("button", name=one, exact=True) for one in ("Stop", "Go on"))
    for _ in range(3):
        stop.click()
        # Going on at once, while the stopped search still ends.
        go_on.click()
        expect(stop).to_be_visible()
    stop.click()
    expect(go_on).to_be_visible()
    progress = page.locator(".review-progress progress")
    assert float(progress.get_attribute("value") or 1) < 1
    go_on.click()
    expect(page.locator(".review-progress")).to_have_count(0, timeout=60_000)
    page.wait_for_function(f"async () => await ({STORED_POSITIONS})() === 17")
