"""The engine as a caller sees it: sensible in every mode, exact about wins, and easy to stop."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenes import place
from sumito import BLACK, WHITE, Board, Mode, Rules
from sumito.engine import Engine, Level, Limit, Line, Score, TimeLeft
from sumito.errors import EngineBusyError, EngineClosedError, EngineError


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(hash_mb=8) as engine:
        yield engine


def threads() -> int:
    """How many threads this process has, those of the kernel included."""
    return len(list(Path("/proc/self/task").iterdir()))


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

    def once() -> Line:
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
    for lines in engine.analyse(Board("belgian-daisy"), Limit(depth=5), lines=3):
        assert len({line.move for line in lines}) == 3
        assert list(lines) == sorted(lines, key=lambda line: line.score, reverse=True)
        depths.append(lines[0].depth)
    assert depths[-1] == 5
    assert depths == sorted(depths)


def test_more_lines_than_moves_gives_them_all(engine: Engine) -> None:
    board = place(black="a1", white="i9")
    *_, lines = engine.analyse(board, Limit(depth=2), lines=50)
    assert {line.move for line in lines} == set(board.legal_moves)


def test_leaving_an_endless_analysis_stops_it(engine: Engine) -> None:
    for lines in engine.analyse(Board(), Limit()):
        if lines[0].depth >= 3:
            break
    engine.play(Board(), Limit(depth=2))


def test_stop_ends_an_endless_search_with_a_move(engine: Engine) -> None:
    found: list[Line] = []
    worker = threading.Thread(target=lambda: found.append(engine.play(Board(), Limit(depth=100))))
    worker.start()
    while worker.is_alive():
        engine.stop()
        worker.join(0.01)
    assert found[0].move in Board().legal_moves


def test_an_engine_searches_one_position_at_a_time(engine: Engine) -> None:
    steps = engine.analyse(Board(), Limit())
    next(steps)
    with pytest.raises(EngineBusyError):
        engine.play(Board(), Limit(depth=1))
    steps.close()


def test_engines_do_not_disturb_each_other() -> None:
    board, limit = Board("german-daisy"), Limit(nodes=40_000)
    with Engine(hash_mb=8) as alone:
        expected = alone.play(board, limit)
    found: list[Line] = []

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


def test_no_thread_is_left_behind() -> None:
    gc.collect()
    before = threads()
    with Engine(threads=2, hash_mb=8) as engine:
        engine.play(Board(), Limit(depth=6))
    assert threads() == before
    dropped = Engine(threads=2, hash_mb=8)
    dropped.play(Board(), Limit(depth=6))
    steps = dropped.analyse(Board(), Limit())
    next(steps)
    del steps, dropped
    gc.collect()
    assert threads() == before


def test_several_threads_play_legal_moves_in_every_mode() -> None:
    with Engine(threads=2, hash_mb=8) as engine:
        for mode in Mode:
            board = Board(mode=mode)
            assert engine.play(board, Limit(nodes=20_000)).move in board.legal_moves


def test_an_event_loop_runs_on_while_the_engine_thinks(engine: Engine) -> None:
    async def both() -> tuple[Line, int]:
        thinking = asyncio.ensure_future(engine.play_async(Board(), Limit(nodes=300_000)))
        turns = 0
        while not thinking.done():
            turns += 1
            await asyncio.sleep(0)
        return thinking.result(), turns

    line, turns = asyncio.run(both())
    assert line.move in Board().legal_moves
    assert turns > 2


def test_a_cancelled_task_stops_its_search(engine: Engine) -> None:
    async def give_up() -> None:
        thinking = asyncio.ensure_future(engine.play_async(Board(), Limit(depth=100)))
        await asyncio.sleep(0.01)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking

    asyncio.run(give_up())
    engine.play(Board(), Limit(depth=2))


def test_analysis_has_an_async_twin(engine: Engine) -> None:
    async def depths() -> list[int]:
        steps = engine.analyse_async(Board(), Limit(depth=4))
        return [lines[0].depth async for lines in steps]

    assert asyncio.run(depths())[-1] == 4


def test_the_board_may_change_while_the_engine_thinks(engine: Engine) -> None:
    board = Board()
    steps = engine.analyse(board, Limit(depth=6))
    next(steps)
    board.push(board.parse_move("a1b2"))
    for lines in steps:
        assert lines[0].move in Board().legal_moves


def test_refusals_say_why(engine: Engine) -> None:
    with pytest.raises(EngineError, match="the game is over"):
        engine.play(place(black="e5", white="a1", captured=(6, 0)), Limit(depth=1))
    with pytest.raises(EngineError, match="how long"):
        engine.play(Board())
    with pytest.raises(EngineError, match="no bound of its own"):
        engine.play(Board(), level=Level.CHAMPION)
    with pytest.raises(EngineError, match="at least one line"):
        next(engine.analyse(Board(), Limit(depth=1), lines=0))
    for bad in (-1, float("nan")):
        with pytest.raises(EngineError, match="time"):
            Limit(time=bad)
    with pytest.raises(EngineError, match="remaining"):
        TimeLeft(-1)
    with pytest.raises(EngineError, match="not a level"):
        Level.parse("godlike")
    engine.close()
    engine.close()
    with pytest.raises(EngineClosedError):
        engine.play(Board(), Limit(depth=1))


@pytest.mark.parametrize("left", [0.0, 0.02, 1.0, 600.0])
def test_a_clock_is_a_limit(engine: Engine, left: float) -> None:
    # A long clock would make a long test: depth ends it, the clock's arithmetic runs all the same.
    line = engine.play(Board(), Limit(clock=TimeLeft(left, 0.0), depth=6))
    assert line.move in Board().legal_moves


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
    *_, lines = engine.analyse(board, Limit(depth=4))
    assert (str(lines[0].move), lines[0].score) == ("f5g5", Score(0))
