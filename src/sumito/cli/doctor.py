"""`sumito doctor`: what an installation consists of and whether its parts work, for bug reports.

It needs nothing but Python, since it runs where something is missing. The report is always in
English, as it is written for the people who answer bug reports.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

import sumito

OK: Final = 0
BROKEN: Final = 1
"""Exit code when a part that every installation has doesn't work."""

_PACKAGE: Final = Path(sumito.__file__).parent
_DEVELOPERS: Final = {"dev", "docs", "test"}
"""Extras that only a checkout uses."""
_REQUIREMENT: Final = re.compile(r"""([\w.-]+)(?:\[([\w,.-]+)\])?.*;.*extra == ['"]([\w-]+)['"]""")
_NODES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    part: str
    text: str
    is_broken: bool = False

    def __str__(self) -> str:
        return f"{self.part:14}{'BROKEN: ' if self.is_broken else ''}{self.text}"


def diagnose() -> Iterator[Finding]:
    """Yield one finding per part, as soon as it is known."""
    yield Finding("sumito", f"{sumito.__version__} in {_PACKAGE}")
    yield Finding(
        "Python",
        f"{platform.python_version()} ({platform.python_implementation()}) in {sys.prefix}",
    )
    yield Finding("system", f"{platform.platform()}, {os.cpu_count()} processors")
    encoding = getattr(sys.stdout, "encoding", None)
    yield Finding("texts", f"{_language()}, output in {encoding}")
    yield _checked("rules", _rules)
    yield _checked("engine", _engine)
    yield _checked("page", _page)
    for extra, missing in extras().items():
        text = f"without {', '.join(missing)}" if missing else "installed"
        yield Finding(f"[{extra}]", text)


def report() -> int:
    """Print the report; return the exit code."""
    code = OK
    for finding in diagnose():
        print(finding, flush=True)
        code = BROKEN if finding.is_broken else code
    return code


def extras() -> dict[str, list[str]]:
    """Return the missing packages of each user-facing extra.

    Empty where the package is run from a checkout that was never installed.
    """
    try:
        requirements = metadata.requires("sumito") or []
    except metadata.PackageNotFoundError:
        return {}
    needs: dict[str, list[tuple[str, str]]] = {}
    for found in map(_REQUIREMENT.match, requirements):
        if found is not None and found[3] not in _DEVELOPERS:
            needs.setdefault(found[3], []).append((found[1], found[2] or ""))
    return {extra: sorted(_missing(extra, needs)) for extra in sorted(needs)}


def _missing(extra: str, needs: dict[str, list[tuple[str, str]]]) -> set[str]:
    missing = set()
    for name, extras in needs.get(extra, ()):
        if name == "sumito":
            for own in extras.split(","):
                missing |= _missing(own, needs)
        elif not _is_installed(name):
            missing.add(name)
    return missing


def _is_installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _checked(part: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(part, check())
    except Exception as error:  # any error belongs in the report
        return Finding(part, f"{type(error).__name__}: {error}", is_broken=True)


def _language() -> str:
    from sumito.i18n.environment import environment_language

    return environment_language()


def _rules() -> str:
    board = sumito.Board()
    return f"{len(board.legal_moves)} moves from the start position"


def _engine() -> str:
    with sumito.Engine() as engine:
        found = engine.analyse(sumito.Board(), sumito.Limit(nodes=_NODES))
    return f"{found[0].move} after {found[0].nodes} nodes"


def _page() -> str:
    index = _PACKAGE / "server" / "static" / "index.html"
    if not index.is_file():
        raise FileNotFoundError("it hasn't been built: run `make web`")
    return f"{sum(file.is_file() for file in index.parent.rglob('*'))} files"
