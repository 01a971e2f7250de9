"""The terminal app at a real server: it joins, plays, loses the connection and finds it again."""

import pytest

from support.optional_parts import REASONS

pytest.importorskip("textual", reason=REASONS["tui"])

from textual.widgets import DataTable

from sumito import BLACK, RED, WHITE, record
from sumito.client import Client, ServerError
from sumito.tui.app import SumitoApp
from sumito.tui.board import BoardView
from sumito.tui.localisation import Localiser
from sumito.tui.play import GameScreen
from support.processes import Player, ServerProcess, made
from support.terminal_app import board, text, touch, until


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


async def test_a_game_is_joined_played_and_taken_up_after_the_server_was_away(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3").start()
    ben = Player(server.url)
    game, _ = await ben.new_game(listed=True, seats={"black": {"kind": "me"}})
    app = SumitoApp(Localiser("en"), server=server.url)
    try:
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: app.screen.query_one(DataTable).row_count == 1)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, GameScreen) and app.screen.is_mounted)
            await touch(pilot, "i5")
            assert "black's turn" in text(app, "#message")
            async with ben.socket(game["id"]) as socket:
                await socket.play("a1b2")
                await until(pilot, lambda: board(app).ply == 2)
                await touch(pilot, "i5", "h5")
                await touch(pilot, "g5", "f5")
                await socket.until("moved", seat="white")
                assert made(socket.game) == ["a1b2", "i5h5"]
            server.kill()
            await until(pilot, lambda: "reconnecting" in text(app, "#message"))
            await touch(pilot, "a1")
            server.start()
            await until(pilot, lambda: "Connected" in text(app, "#message"))
            assert board(app).ply == 3
    finally:
        await ben.close()
        server.stop()


async def test_players_talk_and_a_rematch_shows_the_next_game_from_the_other_seat(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3").start()
    ben = Player(server.url)
    game, _ = await ben.new_game(listed=True, seats={"black": {"kind": "me"}})
    app = SumitoApp(Localiser("en"), server=server.url)
    try:
        async with app.run_test(size=(80, 24)) as pilot, ben.socket(game["id"]) as socket:
            await until(pilot, lambda: app.screen.query_one(DataTable).row_count == 1)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, GameScreen) and app.screen.is_mounted)
            await until(pilot, lambda: app.screen.session.may_chat)
            await socket.do("chat", phrase="good-luck")
            await until(pilot, lambda: "Good luck!" in text(app, "#chat-lines"))
            await pilot.press("c", *"ready?", "enter")
            line = (await socket.until("chat"))["line"]
            while line["text"] != "ready?":  # one's own words come first
                line = (await socket.until("chat"))["line"]
            assert line["sender"] == "white"
            await until(pilot, lambda: "ready?" in text(app, "#chat-lines"))
            await pilot.press("escape")
            turned = app.screen.turns
            await socket.play("a1b2")
            await until(pilot, lambda: board(app).ply == 2)
            await socket.do("resign")
            await until(pilot, lambda: app.screen.session.game.status == "over")
            await socket.do("rematch")
            await until(pilot, lambda: "another game" in text(app, "#message"))
            await pilot.press("x", "enter")
            await until(pilot, lambda: app.screen.session.game.id != game["id"])
            assert board(app).ply == 1
            assert app.screen.turns != turned
            await until(pilot, lambda: app.screen.session.is_connected)
            await pilot.press("m", *"a1b2", "enter")  # black is ours now
            await until(pilot, lambda: board(app).ply == 2)
    finally:
        await ben.close()
        server.stop()


async def test_the_key_s_saves_an_online_game_with_who_left_clocks_and_result(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    server = ServerProcess(tmp_path / "games.sqlite3").start()
    ben, cas = Player(server.url), Player(server.url)
    game, links = await ben.new_game(
        mode="three",
        listed=True,
        control={"kind": "fischer", "ms": 600_000, "increment_ms": 5_000},
        seats={"black": {"kind": "me"}},
    )
    await cas.accept(links["white"])
    app = SumitoApp(Localiser("en"), server=server.url)

    async def saved(number):
        """What the key writes, and the same game as the server writes it."""
        app.screen.query_one(BoardView).focus()
        await pilot.press("s")
        path = tmp_path / f"sumito-{number}.apgn"
        await until(pilot, lambda: "Saved to" in text(app, "#message"))
        answer = await ben.http.get(f"/api/games/{game['id']}.apgn")
        return next(record.read(path)), next(record.parse(answer.text))

    try:
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: app.screen.query_one(DataTable).row_count == 1)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, GameScreen) and app.screen.is_mounted)
            session = app.screen.session
            await until(pilot, lambda: session.turn() is BLACK)
            async with ben.socket(game["id"]) as black, cas.socket(game["id"]) as white:
                await black.play()
                await white.until("moved", seat="black")
                await white.play()
                await until(pilot, lambda: session.turn() is RED)
                await pilot.press("m", *next(iter(board(app).legal_moves)).name, "enter")
                await black.until("moved", seat="red")
                await white.do("resign")  # while it is black's turn
                await black.until("left")
                await black.play()
                await until(pilot, lambda: session.turn() is RED and len(session.boards) == 5)
                mine, theirs = await saved(1)
                assert len(mine.moves) == 4
                assert mine.result == theirs.result == "*"
                assert (mine.moves, mine.clocks) == (theirs.moves, theirs.clocks)
                assert mine.departures == theirs.departures == {3: (WHITE,)}
                server.kill()
                server.start()
                await until(pilot, lambda: "Connected" in text(app, "#message"))
                assert session.boards[-1].position == next(reversed(list(theirs.boards()))).position
            await pilot.press("m", *next(iter(board(app).legal_moves)).name, "enter")
            await until(pilot, lambda: session.turn() is BLACK)
            await ben.command(game["id"], type="resign")
            await until(pilot, lambda: session.game.status == "over")
            mine, theirs = await saved(2)
            assert mine.result == theirs.result == "0-0-1"
            assert (mine.moves, mine.clocks) == (theirs.moves, theirs.clocks)
            assert len(mine.moves) == 5
            assert {seat for seats in mine.departures.values() for seat in seats} == {WHITE, BLACK}
            for tag in ("Black", "White", "Red", "TimeControl", "Termination"):
                assert mine.tags[tag] == theirs.tags[tag]
    finally:
        await ben.close()
        await cas.close()
        server.stop()


async def test_a_server_that_is_not_there_or_not_ours_is_told():
    app = SumitoApp(Localiser("de"), server="http://127.0.0.1:1")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "nicht zu erreichen" in text(app, "#message"))
        await pilot.press("n", "escape")
        await until(pilot, lambda: app.screen.query("#message"))


@pytest.mark.parametrize(
    "url", ["", "ftp://example.org", "http://", "::", "http://a:99999999", "http://[1"]
)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(ServerError, match="no address of a server"):
        Client(url)
