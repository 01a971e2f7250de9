"""Permissions, origins, headers and invalid input."""

import contextlib
import json

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from sumito.protocol.commands import PROTOCOL
from support.processes import Player, ServerProcess, Socket, made

ODD = [
    "",
    "null",
    "[]",
    "{",
    '{"type":"play"}',
    '{"type":"castle"}',
    '{"type":"play","seat":"black","ply":"1","move":"a1b2"}',
    '{"type":"play","seat":"black","ply":1,"move":1272}',
    '{"type":"play","seat":"green","ply":1,"move":"a1b2"}',
    '{"type":"play","seat":"black","ply":1,"move":"z9"}',
    '{"type":"play","seat":"black","ply":99999999999999999999,"move":"a1b2"}',
    '{"type":"claim","seat":"black","result":"money"}',
    '{"type":"chat"}',
    '{"type":"chat","phrase":"insult"}',
    '{"type":"chat","text":"\\u0000\\u0007"}',
    '{"type":"why","cells":["z9"],"direction":"E"}',
    '{"type":"why","cells":["a1"],"direction":"UP"}',
    '{"type":"hello","since":"yesterday"}',
    '{"type":"hello","since":0,"heard":1000000000000000000000000}',
    '{"type":"hello","since":0,"heard":3000000000}',
    '{"type":"hello","since":0,"heard":-1}',
    '{"type":"hello","protocol":2}',
    '{"type":"hello","since":99999999999}',
    '{"type":"resign","seat":"black","ref":"\\u0000"}',
    '{"type":"chat","text":"\\ud800"}',
    '{"type":"rematch","seat":"black"}',
    '{"type":"accept_draw","seat":"black"}',
    '{"type":"resign","seat":"black","ref":"' + "x" * 100 + '"}',
    "[" * 2000 + "]" * 2000,
    "x" * 5000,
    b"\x00\xff",
]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
async def test_an_odd_message_gets_an_error_and_leaves_the_game_untouched(ann, ben, game_of, odd):
    game = await game_of(ann, ben)
    async with ann.raw_socket(f"/ws/games/{game['id']}") as raw:
        black = Socket(raw)
        await black.hello()
        await raw.send(odd)
        refused = await black.until("error")
        assert refused["message"]
        await black.play("a1b2")
        assert made(black.game) == ["a1b2"]
        assert black.game["outcome"] is None


async def test_a_page_of_another_version_is_asked_to_reload(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.raw_socket(f"/ws/games/{game['id']}") as raw:
        refused = await Socket(raw).ask("hello", protocol=PROTOCOL + 1)
        assert refused["code"] == "reload"
        await Socket(raw).send(type="hello", protocol=PROTOCOL)
        await Socket(raw).until("state")
    async with ann.raw_socket("/ws/lobby") as raw:
        lobby = Socket(raw)
        await lobby.until("lobby")
        assert (await lobby.ask("hello", protocol=0))["code"] == "reload"


async def test_nobody_moves_for_another_seat(ann, ben, cas, game_of):
    game = await game_of(ann, ben)
    for thief in (ben, cas):
        refused = await thief.command(
            game["id"], 403, type="play", seat="black", ply=1, move="a1b2"
        )
        assert refused["error"]["code"] == "not-your-seat"
        await thief.command(game["id"], 403, type="resign", seat="black")


async def test_a_seat_needs_its_own_key(ann, ben):
    game, links = await ann.new_game(mode="three")
    join = f"/api/games/{game['id']}/join"
    other, _ = await ann.new_game(mode="three")
    white_key = links["white"].split("key=")[1]
    assert (await ben.post(join, {}, 403))["error"]["code"] == "wrong-key"
    await ben.post(join, {"seat": "white", "key": "guess"}, 403)
    await ben.post(join, {"seat": "red", "key": white_key}, 403)
    await ben.post(f"/api/games/{other['id']}/join", {"seat": "white", "key": white_key}, 403)
    await ben.post(join, {"seat": "white", "key": white_key})
    taken = await ann.post(join, {"seat": "white", "key": white_key}, 409)
    assert taken["error"]["code"] == "seat-taken"


async def test_keys_are_shown_to_the_maker_only(ann, ben):
    game, links = await ann.new_game(listed=True)
    keys = [link.split("key=")[1] for link in links.values()]
    again = await ann.get(f"/api/games/{game['id']}/invitations")
    assert again["invitations"] == links
    await ben.get(f"/api/games/{game['id']}/invitations", 403)
    seen = json.dumps(
        [await ben.get(f"/api/games/{game['id']}"), await ben.get("/api/lobby"), game]
    )
    assert not [key for key in keys if key in seen]


async def test_nobody_else_fills_seats_with_computers(ann, ben):
    game, _ = await ann.new_game()
    refused = await ben.post(
        f"/api/games/{game['id']}/seats/white", {"kind": "computer", "level": "friendly"}, 403
    )
    assert refused["error"]["code"] == "not-yours"


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}]
)
async def test_another_sites_page_can_change_nothing(ann, player, headers):
    await ann.get("/api/me")
    evil = player(**headers)
    evil.http.cookies = ann.http.cookies
    refused = await evil.post("/api/games", {}, 403)
    assert refused["error"]["code"] == "wrong-origin"


async def test_another_sites_page_gets_no_socket(ann, ben, game_of):
    game = await game_of(ann, ben)
    with pytest.raises(InvalidStatus) as refused:
        async with ann.raw_socket(f"/ws/games/{game['id']}", Origin="https://evil.example"):
            pass
    assert refused.value.response.status_code == 403


