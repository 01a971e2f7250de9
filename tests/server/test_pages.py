"""The page's index: without the database, and with a preview of a game for other sites."""

import re
import sqlite3

import pytest

from support.processes import Player, ServerProcess


async def test_the_page_is_served_while_the_database_is_away(tmp_path):
    database = tmp_path / "games.sqlite3"
    server = ServerProcess(database).start()
    ann = Player(server.url)
    try:
        game, _ = await ann.new_game()
        assert ann.http.cookies
        with sqlite3.connect(database) as breaking:
            breaking.execute("ALTER TABLE people RENAME TO people_elsewhere")
            breaking.execute("ALTER TABLE games RENAME TO games_elsewhere")
        breaking.close()
        for path in ("/", "/learn", f"/g/{game['id']}"):
            answer = await ann.http.get(path)
            assert (answer.status_code, "<sumito-page" in answer.text) == (200, True)
            assert "set-cookie" not in answer.headers
        assert (await ann.http.get("/api/me")).status_code == 503
    finally:
        await ann.close()
        said = server.stop()
    assert "without the database" in said
    assert "Traceback" not in said


def preview(answer):
    return dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)"', answer.text))


@pytest.mark.parametrize("host", ["play.example.org", "play.example.org:8080", "[::1]:8000"])
async def test_a_preview_names_the_address_that_was_asked_for(ann, host):
    game, _ = await ann.new_game()
    shown = preview(await ann.http.get(f"/g/{game['id']}", headers={"Host": host}))
    assert shown["og:url"] == f"http://{host}/g/{game['id']}"


@pytest.mark.parametrize("host", ["evil.example/a?", 'x"><script>', "a@b", "a b", "", "a:b", "[x]"])
async def test_a_preview_repeats_no_odd_host(ann, host):
    game, _ = await ann.new_game()
    answer = await ann.http.get(f"/g/{game['id']}", headers={"Host": host})
    assert preview(answer) == {}
    assert answer.status_code in (200, 400)


async def test_a_preview_names_the_public_address_if_there_is_one(tmp_path):
    server = ServerProcess(
        tmp_path / "games.sqlite3", public_url="https://play.example.org"
    ).start()
    ann = Player(server.url)
    try:
        game, _ = await ann.new_game()
        answer = await ann.http.get(f"/g/{game['id']}", headers={"Host": "evil.example"})
    finally:
        await ann.close()
        server.stop()
    assert preview(answer)["og:url"] == f"https://play.example.org/g/{game['id']}"
    assert preview(answer)["og:image"].startswith("https://play.example.org/api/games/")
