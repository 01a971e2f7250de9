"""A missing part of the test environment is never passed over in silence."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.optional_parts import REASONS

ALLOWED = """
import pytest
from support.optional_parts import REASONS

@pytest.mark.skipif(True, reason=REASONS["browser"])
def test_of_a_browser():
    pass

def test_that_passes():
    pass

@pytest.mark.xfail
def test_of_a_known_fault():
    assert False
"""

REFUSED = """
import pytest
from support.optional_parts import REASONS

def test_by_whim():
    pytest.skip("not today")

def test_by_import():
    pytest.importorskip("no_such_module")

def test_by_a_reason_that_is_only_similar():
    pytest.skip(REASONS["posix"] + "?")

@pytest.mark.skip(reason="needs telescope: a hill")
def test_by_mark():
    pass
"""

REFUSED_MODULE = "import pytest; pytest.importorskip('no_such_module')"


def run(folder, *suites, required=""):
    for number, suite in enumerate(suites):
        (folder / f"test_suite_{number}.py").write_text(suite, "utf-8")
    variables = {
        "PYTHONPATH": str(Path(__file__).parent),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "SUMITO_REQUIRE": required,
    }
    options = [
        "-q",
        "--continue-on-collection-errors",
        "-c",
        os.devnull,
        "-p",
        "support.optional_parts",
    ]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, folder],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_a_missing_part_is_named_at_the_end(tmp_path):
    done = run(tmp_path, ALLOWED)
    assert done.returncode == 0, done.stdout
    assert f"not tested, {REASONS['browser']} (1 skipped)" in done.stdout


def test_a_required_part_must_not_be_missing(tmp_path):
    done = run(tmp_path, ALLOWED, required="node, browser")
    assert done.returncode == 1, done.stdout
    assert "SUMITO_REQUIRE names browser, but it is missing" in done.stdout
    assert "1 passed, 1 xfailed, 1 error" in done.stdout


def test_only_parts_that_exist_can_be_required(tmp_path):
    done = run(tmp_path, ALLOWED, required="telescope")
    assert done.returncode == 4
    assert "SUMITO_REQUIRE names telescope; known are " in done.stderr


def test_a_skip_for_any_other_reason_fails(tmp_path):
    done = run(tmp_path, REFUSED, REFUSED_MODULE)
    assert done.returncode == 1, done.stdout
    assert " skipped" not in done.stdout.splitlines()[-1]
    assert "5 failed" in done.stdout or "3 failed, 2 errors" in done.stdout
    assert "not in tests/support/optional_parts.py: not today" in done.stdout


TESTS = Path(__file__).parent
FILES = sorted(file.relative_to(TESTS).as_posix() for file in TESTS.rglob("*.py"))


@pytest.mark.parametrize("file", FILES)
def test_every_skip_gives_a_listed_reason(file):
    """What skips only on another system or with fewer packages isn't seen to fail here."""
    for call in ast.walk(ast.parse((TESTS / file).read_text("utf-8"))):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        name = ast.unparse(call.func)
        if name not in ("pytest.skip", "pytest.importorskip", "pytest.mark.skipif"):
            assert name != "pytest.mark.skip", f"{file}:{call.lineno}"
            continue
        given = [one.value for one in call.keywords if one.arg == "reason"]
        reasons = given or (call.args if name == "pytest.skip" else [])
        assert [ast.unparse(one).partition("[")[0] for one in reasons] == ["REASONS"], (
            f"{file}:{call.lineno}"
        )
