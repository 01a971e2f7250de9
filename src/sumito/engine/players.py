"""Players of a match: a level, the engine with a limit, a simple baseline, or a program.

friendly                a level by its name
engine,nodes=5000       full strength within a limit (time in seconds, nodes or depth)
master,time=0.1         a level within a limit
engine,network=new.bin  another network than the package's; network=none is the hand-made evaluation
engine,lmp_base=6      a search parameter changed
alpha-beta,depth=4      plain alpha-beta: material, centre, cohesion
greedy   random         look one move ahead; look at nothing
cmd:./other --flag      any program that speaks UGI
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path

from sumito import kernel
from sumito.choice import Choice
from sumito.engine.engine import check_size
from sumito.engine.levels import Level
from sumito.engine.limit import Limit
from sumito.engine.network import load
from sumito.errors import EngineError, EngineValueError, LabError
from sumito.i18n.messages import N_
from sumito.validate import check_type


class Kind(Choice, error=LabError):
    """The kind of a player."""

    ENGINE = "engine"
    ALPHA_BETA = "alpha-beta"
    GREEDY = "greedy"
    RANDOM = "random"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a match."""

    name: str
    kind: Kind = Kind.ENGINE
    level: Level = Level.CHAMPION
    limit: Limit = field(default_factory=Limit)
    command: str = ""
    threads: int = 1
    hash_mb: int = 8
    network: str | bytes | None = None
    """A file or its contents, `none`, or the package's own."""
    tuning: tuple[tuple[str, int], ...] = ()
    """Search parameters that differ from the defaults."""

    @classmethod
    def parse(cls, text: str, limit: Limit | None = None) -> Player:
        """Parse a player as above; `limit` is used for players without one of their own."""
        check_type("text", text, str)
        if text.startswith("cmd:"):
            player = cls(text, Kind.PROGRAM, command=text.removeprefix("cmd:").strip())
        else:
            player = _parse_known(text)
        if player.limit.is_endless and limit is not None:
            player = replace(player, limit=limit)
        player.check()
        return player

    def check(self) -> None:
        """Raise an error for a player that can't play: no limit, too large, a bad network.

        A program has its own search and evaluation, so it takes no network and no tuning.
        """
        if self.needs_limit and self.limit.is_endless:
            raise EngineValueError(
                N_("{player!r} needs a limit: give time, nodes or depth"), player=self.name
            )
        if self.kind is Kind.PROGRAM and (self.tuning or self.network is not None):
            raise EngineValueError(
                N_("{player!r} is a program: it takes no network and no tuning"), player=self.name
            )
        check_size(self.threads, self.hash_mb)
        if self.kind is not Kind.PROGRAM:
            try:
                self.to_kernel()
            except (TypeError, ValueError) as error:
                if isinstance(error, EngineError):
                    raise
                raise EngineValueError(
                    N_("{player!r} can't play: {reason}"), player=self.name, reason=error
                ) from None

    @property
    def table_mb(self) -> int:
        """The megabytes of its search in this process."""
        return self.hash_mb if self.kind is Kind.ENGINE else 0

    @property
    def needs_limit(self) -> bool:
        if self.kind is Kind.ENGINE:
            return self.level.is_full_strength
        return self.kind is Kind.PROGRAM

    def plan(self) -> list[str | int]:
        """Return everything its play depends on as JSON, with a network's checksum."""
        network = self.network
        return [
            *(self.name, str(self.kind), int(self.level), str(self.limit), self.command),
            *(self.threads, self.hash_mb),
            f"{zlib.crc32(network):08x}" if isinstance(network, bytes) else network or "",
            " ".join(f"{name}={value}" for name, value in self.tuning),
        ]

    def portable(self) -> Player:
        """Return the player with its network's file loaded, to be sent to other machines."""
        if not isinstance(self.network, str) or load(self.network) is None:
            return self
        return replace(self, network=Path(self.network).read_bytes())

    def to_kernel(self) -> kernel.Player:
        """Return the player for the kernel's match runner."""
        limit = self.limit
        return kernel.Player(
            self.kind,
            depth=limit.depth or 0,
            nodes=limit.nodes or 0,
            movetime_ms=limit.milliseconds,
            hash_mb=self.hash_mb,
            threads=self.threads,
            handicap=self.level.to_kernel(),
            tuning=dict(self.tuning),
            network=load(self.network) if self.kind is Kind.ENGINE else None,
        )


def _parse_known(text: str) -> Player:
    word, *settings = (part.strip() for part in text.split(","))
    if word in (Kind.ENGINE, Kind.ALPHA_BETA, Kind.GREEDY, Kind.RANDOM):
        player = Player(text, Kind(word))
    else:
        try:
            player = Player(text, level=Level.parse(word))
        except EngineError:
            raise EngineValueError(
                N_(
                    "{word!r} is not a player; write engine, alpha-beta, greedy, random, "
                    "cmd:<program>, or a level ({levels})"
                ),
                word=word,
                levels=tuple(Level),
            ) from None
    if player.kind is Kind.ALPHA_BETA and not settings:
        raise EngineValueError(N_("alpha-beta needs a depth: alpha-beta,depth=4"))
    for setting in settings:
        player = _with(player, setting)
    return player


def _setting(name: str, value: int) -> tuple[str, int]:
    """Parse a search parameter; raise `EngineValueError` if it is out of range."""
    low, high = kernel.setting_ranges()[name]
    if not low <= value <= high:
        raise EngineValueError(
            N_("{name} is from {low} to {high}, not {value}"),
            code="setting-range",
            name=name,
            low=low,
            high=high,
            value=value,
        )
    return name, value


def _with(player: Player, setting: str) -> Player:
    name, _, value = setting.partition("=")
    try:
        match name:
            case "time" | "nodes" | "depth":
                return replace(player, limit=player.limit.with_part(name, value))
            case "threads":
                return replace(player, threads=int(value))
            case "hash":
                return replace(player, hash_mb=int(value))
            case "network":
                return replace(player, network=value)
            case _ if name in kernel.setting_ranges():
                return replace(player, tuning=(*player.tuning, _setting(name, int(value))))
    except ValueError as error:
        if isinstance(error, EngineError):
            raise
        raise EngineValueError(
            N_("{setting!r}: {value!r} is not a number"), setting=setting, value=value
        ) from None
    raise EngineValueError(
        N_("{setting!r}: a player has time, nodes, depth, threads, hash and network"),
        setting=setting,
    )
