"""Run all tests that a change must pass: python scripts/run_tests.py VENV

What fails quickly and what mostly waits runs beside pytest: style and types, the units of the page,
and the server's tests that stop and start PostgreSQL. Their output is shown when they fail. The
tests marked `alone` run last, one at a time. The last lines say what passed, what failed, and what
this machine lacks. A part that `SUMITO_REQUIRE` names must not be missing: see
tests/support/optional_parts.py.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

NOTHING_COLLECTED = 5
"""Pytest's exit code where no test is selected."""
GATE = "not slow and not network_bound"


@dataclass
class Step:
    """Commands to run one after the other until one fails, and what came of it."""

    name: str
    commands: list[list[str]]
    failed: bool = False
    seconds: float = 0.0
    lines: list[str] = field(default_factory=list)

    def run(self, *, quiet: bool) -> None:
        """Run the commands; show what they print, or keep it for later if `quiet`."""
        start = time.monotonic()
        for command in self.commands:
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
            ) as process:
                assert process.stdout is not None
                self._read(process.stdout, quiet=quiet)
            self.failed = process.returncode not in (0, NOTHING_COLLECTED)
            if self.failed:
                break
        self.seconds = time.monotonic() - start

    def _read(self, stream: IO[str], *, quiet: bool) -> None:
        # By the character: the dots of pytest are progress, not lines.
        line = ""
        while character := stream.read(1):
            if not quiet:
                print(character, end="", flush=True)
            line += character
            if character == "\n":
                self.lines.append(line)
                line = ""
        if line:
            self.lines.append(line)

    @property
    def result(self) -> str:
        """The counts of pytest, or that it passed or failed."""
        for line in reversed(self.lines):
            if counts := re.match(r"(=+ )?(\d+ (?:passed|failed|error).*?) in \d", line):
                return counts[2]
        return "failed" if self.failed else "passed"

    @property
    def missing(self) -> list[str]:
        return [line.strip() for line in self.lines if line.startswith("not tested, ")]


def install(*command: str) -> bool:
    """Have something installed where that is allowed; say so where it isn't."""
    return subprocess.run(command, check=False).returncode == 0


def main(venv: str) -> int:
    bin = Path(venv) / "bin"
    pytest = [str(bin / "pytest"), "-q"]
    has_cluster = install("scripts/test-cluster", "--install")
    install("scripts/browser")
    style = Step(
        "style and types",
        [
            [str(bin / "ruff"), "check", "-q", "."],
            [str(bin / "ruff"), "format", "-q", "--check", "."],
            [str(bin / "mypy")],
            [str(bin / "lint-imports"), "--no-logo"],
        ],
    )
    page = Step("units of the page", [["scripts/web", "test", venv]])
    database = Step(
        "PostgreSQL and Redis",
        [["scripts/test-cluster", venv, "-n0", "-m", f"cluster and {GATE}", "tests/server"]],
    )
    others = f"{GATE} and not alone" + (" and not cluster" if has_cluster else "")
    # Each process takes tests that follow each other: what a file shares is mostly made once.
    tests = Step("tests", [[*pytest, "-n", "auto", "--dist", "worksteal", "-m", others]])
    alone = Step("tests alone", [[*pytest, "-n", "0", "-m", f"{GATE} and alone"]])

    beside = [[style, page], [database] if has_cluster else []]
    steps = [style, page, *beside[1], tests, alone]
    start = time.monotonic()

    def run_quietly(queue: list[Step]) -> None:
        for step in queue:
            step.run(quiet=True)
            if step.failed:
                print(f"\n== {step.name}: failed", *step.lines, sep="\n", flush=True)

    threads = [threading.Thread(target=run_quietly, args=(queue,)) for queue in beside]
    for thread in threads:
        thread.start()
    print(f"== tests (beside them: {', '.join(s.name for q in beside for s in q)})", flush=True)
    tests.run(quiet=False)
    for thread in threads:
        thread.join()
    print("== tests that need the machine for themselves", flush=True)
    alone.run(quiet=False)

    print("== summary")
    for step in steps:
        print(f"{step.name:22} {step.seconds:5.0f} s  {step.result}")
    for line in dict.fromkeys(line for step in steps for line in step.missing):
        print(line)
    failed = [step.name for step in steps if step.failed]
    verdict = f"FAILED: {', '.join(failed)}" if failed else "passed"
    print(f"make test: {verdict}, in {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    os.chdir(Path(__file__).parent.parent)
    sys.exit(main(sys.argv[1]))
