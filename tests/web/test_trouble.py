"""When things go wrong: the server dies, time runs out, a link leads nowhere."""

import json
import re

from playwright.sync_api import expect

from support.browser import DESKTOP, PHONE
from support.processes import ServerProcess


def test_a_killed_server_comes_back_and_the_game_goes_on_without_a_reload(visit, built, tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3").start()
    try:
        black, white = visit(DESKTOP, server), visit(PHONE, server)
        links = black.new_game(seats={"black": {"kind": "me"}})
        white.accept(links["white"])
        black.type("c3d3")
        white.sees("d3", "black")
        for one in (black, white):
            one.tolerant = True
            one.page.evaluate("window.stillHere = true")
        server.kill()
        black.hint("Connection lost")
        black.picture("connection-lost")
        server.start()
        black.hint("Waiting for")
        white.hint("Your turn")
        white.tap("g5", "f5")
        black.sees("f5", "white")
        black.sees("d3", "black")
        for one in (black, white):
            assert one.page.evaluate("window.stillHere")
            one.tolerant = False
    finally:
        server.stop()


def test_a_move_made_while_the_server_is_away_is_sent_when_it_is_back(visit, built, tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3").start()
    try:
        black, white = visit(DESKTOP, server), visit(PHONE, server)
        links = black.new_game(seats={"black": {"kind": "me"}})
        white.accept(links["white"])
        black.hint("Your turn")
        black.tolerant = white.tolerant = True
        server.kill()
        black.hint("Connection lost")
        black.tap("c3", "d3")
        server.start()
        white.sees("d3", "black")
    finally:
        server.stop()


def test_a_move_that_the_server_refuses_is_shown_and_taken_back(visit):
    black, white = visit(), visit(PHONE)
    refusals = []

    def refuse_moves(socket):
        server = socket.connect_to_server()

        def heard(message):
            command = json.loads(message)
            if command["type"] == "play" and not refusals:
                refusals.append(command["ref"])
                said = {"code": "unavailable", "message": "Not now, please.", "details": {}}
                socket.send(json.dumps({"type": "error", "ref": command["ref"]} | said))
            else:
                server.send(message)

        socket.on_message(heard)

    black.page.route_web_socket(re.compile("/ws/games/"), refuse_moves)
    links = black.new_game(seats={"black": {"kind": "me"}})
    white.accept(links["white"])
    black.hint("Your turn")
    black.page.evaluate("""() => {
      window.motions = [];
      addEventListener("motionstart", ({ detail }) => motions.push(detail.forward), true);
    }""")
    black.tap("c3", "d3")
    black.hint("Not now, please.")
    black.sees("c3", "black")
    black.sees("d3", None)
    assert black.page.evaluate("motions") == [True, False]
    black.tap("c3", "d3")
    white.sees("d3", "black")


def test_the_clock_runs_out(visit):
    black, white = visit(), visit(PHONE)
    control = {"kind": "sudden_death", "ms": 2_000}
    links = black.new_game(seats={"black": {"kind": "me"}}, control=control)
    white.accept(links["white"])
    expect(black.page.locator(".clock.running.low")).to_be_visible()
    white.hint("You win! Your opponent's time ran out.")
    black.hint("White wins this time. Your time ran out.")
    white.picture("flag-phone")


def test_a_game_that_does_not_exist_says_so(visit):
    visitor = visit().go("/g/nosuchgame12")
    expect(visitor.page.locator("h1")).to_have_text("There is no such game")


def test_two_tabs_of_one_player_agree(visit):
    black = visit()
    black.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    other = black.page.context.new_page()
    other.goto(black.page.url)
    black.type("c3d3")
    expect(other.locator(".marbles [data-cell=d3]")).to_be_attached()
