"""The end of a game: a card that says who won and how, and leads on."""

import pytest
from playwright.sync_api import expect

from support.browser import DESKTOP, PHONE

FIRST_LEGAL = "() => document.querySelector('sumito-board').view.legal[0]?.move"
"""The board's first legal move; nothing while a move is still on its way."""
DEVICES = {"desktop": DESKTOP, "phone": PHONE}
NEARLY = {"layout": "coffee-or-milk", "win_at": 1}
"""Black's h5 h6 h7 push white's h8 h9 off."""


def card(visitor):
    found = visitor.page.locator(".result-card")
    expect(found).to_be_visible()
    expect(found).to_have_css("opacity", "1")
    return found


@pytest.mark.parametrize("name", DEVICES)
def test_whoever_beats_the_computer_sees_a_card_and_may_go_one_level_up(visit, name):
    visitor = visit(DEVICES[name])
    seats = {"black": {"kind": "me"}, "white": {"kind": "computer", "level": "newcomer"}}
    visitor.new_game(seats=seats, **NEARLY)
    visitor.hint("Your turn")
    visitor.drag("h5", "h6")
    expect(card(visitor)).to_contain_text("You win!")
    expect(card(visitor)).to_contain_text("You pushed a marble off the board.")
    expect(visitor.page.locator(".confetti")).to_have_count(1)
    visitor.picture(f"result-{name}")
    assert visitor.barriers() == []
    visitor.page.get_by_role("button", name="One level up: Gentle").click()
    expect(visitor.page.locator(".corner.ur .about")).to_contain_text("Gentle")
    visitor.hint("Your turn")


@pytest.mark.parametrize(
    "size", [(390, 844), (844, 390), (820, 1180), (1280, 720)], ids=lambda size: f"{size[0]}"
)
def test_the_board_stays_in_sight_of_the_result(visit, size):
    device = (PHONE if min(size) < 500 else DESKTOP) | {
        "viewport": {"width": size[0], "height": size[1]}
    }
    visitor = visit(device)
    visitor.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}}, **NEARLY)
    visitor.hint("Black")
    visitor.drag("h5", "h6")
    box = card(visitor).bounding_box()
    for cell in ("a1", "a5", "e1", "e9", "h7"):
        x, y = visitor.middle(cell)
        assert not (
            box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]
        )
    if size[0] < 500:
        assert box["height"] <= 0.46 * size[1]


def test_two_see_the_same_end_each_from_their_side_and_play_again(visit):
    black, white = visit(), visit(PHONE)
    links = black.new_game(seats={"black": {"kind": "me"}}, **NEARLY)
    white.accept(links["white"])
    black.hint("Your turn")
    black.drag("h5", "h6")
    expect(card(black)).to_contain_text("You win!")
    expect(card(white)).to_contain_text("Black wins this time")
    expect(card(white)).not_to_contain_text("Well fought")
    expect(white.page.locator(".confetti")).to_have_count(0)
    white.picture("result-lost-phone")
    for one in (black, white):
        one.page.locator(".result-card").get_by_role("button", name="Rematch").click()
    white.hint("Your turn")


def test_a_rated_game_says_what_it_did_to_ones_rating(visit):
    players = black, white = visit(), visit(PHONE)
    for player, name in zip(players, ("Rated.One", "Rated.Two"), strict=True):
        player.page.request.post(
            player.url + "/api/accounts",
            data={"name": name, "password": "a-long-password"},
            headers={"Origin": player.url},
        )
    clock = {"kind": "sudden_death", "ms": 600_000}
    links = black.new_game(seats={"black": {"kind": "me"}}, rated=True, control=clock)
    white.accept(links["white"])
    black.hint("Your turn")
    to_and_fro = ["c3d3", "g5f5", "d3c3", "f5g5"]
    for count, move in enumerate(to_and_fro * 3):
        mover, other = (black, white) if count % 2 == 0 else (white, black)
        mover.type(move)
        other.hint("Your turn")
    white.page.get_by_role("button", name="Resign").click()
    white.page.get_by_role("button", name="Really resign?").click()
    for player in players:
        expect(card(player).locator(".rating-change")).to_contain_text("Your rating:")
    white.picture("result-rated-phone")


@pytest.mark.parametrize(
    ("mode", "colours", "resigning"),
    [("three", ("white", "red"), 2), ("teams", ("white", "red", "blue"), 1)],
)
def test_a_resignation_ends_three_and_teams_with_a_card(visit, mode, colours, resigning):
    visitor = visit()
    seats = {"black": {"kind": "me"}} | {colour: {"kind": "here"} for colour in colours}
    visitor.new_game(mode=mode, seats=seats)
    visitor.hint("Black begins")
    for count in range(len(seats)):
        expect(visitor.page.locator(".list button")).to_have_count(count)
        visitor.type(visitor.page.wait_for_function(FIRST_LEGAL).json_value())
    for gone in range(resigning):
        visitor.page.get_by_role("button", name="Resign").click()
        visitor.page.get_by_role("button", name="Really resign?").click()
        if mode == "three":
            expect(visitor.page.locator(".seat.out")).to_have_count(gone + 1)
    expect(card(visitor)).to_contain_text("wins!" if mode == "three" else "win!")
    visitor.picture(f"result-{mode}-desktop")
    assert visitor.barriers() == []


def test_no_confetti_falls_for_those_who_want_no_motion(visit):
    visitor = visit(reduced_motion="reduce")
    visitor.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}}, **NEARLY)
    visitor.hint("Black begins")
    visitor.drag("h5", "h6")
    expect(card(visitor)).to_contain_text("Black wins!")
    expect(visitor.page.locator(".confetti")).to_have_count(0)


def test_a_game_is_shared_as_picture_and_film_and_played_through(visit):
    visitor = visit()
    visitor.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}}, **NEARLY)
    visitor.hint("Black begins")
    visitor.drag("h5", "h6")
    result = card(visitor)
    result.get_by_role("button", name="Share").click()
    for name, magic in {"Picture": b"\x89PNG", "Film": b"GIF89a"}.items():
        with visitor.page.expect_download() as download:
            result.get_by_role("button", name=name).click()
        assert download.value.path().read_bytes().startswith(magic)
    result.get_by_role("button", name="Back").click()
    result.get_by_role("button", name="Replay").click()
    expect(visitor.page.locator(".result-card")).to_have_count(0)
    visitor.sees("h5", "black")
    visitor.sees("h5", None)
    expect(visitor.page.locator(".tray .little-marble")).to_have_count(1)
