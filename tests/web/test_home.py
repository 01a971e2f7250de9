"""The home page: at once usable on any link, and it knows what goes on elsewhere."""

import re

from playwright.sync_api import expect

from support.browser import DESKTOP, PHONE

SCROLLS = "document.documentElement.scrollHeight - document.documentElement.clientHeight"


def test_looking_at_the_board_makes_no_game(visit):
    visitor = visit()
    asked = []
    visitor.page.on("request", lambda request: asked.append((request.method, request.url)))
    visitor.go("/")
    visitor.cell("c3").hover()
    visitor.tap("c3")
    expect(visitor.page.locator(".arrow")).to_have_count(4)
    assert [url for method, url in asked if method == "POST"] == []


def test_the_first_game_needs_no_connection(visit):
    visitor = visit(PHONE)
    visitor.tolerant = True
    visitor.page.route("**/api/games**", lambda route: route.abort())
    visitor.go("/")
    visitor.tap("c3", "d3")
    visitor.sees("d3", "black")
    visitor.hint("Your turn.")
    visitor.sees("d3", "black")


def test_a_running_game_is_announced_on_every_page(visit):
    black, white = visit(), visit(PHONE)
    links = black.new_game(
        seats={"black": {"kind": "me"}}, control={"kind": "sudden_death", "ms": 600_000}
    )
    white.accept(links["white"])
    black.hint("Your turn")
    for path in ("/lobby", "/account", "/"):
        black.go(path)
        bar = black.page.locator(".running-bar")
        expect(bar).to_contain_text("Your turn against")
        expect(bar).to_contain_text(re.compile(r"[89]:\d\d|10:00"))
    black.picture("running-desktop")
    assert black.barriers() == []
    bar.click()
    black.hint("Your turn")
    expect(black.page.locator(".running-bar")).to_have_count(0)


def test_a_game_in_this_browser_is_announced_and_the_board_keeps_its_room(visit):
    visitor = visit({"viewport": {"width": 1280, "height": 720}}).go("/")
    visitor.tap("c3", "d3")
    expect(visitor.page.locator(".list button")).to_have_count(2)
    visitor.hint("Your turn")
    game = visitor.page.url
    visitor.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    bar = visitor.page.locator(".running-bar")
    expect(bar).to_have_text("Continue against Computer (Friendly)")
    assert visitor.page.evaluate(SCROLLS) == 0
    bar.click()
    expect(visitor.page).to_have_url(game)
    visitor.go("/")
    expect(bar).to_be_visible()
    assert visitor.page.evaluate(SCROLLS) == 0


def test_two_who_want_the_same_clock_meet_at_once(visit):
    one, other = visit(DESKTOP), visit(PHONE)
    for visitor in (one, other):
        visitor.go("/")
        visitor.page.get_by_role("button", name="15 min").click()
        visitor.page.wait_for_url(re.compile("/g/"))
    for visitor in (one, other):
        expect(visitor.page.locator(".clock.running")).to_have_count(1)


def test_whoever_looks_elsewhere_is_told_that_it_is_their_turn(visit):
    black, white = visit(permissions=["notifications"]), visit()
    black.page.add_init_script("""
      localStorage.setItem("sumito.settings", '{"notify": true}');
      Object.defineProperty(document, "hidden", { get: () => true });
      window.told = [];
      ServiceWorkerRegistration.prototype.showNotification = async (title, how) => {
        told.push(how.body + how.data);
      };
    """)
    links = black.new_game(seats={"black": {"kind": "me"}})
    white.accept(links["white"])
    black.hint("Your turn")
    black.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    black.type("c3d3")
    white.sees("d3", "black")
    white.type("g5f5")
    black.page.wait_for_function("() => told.length > 0")
    game = black.page.url.removeprefix(black.url)
    assert black.page.evaluate("told") == [f"Your turn.{game}"]


def test_a_game_that_is_being_played_can_be_watched_from_the_home_page(visit):
    black, white = visit(), visit()
    links = black.new_game(seats={"black": {"kind": "me"}}, listed=True)
    white.accept(links["white"])
    black.type("c3d3")
    white.sees("d3", "black")
    watcher = visit(PHONE).go("/")
    watcher.page.locator(".watch").click()
    expect(watcher.page.locator(".game-page")).to_be_visible()


def test_layouts_are_found_by_name_and_the_other_choices_stay(visit):
    visitor = visit(locale="de-DE").go("/")
    visitor.page.get_by_role("button", name="Gegen den Computer").click()
    dialog = visitor.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Weiß").check(force=True)
    dialog.get_by_role("button", name="Ändern").click()
    dialog.get_by_role("searchbox").fill("margerite")
    expect(dialog.get_by_role("button", name="Belgische Margerite")).to_be_visible()
    expect(dialog.get_by_role("button", name="Standard")).to_have_count(0)
    visitor.picture("layouts-desktop")
    assert visitor.barriers() == []
    dialog.get_by_role("button", name="Zurück").click()
    expect(dialog.get_by_role("radio", name="Weiß")).to_be_checked()
    dialog.get_by_role("button", name="Partie beginnen").click()
    expect(visitor.page.locator(".corner.lr .seat")).to_have_attribute("data-seat", "white")


def test_names_at_one_screen_stay_with_their_colours(visit):
    visitor = visit(PHONE).go("/")
    visitor.page.get_by_role("button", name="Play here together").click()
    dialog = visitor.page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Black").fill("Ada")
    dialog.get_by_role("textbox", name="White").fill("Bela")
    dialog.get_by_role("button", name="Start the game").click()
    visitor.hint("Black begins: Ada.")
    expect(visitor.page.locator("[data-seat=white] .name")).to_have_text("Bela")


def test_a_link_to_a_game_has_a_picture_for_previews(visit):
    visitor = visit()
    visitor.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    image = visitor.page.locator("meta[property='og:image']").get_attribute("content")
    answer = visitor.page.request.get(image)
    assert answer.headers["content-type"] == "image/png"
    assert answer.body().startswith(b"\x89PNG")


def test_an_account_that_is_refused_says_so_beside_the_field(visit):
    visitor = visit().go("/account")
    visitor.tolerant = True
    visitor.page.get_by_label("Name", exact=True).fill("Nobody")
    visitor.page.get_by_label("Password").fill("not-the-password")
    visitor.page.get_by_role("button", name="Log in").click()
    expect(visitor.page.locator(".field-problem")).to_be_visible()
    assert visitor.barriers() == []


def test_a_server_that_is_away_is_said_clearly_with_another_try(visit):
    visitor = visit().go("/games")
    visitor.tolerant = True
    expect(visitor.page.locator(".empty")).to_be_visible()
    visitor.page.route("**/api/games?*", lambda route: route.abort())
    visitor.page.get_by_role("button", name="Library").click()
    expect(visitor.page.locator(".placeholder")).to_contain_text("No connection to the server")
    visitor.page.unroute("**/api/games?*")
    visitor.page.get_by_role("button", name="Try again").click()
    expect(visitor.page.locator(".placeholder")).to_have_count(0)
