"""The engine as a caller sees it: sensible in every mode, exact about wins, and easy to stop."""

from __future__ import annotations

import asyncio
import gc
import inspect
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sumito import BLACK, BLUE, RED, WHITE, Board, Mode, Rules
from sumito.engine import Analysis, BaseEngine, Engine, Level, Limit, Score, TimeLeft, Variation
from sumito.errors import ArgumentTypeError, EngineBusyError, EngineClosedError, EngineError
from support.optional_parts import REASONS
from support.scenes import place


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(hash_mb=8) as engine:
        yield engine


def threads(expected: int = 0) -> int:
    """How many threads this process has, those of the kernel included.

    A thread is gone a moment after it has ended: with a number to expect, it is waited for.
    """
    for _ in range(6000):
        found = len(list(Path("/proc/self/task").iterdir()))
        if not expected or found == expected:
            break
        time.sleep(0.01)
    return found


def free_ejection(mode: Mode) -> Board:
    """Black can eject the white marble on e9 and lose nothing by it."""
    others = {"black": "e7 e8 d5", "white": "e9 a1 a2"}
    if mode is not Mode.TWO:
        others["red"] = "i5 i6"
    if mode in (Mode.TEAMS, Mode.TEAMS_DOUBLE):
        others["blue"] = "a4 a5"
    return place(mode=mode, **others)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_takes_a_free_ejection(engine: Engine, mode: Mode, depth: int) -> None:
    assert str(engine.play(free_ejection(mode), Limit(depth=depth)).move) == "e7e8"


@pytest.mark.parametrize("mode", Mode)
def test_never_walks_a_marble_to_where_it_is_ejected_for_nothing(
    engine: Engine, mode: Mode
) -> None:
    # White on a1 may step to a2 or b2, in front of two black marbles that would push it off, or b1.
    marbles = {"white": "a1 i5 i6 h5", "black": "a3 a4 b3 b4 c3 d4"}
    if mode is not Mode.TWO:
        marbles["red"] = "i9 h9"
    if mode in (Mode.TEAMS, Mode.TEAMS_DOUBLE):
        marbles["blue"] = "e9 f9"
    board = place(mode=mode, turn="w", **marbles)
    board.push(engine.play(board, Limit(depth=4)).move)
    while board.mode.side(board.turn) is not BLACK:
        board.push(engine.play(board, Limit(depth=4)).move)
    assert not any(board.effect(move).ejected is WHITE for move in board.legal_moves)


def test_a_win_is_exact(engine: Engine) -> None:
    board = place(black="e7 e8 d5", white="e9 a1 a2", captured=(5, 0))
    assert engine.play(board, Limit(depth=6)).score == Score.win(1)


def test_a_loss_is_exact(engine: Engine) -> None:
    # Both white marbles stand before a sumito, and white can move only one of them away.
    board = place(black="e7 e8 b2 c3", white="e9 a1", captured=(5, 0), turn="w")
    assert engine.play(board, Limit(depth=6)).score == Score.loss(2)


def test_the_win_at_option_is_respected(engine: Engine) -> None:
    board = place(black="e7 e8 d5", white="e9 a1 a2", rules=Rules(win_at=1))
    assert engine.play(board, Limit(depth=4)).score == Score.win(1)


def test_the_same_nodes_give_the_same_answer() -> None:
    board = Board("belgian-daisy")

    def once() -> Variation:
        with Engine(hash_mb=8) as fresh:
            return fresh.play(board, Limit(nodes=30_000))

    one, other = once(), once()
    assert (one.move, one.score, one.pv, one.nodes) == (
        other.move,
        other.score,
        other.pv,
        other.nodes,
    )


def test_a_level_errs_the_same_way_with_the_same_seed(engine: Engine) -> None:
    board = Board("belgian-daisy")
    moves = set()
    for seed in range(12):
        engine.clear()
        first = engine.play(board, level=Level.GENTLE, seed=seed).move
        engine.clear()
        assert engine.play(board, level=Level.GENTLE, seed=seed).move is first
        moves.add(first)
    assert len(moves) > 1


