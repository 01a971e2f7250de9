"""Settings of a server, from flags of `sumito serve` or environment variables `SUMITO_…`."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from sumito.errors import InputError
from sumito.i18n.messages import N_

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

PREFIX: Final = "SUMITO_"


class SettingsError(InputError):
    """Raised for a setting that is invalid, or doesn't go with another."""


def _setting(default: Any, help: str) -> Any:
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True, slots=True)
class Settings:
    """One server's settings; the defaults suit one person on one machine."""

    host: str = _setting("127.0.0.1", "address to listen on")
    port: int = _setting(8000, "port to listen on")
    database: str = _setting(
        "", "file of an SQLite database, or postgresql://…; default: a file in the data folder"
    )
    redis: str = _setting("", "redis://… that joins several processes; default: none")
    workers: int = _setting(1, "processes that serve; more than one needs redis")
    engines: int = _setting(0, "computer players that think at once; 0: one less than the cores")
    analysis_ms: int = _setting(
        20_000, "how long the engine analyses a position for the analysis board; 0: never"
    )
    log: str = _setting("auto", "how to log: text, json, or auto: text at a terminal, else json")
    log_level: str = _setting("info", "what to log: debug, info, warning or error")
    origins: str = _setting("", "further origins of pages that may connect, with commas between")
    proxies: str = _setting(
        "127.0.0.1,::1",
        "addresses or networks of proxies whose X-Forwarded-… is believed, with commas between",
    )
    grace_ms: int = _setting(60_000, "how long a player is away before the game can be claimed")
    away_ms: int = _setting(
        4_000, "how long a lost connection is no absence yet: a reload, a tunnel"
    )
    abandon_days: int = _setting(
        30, "days without a move after which a game without a clock is called off; 0: never"
    )
    lag_ms: int = _setting(500, "how much of a move's way over the network isn't charged")
    requests: str = _setting("600/minute", "requests from one address, or one account")
    new_games: str = _setting("60/minute", "new games from one address, or one account")
    sign_ins: str = _setting("20/minute", "tries to sign in from one address, or to one account")
    puzzle_tries: str = _setting("120/hour", "puzzles that count for one account")
    sign_ups: str = _setting("20/hour", "new accounts from one address")
    messages: str = _setting("30/second", "messages over the WebSockets of one person")
    address_messages: str = _setting("300/second", "messages over the WebSockets from one address")
    chat: str = _setting("60/minute", "chat lines of one person")
    handshakes: str = _setting("120/minute", "WebSockets opened from one address")
    rated_after_hours: int = _setting(
        24, "age of an account, in hours, from which it may play rated games; 0: at once"
    )
    same_network: int = _setting(
        10, "percentage that a rated game counts between players who share an address"
    )
    guest_days: int = _setting(90, "days after which guests who never played are deleted; 0: never")
    connections: int = _setting(200, "connections from one address")
    header_ms: int = _setting(10_000, "how long a request's headers may take to arrive")
    public_url: str = _setting(
        "", "address of this server for others, like https://example.org; default: as requested"
    )
    sockets: str = _setting(
        "auto",
        "implementation of WebSockets: plain, or auto: one that needs less memory, where possible",
    )

    def __post_init__(self) -> None:
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise SettingsError(
                    N_("{name} is a number from {least} to {most}, not {value}"),
                    name=name,
                    least=least,
                    most=most,
                    value=value,
                )
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise SettingsError(
                    N_("{name} is {choices}, not {value!r}"),
                    name=name,
                    choices=_either(choices),
                    value=value,
                )
        for name in _RATES:
            _check_rate(name, getattr(self, name))
        if self.workers > 1 and not self.redis:
            raise SettingsError(N_("several workers need --redis: it carries events between them"))
        self._check_addresses()

    def _check_addresses(self) -> None:
        if self.redis and not self.redis.startswith(("redis://", "rediss://", "unix://")):
            raise SettingsError(
                N_("redis is an address like redis://localhost, not {value!r}"), value=self.redis
            )
        if self.redis.startswith("unix://") and not urlsplit(self.redis).path.strip("/"):
            raise SettingsError(N_("redis is an address like unix:///run/redis.sock"))
        if self.public_url and not _ORIGIN.fullmatch(self.public_url):
            raise SettingsError(
                N_("public_url is an address like https://example.org, not {value!r}"),
                value=self.public_url,
            )
        for origin in self.origin_list:
            if not _ORIGIN.fullmatch(origin):
                raise SettingsError(
                    N_("origins are addresses like https://example.org, not {origin!r}"),
                    origin=origin,
                )
        _ = self.proxy_networks

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
        """Return the environment's settings, overridden by those flags that aren't None."""
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
                    N_("{name} is a whole number, not {text!r}"), name=variable(one.name), text=text
                ) from None
        values |= {name: value for name, value in flags.items() if value is not None}
        return cls(**values)

    def as_environment(self) -> dict[str, str]:
        """Return the variables that make another process read the same settings."""
        return {variable(one.name): str(getattr(self, one.name)) for one in fields(self)}

    def with_defaults(self) -> Settings:
        """Return the settings with the default database filled in."""
        return self if self.database else replace(self, database=str(default_database()))

    @property
    def engine_count(self) -> int:
        return self.engines or max(1, (os.cpu_count() or 2) - 1)

    @property
    def origin_list(self) -> tuple[str, ...]:
        return tuple(one.strip() for one in self.origins.split(",") if one.strip())

    @property
    def proxy_list(self) -> tuple[str, ...]:
        return tuple(one.strip() for one in self.proxies.split(",") if one.strip())

    @property
    def proxy_networks(self) -> tuple[Network, ...]:
        """The networks of the trusted proxies."""
        try:
            return tuple(ipaddress.ip_network(one) for one in self.proxy_list)
        except ValueError as error:
            raise SettingsError(
                N_("proxies are addresses like 10.0.0.0/8: {error}"), error=str(error)
            ) from None


