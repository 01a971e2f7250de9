"""The UGI messages of a search: `position` and `go` to an engine, `info` and `bestmove` back.

Each message is written and parsed here, so that both ends of the protocol agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sumito.engine.limit import MOST_DEPTH, MOST_NODES, MOST_SECONDS, Limit, TimeLeft
from sumito.engine.score import Score, Variation
from sumito.engine.ugi.options import parse_whole
from sumito.errors import EngineError, SumitoError
from sumito.i18n.messages import N_
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move

NO_MOVE: Final = "none"
"""The move in `bestmove` after a refused `go` or in a finished game."""
ERROR: Final = "info string error:"
"""The prefix of an engine's error lines."""

_MOST_MS: Final = MOST_SECONDS * 1000
_BOUNDS: Final = {
    "movetime": _MOST_MS,
    "nodes": MOST_NODES,
    "depth": MOST_DEPTH,
    "movestogo": MOST_DEPTH,
    **{f"p{player}{what}": _MOST_MS for player in range(1, 5) for what in ("time", "inc")},
    **{f"{colour.letter}{what}": _MOST_MS for colour in Colour for what in ("time", "inc")},
}
"""The words of `go` that take a number, with its maximum."""


def position_text(board: Board) -> str:
    """Return the `position` line of a board with its history."""
    moves = board.moves
    start = board.copy()
    for _ in moves:
        start.pop()
    played = f" moves {' '.join(map(str, moves))}" if moves else ""
    return f"position fen {start.position!s}{played}"


@dataclass(frozen=True, slots=True)
class Go:
    """The arguments of `go`."""

    limit: Limit
    root_moves: tuple[Move, ...] = ()
    ponders: bool = False
    """Whether to search in the opponent's time: the limit applies from `ponderhit` on."""

    def text(self, board: Board) -> str:
        """Return the `go` line; the clock is that of the player to move."""
        limit = self.limit
        words = ["go", "ponder"] if self.ponders else ["go"]
        if limit.time is not None:
            words.append(f"movetime {limit.milliseconds}")
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
        if limit.is_endless:
            words.append("infinite")
        if self.root_moves:  # last, since its moves extend to the end of the line
            words.append(f"searchmoves {' '.join(map(str, self.root_moves))}")
        return " ".join(words)

    @classmethod
    def parse(cls, words: list[str], board: Board) -> Go:
        """Parse the words after `go`; the first limit reached ends the search.

        Without any, or with `infinite`, it goes on until `stop`.
        """
        at = words.index("searchmoves") if "searchmoves" in words else len(words)
        root_moves = tuple(board.parse_move(word) for word in words[at + 1 :])
        if at < len(words) and not root_moves:
            raise EngineError(N_("go searchmoves needs at least one move"))
        ponders = "ponder" in words[:at]
        numbers = _numbers([word for word in words[:at] if word not in ("infinite", "ponder")])
        return cls(
            Limit(
                time=_seconds(numbers.get("movetime")),
                nodes=_at_least_one(numbers.get("nodes")),
                depth=_at_least_one(numbers.get("depth")),
                clock=_clock(numbers, board),
            ),
            root_moves,
            ponders,
        )


def _at_least_one(limit: int | None) -> int | None:
    """Return a limit of at least 1: `go depth 0` is a minimal search, not an endless one."""
    return None if limit is None else max(1, limit)


def _numbers(words: list[str]) -> dict[str, int]:
    numbers = {}
    for name, text in zip(words[::2], [*words[1::2], ""], strict=False):
        if name not in _BOUNDS:
            raise EngineError(N_("unknown word {word!r} after go"), word=name)
        try:
            # A clock that is past its time is at 0.
            numbers[name] = max(0, parse_whole(text, -_BOUNDS[name], _BOUNDS[name]))
        except EngineError:
            raise EngineError(
                N_("go {word} needs a whole number up to {most}, not {text!r}"),
                word=name,
                most=_BOUNDS[name],
                text=text,
            ) from None
    return numbers


def _seconds(ms: int | None) -> float | None:
    return None if ms is None else ms / 1000


def _clock(numbers: dict[str, int], board: Board) -> TimeLeft | None:
    player = board.mode.order.index(board.turn) + 1
    for prefix in (f"p{player}", board.turn.letter):
        if f"{prefix}time" in numbers:
            return TimeLeft(
                numbers[f"{prefix}time"] / 1000,
                numbers.get(f"{prefix}inc", 0) / 1000,
                numbers.get("movestogo") or None,
            )
    return None


def info_text(line: Variation, rank: int) -> str:
    """Return the `info` line of a variation; `rank` is 1 for the best."""
    return (
        f"info depth {line.depth} seldepth {line.selective_depth} multipv {rank} "
        f"score {_score_text(line.score)} nodes {line.nodes} nps {line.nodes_per_second} "
        f"time {round(line.time * 1000)} pv {' '.join(map(str, line.pv))}"
    )


def parse_info(text: str, side: Colour, mode: Mode) -> tuple[int, Variation] | None:
    """Return the rank and the variation of an `info` line; `None` if it has no variation.

    >>> from sumito import BLACK
    >>> rank, line = parse_info("info depth 3 score cp 25 nodes 77 pv a1b2", BLACK, Mode.TWO)
    >>> rank, str(line)
    (1, '+0.25 depth 3: a1b2')
    """
    words = text.split()
    if words[:1] != ["info"] or "pv" not in words or "score" not in words or "string" in words:
        return None
    at = words.index("pv")
    fields, moves = words[1:at], words[at + 1 :]
    try:
        pv = tuple(map(Move.parse, moves))
        numbers = {
            name: int(fields[fields.index(name) + 1])
            for name in ("depth", "seldepth", "multipv", "nodes", "time")
            if name in fields
        }
        kind, value = fields[fields.index("score") + 1 :][:2]
        score = _parse_score(kind, int(value), side, mode)
    except (SumitoError, ValueError, IndexError):
        return None
    if not pv:
        return None
    return numbers.get("multipv", 1), Variation(
        pv[0],
        score,
        numbers.get("depth", 0),
        numbers.get("nodes", 0),
        numbers.get("time", 0) / 1000,
        pv,
        numbers.get("seldepth", 0),
    )


def _score_text(score: Score) -> str:
    """Return the score; UCI counts mates in moves of the winning side, so in pairs of plies."""
    if score.plies is None:
        return f"cp {score.value}"
    moves = (score.plies + 1) // 2
    return f"mate {moves if score.is_win else -moves}"


def _parse_score(kind: str, value: int, side: Colour, mode: Mode) -> Score:
    if kind != "mate":
        return Score(max(-99_999, min(99_999, value)), side, mode)
    moves = min(abs(value), 400)
    if value > 0:
        return Score.win(2 * moves - 1, side, mode)
    return Score.loss(2 * moves, side, mode)


def bestmove_text(pv: Sequence[Move]) -> str:
    """Return the `bestmove` line: the first expected move, and the reply to ponder on."""
    if len(pv) < 2:
        return f"bestmove {pv[0] if pv else NO_MOVE}"
    return f"bestmove {pv[0]} ponder {pv[1]}"
