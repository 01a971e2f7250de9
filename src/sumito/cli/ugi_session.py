"""The engine as a UGI program on standard input and output.

Invalid input never ends it: a line that it doesn't understand is answered with an `info string`
that says what was wrong. A `go` always ends with a `bestmove`. A `position` that is refused leaves
no position set, so that no answer is about another position than the one requested.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

import sumito
from sumito.engine.analysis import Analysis, Variations
from sumito.engine.engine import Engine, check_size
from sumito.engine.levels import Level
from sumito.engine.limit import Limit
from sumito.engine.network import load
from sumito.engine.request import DrawPolicy, SearchRequest
from sumito.engine.ugi.messages import ERROR, Go, bestmove_text, info_text
from sumito.engine.ugi.options import (
    AUTOMATIC,
    DEFAULT_NETWORK,
    ON,
    OPTIONS,
    RULES,
    Value,
    announced,
    with_rule,
)
from sumito.errors import EngineError, SumitoError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.modes import Mode
from sumito.rules.rules import PRESETS, RULEBOOK, Rules

Send = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class UgiSettings:
    """Settings made by `setoption`."""

    threads: int = 1
    hash_mb: int = 64
    network: str | None = None
    variations: int = 1
    level: Level = Level.CHAMPION
    seed: int = 0
    uses_opening_book: bool = False
    draws: DrawPolicy | None = None
    mode: Mode = Mode.TWO
    layout: str | None = None
    rules: Rules = RULEBOOK

    def changed(self, name: str, value: Value) -> UgiSettings:  # noqa: C901 - a case an option
        """Return the settings with one option changed; raise if the value is invalid."""
        number, text = (value, "") if isinstance(value, int) else (0, value)
        match name:
            case "Threads":
                return replace(self, threads=number)
            case "Hash":
                return replace(self, hash_mb=number)
            case "Network":
                return replace(self, network=None if text == DEFAULT_NETWORK else text)
            case "MultiPV":
                return replace(self, variations=number)
            case "Level":
                return replace(self, level=Level.parse(text))
            case "Seed":
                return replace(self, seed=number)
            case "OwnBook":
                return replace(self, uses_opening_book=text == ON)
            case "Draws":
                return replace(self, draws=None if text == AUTOMATIC else DrawPolicy(text))
            case "Mode":
                return replace(self, mode=Mode(text), layout=None)
            case "Layout":
                return replace(self, layout=text)
            case "Rules":
                return replace(self, rules=PRESETS[text])
        assert name in RULES
        return replace(self, rules=with_rule(self.rules, name, value))

    def check(self, held_mb: int) -> None:
        """Raise for an unknown layout, an unusable network, or a table that doesn't fit.

        `held_mb` is the size of the present table, which a new one would replace.
        """
        self.start()
        load(self.network)
        check_size(self.threads, self.hash_mb, held_mb)

    def start(self) -> Board:
        """Return the start position."""
        return Board(self.layout, self.mode, rules=self.rules)

    def engine(self) -> Engine:
        return Engine(self.threads, self.hash_mb, self.network)

    def draw_policy(self, limit: Limit) -> DrawPolicy:
        if self.draws is not None:
            return self.draws
        return DrawPolicy.EVEN if limit.is_endless else DrawPolicy.AVOIDED


class UgiSearch:
    """A search and the thread that reports it; while it ponders, its move is held back."""

    def __init__(
        self, board: Board, go: Go, analysis: Analysis, report: Callable[[UgiSearch], None]
    ) -> None:
        self.board = board
        self.go = go
        self.analysis = analysis
        self.reporter = threading.Thread(target=report, args=(self,), daemon=True)
        self.released = threading.Event()
        """Set once the move may be sent."""
        self.hit = False
        """The pondered move was played: another search sends the move."""

    def end(self) -> None:
        """Stop the search, and wait until everything is reported."""
        self.released.set()
        self.analysis.stop()
        self.reporter.join()


class UgiSession:
    """A UGI session: `handle` takes a line, answers go to `send`."""

    def __init__(self, send: Send) -> None:
        self._send_unlocked = send
        self._lock = threading.Lock()
        self._settings = UgiSettings()
        self._engine: Engine | None = None
        self._position: Board | None = self._settings.start()
        """None after an invalid `position`."""
        self._games = 0
        """Number of games started: varies the opening from game to game."""
        self._search: UgiSearch | None = None
        self._thinking = threading.Event()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._ugi,
            "isready": self._isready,
            "setoption": self._setoption,
            "newgame": self._newgame,
            "uginewgame": self._newgame,
            "position": self._set_position,
            "go": self._go,
            "ponderhit": self._ponderhit,
            "stop": self._stop,
            "query": self._query,
            "show": self._show,
        }

    def handle(self, line: str) -> bool:
        """Handle a line; return False for `quit`."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        command = self._commands.get(words[0])
        try:
            if command is None:
                raise EngineError(N_("unknown command {word!r}"), word=words[0])
            command(words[1:])
        except SumitoError as error:
            self._send_error(error)
        return True

    def wait(self) -> None:
        """Wait until the running search has sent its move."""
        if self._search is not None:
            self._search.reporter.join()

    def close(self) -> None:
        self._stop([])
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _send(self, text: str) -> None:
        with self._lock:
            self._send_unlocked(text)

    def _send_error(self, error: SumitoError) -> None:
        self._send(f"{ERROR} {' '.join(str(error).split())}")

    def _ugi(self, _: list[str]) -> None:
        self._send(f"id name Sumito {sumito.__version__}")
        self._send("id author the Sumito authors")
        for name, option in announced(self._held_mb).items():
            self._send(f"option name {name} {option}")
        self._send("ugiok")

    @property
    def _held_mb(self) -> int:
        return 0 if self._engine is None else self._settings.hash_mb

    def _isready(self, _: list[str]) -> None:
        self._send("readyok")

    def _setoption(self, words: list[str]) -> None:
        if len(words) < 4 or words[0] != "name" or words[2] != "value":
            raise EngineError(N_("usage: setoption name <name> value <value>"))
        name = next((known for known in OPTIONS if known.lower() == words[1].lower()), None)
        if name is None:
            raise EngineError(
                N_("no option {name!r}; there are {known}"), name=words[1], known=tuple(OPTIONS)
            )
        option = announced(self._held_mb)[name]
        settings = self._settings.changed(name, option.parse(" ".join(words[3:])))
        self._check_idle()
        settings.check(self._held_mb)
        if name in ("Threads", "Hash", "Network") and self._engine is not None:
            self._engine.close()
            self._engine = None
        self._settings = settings

    def _newgame(self, _: list[str]) -> None:
        self._check_idle()
        if self._engine is not None:
            self._engine.clear()
        self._games += 1
        self._position = self._settings.start()

    @property
    def _board(self) -> Board:
        if self._position is None:
            raise EngineError(N_("no position is set: the last `position` command was refused"))
        return self._position

    def _set_position(self, words: list[str]) -> None:
        self._position = None
        self._check_idle()
        at = words.index("moves") if "moves" in words else len(words)
        setup, moves = words[:at], words[at + 1 :]
        if setup == ["startpos"]:
            board = self._settings.start()
        elif setup[:1] == ["fen"]:
            board = Board.parse(" ".join(setup[1:]), rules=self._settings.rules)
        else:
            raise EngineError(N_("usage: position startpos|fen <position> [moves <move> …]"))
        for number, move in enumerate(moves, 1):
            try:
                board.push_text(move)
            except SumitoError as error:
                raise EngineError(
                    N_("move {number}: {problem}"), number=number, problem=error.sentence
                ) from None
        self._position = board

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
            raise EngineError(N_("usage: query gameover|p1turn|result"))
        self._send(f"response {answer}")

    def _show(self, _: list[str]) -> None:
        self._send(f"info string {self._board.position!s}")

    def _go(self, words: list[str]) -> None:
        self._check_idle()  # the running search sends its own move
        try:
            board = self._board
            go = Go.parse(words, board)
            if board.outcome() is None:
                self._think(board, go, ponders=go.ponders)
                return
            self._send("info string the game is over")
        except SumitoError as error:
            self._send_error(error)
        self._send(bestmove_text(()))

    def _think(self, board: Board, go: Go, *, ponders: bool) -> None:
        """Search within the limit, or without one while the other side is to move."""
        settings = self._settings
        if self._engine is None:
            self._engine = settings.engine()
        limit = Limit() if ponders else go.limit
        request = SearchRequest(
            board.copy(),
            limit,
            settings.variations,
            settings.level,
            settings.seed,
            settings.draw_policy(go.limit),
            go.root_moves,
        )
        if settings.uses_opening_book and not limit.is_endless:
            request = request.apply_opening_book(settings.seed + self._games)
        analysis = self._engine.search(request)
        self._search = UgiSearch(board, go, analysis, self._report)
        if not ponders:
            self._search.released.set()
        self._thinking.set()
        self._search.reporter.start()

    def _report(self, search: UgiSearch) -> None:
        with suppress(OSError):  # the client is gone
            try:
                lines = self._report_lines(search.analysis)
                search.released.wait()
            finally:
                # A client may ask for the next move as soon as it has this one.
                if not search.hit:
                    self._thinking.clear()
            if not search.hit:
                self._send(bestmove_text(lines[0].pv if lines else ()))

    def _report_lines(self, analysis: Analysis) -> Variations:
        lines: Variations = ()
        try:
            for lines in analysis:
                for rank, line in enumerate(lines, 1):
                    self._send(info_text(line, rank))
        except SumitoError as error:
            self._send_error(error)
        return lines

    def _ponderhit(self, _: list[str]) -> None:
        """Continue the pondered search within the limit, with all that was found."""
        search = self._search
        if search is None or search.released.is_set():
            raise EngineError(N_("not pondering; send go ponder first"))
        search.hit = True
        search.end()
        self._think(search.board, search.go, ponders=False)

    def _stop(self, _: list[str]) -> None:
        if self._search is not None:
            self._search.end()
        self._search = None

    def _check_idle(self) -> None:
        """Raise if a search is running: commands that change its input don't wait."""
        if self._thinking.is_set():
            raise EngineError(N_("a search is running; send stop first"))


def run(lines: Iterable[str] | None = None, send: Send | None = None) -> None:
    """Run a session until `quit` or the end of the input."""
    session = UgiSession(send or _print)
    try:
        for line in sys.stdin if lines is None else lines:
            if not session.handle(line):
                break
    finally:
        session.close()


def _print(text: str) -> None:
    print(text, flush=True)


def _truth(value: bool) -> str:
    return "true" if value else "false"
