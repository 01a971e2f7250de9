"""A record: the tags of a game and the tree of its moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar

from sumito.errors import RecordError
from sumito.i18n.messages import N_, NN_
from sumito.position import Position
from sumito.record import header
from sumito.record.header import Header
from sumito.record.tree import Node, apply_departures, flattened, unflattened
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import Move
from sumito.rules.notations import Notation
from sumito.rules.rules import RULEBOOK, UNDECIDED, Outcome, Rules
from sumito.validate import check_type, parsed

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
        tags: Mapping[str, str] | Header,
        root: Node | None = None,
        errors: Iterable[RecordError] = (),
    ) -> None:
        header = tags if isinstance(tags, Header) else Header(tags)
        if root is not None:
            check_type("root", root, Node)
        self.tags = dict(header.tags)
        self._header = header
        self.root = root or Node()
        self.root._record = self
        self._edits = 0
        """How often nodes have changed in a way that changes boards."""
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
    def departures(self) -> dict[int, tuple[Colour, ...]]:
        """Who left the game, by the number of moves played before."""
        lists = (self.root.departures, *(node.departures for node in self.root.line()))
        return {plies: departures for plies, departures in enumerate(lists) if departures}

    # What the tags say.

    @property
    def header(self) -> Header:
        """What the tags mean; parsed again only after `tags` has changed."""
        if self._header.tags != self.tags:
            self._header = Header(self.tags)
        return self._header

    @property
    def mode(self) -> Mode:
        return self.header.mode

    @property
    def rules(self) -> Rules:
        return self.header.rules

    @property
    def notation(self) -> Notation:
        return self.header.notation

    @property
    def start(self) -> Position:
        """Where the game begins."""
        return self.header.start

    @property
    def result(self) -> str:
        return self.header.result

    def board(self) -> Board:
        """The board before the first move."""
        board = Board.at(self.start, rules=self.rules)
        apply_departures(board, self.root.departures)
        return board

    def boards(self) -> Iterator[Board]:
        """The board before the first move and after each one, every one a board of its own."""
        board = self.board()
        yield board.copy()
        for node in self.root.line():
            assert node.move is not None
            board.push(node.move)
            apply_departures(board, node.departures)
            yield board.copy()

    def __eq__(self, other: object) -> bool:
        """The same tags and the same tree; what was wrong with it doesn't count."""
        if not isinstance(other, Record):
            return NotImplemented
        return self.tags == other.tags and flattened(self.root) == flattened(other.root)

    def __str__(self) -> str:
        """Return the record as APGN; raise `RecordError` if it can't be written."""
        from sumito.record.writer import write

        return write(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # A tree as deep as a game is long would exhaust the stack.
        return _rebuilt, (type(self), self.tags, flattened(self.root), self.errors)

    def __repr__(self) -> str:
        players = " – ".join(
            self.tags.get(name, "?") for name in ("Black", "White", "Red", "Blue")[: self._seats()]
        )
        return f"<Record {players}: {len(self.moves)} moves, {self.tags.get('Result', '?')}>"

    def _seats(self) -> int:
        return sum(header.player_tag(colour) in self.tags for colour in Colour) or 2

    # Making one.

    @classmethod
    def new(cls, board: Board | None = None, tags: Mapping[str, str] | None = None) -> Record:
        """Return an empty record to add moves to; it begins where the board stands."""
        board = Board() if board is None else board
        check_type("board", board, Board)
        return cls.from_moves(board.position, (), rules=board.rules, tags=tags, result="*")

    @classmethod
    def from_moves(
        cls,
        start: Position | str,
        moves: Iterable[Move | str],
        *,
        rules: Rules | str = RULEBOOK,
        clocks: Sequence[int | None] = (),
        departures: Mapping[int, tuple[Colour, ...]] | None = None,
        tags: Mapping[str, str] | None = None,
        result: str | Outcome | None = None,
    ) -> Record:
        """A record from what a program knows of a game.

        `clocks` holds one time a move, or nothing; `departures` tells who left, by the number of moves
        played before. Without a result the tag `Result` gives it, or else the final board. Where
        the game begins is told by `start` alone, whatever the tags say.
        """
        start = parsed("start", start, Position)
        rules = parsed("rules", rules, Rules)
        check_type("moves", moves, Iterable)
        check_type("clocks", clocks, Sequence)
        check_type("tags", tags, (Mapping, type(None)))
        check_type("departures", departures, (Mapping, type(None)))
        check_type("result", result, (str, Outcome, type(None)))
        moves = tuple(parsed("move", move, Move) for move in moves)
        tags, departures = dict(tags or {}), dict(departures or {})
        if clocks and len(clocks) != len(moves):
            raise RecordError(
                N_("there are {moves} moves, but {clocks} clock times"),
                code="clocks",
                moves=len(moves),
                clocks=len(clocks),
            )
        if any(not 0 <= plies <= len(moves) for plies in departures):
            raise RecordError(
                NN_(
                    "someone leaves after {plies} moves; there is {count}",
                    "someone leaves after {plies} moves; there are {count}",
                ),
                code="out-plies",
                plies=max(departures, key=lambda plies: (plies < 0, plies)),
                count=len(moves),
            )
        last = root = Node(departures=departures.get(0, ()))
        for plies, (move, clock) in enumerate(zip_longest(moves, clocks), 1):
            last = last.attach(Node(move, clock=clock, departures=departures.get(plies, ())))
        start_tags = header.start_tags(start, rules)
        players = {header.player_tag(colour) for colour in start.mode.colours}
        wanted = {*header.MANDATORY, *players}
        unknown = {name: text for name, text in header.UNKNOWN.items() if name in wanted}
        unknown["Notation"] = header.NOTATIONS[Notation.ABA_PRO]
        tags = unknown | tags | start_tags
        result = tags.get("Result") if result is None else result
        if not isinstance(result, str):
            final = _final(cls(tags, root))
            outcome = result or final.outcome()
            result = outcome.result(final.mode, final.eliminated) if outcome else UNDECIDED
            if outcome is not None:
                tags.setdefault("Termination", outcome.reason)
        return cls(header.in_order(tags | {"Result": result}), root)

    @classmethod
    def from_board(
        cls,
        board: Board,
        tags: Mapping[str, str] | None = None,
        *,
        result: str | Outcome | None = None,
    ) -> Record:
        """A record of how a board came about; it begins where the board's history does."""
        check_type("board", board, Board)
        return cls.from_moves(
            board.root().position, board.moves, rules=board.rules, tags=tags, result=result
        )

    @classmethod
    def from_game(cls, game: Game, tags: Mapping[str, str] | None = None) -> Record:
        """A record of a game in progress or at its end."""
        from sumito.game import Game  # here, since records are read without games

        check_type("game", game, Game)
        known = {header.player_tag(colour): name for colour, name in game.seats.items()}
        known["TimeControl"] = str(game.control)
        departures: dict[int, tuple[Colour, ...]] = {}
        for leaving in game.departures:
            departures[leaving.plies] = (*departures.get(leaving.plies, ()), leaving.seat)
        result = game.outcome and game.outcome.result(game.mode, game.eliminated)
        if game.outcome is not None:
            known["Termination"] = game.outcome.reason
        return cls.from_moves(
            game.start,
            [ply.move for ply in game.plies],
            rules=game.rules,
            clocks=[ply.clock for ply in game.plies],
            departures=departures,
            tags=known | dict(tags or {}),
            result=result,
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
