"""The library and the explorer: what is looked for is found, and what isn't there is said."""

import subprocess
import sys
from random import Random

import pytest
from playwright.sync_api import expect

from sumito import Board
from sumito.record import Record, parse, write
from support.processes import ServerProcess


def some_games(count, plies=10):
    """Short games of two, all different."""
    for seed in range(count):
        random, board, record = Random(seed), Board(), Record.new()
        node = record.root
        for _ in range(plies):
            move = random.choice(sorted(board.legal_moves, key=str))
            node = node.add(move)
            board.push(move)
        record.tags |= {"Black": f"Ann {seed}", "White": "Ben", "Result": "1-0"}
        yield record


def test_a_search_that_finds_nothing_says_so_and_nonsense_is_refused(visit):
    visitor = visit()
    page = visitor.page
    visitor.go("/games")
    page.get_by_role("button", name="Library").click()
    page.get_by_label("Player", exact=True).fill("Nobody at all")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".empty")).to_contain_text("No game fits this.")
    assert visitor.barriers() == []
    visitor.tolerant = True
    page.get_by_label("Games that reached this position").fill("nonsense")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".toast")).to_contain_text("not a position")


def test_the_explorer_says_when_no_game_came_here(visit):
    visitor = visit()
    page = visitor.page
    visitor.go("/analysis?position=5/6/7/8/9/8/7/6/b3w_b_0,0_0_1")
    page.locator(".openings-card summary").click()
    expect(page.locator(".openings-note")).to_have_text("No game has reached this position.")


@pytest.fixture(scope="module")
def library(built, tmp_path_factory):
    """A server with an archive of a few games."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "club.apgn").write_text(write(some_games(4)), "utf-8")
    database = folder / "games.sqlite3"
    subprocess.run(
        [sys.executable, "-m", "sumito", "games", "import", "club.apgn", "--database", database],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    server = ServerProcess(database).start()
    yield server
    server.stop()


def test_games_are_found_by_layout_and_player_and_downloaded(visit, library, tmp_path):
    visitor = visit(server=library)
    page = visitor.page
    visitor.go("/games")
    page.get_by_role("button", name="Library").click()
    page.get_by_label("Layout").select_option(label="Belgian Daisy")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".empty")).to_contain_text("No game fits this.")
    page.get_by_label("Layout").select_option(label="Standard")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".game-list li")).to_have_count(4)
    page.get_by_label("Player", exact=True).fill("Ann 2")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".game-list li")).to_have_count(1)
    expect(page.locator(".game-list li")).to_contain_text("Ann 2")
    assert visitor.barriers() == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Download what was found").click()
    download.value.save_as(tmp_path / "found.apgn")
    (found,) = parse((tmp_path / "found.apgn").read_text("utf-8"))
    assert found.tags["Black"] == "Ann 2"


def test_the_explorer_shows_what_was_played_and_plays_it(visit, library):
    visitor = visit(server=library)
    page = visitor.page
    visitor.go("/analysis")
    page.locator(".openings-card summary").click()
    rows = page.locator(".openings tbody tr")
    counts = rows.locator("td:nth-child(2)")
    expect(counts.first).to_be_visible()
    assert sum(map(int, counts.all_inner_texts())) == 4
    move = rows.locator(".opening-move").first.inner_text()
    rows.locator(".opening-move").first.click()
    expect(page.locator("sumito-tree")).to_contain_text(move)
    expect(page.locator(".board-message")).to_have_text("White to move.")
    expect(rows.first).to_be_visible()
    assert visitor.barriers() == []
