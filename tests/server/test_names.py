"""Names that look alike, passwords that everybody tries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving import PASSWORD, new_name, sign_up
from sumito.server.http.errors import Refusal
from sumito.server.people import passwords
from sumito.server.people.names import likeness


@pytest.mark.parametrize(
    "twin",
    ["Anneliese", "ANNELIESE", "аnneliese", "Annel1ese", "Ännelïese", "anne.liese", "αnnεlιεsε"],
)
def test_names_that_look_alike_are_one_name(twin):
    assert likeness(twin) == likeness("anneliese")


@given(st.text(max_size=30))
def test_every_name_has_a_look_and_keeps_it(name):
    assert likeness(name) == likeness(likeness(name)) or name
    assert len(likeness(name)) <= 80


async def test_nobody_signs_up_with_a_name_like_another(ann, ben):
    name = await sign_up(ann)
    for twin in (name.upper(), name.replace("p", "р", 1), name + "_"):
        refused = await ben.post("/api/accounts", {"name": twin, "password": PASSWORD}, 409)
        assert refused["error"]["code"] == "name-taken"
    assert (await ben.get("/api/me"))["account"] is None


@pytest.mark.parametrize("name", ["admin", "Аdmin", "ADM1N", "Sumito", "moderator"])
async def test_nobody_is_called_as_those_who_run_the_server(ann, name):
    await ann.post("/api/accounts", {"name": name, "password": PASSWORD}, 409)
    await ann.put("/api/me", {"name": name}, 409)


@pytest.mark.parametrize("name", ["admin\n", "ann\n", "ann\r", "ann\u2028", "a\x00nn"])
async def test_a_name_has_no_line_ends(ann, name):
    await ann.post("/api/accounts", {"name": name, "password": PASSWORD}, 422)


async def test_no_guest_wears_an_accounts_name(ann, ben, cas):
    name = await sign_up(ann)
    await ben.put("/api/me", {"name": name.upper()}, 409)
    game, links = await ben.new_game()
    key = {"key": links["any"].split("=")[-1]}
    await cas.post(f"/api/games/{game['id']}/join", key | {"name": name}, 409)
    here = {"black": {"kind": "me"}, "white": {"kind": "here", "name": name}}
    await ben.post("/api/games", {"seats": here}, 409)
    await ann.new_game(seats=here)


async def test_a_guest_loses_a_name_that_has_become_an_accounts(ann, ben):
    name = new_name()
    await ben.put("/api/me", {"name": name})
    await sign_up(ann, name)
    assert (await ben.get("/api/me"))["name"] != name
    game, _ = await ben.new_game()
    assert name not in [seat["name"] for seat in game["seats"]]


async def test_a_join_that_fails_leaves_nobody_behind(ann, ben):
    game, _ = await ann.new_game()
    me = await ben.get("/api/me")
    await ben.post(f"/api/games/{game['id']}/join", {"key": "guess"}, 403)
    data = (await ben.http.get("/api/me/data")).json()
    assert (data["id"], data["created_at"]) == (me["id"], 0)


@pytest.mark.parametrize(
    "password",
    [
        "12345678",
        "123456789",
        "87654321",
        "password",
        "Passw0rd",
        "password1",
        "qwertyuiop",
        "aaaaaaaaaa",
        "abcabcabc",
        "abcdefgh",
        "1q2w3e4r",
        "iloveyou",
        "anneliese",
        "Anneliese1",
    ],
)
def test_a_password_that_everybody_tries_is_none(password):
    with pytest.raises(Refusal, match="first that are tried"):
        passwords.check(password, "anneliese")


@pytest.mark.parametrize("password", ["correct horse", "Tr0ub4dor&3", "kqzv8wplm", "übermut mai"])
def test_an_odd_password_will_do(password):
    passwords.check(password, "anneliese")


async def test_a_common_password_is_refused_in_the_readers_language(player):
    hans = player(**{"Accept-Language": "de"})
    refused = await hans.post("/api/accounts", {"name": new_name(), "password": "12345678"}, 422)
    assert refused["error"]["code"] == "common-password"
    assert "Passwort" in refused["error"]["message"]
