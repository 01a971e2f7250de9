"""Games that live in the page: against the computer and at one screen, with or without a server.

The page is served as plain files by Python's own web server, so nothing here can lean on ours.
"""

import re

import pytest
from playwright.sync_api import expect

from sumito import Board, Mode, Rules, opening_book
from sumito.cli.site import write_site
from sumito.engine import Engine, Limit
from sumito.record import read
from support.browser import DESKTOP, PHONE, ROOT, Visitor
from support.processes import ServerProcess, plain_files

STORED = """async id => {
  const open = indexedDB.open("sumito");
  const database = await new Promise(done => { open.onsuccess = () => done(open.result); });
  const get = database.transaction("games").objectStore("games").get(id);
  const game = await new Promise(done => { get.onsuccess = () => done(get.result); });
  database.close();
  return game ?? null;
}"""


SPOIL = """async id => {
  const open = indexedDB.open("sumito");
  const database = await new Promise(done => { open.onsuccess = () => done(open.result); });
  const change = database.transaction("games", "readwrite");
  const get = change.objectStore("games").get(id);
  get.onsuccess = () => {
    const moves = get.result.moves.with(1, { move: "e5e6", clock: null });
    change.objectStore("games").put({ ...get.result, moves });
  };
  await new Promise(done => { change.oncomplete = done; });
  database.close();
}"""


@pytest.fixture(scope="module")
def files(built, tmp_path_factory):
    """The page without a server of ours, in a folder of some web host."""
    root = tmp_path_factory.mktemp("host")
    write_site(root / "some" / "folder", ROOT / "src/sumito/server/static", overwrite=False)
    with plain_files(root) as url:
        yield f"{url}/some/folder/"


@pytest.fixture
def alone(chromium, files):
    """A visitor of the plain files; nothing may go wrong in their console."""
    made = []

    def make(device=DESKTOP):
        context = chromium.new_context(locale="en-GB", **device)
        context.add_init_script("localStorage.setItem('sumito.settings', '{\"pace\":\"none\"}')")
        visitor = Visitor(context.new_page(), files, touch="has_touch" in device)
        made.append((context, visitor))
        visitor.page.goto(files)
        return visitor

    yield make
    faults = [fault for _, visitor in made for fault in visitor.faults]
    for context, _ in made:
        context.close()
    assert faults == []


def start(visitor, purpose, mode="Two players", goal=None, layout=None, level=None):
    """A new game by the dialog; returns its id."""
    page = visitor.page
    page.get_by_role("button", name=purpose).click()
    if layout is not None:
        page.get_by_role("button", name="Change").click()
        page.get_by_role("button", name=layout).click()
    page.locator(".modes label", has_text=re.compile(rf"^\s*{mode}\s*$")).click()
    if level is not None:
        page.locator(".level input").fill(str(level - 1))
    if goal is not None:
        page.locator("details.more summary").click()
        page.locator("select[name=win_at]").select_option(str(goal))
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("sumito-game sumito-board")).to_be_visible()
    return page.url.rpartition("/")[2]


def stored(visitor, id):
    return visitor.page.evaluate(STORED, id)


def wait_for_moves(visitor, id, count):
    """Wait until a number of moves is stored, or the game is over; return the game."""
    # Not `wait_for_function`, which takes the promise of an asynchronous condition for a yes.
    for _ in range(1200):
        game = stored(visitor, id)
        if game and (len(game["moves"]) >= count or game["outcome"] is not None):
            return game
        visitor.page.wait_for_timeout(50)
    pytest.fail(f"{count} moves were not kept within a minute")


def board_of(game, mode, rules):
    board = Board.parse(game["start"], rules=rules)
    for moved in game["moves"]:
        board.push(board.parse_move(moved["move"]))
    return board


def test_the_computer_answers_without_any_server(alone):
    visitor = alone()
    id = start(visitor, "Play the computer")
    visitor.type("a1b2")
    visitor.sees("d4", "black")
    game = wait_for_moves(visitor, id, 2)
    assert game["moves"][0]["move"] == "a1b2"
    expect(visitor.page.locator(".list button")).to_have_count(2)
    visitor.picture("local-computer")


