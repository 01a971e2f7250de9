"""The command line without dependencies: `play`, as static files, and `doctor`.

Rules, engine and network run in the page itself, so games against the computer and at one screen
need no server. The extra `[play]` adds games with people elsewhere.
"""

from __future__ import annotations

import argparse
import re
import sys
import webbrowser
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import sumito
from sumito.cli import doctor

BUILT: Final = Path(__file__).parents[1] / "server" / "static"
PORT: Final = 8017
"""Differs from the server's port: browsers store data by host and port, and the two differ."""

_CHECKOUT: Final = Path(__file__).parents[3]
_MORE: Final = """\
Against the computer, or together at this screen. For games with friends over the network:
    {command}"""
_EXTRAS: Final = {
    "backup": "play",
    "games": "play",
    "lab": "lab",
    "play": "play",
    "migrate": "play",
    "serve": "play",
    "terminal": "tui",
}
"""Extra that each command needs; all others need `cli`."""


def install_command(command: str = "") -> str:
    """Return the shell command that installs what a command needs."""
    return f'pip install "sumito[{_EXTRAS.get(command, "cli")}]"'


def as_files(index: str) -> str:
    """Return the index for static hosting: relative addresses, and a mark for the page."""
    relative = re.sub(r'\b(src|href)="/(?!/)', r'\1="./', index)
    return relative.replace("<html ", '<html data-site="files" ', 1)


class _Files(SimpleHTTPRequestHandler):
    """Request handler for the built page, with its index for static hosting."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def do_GET(self) -> None:
        if self.path.partition("?")[0] not in ("/", "/index.html"):
            super().do_GET()
            return
        page = as_files((BUILT / "index.html").read_text(encoding="utf-8")).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def end_headers(self) -> None:
        """Let the page share memory with the worker of the engine, as the server's headers do."""
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: players don't read a log."""


def listen(port: int | None) -> ThreadingHTTPServer:
    """Return a server on that port; without one, on the default or any free port."""
    handler = partial(_Files, directory=str(BUILT))
    for candidate in (PORT, 0) if port is None else (port,):
        try:
            return ThreadingHTTPServer(("127.0.0.1", candidate), handler)
        except OSError:
            if candidate == 0 or port is not None:
                raise
    raise AssertionError  # the last candidate has returned or raised


def play(port: int | None = None, *, open_browser: bool = True) -> int:
    """Serve the page until interrupted; return the exit code."""
    if not (BUILT / "index.html").is_file():
        print("sumito: the page hasn't been built yet: run `make web`", file=sys.stderr)
        return 2
    try:
        server = listen(port)
    except (OSError, OverflowError) as error:
        print(f"sumito: can't listen on port {port}: {error}", file=sys.stderr)
        return 2
    with server:
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        is_checkout = (_CHECKOUT / "Makefile").is_file()
        command = "make serve" if is_checkout else install_command("play")
        print(f"Sumito is at {url}   (Ctrl-C ends it)\n{_MORE.format(command=command)}", flush=True)
        if open_browser:
            webbrowser.open(url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


def main(arguments: Sequence[str]) -> int:
    """Run the command `sumito` where the packages of its extras are missing."""
    parser, words = _parser(), list(arguments)
    first = next((word for word in words if not word.startswith("-")), "play")
    if first not in ("play", "doctor"):
        print(f"sumito: `sumito {first}` needs more: {install_command(first)}", file=sys.stderr)
        return 1
    options = parser.parse_args(words)
    if options.command is None:
        parser.print_help()
        return 0
    if options.command == "doctor":
        return doctor.report()
    return play(options.port, open_browser=not options.no_browser)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sumito",
        description="Abalone for two, three and four players.",
        epilog=f"All other commands: {install_command()}",
    )
    parser.add_argument("--version", action="version", version=f"sumito {sumito.__version__}")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="")
    about = "Play in the browser, on this machine only."
    playing = commands.add_parser("play", help=about, description=about)
    playing.add_argument("--port", type=int, help="Port to listen on; 0: any that is free.")
    playing.add_argument("--no-browser", action="store_true", help="Don't open the browser.")
    about = "Report what is installed and whether it works."
    commands.add_parser("doctor", help=about, description=about)
    return parser


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
