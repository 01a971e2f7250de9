"""What can be set about a server: by a flag of `sumito serve`, or by a variable `SUMITO_…`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from sumito.errors import SumitoError

PREFIX: Final = "SUMITO_"


class SettingsError(SumitoError):
    """A setting that makes no sense, or doesn't go with another."""


def _setting(default: Any, help: str) -> Any:
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True, slots=True)
class Settings:
    """One server's settings; every field has a default that lets one person just play."""

    host: str = _setting("127.0.0.1", "address to listen on")
    port: int = _setting(8000, "port to listen on")
    database: str = _setting(
        "", "file of an SQLite database, or postgresql://…; default: a file in the data folder"
    )
    redis: str = _setting("", "redis://… that joins several processes; default: none")
    workers: int = _setting(1, "processes that serve; more than one needs redis")
    engines: int = _setting(0, "computer players that think at once; 0: one less than the cores")
    log: str = _setting("text", "how to log: text or json")
    log_level: str = _setting("info", "what to log: debug, info, warning or error")
    origins: str = _setting("", "further origins of pages that may connect, with commas between")
    grace_ms: int = _setting(60_000, "how long a player is away before the game can be claimed")
    away_ms: int = _setting(
        4_000, "how long a lost connection is no absence yet: a reload, a tunnel"
    )
    lag_ms: int = _setting(500, "how much of a move's way over the network isn't charged")
    requests: str = _setting("600/minute", "requests from one address")
    new_games: str = _setting("60/minute", "new games from one address")
    sign_ins: str = _setting("20/minute", "tries to sign in or up from one address")
    messages: str = _setting("30/second", "messages over one WebSocket")
    handshakes: str = _setting("120/minute", "WebSockets opened from one address")
    connections: int = _setting(200, "WebSockets from one address")

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise SettingsError(f"port is a number from 0 to 65535, not {self.port}")
        if self.workers < 1:
            raise SettingsError("at least one process must serve")
        if self.workers > 1 and not self.redis:
            raise SettingsError("several workers need --redis: it carries events between them")
        if self.log not in ("text", "json"):
            raise SettingsError(f"log is text or json, not {self.log!r}")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise SettingsError(
                f"log_level is debug, info, warning or error, not {self.log_level!r}"
            )

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
        """The environment's settings, overridden by those flags that aren't None."""
        source = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for one in fields(cls):
            text = source.get(variable(one.name))
            if text is None:
                continue
            try:
                values[one.name] = int(text) if isinstance(one.default, int) else text
            except ValueError:
                raise SettingsError(
                    f"{variable(one.name)} is a whole number, not {text!r}"
                ) from None
        values |= {name: value for name, value in flags.items() if value is not None}
        return cls(**values)

    def as_environment(self) -> dict[str, str]:
        """The variables that make another process read the same settings."""
        return {variable(one.name): str(getattr(self, one.name)) for one in fields(self)}

    def with_defaults(self) -> Settings:
        """The same with the default database named."""
        return self if self.database else replace(self, database=str(default_database()))

    @property
    def engine_count(self) -> int:
        return self.engines or max(1, (os.cpu_count() or 2) - 1)

    @property
    def origin_list(self) -> tuple[str, ...]:
        return tuple(one.strip() for one in self.origins.split(",") if one.strip())


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()


def default_database() -> Path:
    """The file in the user's data folder where games are kept; the folder is made."""
    import platformdirs

    folder = platformdirs.user_data_path("sumito", appauthor=False, ensure_exists=True)
    return folder / "games.sqlite3"
