"""Guests, accounts, tokens of bots, and ratings of accounts, over HTTP."""

import pytest

from support.processes import legal, sign_up


async def test_a_guest_stays_the_same_by_a_cookie_no_script_can_read(ann):
    answer = await ann.http.get("/api/me")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert (await ann.get("/api/me"))["id"] == answer.json()["id"]


async def test_a_forged_cookie_is_somebody_new(ann, player):
    me = await ann.get("/api/me")
    forger = player()
    forger.http.cookies.set("sumito", f'"{me["id"]}".forged')
    assert (await forger.get("/api/me"))["id"] != me["id"]


async def test_a_guest_can_have_a_name_and_a_language(ann):
    changed = await ann.put("/api/me", {"name": " Ann \n Lee "})
    assert changed["name"] == "Ann Lee"
    refused = await ann.put("/api/me", {"name": "Ann\u202e"}, 422)
    assert refused["error"]["code"] == "odd-name"
    refused = await ann.put("/api/me", {"language": "xx"}, 400)
    assert refused["error"]["code"] == "no-such-language"
    refused = await ann.put("/api/me", {"name": " \u3000 "}, 400)
    assert refused["error"]["code"] == "empty-name"


async def test_an_account_keeps_the_games_of_the_guest(ann, player):
    game, _ = await ann.new_game()
    name = await sign_up(ann)
    elsewhere = player()
    await elsewhere.post("/api/session", {"name": name.upper(), "password": "correct horse"})
    mine = await elsewhere.get("/api/games?mine=1")
    assert [one["id"] for one in mine["games"]] == [game["id"]]
    assert (await elsewhere.get(f"/api/games/{game['id']}"))["you"] == ["black"]


async def test_signing_in_adopts_what_the_guest_did_before(ann, player):
    name = await sign_up(ann)
    guest = player()
    game, _ = await guest.new_game()
    await guest.post("/api/session", {"name": name, "password": "correct horse"})
    seen = await ann.get(f"/api/games/{game['id']}")
    assert (seen["you"], seen["seats"][0]["name"]) == (["black"], name)


async def test_a_game_goes_on_when_its_guest_signs_in(ann, ben, player):
    name = await sign_up(player())
    game, links = await ann.new_game()
    await ben.accept(links["any"])
    async with ben.socket(game["id"]) as white:
        await ann.post("/api/session", {"name": name, "password": "correct horse"})
        assert (await white.until("joined"))["name"] == name
        assert white.game["seats"][0]["name"] == name
        await ann.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
        await white.until("moved")


async def test_names_are_taken_whatever_their_case(ann, ben):
    name = await sign_up(ann)
    refused = await ben.post(
        "/api/accounts", {"name": name.upper(), "password": "correct horse"}, 409
    )
    assert refused["error"]["code"] == "name-taken"


async def test_a_wrong_password_and_an_unknown_name_look_the_same(ann, ben):
    name = await sign_up(ann)
    wrong = await ben.post("/api/session", {"name": name, "password": "wrong horse"}, 401)
    unknown = await ben.post("/api/session", {"name": "nobody", "password": "wrong horse"}, 401)
    assert wrong == unknown


async def test_signing_out_makes_a_new_guest(ann):
    before = await ann.get("/api/me")
    await sign_up(ann)
    after = await ann.delete("/api/session")
    assert after["account"] is None
    assert (await ann.get("/api/me"))["id"] == after["id"] != before["id"]


async def test_a_bot_plays_with_a_token_until_it_is_void(ann, player):
    token = (await ann.post("/api/tokens"))["token"]
    bot = player(Authorization=f"Bearer {token}")
    assert (await bot.get("/api/me"))["id"] == (await ann.get("/api/me"))["id"]
    await bot.new_game()
    await ann.delete("/api/tokens", 204)
    assert (await bot.get("/api/me", 401))["error"]["code"] == "bad-token"


async def play(players, game_id, moves):
    """Play a number of legal moves of each player."""
    for ply in range(1, moves * len(players) + 1):
        one = players[(ply - 1) % len(players)]
        game = await one.get(f"/api/games/{game_id}")
        move = legal(game)[0]
        await one.command(game_id, type="play", seat=game["turn"], ply=ply, move=move)


CLOCK = {"kind": "sudden_death", "ms": 600_000}


async def rated_game(ann, ben, moves=5):
    """A rated game that Ben gives up after some moves of each."""
    game, links = await ann.new_game(rated=True, control=CLOCK)
    await ben.accept(links["any"])
    await play((ann, ben), game["id"], moves)
    await ben.command(game["id"], type="resign", seat="white")
    return game


async def rating(player, name):
    ratings = (await player.get(f"/api/players/{name}"))["ratings"]
    return ratings["two"]["rating"] if ratings else None


async def test_a_rated_game_moves_both_ratings(ann, ben):
    winner, loser = await sign_up(ann), await sign_up(ben)
    game = await rated_game(ann, ben)
    up, down = await ann.get(f"/api/players/{winner}"), await ann.get(f"/api/players/{loser}")
    assert up["ratings"]["two"]["rating"] > 1500 > down["ratings"]["two"]["rating"]
    assert up["history"]["two"][0]["game"] == game["id"]
    assert [one["id"] for one in up["games"]] == [game["id"]]
    names = [one["name"] for one in (await ann.get("/api/leaderboard?mode=two"))["players"]]
    assert names.index(winner) < names.index(loser)
    assert (await ann.get("/api/me"))["account"]["ratings"]["two"]["games"] == 1


