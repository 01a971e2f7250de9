"""What each reader is told: of ends, offers and players who are out, in their own language."""

import re

import pytest
from playwright.sync_api import expect

from support.browser import PHONE

CHANGE_STORED = """async ([id, change]) => {
  const open = indexedDB.open("sumito");
  const database = await new Promise(done => { open.onsuccess = () => done(open.result); });
  const store = database.transaction("games", "readwrite").objectStore("games");
  const get = store.get(id);
  const game = await new Promise(done => { get.onsuccess = () => done(get.result); });
  const put = store.put({...game, ...change});
  await new Promise(done => { put.onsuccess = done; });
  database.close();
}"""
GERMAN = {"locale": "de-DE"}
SMALL_DESKTOP = {"viewport": {"width": 1280, "height": 720}}


def table(visit, people, **wish):
    """A game with one visitor on each seat; `people` are their devices and languages."""
    first, *others = [visit(**person) for person in people]
    links = first.new_game(seats={"black": {"kind": "me"}}, **wish)
    for visitor, seat in zip(others, [one for one in links if one != "any"], strict=True):
        visitor.accept(links[seat])
    expect(first.page.locator(".game-page.on")).to_be_visible()
    return first, *others


def here(visitor, mode="Two players", names=(), **change):
    """A game at one screen, changed before it goes on; returns its id."""
    page = visitor.go("/").page
    page.get_by_role("button", name="Play here together").click()
    page.locator(".modes label", has_text=re.compile(rf"^\s*{mode}\s*$")).click()
    dialog = page.get_by_role("dialog")
    for colour, name in zip(("Black", "White", "Red"), names, strict=False):
        dialog.get_by_role("textbox", name=colour).fill(name)
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("sumito-game sumito-board")).to_be_visible()
    id = page.url.rpartition("/")[2]
    if change:
        page.goto("about:blank")
        visitor.go("/healthz")
        page.evaluate(CHANGE_STORED, [id, change])
        visitor.go(f"/g/{id}")
    return id


def card(visitor):
    found = visitor.page.locator(".result-card")
    expect(found).to_be_visible()
    return found


def announced(visitor, text):
    expect(visitor.page.locator("[role=log]")).to_contain_text(text)


def resign(visitor, first="Resign", sure="Really resign?"):
    visitor.page.get_by_role("button", name=first).click()
    visitor.page.get_by_role("button", name=sure).click()


def seconds(visitor, seat):
    text = visitor.page.locator(f".seat[data-seat={seat}] .clock").inner_text()
    return sum(float(part) * 60**power for power, part in enumerate(reversed(text.split(":"))))


def test_the_one_who_resigns_and_the_other_read_each_their_own_sentence(visit):
    black, white = table(visit, [{"device": PHONE} | GERMAN, {"device": SMALL_DESKTOP}])
    black.type("a1b2")
    white.hint("Your turn")
    white.type("i9h8")
    black.hint("Du bist am Zug")
    resign(black, "Aufgeben", "Wirklich aufgeben?")
    expect(card(black)).to_contain_text("Du hast aufgegeben.")
    expect(card(white)).to_contain_text("You win!")
    expect(card(white)).to_contain_text("Your opponent resigned.")
    announced(white, "You win! Your opponent resigned.")
    announced(black, "Du hast aufgegeben.")
    black.picture("reader-resigned-phone-de")
    white.picture("reader-won-desktop-en")


def test_draw_offers_in_a_team_go_to_the_other_side_only(visit):
    black, white, red, blue = table(visit, [{}, {}, {}, {"device": PHONE}], mode="teams")
    red.page.get_by_role("button", name="Offer a draw").click()
    expect(black.page.locator(".asked")).to_have_text(
        "Your partner offers a draw. White and Blue are asked."
    )
    expect(black.page.get_by_role("button", name="Accept")).to_have_count(0)
    expect(blue.page.locator(".question")).to_contain_text("Red offers a draw.")
    blue.picture("reader-offer-team-phone")
    white.page.get_by_role("button", name="Accept").click()
    for one in (black, white, red, blue):
        one.hint("A draw. All agreed.")


def test_among_three_each_acceptance_is_seen_and_the_question_goes(visit):
    black, white, red = table(
        visit, [{"device": PHONE} | GERMAN, {}, {"device": SMALL_DESKTOP}], mode="three"
    )
    red.page.get_by_role("button", name="Offer a draw").click()
    white.page.get_by_role("button", name="Accept").click()
    expect(white.page.locator(".question")).to_have_count(0)
    expect(white.page.locator(".asked")).to_have_text(
        "Red offers a draw. You have accepted. Black is asked."
    )
    expect(red.page.locator(".asked")).to_have_text(
        "You offered a draw. White has accepted. Black is asked."
    )
    question = black.page.locator(".question")
    expect(question).to_contain_text("Rot bietet Remis an. Weiß hat angenommen.")
    black.picture("reader-offer-three-phone-de")
    red.picture("reader-offer-three-desktop")
    question.get_by_role("button", name="Annehmen").click()
    red.hint("A draw. All agreed.")
    black.hint("Alle waren einverstanden.")


