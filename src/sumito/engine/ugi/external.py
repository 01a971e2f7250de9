"""Any engine that speaks UGI, driven from Python as a process of its own."""

from __future__ import annotations

import contextlib
import queue
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from sumito.board import Board
from sumito.engine.limit import Limit
from sumito.engine.score import Line, Score
from sumito.errors import EngineClosedError, EngineError, SumitoError
from sumito.move import Move

HANDSHAKE_SECONDS: Final = 30.0
"""How long an engine may take to say `ugiok` or `readyok`."""

GRACE_SECONDS: Final = 10.0
"""How long an answer may come after the time the engine was given."""

_END: Final = None


class External:
    """An engine program; `command` is a list, or one line as a shell would have it.

    Use it as a context manager, or call `close`: the process ends with it.
    """

    def __init__(
        self, command: str | Sequence[str], options: dict[str, str | int] | None = None
    ) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        self.name = self.command[0] if self.command else ""
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._last_words: deque[str] = deque(maxlen=5)
        try:
            self._process = subprocess.Popen(  # noqa: S603  (running a program is the point)
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except (OSError, IndexError, ValueError) as error:
            raise EngineError(f"can't start {' '.join(self.command)!r}: {error}") from None
        self._readers = [
            threading.Thread(target=target, daemon=True)
            for target in (self._read_answers, self._read_complaints)
        ]
        for reader in self._readers:
            reader.start()
        try:
            self._greet(options or {})
        except BaseException:
            self.close()
            raise

    def _greet(self, options: dict[str, str | int]) -> None:
        self._send("ugi")
        for line in self._until("ugiok", HANDSHAKE_SECONDS):
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")
        for name, value in options.items():
            self._send(f"setoption name {name} value {value}")
        self._ready()

    def newgame(self) -> None:
        """Tell the engine that the next position is another game's."""
        self._send("uginewgame")
        self._ready()

    def play(self, board: Board, limit: Limit) -> Line:
        """The engine's move, which must be legal."""
        moves = board.moves
        start = board.copy()
        for _ in moves:
            start.pop()
        played = f" moves {' '.join(map(str, moves))}" if moves else ""
        self._send(f"position fen {start.position!s}{played}")
        began = time.monotonic()
        self._send(f"go {_go_words(limit, board)}")
        last = Line(_ANY, Score(0), 0, 0, 0.0, ())
        for line in self._until("bestmove", _patience(limit)):
            if line.startswith("info ") and " pv " in line:
                last = _parse_info(line, last)
            elif line.startswith("bestmove"):
                return self._chosen(board, line, last, time.monotonic() - began)
        raise AssertionError("bestmove ends the wait")

    def _chosen(self, board: Board, line: str, last: Line, seconds: float) -> Line:
        text = line.removeprefix("bestmove").split()
        try:
            move = board.parse_move(text[0] if text else "")
        except SumitoError as error:
            raise EngineError(f"{self.name} played what it may not: {error}") from None
        pv = last.pv if last.pv[:1] == (move,) else (move,)
        return Line(move, last.score, last.depth, last.nodes, seconds, pv)

    def stop(self) -> None:
        """Ask for an answer now."""
        self._send("stop")

    def close(self) -> None:
        """End the process: with `quit`, then by force. Closing twice is fine."""
        with contextlib.suppress(EngineError):
            self._send("stop")
            self._send("quit")
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._gone() from None

    def _ready(self) -> None:
        self._send("isready")
        for _ in self._until("readyok", HANDSHAKE_SECONDS):
            pass

    def _until(self, word: str, seconds: float | None) -> list[str]:
        """The lines up to the one that starts with a word, that one included."""
        lines: list[str] = []
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            try:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                line = self._answers.get(timeout=left)
            except queue.Empty:
                raise EngineError(
                    f"{self.name} didn't say {word} within {seconds:.0f} seconds"
                ) from None
            if line is _END:
                raise self._gone()
            lines.append(line)
            if line.split(" ", 1)[0] == word:
                return lines

    def _gone(self) -> EngineClosedError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        for reader in self._readers:
            reader.join(1.0)
        said = f"; it said: {' / '.join(self._last_words)}" if self._last_words else ""
        return EngineClosedError(f"{self.name} has ended (code {self._process.poll()}){said}")

    def _read_answers(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError):
            for line in self._process.stdout:
                self._answers.put(line.strip())
        self._answers.put(_END)

    def _read_complaints(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(ValueError):
            for line in self._process.stderr:
                self._last_words.append(line.strip())


_ANY: Final = Move.of(0)


def _patience(limit: Limit) -> float | None:
    if limit.time is not None:
        return limit.time + GRACE_SECONDS
    if limit.clock is not None:
        return limit.clock.remaining + limit.clock.increment + GRACE_SECONDS
    return None


def _go_words(limit: Limit, board: Board) -> str:
    words = []
    if limit.time is not None:
        words.append(f"movetime {round(limit.time * 1000)}")
    if limit.nodes is not None:
        words.append(f"nodes {limit.nodes}")
    if limit.depth is not None:
        words.append(f"depth {limit.depth}")
    if limit.clock is not None:
        player = board.mode.order.index(board.turn) + 1
        words.append(f"p{player}time {round(limit.clock.remaining * 1000)}")
        words.append(f"p{player}inc {round(limit.clock.increment * 1000)}")
        if limit.clock.moves is not None:
            words.append(f"movestogo {limit.clock.moves}")
    return " ".join(words) or "infinite"


def _parse_info(line: str, last: Line) -> Line:
    """What an engine says on the way; what can't be read is left as it was."""
    words = line.split()
    try:
        pv = tuple(Move.parse(word) for word in words[words.index("pv") + 1 :])
        depth = int(words[words.index("depth") + 1])
        nodes = int(words[words.index("nodes") + 1]) if "nodes" in words else last.nodes
        at = words.index("score")
        kind, value = words[at + 1], int(words[at + 2])
        if kind == "mate":
            score = Score.win(2 * value - 1) if value > 0 else Score.loss(-2 * value)
        else:
            score = Score(value)
    except (ValueError, IndexError):
        return last
    if "multipv" in words and words[words.index("multipv") + 1] != "1":
        return last
    return Line(pv[0] if pv else last.move, score, depth, nodes, 0.0, pv)
