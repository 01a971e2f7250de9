"""Run pytest on another build of the kernel: python scripts/test_debug.py FOLDER ARGUMENT…

FOLDER has the module `_core` that CMake built, say with CMAKE_BUILD_TYPE=Debug. Without inlining,
two definitions of one name that clash show, which an optimised build hides.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

NAME = "sumito._core"


def load(folder: Path) -> None:
    """Put the module of a folder in the place of the installed one."""
    (file,) = folder.glob("_core*.so")
    spec = importlib.util.spec_from_file_location(NAME, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    spec.loader.exec_module(module)
    print(f"kernel: {file}")


if __name__ == "__main__":
    load(Path(sys.argv[1]))
    sys.exit(pytest.main(sys.argv[2:]))
