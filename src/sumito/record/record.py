"""A record: the tags of a game and its moves, as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from typing import Protocol

from sumito.board import Board
from sumito.errors import RecordError
from sumito.modes import Colour, Mode
from sumito.move import Move
from sumito.notation import Notation
from sumito.position import Position
from sumito.record import tags as tagging
from sumito.record.tree import Line, Node, depart
from sumito.rules import RULEBOOK, Outcome, Rules


@dataclass(frozen=True)
class Record:
    """A game written down. What its tags say is worked out when asked for."""

    tags: dict[str, str]
    """All tags in order, those we don't know too."""
    line: Line = field(default_factory=Line)
    """The game itself, variations inside."""
    errors: tuple[RecordError, ...] = field(default=(), compare=False)
    """What was wrong, if the record was read with `errors="collect"`."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The moves of the game with all that is said about them."""
        return self.line.nodes

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(node.move for node in self.line.nodes)

    @property
    def comments(self) -> tuple[str, ...]:
        return tuple(node.comment for node in self.line.nodes)

    @property
    def clocks(self) -> tuple[int | None, ...]:
        """Milliseconds left after each move to the player who made it."""
        return tuple(node.clock for node in self.line.nodes)

    @property
    def evals(self) -> tuple[float | None, ...]:
        return tuple(node.eval for node in self.line.nodes)

    @property
    def outs(self) -> dict[int, tuple[Colour, ...]]:
        """Who left the game, by the number of moves played before."""
        lists = (self.line.outs, *(node.outs for node in self.line.nodes))
        return {plies: outs for plies, outs in enumerate(lists) if outs}

    @cached_property
    def mode(self) -> Mode:
        return tagging.mode_of(self.tags)

    @cached_property
    def rules(self) -> Rules:
        return tagging.rules_of(self.tags)

    @cached_property
    def notation(self) -> Notation:
        return tagging.notation_of(self.tags)

    @cached_property
    def start(self) -> Position:
        return tagging.start_of(self.tags)

    @property
    def result(self) -> str:
        return tagging.result_of(self.tags)

    def board(self) -> Board:
        """The board before the first move."""
        board = Board.at(self.start, rules=self.rules)
        depart(board, self.line.outs)
        return board

    def boards(self) -> Iterator[Board]:
        """The board before the first move and after each one, every one a board of its own."""
        board = self.board()
        yield board.copy()
        for node in self.line.nodes:
            board.push(node.move)
            depart(board, node.outs)
            yield board.copy()

    @classmethod
    def from_moves(
        cls,
        start: Position,
        moves: Iterable[Move],
        *,
        rules: Rules = RULEBOOK,
        clocks: Sequence[int | None] = (),
        outs: Mapping[int, tuple[Colour, ...]] | None = None,
        tags: Mapping[str, str] | None = None,
        result: str | Outcome | None = None,
    ) -> Record:
        """A record from what a program knows of a game.

        `clocks` holds one time a move, or nothing; `outs` tells who left, by the number of moves
        played before. Without a result the tag `Result` gives it, or else the final board. Where
        the game begins is told by `start` alone, whatever the tags say.
        """
        moves, tags, outs = tuple(moves), dict(tags or {}), dict(outs or {})
        if clocks and len(clocks) != len(moves):
            raise RecordError(f"there are {len(moves)} moves, but {len(clocks)} clock times")
        if any(not 0 <= plies <= len(moves) for plies in outs):
            raise RecordError(f"someone leaves at ply {max(outs)}; there are {len(moves)}")
        line = Line(outs=tuple(outs.get(0, ()))).after(
            Node(move, clock=clock, outs=tuple(outs.get(plies, ())))
            for plies, (move, clock) in enumerate(zip_longest(moves, clocks), 1)
        )
        facts = tagging.start_tags(start, rules)
        players = {colour.name.capitalize() for colour in start.mode.colours}
        wanted = {*tagging.MANDATORY, *players}
        usual = {name: text for name, text in tagging.UNKNOWN.items() if name in wanted}
        usual["Notation"] = tagging.NOTATIONS[Notation.ABA_PRO]
        tags = usual | tags | facts
        result = tags.get("Result") if result is None else result
        if not isinstance(result, str):
            *_, final = cls(tags, line).boards()
            outcome = result or final.outcome()
            result = tagging.result_text(outcome, final)
            if outcome is not None:
                tags.setdefault("Termination", outcome.reason)
        return cls(tagging.in_order(tags | {"Result": result}), line)

    @classmethod
    def from_board(
        cls,
        board: Board,
        tags: Mapping[str, str] | None = None,
        *,
        result: str | Outcome | None = None,
    ) -> Record:
        """A record of how a board came about; it begins where the board's history does."""
        twin, moves = board.copy(), []
        while True:
            try:
                moves.append(twin.pop())
            except IndexError:
                break
        start = twin.position
        return cls.from_moves(start, reversed(moves), rules=board.rules, tags=tags, result=result)

    @classmethod
    def from_game(cls, game: Played, tags: Mapping[str, str] | None = None) -> Record:
        """A record of a game in progress or at its end."""
        known = {colour.name.capitalize(): name for colour, name in game.seats.items()}
        known["TimeControl"] = str(game.setup.control)
        outs: dict[int, tuple[Colour, ...]] = {}
        for leaving in game.leavings:
            outs[leaving.plies] = (*outs.get(leaving.plies, ()), leaving.seat)
        return cls.from_moves(
            game.start,
            [ply.move for ply in game.plies],
            rules=game.rules,
            clocks=[ply.clock for ply in game.plies],
            outs=outs,
            tags=known | dict(tags or {}),
            result=game.outcome,
        )


class _Ply(Protocol):
    """A move that stands, and what the clock of its player showed after it."""

    @property
    def move(self) -> Move: ...
    @property
    def clock(self) -> int | None: ...


class _Leaving(Protocol):
    """Someone left while the others played on, after so many plies."""

    @property
    def seat(self) -> Colour: ...
    @property
    def plies(self) -> int: ...


class _Setup(Protocol):
    @property
    def control(self) -> object: ...


class Played(Protocol):
    """What a game must tell to be written down."""

    @property
    def seats(self) -> Mapping[Colour, str]: ...
    @property
    def setup(self) -> _Setup: ...
    @property
    def start(self) -> Position: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def plies(self) -> Sequence[_Ply]: ...
    @property
    def leavings(self) -> Sequence[_Leaving]: ...
    @property
    def outcome(self) -> Outcome | None: ...