def test_a_champion_begins_by_the_openings_and_others_do_not_even_fetch_them(alone):
    visitor = alone()
    fetched = []
    visitor.page.on("request", lambda request: fetched.append("openings" in request.url))
    id = start(visitor, "Play the computer", level=3)
    visitor.type("a1b2")
    wait_for_moves(visitor, id, 2)
    assert not any(fetched)
    visitor.page.goto(visitor.url)
    id = start(visitor, "Play the computer", level=10)
    visitor.type("a1b2")
    game = wait_for_moves(visitor, id, 2)
    assert any(fetched)
    board = Board.parse(game["start"])
    board.push_text("a1b2")
    replies = [reply.move.name for reply in opening_book.replies(board)]
    assert game["moves"][1]["move"] in replies


def test_the_first_board_is_played_on_at_once(alone):
    visitor = alone(PHONE)
    visitor.tap("c3", "d3")
    visitor.sees("d3", "black")
    expect(visitor.page.locator(".list button")).to_have_count(2)
    visitor.picture("local-home-phone")


def test_a_reload_in_the_middle_loses_nothing(alone):
    visitor = alone()
    id = start(visitor, "Play the computer")
    visitor.type("a1b2")
    before = wait_for_moves(visitor, id, 2)
    visitor.page.reload()
    visitor.hint("Your turn")
    assert stored(visitor, id)["moves"] == before["moves"]
    visitor.type("a2b3")
    after = wait_for_moves(visitor, id, 4)
    assert after["moves"][:2] == before["moves"]
    visitor.page.goto(visitor.url + "#/games")
    visitor.page.reload()
    expect(visitor.page.locator(".game-row")).to_have_count(1)
    visitor.page.locator(".game-row").click()
    expect(visitor.page.locator(".list button")).to_have_count(4)


def cut_off(visitor):
    """No network from here on; the page has been visited once."""
    visitor.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    visitor.page.context.set_offline(True)
    visitor.page.goto(visitor.url)


def test_after_one_visit_everything_goes_on_without_a_network(alone):
    visitor = alone()
    page = visitor.page
    cut_off(visitor)
    id = start(visitor, "Play the computer", "Three players")
    game = stored(visitor, id)
    move = next(iter(Board.parse(game["start"]).legal_moves))
    visitor.type(move.name)
    assert len(wait_for_moves(visitor, id, 3)["moves"]) == 3
    page.reload()
    expect(page.locator(".list button")).to_have_count(3)
    page.context.set_offline(False)


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        (Mode.TWO, "Two players"),
        (Mode.THREE, "Three players"),
        (Mode.TEAMS, "Two teams"),
        (Mode.TEAMS_DOUBLE, "Two teams, double turns"),
    ],
)
def test_a_whole_game_against_the_computer_without_a_network(alone, mode, name, tmp_path):
    visitor = alone()
    cut_off(visitor)
    id = start(visitor, "Play the computer", name, goal=1)
    rules = Rules(win_at=1, repetition=3)
    with Engine(hash_mb=8) as engine:
        while (game := wait_for_turn(visitor, id, mode, rules))["outcome"] is None:
            board = board_of(game, mode, rules)
            assert board.turn == 0
            visitor.type(engine.play(board, Limit(nodes=20_000)).move.name)
            wait_for_moves(visitor, id, len(game["moves"]) + 1)
            if not game["moves"]:
                visitor.page.reload()
    outcome = board_of(game, mode, rules).outcome()
    assert outcome is not None
    assert game["outcome"]["reason"] == str(outcome.reason)
    card = visitor.page.locator(".result-card")
    expect(card.get_by_role("button", name="Rematch")).to_be_visible()
    card.get_by_role("button", name="Close").click()
    with visitor.page.expect_download() as download:
        visitor.menu()
        visitor.page.get_by_role("button", name="Record").click()
    download.value.save_as(tmp_path / "game.apgn")
    (record,) = read(tmp_path / "game.apgn")
    assert [str(move) for move in record.moves] == [moved["move"] for moved in game["moves"]]


