"""The command line. What it needs beyond Python comes with the extra `[cli]`.

`sumito play` works without: then the page is served as plain files (`alone`).

One module per kind of work: `boards` looks at positions, `records` at files of games, `terminal`
is a game at one keyboard, `serve` one in the browser, `site` the page as plain files, `app` puts
them together and turns errors into one line each.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

_NEEDED = ("typer", "rich")

INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ended, as shells have it."""


def main() -> None:
    """The command `sumito`."""
    try:
        _main()
    except KeyboardInterrupt:  # before the command itself had begun
        raise SystemExit(INTERRUPTED) from None


def _main() -> None:
    try:
        from sumito.cli.app import app
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _NEEDED:
            raise
        from sumito.cli import static_server

        raise SystemExit(static_server.main(sys.argv[1:])) from None
    _replace_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A terminal that can't show an é still gets everything else.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    app(prog_name="sumito")


def _replace_closed_streams() -> None:
    """Put something in the place of streams that were closed, as `>&-` does.

    Python has None for them. Reading finds the end of the input at once, and writing fails as it
    does for other programs.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
