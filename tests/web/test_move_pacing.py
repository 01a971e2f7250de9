"""Moves come one after the other and stay to be seen; told by the board's own events."""

from playwright.sync_api import expect

LISTEN = """() => {
  window.motions = [];
  for (const name of ["motionstart", "motionend"]) {
    addEventListener(name, (event) => {
      motions.push({ name, move: event.detail.move, at: performance.now() });
    }, true);
  }
}"""

DOUBLE = {
    "mode": "teams-double",
    "seats": {"black": {"kind": "me"}}
    | {colour: {"kind": "computer", "level": "newcomer"} for colour in ("red", "white", "blue")},
}


def play_a_round(visitor):
    """Black moves, the three computers answer; returns the motions of all four."""
    visitor.hint("Your turn")
    visitor.page.evaluate(LISTEN)
    visitor.type("b3c3")
    visitor.page.wait_for_function("() => motions.length >= 8")
    visitor.hint("Your turn")
    return visitor.page.evaluate("motions")


def test_every_move_of_a_double_turn_is_seen_to_its_end_before_the_next_begins(visit):
    visitor = visit()
    visitor.new_game(**DOUBLE)
    motions = play_a_round(visitor)
    assert [one["name"] for one in motions] == ["motionstart", "motionend"] * 4
    for start, end in zip(motions[::2], motions[1::2], strict=True):
        assert start["move"] == end["move"]
    for end, start in zip(motions[1:-1:2], motions[2::2], strict=True):
        assert end["at"] <= start["at"]
        # A breath of the computer; it is shortest when the player hurried, as this one did.
        assert start["at"] - end["at"] >= 230


def test_the_computers_breath_can_be_switched_off(visit):
    visitor = visit()
    visitor.page.add_init_script(
        "localStorage.setItem('sumito.settings', JSON.stringify({pace: 'none'}))"
    )
    visitor.new_game(**DOUBLE)
    motions = play_a_round(visitor)
    assert [one["name"] for one in motions] == ["motionstart", "motionend"] * 4


def test_all_moves_since_ones_own_stay_marked_and_can_be_seen_again(visit):
    visitor = visit()
    visitor.new_game(**DOUBLE)
    made = [one["move"] for one in play_a_round(visitor)[::2]]
    marks = visitor.page.locator(".trail")
    expect(marks).to_have_count(3)
    moves = marks.evaluate_all("list => list.map(one => one.dataset.move)")
    assert moves == made[1:]
    expect(visitor.page.locator(".ghost polygon").first).to_be_visible()
    visitor.page.evaluate("() => { motions.length = 0; document.activeElement.blur(); }")
    visitor.page.keyboard.press("r")
    visitor.page.wait_for_function("() => motions.length >= 6")
    shown = visitor.page.evaluate("motions.filter(one => one.name == 'motionstart')")
    assert [one["move"] for one in shown] == made[1:]


def test_double_turns_say_that_the_partner_moves_on(visit):
    visitor = visit()
    visitor.new_game(
        mode="teams-double",
        seats={"black": {"kind": "me"}}
        | {colour: {"kind": "here"} for colour in ("red", "white", "blue")},
    )
    visitor.type("b3c3")
    visitor.hint("Second move of the same team")


def test_nothing_slides_for_those_who_want_no_motion(visit):
    visitor = visit(reduced_motion="reduce")
    visitor.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    visitor.page.evaluate("() => { Element.prototype.animate = () => { throw Error('motion'); } }")
    visitor.tap("c3", "d3")
    visitor.sees("d3", "black")
    visitor.hint("White to move")
