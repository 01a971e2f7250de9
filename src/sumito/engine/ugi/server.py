"""The engine as a program among programs: UGI, the game-neutral UCI, on standard input and output.

Nothing that comes in can bring it down: a line it doesn't understand is answered with an
`info string` that says what was wrong, and the position stays as it was.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

import sumito
from sumito.board import Board
from sumito.engine.engine import Draws, Engine, Lines
from sumito.engine.levels import Level
from sumito.engine.limit import Limit, TimeLeft
from sumito.engine.network import load
from sumito.engine.score import Line, Score
from sumito.errors import EngineError, SumitoError
from sumito.modes import Mode
from sumito.rules import PRESETS, TOURNAMENT, PartnerSideStep, Rules

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What `setoption` sets."""

    threads: int = 1
    hash: int = 64
    multipv: int = 1
    level: Level = Level.CHAMPION
    mode: Mode = Mode.TWO
    layout: str | None = None
    rules: Rules = field(default=TOURNAMENT)
    network: str | None = None


@dataclass(frozen=True, slots=True)
class _Spin:
    """An option that is a number."""

    default: int
    least: int
    most: int
    apply: Callable[[Options, int], Options]

    def __str__(self) -> str:
        return f"type spin default {self.default} min {self.least} max {self.most}"

    def set(self, options: Options, text: str) -> Options:
        if not (text.isascii() and text.isdigit()) or not self.least <= int(text) <= self.most:
            raise EngineError(f"{text!r} is not a whole number from {self.least} to {self.most}")
        return self.apply(options, int(text))


@dataclass(frozen=True, slots=True)
class _Combo:
    """An option that is one of some words."""

    default: str
    words: tuple[str, ...]
    apply: Callable[[Options, str], Options]

    def __str__(self) -> str:
        return f"type combo default {self.default} " + " ".join(f"var {w}" for w in self.words)

    def set(self, options: Options, text: str) -> Options:
        if text not in self.words:
            raise EngineError(f"{text!r} is none of {', '.join(self.words)}")
        return self.apply(options, text)


@dataclass(frozen=True, slots=True)
class _Text:
    """An option that is any text."""

    default: str
    apply: Callable[[Options, str], Options]

    def __str__(self) -> str:
        return f"type string default {self.default}"

    def set(self, options: Options, text: str) -> Options:
        return self.apply(options, text)


def _words(kind: Iterable[object]) -> tuple[str, ...]:
    return tuple(map(str, kind))


DEFAULT_NETWORK: Final = "default"


def _with_network(options: Options, text: str) -> Options:
    chosen = None if text == DEFAULT_NETWORK else text
    load(chosen)  # refuses a file that doesn't fit
    return replace(options, network=chosen)


def _ruled(change: Callable[[Rules, int], Rules]) -> Callable[[Options, int], Options]:
    return lambda options, value: replace(options, rules=change(options.rules, value))


OPTIONS: Final[dict[str, _Spin | _Combo | _Text]] = {
    "Threads": _Spin(1, 1, 256, lambda options, value: replace(options, threads=value)),
    "Hash": _Spin(64, 1, 65536, lambda options, value: replace(options, hash=value)),
    "Network": _Text(DEFAULT_NETWORK, _with_network),
    "MultiPV": _Spin(1, 1, 64, lambda options, value: replace(options, multipv=value)),
    "Level": _Combo(
        str(Level.CHAMPION),
        _words(Level),
        lambda options, word: replace(options, level=Level.parse(word)),
    ),
    "Mode": _Combo(
        str(Mode.TWO),
        _words(Mode),
        lambda options, word: replace(options, mode=Mode(word), layout=None),
    ),
    "Layout": _Text("standard", lambda options, text: replace(options, layout=text)),
    "Rules": _Combo(
        "tournament",
        _words(PRESETS),
        lambda options, word: replace(options, rules=PRESETS[word]),
    ),
    "WinAt": _Spin(6, 1, 30, _ruled(lambda rules, value: replace(rules, win_at=value))),
    "Repetition": _Spin(
        3, 0, 100, _ruled(lambda rules, value: replace(rules, repetition=value or None))
    ),
    "PlyLimit": _Spin(
        0, 0, 100_000, _ruled(lambda rules, value: replace(rules, ply_limit=value or None))
    ),
    "PartnerSideStep": _Combo(
        str(PartnerSideStep.ANY),
        _words(PartnerSideStep),
        lambda options, word: replace(
            options, rules=replace(options.rules, partner_sidestep=PartnerSideStep(word))
        ),
    ),
}