def test_a_fallen_flag_among_three_is_told_to_all_and_to_its_player(visit):
    control = {"kind": "sudden_death", "ms": 4_000}
    black, white, red = table(
        visit,
        [{"device": PHONE} | GERMAN, {"device": SMALL_DESKTOP}, {}],
        mode="three",
        control=control,
    )
    black.hint("Deine Zeit ist abgelaufen. Die anderen spielen weiter.")
    announced(black, "Deine Zeit ist abgelaufen. Die anderen spielen weiter.")
    white.hint("Black ran out of time. The others play on. Your turn")
    announced(red, "Black ran out of time. The others play on.")
    black.picture("reader-flag-three-phone-de")
    white.picture("reader-flag-three-desktop")
    expect(black.page.locator(".seat[data-seat=black] .clock")).to_have_text("0,0")
    red.hint("You win! You are the last one in the game.")


def test_a_draw_at_one_screen_asks_all_by_their_names_first(visit):
    visitor = visit(PHONE)
    here(visitor, "Three players", ("Anna", "Bernd", ""))
    visitor.type("b3c3")
    visitor.hint("Bernd to move")
    page = visitor.page
    page.get_by_role("button", name="Offer a draw").click()
    question = page.locator(".question")
    expect(question).to_contain_text("Do all agree to a draw: Anna, Bernd and Red?")
    visitor.picture("reader-draw-here-phone")
    question.get_by_role("button", name="Play on").click()
    expect(question).to_have_count(0)
    visitor.hint("Bernd to move")
    page.get_by_role("button", name="Offer a draw").click()
    question.get_by_role("button", name="All agree").click()
    expect(card(visitor)).to_contain_text("All agreed.")


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("Two players", "Bernd wins! Anna ran out of time."),
        ("Two teams", "White and Blue win! Black ran out of time."),
    ],
)
def test_a_fallen_flag_at_one_screen_shows_nothing_left(visit, mode, said):
    visitor = visit(SMALL_DESKTOP)
    names = ("Anna", "Bernd") if mode == "Two players" else ()
    id = here(visitor, mode, names, control={"kind": "sudden_death", "ms": 1_500})
    visitor.hint(said)
    clock = visitor.page.locator(".seat[data-seat=black] .clock")
    expect(clock).to_have_text("0.0")
    visitor.go(f"/g/{id}")
    visitor.hint(said)
    expect(clock).to_have_text("0.0")


def test_a_fallen_flag_of_three_at_one_screen_shows_nothing_left_and_is_told(visit):
    visitor = visit(SMALL_DESKTOP)
    here(
        visitor,
        "Three players",
        ("Anna",),
        control={"kind": "fischer", "ms": 4_000, "increment_ms": 0},
    )
    visitor.hint("Anna ran out of time. The others play on.")
    expect(visitor.page.locator(".seat[data-seat=black] .clock")).to_have_text("0.0")


def test_taking_back_at_one_screen_gives_no_time_back(visit):
    visitor = visit(SMALL_DESKTOP)
    control = {"kind": "fischer", "ms": 600_000, "increment_ms": 60_000}
    here(visitor, control=control)
    visitor.type("a1b2")
    expect(visitor.page.locator(".seat[data-seat=white] .clock.running")).to_be_visible()
    assert seconds(visitor, "black") > 650
    visitor.page.get_by_role("button", name="Take back").click()
    expect(visitor.page.locator(".seat[data-seat=black] .clock.running")).to_be_visible()
    assert seconds(visitor, "black") <= 600
    assert seconds(visitor, "white") <= 600


SAID = """() => [...document.querySelectorAll("main *, header *")].flatMap(one => [
  one.getAttribute("aria-label"), one.title, one.placeholder,
  ...[...one.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()),
]).filter(text => /[a-z]{3}/i.test(text ?? ""))"""


@pytest.mark.parametrize(
    "path", ["/", "/puzzles", "/analysis", "/account", "/editor", "/rules", "/lobby", "/words"]
)
def test_everything_follows_the_choice_of_a_language(visit, path):
    visitor, german = visit(SMALL_DESKTOP), visit(SMALL_DESKTOP, **GERMAN)
    for one in (visitor, german):
        one.go(path)
        one.page.locator("main > * > *").first.wait_for()
        # What a page loads afterwards, as names of layouts, has texts too.
        one.page.wait_for_load_state("networkidle")
    only_english = set(visitor.page.evaluate(SAID)) - set(german.page.evaluate(SAID))
    assert len(only_english) > 10
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.get_by_label("Language").select_option("de")
    expect(visitor.page.locator("html")).to_have_attribute("lang", "de")
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator(".me span").first).to_have_text(re.compile(r"^Gast \d+$"))
    assert set(visitor.page.evaluate(SAID)) & only_english == set()
    visitor.picture("reader-switched" + path.replace("/", "-"))