def test_who_wins_goes_one_level_up_without_a_server(alone):
    visitor = alone()
    id = start(visitor, "Play the computer", goal=1, layout="Café ou Lait")
    visitor.hint("Your turn")
    visitor.drag("h5", "h6")
    card = visitor.page.locator(".result-card")
    expect(card).to_contain_text("You win!")
    level = visitor.page.locator(".corner.ur .about").inner_text()
    card.get_by_role("button", name="One level up").click()
    expect(visitor.page).not_to_have_url(re.compile(id))
    visitor.hint("Your turn")
    expect(visitor.page.locator(".corner.ur .about")).not_to_have_text(level)


def wait_for_turn(visitor, id, mode, rules):
    """Until the person, who is black, is to move."""
    game = stored(visitor, id)
    while game["outcome"] is None and board_of(game, mode, rules).turn != 0:
        game = wait_for_moves(visitor, id, len(game["moves"]) + 1)
    return game


def test_at_one_screen_a_move_can_be_taken_back_and_a_wrong_one_is_explained(alone):
    visitor = alone()
    id = start(visitor, "Play here together")
    visitor.type("a1b2")
    visitor.type("i9h8")
    visitor.page.get_by_role("button", name="Take back").click()
    assert len(wait_for_moves(visitor, id, 1)["moves"]) == 1
    visitor.sees("i9", "white")
    visitor.type("b1b2")
    visitor.hint("b1")
    assert len(stored(visitor, id)["moves"]) == 1


def test_those_at_one_screen_have_names_and_draw_lots_for_the_colours(alone):
    visitor = alone(PHONE)
    page = visitor.page
    page.get_by_role("button", name="Play here together").click()
    page.locator(".modes label", has_text=re.compile(r"^\s*Three players\s*$")).click()
    names = ["Ann", "Ben", "Cas"]
    for colour, name in zip(("Black", "White", "Red"), names, strict=True):
        page.get_by_role("textbox", name=colour).fill(name)
    page.get_by_role("button", name="Draw lots for the colours").click()
    # The lots jump for a moment; nobody can begin before they have come to rest.
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()
    fields = page.locator(".names input")
    drawn = [fields.nth(k).input_value() for k in range(3)]
    assert sorted(drawn) == names
    page.get_by_role("button", name="Start the game").click()
    visitor.hint(f"Black begins: {drawn[0]}.")
    shown = [page.locator(f"[data-seat={one}] .name").inner_text() for one in ("black", "white")]
    assert shown == drawn[:2]
    page.reload()
    visitor.hint(f"Black begins: {drawn[0]}.")


def another_tab(visitor, url):
    other = Visitor(visitor.page.context.new_page(), visitor.url, visitor.touch)
    other.page.goto(url)
    return other


def test_of_two_tabs_with_one_game_only_one_plays_it(alone):
    visitor = alone()
    id = start(visitor, "Play here together")
    other = another_tab(visitor, visitor.page.url)
    other.hint("This game is open in another tab.")
    visitor.type("a1b2")
    expect(other.page.locator(".list button")).to_have_count(1)
    for name in ("Take back", "Offer a draw", "Resign", "Abort game"):
        expect(other.page.get_by_role("button", name=name)).to_have_count(0)
    expect(other.page.locator(".typing")).to_have_count(0)
    other.drag("i9", "h8")
    other.hint("This game is open in another tab.")
    other.picture("other-tab")
    other.page.get_by_role("button", name="Play here instead").click()
    visitor.hint("This game is open in another tab.")
    other.type("i9h8")
    expect(visitor.page.locator(".list button")).to_have_count(2)
    assert [one["move"] for one in stored(visitor, id)["moves"]] == ["a1b2", "i9h8"]
    # The one that is left takes over by itself.
    other.page.close()
    visitor.type("b2c3")
    assert len(wait_for_moves(visitor, id, 3)["moves"]) == 3
    expect(visitor.page.get_by_role("button", name="Play here instead")).to_have_count(0)
    assert other.faults == []


COUNT_SEARCHES = """
  window.searches = 0;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === "search") window.searches++;
    return post.call(this, message, ...rest);
  };
"""


