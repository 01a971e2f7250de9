"""`UgiEngine`: an adapter for UGI engines that run as separate processes."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final

from sumito.engine.analysis import Search, Variations
from sumito.engine.base import BaseEngine
from sumito.engine.limit import Limit
from sumito.engine.request import SearchRequest
from sumito.engine.score import Score, Variation
from sumito.engine.ugi.messages import ERROR, NO_MOVE, Go, parse_info, position_text
from sumito.engine.ugi.options import parse_announcement, rule_values
from sumito.errors import EngineClosedError, EngineError, SumitoError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.move import Move

HANDSHAKE_SECONDS: Final = 15.0
"""The timeout for `ugiok` and `readyok`, in seconds."""

LEAST_GRACE: Final = 1.0
MOST_GRACE: Final = 10.0
"""Bounds of the grace period for an answer, which else is as long as the time limit."""


class _Signal(Enum):
    """A signal in the queue in place of a line of the program."""

    ENDED = "ended"
    STOPPED = "stopped"


class UgiEngine(BaseEngine):
    """An engine program; `command` is a list, or one line as a shell would have it.

    Use it as a context manager, or call `close`: the process ends with it. The rule set of
    every board and the search options are sent as the options that the program announces.
    """

    MAX_VARIATIONS = 64

    def __init__(
        self,
        command: str | Sequence[str],
        options: Mapping[str, str | int] | None = None,
        *,
        started: Callable[[UgiEngine], object] = lambda _: None,
    ) -> None:
        """Start the program and wait for `ugiok`; `started` is called in between, so that another
        thread can `kill` a program that doesn't answer.
        """
        super().__init__()
        self.command = _split(command)
        self.name = self.command[0] if self.command else ""
        self._announced: dict[str, str | None] = {}
        """The defaults of the announced options, by name."""
        self._initial = {name: str(value) for name, value in (options or {}).items()}
        self._options_sent: dict[str, str] = {}
        self._answers: queue.SimpleQueue[str | _Signal] = queue.SimpleQueue()
        self._last_words: deque[str] = deque(maxlen=5)
        self._searching: Search | None = None
        """The search in progress."""
        self._awaits_bestmove = False
        self._writing = threading.Lock()
        self._process = _start_process(self.command)
        self._readers = [
            threading.Thread(target=target, daemon=True)
            for target in (self._read_answers, self._read_complaints)
        ]
        for reader in self._readers:
            reader.start()
        try:
            started(self)
            self._greet()
        except BaseException:
            self.close()
            raise

    def _greet(self) -> None:
        self._send("ugi")
        for line in self._until("ugiok", HANDSHAKE_SECONDS):
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")
            announced = parse_announcement(line)
            if announced is not None:
                self._announced[announced[0]] = announced[1]
        for name, value in self._initial.items():
            self._set_option(name, value)
        self._wait_until_ready()

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options that the program announces."""
        return tuple(self._announced)

    def _start_search(
        self, request: SearchRequest
    ) -> tuple[Callable[[Search], Variations], Callable[[], None]]:
        options = self._options_for(request)

        def work(search: Search) -> Variations:
            return self._run(search, request, options)

        return work, self._halt

    def _options_for(self, request: SearchRequest) -> dict[str, str]:
        """Return the options to set for a search; raise `EngineError` if the program lacks one.

        Options for the rules and for draws are only sent to programs that announce them.
        """
        options: dict[str, object] = {**rule_values(request.board.rules), "Draws": request.draws}
        if request.level is not None:
            if "Level" not in self._announced:
                raise EngineError(N_("{program} has no levels"), program=self.name)
            options |= {"Level": request.level, "Seed": request.seed % 2**63}
        if request.variations > 1:
            if "MultiPV" not in self._announced:
                raise EngineError(N_("{program} supports only one variation"), program=self.name)
            options["MultiPV"] = request.variations
        return {name: str(value) for name, value in options.items() if name in self._announced}

    def _run(self, search: Search, request: SearchRequest, options: dict[str, str]) -> Variations:
        board, go = request.board, Go(request.limit, request.root_moves)
        if self._awaits_bestmove:
            self._wait_until_ready()  # skips a late answer to the previous search
            self._awaits_bestmove = False
        for name in {**self._options_sent, **options}:
            default = self._initial.get(name, self._announced.get(name))
            value = options.get(name, default)
            if value is not None and value != self._options_sent.get(name, default):
                self._set_option(name, value)
        self._send(position_text(board))
        began, complaint = time.monotonic(), ""
        self._searching, self._awaits_bestmove = search, True
        try:
            self._send(go.text(board))
            if search.is_stopped:
                self._send("stop")
            found = _ProgramReports(board, request.variations, search)
            for line in self._until("bestmove", _patience(go.limit)):
                if line.startswith("bestmove"):
                    self._awaits_bestmove = False
                    move = self._chosen(board, go, line, complaint)
                    return found.finish(move, time.monotonic() - began)
                if line.startswith(ERROR):
                    complaint = line.removeprefix(ERROR).strip()
                found.add(line)
        finally:
            self._searching = None
        raise AssertionError("bestmove ends the wait")

    def _chosen(self, board: Board, go: Go, line: str, complaint: str) -> Move:
        text = line.removeprefix("bestmove").split()
        if complaint and text[:1] == [NO_MOVE]:
            raise EngineError(
                N_("{program} refused to search: {problem}"), program=self.name, problem=complaint
            )
        try:
            move = board.parse_move(text[0] if text else "")
        except SumitoError as error:
            raise EngineError(
                N_("{program} played an illegal move: {problem}"),
                program=self.name,
                problem=error.sentence,
            ) from None
        if go.root_moves and move not in go.root_moves:
            raise EngineError(
                N_("{program} played {move}, which the search was not allowed to choose"),
                program=self.name,
                move=move,
            )
        return move

    def _halt(self) -> None:
        if self._searching is not None:
            with contextlib.suppress(EngineError):
                self._send("stop")
            self._answers.put(_Signal.STOPPED)

    def _reset(self) -> None:
        self._send("uginewgame")
        self._wait_until_ready()
        self._awaits_bestmove = False

    def kill(self) -> None:
        """Kill the process, from any thread; waiting callers get an `EngineClosedError`."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)  # with its child processes
            else:  # Windows has no process groups
                self._process.kill()

    def _release(self) -> None:
        """End the process with `quit`, or kill it if it doesn't end."""
        with contextlib.suppress(EngineError):
            self._send("stop")
            self._send("quit")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _set_option(self, name: str, value: str) -> None:
        self._send(f"setoption name {name} value {value}")
        self._options_sent[name] = value

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended_error() from None

    def _wait_until_ready(self) -> None:
        self._send("isready")
        for _ in self._until("readyok", HANDSHAKE_SECONDS):
            pass

    def _until(self, word: str, seconds: float | None) -> Iterator[str]:
        """Yield the lines up to and including the one that starts with `word`."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            try:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                line = self._answers.get(timeout=left)
            except queue.Empty:
                raise EngineError(
                    N_("{program} did not send {word} within {seconds:g} s"),
                    program=self.name,
                    word=word,
                    seconds=seconds,
                ) from None
            if line is _Signal.ENDED:
                raise self._ended_error()
            if line is _Signal.STOPPED:
                if self._searching is not None and self._searching.is_stopped:  # not one before
                    stopped = time.monotonic() + LEAST_GRACE
                    deadline = stopped if deadline is None else min(deadline, stopped)
            elif isinstance(line, str):
                yield line
                if line.split(" ", 1)[0] == word:
                    return

    def _ended_error(self) -> EngineClosedError:
        self._answers.put(_Signal.ENDED)  # stays queued for the next caller
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        for reader in self._readers:
            reader.join(1.0)
        if not self._last_words:
            return EngineClosedError(
                N_("{program} has ended (code {number})"),
                program=self.name,
                number=self._process.poll(),
            )
        return EngineClosedError(
            N_("{program} has ended (code {number}); its last output: {output}"),
            program=self.name,
            number=self._process.poll(),
            output=tuple(self._last_words),
        )

    def _read_answers(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError):
            for line in self._process.stdout:
                self._answers.put(line.strip())
        self._answers.put(_Signal.ENDED)

    def _read_complaints(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(ValueError):
            for line in self._process.stderr:
                self._last_words.append(line.strip())


class _ProgramReports:
    """Collects a program's `info` lines into the variations of each depth."""

    def __init__(self, board: Board, lines: int, search: Search) -> None:
        self._side, self._mode = board.mode.side(board.turn), board.mode
        self._legal = set(board.legal_moves)
        self._max_rank = min(lines, len(self._legal))
        self._search = search
        self._found: dict[int, Variation] = {}

    def add(self, text: str) -> None:
        info = parse_info(text, self._side, self._mode)
        if info is None or info[1].move not in self._legal:
            return
        rank, line = info
        self._found[rank] = line
        if rank == self._max_rank:
            self._search.report(self._ranked())

    def finish(self, move: Move, seconds: float) -> Variations:
        """Return the variations, the one of the chosen move first."""
        lines = self._ranked()
        best = next((line for line in lines if line.move is move), None)
        if best is None:
            best = Variation(move, Score(0, self._side, self._mode), 0, 0, seconds, (move,))
        final = (best, *(line for line in lines if line is not best))[: self._max_rank]
        self._search.report(final)
        return final

    def _ranked(self) -> Variations:
        return tuple(self._found[rank] for rank in sorted(self._found) if rank <= self._max_rank)


def _split(command: str | Sequence[str]) -> list[str]:
    try:
        return shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise EngineError(
            N_("can't start {command!r}: {reason}"), command=command, reason=error
        ) from None


def _start_process(command: list[str]) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(  # noqa: S603  (running a program is the point)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
            # Ctrl-C is handled here; the program is asked to quit.
            process_group=0 if os.name == "posix" else None,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except (OSError, IndexError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise EngineError(
            N_("can't start {command!r}: {reason}"), command=" ".join(command), reason=reason
        ) from None


def _patience(limit: Limit) -> float | None:
    """Return the timeout for an answer in seconds; `None` if the limit has no time."""
    times = [] if limit.time is None else [limit.time]
    if limit.clock is not None:
        times.append(limit.clock.remaining + limit.clock.increment)
    if not times:
        return None
    allowed = min(times)
    return allowed + min(MOST_GRACE, max(LEAST_GRACE, allowed))