async def test_teams_are_rated_too(player):
    four = [player() for _ in range(4)]
    names = [await sign_up(one) for one in four]
    game, links = await four[0].new_game(rated=True, mode="teams", control=CLOCK)
    for one in four[1:]:
        await one.accept(links["any"])
    await play(four, game["id"], 5)
    await four[1].command(game["id"], type="resign", seat="white")
    ratings = [
        (await four[0].get(f"/api/players/{name}"))["ratings"]["teams"]["rating"] for name in names
    ]
    assert min(ratings[0], ratings[2]) > 1500 > max(ratings[1], ratings[3])


async def test_a_game_given_up_at_once_rates_nobody(ann, ben):
    name = await sign_up(ann)
    await sign_up(ben)
    await rated_game(ann, ben, moves=4)
    assert await rating(ann, name) is None


@pytest.mark.parametrize(
    "wish",
    [
        {"control": {"kind": "none"}},
        {"control": {"kind": "sudden_death", "ms": 1}},
        {"control": {"kind": "sudden_death", "ms": 59_999}},
        {"control": {"kind": "fischer", "ms": 1, "increment_ms": 60_000}},
        {"control": {"kind": "delay", "ms": 20_000, "delay_ms": 10}},
        {"win_at": 1},
        {"rules": {"preset": "rulebook", "win_at": 2}},
        {"rules": {"preset": "tournament", "ply_limit": 1}},
        {"captured": [3, 0]},
    ],
    ids=str,
)
async def test_a_rated_game_has_standard_rules_and_a_sensible_clock(ann, wish):
    await sign_up(ann)
    refused = await ann.post("/api/games", wish | {"rated": True}, 422)
    assert refused["error"]["code"] == "not-rateable"
    await ann.new_game(**wish)


async def test_a_rated_game_may_have_any_usual_clock(ann):
    await sign_up(ann)
    for control in (
        {"kind": "fischer", "ms": 60_000, "increment_ms": 0},
        {"kind": "delay", "ms": 30_000, "delay_ms": 2_000},
    ):
        await ann.new_game(rated=True, control=control)
    await ann.new_game(rated=True, rules="tournament", layout="belgian-daisy", control=CLOCK)


async def test_an_aborted_game_rates_nobody(ann, ben):
    name = await sign_up(ann)
    await sign_up(ben)
    game, links = await ann.new_game(rated=True, control=CLOCK)
    await ben.accept(links["any"])
    await ben.command(game["id"], type="abort", seat="white")
    assert (await ann.get(f"/api/players/{name}"))["ratings"] == {}


async def test_rated_games_are_between_accounts_and_have_no_takebacks(ann, ben):
    refused = await ann.post("/api/games", {"rated": True, "control": CLOCK}, 403)
    assert refused["error"]["code"] == "account-needed"
    await sign_up(ann)
    game, links = await ann.new_game(rated=True, control=CLOCK)
    key = {"key": links["any"].split("=")[-1]}
    join = f"/api/games/{game['id']}/join"
    assert (await ben.post(join, key, 403))["error"]["code"] == "account-needed"
    refused = await ann.post(join, key | {"seat": "white"}, 409)
    assert refused["error"]["code"] == "not-rateable"
    await sign_up(ben)
    await ben.accept(links["any"])
    await ann.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
    refused = await ann.command(game["id"], 409, type="ask_takeback", seat="black")
    assert refused["error"]["code"] == "takeback"


@pytest.mark.parametrize(
    "body",
    [
        {"name": "x", "password": "correct horse"},
        {"name": "with blank", "password": "correct horse"},
        {"name": "fine", "password": "short"},
        {"name": "fine"},
    ],
)
async def test_an_account_needs_a_plain_name_and_a_long_password(ann, body):
    await ann.post("/api/accounts", body, 422)


async def test_what_was_learned_on_any_device_is_known_on_all(ann, player):
    name = await sign_up(ann)
    told = await ann.put("/api/me/learned", {"steps": ["marble/any", "chess/1", "marble/any"]})
    assert told["steps"] == ["marble/any"]
    elsewhere = player()
    guest = await elsewhere.put("/api/me/learned", {"steps": ["sumito/2-1"]})
    assert guest["steps"] == ["sumito/2-1"]
    await elsewhere.post("/api/session", {"name": name, "password": "correct horse"})
    both = await elsewhere.put("/api/me/learned", {"steps": ["sumito/2-1"]})
    assert both["steps"] == ["marble/any", "sumito/2-1"]
    assert (await ann.put("/api/me/learned", {"steps": []}))["steps"] == both["steps"]
    assert (await ann.get("/api/me/data"))["learned"] == both["steps"]
    await ann.post("/api/me/delete", {"password": "correct horse"})
    await sign_up(ann)
    assert (await ann.put("/api/me/learned", {"steps": []}))["steps"] == []
