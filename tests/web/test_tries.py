"""Every failed try is answered: the row stays in hand, and the page says why."""

import re

import pytest
from playwright.sync_api import expect

from support.browser import DESKTOP, PHONE

HERE = {"black": {"kind": "me"}, "white": {"kind": "here"}}


def holds(visitor, count):
    expect(visitor.page.locator(".ring.selected")).to_have_count(count)


def reason(visitor, text):
    expect(visitor.page.locator(".hint.reason")).to_contain_text(re.compile(text))


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["mouse", "finger"])
def test_a_tap_that_cannot_be_meant_keeps_the_row_and_says_why(visit, device):
    visitor = visit(device)
    visitor.new_game(seats=HERE)
    visitor.hint("Black begins")
    visitor.tap("c3", "c5")
    holds(visitor, 3)
    for cell, text in {"f4": "too far", "h6": "is White's", "d4": "Two ways lead there"}.items():
        visitor.tap(cell)
        reason(visitor, text)
        holds(visitor, 3)
    expect(visitor.page.locator(".arrow.unsure")).to_have_count(2)
    assert visitor.marbles()["c3"] == "black"


def test_a_tap_with_nothing_in_hand_is_answered_too(visit):
    visitor = visit()
    visitor.new_game(seats=HERE)
    visitor.hint("Black begins")
    visitor.tap("i5")
    reason(visitor, "That is White's marble. Yours are Black")
    visitor.tap("e5")
    visitor.hint("Tap one of your marbles first")


def test_hints_change_with_what_one_holds(visit):
    visitor = visit()
    visitor.new_game(seats=HERE)
    visitor.tap("c3")
    visitor.hint("another marble to take the row")
    visitor.tap("c5")
    visitor.hint("along the row, or sideways")
    visitor.tap("c3")
    visitor.hint("Black begins")


def test_a_board_whose_game_is_on_its_way_takes_nothing_it_could_not_answer(visit):
    visitor = visit()
    servers = []

    def hold(socket):
        servers.append((socket, socket.connect_to_server()))
        servers[-1][1].on_message(lambda message: None)

    visitor.page.route_web_socket(re.compile("/ws/games/"), hold)
    visitor.new_game(seats=HERE)
    visitor.hint("Loading")
    visitor.page.locator("[data-at=a3]").focus()
    for key in ("Enter", "x"):
        visitor.page.keyboard.press(key)
    holds(visitor, 0)
    socket, server = servers[-1]
    server.on_message(socket.send)
    server.send('{"type": "hello", "since": null}')
    visitor.keys("a3", "Enter", "x")
    reason(visitor, "a3 is at the rim")


def test_a_term_is_a_link_to_what_it_means(visit):
    visitor = visit()
    visitor.new_game(seats=HERE)
    visitor.keys("a3", "Enter", "x")
    reason(visitor, "a3 is at the rim: you can't push your own marble off")
    visitor.page.get_by_role("button", name="rim").click()
    expect(visitor.page.locator(".explained")).to_contain_text("out for good")
    assert visitor.barriers() == []


def test_a_pac_is_explained_to_a_child(visit):
    visitor = visit()
    visitor.new_game(layout="belgian-daisy", seats=HERE)
    visitor.tap("b1", "b3", "b4")
    reason(visitor, "3 against 3 is a stand-off, called pac: nobody can push")
    holds(visitor, 3)
    visitor.page.get_by_role("button", name="pac").click()
    expect(visitor.page.locator(".explained")).to_contain_text("Neither can push the other")


def test_a_written_move_that_is_none_gets_the_same_reason(visit):
    visitor = visit()
    visitor.new_game(seats=HERE)
    visitor.type("a1a2")
    reason(visitor, "Four are too many")
    visitor.type("a1a9")
    expect(visitor.page.locator(".toast")).to_contain_text("is not a move")


def test_a_partners_marble_alone_stays_where_it_is(visit):
    visitor = visit()
    seats = {"black": {"kind": "me"}} | {
        colour: {"kind": "here"} for colour in ("white", "red", "blue")
    }
    visitor.new_game(mode="teams", seats=seats)
    partner = next(cell for cell, colour in visitor.marbles().items() if colour == "red")
    visitor.keys(partner, "Enter", "x")
    reason(visitor, "must be yours|only together with one of yours")
    assert visitor.marbles()[partner] == "red"


def test_a_drag_between_two_directions_waits(visit):
    visitor = visit()
    visitor.new_game(seats=HERE)
    before = visitor.marbles()
    start, east, north_east = (visitor.middle(cell) for cell in ("c5", "c6", "d6"))
    x = start[0] + (east[0] + north_east[0] - 2 * start[0]) * 0.6
    y = start[1] + (east[1] + north_east[1] - 2 * start[1]) * 0.6
    mouse = visitor.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(x, y, steps=4)
    mouse.up()
    reason(visitor, "between two directions")
    expect(visitor.page.locator(".arrow.unsure")).to_have_count(2)
    assert visitor.marbles() == before
