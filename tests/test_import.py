"""The base package needs nothing but Python."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import sumito

# -I and -S leave out the user's paths and site-packages: only the standard library is there.
BARE = [sys.executable, "-I", "-S", "-c"]
FROM_SOURCE = f"import sys; sys.path.insert(0, {str(Path(sumito.__file__).parents[1])!r}); "


def run_bare(code: str) -> str:
    return subprocess.run(
        [*BARE, FROM_SOURCE + code], capture_output=True, text=True, check=True
    ).stdout


def test_importing_sumito_brings_in_nothing_from_outside() -> None:
    roots = run_bare(
        "import sumito; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    outside = set(roots.split()) - set(sys.stdlib_module_names) - {"__main__", "sumito"}
    assert outside == set()


def test_a_game_can_be_played_without_any_other_package() -> None:
    code = """
import sumito
for mode in sumito.Mode:
    board = sumito.Board(mode=mode)
    board.push(next(iter(board.legal_moves)))
    assert sumito.Board.parse(str(board.position)) == board
print("played")
"""
    assert run_bare(code).strip() == "played"


def test_everything_that_can_be_had_is_listed_and_nothing_else() -> None:
    listed = [name for name in dir(sumito) if not name.startswith("_")]
    assert set(sumito.__all__) <= set(listed)
    assert not {"importlib", "annotations", "TYPE_CHECKING"} & set(listed)
    for name in listed:
        getattr(sumito, name)


def test_packages_that_a_game_does_not_need_are_imported_on_demand() -> None:
    """Formations, records and pictures cost nothing until they are asked for."""
    loaded = run_bare("import sumito; print(*(name for name in sys.modules if 'sumito.' in name))")
    packages = ("drawing", "engine", "rules.formations", "game", "record")
    assert all(importlib.util.find_spec(f"sumito.{name}") for name in packages)
    assert not {f"sumito.{name}" for name in packages} & set(loaded.split())
