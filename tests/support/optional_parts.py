"""Optional parts that a test may need, and the pytest hooks that make a missing one visible.

The reasons listed here are the only ones for which a test may skip: any other skip is reported as a
failure. The environment variable `SUMITO_REQUIRE` names parts, separated by commas, that must be
there: a test that skips because one of them is missing fails. The names of the parts that nothing
tested are printed at the end of a run.
"""

import os
import re
from collections import Counter

import pytest

PROVIDED_BY = {
    "posix": "a Unix system",
    "linux": "a Linux system",
    "root": "the rights of root, as in a container",
    "play": "the extra [play], installed by make setup",
    "tui": "the extra [tui], installed by make setup",
    "env": "the extra [env], installed by make setup",
    "lab": "the extra [lab], installed by make setup",
    "notebook": "the extra [notebook] and the board that make web builds",
    "build": "nanobind, installed by make setup",
    "types": "mypy and pyright, installed by make setup",
    "wasm": "the compiler for WebAssembly, installed by make setup",
    "node": "Node.js, npm and the page's tools, installed by make web",
    "browser": "Chromium, installed by scripts/browser",
    "cluster": "PostgreSQL and Redis, started by make test-cluster",
    "docs": "the extra [docs], installed by make test-extras",
    "torch": "PyTorch, installed by make test-extras",
    "openspiel": "OpenSpiel, installed by make test-extras",
}
"""What has or installs each part."""

REASONS = {part: f"needs {part}: {provider}" for part, provider in PROVIDED_BY.items()}
"""The reason to give to `pytest.skip`, `pytest.mark.skipif` or `pytest.importorskip`."""


def required_parts():
    """Return the parts that must not be missing; raise `pytest.UsageError` for unknown ones."""
    parts = {part.strip() for part in os.environ.get("SUMITO_REQUIRE", "").split(",")} - {""}
    if unknown := sorted(parts - set(PROVIDED_BY)):
        raise pytest.UsageError(
            f"SUMITO_REQUIRE names {', '.join(unknown)}; known are {', '.join(PROVIDED_BY)}"
        )
    return parts


def missing_part(report):
    """Return the part for which a report says that a test skipped, or None."""
    match = re.fullmatch(r"needs ([\w-]+): .*", skip_reason(report))
    return match[1] if match and REASONS.get(match[1]) == match[0] else None


def skip_reason(report):
    """Return why a test skipped."""
    return str(report.longrepr[2]).removeprefix("Skipped: ")


def refuse_skip(report):
    """Turn the report of a skip into a failure if the skip isn't allowed."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    reason, part = skip_reason(report), missing_part(report)
    if part is None:
        report.outcome = "failed"
        report.longrepr = f"skipped for a reason not in tests/support/optional_parts.py: {reason}"
    elif part in required_parts():
        report.outcome = "failed"
        report.longrepr = f"SUMITO_REQUIRE names {part}, but it is missing: the test {reason}"


def pytest_configure(config):
    required_parts()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = yield
    refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(collector):
    report = yield
    refuse_skip(report)
    return report


def pytest_terminal_summary(terminalreporter):
    skipped = Counter(missing_part(report) for report in terminalreporter.stats.get("skipped", ()))
    for part, count in sorted(skipped.items()):
        terminalreporter.write_line(f"not tested, {REASONS[part]} ({count} skipped)")
