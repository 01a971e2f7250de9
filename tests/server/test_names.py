"""Names that look alike, reserved names, and common passwords."""

import re
import sys
import unicodedata

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select, update

from sumito.server.accounts import passwords
from sumito.server.names import clean_name, likeness
from sumito.server.refusals import Refusal
from sumito.server.storage import PeopleRepository, Person, open_database, tables
from support.processes import PASSWORD, new_name, sign_up


@pytest.mark.parametrize(
    "twin",
    ["Anneliese", "ANNELIESE", "аnneliese", "Annel1ese", "Ännelïese", "anne.liese", "αnnεlιεsε"],
)
def test_names_that_look_alike_are_one_name(twin):
    assert likeness(twin) == likeness("anneliese")


ALIKE = [
    *("Annabel\u3164", "Annabel\u115f", "Annabel\u1160", "Annabel\uffa0", "Anna\u3164bel"),
    *("Anna \uffa0bel", "\u3164Annabel", "Annabel\u200b", "Annabel\u200d", "Annabel\u2060"),
    *("Annabel\ufeff", "Annabel\u00ad", "Annabel\ufe0f", "Annabel\u034f", "Annabel\u2800"),
    *("Annabel\u17b4", "Annabel\u180b", "Annabel\U0001d159", "Annabel\U000e0020"),
    *("ᴀnnabel", "Annaʙel", "Annabeʟ", "Ꭺnnabel", "ꓮnnabel", "ᗅnnabel", "Ⲁnnabel", "Аnnabel"),
    *("Αnnabel", "Annabeƚ", "Annabeɫ", "Annabeꟾ", "Annabeן", "Annabeا", "Annabeӏ", "Annabe1"),
    *("Annabelʼ", "Annabelˈ", "Annaـbel", "Annabelー", "Annabel ✓", "[Annabel]", "𝐀nnabel"),
    *("AnnabeȽ", "Ⱥnnabel", "AnnaɃel", "Aȵnabel", "Annabeȴ", "Aŋnabel", "AnnabƐl"),
]
"""Names that a reader takes for Annabel's."""


@pytest.mark.parametrize("twin", ALIKE, ids=ascii)
async def test_no_name_that_looks_like_an_accounts_is_had_by_another(ann, ben, annabel, twin):
    refused = await ann.http.post("/api/accounts", json={"name": twin, "password": PASSWORD})
    assert refused.status_code in (409, 422), refused.text
    refused = await ben.http.put("/api/me", json={"name": twin})
    assert refused.status_code in (409, 422), refused.text


@pytest.fixture(scope="module")
def annabel(server):
    with httpx.Client(base_url=server.url) as client:
        client.post("/api/accounts", json={"name": "Annabel", "password": PASSWORD})


@pytest.mark.parametrize("name", ["[Admin]", "Moderator ✓", "Admin\u200b", "ᴀdmin", "Sumito Team"])
async def test_no_guest_looks_like_those_who_run_the_server(ann, name):
    refused = await ann.http.put("/api/me", json={"name": name})
    assert refused.status_code in (409, 422), refused.text


@pytest.mark.parametrize(
    "name",
    [
        *("O'Brien", "Anne-Marie", "J. R.", "Tim & Eva", "Łukasz", "José María", "Nguyễn Văn"),
        *("Ольга", "Νίκη", "山田たろう", "ユーザー", "王小明", "김철수", "محمد", "שרה", "नरेन्द्र"),
        *("ประยุทธ์", "გიორგი", "Ann 2", "2 Fast"),
    ],
)
def test_people_are_called_as_they_are(name):
    assert clean_name(name) == name
    assert likeness(name)


def is_allowed(name):
    try:
        return clean_name(name) == name
    except Refusal:
        return False


def test_a_letter_with_a_stroke_or_a_hook_is_the_letter():
    named = re.compile(r"LATIN (?:SMALL|CAPITAL) LETTER ([A-Z]) WITH (?!SMALL)")
    found = [named.match(unicodedata.name(chr(code), "")) for code in range(sys.maxunicode + 1)]
    letters = {chr(code): match[1] for code, match in enumerate(found) if match is not None}
    assert len(letters) > 500
    other = {char for char, base in letters.items() if likeness(char) != likeness(base)}
    # Unicode's table knows better what these resemble; the others can't be in a name.
    assert {char for char in other if is_allowed(char)} <= set("ʋᶌ")


def test_vowels_that_are_marks_tell_names_apart():
    assert likeness("नीरा") != likeness("नारा")


@given(st.text(max_size=30))
def test_what_a_name_looks_like_has_letters_and_digits_only(name):
    look = likeness(name)
    assert len(look) <= 80
    assert {unicodedata.category(char)[0] for char in look} <= set("LNM")
    assert not any(char.isspace() for char in look)


