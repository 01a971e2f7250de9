"""The command line; its dependencies come with the extra `[cli]`.

`sumito play` works without them and serves the page as static files (`static_server`).

One module per kind of work: `boards` shows positions, `records` reads files of games, `terminal`
plays at one keyboard, `serve` runs the server, `site` exports the page as static files, and `app`
combines the commands and prints each error as one line.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

_NEEDED = ("typer", "rich")

INTERRUPTED = 130
"""Exit code after Ctrl-C, by the convention of shells."""


def main() -> None:
    """Run the command `sumito`."""
    try:
        _main()
    except KeyboardInterrupt:  # Ctrl-C during the imports
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
    """Replace standard streams that were closed, as by `>&-`.

    Python sets them to None. Reading then finds the end of the input at once, and writing fails as
    it does for other programs.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
