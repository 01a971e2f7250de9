"""Other programs' engines: driven, timed out, and outlived."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from sumito import BLACK, Board, Move, Rules
from sumito.engine import Level, Limit, Score, TimeLeft, UgiEngine
from sumito.engine.ugi import client as module
from sumito.errors import EngineClosedError, EngineError

SUMITO = [sys.executable, "-m", "sumito", "engine"]


def script(tmp_path: Path, body: str) -> list[str]:
    """A small engine that greets and then does as the test wants."""
    file = tmp_path / "engine.py"
    file.write_text(
        textwrap.dedent(
            """
            import sys, time
            heard = []
            for line in sys.stdin:
                word = line.split()[0]
                if word == "ugi":
                    print("id name Small")
                    print("option name PlyLimit type spin default 0 min 0 max 9999")
                    print("option name WinAt type spin default 6 min 1 max 30")
                    print("ugiok", flush=True)
                elif word == "isready":
                    print("readyok", flush=True)
                elif word == "quit":
                    break
                elif word == "setoption":
                    heard.append(line.strip())
                elif word == "go":
            """
        )
        + textwrap.indent(textwrap.dedent(body), " " * 8)
    )
    return [sys.executable, str(file)]


def test_drives_an_engine_through_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST_GRACE", 300.0)
    with UgiEngine(SUMITO, {"Hash": 4}) as engine:
        assert engine.name.startswith("Sumito")
        engine.clear()
        board = Board("belgian-daisy")
        for _ in range(4):
            line = engine.play(board, Limit(depth=4))
            assert line.depth == 4
            assert line.pv[0] is line.move
            board.push(line.move)
        clock = Limit(clock=TimeLeft(0.05, 0.0, 10))
        assert engine.play(board, clock).move in board.legal_moves


def test_a_win_is_understood() -> None:
    board = Board.parse("5/6/7/8/6bbw/8/7/6/w4 b 5,0 0 9")
    with UgiEngine(SUMITO) as engine:
        assert engine.play(board, Limit(depth=3)).score == Score.win(1)


def test_one_line_is_split_as_a_shell_would() -> None:
    with UgiEngine(f"{sys.executable} -m sumito engine") as engine:
        assert engine.play(Board(), Limit(nodes=500)).move in Board().legal_moves


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(EngineError, match="can't start 'no-such-program'"):
        UgiEngine("no-such-program")
    with pytest.raises(EngineError, match="can't start"):
        UgiEngine("")


def test_a_crash_is_told_with_its_last_words(tmp_path: Path) -> None:
    command = script(tmp_path, "print('out of marbles', file=sys.stderr); sys.exit(3)")
    with (
        UgiEngine(command) as engine,
        pytest.raises(EngineClosedError, match=r"Small has ended \(code 3\).*out of marbles"),
    ):
        engine.play(Board(), Limit(depth=1))


def test_a_program_that_never_greets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HANDSHAKE_SECONDS", 0.2)
    with pytest.raises(EngineError, match="did not send ugiok"):
        UgiEngine([sys.executable, "-c", "import time; time.sleep(60)"])


def test_a_program_that_only_echoes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HANDSHAKE_SECONDS", 0.5)
    with pytest.raises(EngineError, match=r"did not send ugiok within 0\.5 s"):
        UgiEngine([sys.executable, "-c", "import sys\nfor line in sys.stdin: print(line)"])


def test_a_search_that_a_program_refuses_is_told_with_its_reason(tmp_path: Path) -> None:
    body = """
        print("info string error: too hard for me")
        print("bestmove none", flush=True)
    """
    with (
        UgiEngine(script(tmp_path, body)) as engine,
        pytest.raises(EngineError, match="Small refused to search: too hard for me"),
    ):
        engine.play(Board(), Limit(depth=1))


def test_a_program_is_ended_where_there_are_no_process_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows."""
    monkeypatch.delattr(os, "killpg")
    monkeypatch.setattr(module, "signal", SimpleNamespace())
    engine = UgiEngine(script(tmp_path, "time.sleep(60)"))
    engine.kill()
    assert engine._process.wait(10) != 0
    engine.close()
    with UgiEngine(script(tmp_path, "print('bestmove a1b2', flush=True)")) as polite:
        assert polite.play(Board(), Limit(depth=1)).move == Move.parse("a1b2")
    assert polite._process.poll() == 0


def test_a_program_that_never_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST_GRACE", 0.2)
    with (
        UgiEngine(script(tmp_path, "time.sleep(60)")) as engine,
        pytest.raises(EngineError, match="did not send bestmove"),
    ):
        engine.play(Board(), Limit(time=0.01))
    assert engine._process.poll() is not None


@pytest.mark.parametrize("move", ["i9h8", "zz", "", "none"])
def test_a_program_that_breaks_the_rules(tmp_path: Path, move: str) -> None:
    with (
        UgiEngine(script(tmp_path, f"print('bestmove {move}', flush=True)")) as engine,
        pytest.raises(EngineError, match="Small played an illegal move"),
    ):
        engine.play(Board(), Limit(depth=1))


