"""Who is signed in where: every session its own, each can be ended, and an account can go."""

import asyncio
import json

from serving import PASSWORD, PATIENCE, Player, ServerProcess, made, new_name, sign_up


async def test_a_planted_guest_cookie_never_becomes_the_account(ann, player):
    thief = player()
    planted = (await thief.get("/api/me"))["id"]
    await thief.new_game()
    for act in ("sign up", "sign in"):
        victim = player()
        victim.http.cookies = thief.http.cookies.__class__(thief.http.cookies)
        if act == "sign up":
            name = await sign_up(victim)
        else:
            await victim.post("/api/session", {"name": name, "password": PASSWORD})
        assert victim.http.cookies["sumito"] != thief.http.cookies["sumito"]
        assert (await victim.get("/api/me"))["account"]["name"] == name
        seen = await thief.get("/api/me")
        assert seen["account"] is None
    assert seen["id"] != planted


async def test_a_planted_token_and_an_open_socket_dont_either(player):
    thief = player()
    game, _ = await thief.new_game()
    token = (await thief.post("/api/tokens"))["token"]
    victim = player()
    victim.http.cookies = thief.http.cookies.__class__(thief.http.cookies)
    async with thief.socket(game["id"]) as spy:
        await sign_up(victim)
        await closes(spy)
    await player(Authorization=f"Bearer {token}").get("/api/me", 401)


async def closes(socket):
    async with asyncio.timeout(PATIENCE):
        await socket.raw.wait_closed()


async def test_signing_out_ends_the_session_for_whoever_has_its_cookie(ann, player):
    await sign_up(ann)
    copy = player()
    copy.http.cookies.set("sumito", ann.http.cookies["sumito"])
    assert (await copy.get("/api/me"))["account"]
    await ann.delete("/api/session")
    assert (await copy.get("/api/me"))["account"] is None


async def test_one_signs_out_here_or_everywhere(ann, player):
    name = await sign_up(ann)
    here, there = player(), player()
    for one in (here, there):
        await one.post("/api/session", {"name": name, "password": PASSWORD})
    assert [one["here"] for one in await here.get("/api/sessions")].count(True) == 1
    assert len(await here.get("/api/sessions")) == 3
    await here.delete("/api/session")
    assert (await here.get("/api/me"))["account"] is None
    assert (await there.get("/api/me"))["account"]
    await there.delete("/api/sessions")
    for one in (ann, here, there):
        assert (await one.get("/api/me"))["account"] is None


async def test_a_new_password_ends_all_other_sessions(ann, player):
    name = await sign_up(ann)
    game, _ = await ann.new_game()
    elsewhere = player()
    await elsewhere.post("/api/session", {"name": name, "password": PASSWORD})
    change = {"old": PASSWORD, "new": "battery staple"}
    refused = await ann.put("/api/me/password", change | {"old": "wrong"}, 403)
    assert refused["error"]["code"] == "wrong-password"
    await ann.put("/api/me/password", change | {"new": "12345678"}, 422)
    async with elsewhere.socket(game["id"]) as socket:
        await ann.put("/api/me/password", change)
        await closes(socket)
    assert (await ann.get("/api/me"))["account"]
    assert (await elsewhere.get("/api/me"))["account"] is None
    await elsewhere.post("/api/session", {"name": name, "password": PASSWORD}, 401)
    await elsewhere.post("/api/session", {"name": name, "password": "battery staple"})


