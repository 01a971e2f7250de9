"""The board gets the screen: every size, in every language, without scrolling or cutting."""

import pytest
from playwright.sync_api import expect

from support.browser import ARTEFACTS

SIZES = [(390, 844), (844, 390), (820, 1180), (1280, 720), (1440, 900), (2560, 1080)]
LANGUAGES = ["en-GB", "de-DE", "nl-NL", "fr-FR"]

CUT_OFF = """() => {
  const wide = document.documentElement;
  const found = [];
  if (wide.scrollWidth > wide.clientWidth) found.push("scrolls sideways");
  if (wide.scrollHeight > wide.clientHeight) found.push("scrolls");
  for (const one of document.querySelectorAll(
      ".seat *, .hint p, .actions *, .head a, .tab-list button, .steps button, .team-score *")) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || one.closest(".hidden, .me")) continue;
    const text = one.textContent.trim().slice(0, 30);
    if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
        && getComputedStyle(one).overflow !== "visible") {
      found.push("cut: " + text);
    }
    if (box.right > innerWidth + 1 || box.left < -1 || box.bottom > innerHeight + 1) {
      found.push("outside: " + one.className + " " + text);
    }
  }
  return found;
}"""

HOLES = """() => {
  const at = (cell) => document.querySelector(`[data-at=${cell}]`).getBoundingClientRect();
  const board = document.querySelector("sumito-board").getBoundingClientRect();
  return { apart: at("e6").x - at("e5").x, left: board.left, right: board.right,
           top: board.top, bottom: board.bottom, width: board.width };
}"""


def computers(*colours):
    return {"black": {"kind": "me"}} | {
        colour: {"kind": "computer", "level": "newcomer"} for colour in colours
    }


GAMES = {
    "two": {"seats": computers("white")},
    "three": {"mode": "three", "seats": computers("white", "red")},
    "teams": {"mode": "teams", "seats": computers("white", "red", "blue")},
}


@pytest.mark.parametrize("size", [(844, 390), (1280, 720)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_home_page_needs_no_scrolling_to_play_on_a_low_screen(visit, size):
    width, height = size
    touch = {"has_touch": True, "is_mobile": True} if width < 1000 else {}
    visitor = visit({"viewport": {"width": width, "height": height}} | touch, locale="de-DE")
    visitor.go("/")
    visitor.tap("c3")
    expect(visitor.page.locator(".arrow").first).to_be_visible()
    found = [one for one in visitor.page.evaluate(CUT_OFF) if not one.startswith("outside: chip")]
    assert found == []
    board = visitor.page.evaluate(HOLES)
    assert board["bottom"] <= height + 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_game_fits_every_screen_in_every_language(visit, size):
    width, height = size
    touch = {"has_touch": True, "is_mobile": True} if width < 1000 else {}
    device = {"viewport": {"width": width, "height": height}} | touch
    control = {"kind": "sudden_death", "ms": 600_000}
    found = {}
    for number, language in enumerate(LANGUAGES):
        visitor = visit(device, locale=language)
        for mode, wanted in GAMES.items():
            visitor.new_game(control=control, **wanted)
            expect(visitor.page.locator(".seat.active")).to_have_count(1)
            expect(visitor.page.locator(".steps")).to_be_visible()
            cut = visitor.page.evaluate(CUT_OFF)
            board = visitor.page.evaluate(HOLES)
            if cut:
                found[language, mode] = cut
            assert min(board["left"], board["top"]) >= -1, board
            assert board["right"] <= width + 1, board
            assert board["bottom"] <= height + 1, board
            if width == 390:
                assert board["apart"] >= 38, board
            if size == (1280, 720):
                assert board["width"] >= 620, board
            if number == 1:
                visitor.page.screenshot(path=ARTEFACTS / f"screen-{mode}-{width}x{height}.png")
    assert found == {}