def test_only_the_tab_that_plays_lets_the_computer_think(alone):
    visitor = alone()
    visitor.page.context.add_init_script(COUNT_SEARCHES)
    visitor.page.reload()
    id = start(visitor, "Play the computer")
    other = another_tab(visitor, visitor.page.url)
    other.hint("This game is open in another tab.")
    visitor.type("a1b2")
    game = wait_for_moves(visitor, id, 2)
    expect(other.page.locator(".list button")).to_have_count(2)
    assert (visitor.page.evaluate("searches"), other.page.evaluate("searches")) == (1, 0)
    other.page.get_by_role("button", name="Play here instead").click()
    other.hint("Your turn")
    other.type("b2c3" if game["moves"][1]["move"] != "i9h8" else "b1b2")
    assert len(wait_for_moves(other, id, 4)["moves"]) == 4
    expect(visitor.page.locator(".list button")).to_have_count(4)
    assert (visitor.page.evaluate("searches"), other.page.evaluate("searches")) == (1, 1)
    assert other.faults == []


def test_a_tab_that_does_not_answer_loses_its_game(alone):
    visitor = alone()
    id = start(visitor, "Play here together")
    held = f"sumito-game-{id}"
    stuck = visitor.page.context.new_page()
    stuck.goto(visitor.url)
    # Holds the lock and lets nobody have it, as a frozen tab does.
    stuck.evaluate(
        "name => { navigator.locks.request(name, { steal: true }, () => new Promise(() => {})); }",
        held,
    )
    visitor.hint("This game is open in another tab.")
    visitor.page.get_by_role("button", name="Play here instead").click()
    visitor.hint("Black begins")
    visitor.type("a1b2")
    assert len(wait_for_moves(visitor, id, 1)["moves"]) == 1


def newer_build(site):
    """Another build in place of a site: all scripts have new names, and the old ones are gone."""
    assets = sorted((site / "assets").iterdir())
    texts = [one for one in site.rglob("*") if one.suffix in (".js", ".css", ".html", ".json")]
    for file in texts:
        text = file.read_text("utf-8")
        for asset in assets:
            text = text.replace(asset.name, f"{asset.stem}-newer{asset.suffix}")
        if file.name == "sw.js":
            text = re.sub(r'VERSION = "\w+"', 'VERSION = "newer"', text)
        file.write_text(text, "utf-8")
    for asset in assets:
        asset.rename(asset.with_stem(f"{asset.stem}-newer"))


def test_a_tab_with_the_old_version_works_on_while_another_lets_the_new_one_in(
    chromium, built, tmp_path
):
    site = tmp_path / "site"
    write_site(site, ROOT / "src/sumito/server/static", overwrite=False)
    with plain_files(site) as url:
        context = chromium.new_context(locale="en-GB")
        visitor = Visitor(context.new_page(), url + "/", touch=False)
        visitor.page.goto(visitor.url)
        visitor.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        old = another_tab(visitor, visitor.url)
        old.page.evaluate("window.stillHere = true")
        newer_build(site)
        # Without this, Chromium's own cache would still have the old scripts.
        context.new_cdp_session(old.page).send("Network.clearBrowserCache")
        visitor.page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update())")
        bar = visitor.page.locator("sumito-update")
        expect(bar).to_contain_text("A new version is ready.")
        visitor.page.evaluate("window.stillHere = true")
        bar.get_by_role("button").click()
        visitor.page.wait_for_function("() => window.stillHere === undefined")
        notice = old.page.locator("sumito-update")
        expect(notice).to_contain_text("A new version is here.")
        old.picture("old-version")
        # Nothing is loaded again without being asked for, and pages not seen yet are still there.
        old.page.get_by_role("link", name="Learn", exact=True).click()
        expect(old.page.get_by_role("link", name="Pushing: the sumito")).to_be_visible()
        old.page.get_by_role("link", name="Puzzles", exact=True).click()
        expect(old.page.get_by_role("link", name="Storm")).to_be_visible()
        assert old.page.evaluate("window.stillHere")
        visitor.page.get_by_role("link", name="Learn", exact=True).click()
        expect(visitor.page.get_by_role("link", name="Pushing: the sumito")).to_be_visible()
        notice.get_by_role("button", name="Reload").click()
        old.page.wait_for_function("() => window.stillHere === undefined")
        expect(notice).to_be_hidden()
        scripts = old.page.evaluate("[...document.scripts].map(one => one.src)")
        assert all("-newer.js" in script for script in scripts if script)
        context.close()
        assert (visitor.faults, old.faults) == ([], [])


