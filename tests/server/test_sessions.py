"""Sessions and tokens: scopes, ending them everywhere, deletion, export, purging."""

import asyncio
import json

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from sumito.server.accounts.sessions import Identity
from sumito.server.base.settings import Settings
from sumito.server.limits import Limits
from sumito.server.realtime.hub import MAX_QUEUED, Broadcast, Resync
from sumito.server.refusals import Refusal
from sumito.server.services import PEOPLE
from sumito.server.storage import Person, Session, UnavailableError, tables
from support.in_process import alone, guest, services_in, until
from support.processes import PASSWORD, PATIENCE, Player, ServerProcess, made, new_name, sign_up


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


async def test_signing_out_ends_the_session_for_everybody_with_its_cookie(ann, player):
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


PERSONAL = [
    ("GET", "/api/me/data", None),
    ("GET", "/api/sessions", None),
    ("DELETE", "/api/sessions", None),
    ("DELETE", "/api/session", None),
    ("POST", "/api/tokens", {}),
    ("DELETE", "/api/tokens", None),
    ("PUT", "/api/me/password", {"old": PASSWORD, "new": "battery staple"}),
    ("POST", "/api/accounts", {"name": "somebody", "password": "battery staple"}),
    ("POST", "/api/session", {"name": "somebody", "password": "battery staple"}),
    ("POST", "/api/me/delete", {"password": PASSWORD}),
]


@pytest.mark.parametrize(("method", "path", "body"), PERSONAL)
async def test_a_token_may_play_and_no_more(ann, player, method, path, body):
    await sign_up(ann)
    made = await ann.post("/api/tokens")
    assert made["scope"] == "play"
    bot = player(Authorization=f"Bearer {made['token']}")
    refused = await bot.http.request(method, path, json=body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "token-scope")
    await bot.new_game()
    assert (await ann.get("/api/me"))["account"]


async def test_a_token_of_the_scope_account_may_do_what_its_owner_may(ann, player):
    name = await sign_up(ann)
    made = await ann.post("/api/tokens", {"scope": "account"})
    bot = player(Authorization=f"Bearer {made['token']}")
    assert (await bot.get("/api/me/data"))["account"] == name
    await bot.get("/api/sessions")
    await bot.post("/api/me/delete", {"password": PASSWORD})
    await ann.post("/api/session", {"name": name, "password": PASSWORD}, 401)
    await ann.post("/api/tokens", {"scope": "everything"}, 422)


@pytest.mark.parametrize("act", ["drop", "replace", "sign out everywhere", "new password"])
async def test_sockets_of_a_token_that_is_void_are_closed(ann, player, act):
    await sign_up(ann)
    game, _ = await ann.new_game()
    token = (await ann.post("/api/tokens"))["token"]
    bot = player(Authorization=f"Bearer {token}")
    bearer = {"Authorization": f"Bearer {token}"}
    async with (
        bot.raw_socket(f"/ws/games/{game['id']}", **bearer) as raw,
        ann.socket(game["id"]) as own,
    ):
        if act == "drop":
            await ann.delete("/api/tokens")
        elif act == "replace":
            await ann.post("/api/tokens")
        elif act == "sign out everywhere":
            await ann.delete("/api/sessions")
        else:
            await ann.put("/api/me/password", {"old": PASSWORD, "new": "battery staple"})
        async with asyncio.timeout(PATIENCE):
            await raw.wait_closed()
        if act in ("drop", "replace"):
            # The owner's own connection stays.
            assert (await own.ask("chat", phrase="hello"))["type"] == "ack"
    assert (await bot.get("/api/me", 401))["error"]["code"] == "bad-token"


async def test_a_password_changed_meanwhile_is_not_changed_again(tmp_path):
    async with services_in(tmp_path) as services:
        people = services.people
        identity = await people.sign_up(await guest(services), "ann", PASSWORD, "")
        before = await people.store.get(identity.id)
        await people.change_password(before, PASSWORD, "battery staple", "")
        with pytest.raises(Refusal, match="Wrong password"):
            await people.change_password(before, PASSWORD, "another staple", "")
        after = await people.store.get(identity.id)
        assert await people.sign_in(after, "battery staple")
        assert len(await people.store.sessions_of(identity.id)) == 1


