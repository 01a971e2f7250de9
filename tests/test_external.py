"""Other programs' engines: driven, timed out, and outlived."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from sumito import Board
from sumito.engine import External, Limit, Score, TimeLeft
from sumito.engine.ugi import external as module
from sumito.errors import EngineClosedError, EngineError

SUMITO = [sys.executable, "-m", "sumito", "engine"]


def script(tmp_path: Path, body: str) -> list[str]:
    """A small engine that greets and then does as the test wants."""
    file = tmp_path / "engine.py"
    file.write_text(
        textwrap.dedent(
            """
            import sys, time
            for line in sys.stdin:
                word = line.split()[0]
                if word == "ugi":
                    print("id name Small")
                    print("ugiok", flush=True)
                elif word == "isready":
                    print("readyok", flush=True)
                elif word == "quit":
                    break
                elif word == "go":
            """
        )
        + textwrap.indent(textwrap.dedent(body), " " * 8)
    )
    return [sys.executable, str(file)]


def test_drives_an_engine_through_a_game() -> None:
    with External(SUMITO, {"Hash": 4}) as engine:
        assert engine.name.startswith("Sumito")
        engine.newgame()
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
    with External(SUMITO) as engine:
        assert engine.play(board, Limit(depth=3)).score == Score.win(1)


def test_one_line_is_split_as_a_shell_would() -> None:
    with External(f"{sys.executable} -m sumito engine") as engine:
        assert engine.play(Board(), Limit(nodes=500)).move in Board().legal_moves


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(EngineError, match="can't start 'no-such-program'"):
        External("no-such-program")
    with pytest.raises(EngineError, match="can't start"):
        External("")


def test_a_crash_is_told_with_its_last_words(tmp_path: Path) -> None:
    command = script(tmp_path, "print('out of marbles', file=sys.stderr); sys.exit(3)")
    with (
        External(command) as engine,
        pytest.raises(EngineClosedError, match=r"Small has ended \(code 3\).*out of marbles"),
    ):
        engine.play(Board(), Limit(depth=1))


def test_a_program_that_never_greets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HANDSHAKE_SECONDS", 0.2)
    with pytest.raises(EngineError, match="didn't say ugiok"):
        External([sys.executable, "-c", "import time; time.sleep(60)"])


def test_a_program_that_never_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.2)
    with (
        External(script(tmp_path, "time.sleep(60)")) as engine,
        pytest.raises(EngineError, match="didn't say bestmove"),
    ):
        engine.play(Board(), Limit(time=0.01))
    assert engine._process.poll() is not None


@pytest.mark.parametrize("move", ["i9h8", "zz", "", "none"])
def test_a_program_that_breaks_the_rules(tmp_path: Path, move: str) -> None:
    with (
        External(script(tmp_path, f"print('bestmove {move}', flush=True)")) as engine,
        pytest.raises(EngineError, match="Small played what it may not"),
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
    with External(script(tmp_path, body)) as engine:
        line = engine.play(Board(), Limit(depth=1))
    assert (line.score, line.depth, line.nodes) == (Score(25), 3, 77)


def test_closing_twice_and_after_a_kill_is_fine(tmp_path: Path) -> None:
    engine = External(script(tmp_path, "pass"))
    engine._process.kill()
    engine.close()
    engine.close()
    with pytest.raises(EngineClosedError):
        engine.play(Board(), Limit(depth=1))
