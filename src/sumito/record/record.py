"""`Record`: the tags of a game and the tree of its moves."""

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
    """The record of a game: `tags`, and the tree of moves from `root`; both can be edited."""

    __hash__: ClassVar[None]  # type: ignore[assignment]

    tags: dict[str, str]
    """All tags in order, unknown ones included."""
    root: Node
    """The node before the first move."""
    errors: tuple[RecordError, ...]
    """The errors found, if the record was read with `errors="collect"`."""

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
        """The number of edits that changed boards, which invalidates cached boards."""
        self.errors = tuple(errors)

    # The game.

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the main line."""
        return tuple(self.root.line())

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(node.move for node in self.root.line() if node.move is not None)

    @property
    def comments(self) -> tuple[str, ...]:
        return tuple(node.comment for node in self.root.line())

    @property
    def clocks(self) -> tuple[int | None, ...]:
        """The mover's remaining milliseconds after each move."""
        return tuple(node.clock for node in self.root.line())

    @property
    def evaluations(self) -> tuple[float | None, ...]:
        return tuple(node.evaluation for node in self.root.line())

    @property
    def departures(self) -> dict[int, tuple[Colour, ...]]:
        """The departures, by the number of moves played before."""
        lists = (self.root.departures, *(node.departures for node in self.root.line()))
        return {plies: departures for plies, departures in enumerate(lists) if departures}

    # The tags.

    @property
    def header(self) -> Header:
        """The parsed tags, cached until `tags` changes."""
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
        """The start position."""
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
        """Return independent boards: before the first move and after each one."""
        board = self.board()
        yield board.copy()
        for node in self.root.line():
            assert node.move is not None
            board.push(node.move)
            apply_departures(board, node.departures)
            yield board.copy()

    def __eq__(self, other: object) -> bool:
        """Whether tags and tree are equal, regardless of `errors`."""
        if not isinstance(other, Record):
            return NotImplemented
        return self.tags == other.tags and flattened(self.root) == flattened(other.root)

    def __str__(self) -> str:
        """Return the record as APGN; raise `RecordError` if it can't be written."""
        from sumito.record.writer import write

        return write(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # Copying the tree recursively would exhaust the stack in a long game.
        return _rebuilt, (type(self), self.tags, flattened(self.root), self.errors)

    def __repr__(self) -> str:
        players = " – ".join(
            self.tags.get(name, "?") for name in ("Black", "White", "Red", "Blue")[: self._seats()]
        )
        return f"<Record {players}: {len(self.moves)} moves, {self.tags.get('Result', '?')}>"

    def _seats(self) -> int:
        return sum(header.player_tag(colour) in self.tags for colour in Colour) or 2

    # Constructors.

    @classmethod
    def new(cls, board: Board | None = None, tags: Mapping[str, str] | None = None) -> Record:
        """Return an empty record that starts from the board's position."""
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
        """Return a record of a game's moves and tags.

        `clocks` holds one time per move or is empty; `departures` maps the number of moves played
        before to the players who left. `result` defaults to the tag `Result`, then to the final
        board. The start position is `start`, whatever the tags say.
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
                    "there is a departure after {plies} moves, but only {count} move",
                    "there is a departure after {plies} moves, but only {count} moves",
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
        required = {*header.MANDATORY, *players}
        unknown = {name: text for name, text in header.UNKNOWN.items() if name in required}
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
        """Return a record of a board's history, from where it begins."""
        check_type("board", board, Board)
        return cls.from_moves(
            board.root().position, board.moves, rules=board.rules, tags=tags, result=result
        )

    @classmethod
    def from_game(cls, game: Game, tags: Mapping[str, str] | None = None) -> Record:
        """Return the record of a game, in progress or finished."""
        from sumito.game import Game  # imported here: reading records doesn't need games

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
    """Restore a pickled record."""
    return kind(tags, unflattened(flat), errors)
