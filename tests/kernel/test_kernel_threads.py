"""What the kernel's threads may not do: end the program, hang it, or keep Python waiting."""

from __future__ import annotations

import _thread
import gc
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from sumito import Board, kernel
from sumito.kernel.positions import to_kernel

START = str(Board("belgian-daisy").position)
ENDLESS = 3_600_000
"""Milliseconds a move: only a stop ends it within a test's patience."""


def endless_match() -> kernel.Match:
    slow = kernel.Player("engine", movetime_ms=ENDLESS, hash_mb=1)
    return kernel.Match(slow, slow, [START], games=4, concurrency=2)


@pytest.mark.parametrize("options", [{"threads": 0}, {"hash_mb": 0}, {"threads": -3}])
def test_a_player_that_can_not_be_is_refused(options: dict[str, int]) -> None:
    with pytest.raises((ValueError, TypeError)):
        kernel.Player("engine", nodes=100, **options)


def test_a_match_that_can_not_be_is_refused() -> None:
    player = kernel.Player("engine", nodes=100)
    huge = kernel.Player("engine", nodes=100, hash_mb=1 << 20)
    with pytest.raises(ValueError, match="games at a time"):
        kernel.Match(player, player, [START], concurrency=100_000)
    with pytest.raises(ValueError, match="MB"):
        kernel.Match(huge, player, [START])


def test_a_table_larger_than_the_machine_is_refused() -> None:
    with pytest.raises((ValueError, MemoryError)):
        kernel.Searcher(hash_mb=1 << 20)


def test_a_command_with_nonsense_for_a_player_is_an_error_and_no_crash() -> None:
    for option in ("threads", "hash"):
        player = f"engine,{option}=0,nodes=100"
        done = subprocess.run(
            [sys.executable, "-m", "sumito", "match", player, "random", "--rounds", "1"],
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 2
        assert done.stderr.startswith(f"sumito: {option}")
        assert "must be a whole number from 1" in done.stderr
        assert done.stderr.count("\n") == 1


def test_cancelling_ends_the_searches_of_a_match() -> None:
    match = endless_match()
    assert not match.wait(timeout=0.05)
    match.cancel()
    assert match.wait()
    assert match.games() == []


def test_a_match_given_up_ends_without_holding_up_python() -> None:
    match = endless_match()
    assert not match.done
    del match
    gc.collect()


def test_several_threads_may_wait_for_a_match() -> None:
    match = endless_match()
    waiting = [threading.Thread(target=match.wait) for _ in range(3)]
    for thread in waiting:
        thread.start()
    match.cancel()
    for thread in waiting:
        thread.join(300)
        assert not thread.is_alive()


def test_a_stop_before_the_search_is_not_lost() -> None:
    stop = kernel.Stop()
    stop.set()
    assert stop.is_set
    result = kernel.Searcher(hash_mb=1).search(to_kernel(Board()), stop=stop)
    assert result.best is not None
    assert result.depth == 1


def test_a_stop_ends_the_search_it_was_given_to() -> None:
    stop = kernel.Stop()
    searching = threading.Event()
    searcher = kernel.Searcher(threads=2, hash_mb=1)
    with on_event(searching, stop.set):
        found = searcher.search(to_kernel(Board()), on_info=lambda _: searching.set(), stop=stop)
    assert found.best is not None
    assert searcher.search(to_kernel(Board()), nodes=500).depth >= 1


@contextmanager
def on_event(event: threading.Event, act: Callable[[], object]) -> Iterator[None]:
    """Do something from another thread as soon as an event has happened."""

    def wait_and_act() -> None:
        event.wait()
        act()

    waiting = threading.Thread(target=wait_and_act)
    waiting.start()
    try:
        yield
    finally:
        event.set()
        waiting.join()


def interrupt_soon() -> threading.Timer:
    """Press Ctrl-C; where it comes before the wait has begun, it is heard all the same."""
    timer = threading.Timer(0.1, _thread.interrupt_main)
    timer.start()
    return timer


def test_ctrl_c_is_heard_in_the_midst_of_a_search() -> None:
    searcher = kernel.Searcher(hash_mb=1)
    searching = threading.Event()
    with on_event(searching, _thread.interrupt_main), pytest.raises(KeyboardInterrupt):
        searcher.search(to_kernel(Board()), on_info=lambda _: searching.set())
    assert searcher.search(to_kernel(Board()), depth=2).depth == 2


def test_ctrl_c_is_heard_while_waiting_for_a_match() -> None:
    match = endless_match()
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        match.wait()
    timer.join()


def test_ctrl_c_is_heard_in_self_play() -> None:
    games = kernel.Selfplay([START], games=100_000, nodes=500)
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        games.run()
    timer.join()


def test_python_goes_on_while_a_match_is_given_up() -> None:
    ticks = 0
    ended = False

    def tick() -> None:
        nonlocal ticks
        while not ended:
            ticks += 1
            time.sleep(0)

    other = threading.Thread(target=tick)
    interval = sys.getswitchinterval()
    # From here on Python changes threads only where one lets go of the interpreter lock by itself.
    sys.setswitchinterval(1000)
    try:
        other.start()
        for _ in range(1000):
            match = endless_match()
            before = ticks
            del match
            if ticks > before:
                break
        else:
            pytest.fail("the lock was kept while the match ended")
    finally:
        ended = True
        sys.setswitchinterval(interval)
        other.join()


def test_a_trainer_says_when_it_has_not_begun() -> None:
    with pytest.raises(RuntimeError, match="begins"):
        kernel.Trainer().epoch()
    with pytest.raises(RuntimeError, match="begins"):
        kernel.Trainer().file("{}")


def test_samples_of_no_position_are_refused() -> None:
    with pytest.raises(ValueError, match="sample"):
        kernel.Trainer().add(b"\xff" * kernel.SAMPLE_BYTES)