async def test_a_bot_with_a_token_needs_no_origin(ann, player):
    token = (await ann.post("/api/tokens"))["token"]
    bot = player(Authorization=f"Bearer {token}", Origin="https://bots.example")
    await bot.new_game()


async def test_every_answer_has_strict_headers(ann):
    for path in ("/", "/api/me", "/api/games/nosuch", "/openapi.json"):
        headers = (await ann.http.get(path)).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        # A page may compile WebAssembly, and nothing else that isn't its own.
        policy = headers["content-security-policy"].replace("'wasm-unsafe-eval'", "")
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "camera=()" in headers["permissions-policy"]


async def test_a_game_that_isnt_there_is_said_so(ann):
    assert (await ann.get("/api/games/nosuchgame", 404))["error"]["code"] == "no-such-game"
    async with ann.raw_socket("/ws/games/nosuchgame") as raw:
        assert (await Socket(raw).receive())["code"] == "no-such-game"


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/%00",
        "/api/games/%ff%fe",
        "/api/games/" + "x" * 500,
        "/api/games/%00.apgn",
        "/api/players/%00",
        "/api/players/%ed%a0%80",
        "/api/games?before=1-%00",
        "/api/words/..%2f..",
        "/api/layouts?mode=%00",
    ],
)
async def test_an_odd_address_is_refused_by_every_database(ann, path):
    answer = await ann.http.get(path)
    assert 400 <= answer.status_code < 500


@pytest.mark.parametrize("path", ["/assets/..%2f..%2fapp.py", "/..%2fapp.py", "/%2fetc%2fpasswd"])
async def test_no_address_leads_out_of_the_pages_files(ann, path):
    answer = await ann.http.get(path)
    assert answer.status_code != 500
    assert "import" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("ending", ["svg", "png"])
@pytest.mark.parametrize("ply", ["0" * 5_000, "9" * 5_000, "-1", "1.0", "\u0661", "", "99"])
async def test_an_odd_ply_is_refused(ann, ending, ply):
    game, _ = await ann.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    answer = await ann.http.get(f"/api/games/{game['id']}.{ending}", params={"ply": ply})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "no-such-ply")
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("plies", ["0" * 5_000, "9" * 5_000, "0000000009999"])
async def test_an_odd_number_of_plies_is_refused(ann, plies):
    for field in ("least_plies", "most_plies"):
        answer = await ann.http.get("/api/games", params={field: plies})
        assert answer.status_code in (200, 422)


@pytest.mark.parametrize("seat", ["red", "blue"])
@pytest.mark.parametrize("reason", ["resigned", "flag", "agreed"])
async def test_a_finished_game_names_only_seats_it_has(ann, seat, reason):
    finished = {
        "ref": "odd",
        "game": {"seats": {"black": {"kind": "me"}, "white": {"kind": "here"}}},
        "moves": [],
    }
    for odd in (
        {"ended": {"reason": reason, "winner": seat}},
        {"left": [{"seat": seat, "after": 0}]},
    ):
        refused = await ann.post("/api/games/finished", finished | odd, 422)
        assert refused["error"]["code"] == "no-such-seat"


async def test_a_large_body_is_refused(ann):
    refused = await ann.post("/api/games", {"layout": "x" * 20_000}, 413)
    assert refused["error"]["code"] == "too-large"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"mode": "five"}, "invalid"),
        ({"layout": "nosuch"}, "layout"),
        ({"mode": "three", "layout": "standard"}, "layout"),
        ({"rules": "services"}, "invalid"),
        ({"rules": {"stuck": "cries"}}, "rules"),
        ({"seats": {"red": {"kind": "me"}}}, "no-such-seat"),
        ({"captured": [1]}, "position"),
        ({"captured": [6, 0]}, "setup"),
        ({"win_at": 0}, "invalid"),
        ({"colour": "black"}, "invalid"),
    ],
)
async def test_a_game_that_cant_be_is_refused_with_the_reason(ann, wish, code):
    answer = await ann.http.post("/api/games", json=wish)
    assert answer.status_code in (400, 404, 422)
    assert answer.json()["error"]["code"] == code


async def test_floods_are_stopped_by_address_and_by_connection(tmp_path):
    server = ServerProcess(
        tmp_path / "games.sqlite3",
        requests="1000/minute",
        new_games="3/minute",
        messages="5/minute",
        connections=2,
        handshakes="4/minute",
    ).start()
    ann, ben = Player(server.url), Player(server.url)
    try:
        game, _ = await ann.new_game()
        for _ in range(2):
            await ann.new_game()
        refused = await ann.http.post("/api/games", json={})
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too-many")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert refused.headers["cache-control"] == "no-store"
        async with ann.socket(game["id"]) as one, ann.socket(game["id"]):
            async with ann.raw_socket(f"/ws/games/{game['id']}") as third:
                assert (await Socket(third).receive())["code"] == "too-many"
            for _ in range(10):
                await one.send(type="ping", sent=1)
            refused = await one.until("error")
            assert refused["code"] == "too-many"
            assert 1 <= refused["details"]["retry_after"] <= 60
        for expected in ("state", "error"):
            async with ben.raw_socket(f"/ws/games/{game['id']}") as late:
                with contextlib.suppress(ConnectionClosed):  # refused before it has spoken
                    await late.send('{"type":"hello"}')
                assert (await Socket(late).receive())["type"] == expected
    finally:
        await ann.close()
        await ben.close()
        server.stop()


async def test_a_browser_that_knows_the_page_isnt_sent_it_again(ann):
    first = await ann.http.get("/favicon.svg")
    again = await ann.http.get("/favicon.svg", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert again.headers["cache-control"] == "no-cache"
