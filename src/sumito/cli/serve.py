"""Commands that run the server: `play` for oneself, `serve` for everybody, `backup`, `migrate`."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
import webbrowser
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sumito.cli import static_server
from sumito.cli.common import echo, examples
from sumito.errors import SumitoError
from sumito.i18n.messages import N_
from sumito.server.base.settings import Settings, variable

if TYPE_CHECKING:
    import uvicorn

_SQLITE = b"SQLite format 3\0"

_NEEDED = N_("playing in the browser needs {name}; install it with: pip install 'sumito[play]'")


def register(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command(epilog=examples("play", "play --no-browser --port 8080"))(play)
    app.command(
        epilog=examples(
            "serve --host 0.0.0.0 --database games.sqlite3",
            "serve --workers 4 --database postgresql://sumito@localhost/sumito "
            "--redis redis://localhost",
        )
        + _variables()
    )(serve)
    app.command(epilog=examples("backup games-2026-05-01.sqlite3"))(backup)
    app.command(epilog=examples("migrate --dry-run", "migrate --database games.sqlite3"))(migrate)


Port = Annotated[
    int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0: any that is free.")
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|URL",
        help="SQLite file or postgresql://…; by default, a file in your data folder.",
    ),
]


def play(
    port: Port = None,
    database: DatabaseOption = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser.")
    ] = True,
) -> None:
    """Play in the browser, on this machine only."""
    if _missing() is not None and database is None:
        raise typer.Exit(static_server.play(port, open_browser=browser))
    settings = _settings(host="127.0.0.1", port=port, database=database, log_level="warning")
    listener = _listen(settings.host, settings.port, or_any=port is None)
    url = _url(listener)
    echo(N_("Sumito is at {url}   (Ctrl-C ends it)"), url=url)
    _run(settings, listener, open_url=url if browser else None)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Port = None,
    database: DatabaseOption = None,
    redis: Annotated[
        str | None, typer.Option(metavar="URL", help="Redis URL that connects several processes.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="Processes that serve; more than one needs --redis."),
    ] = None,
    engines: Annotated[
        int | None,
        typer.Option(min=0, max=256, help="Computer players that think at once, per process."),
    ] = None,
    log: Annotated[str | None, typer.Option(help="How to log: text or json.")] = None,
    log_level: Annotated[
        str | None, typer.Option(help="What to log: debug, info, warning or error.")
    ] = None,
) -> None:
    """Serve games to everybody who can reach this machine."""
    settings = _settings(
        host=host,
        port=port,
        database=database,
        redis=redis,
        workers=workers,
        engines=engines,
        log=log,
        log_level=log_level,
    )
    if settings.workers > 1:
        _run_workers(settings)
    else:
        listener = _listen(settings.host, settings.port)
        echo(N_("Sumito is at {url}"), url=_url(listener), err=True)
        _run(settings, listener)


def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="A new file for the copy.")],
    database: DatabaseOption = None,
) -> None:
    """Copy the database while the server runs."""
    from sumito.server.storage import maintenance

    settings = Settings.read(database=database).with_defaults()
    maintenance.backup(settings.database, target)
    echo(N_("copied {source} to {target}"), source=settings.database, target=target)


def migrate(
    database: DatabaseOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be done.")
    ] = False,
) -> None:
    """Migrate the database to this version; `serve` and `play` also do so when they start."""
    missing = _missing()
    if missing is not None:
        raise SumitoError(_NEEDED, name=missing)
    from sumito.server.base.logs import redact
    from sumito.server.storage import maintenance

    settings = Settings.read(database=database).with_defaults()
    steps = asyncio.run(maintenance.pending(settings))
    for step in steps:
        echo(N_("to do: {step}") if dry_run else N_("migrating: {step}"), step=step)
    if not dry_run and steps:
        asyncio.run(maintenance.open_and_migrate(settings))
    if not steps:
        echo(N_("the database {name} is up to date"), name=redact(settings.database))


def _settings(**flags: Any) -> Settings:  # noqa: ANN401
    missing = _missing()
    if missing is not None:
        raise SumitoError(_NEEDED, name=missing)
    from sumito.server.storage import maintenance

    settings = Settings.read(**flags).with_defaults()
    asyncio.run(maintenance.open_and_migrate(settings))
    # A worker process reads its settings from the environment.
    os.environ.update(settings.as_environment())
    return settings


def _missing() -> str | None:
    """Return the first package of the server that is not installed."""
    try:
        import sumito.server.app  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("sumito"):
            raise
        return error.name
    return None


def _variables() -> str:
    """Return the foot of the help: every variable, what it sets, and its default."""
    lines = (
        f"{variable(one.name)}: {one.metadata['help']}"
        + (f" ({one.default})" if one.default != "" else "")
        for one in fields(Settings)
    )
    return "\n\nEverything can be set by a variable too:\n\n" + "\n\n".join(lines)


def _listen(host: str, port: int, *, or_any: bool = False) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Disable Nagle's algorithm: a move is one small packet.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        if or_any:
            return _listen(host, 0)
        raise SumitoError(
            N_("can't listen on {host} port {port}: {reason}"),
            host=host,
            port=port,
            reason=error.strerror,
        ) from None
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _websockets(settings: Settings) -> str:
    """Return the WebSocket implementation; the lean one only for the uvicorn it was written for."""
    is_known = metadata.version("uvicorn").startswith("0.54.")
    name = "LeanProtocol" if is_known and settings.sockets == "auto" else "StrictProtocol"
    return f"sumito.server.sockets.protocol:{name}"


def _options(settings: Settings) -> dict[str, Any]:
    from sumito.server.web.connections import backlog

    return {
        "backlog": backlog(),
        "http": "sumito.server.web.connections:GuardedProtocol",
        "forwarded_allow_ips": list(settings.proxy_list),
        "factory": True,
        "ws": _websockets(settings),
        "ws_max_size": 65_536,
        # Moves are small: a compressor per connection would cost more than it saves.
        "ws_per_message_deflate": False,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "timeout_graceful_shutdown": 5,
        "log_config": None,
        "access_log": False,
        "server_header": False,
    }


def _run(settings: Settings, listener: socket.socket, open_url: str | None = None) -> None:
    import uvicorn

    from sumito.server.base import logs

    logs.configure(settings)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            # A long backlog, so that connections wait rather than fail.
            for one in sockets or ():
                one.listen(2_048)
            if open_url and self.started:
                await asyncio.to_thread(webbrowser.open, open_url)

    server: uvicorn.Server = Server(uvicorn.Config("sumito.server.app:serve", **_options(settings)))
    server.run(sockets=[listener])
    if not server.started:
        raise typer.Exit(1)


def _run_workers(settings: Settings) -> None:
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from sumito.server.base import metrics

    listener = _listen(settings.host, settings.port)
    echo(N_("Sumito is at {url}"), url=_url(listener), err=True)
    options = _options(settings)
    config = uvicorn.Config("sumito.server.app:serve", workers=settings.workers, **options)
    with tempfile.TemporaryDirectory(prefix="sumito-metrics-") as folder:
        metrics.share(Path(folder))
        # All workers share this socket.
        Multiprocess(config, sockets=[listener]).run()