def test_the_line_is_legal_play(engine: Engine) -> None:
    for mode in Mode:
        board = Board(mode=mode)
        line = engine.play(board, Limit(depth=5))
        assert line.pv[0] is line.move
        for move in line.pv:
            board.push(move)


def test_analysis_deepens_and_ranks_its_lines(engine: Engine) -> None:
    depths = []
    for lines in engine.analysis(Board("belgian-daisy"), Limit(depth=5), variations=3):
        assert len({line.move for line in lines}) == 3
        assert list(lines) == sorted(lines, key=lambda line: line.score, reverse=True)
        depths.append(lines[0].depth)
    assert depths[-1] == 5
    assert depths == sorted(depths)


def test_more_lines_than_moves_gives_them_all(engine: Engine) -> None:
    board = place(black="a1", white="i9")
    lines = engine.analyse(board, Limit(depth=2), variations=50)
    assert {line.move for line in lines} == set(board.legal_moves)


def ended_early(analysis: Analysis) -> bool:
    """Did a search of a hundred plies end before it was through?"""
    return analysis.wait()[0].depth < 100


def test_leaving_a_loop_stops_the_search_and_the_engine_is_free_at_once(engine: Engine) -> None:
    for lines in engine.analysis(Board(), Limit()):
        if lines[0].depth >= 3:
            break
    assert engine.play(Board(), Limit(depth=2)).depth == 2


def test_stop_ends_an_endless_search_with_a_move(engine: Engine) -> None:
    analysis = engine.analysis(Board(), Limit(depth=100))
    next(analysis)
    assert not analysis.is_done
    analysis.stop()
    assert analysis.wait()[0].move in Board().legal_moves
    assert ended_early(analysis)


def test_a_stop_that_comes_before_the_search_has_begun_is_heard(engine: Engine) -> None:
    for _ in range(50):
        with engine.analysis(Board(), Limit(depth=100)) as analysis:
            engine.stop()
            assert ended_early(analysis)


def test_an_engine_searches_one_position_at_a_time(engine: Engine) -> None:
    with engine.analysis(Board(), Limit()) as analysis:
        next(analysis)
        for ask in (engine.play, engine.analyse, engine.analysis):
            with pytest.raises(EngineBusyError):
                ask(Board(), Limit(depth=1))
        with pytest.raises(EngineBusyError):
            engine.clear()
    engine.clear()


def test_a_handle_waits_for_the_end_and_gives_the_same_as_the_verb_that_returns(
    engine: Engine,
) -> None:
    board, limit = Board("belgian-daisy"), Limit(depth=4)
    waited = engine.analysis(board, limit, variations=2).wait()
    engine.clear()
    returned = engine.analyse(board, limit, variations=2)
    assert [(line.pv, line.score) for line in waited] == [
        (line.pv, line.score) for line in returned
    ]


def test_engines_do_not_disturb_each_other() -> None:
    board, limit = Board("german-daisy"), Limit(nodes=40_000)
    with Engine(hash_mb=8) as alone:
        expected = alone.play(board, limit)
    found: list[Variation] = []

    def work() -> None:
        with Engine(hash_mb=8) as one:
            found.append(one.play(board, limit))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [(line.move, line.score, line.pv) for line in found] == [
        (expected.move, expected.score, expected.pv)
    ] * 4


@pytest.mark.skipif(sys.platform != "linux", reason=REASONS["linux"])
def test_no_thread_is_left_behind() -> None:
    gc.collect()
    before = threads()
    with Engine(threads=2, hash_mb=8) as engine:
        engine.play(Board(), Limit(depth=6))
    assert threads(expected=before) == before
    dropped = Engine(threads=2, hash_mb=8)
    dropped.play(Board(), Limit(depth=6))
    analysis = dropped.analysis(Board(), Limit())
    next(analysis)
    del analysis, dropped
    gc.collect()
    assert threads(expected=before) == before


