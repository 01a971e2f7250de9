"""People play whole games in real browsers, by every way of moving there is."""

import re

from playwright.sync_api import expect

from support.browser import DESKTOP, PHONE

SHORT = {"layout": "coffee-or-milk", "win_at": 2}
"""Black's h5 h6 h7 push white's h8 h9 off, twice in a row if white lets them."""


def invite(visit, devices, **wish):
    """A game with one visitor on each seat, in the order of the seats."""
    first, *others = [visit(device) for device in devices]
    links = first.new_game(seats={"black": {"kind": "me"}}, **wish)
    seats = [seat for seat in links if seat != "any"]
    for visitor, seat in zip(others, seats, strict=True):
        visitor.accept(links[seat])
    first.hint("Your turn")
    return first, *others


def test_two_people_play_to_the_end_by_drag_tap_keyboard_and_notation(visit):
    black, white = invite(visit, [DESKTOP, PHONE], **SHORT)

    black.drag("h5", "h6")
    white.sees("h8", "black")
    white.sees("h5", None)
    expect(white.page.locator(".tray .little-marble")).to_have_count(1)
    white.hint("Your turn")

    white.tap("b3", "a3")
    black.sees("a3", "white")

    black.keys("b1", "Enter", "x")
    white.sees("a1", "black")

    white.type("a3a4")
    black.sees("a4", "white")

    black.tap("h6", "h8")
    expect(black.page.locator(".arrow.eject")).to_have_count(1)
    black.picture("before-the-last-push")
    black.tap("h9")
    black.hint("You win")
    white.hint("Black wins this time. Black pushed 2 marbles off the board.")
    assert black.marbles() == white.marbles()
    expect(white.page.locator(".list button")).to_have_count(5)
    black.picture("game-over-desktop")
    white.picture("game-over-phone")


def test_a_side_step_is_made_by_taps_and_by_drag(visit):
    black, white = invite(visit, [DESKTOP, DESKTOP])
    black.tap("c3", "c5")
    expect(black.page.locator(".arrow")).to_have_count(4)
    black.tap("d3")
    white.sees("d5", "black")
    white.tap("g5", "g7")
    white.drag("g6", "f5")
    black.sees("f4", "white")
    black.sees("f6", "white")


def test_keys_point_where_they_do_on_the_players_own_screen(visit):
    black, white = invite(visit, [DESKTOP, DESKTOP])
    black.keys("c3", "Enter", "e")
    black.sees("d4", "black")
    white.hint("Your turn")
    white.keys("g5", "Enter", "e")
    black.sees("f4", "white")


def test_a_finger_drags_a_row_and_moves_nothing_elsewhere(visit):
    black, white = invite(visit, [PHONE, DESKTOP])
    black.drag("b3", "c4")
    white.sees("c4", "black")
    white.sees("d5", "black")
    white.type("g5f5")
    black.hint("Your turn")
    before = black.marbles()
    black.drag("e3", "h6")
    assert black.marbles() == before
    assert black.page.evaluate("scrollY") == 0


def test_pushes_and_ejections_look_different_before_they_are_made(visit):
    black, _ = invite(visit, [DESKTOP, DESKTOP], **SHORT)
    black.tap("h5")
    expect(black.page.locator(".arrow.eject")).to_have_count(1)
    expect(black.page.locator(".ring.leaves")).to_have_count(1)
    expect(black.page.locator(".arrow.plain").first).to_be_visible()


def test_an_illegal_try_is_explained_in_words(visit):
    black, _ = invite(visit, [DESKTOP, PHONE])
    before = black.marbles()
    black.keys("a1", "Enter", "d")
    black.hint("Four are too many")
    black.drag("b1", "b2")
    expect(black.page.locator(".hint.reason")).to_be_visible()
    assert black.marbles() == before


def test_a_premove_is_played_when_the_turn_comes(visit):
    minutes = {"kind": "sudden_death", "ms": 600_000}
    black, white = invite(visit, [DESKTOP, DESKTOP], control=minutes)
    white.tap("g5", "f5")
    expect(white.page.locator(".ring.premoved")).to_have_count(1)
    black.type("c3d3")
    black.sees("f5", "white")
    expect(white.page.locator(".ring.premoved")).to_have_count(0)


def test_a_move_waits_for_its_players_yes_if_they_want_to_be_asked(visit):
    black, white = invite(visit, [DESKTOP, DESKTOP])
    black.page.get_by_role("button", name="Settings").click()
    black.page.get_by_role("switch", name="Ask before each move is played").check()
    black.page.keyboard.press("Escape")
    black.tap("c3", "d3")
    black.page.get_by_role("button", name="Cancel").click()
    black.sees("c3", "black")
    black.tap("c3", "d3")
    black.page.get_by_role("button", name="Play c3d3").click()
    white.sees("d3", "black")