async def test_a_deleted_account_leaves_its_games_without_its_name(ann, ben, game_of):
    name = await sign_up(ann)
    await sign_up(ben)
    game = await game_of(ann, ben)
    waiting, _ = await ann.new_game(listed=True)
    async with ben.socket(game["id"]) as white:
        await ann.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
        await white.until("moved")
        await ann.post("/api/me/delete", {"password": "wrong"}, 403)
        await ann.post("/api/me/delete", {"password": PASSWORD})
        assert (await white.until("ended"))["outcome"]["winner"] == "white"
    assert (await ann.get("/api/me"))["account"] is None
    await ann.post("/api/session", {"name": name, "password": PASSWORD}, 401)
    await ann.get(f"/api/players/{name}", 404)
    seen = await ben.get(f"/api/games/{game['id']}")
    assert seen["seats"][0]["name"] == "?"
    assert name not in json.dumps(seen)
    assert name not in (await ben.http.get(f"/api/games/{game['id']}.apgn")).text
    assert name not in json.dumps(await ben.get("/api/lobby"))
    assert (await ben.get(f"/api/games/{waiting['id']}"))["status"] == "over"
    refused = await ben.command(game["id"], 409, type="rematch", seat="white")
    assert refused["error"]["code"] == "player-gone"


async def test_all_that_is_kept_about_oneself_can_be_had(ann, ben, game_of):
    name = await sign_up(ann)
    game = await game_of(ann, ben)
    await ann.command(game["id"], type="chat", seat="black", text="good luck")
    data = (await ann.http.get("/api/me/data")).json()
    assert data["account"] == name
    assert [one["id"] for one in data["games"]] == [game["id"]]
    assert "good luck" in data["chat"][0]["line"]
    assert len(data["sessions"]) == 1
    assert "password" not in json.dumps(data)


async def test_a_token_neither_changes_the_password_nor_deletes(ann, player):
    await sign_up(ann)
    bot = player(Authorization=f"Bearer {(await ann.post('/api/tokens'))['token']}")
    change = {"old": PASSWORD, "new": "battery staple"}
    assert (await bot.put("/api/me/password", change, 403))["error"]["code"] == "not-by-token"
    await bot.post("/api/me/delete", {"password": PASSWORD}, 403)


async def test_two_sign_ups_at_once_make_one_account(ann, ben):
    await ann.get("/api/me")
    both = [{"name": new_name(), "password": PASSWORD} for _ in range(2)]
    answers = await asyncio.gather(*(ann.http.post("/api/accounts", json=one) for one in both))
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    same = {"name": new_name(), "password": PASSWORD}
    answers = await asyncio.gather(
        ann.http.post("/api/accounts", json=same), ben.http.post("/api/accounts", json=same)
    )
    assert sorted(answer.status_code for answer in answers) in ([201, 409], [409, 409])


async def test_the_computer_moves_on_when_its_guest_signs_in(player):
    name = await sign_up(player())
    guest = player()
    game, _ = await guest.new_game(
        seats={"black": {"kind": "me"}, "white": {"kind": "here", "name": "Bo"}}
    )
    await guest.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
    await guest.post("/api/session", {"name": name, "password": PASSWORD})
    await guest.command(game["id"], type="play", seat="white", ply=2, move="i9h8")
    seen = await guest.get(f"/api/games/{game['id']}")
    assert (seen["you"], made(seen)) == (["black", "white"], ["a1b2", "i9h8"])


async def test_a_game_whose_guest_signed_in_is_read_again_after_a_restart(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3").start()
    guest, other, owner = (Player(server.url) for _ in range(3))
    try:
        name = await sign_up(owner)
        game, links = await guest.new_game()
        await other.accept(links["any"])
        await guest.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
        await guest.post("/api/session", {"name": name, "password": PASSWORD})
        await other.command(game["id"], type="play", seat="white", ply=2, move="i9h8")
        server.kill()
        server.start()
        seen = await owner.get(f"/api/games/{game['id']}")
        assert (seen["you"], seen["seats"][0]["name"]) == (["black"], name)
        await owner.command(game["id"], type="play", seat="black", ply=3, move="a2b3")
        assert made(await other.get(f"/api/games/{game['id']}")) == ["a1b2", "i9h8", "a2b3"]
    finally:
        for one in (guest, other, owner):
            await one.close()
        server.stop()