class Session:
    """One conversation: `handle` takes a line, answers go to `say`."""

    def __init__(self, say: Say) -> None:
        self._say_unlocked = say
        self._lock = threading.Lock()
        self._options = Options()
        self._engine: Engine | None = None
        self._board = Board(rules=self._options.rules)
        self._search: threading.Thread | None = None
        self._thinking = threading.Event()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._ugi,
            "isready": lambda _: self._say("readyok"),
            "setoption": self._setoption,
            "newgame": self._newgame,
            "uginewgame": self._newgame,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: self._stop(),
            "query": self._query,
            "show": lambda _: self._say(f"info string {self._board.position!s}"),
        }

    def handle(self, line: str) -> bool:
        """Obey a line; False when it was `quit`."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        command = self._commands.get(words[0])
        try:
            if command is None:
                raise EngineError(f"unknown command {words[0][:40]!r}")
            command(words[1:])
        except SumitoError as error:
            self._say(f"info string error: {_one_line(error)}")
        return True

    def close(self) -> None:
        self._stop()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _say(self, text: str) -> None:
        with self._lock:
            self._say_unlocked(text)

    def _ugi(self, _: list[str]) -> None:
        self._say(f"id name Sumito {sumito.__version__}")
        self._say("id author the Sumito authors")
        for name, option in OPTIONS.items():
            self._say(f"option name {name} {option}")
        self._say("ugiok")

    def _setoption(self, words: list[str]) -> None:
        if len(words) < 4 or words[0] != "name" or words[2] != "value":
            raise EngineError("say it as: setoption name <name> value <value>")
        name = next((known for known in OPTIONS if known.lower() == words[1].lower()), None)
        if name is None:
            raise EngineError(f"no option {words[1]!r}; there are {', '.join(OPTIONS)}")
        options = OPTIONS[name].set(self._options, " ".join(words[3:]))
        self._idle()
        Board(options.layout, options.mode, rules=options.rules)  # refuses a layout of no mode
        if name in ("Threads", "Hash", "Network") and self._engine is not None:
            self._engine.close()
            self._engine = None
        self._options = options

    def _newgame(self, _: list[str]) -> None:
        self._idle()
        if self._engine is not None:
            self._engine.clear()
        self._board = self._start()

    def _start(self) -> Board:
        return Board(self._options.layout, self._options.mode, rules=self._options.rules)

    def _position(self, words: list[str]) -> None:
        self._idle()
        at = words.index("moves") if "moves" in words else len(words)
        setup, moves = words[:at], words[at + 1 :]
        if setup == ["startpos"]:
            board = self._start()
        elif setup[:1] == ["fen"]:
            board = Board.parse(" ".join(setup[1:]), rules=self._options.rules)
        else:
            raise EngineError("say it as: position startpos|fen <position> [moves <move> …]")
        for number, move in enumerate(moves, 1):
            try:
                board.push(board.parse_move(move))
            except SumitoError as error:
                raise EngineError(f"move {number}: {error}") from None
        self._board = board

    def _query(self, words: list[str]) -> None:
        outcome = self._board.outcome()
        if words == ["gameover"]:
            answer = _truth(outcome is not None)
        elif words == ["p1turn"]:
            answer = _truth(self._board.turn is self._board.mode.order[0])
        elif words == ["result"]:
            if outcome is None:
                answer = "none"
            else:
                answer = "draw" if outcome.winner is None else f"p{outcome.winner + 1}win"
        else:
            raise EngineError("say it as: query gameover|p1turn|result")
        self._say(f"response {answer}")

    def _go(self, words: list[str]) -> None:
        self._idle()
        limit = _parse_limit(words, self._board)
        if self._board.outcome() is not None:
            self._say("info string the game is over")
            self._say("bestmove none")
            return
        if self._engine is None:
            options = self._options
            self._engine = Engine(options.threads, options.hash, options.network)
        arguments = (self._engine, self._board.copy(), limit, self._options)
        self._search = threading.Thread(target=self._think, args=arguments, daemon=True)
        self._thinking.set()
        self._search.start()

    def _think(self, engine: Engine, board: Board, limit: Limit, options: Options) -> None:
        lines: Lines = ()
        try:
            draws = Draws.EVEN if limit.is_endless else Draws.AVOIDED
            for lines in engine.analyse(
                board, limit, options.multipv, level=options.level, draws=draws
            ):
                for rank, line in enumerate(lines, 1):
                    self._say(_info(line, rank))
        except SumitoError as error:
            self._say(f"info string error: {_one_line(error)}")
        finally:
            # Whoever hears the move may ask for the next at once; whatever failed, they hear one.
            self._thinking.clear()
            self._say(f"bestmove {lines[0].move if lines else 'none'}")

    def _stop(self) -> None:
        if self._search is not None:
            while self._search.is_alive():
                if self._engine is not None:
                    self._engine.stop()
                self._search.join(0.005)
            self._search = None

    def _idle(self) -> None:
        """Commands that change what is searched wait for nobody: they are refused meanwhile."""
        if self._thinking.is_set():
            raise EngineError("searching; say stop first")


def run(lines: Iterable[str] | None = None, say: Say | None = None) -> None:
    """Talk until `quit` or the end of input."""
    session = Session(say or _print)
    try:
        for line in sys.stdin if lines is None else lines:
            if not session.handle(line):
                break
    finally:
        session.close()


def _print(text: str) -> None:
    print(text, flush=True)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _parse_limit(words: list[str], board: Board) -> Limit:
    """`go`'s words; without any, or with `infinite`, the search goes on until `stop`."""
    numbers: dict[str, int] = {}
    rest = [word for word in words if word != "infinite"]
    for name, text in zip(rest[::2], [*rest[1::2], ""], strict=False):
        if not (text.isascii() and text.lstrip("-").isdigit()):
            raise EngineError(f"go {name[:20]} needs a whole number, not {text[:20]!r}")
        numbers[name] = max(0, int(text))
    player = board.mode.order.index(board.turn) + 1
    letter = board.turn.letter
    clock = None
    for prefix in (f"p{player}", letter):
        if f"{prefix}time" in numbers:
            clock = TimeLeft(
                numbers[f"{prefix}time"] / 1000,
                numbers.get(f"{prefix}inc", 0) / 1000,
                numbers.get("movestogo") or None,
            )
    known = {"movetime", "nodes", "depth", "movestogo"}
    known |= {f"p{n}{what}" for n in range(1, 5) for what in ("time", "inc")}
    known |= {f"{c}{what}" for c in "bwru" for what in ("time", "inc")}
    for name in numbers:
        if name not in known:
            raise EngineError(f"go doesn't know {name[:20]!r}")
    if "movetime" in numbers:
        return Limit(time=numbers["movetime"] / 1000)
    return Limit(
        nodes=numbers.get("nodes") or None, depth=numbers.get("depth") or None, clock=clock
    )


def _info(line: Line, rank: int) -> str:
    return (
        f"info depth {line.depth} seldepth {line.selective_depth} multipv {rank} "
        f"score {_score(line.score)} nodes {line.nodes} nps {line.nodes_per_second} "
        f"time {round(line.time * 1000)} pv {' '.join(map(str, line.pv))}"
    )


def _score(score: Score) -> str:
    """UCI counts the moves of the side that wins, so two plies make one."""
    if score.plies is None:
        return f"cp {score.value}"
    moves = (score.plies + 1) // 2
    return f"mate {moves if score.is_win else -moves}"