def test_the_past_can_be_looked_at_and_left_again(visit):
    black, white = invite(visit, [DESKTOP, PHONE], takebacks=True)
    black.type("c3d3")
    white.sees("d3", "black")
    white.type("g5f5")
    black.sees("f5", "white")
    black.page.get_by_role("button", name="Start").click()
    black.sees("c3", "black")
    black.sees("g5", "white")
    black.page.get_by_role("button", name="Forward").click()
    black.sees("d3", "black")
    black.sees("g5", "white")
    black.page.get_by_role("button", name="Now").click()
    black.sees("f5", "white")


def test_draw_take_back_and_rematch_are_agreed_between_people(visit):
    black, white = invite(visit, [DESKTOP, PHONE], takebacks=True)
    black.type("c3d3")
    white.sees("d3", "black")
    black.page.get_by_role("button", name="Take back").click()
    white.page.get_by_role("button", name="Accept").click()
    black.sees("c3", "black")
    black.type("c4d4")
    white.sees("d4", "black")
    white.page.get_by_role("button", name="Offer a draw").click()
    black.page.get_by_role("button", name="Accept").click()
    white.hint("A draw")
    for one in (white, black):
        one.page.get_by_role("button", name="Rematch").first.click()
    white.hint("Your turn")
    expect(white.page.locator(".corner.lr .seat")).to_have_attribute("data-seat", "black")


def test_people_can_talk(visit):
    black, white = invite(visit, [DESKTOP, PHONE])
    white.page.get_by_role("tab", name="Chat").click()
    white.page.get_by_role("button", name="Good luck!").click()
    expect(black.page.locator(".badge")).to_have_text("1")
    black.page.get_by_role("tab", name="Chat").click()
    expect(black.page.locator(".badge")).to_have_count(0)
    expect(black.page.locator(".chat-lines")).to_contain_text("Good luck!")
    black.page.get_by_role("textbox", name="Message").fill("<b>bold</b>")
    black.page.keyboard.press("Enter")
    expect(white.page.locator(".chat-lines")).to_contain_text("<b>bold</b>")


def test_three_people_play_in_turn_and_one_may_leave(visit):
    black, white, red = invite(visit, [DESKTOP, PHONE, DESKTOP], mode="three")
    black.type("b3c3")
    white.hint("Your turn")
    white.tap("e2", "e3")
    red.hint("Your turn")
    red.tap("e8", "e7")
    for one in (black, white):
        one.sees("e7", "red")
    assert black.marbles() == white.marbles() == red.marbles()
    red.picture("three-desktop")
    white.picture("three-phone")
    white.page.get_by_role("button", name="Resign").click()
    white.page.get_by_role("button", name="Really resign?").click()
    expect(black.page.locator(".seat.out")).to_have_count(1)
    black.type("c3d4")
    red.hint("Your turn")


def test_four_people_play_in_teams_and_a_team_wins(visit):
    black, white, red, blue = invite(
        visit, [DESKTOP, PHONE, DESKTOP, PHONE], mode="teams", win_at=1
    )
    black.type("a2a1")
    white.hint("Your turn")
    expect(white.page.get_by_role("tab", name="Chat")).to_have_count(0)
    white.picture("teams-phone")
    white.tap("c1")
    expect(white.page.locator(".arrow.eject")).to_have_count(1)
    white.keys("c1", "Enter", "Enter")
    white.type("c1b1")
    white.hint("Your team wins! Together you pushed a marble off the board.")
    blue.hint("Your team wins!")
    black.hint("White and Blue win this time.")
    red.hint("White and Blue win")
    red.picture("teams-over-desktop")


def test_two_share_one_screen(visit):
    both = visit(PHONE)
    both.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    both.hint("Black begins")
    both.tap("c3", "d3")
    both.hint("White to move")
    both.tap("g5", "f5")
    both.sees("f5", "white")
    both.page.get_by_role("button", name="Take back").click()
    both.sees("g5", "white")


def test_a_spectator_sees_every_move_and_touches_nothing(visit):
    black, white = invite(visit, [DESKTOP, DESKTOP])
    address = re.sub(r"\?.*", "", black.page.url.removeprefix(black.url))
    watcher = visit(PHONE).go(address)
    watcher.sees("c3", "black")
    watcher.tap("c3")
    expect(watcher.page.locator(".ring.selected")).to_have_count(0)
    black.type("c3d3")
    watcher.sees("d3", "black")
    expect(white.page.locator(".facts")).to_contain_text("1 watching")
    watcher.go("/")
    expect(white.page.locator(".facts")).not_to_contain_text("watching")
