"""Puzzles in the page: solved by hand, shown step by step, with and without a network."""

import json
import re
import secrets

from playwright.sync_api import expect

from sumito.puzzles import Goal, shipped
from sumito.rules.move import Move
from support.browser import PHONE, ROOT

EASY = next(
    one for one in shipped() if one.goal is Goal.WIN and one.moves == 1 and one.mode == "two"
)
LONG = next(one for one in shipped() if len(one.line) == 3 and one.mode == "two")
PUZZLES = json.loads((ROOT / "src/sumito/puzzles/puzzles.json").read_text("utf-8"))


def take(visitor, move: Move):
    """Take a row by its ends and let it go where the move says."""
    visitor.tap(*dict.fromkeys((str(move.first), str(move.last))))
    visitor.page.locator(f"[data-arrow={move.direction.name}]").wait_for()
    box = visitor.page.locator(f"[data-arrow={move.direction.name}] .disc").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if visitor.touch:
        visitor.page.touchscreen.tap(x, y)
    else:
        visitor.page.mouse.click(x, y)


def kept(visitor):
    return visitor.page.evaluate("JSON.parse(localStorage.getItem('sumito.puzzles'))")


def test_a_puzzle_is_solved_on_a_phone_without_a_network(visit):
    visitor = visit(PHONE)
    page = visitor.page
    visitor.go(f"/puzzles/{EASY.id}")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    visitor.tolerant = True
    page.context.set_offline(True)
    page.reload()
    expect(page.locator(".goal")).to_contain_text("Win at once.")
    take(visitor, EASY.line[0])
    expect(page.locator(".answer")).to_have_text("Solved!")
    assert kept(visitor)["done"] == {EASY.id: True}
    assert kept(visitor)["rating"] > 1000
    assert visitor.barriers() == []
    page.context.set_offline(False)


def test_a_wrong_move_goes_back_with_a_kind_word_and_counts_once(visit):
    visitor = visit()
    visitor.go(f"/puzzles/{EASY.id}")
    board = EASY.board()
    wrong = next(one for one in board.legal_moves if one != EASY.line[0] and not one.is_side_step)
    expect(visitor.page.locator(".marbles .marble").first).to_be_visible()
    before = visitor.marbles()
    take(visitor, wrong)
    expect(visitor.page.locator(".answer")).to_contain_text("Try again")
    visitor.page.wait_for_function("() => document.querySelector('.puzzle-talk.think') !== null")
    assert visitor.marbles() == before
    take(visitor, EASY.line[0])
    expect(visitor.page.locator(".answer")).to_have_text("That's it.")
    assert kept(visitor)["done"] == {EASY.id: False}


def test_the_solution_is_shown_move_by_move(visit):
    visitor = visit()
    visitor.go(f"/puzzles/{LONG.id}")
    visitor.page.get_by_role("button", name="Hint").click()
    expect(visitor.page.locator(".ring-drawn").first).to_be_visible()
    visitor.page.get_by_role("button", name="Show the solution").click()
    expect(visitor.page.locator(".answer")).to_contain_text(" ".join(map(str, LONG.line)))
    expect(visitor.page.get_by_role("link", name="Analyse")).to_be_visible()


def test_kinds_and_runs_are_offered_and_nonsense_is_answered(visit):
    visitor = visit()
    page = visitor.page
    visitor.go("/puzzles")
    page.get_by_role("link", name=re.compile("^Eject")).click()
    expect(page.locator(".puzzle-head h2")).to_have_text("Eject")
    expect(page.locator(".goal b")).to_contain_text("Eject a marble")
    visitor.go("/puzzles/storm")
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"[23]:\d\d"))
    visitor.go("/puzzles/nonsense")
    expect(page.locator(".empty p")).to_have_text("There is no such puzzle.")


def with_one_puzzle(visit, puzzle):
    """A visitor of a page that has a single puzzle."""
    visitor = visit(service_workers="block")
    listed = json.dumps([one for one in PUZZLES if one["id"] == puzzle.id])
    visitor.page.route(
        "**/puzzles-*.json",
        lambda route: route.fulfill(body=listed, content_type="application/json"),
    )
    return visitor


def wrong_move(puzzle):
    return next(
        one for one in puzzle.board().legal_moves if one != puzzle.line[0] and not one.is_side_step
    )


def test_a_storm_goes_on_when_the_same_puzzle_comes_again(visit):
    visitor = with_one_puzzle(visit, EASY)
    visitor.go("/puzzles/storm")
    expect(visitor.page.locator(".puzzle-talk.think")).to_be_visible()
    take(visitor, wrong_move(EASY))
    expect(visitor.page.locator(".answer")).to_contain_text("Not the best move")
    expect(visitor.page.locator(".puzzle-talk.think")).to_be_visible()
    take(visitor, EASY.line[0])
    expect(visitor.page.locator(".run-count")).to_have_text("1")


def test_training_with_a_single_puzzle_sets_it_again(visit):
    visitor = with_one_puzzle(visit, EASY)
    visitor.go("/puzzles/train")
    expect(visitor.page.locator(".puzzle-talk.think")).to_be_visible()
    take(visitor, EASY.line[0])
    expect(visitor.page.locator(".answer")).to_have_text("Solved!")
    visitor.page.get_by_role("button", name="Next puzzle").click()
    expect(visitor.page.locator(".puzzle-talk.think")).to_be_visible()
    take(visitor, EASY.line[0])
    expect(visitor.page.locator(".answer")).to_have_text("Solved!")


def test_with_an_account_the_first_try_counts_there(visit):
    visitor = visit()
    page = visitor.page
    visitor.go("/puzzles")
    made = page.request.post(
        visitor.url + "/api/accounts",
        data={"name": f"p{secrets.token_hex(5)}", "password": "a long enough secret"},
        headers={"Origin": visitor.url},
    )
    assert made.ok
    visitor.go(f"/puzzles/{EASY.id}")
    expect(page.locator(".puzzle-rating")).to_have_text("1500")
    take(visitor, EASY.line[0])
    expect(page.locator(".puzzle-rating .up")).to_be_visible()
    told = page.request.get(visitor.url + "/api/puzzles/me").json()
    assert (told["tries"], told["solved"]) == (1, 1)
    expect(page.locator(".puzzle-rating")).to_contain_text(str(told["rating"]))
    visitor.go("/puzzles")
    expect(page.locator(".puzzle-stand b").first).to_have_text(str(told["rating"]))
