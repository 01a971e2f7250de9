"""The golden files are what Python writes today: nobody edits them or forgets to write them."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.optional_parts import REASONS

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests/data/golden"
SCRIPT = ROOT / "scripts/golden.py"


@pytest.mark.parametrize("name", sorted(file.stem for file in GOLDEN.glob("*.json")))
def test_a_golden_file_is_what_python_writes(name):
    pytest.importorskip("structlog", reason=REASONS["play"])
    done = subprocess.run(
        [sys.executable, SCRIPT, "--check", name], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_golden_files_are_small():
    assert sum(file.stat().st_size for file in GOLDEN.glob("*.json")) < 400_000
