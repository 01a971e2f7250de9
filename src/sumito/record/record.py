"""A record: the tags of a game and the tree of its moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar

from sumito.errors import RecordError, check_kind
from sumito.i18n.messages import N_, NN_
from sumito.position import Position
from sumito.record import tags as tagging
from sumito.record.tree import Node, flattened, let_leave, unflattened
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move, not_a_move
from sumito.rules.notations import Notation
from sumito.rules.rules import RULEBOOK, UNDECIDED, Outcome, Rules

if TYPE_CHECKING:
    from sumito.game import Game


class Record:
    """A game written down: `tags`, and from `root` on the moves. Both can be edited."""

    __hash__: ClassVar[None]  # type: ignore[assignment]

    tags: dict[str, str]
    """All tags in order, those we don't know too."""
    root: Node
    """The node before the first move."""
    errors: tuple[RecordError, ...]
    """What was wrong, if the record was read with `errors="collect"`."""

    def __init__(
        self,
        tags: Mapping[str, str],
        root: Node | None = None,
        errors: Iterable[RecordError] = (),
    ) -> None:
        check_kind("tags", tags, Mapping)
        if root is not None:
            check_kind("root", root, Node)
        self.tags = dict(tags)
        self.root = root or Node()
        self.root._record = self
        self.errors = tuple(errors)

    # The game itself.

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The moves of the game with all that is said about them."""
        return tuple(self.root.line())

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(node.move for node in self.root.line() if node.move is not None)

    @property
    def comments(self) -> tuple[str, ...]:
        return tuple(node.comment for node in self.root.line())

    @property
    def clocks(self) -> tuple[int | None, ...]:
        """Milliseconds left after each move to the player who made it."""
        return tuple(node.clock for node in self.root.line())

    @property
    def evaluations(self) -> tuple[float | None, ...]:
        return tuple(node.evaluation for node in self.root.line())

    @property
    def outs(self) -> dict[int, tuple[Colour, ...]]:
        """Who left the game, by the number of moves played before."""
        lists = (self.root.outs, *(node.outs for node in self.root.line()))
        return {plies: outs for plies, outs in enumerate(lists) if outs}

    # What the tags say.

    @property
    def mode(self) -> Mode:
        return tagging.mode_of(self.tags)

    @property
    def rules(self) -> Rules:
        return tagging.rules_of(self.tags)

    @property
    def notation(self) -> Notation:
        return tagging.notation_of(self.tags)

    @property
    def start(self) -> Position:
        """Where the game begins."""
        return tagging.start_of(self.tags)

    @property
    def result(self) -> str:
        return tagging.result_of(self.tags)

    def board(self) -> Board:
        """The board before the first move."""
        board = Board.at(self.start, rules=self.rules)
        let_leave(board, self.root.outs)
        return board

    def boards(self) -> Iterator[Board]:
        """The board before the first move and after each one, every one a board of its own."""
        board = self.board()
        yield board.copy()
        for node in self.root.line():
            assert node.move is not None
            board.push(node.move)
            let_leave(board, node.outs)
            yield board.copy()

    def __eq__(self, other: object) -> bool:
        """The same tags and the same tree; what was wrong with it doesn't count."""
        if not isinstance(other, Record):
            return NotImplemented
        return self.tags == other.tags and flattened(self.root) == flattened(other.root)

    def __reduce__(self) -> tuple[Any, ...]:
        # A tree as deep as a game is long would exhaust the stack.
        return _rebuilt, (type(self), self.tags, flattened(self.root), self.errors)

    def __repr__(self) -> str:
        players = " – ".join(
            self.tags.get(name, "?") for name in ("Black", "White", "Red", "Blue")[: self._seats()]
        )
        return f"<Record {players}: {len(self.moves)} moves, {self.tags.get('Result', '?')}>"

    def _seats(self) -> int:
        return sum(colour.name.capitalize() in self.tags for colour in Colour) or 2

    # Making one.

    @classmethod
    def begin(cls, board: Board | None = None, tags: Mapping[str, str] | None = None) -> Record:
        """An empty record to add moves to; it begins where the board stands."""
        board = Board() if board is None else board
        check_kind("board", board, Board)
        return cls.from_moves(board.position, (), rules=board.rules, tags=tags, result="*")

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
        check_kind("start", start, Position)
        check_kind("rules", rules, Rules)
        check_kind("moves", moves, Iterable)
        check_kind("clocks", clocks, Sequence)
        check_kind("tags", tags, (Mapping, type(None)))
        check_kind("outs", outs, (Mapping, type(None)))
        check_kind("result", result, (str, Outcome, type(None)))
        moves, tags, outs = tuple(moves), dict(tags or {}), dict(outs or {})
        for move in moves:
            if not isinstance(move, Move):
                raise not_a_move(move)
        if clocks and len(clocks) != len(moves):
            raise RecordError(
                N_("there are {moves} moves, but {clocks} clock times"),
                code="clocks",
                moves=len(moves),
                clocks=len(clocks),
            )
        if any(not 0 <= plies <= len(moves) for plies in outs):
            raise RecordError(
                NN_(
                    "someone leaves after {plies} moves; there is {count}",
                    "someone leaves after {plies} moves; there are {count}",
                ),
                code="out-plies",
                plies=max(outs, key=lambda plies: (plies < 0, plies)),
                count=len(moves),
            )
        last = root = Node(outs=outs.get(0, ()))
        for plies, (move, clock) in enumerate(zip_longest(moves, clocks), 1):
            last = last.attach(Node(move, clock=clock, outs=outs.get(plies, ())))
        facts = tagging.start_tags(start, rules)
        players = {colour.name.capitalize() for colour in start.mode.colours}
        wanted = {*tagging.MANDATORY, *players}
        usual = {name: text for name, text in tagging.UNKNOWN.items() if name in wanted}
        usual["Notation"] = tagging.NOTATIONS[Notation.ABA_PRO]
        tags = usual | tags | facts
        result = tags.get("Result") if result is None else result
        if not isinstance(result, str):
            final = _final(cls(tags, root))
            outcome = result or final.outcome()
            result = outcome.result(final.mode, final.out) if outcome else UNDECIDED
            if outcome is not None:
                tags.setdefault("Termination", outcome.reason)
        return cls(tagging.in_order(tags | {"Result": result}), root)

    @classmethod
    def from_board(
        cls,
        board: Board,
        tags: Mapping[str, str] | None = None,
        *,
        result: str | Outcome | None = None,
    ) -> Record:
        """A record of how a board came about; it begins where the board's history does."""
        check_kind("board", board, Board)
        return cls.from_moves(
            board.root().position, board.moves, rules=board.rules, tags=tags, result=result
        )

    @classmethod
    def from_game(cls, game: Game, tags: Mapping[str, str] | None = None) -> Record:
        """A record of a game in progress or at its end."""
        from sumito.game import Game  # here, since records are read without games

        check_kind("game", game, Game)
        known = {colour.name.capitalize(): name for colour, name in game.seats.items()}
        known["TimeControl"] = str(game.control)
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


def _final(record: Record) -> Board:
    """The board at the end of the game."""
    *_, final = record.boards()
    return final


def _rebuilt(
    kind: type[Record], tags: dict[str, str], flat: list[Any], errors: tuple[RecordError, ...]
) -> Record:
    """The record of a pickle."""
    return kind(tags, unflattened(flat), errors)