def caches_of(page):
    names = page.evaluate("caches.keys()")
    return [name for name in names if name != "sumito-history"]


def test_a_new_version_is_announced_and_comes_in_when_the_reader_says_so(chromium, built, tmp_path):
    write_site(tmp_path / "site", ROOT / "src/sumito/server/static", overwrite=False)
    with plain_files(tmp_path / "site") as url:
        context = chromium.new_context(locale="en-GB")
        visitor = Visitor(context.new_page(), url + "/", touch=False)
        page = visitor.page
        page.goto(visitor.url)
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        start(visitor, "Play here together")
        visitor.type("a1b2")
        page.evaluate("window.stillHere = true")
        worker = tmp_path / "site" / "sw.js"
        newer = re.sub(r'VERSION = "\w+"', 'VERSION = "newer"', worker.read_text("utf-8"))
        worker.write_text(newer, "utf-8")
        page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update())")
        bar = page.locator("sumito-update")
        expect(bar).to_contain_text("A new version is ready.")
        visitor.picture("new-version")
        visitor.type("i9h8")
        visitor.sees("g7", "white")
        assert page.evaluate("window.stillHere")
        bar.get_by_role("button").click()
        page.wait_for_function("() => window.stillHere === undefined")
        visitor.sees("g7", "white")
        expect(bar).to_be_hidden()
        # This version and the one before; that goes with the next.
        assert len(caches_of(page)) == 2
        worker.write_text(newer.replace('"newer"', '"newest"'), "utf-8")
        page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update())")
        page.evaluate("window.stillHere = true")
        bar.get_by_role("button", name="Load it now").click()
        page.wait_for_function("() => window.stillHere === undefined")
        page.wait_for_function(
            "async () => (await caches.keys()).includes('sumito-newest')"
            " && (await caches.keys()).length === 3"
        )
        assert sorted(caches_of(page)) == ["sumito-newer", "sumito-newest"]
        context.close()
        assert visitor.faults == []


def test_a_finished_game_is_kept_at_the_server_when_its_player_wants_it(visit):
    visitor = visit().go("/")
    start(visitor, "Play here together")
    for move in ("a1b2", "i9h8"):
        visitor.type(move)
    visitor.page.get_by_role("button", name="Resign").click()
    visitor.page.get_by_role("button", name="Really resign?").click()
    expect(visitor.page.locator(".result-card")).to_be_visible()
    visitor.page.locator(".result-card .close").click()
    visitor.go("/account")
    visitor.page.get_by_label("Name", exact=True).fill("Keeper")
    visitor.page.get_by_label("Password").fill("a-long-password")
    visitor.page.get_by_role("button", name="Create an account").click()
    visitor.page.get_by_role("switch", name="Save them to my account").check()
    expect(visitor.page.locator(".toast")).to_contain_text("1 game saved.")
    visitor.picture("account-desktop")
    assert visitor.barriers() == []
    elsewhere = visit(PHONE).go("/account")
    elsewhere.page.get_by_label("Name", exact=True).fill("Keeper")
    elsewhere.page.get_by_label("Password").fill("a-long-password")
    elsewhere.page.get_by_role("button", name="Log in").click()
    expect(elsewhere.page.get_by_role("link", name="My profile")).to_be_visible()
    for one in (visitor, elsewhere):
        one.go("/games")
        expect(one.page.locator(".game-row")).to_have_count(1)
    elsewhere.page.locator(".game-row").click()
    expect(elsewhere.page.locator(".list button")).to_have_count(2)
    # From now on each goes there by itself.
    visitor.go("/")
    start(visitor, "Play here together")
    for move in ("a1b2", "i9h8"):
        visitor.type(move)
    with visitor.page.expect_response("**/api/games/finished") as kept:
        visitor.page.get_by_role("button", name="Resign").click()
        visitor.page.get_by_role("button", name="Really resign?").click()
    assert kept.value.status == 201


