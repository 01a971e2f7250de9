"""The terminal app, driven by mouse and keys as somebody would."""

import os
import subprocess
import sys

import pytest

from support.optional_parts import REASONS

pytest.importorskip("textual", reason=REASONS["tui"])

from textual.widgets import Button, DataTable, Input, OptionList

from sumito import BLACK, RED, WHITE, Cell, Mode, record
from sumito.engine import Level
from sumito.game.clock import Control
from sumito.tui.board import BoardView
from sumito.tui.panels import AnalysisPanel
from sumito.tui.play import GameScreen
from sumito.tui.records import BrowserScreen, RecordScreen
from sumito.tui.words import Words
from support import records
from support.terminal_app import app_with, board, new_game, text, touch, until


async def test_a_move_is_made_with_the_mouse_and_taken_back_with_a_key():
    app = app_with(game=new_game())
    async with app.run_test(size=(80, 24)) as pilot:
        await touch(pilot, "a1", "b2", "c3", "d4")
        await until(pilot, lambda: board(app).ply == 2)
        assert board(app)["d4"] is BLACK
        assert "White to move" in text(app, "#status")
        await pilot.press("u")
        await until(pilot, lambda: board(app).ply == 1)
        assert "taken back" in text(app, "#message")


async def test_a_move_is_made_with_keys_alone():
    app = app_with(game=new_game())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("up", "down", "down")  # the cursor begins at e5
        view = app.screen.query_one(BoardView)
        assert view.cursor.row == Cell.C3.row
        await pilot.press("enter", "up", "enter")
        await until(pilot, lambda: board(app).ply == 2)


async def test_a_move_can_be_typed_and_a_wrong_one_is_answered():
    app = app_with(game=new_game())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("m", *"a1c3", "enter")
        assert "are not neighbours" in text(app, "#message")
        app.screen.query_one("#typed", Input).clear()
        await pilot.press(*"a1 b2", "enter")
        await until(pilot, lambda: board(app).ply == 2)


async def test_a_failed_try_is_answered_in_the_readers_language():
    app = app_with("de", game=new_game())
    async with app.run_test(size=(80, 24)) as pilot:
        await touch(pilot, "i5")
        assert app.screen.query_one("#message").has_class("-refused")
        assert "weiß" in text(app, "#message").lower()
        await touch(pilot, "b1", "b4")
        assert "Vier Kugeln" in text(app, "#message")


async def test_the_computer_answers_and_its_seat_is_not_ours():
    app = app_with(game=new_game(), levels={WHITE: Level.NEWCOMER})
    async with app.run_test(size=(80, 24)) as pilot:
        await touch(pilot, "a1", "b2")
        await touch(pilot, "c3", "d4")
        await until(pilot, lambda: board(app).ply == 3)
        await pilot.press("u")
        await until(pilot, lambda: board(app).ply == 1)


async def test_computers_play_a_game_of_three_among_themselves():
    levels = dict.fromkeys(Mode.THREE.colours, Level.NEWCOMER)
    app = app_with(game=new_game(Mode.THREE), levels=levels)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: board(app).ply > 4)
        assert app.screen.match.deeds() == []


async def test_a_flag_falls_and_is_told():
    app = app_with(game=new_game(control="0.2"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "White wins" in text(app, "#status"))
        await touch(pilot, "a1")
        assert "White wins" in text(app, "#message")
        match, over = app.screen.match, app.screen.match.game
        await pilot.press("x", "enter")  # another game
        await until(pilot, lambda: match.game is not over)


async def test_one_who_resigns_among_three_is_out():
    app = app_with(game=new_game(Mode.THREE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x")
        options = app.screen.query_one(OptionList)
        assert [str(options.get_option_at_index(n).prompt) for n in range(2)] == [
            "Offer a draw",
            "Resign",
        ]
        await pilot.press("down", "enter")
        await until(pilot, lambda: "black is out" in text(app, "#message").lower())
        assert board(app).turn is WHITE
        await touch(pilot, next(str(cell) for cell in board(app).marbles(RED)))
        assert "red's" in text(app, "#message").lower()


async def test_the_engine_thinks_aloud_and_gives_a_hint():
    app = app_with(game=new_game())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a")
        analysis = app.screen.query_one(AnalysisPanel)
        await until(pilot, lambda: analysis.lines)
        assert len(analysis.lines) == 3
        assert "%" in text(app, "#bar")
        await pilot.press("h")
        assert "The engine would play" in text(app, "#message")
        assert app.screen.query_one(BoardView).marks.hint


async def test_one_may_look_back_and_the_board_may_be_turned():
    app = app_with(game=new_game())
    async with app.run_test(size=(80, 24)) as pilot:
        await touch(pilot, "a1", "b2")
        await touch(pilot, "c3", "d4")
        await until(pilot, lambda: board(app).ply == 2)
        view = app.screen.query_one(BoardView)
        await pilot.press("home")
        assert view.colours[Cell.A1] is BLACK
        assert "End returns" in text(app, "#status")
        await pilot.press("end", "f")
        assert Cell.A1 not in view.colours
        assert view.turns == 3


async def test_a_window_that_is_too_small_says_so():
    def said():
        view = app.screen.query_one(BoardView)
        return " ".join(view.render_line(y).text.strip() for y in range(view.size.height))

    app = app_with(game=new_game())
    async with app.run_test(size=(60, 12)) as pilot:
        await until(pilot, lambda: "too small" in said())
        await pilot.resize_terminal(30, 30)
        await until(pilot, lambda: "here are 30 and" in said())
        await pilot.resize_terminal(5, 3)
        await pilot.resize_terminal(44, 24)
        await until(pilot, lambda: "9" in said() and "too small" not in said())


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (44, 24), (60, 26)])
async def test_a_window_of_any_size_says_whose_turn_it_is(size):
    def shown():
        lines = app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in lines)

    app = app_with(game=new_game())
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "Black to move" in shown())
        await pilot.press("m", *"a1b2", "enter")
        await until(pilot, lambda: "White to move" in shown())