def test_several_threads_play_legal_moves_in_every_mode() -> None:
    with Engine(threads=2, hash_mb=8) as engine:
        for mode in Mode:
            board = Board(mode=mode)
            assert engine.play(board, Limit(nodes=20_000)).move in board.legal_moves


def test_an_event_loop_runs_on_while_the_engine_thinks(engine: Engine) -> None:
    async def both() -> Variation:
        thinking = asyncio.ensure_future(engine.play_async(Board(), Limit(depth=100)))
        for _ in range(100):
            await asyncio.sleep(0)
        assert engine._search is not None
        assert not thinking.done()
        engine.stop()
        return await thinking

    assert asyncio.run(both()).move in Board().legal_moves


@pytest.mark.parametrize("verb", ["play_async", "analyse_async"])
async def test_a_cancelled_task_stops_its_search(engine: Engine, verb: str) -> None:
    thinking = asyncio.ensure_future(getattr(engine, verb)(Board(), Limit(depth=100)))
    while engine._search is None:
        await asyncio.sleep(0)
    search = engine._search
    thinking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thinking
    assert search.is_stopped
    assert (await engine.play_async(Board(), Limit(depth=2))).depth == 2
    assert search.result()[0].depth < 100


async def test_a_timeout_ends_an_analysis_and_the_engine_is_free_at_once(engine: Engine) -> None:
    depths = []

    async def follow() -> None:
        async with asyncio.timeout(None) as timeout:
            async for lines in engine.analysis(Board(), Limit()):
                depths.append(lines[0].depth)
                timeout.reschedule(asyncio.get_running_loop().time())

    with pytest.raises(TimeoutError):
        await follow()
    assert depths
    assert (await engine.play_async(Board(), Limit(depth=2))).depth == 2


async def test_leaving_an_async_loop_stops_the_search(engine: Engine) -> None:
    async for lines in engine.analysis(Board(), Limit()):
        if lines[0].depth >= 2:
            break
    assert (await engine.play_async(Board(), Limit(depth=2))).depth == 2


async def test_an_analysis_can_be_followed_from_an_event_loop(engine: Engine) -> None:
    async with engine.analysis(Board(), Limit(depth=4)) as analysis:
        depths = [lines[0].depth async for lines in analysis]
        assert (await analysis.wait_async())[0].depth == 4
    assert depths == [1, 2, 3, 4]


async def test_every_verb_has_an_async_twin_with_the_same_arguments(engine: Engine) -> None:
    for verb in ("play", "analyse"):
        alone, twin = (
            inspect.signature(getattr(BaseEngine, name)) for name in (verb, f"{verb}_async")
        )
        assert alone.parameters == twin.parameters
    moves = list(Board().legal_moves)[:2]
    line = await engine.play_async(Board(), level=Level.GENTLE, seed=7, root_moves=moves)
    assert line.move in moves


def test_ctrl_c_is_heard_while_the_engine_thinks() -> None:
    program = """
import signal, sys, threading, time
from sumito import Board, Engine, Limit
engine = Engine(hash_mb=4)
def calls():
    frame = sys._current_frames()[threading.main_thread().ident]
    while frame is not None:
        yield frame.f_code.co_name
        frame = frame.f_back
def interrupt():
    while not {"play", "result", "wait"} <= set(calls()):
        time.sleep(0.001)
    signal.raise_signal(signal.SIGINT)
try:
    threading.Thread(target=interrupt).start()
    engine.play(Board("belgian-daisy"), Limit(depth=100))
except KeyboardInterrupt:
    print("heard", engine.play(Board(), Limit(depth=2)).depth)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.stdout, done.stderr) == ("heard 2\n", "")


def test_a_program_may_end_while_its_engine_thinks() -> None:
    program = """
from sumito import Board, Engine, Limit
engine = Engine(hash_mb=4)
analysis = engine.analysis(Board(), Limit())
print(next(analysis)[0].depth)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_the_board_may_change_while_the_engine_thinks(engine: Engine) -> None:
    board = Board()
    analysis = engine.analysis(board, Limit(depth=6))
    next(analysis)
    board.push(board.parse_move("a1b2"))
    depths = []
    for lines in analysis:
        assert lines[0].move in Board().legal_moves
        depths.append(lines[0].depth)
    assert depths[-1] == 6