def test_what_cannot_be_read_on_the_way_is_passed_over(tmp_path: Path) -> None:
    body = """
    print("info depth x score pv")
    print("info depth 3 score cp 12 pv zz")
    print("info depth 3 score cp 25 nodes 77 pv a1b2")
    print("info string pv")
    print("bestmove a1b2", flush=True)
    """
    with UgiEngine(script(tmp_path, body)) as engine:
        line = engine.play(Board(), Limit(depth=1))
    assert (line.score, line.depth, line.nodes) == (Score(25), 3, 77)


def test_a_program_hears_the_rules_by_the_options_it_has(tmp_path: Path) -> None:
    body = """
    print("info string " + " / ".join(heard), file=sys.stderr, flush=True)
    print("bestmove a1b2", flush=True)
    """
    with UgiEngine(script(tmp_path, body)) as engine:
        assert engine.options == ("PlyLimit", "WinAt")
        for rules in (Rules(ply_limit=40, repetition=3), Rules(win_at=2), Rules(win_at=2)):
            engine.play(Board(rules=rules), Limit(depth=1))
    told = list(engine._last_words)
    assert told[0] == "info string setoption name PlyLimit value 40"
    assert sorted(told[1].split(" / ")[1:]) == [
        "setoption name PlyLimit value 0",
        "setoption name WinAt value 2",
    ]
    assert told[2] == told[1]  # what is known isn't told again


def test_our_own_program_plays_by_the_rules_it_is_told() -> None:
    # One ejection wins here: a program that hadn't heard it would see six away.
    board = Board.parse("5/6/7/8/6bbw/8/7/6/w4 b 0,0 0 9", rules=Rules(win_at=1))
    with UgiEngine(SUMITO) as engine:
        assert engine.play(board, Limit(depth=3)).score == Score.win(1)
        assert engine.play(Board(), Limit(depth=3)).score.plies is None
        limited = Board(captured=(1, 0), rules=Rules(ply_limit=1))
        assert engine.play(limited, Limit(depth=3)).score == Score.win(1)


def test_a_program_analyses_several_lines_and_is_stopped() -> None:
    with UgiEngine(SUMITO) as engine:
        lines = engine.analyse(Board("belgian-daisy"), Limit(depth=3), variations=3)
        assert len({line.move for line in lines}) == 3
        assert [line.depth for line in lines] == [3, 3, 3]
        for lines in engine.analysis(Board(), Limit()):
            if lines[0].depth >= 2:
                break
        moves = list(Board().legal_moves)[:2]
        assert engine.play(Board(), Limit(depth=2), root_moves=moves).move in moves
        assert engine.play(Board(), level=Level.GENTLE, seed=3).score.side is BLACK


async def test_a_program_is_driven_from_an_event_loop_and_cancelled() -> None:
    with UgiEngine(SUMITO) as engine:
        thinking = asyncio.ensure_future(engine.play_async(Board(), Limit(depth=100)))
        while engine._searching is None:
            await asyncio.sleep(0.001)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        assert (await engine.analyse_async(Board(), Limit(depth=2)))[0].depth == 2


def test_a_stop_of_the_search_before_takes_no_time_from_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEAST_GRACE", 0.0)
    body = "time.sleep(0.2); print('bestmove a1b2', flush=True)"
    with UgiEngine(script(tmp_path, body)) as engine:
        engine._answers.put(module._Signal.STOPPED)  # it came just after the answer
        assert str(engine.play(Board(), Limit(depth=1)).move) == "a1b2"


def test_what_a_program_does_not_have_is_an_error(tmp_path: Path) -> None:
    with UgiEngine(script(tmp_path, "print('bestmove a1b2', flush=True)")) as engine:
        with pytest.raises(EngineError, match="Small has no levels"):
            engine.play(Board(), level=Level.GENTLE)
        with pytest.raises(EngineError, match="Small supports only one variation"):
            engine.analyse(Board(), Limit(depth=1), variations=2)
        with pytest.raises(EngineError, match="which the search was not allowed to choose"):
            engine.play(Board(), Limit(depth=1), root_moves=[Move.parse("a2b2")])


def test_an_answer_that_comes_too_late_is_not_taken_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEAST_GRACE", 0.2)
    given_up = tmp_path / "given up"
    body = f"""
    from pathlib import Path
    late = len(heard) == 0
    heard.append("")
    while late and not Path({str(given_up)!r}).exists(): time.sleep(0.01)
    print("bestmove " + ("a1b2" if late else "a2b3"), flush=True)
    """
    with UgiEngine(script(tmp_path, body)) as engine:
        with pytest.raises(EngineError, match="did not send bestmove within"):
            engine.play(Board(), Limit(time=0.01))
        given_up.touch()
        assert str(engine.play(Board(), Limit(depth=1)).move) == "a2b3"


@pytest.mark.parametrize(
    ("limit", "patience"),
    [
        (Limit(time=0.1), 1.1),
        (Limit(time=3), 6),
        (Limit(time=60), 70),
        (Limit(clock=TimeLeft(4, 1)), 10),
        (Limit(depth=3), None),
    ],
)
def test_grace_is_in_proportion_to_the_limit(limit: Limit, patience: float | None) -> None:
    assert module._patience(limit) == (None if patience is None else pytest.approx(patience))


def test_closing_twice_and_after_a_kill_is_fine(tmp_path: Path) -> None:
    engine = UgiEngine(script(tmp_path, "pass"))
    engine._process.kill()
    engine.close()
    engine.close()
    with pytest.raises(EngineClosedError):
        engine.play(Board(), Limit(depth=1))
