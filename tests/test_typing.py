"""The library's types as strict type checkers see them in a user's script."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from support.optional_parts import REASONS

SCRIPT = Path(__file__).parent / "data" / "user_script.py"
CHECKERS = {
    "mypy": ("--strict", "--no-incremental"),
    "pyright": ("--pythonpath", sys.executable),
}


def check(checker: str, script: Path) -> subprocess.CompletedProcess[str]:
    """Run a type checker on a script."""
    if importlib.util.find_spec(checker) is None:
        pytest.skip(REASONS["types"])
    return subprocess.run(
        [sys.executable, "-m", checker, *CHECKERS[checker], str(script)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_users_script_passes_strict_type_checkers(checker: str) -> None:
    done = check(checker, SCRIPT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_wrong_call_does_not_pass(checker: str, tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text(SCRIPT.read_text() + '\nwrong: int = Board().legal_moves.count("a1b2", 5)\n')
    done = check(checker, script)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "wrong.py:" in done.stdout


def test_a_users_script_runs() -> None:
    subprocess.run([sys.executable, str(SCRIPT)], check=True)