def test_no_level_lets_people_wait_a_second() -> None:
    times = [level.seconds() for level in Level]
    assert times == sorted(times)
    assert times[-1] < 1
    assert Level.CHAMPION.seconds(left=3) == pytest.approx(0.1)


def test_refusals_say_why(engine: Engine) -> None:
    with pytest.raises(EngineError, match="the game is over"):
        engine.play(place(black="e5", white="a1", captured=(6, 0)), Limit(depth=1))
    with pytest.raises(EngineError, match="no limit"):
        engine.play(Board())
    with pytest.raises(EngineError, match="no bound of its own"):
        engine.play(Board(), level=Level.CHAMPION)
    for count in (0, -1, 10**30):
        with pytest.raises(EngineError, match="variations must be"):
            engine.analyse(Board(), Limit(depth=1), variations=count)
    with pytest.raises(EngineError, match="remaining"):
        TimeLeft(-1)
    with pytest.raises(EngineError, match="not a level"):
        Level.parse("godlike")
    engine.close()
    engine.close()
    with pytest.raises(EngineClosedError):
        engine.play(Board(), Limit(depth=1))


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        (name, bad)
        for name, values in {
            "time": (-1, float("nan"), float("inf"), 1e30, "1"),
            "nodes": (0, -1, 10**30, 1.5, "1"),
            "depth": (0, -1, 10**30, 2.5),
        }.items()
        for bad in values
    ],
)
def test_limits_that_are_none_are_refused(name: str, bad: float) -> None:
    with pytest.raises(EngineError, match=f"{name} must be"):
        Limit(**{name: bad})  # type: ignore[arg-type]


def test_a_number_too_long_to_be_written_is_refused_all_the_same() -> None:
    with pytest.raises(EngineError, match=r"nodes must be a whole number from .*, not '0x"):
        Limit(nodes=10**6000)


@pytest.mark.parametrize(
    ("size", "name"),
    [
        ({"threads": 0}, "threads"),
        ({"threads": -1}, "threads"),
        ({"threads": 5000}, "threads"),
        ({"hash_mb": 0}, "hash_mb"),
        ({"hash_mb": 99_999_999}, "hash_mb"),
        ({"hash_mb": 10**40}, "hash_mb"),
    ],
)
def test_an_engine_that_no_machine_can_hold_is_refused(size: dict[str, int], name: str) -> None:
    with pytest.raises(EngineError, match=f"{name} must be"):
        Engine(**size)


@pytest.mark.parametrize("seed", [-1, 0, 10**40])
def test_any_whole_number_is_a_seed(engine: Engine, seed: int) -> None:
    assert engine.play(Board(), level=Level.GENTLE, seed=seed).move in Board().legal_moves


def test_a_level_may_be_named(engine: Engine) -> None:
    board = Board()
    named = engine.play(board, level="friendly", seed=5)
    engine.clear()
    assert named.move == engine.play(board, level=Level.FRIENDLY, seed=5).move
    with pytest.raises(EngineError, match="'chummy' is not a level"):
        engine.play(board, level="chummy")
    for level in (3, 3.0, b"friendly", []):
        with pytest.raises(ArgumentTypeError):
            engine.play(board, level=level)  # type: ignore[arg-type]


@pytest.mark.parametrize("lines", [1, 2, 5, 64])
@pytest.mark.parametrize("nodes", [44, 100, 500, 2_000])
def test_many_lines_keep_within_few_nodes(lines: int, nodes: int) -> None:
    with Engine(hash_mb=1) as engine:
        found = engine.analyse(Board(), Limit(nodes=nodes), lines)
    assert 1 <= len(found) <= lines
    assert max(line.nodes for line in found) <= nodes + 50  # it looks at whole rows of moves