async def test_four_clocks_in_a_low_window_leave_the_board_its_room():
    app = app_with(game=new_game(Mode.TEAMS, control="600"))
    async with app.run_test(size=(44, 24)) as pilot:
        await until(pilot, lambda: "10:00" in text(app, "#brief"))
        assert app.screen.query_one("#brief").size.height == 1
        assert app.screen.query_one(BoardView).size.height == 20


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_menu_and_setup_lead_to_a_game(language):
    app = app_with(language)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.screen.query("#clock"))
        app.screen.query_one("#mode").value = "teams-double"
        app.screen.query_one("#clock", Input).value = "soon"
        app.screen.query_one("#play", Button).press()
        await until(pilot, lambda: "soon" in text(app, "#problem"))
        app.screen.query_one("#clock", Input).value = "600+5"
        app.screen.query_one("#play", Button).press()
        await until(pilot, lambda: isinstance(app.screen, GameScreen))
        assert board(app).mode is Mode.TEAMS_DOUBLE
        assert app.screen.match.game.control == Control.parse("600+5")
        first_word = Words(language).mode(Mode.TEAMS_DOUBLE).split()[0]
        await until(pilot, lambda: first_word in app.export_screenshot())


def write_games(path, count):
    game = record.write(
        record.Record.from_board(records.random_game(1, plies=20), {"White": "Ben"}, result="*")
    )
    path.write_text("".join(game.replace("Ben", f"Ben {n}") for n in range(count)), "utf-8")
    return path


async def test_thousands_of_games_are_listed_searched_and_opened(tmp_path):
    path = write_games(tmp_path / "many.apgn", 2600)
    app = app_with(records=path)
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.screen.query_one(DataTable)
        await until(pilot, lambda: table.row_count == 2600)
        assert "2,600 games" in text(app, "#summary")
        await pilot.press("ctrl+end")
        assert table.cursor_row == 2599
        app.screen.query_one("#filter", Input).value = "ben 1234"
        await until(pilot, lambda: table.row_count == 1)
        await pilot.press("slash", "enter", "enter")
        await until(pilot, lambda: isinstance(app.screen, RecordScreen) and app.screen.is_mounted)
        await pilot.press("right", "right", "left")
        assert app.screen.at == 1
        await pilot.press("end")
        assert app.screen.at == 20
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, BrowserScreen))


async def test_files_that_hold_no_game_are_told(tmp_path):
    path = tmp_path / "no.apgn"
    path.write_bytes(b"")
    app = app_with(records=path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "There is no game in" in text(app, "#summary"))


async def test_a_broken_game_is_shown_as_far_as_it_goes(tmp_path):
    path = tmp_path / "broken.apgn"
    path.write_text(records.text("1. a1b2 i9h8 2. a1a2 *"))
    app = app_with(records=path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen.query_one(DataTable).row_count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RecordScreen))
        assert len(app.screen.boards) == 3
        assert "a1a2" in text(app, "#message")


def test_entries_of_a_scan_read_the_same_games(tmp_path):
    path = write_games(tmp_path / "some.apgn", 5)
    text_before = path.read_text("utf-8")
    path.write_text("\ufeff\n" + text_before.replace("\n", "\r\n"), "utf-8", newline="")
    entries = list(record.scan(path))
    assert [entry.read() for entry in entries] == list(record.read(path))
    assert [entry.number for entry in entries] == [1, 2, 3, 4, 5]
    path.write_text("")
    with pytest.raises(record.RecordError, match="no longer there"):
        entries[3].read()


def terminal_output(*options, env=None):
    """What the command says on a terminal of its own, until it ends or falls silent."""
    pty = pytest.importorskip("pty", reason=REASONS["posix"])
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "sumito", "terminal", *options],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=os.environ | {"TERM": "xterm-256color"} | (env or {}),
        close_fds=True,
    )
    os.close(follower)
    said = b""
    while b"\x1b[?1049h" not in said and b"Type a move" not in said:
        try:
            said += os.read(leader, 4096)
        except OSError:
            break
    process.kill()
    process.wait()
    os.close(leader)
    return said.decode(errors="replace")


def test_the_full_screen_is_for_terminals_that_have_one():
    assert "\x1b[?1049h" in terminal_output()
    assert "Type a move" in terminal_output("--plain")
    assert "Type a move" in terminal_output(env={"TERM": "dumb"})