def test_a_game_follows_the_choice_of_a_language(visit):
    visitor = visit(SMALL_DESKTOP)
    here(visitor)
    visitor.type("a1b2")
    visitor.hint("White to move.")
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.get_by_label("Language").select_option("nl")
    visitor.page.keyboard.press("Escape")
    visitor.hint("Wit is aan")
    expect(visitor.page.locator("[data-at=b2]")).to_have_attribute(
        "aria-label", "b2, knikker van Zwart"
    )
    expect(visitor.page.get_by_role("button", name="Zet terugnemen")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "name"),
    [("de-DE", "Gast"), ("nl-NL", "Gast"), ("fr-FR", "Invité"), ("en-GB", "Guest")],
)
def test_a_guest_is_named_in_the_language_of_the_page_at_once(visit, locale, name):
    visitor = visit(locale=locale)
    asked = []
    visitor.page.on(
        "request", lambda request: asked.append(request) if "/api/me" in request.url else None
    )
    visitor.go("/")
    expect(visitor.page.locator(".me span").first).to_have_text(re.compile(rf"^{name} \d+$"))
    assert {one.headers["accept-language"] for one in asked} == {locale[:2]}


def test_the_same_sentence_twice_is_read_out_twice(visit):
    page = visit().go("/").page
    page.locator("sumito-board").wait_for()
    page.evaluate("""() => {
      window.heard = [];
      const log = document.querySelector("[role=log]");
      new MutationObserver(list => {
        for (const { addedNodes } of list)
          for (const node of addedNodes) if (node.textContent.trim()) heard.push(node.textContent);
      }).observe(log, { childList: true, subtree: true });
      window.announce = text => dispatchEvent(new CustomEvent("announce", { detail: text }));
    }""")
    for _ in range(2):
        page.evaluate("announce('Four are too many.')")
        page.wait_for_timeout(50)
    assert page.evaluate("heard") == ["Four are too many."] * 2
    page.evaluate("{ announce('One.'); announce('Two.'); }")
    page.wait_for_timeout(50)
    assert page.evaluate("heard.at(-1)") == "One. Two."


def test_a_slow_page_does_not_replace_the_one_that_was_chosen_later(visit):
    visitor = visit(SMALL_DESKTOP).go("/")
    page = visitor.page
    waiting = []
    page.route(re.compile(r"/assets/course-.*\.js"), lambda route: waiting.append(route))
    page.get_by_role("link", name="Learn", exact=True).click()
    page.wait_for_timeout(100)
    page.locator("#ways").get_by_role("link", name="Lobby").click()
    expect(page.locator("sumito-lobby")).to_be_visible()
    assert waiting
    with page.expect_response(re.compile("/assets/course-")):
        waiting[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator("sumito-lobby")).to_be_visible()
    expect(page.locator("sumito-course")).to_have_count(0)


def test_a_page_that_cannot_be_loaded_says_so_and_can_be_tried_again(visit):
    visitor = visit(PHONE, **GERMAN).go("/")
    visitor.tolerant = True
    page = visitor.page
    page.route(re.compile(r"/assets/(analysis|lobby)-.*\.js"), lambda route: route.abort())
    page.locator(".tab-bar").get_by_role("link", name="Lobby").click()
    expect(page.locator("main h1")).to_have_text("Diese Seite konnte nicht geladen werden")
    expect(page.get_by_role("button", name="Neu laden")).to_be_visible()
    visitor.picture("reader-not-loaded-phone-de")
    page.unroute_all()
    page.get_by_role("button", name="Noch einmal").click()
    expect(page.locator("sumito-lobby")).to_be_visible()


def test_a_broken_address_of_a_player_leads_nowhere_politely(visit):
    visitor = visit().go("/players/%E0%A4%A")
    expect(visitor.page.locator("h1")).to_have_text("There is nothing here")


def test_a_page_that_the_server_no_longer_understands_asks_to_be_reloaded(visit):
    visitor = visit(PHONE)
    visitor.page.route_web_socket(
        re.compile("/ws/lobby"),
        lambda socket: socket.on_message(
            lambda _: socket.send(
                '{"type":"error","ref":"","code":"reload","message":"","details":{}}'
            )
        ),
    )
    visitor.go("/lobby")
    bar = visitor.page.locator(".outdated")
    expect(bar).to_contain_text("Please reload the page.")
    visitor.picture("reader-outdated-phone")
    visitor.page.unroute_all()
    with visitor.page.expect_navigation():
        bar.get_by_role("button", name="Reload").click()
