"""Openings: the file is sound, the strongest levels begin by it, and how it is made."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import pytest

from sumito import BLACK, WHITE, Board, Layout, Level, Limit, Mode, Move, opening_book
from sumito.cli.ugi_session import UgiSession
from sumito.engine import Engine
from sumito.errors import ArgumentTypeError, LabError, OpeningsError
from sumito.lab import openings as lab
from sumito.opening_book import OpeningMove, Openings
from sumito.rules import layouts
from sumito.rules.rules import Rules

FAIR = [layout for mode in Mode for layout in layouts.of(mode).values() if layout.fair]
LIMIT = Limit(nodes=300)


def board_after(layout: Layout, *moves: Move | str) -> Board:
    board = Board(layout.id, layout.mode)
    for move in moves:
        board.push(Move.parse(move) if isinstance(move, str) else move)
    return board


# The file.


def test_every_fair_layout_has_first_moves_and_replies_to_each_of_them() -> None:
    assert sorted(opening_book.shipped()) == sorted(map(str, FAIR))
    choices = [len(opening_book.replies(board_after(layout))) for layout in FAIR]
    assert all(1 <= count <= 2 * lab.FIRST_MOST for count in choices)
    assert sum(count > 1 for count in choices) >= 0.9 * len(FAIR)
    for layout in FAIR:
        start = board_after(layout)
        for move in start.legal_moves:
            assert opening_book.replies(board_after(layout, move)), (layout, move)


def test_all_lines_and_replies_of_the_file_are_legal_and_near_the_best() -> None:
    for name, known in opening_book.shipped().items():
        layout = Layout.parse(name)
        assert known.symmetry is opening_book.symmetry_of(layout)
        for line, text in known.after.items():
            board = board_after(layout, *line.split())
            replies = opening_book.parse_replies(text)
            best, *others = (reply.worth for reply in replies)
            assert all(board.is_legal(reply.move) for reply in replies), (name, line)
            # A worth is rounded, and so is the best.
            assert all(best - worth <= lab.SECOND_MARGIN + 1 for worth in others[:1])
            assert all(best - worth <= lab.MARGIN + 1 for worth in others[1:])


def test_the_file_is_small_and_says_how_it_was_made() -> None:
    text = resources.files("sumito").joinpath(opening_book.SHIPPED).read_text(encoding="utf-8")
    assert len(text) < 100_000
    assert opening_book.write(opening_book.parse(text)) == text
    for known in opening_book.shipped().values():
        assert known.nodes >= 500_000
        assert known.network


def test_the_image_of_a_line_has_the_images_of_its_replies() -> None:
    layout = layouts.get("belgian-daisy")
    half = opening_book.symmetry_of(layout)
    assert str(half) == "turn3"
    firsts = opening_book.replies(board_after(layout))
    assert {half.move(reply.move) for reply in firsts} == {reply.move for reply in firsts}
    for move in board_after(layout).legal_moves:
        replies = opening_book.replies(board_after(layout, move))
        images = opening_book.replies(board_after(layout, half.move(move)))
        assert {OpeningMove(half.move(one.move), one.worth) for one in replies} == set(images)


# Who reads it.


def test_there_are_replies_to_the_third_ply_and_none_later() -> None:
    board = Board("belgian-daisy")
    for _ in range(opening_book.LONGEST + 1):
        replies = opening_book.replies(board)
        worths = [reply.worth for reply in replies]
        assert replies
        assert worths == sorted(worths, reverse=True)
        board.push(replies[0].move)
    assert opening_book.replies(board) == ()


@pytest.mark.parametrize(
    "board",
    [
        Board("standard", captured=(1, 0)),
        Board("french-daisy"),  # not fair
        Board("three", "three", rules=Rules(first=WHITE)),
        Board.parse("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb w 0,0 0 1"),
        Board.parse("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 1 3"),
        Board.parse("5/6/7/2bb4/4w4/8/7/6/5 b 0,0 0 1"),
    ],
)
def test_games_that_begin_otherwise_have_none(board: Board) -> None:
    assert opening_book.replies(board) == ()
    assert opening_book.pick(board, 1) is None


def test_nobody_is_told_a_reply_of_a_player_who_left() -> None:
    board = Board("three", "three")
    board.push(opening_book.replies(board)[0].move)
    board.leave(WHITE)
    assert all(board.is_legal(reply.move) for reply in opening_book.replies(board))


def test_a_board_is_asked_for() -> None:
    with pytest.raises(ArgumentTypeError):
        opening_book.replies("standard")  # type: ignore[arg-type]


def test_draws_follow_the_seed_and_keep_to_the_moves_asked_for() -> None:
    board = Board("standard")
    known = {reply.move for reply in opening_book.replies(board)}
    drawn = [opening_book.pick(board, seed) for seed in range(60)]
    assert drawn == [opening_book.pick(board, seed) for seed in range(60)]
    assert {reply.move for reply in drawn if reply} == known
    only = opening_book.replies(board)[1]
    assert opening_book.pick(board, 5, (only.move,)) == only
    assert opening_book.pick(board, 5, (Move.parse("c3c2"),)) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello", "layout 1 .* 'hello' is not a line"),
        ("nowhere: turn0 5 x\n+1 a1b2", "no layout 'nowhere'"),
        ("standard: turn9 5 x\n+1 a1b2", "turn9"),
        ("standard: turn0 5 x extra\n+1 a1b2", "extra"),
        ("standard: turn0 x x\n+1 a1b2", "turn0 x x"),
        ("standard: turn0 5 x\n+1 a1z9", "a1z9"),
        ("standard: turn0 5 x\n+1 a1b2\n\nduel: turn0 5 x\n+z a1b2", "layout 2"),
        ("standard: turn0 5 x\na1b2", "'a1b2' is not a line"),
    ],
)
def test_what_holds_no_openings_is_refused(text: str, reason: str) -> None:
    with pytest.raises(OpeningsError, match=reason):
        opening_book.parse(text)


# Who plays by it.


def first_moves(engine: Engine, level: Level, **options: object) -> list[Move]:
    return [
        engine.play(Board("standard"), LIMIT, level=level, seed=seed, **options).move  # type: ignore[arg-type]
        for seed in range(30)
    ]


@pytest.mark.parametrize("level", [Level.EXPERT, Level.MASTER, Level.CHAMPION])
def test_a_strong_level_begins_with_any_of_them_and_by_its_seed(level: Level) -> None:
    known = {reply.move for reply in opening_book.replies(Board("standard"))}
    with Engine(hash_mb=1) as engine:
        moves = first_moves(engine, level)
        assert set(moves) == known
        assert moves == first_moves(engine, level)


def test_levels_that_err_begin_as_they_see_it() -> None:
    known = {reply.move for reply in opening_book.replies(Board("standard"))}
    with Engine(hash_mb=1) as engine:
        assert set(first_moves(engine, Level.GENTLE)) - known


def test_the_moves_asked_for_are_kept_to() -> None:
    with Engine(hash_mb=1) as engine:
        one = Move.parse("c3c2")
        assert set(first_moves(engine, Level.MASTER, root_moves=(one,))) == {one}


def test_a_game_of_the_strongest_goes_on_beyond_the_file() -> None:
    async def play() -> Board:
        board = Board("belgian-daisy")
        with Engine(hash_mb=1) as engine:
            for ply in range(5):
                line = await engine.play_async(board, LIMIT, level=Level.CHAMPION, seed=ply)
                board.push(line.move)
        return board

    assert len(asyncio.run(play()).moves) == 5


def test_an_analysis_and_a_player_without_level_know_nothing_of_it() -> None:
    with Engine(hash_mb=1) as engine:
        lines = [engine.analyse(Board(), LIMIT, level=Level.MASTER, seed=n)[0] for n in range(9)]
        played = [engine.play(Board(), LIMIT, seed=n) for n in range(9)]
    assert all(line.depth > 1 for line in lines + played)
    assert len({line.move for line in lines}) == 1


# The protocol.


class Talk:
    """Games of a session, of which only the first move is asked for."""

    def __init__(self, *options: str) -> None:
        self.lines: list[str] = []
        self.session = UgiSession(self.lines.append)
        for option in ("name Hash value 1", *options):
            self.session.handle(f"setoption {option}")

    def first(self, go: str = "go nodes 3000") -> str:
        for line in ("newgame", "position startpos", go):
            self.session.handle(line)
        self.session.wait()
        return self.lines[-1].split()[1]


def test_a_program_plays_by_its_own_book_only_when_told_to() -> None:
    known = {reply.move.name for reply in opening_book.replies(Board())}
    quiet, opened, again = Talk(), *(Talk("name OwnBook value true") for _ in range(2))
    assert len({quiet.first() for _ in range(4)}) == 1
    moves = [opened.first() for _ in range(12)]
    assert set(moves) <= known
    assert len(set(moves)) > 1
    assert moves == [again.first() for _ in range(12)]
    assert opened.first("go nodes 3000 searchmoves c3c2") == "c3c2"
    for talk in (quiet, opened, again):
        talk.session.close()


def test_an_endless_search_searches_though_there_is_a_book() -> None:
    talk = Talk("name OwnBook value true")
    talk.session.handle("go infinite")
    end = time.monotonic() + 300
    while not any("depth 3 " in line for line in talk.lines) and time.monotonic() < end:
        time.sleep(0.01)
    talk.session.close()
    assert any("depth 3 " in line for line in talk.lines)


def test_a_book_is_on_or_off_and_nothing_else() -> None:
    talk = Talk("name OwnBook value maybe")
    assert talk.lines == ["info string error: 'maybe' is none of true, false"]


# How it is made.


def plan(*ids: str, nodes: int = 300, **changes: object) -> lab.OpeningsPlan:
    return lab.OpeningsPlan(lab.fair(Mode.TWO, ids), nodes, **changes)  # type: ignore[arg-type]


def make(wanted: lab.OpeningsPlan, out: Path, workers: int = 1) -> lab.Progress:
    with ThreadPoolExecutor(workers) as pool:
        return list(lab.make_openings(wanted, out, pool))[-1]


def test_equal_plans_find_equal_openings_however_many_work(tmp_path: Path) -> None:
    wanted = plan("belgian-daisy", "standard")
    one, two = tmp_path / "one", tmp_path / "two"
    assert make(wanted, one).done == 2
    make(wanted, two, workers=2)
    assert one.read_text() == two.read_text()
    assert opening_book.parse(one.read_text())["standard"].nodes == 300


def test_a_run_that_was_killed_goes_on_and_loses_nothing(tmp_path: Path) -> None:
    ids = ("mosaic", "korean-daisy", "scottish-daisy", "corners")
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    work = tmp_path / "parts.work"
    make(plan(*ids, nodes=2000), whole)
    words = [word for id in ids for word in ("-l", id)]
    command = [sys.executable, "-m", "sumito", "lab", "openings", str(parts), "-w", "1"]
    running = subprocess.Popen([*command, "--nodes", "2000", *words])
    try:
        end = time.monotonic() + 300
        while not (work.exists() and work.read_text().count("\n")) and time.monotonic() < end:
            time.sleep(0.005)
    finally:
        running.kill()
        running.wait()
    assert work.read_text().count("\n") >= 1
    with work.open("a") as file:
        file.write('["corners: mirror0 2000 ')  # what a kill may leave behind
    first = next(iter(lab.make_openings(plan(*ids, nodes=2000), parts, ThreadPoolExecutor(1))))
    assert 1 <= first.done <= len(ids)
    make(plan(*ids, nodes=2000), parts)
    assert parts.read_text() == whole.read_text()


def test_other_plans_begin_anew_and_other_layouts_stay(tmp_path: Path) -> None:
    out = tmp_path / "file"
    make(plan("mosaic"), out)
    before = opening_book.parse(out.read_text())["mosaic"]
    made = make(plan("corners"), out)
    assert made.known["mosaic"] == before
    assert make(plan("mosaic", nodes=400), out).known["mosaic"].nodes == 400
    by_hand = make(plan("mosaic", network=b""), out).known["mosaic"]
    assert by_hand.network == "none"


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "letter.txt"
    for contents in (b"Dear all,\n\nhello", b"\xff\xfe\x00"):
        out.write_bytes(contents)
        with pytest.raises(LabError, match=r"letter\.txt is not an openings file"):
            make(plan("mosaic"), out)
        assert out.read_bytes() == contents


def test_all_modes_are_searched_unless_one_is_asked_for() -> None:
    assert {layout.mode for layout in lab.fair()} == set(Mode)
    assert [str(layout) for layout in lab.fair(Mode.THREE)] == ["three three"]
    assert all(layout.fair for layout in lab.fair())


def test_replies_are_written_as_they_are_read() -> None:
    replies = (OpeningMove(Move.parse("a1b2"), 31), OpeningMove(Move.parse("c3c5d4"), 28))
    assert opening_book.write_replies(reversed(replies)) == "+31 a1b2 c3c5d4-3"
    assert opening_book.parse_replies("+31 a1b2 c3c5d4-3") == replies
    lost = (OpeningMove(Move.parse("a1b2"), -5), OpeningMove(Move.parse("a2b2"), -5))
    assert opening_book.parse_replies(opening_book.write_replies(lost)) == lost
    known = Openings({"": "+1 a1b2", "a1b2": "-4 i9h8 i8h7-2"}, nodes=7, network="x")
    assert Openings.parse(list(known.lines("duel"))) == ("duel", known)
    assert known.replies(()) == (OpeningMove(Move.parse("a1b2"), 1),)
    assert BLACK is Board("duel").turn