@given(
    st.text("annabel", min_size=2, max_size=12),
    st.sampled_from(["\u3164", "\u200b", "\ufe0f", "\u2060", "\u00ad", "\u115f", "\U000e0041"]),
    st.integers(0, 12),
)
def test_what_cannot_be_seen_makes_no_other_name(name, unseen, place):
    longer = name[:place] + unseen + name[place:]
    assert likeness(longer) == likeness(name)
    with pytest.raises(Refusal):
        clean_name(longer)


@given(st.text(max_size=40))
def test_a_name_that_is_allowed_stays_as_it_is(text):
    try:
        name = clean_name(text)
    except Refusal as refusal:
        found = refusal.code
    else:
        found = None
    if found is not None:
        assert found in ("odd-name", "mixed-name", "empty-name")
        return
    assert clean_name(name) == name
    assert likeness(name)
    assert name.isprintable()


async def test_looks_of_an_earlier_version_are_made_again_at_the_start(tmp_path):
    database = open_database(str(tmp_path / "games.sqlite3"))
    await database.migrate()
    store = PeopleRepository(database)
    names = ["Annabel", "AnnabeI", "Olga", "Ann"]
    for number, name in enumerate(names):
        await store.give_account(Person(f"id{number}", name, created_at=number), name, "hash")

    def age(connection):
        people = tables.people
        connection.execute(update(people).values(likeness=people.c.id))
        connection.execute(update(people).where(people.c.id == "id3").values(likeness=None))
        # One that looks like another, from before that was seen.
        row = {"id": "twin", "name": "Annabe1", "account": "Annabe1", "account_key": "annabe1"}
        connection.execute(insert(people).values(row | {"created_at": 9}))

    await database.write(age)
    await store.refresh_likenesses()
    assert (await store.by_likeness(likeness("annabe1"))).id == "id0"
    assert (await store.by_likeness(likeness("ann"))).id == "id3"
    query = select(tables.people.c.likeness)
    before = await database.read(lambda connection: list(connection.scalars(query)))
    await store.refresh_likenesses()
    assert await database.read(lambda connection: list(connection.scalars(query))) == before
    await database.close()


async def test_nobody_signs_up_with_a_name_like_another(ann, ben):
    name = await sign_up(ann)
    for twin in (name.upper(), name.replace("0", "o"), name + "_", name.replace("p", "ƥ", 1)):
        refused = await ben.post("/api/accounts", {"name": twin, "password": PASSWORD}, 409)
        assert refused["error"]["code"] == "name-taken"
    assert (await ben.get("/api/me"))["account"] is None


@pytest.mark.parametrize(
    "name",
    ["admin", "Ädmin", "ADM1N", "Sumito", "moderator", "Moderator-Ann", "admin1", "The.Admin"],
)
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


async def test_guests_are_told_from_accounts(ann, ben):
    name = await sign_up(ann)
    await ben.put("/api/me", {"name": new_name()})
    game, links = await ann.new_game(listed=True)
    await ben.accept(links["any"])

    def guests(seats):
        return [(seat["kind"], seat["guest"]) for seat in seats]

    seen = await ann.get(f"/api/games/{game['id']}")
    assert guests(seen["seats"]) == [("person", False), ("person", True)]
    mine = (await ben.get("/api/games?mine=1"))["games"]
    assert guests(mine[0]["seats"]) == [("person", False), ("person", True)]
    alone, _ = await ann.new_game(
        seats={"black": {"kind": "here", "name": "Tim"}, "white": {"kind": "computer"}}
    )
    assert guests(alone["seats"]) == [("person", True), ("computer", False)]
    # A guest who signs in takes the seat under the account's name.
    await ben.post("/api/session", {"name": name, "password": PASSWORD})
    seen = await ann.get(f"/api/games/{game['id']}")
    assert guests(seen["seats"]) == [("person", False), ("person", False)]


async def test_a_rematch_keeps_who_is_a_guest(ann, ben):
    await sign_up(ann)
    game, links = await ann.new_game()
    await ben.accept(links["any"])
    await ann.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
    await ben.command(game["id"], type="play", seat="white", ply=2, move="i9h8")
    await ben.command(game["id"], type="resign", seat="white")
    for one in (ann, ben):
        await one.command(game["id"], type="rematch")
    again = (await ann.get(f"/api/games/{game['id']}"))["rematch"]
    seats = (await ann.get(f"/api/games/{again}"))["seats"]
    assert [seat["guest"] for seat in seats] == [True, False]


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
    with pytest.raises(Refusal, match="too easy to guess"):
        passwords.check(password, "anneliese")


@pytest.mark.parametrize("password", ["correct horse", "Tr0ub4dor&3", "kqzv8wplm", "übermut mai"])
def test_an_odd_password_will_do(password):
    passwords.check(password, "anneliese")


async def test_a_common_password_is_refused_in_the_readers_language(player):
    hans = player(**{"Accept-Language": "de"})
    refused = await hans.post("/api/accounts", {"name": new_name(), "password": "12345678"}, 422)
    assert refused["error"]["code"] == "common-password"
    assert "Passwort" in refused["error"]["message"]