def test_a_clock_is_a_limit(engine: Engine) -> None:
    # Without the clock this search would not come to an end.
    line = engine.play(Board(), Limit(clock=TimeLeft(0.0, 0.0)))
    assert line.move in Board().legal_moves
    engine.clear()
    # With an hour left it is looked farther than with nothing.
    with engine.analysis(Board(), Limit(clock=TimeLeft(3600, 0.0))) as analysis:
        assert any(lines[0].depth > line.depth for lines in analysis)


def stand_before_a_repetition(captured: tuple[int, int]) -> Board:
    """White to move; `f5g5` would make a position stand for the third time."""
    board = Board("belgian-daisy", rules=Rules(repetition=3), captured=captured)
    dance = ["a1b2", "i5h5", "d4c3", "f5g5"]
    for name in (*dance, *dance[:-1]):
        board.push(board.parse_move(name))
    return board


def test_a_draw_by_repetition_is_taken_when_behind(engine: Engine) -> None:
    board = stand_before_a_repetition(captured=(5, 0))
    assert str(engine.play(board, Limit(depth=4)).move) == "f5g5"


def test_a_draw_by_repetition_is_avoided_when_ahead(engine: Engine) -> None:
    board = stand_before_a_repetition(captured=(0, 5))
    assert str(engine.play(board, Limit(depth=4)).move) != "f5g5"


def test_without_the_rule_a_repetition_means_nothing(engine: Engine) -> None:
    behind = stand_before_a_repetition(captured=(5, 0))
    free = Board.at(behind.position)
    assert engine.play(free, Limit(depth=4)).score < Score(-300)


def test_an_analysis_calls_a_draw_even(engine: Engine) -> None:
    board = stand_before_a_repetition(captured=(5, 0))
    lines = engine.analyse(board, Limit(depth=4))
    assert (str(lines[0].move), lines[0].score) == ("f5g5", Score(0))


def test_a_score_says_whose_it_is_and_is_the_other_sides_turned_round(engine: Engine) -> None:
    black_ahead = Board("belgian-daisy", captured=(3, 0))
    score = engine.play(black_ahead, Limit(depth=4)).score
    assert score.side is BLACK
    assert score.pov(WHITE).value == -score.value
    assert score.pov(WHITE).side is WHITE
    assert score.pov(BLACK) is score
    assert score.chance > 0.9
    assert score.chance + score.pov(WHITE).chance == pytest.approx(1)
    team = engine.play(Board(mode="teams"), Limit(depth=3)).score
    assert team.pov(RED) is team
    assert team.pov(BLUE) == -team
    alone = engine.play(Board(mode="three"), Limit(depth=3)).score
    assert alone.side is BLACK
    with pytest.raises(EngineError, match="among three"):
        alone.pov(WHITE)
    with pytest.raises(EngineError, match="has no side"):
        Score(5).pov(BLACK)


def test_the_chance_of_winning_goes_from_none_to_certain() -> None:
    scores = [Score.loss(2), Score(-300), Score(0), Score(10), Score(300), Score.win(1)]
    chances = [score.chance for score in scores]
    assert chances == sorted(set(chances))
    assert (chances[0], chances[2], chances[-1]) == (0, 0.5, 1)
    assert Score(0, mode=Mode.THREE).chance == pytest.approx(1 / 3)


def test_a_lead_counts_more_the_nearer_the_ply_limit_is() -> None:
    text = "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb2w {} 0 300"
    scores = {}
    with Engine(threads=1, hash_mb=16) as engine:
        for state in ("b 1,0", "w 0,1", "b 0,0"):
            for limit in (320, 340, 700):
                board = Board.parse(text.format(state), rules=Rules(ply_limit=limit))
                score = engine.play(board, Limit(depth=3)).score
                scores[state, limit] = score.pov(BLACK).chance
    assert scores["b 1,0", 320] > scores["b 1,0", 340] > scores["b 1,0", 700]
    assert scores["w 0,1", 320] < scores["w 0,1", 700]
    assert abs(scores["b 0,0", 320] - 0.5) < abs(scores["b 0,0", 700] - 0.5)  # nobody leads