_ORIGIN: Final = re.compile(r"https?://[\w.:\[\]-]+")
_LONGEST_MS: Final = 30 * 86_400_000
_RANGES: Final = {
    "port": (0, 65_535),
    "workers": (1, 1_000),
    "engines": (0, 1_000),
    "analysis_ms": (0, 600_000),
    "grace_ms": (0, _LONGEST_MS),
    "away_ms": (0, _LONGEST_MS),
    "abandon_days": (0, 36_500),
    "lag_ms": (0, 60_000),
    "rated_after_hours": (0, 8_760),
    "same_network": (0, 100),
    "guest_days": (0, 36_500),
    "connections": (1, 1_000_000),
    "header_ms": (100, 600_000),
}
_CHOICES: Final = {
    "log": ("text", "json", "auto"),
    "log_level": ("debug", "info", "warning", "error"),
    "sockets": ("auto", "plain"),
}
_RATES: Final = (
    "requests",
    "new_games",
    "sign_ins",
    "puzzle_tries",
    "sign_ups",
    "messages",
    "address_messages",
    "chat",
    "handshakes",
)


def _either(choices: tuple[str, ...]) -> str:
    return f"{', '.join(choices[:-1])} or {choices[-1]}"


def _check_rate(name: str, text: str) -> None:
    import limits

    try:
        rate = limits.parse(text)
    except ValueError:
        rate = None
    if rate is None or rate.amount < 1:
        raise SettingsError(
            N_("{name} is a rate like 60/minute, not {text!r}"), name=name, text=text
        )


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + name.upper()


def default_database() -> Path:
    """Return the database file in the user's data folder; the folder is created."""
    import platformdirs

    folder = platformdirs.user_data_path("sumito", appauthor=False, ensure_exists=True)
    return folder / "games.sqlite3"