async def test_a_change_of_password_that_fails_changes_nothing(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        people = services.people
        identity = await people.sign_up(await guest(services), "ann", PASSWORD, "")
        await people.new_token(await people.store.get(identity.id), "play")
        before = await people.store.get(identity.id)
        taken = (await people.store.sessions_of(identity.id))[0].name

        def same_name(person_id, agent, now):
            return Identity(person_id), Session(taken[:-1] + "x", None, agent, now, now)

        monkeypatch.setattr(people.sessions, "new_session", same_name)
        with pytest.raises(IntegrityError):
            await people.change_password(before, PASSWORD, "battery staple", "")
        assert await people.store.get(identity.id) == before
        assert len(await people.store.sessions_of(identity.id)) == 1
        query = select(tables.people.c.token).where(tables.people.c.id == identity.id)
        assert await services.database.read(lambda connection: connection.scalar(query))


async def opened_three(services):
    """Connections of a session, a token and a guest, of three people."""
    people = services.people
    owner = await people.sign_up(await guest(services), "ann", PASSWORD, "")
    bot = await guest(services)
    token, _ = await people.new_token(bot, "play")
    identities = [owner, await people.identify(None, f"Bearer {token}"), people.new_guest()]
    return identities, [people.sessions.connection(one) for one in identities]


@pytest.mark.parametrize("how", ["missed", "overrun"])
async def test_endings_that_were_not_heard_are_found_in_the_store(tmp_path, how):
    async with services_in(tmp_path) as services:
        (owner, bot, newcomer), opened = await opened_three(services)
        with opened[0], opened[1], opened[2]:
            (listening,) = services.hub._subscriptions[PEOPLE]

            async def miss():
                if how == "missed":
                    await services.hub.publish(PEOPLE, Resync())
                else:
                    for _ in range(MAX_QUEUED + 1):
                        listening.put(Broadcast("{}"))

            await miss()
            await until(lambda: listening.empty())
            await asyncio.sleep(0.05)
            assert not any(one.ended for one in opened)
            # What another process did while this one heard nothing.
            await services.people.store.end_access(owner.id)
            await services.people.store.set_token(bot.id, None)
            await services.people.store.give_account(Person(newcomer.id, "x"), "Neu", "hash")
            (listening,) = services.hub._subscriptions[PEOPLE]
            await miss()
            await until(lambda: all(one.ended for one in opened))
            # And it isn't deaf afterwards.
            again = services.people.sessions.connection(owner)
            with again:
                await services.close_sessions(owner.id)
                await until(lambda: again.ended)


async def test_a_check_of_sessions_waits_for_a_database_that_is_away(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        (owner, *_), opened = await opened_three(services)
        real, calls = services.people.store.valid_credentials, []

        async def away(names):
            calls.append(names)
            if len(calls) == 1:
                raise UnavailableError("away")
            return await real(names)

        monkeypatch.setattr(services.people.store, "valid_credentials", away)
        with opened[0]:
            await services.people.store.end_access(owner.id)
            await services.hub.publish(PEOPLE, Resync())
            await until(lambda: opened[0].ended)
        assert len(calls) == 2


# The lock on signing in.


def at(server, address):
    """Somebody behind a proxy that is believed, at an address of their own."""
    return Player(server.url, **{"X-Forwarded-For": address})


async def test_wrong_passwords_elsewhere_lock_nobody_out(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3", sign_ins="3/minute").start()
    owner, thief, elsewhere = (at(server, f"192.0.2.{n}") for n in (1, 2, 3))
    wrong = {"name": "annabel", "password": "wrong horse"}
    right = {"name": "annabel", "password": PASSWORD}
    try:
        await owner.post("/api/accounts", right)
        for _ in range(3):
            await thief.post("/api/session", wrong, 401)
        await thief.post("/api/session", right, 429)
        # From an address that the account doesn't know it takes longer, and works.
        assert (await elsewhere.post("/api/session", right))["account"]
        # At the thief's own address the owner's browser gets in, by its cookie.
        device = at(server, "192.0.2.2")
        device.http.cookies.set("sumito-device", owner.http.cookies["sumito-device"])
        assert (await device.post("/api/session", right))["account"]
        await device.close()
    finally:
        for one in (owner, thief, elsewhere):
            await one.close()
        said = server.stop()
    assert "Traceback" not in said, said


async def test_only_strangers_wait_after_many_wrong_passwords(monkeypatch):
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    monkeypatch.setattr("sumito.server.limits.asyncio.sleep", sleep)
    limits = Limits(Settings(sign_ins="2/minute"))
    await limits.slow_down("Ann")
    for _ in range(2):
        await limits.wrong_password("ann")
    await limits.slow_down("Ben")
    assert not waited
    await limits.slow_down("ANN")
    assert waited


async def test_a_devices_cookie_is_for_the_accounts_that_signed_in_with_it(tmp_path):
    async with services_in(tmp_path) as services:
        sessions = services.people.sessions
        cookie = sessions.remember_device(None, "ann")
        device = sessions.device(cookie, "ann")
        assert device
        both = sessions.remember_device(cookie, "ben")
        assert sessions.device(both, "ann") == sessions.device(both, "ben") == device
        for forged in ("", "x", cookie + "x", sessions.guest("ann").cookie, None):
            assert sessions.device(forged, "ann") is None
        assert sessions.device(cookie, "ben") is None
        for number in range(20):
            both = sessions.remember_device(both, f"p{number}")
        assert len(both) < 400


async def test_a_failed_sign_in_logs_no_name_that_is_no_accounts(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3").start()
    ann = Player(server.url)
    try:
        name = await sign_up(ann)
        await ann.post("/api/session", {"name": "MySecret123", "password": "wrong horse"}, 401)
        await ann.post("/api/session", {"name": name, "password": "wrong horse"}, 401)
    finally:
        await ann.close()
        said = server.stop()
    assert said.count("sign-in failed") == 2
    assert name in said
    assert "MySecret123" not in said


# Purging.


async def test_what_is_of_no_use_any_more_is_deleted(tmp_path):
    day = 86_400_000
    async with services_in(tmp_path) as services:
        people = services.people
        owner = await people.sign_up(await guest(services), "ann", PASSWORD, "")
        await people.note_network(owner.id, "192.0.2.1")
        player, room = await alone(services)
        idle = [await guest(services) for _ in range(3)]
        await people.store.probe_write("gone", 1)
        now = services.games.now()

        async def kept():
            found = [await people.store.get(one.id) for one in (player, owner, *idle)]
            return [one is not None for one in found]

        await people.store.purge(now, 365 * day, 90 * day)
        assert await kept() == [True] * 5
        assert await people.store.sessions_of(owner.id)
        await people.store.purge(now + 91 * day, 365 * day, None)
        assert await kept() == [True] * 5
        await people.store.purge(now + 91 * day, 365 * day, 90 * day)
        assert await kept() == [True, True, False, False, False]
        assert await services.games.store.get(room.id)
        assert not await people.knows_network(owner.id, "192.0.2.1")
        assert await people.store.sessions_of(owner.id)
        await people.store.purge(now + 366 * day, 365 * day, 90 * day)
        assert not await people.store.sessions_of(owner.id)
        query = select(tables.probes.c.process)
        assert "gone" not in await services.database.read(
            lambda connection: list(connection.scalars(query))
        )


async def test_a_guest_whom_other_rows_mention_stops_no_purge(tmp_path):
    async with services_in(tmp_path) as services:
        solver, idle = [await guest(services) for _ in range(2)]
        await services.puzzles.add(solver.id, "abc", 1500, 1, solved=True)
        store = services.people.store
        assert await store.purge(services.games.now() + 10**9, 1, 1) == 1
        assert [await store.get(one.id) is None for one in (solver, idle)] == [False, True]


async def test_many_guests_are_deleted_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr("sumito.server.storage.people_repo._BATCH", 10)
    monkeypatch.setattr("sumito.server.storage.people_repo._PURGE_PAUSE_S", 0)
    async with services_in(tmp_path) as services:
        for _ in range(35):
            await guest(services)
        assert await services.people.store.purge(services.games.now() + 10**9, 1, 1) == 35


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