def test_a_game_from_the_editor_is_kept_as_it_was_played(visit):
    visitor = visit().go("/account")
    page = visitor.page
    page.get_by_label("Name", exact=True).fill("Editor")
    page.get_by_label("Password").fill("a-long-password")
    page.get_by_role("button", name="Create an account").click()
    page.get_by_role("switch", name="Save them to my account").check()
    # Black ejects a sixth marble with the first move.
    start_from = "5/6/7/8/4bbbww/8/7/bbbww1/5 b 5,2 0 1"
    visitor.go(f"/editor?position={start_from.replace(' ', '_')}")
    page.get_by_role("button", name="Play here together").click()
    visitor.hint("Black begins")
    with page.expect_response("**/api/games/finished") as kept:
        visitor.type("e5e6")
    assert kept.value.status == 201
    id = page.url.rpartition("/")[2]
    page.wait_for_function(f"async id => (await ({STORED})(id)).serverId !== null", arg=id)
    record = page.request.get(f"{visitor.url}/api/games/{stored(visitor, id)['serverId']}.apgn")
    assert "5/6/7/8/4bbbww/8/7/bbbww1/5-2b5w b" in record.text()


def test_a_game_that_the_server_refuses_says_so_and_stops_no_other(visit):
    visitor = visit().go("/account")
    page = visitor.page
    page.get_by_label("Name", exact=True).fill("Refused")
    page.get_by_label("Password").fill("a-long-password")
    page.get_by_role("button", name="Create an account").click()
    expect(page.get_by_role("switch", name="Save them to my account")).to_be_visible()
    ids = []
    for _ in range(2):
        visitor.go("/")
        ids.append(start(visitor, "Play here together"))
        visitor.type("a1b2")
        visitor.type("i9h8")
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Really resign?").click()
        expect(page.locator(".result-card")).to_be_visible()
    # The later one, which is handed over first, has a move that no rule allows.
    page.evaluate(SPOIL, ids[1])
    visitor.go("/account")
    visitor.tolerant = True  # the console notes the refusal
    page.get_by_role("switch", name="Save them to my account").check()
    expect(page.locator(".toast")).to_contain_text("1 game saved.")
    assert stored(visitor, ids[0])["serverId"] is not None
    visitor.go("/games")
    row = page.locator(f".game-row[href='/g/{ids[1]}']")
    expect(row).to_contain_text("Not saved to your account:")
    visitor.picture("refused-game")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    visitor.go("/lobby")
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    assert not [one for one in asked if one.endswith("/finished")]


def test_a_link_to_a_game_of_this_browser_can_be_opened_by_others(visit):
    visitor = visit().go("/")
    visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    start(visitor, "Play the computer", goal=1, layout="Café ou Lait")
    visitor.hint("Your turn")
    visitor.drag("h5", "h6")
    card = visitor.page.locator(".result-card")
    card.get_by_role("button", name="Share").click()
    card.get_by_role("button", name="Link").click()
    expect(visitor.page.locator(".toast")).to_contain_text("Link copied.")
    link = visitor.page.evaluate("navigator.clipboard.readText()")
    reader = visit(PHONE).go(link.removeprefix(visitor.url))
    reader.hint("Black wins")
    expect(reader.page.locator(".list button")).to_have_count(1)


def test_a_local_game_goes_on_while_the_server_is_gone(chromium, built, tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3").start()
    context = chromium.new_context(locale="en-GB")
    visitor = Visitor(context.new_page(), server.url, touch=False)
    visitor.tolerant = True
    try:
        online = Visitor(context.new_page(), server.url, touch=False)
        online.tolerant = True
        online.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
        online.hint("Black begins")
        visitor.go("/")
        id = start(visitor, "Play the computer")
        server.kill()
        online.hint("Connection lost")
        visitor.type("a1b2")
        assert len(wait_for_moves(visitor, id, 2)["moves"]) == 2
        visitor.hint("Your turn")
    finally:
        context.close()


def test_plain_files_teach_too(alone, files):
    visitor = alone()
    page = visitor.page
    page.get_by_role("link", name="Learn", exact=True).click()
    page.get_by_role("link", name="Pushing: the sumito").click()
    visitor.tap("e3", "e5")
    expect(page.locator(".answer.good")).to_have_text("A sumito, 2 against 1!")
    page.goto(f"{files}#/rules#pac")
    expect(page.locator("#pac h2")).to_be_in_viewport()
    page.get_by_role("link", name="Glossary", exact=True).click()
    expect(page.locator("#lance h2")).to_have_text("lance")
