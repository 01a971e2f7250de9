"""The board: move generation, making moves, and the end of the game.

All rules are set algebra. With M the marbles that may move together (one's own and a partner's),
O the opposing ones, E the empty cells, and `ahead(x)` the cells whose next cell in the direction
of the move lies in x:

    free    = ahead(E)                      the way is open
    yields  = O ∩ (free ∪ rim)              an opposing marble that can give way
    one     = ahead(yields)                 faces one marble that can be pushed
    two     = ahead(O ∩ one)                faces two

and a row of one, two or three may go where its front faces no more than it outnumbers:

    rear of 1:       M ∩ free
    rear of 2:       M ∩ ahead(M ∩ (free ∪ one))
    rear of 3:       M ∩ ahead(M ∩ ahead(M ∩ (free ∪ one ∪ two)))

A side-step needs every target empty, so its marbles are neighbours within M ∩ free.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, overload

from sumito.errors import ColourError
from sumito.i18n.messages import N_
from sumito.position import Position
from sumito.rules import explain, layouts, notations
from sumito.rules.cells import (
    AXES,
    BOARD,
    DIRECTIONS,
    RIM,
    STEPS,
    Cell,
    Direction,
    Mask,
    cell_of,
    cells_of,
    shift,
)
from sumito.rules.modes import Colour, Mode
from sumito.rules.move import IN_LINE, LONGEST, SIDE_STEPS, Move, MoveTable
from sumito.rules.rules import RULEBOOK, UNDECIDED, Outcome, PartnerSideStep, Reason, Rules, Stuck
from sumito.rules.symmetry import SYMMETRIES, Symmetry
from sumito.validate import check_type, check_whole, parsed

if TYPE_CHECKING:
    from sumito.position import Form
    from sumito.rules.notations import Notation


DEEPEST_PERFT: Final = 100
"""The deepest `perft`, far beyond what can be counted."""


class _Way(NamedTuple):
    """A direction with its precomputed tables for move generation."""

    ahead: Callable[[Mask, int], Mask]
    """`ahead(x, step)`: the cells whose next cell this way lies in x (and bits off the board)."""
    step: int
    rim: Mask
    in_line: MoveTable
    across: tuple[tuple[int, MoveTable, MoveTable], ...]
    """For each other axis: its step, the side-steps of two and those of three."""


_WAYS: Final = tuple(
    _Way(
        ahead=operator.rshift if STEPS[direction] > 0 else operator.lshift,
        step=abs(STEPS[direction]),
        rim=RIM[direction],
        in_line=IN_LINE[direction],
        across=tuple(
            (STEPS[axis], *SIDE_STEPS[direction][axis])
            for axis in AXES
            if axis is not direction.axis
        ),
    )
    for direction in DIRECTIONS
)


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a move on a board: the marbles moved, pushed and ejected."""

    move: Move
    moved: tuple[Cell, ...]
    """The cells of the player's and a partner's marbles that move, the rear or lower end first."""
    pushed: tuple[Cell, ...]
    """The cells of the opposing marbles that are pushed, the nearest first."""
    ejected: Colour | None
    """The colour of the marble that leaves the board; it stood on the last pushed cell."""

    @property
    def direction(self) -> Direction:
        return self.move.direction


class _Snapshot(NamedTuple):
    """The state before a move, saved for `pop`."""

    marbles: tuple[Mask, ...]
    turn: Colour
    captured: tuple[int, ...]
    quiet: int
    ply: int
    eliminated: frozenset[Colour]


_Past = tuple[_Snapshot, Move, "_Past | None"]
"""The history as a linked list that boards share: a saved state, its move, the rest."""


class LegalMoves(Sequence[Move]):
    """The legal moves of a board in its current state, as a sequence that supports `in`."""

    __slots__ = ("_board",)

    def __init__(self, board: Board) -> None:
        self._board = board

    def __iter__(self) -> Iterator[Move]:
        decided = self._board.is_decided_by_rules()
        return iter(()) if decided else self._board.pseudo_legal_moves()

    def __len__(self) -> int:
        return 0 if self._board.is_decided_by_rules() else self._board.count_pseudo_legal()

    def __bool__(self) -> bool:
        return not self._board.is_decided_by_rules() and self._board.has_move(self._board.turn)

    def count(self, value: Move | str | None = None) -> int:
        """Return the number of legal moves; of a given move, 1 if it is legal, else 0."""
        return len(self) if value is None else int(value in self)

    @overload
    def __getitem__(self, at: int) -> Move: ...
    @overload
    def __getitem__(self, at: slice) -> list[Move]: ...
    def __getitem__(self, at: int | slice) -> Move | list[Move]:
        return list(self)[at]

    def __contains__(self, move: object) -> bool:
        """Whether the move is legal; raise as `Board.is_legal` for anything but a move.

        >>> "a1b2" in Board().legal_moves
        True
        """
        if not isinstance(move, Move | str):
            check_type("move", move, Move)
            return False
        return self._board.is_legal(move)

    def __repr__(self) -> str:
        return f"<{len(self)} legal moves: {', '.join(map(str, self)) or 'none'}>"


class Board:
    """A position with its history. Black begins.

    >>> board = Board()
    >>> len(board.legal_moves)
    44
    >>> board.push(board.parse_move("a1b2"))
    >>> board.turn
    Colour.WHITE
    >>> board.pop()
    Move.parse('a1b2')
    """

    __slots__ = (
        "_captured",
        "_info",
        "_marbles",
        "_may_pass",
        "_mode",
        "_out",
        "_partners_step",
        "_past",
        "_ply",
        "_quiet",
        "_rules",
        "_stuck",
        "_turn",
    )
    __hash__: ClassVar[None]  # type: ignore[assignment]  # a board changes; its position doesn't

    _mode: Mode
    _rules: Rules
    _turn: Colour
    _captured: tuple[int, ...]
    _quiet: int
    _ply: int
    _out: frozenset[Colour]

    def __init__(
        self,
        layout: str | None = None,
        mode: Mode | str = Mode.TWO,
        *,
        rules: Rules | str = RULEBOOK,
        captured: Sequence[int] | None = None,
    ) -> None:
        """Set up a start position; `captured` counts ejections from the beginning, as a handicap.

        >>> Board("belgian-daisy", rules="tournament").rules.repetition
        3
        """
        rules = parsed("rules", rules, Rules)
        self._set_up(layouts.start(layout, mode, first=rules.first, captured=captured), rules)

    @classmethod
    def parse(
        cls, text: str, *, rules: Rules | str = RULEBOOK, form: Form | str = "sumito"
    ) -> Board:
        """Return the board of a position text; `form` names whose text it is.

        >>> Board.parse("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1") == Board()
        True
        """
        return cls.at(Position.parse(text, form), rules=rules)

    @classmethod
    def at(cls, start: Position | str, *, rules: Rules | str = RULEBOOK) -> Board:
        """Return the board of a position."""
        start = parsed("start", start, Position)
        rules = parsed("rules", rules, Rules)
        board = cls.__new__(cls)
        board._set_up(start, rules)
        return board

    def _set_up(self, start: Position, rules: Rules) -> None:
        self._mode = start.mode
        self._info = start.mode.info
        self._rules = rules
        self._stuck = rules.stuck
        if rules.stuck is Stuck.BY_MODE:
            self._stuck = Stuck.LOSES if start.mode is Mode.TWO else Stuck.PASSES
        self._may_pass = start.mode is not Mode.TWO or self._stuck is Stuck.PASSES
        self._partners_step = rules.partner_sidestep is PartnerSideStep.ANY
        self._past: _Past | None = None
        self._restore(
            _Snapshot(
                start.marbles, start.turn, start.captured, start.quiet, start.ply, start.eliminated
            )
        )
        self._settle(self._turn)

    # The state of the game; only moves and departures change it.

    @property
    def mode(self) -> Mode:
        return self._mode

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def turn(self) -> Colour:
        """The colour to move."""
        return self._turn

    @property
    def captured(self) -> tuple[int, ...]:
        """The number of marbles each side has ejected, in the order of sides."""
        return self._captured

    @property
    def quiet(self) -> int:
        """Plies since the last ejection."""
        return self._quiet

    @property
    def ply(self) -> int:
        """The number of the coming ply, from 1."""
        return self._ply

    @property
    def eliminated(self) -> frozenset[Colour]:
        """The players who left the game and are passed over."""
        return self._out

    # Marbles.

    def __getitem__(self, cell: Cell | str) -> Colour | None:
        """Return the colour of the marble on a cell, or None."""
        bit = 1 << cell_of(cell)
        return next((colour for colour in self._mode.colours if self._marbles[colour] & bit), None)

    def items(self) -> Iterator[tuple[Cell, Colour]]:
        """Return the marbles in reading order: the cell and the colour of each.

        >>> next(Board().items())
        (Cell.A1, Colour.BLACK)
        """
        for cell in self.cells():
            colour = self[cell]
            assert colour is not None
            yield cell, colour

    def cells(self) -> tuple[Cell, ...]:
        """Return the occupied cells in reading order."""
        return tuple(cells_of(BOARD ^ self.empty_mask))

    def marbles(self, colour: Colour | str) -> tuple[Cell, ...]:
        """Return the cells of a colour in reading order."""
        return tuple(cells_of(self.marbles_mask(colour)))

    def marbles_mask(self, colour: Colour | str) -> Mask:
        """Return the cells of a colour as a set."""
        return self._marbles[self._mode.check_colour(colour)]

    @property
    def empty_mask(self) -> Mask:
        occupied = 0
        for mask in self._marbles:
            occupied |= mask
        return BOARD ^ occupied

    def friends_mask(self, colour: Colour | str) -> Mask:
        """Return the marbles a colour may move: its own and a partner's."""
        return self._friends(self._mode.check_colour(colour))

    def _friends(self, colour: Colour) -> Mask:
        partner = self._info.partner[colour]
        own = self._marbles[colour]
        return own if partner is None else own | self._marbles[partner]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves pushed so far, as far back as they can be popped."""
        return tuple(move for _, move in self._history())[::-1]

    def _history(self) -> Iterator[tuple[_Snapshot, Move]]:
        """The moves played and the state before each, the last one first."""
        past = self._past
        while past is not None:
            before, move, past = past
            yield before, move

    # Legal moves.

    @property
    def legal_moves(self) -> LegalMoves:
        return LegalMoves(self)

    def _move_sets(self, colour: Colour) -> Iterator[tuple[MoveTable, Mask]]:
        """Yield the moves of a colour as pairs of a table and the set of its bits in use."""
        own = self._marbles[colour]
        friends = self._friends(colour)
        empty = self.empty_mask
        opponents = BOARD ^ empty ^ friends
        steppers = friends if self._partners_step else own
        for ahead, step, rim, in_line, across in _WAYS:
            free = ahead(empty, step)
            one = ahead(opponents & (free | rim), step)
            two = ahead(opponents & one, step)
            front = free | one
            yield (
                in_line,
                own
                & (
                    free
                    | ahead(friends & front, step)
                    | ahead(friends & ahead(friends & (front | two), step), step)
                ),
            )
            loose = steppers & free
            partners = loose & ~own
            for axis, of_two, of_three in across:
                pairs = loose & loose >> axis
                if pairs:
                    triples = pairs & pairs >> axis
                    if partners:  # a group without a marble of one's own doesn't move
                        pairs_of_theirs = partners & partners >> axis
                        pairs ^= pairs_of_theirs
                        triples ^= triples & pairs_of_theirs & pairs_of_theirs >> axis
                    yield of_two, pairs
                    yield of_three, triples

    def pseudo_legal_moves(self) -> Iterator[Move]:
        """Yield the moves that the position allows, even if the game is over."""
        for table, mask in self._move_sets(self._turn):
            while mask:
                low = mask & -mask
                yield table[low]
                mask ^= low

    def count_pseudo_legal(self) -> int:
        """Return the number of `pseudo_legal_moves`, without listing them."""
        total = 0
        for _, mask in self._move_sets(self._turn):
            total += mask.bit_count()
        return total

    def has_move(self, colour: Colour | str) -> bool:
        """Whether `colour` would have a legal move if it were to move."""
        return self._can_move(self._mode.check_colour(colour))

    def _can_move(self, colour: Colour) -> bool:
        return any(mask for _, mask in self._move_sets(colour))

    def is_legal(self, move: Move | str) -> bool:
        """Whether the player to move may play this move."""
        return self.segment_mask(move) != 0 and not self.is_decided_by_rules()

    def is_push(self, move: Move | str) -> bool:
        """Whether a legal move pushes opposing marbles; raise `IllegalMoveError` if it isn't."""
        return bool(self.effect(move).pushed)

    def is_ejection(self, move: Move | str) -> bool:
        """Whether a legal move ejects a marble; raise `IllegalMoveError` if it isn't legal."""
        return self.effect(move).ejected is not None

    def _segment(self, move: Move) -> Mask:
        own = self._marbles[self._turn]
        friends = self._friends(self._turn)
        empty = self.empty_mask
        if move.group:
            steppers = friends if self._partners_step else own
            group = move.group
            fits = group & own and group & steppers == group
            return group if fits and not shift(group, move.direction) & ~empty else 0
        ray = move.ray
        if not ray[0] & own:
            return 0
        row = 1
        while ray[row] & friends:
            row += 1
        end = row
        while ray[end] & ~(friends | empty):
            end += 1
        if row > LONGEST or end - row >= row:
            return 0
        # The rim is open to the marbles one pushes, never to one's own.
        if ray[end] & empty or (not ray[end] and end > row):
            return sum(ray[:end])
        return 0

    def check(self, move: Move | str) -> None:
        """Raise `IllegalMoveError` with the rule that forbids the move unless it is legal."""
        self._checked_segment(parsed("move", move, Move))

    def segment_mask(self, move: Move | str) -> Mask:
        """Return the cells whose marbles the move shifts, 0 if it isn't allowed."""
        return self._segment(parsed("move", move, Move))

    def effect(self, move: Move | str) -> Effect:
        """Return the effect of a legal move; raise `IllegalMoveError` if it is illegal."""
        move = parsed("move", move, Move)
        return self._effect(move, self._checked_segment(move))

    def _effect(self, move: Move, segment: Mask) -> Effect:
        friends = self._friends(self._turn)
        moved = tuple(cells_of(segment & friends))
        pushed = tuple(cells_of(segment & ~friends))
        if not move.is_side_step and STEPS[move.direction] < 0:
            moved, pushed = moved[::-1], pushed[::-1]
        ejected = self[pushed[-1]] if pushed and segment & RIM[move.direction] else None
        return Effect(move, moved, pushed, ejected)

    # Making moves.

    def push(self, move: Move | str) -> None:
        """Play a move, or raise `IllegalMoveError` and leave the board as it was.

        A text is the move's Aba-Pro name; `push_text` reads the other notations.
        """
        move = parsed("move", move, Move)
        self._apply(move, self._checked_segment(move))

    def push_text(self, text: str, *, notation: Notation | str = "aba-pro") -> Move:
        """Read a move, play it and return it."""
        move = self.parse_move(text, notation=notation)
        self.push_unchecked(move)
        return move

    def push_unchecked(self, move: Move) -> None:
        """Play a move that is known to be legal. Passing an illegal move corrupts the board."""
        segment = move.group
        if not segment:
            empty = self.empty_mask
            for bit in move.ray:
                if not bit or bit & empty:
                    break
                segment |= bit
        self._apply(move, segment)

    def _checked_segment(self, move: Move) -> Mask:
        segment = 0 if self.is_decided_by_rules() else self._segment(move)
        if not segment:
            raise explain.illegal(self, move)
        return segment

    def _apply(self, move: Move, segment: Mask) -> None:
        self._past = (self._snapshot(), move, self._past)
        direction = move.direction
        marbles = self._marbles
        for colour, mask in enumerate(marbles):
            going = mask & segment
            if going:
                marbles[colour] = mask ^ going | shift(going, direction)
        self._ply += 1
        self._quiet += 1
        if segment & RIM[direction]:
            self._quiet = 0
            side = self._info.side[self._turn]
            self._captured = tuple(n + (number == side) for number, n in enumerate(self._captured))
        self._settle(self._info.after[self._turn])

    def pop(self) -> Move:
        """Undo the last move and return it."""
        if self._past is None:
            raise IndexError("no move to take back")
        before, move, self._past = self._past
        self._restore(before)
        return move

    def peek(self) -> Move:
        """Return the last move without undoing it."""
        if self._past is None:
            raise IndexError("no move has been played")
        return self._past[1]

    def root(self) -> Board:
        """The board before the first move of its history."""
        root = self.copy(history=False)
        for before, _ in self._history():
            root._restore(before)
        return root

    def last_effect(self) -> Effect | None:
        """The effect of the last move, `None` if none has been played."""
        if self._past is None:
            return None
        before, move, _ = self._past
        board = self.copy(history=False)
        board._restore(before)
        return board._effect(move, board._segment(move))

    def leave(self, colour: Colour | str) -> None:
        """Eliminate a player: turns pass over them, their marbles stay.

        This can't be popped.
        """
        colour = parsed("colour", colour, Colour)
        if colour not in self._mode.colours or self._mode is Mode.TWO:
            raise ColourError(
                N_("{colour} can't leave and let the others play on in mode {mode}"),
                code="cannot-leave",
                colour=colour,
                mode=self._mode,
            )
        if len(self._out | {colour}) == len(self._mode.colours):
            raise ColourError(
                N_("{colour} can't leave: no other player is left"), code="last-in", colour=colour
            )
        self._out |= {colour}
        self._past = None
        self._settle(self._turn)

    def _snapshot(self) -> _Snapshot:
        return _Snapshot(
            tuple(self._marbles), self._turn, self._captured, self._quiet, self._ply, self._out
        )

    def _restore(self, state: _Snapshot) -> None:
        marbles, self._turn, self._captured, self._quiet, self._ply, self._out = state
        self._marbles = list(marbles)

    def _settle(self, colour: Colour) -> None:
        """Set the turn to that colour, or to the next one that can act and isn't eliminated."""
        if not self._may_pass:
            self._turn = colour
            return
        stuck = self._stuck
        after = self._info.after
        while colour in self._out:
            colour = after[colour]
        self._turn = colour
        for _ in self._info.order:
            if colour not in self._out:
                if self._can_move(colour) or not self._passes(stuck):
                    self._turn = colour
                    return
                if stuck is Stuck.LOSES:
                    self._out |= {colour}
            colour = after[colour]

    def _passes(self, stuck: Stuck) -> bool:
        """Whether a player who can't act is passed over; in `three`, losers are."""
        if stuck is Stuck.LOSES:
            return self._mode is Mode.THREE and len(self._out) < 2
        return stuck is Stuck.PASSES

    # The end.

    def outcome(self) -> Outcome | None:
        """How the game ended, `None` while it goes on."""
        return self._won() or self._no_move() or self._drawn_out()

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome() is not None

    def result(self) -> str:
        """The result as in records: `1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on."""
        outcome = self.outcome()
        return UNDECIDED if outcome is None else outcome.result(self._mode, self._out)

    def is_decided_by_rules(self) -> bool:
        """Whether the game has ended for a reason other than having no legal move."""
        return self._won() is not None or self._drawn_out() is not None

    def _won(self) -> Outcome | None:
        win_at = self._rules.win_at
        if max(self._captured) >= win_at:
            winner = next(side for side, count in enumerate(self._captured) if count >= win_at)
            return Outcome(Colour(winner), Reason.EJECTED)
        if self._out:
            info = self._info
            left = {info.side[colour] for colour in info.colours if colour not in self._out}
            if len(left) == 1:
                return Outcome(left.pop(), Reason.LAST_IN)
        return None

    def _no_move(self) -> Outcome | None:
        if self._can_move(self._turn):
            return None
        if self._stuck is not Stuck.LOSES:
            return Outcome(None, Reason.NO_MOVE)
        loser = self._info.side[self._turn]
        return Outcome(
            next(side[0] for side in self._info.sides if side[0] is not loser), Reason.NO_MOVE
        )

    def _drawn_out(self) -> Outcome | None:
        rules = self._rules
        if rules.repetition and self.occurrences() >= rules.repetition:
            return Outcome(None, Reason.REPETITION)
        if rules.ply_limit and self._ply > rules.ply_limit:
            most = max(self._captured)
            leaders = [side for side, count in enumerate(self._captured) if count == most]
            winner = Colour(leaders[0]) if len(leaders) == 1 else None
            return Outcome(winner, Reason.PLY_LIMIT)
        return None

    def occurrences(self) -> int:
        """Return how often this position with this turn has occurred since the last ejection."""
        now = self._snapshot()
        return 1 + sum(
            past.marbles == now.marbles
            and past.turn is now.turn
            and past.eliminated == now.eliminated
            for past, _ in islice(self._history(), self._quiet)
        )

    # Notation, position text, comparison.

    def parse_move(self, text: str, *, notation: Notation | str = "aba-pro") -> Move:
        """Parse a legal move; raise `InvalidMoveError` or `IllegalMoveError` otherwise."""
        move = notations.parse(self, text, notation)
        self._checked_segment(move)
        return move

    def notate(self, move: Move | str, *, notation: Notation | str = "aba-pro") -> str:
        """Write a legal move.

        >>> Board().notate(Move.parse("a1b2"), notation="nacre")
        'a1d4'
        """
        return notations.write(self.effect(move), notation)

    def parse_variation(self, text: str, *, notation: Notation | str = "aba-pro") -> list[Move]:
        """Read moves that follow each other from here, with or without move numbers.

        >>> Board().parse_variation("1. a1d4 i9f6", notation="nacre")
        [Move.parse('a1b2'), Move.parse('i9h8')]
        """
        check_type("text", text, str)
        board = self.copy()
        return [
            board.push_text(word, notation=notation)
            for word in text.split()
            if not word.rstrip(".").isdecimal()
        ]

    def variation_text(
        self, moves: Iterable[Move | str], *, notation: Notation | str = "aba-pro"
    ) -> str:
        """Write moves that follow each other from here; `parse_variation` reads them.

        >>> Board().variation_text(["a1b2", "i9h8"], notation="nacre")
        'a1d4 i9f6'
        """
        check_type("moves", moves, Iterable)
        board = self.copy()
        words = []
        for move in moves:
            words.append(board.notate(move, notation=notation))
            board.push(move)
        return " ".join(words)

    @property
    def position(self) -> Position:
        """The position as a value, without rules and history; `str` is its text."""
        return Position.unchecked(
            tuple(self._marbles),
            self._turn,
            self._captured,
            self._quiet,
            self._ply,
            self._mode,
            self._out,
        )

    def transposition_key(self) -> tuple[object, ...]:
        """Return a key that is equal for positions with the same legal moves and results.

        The move number and the count of quiet plies are not part of it.
        """
        return (self._mode, *self._snapshot()[:3], self._out)

    def transform(self, symmetry: Symmetry | str) -> Board:
        """Return the board turned or mirrored by one of `SYMMETRIES`, without its history.

        >>> Board().transform("turn3")["i5"]
        Colour.BLACK
        """
        symmetry = parsed("symmetry", symmetry, Symmetry)
        start = self.position
        marbles = tuple(map(symmetry.mask, start.marbles))
        return type(self).at(replace(start, marbles=marbles), rules=self._rules)

    def mirror(self) -> Board:
        """Return the board with left and right exchanged, without its history."""
        return self.transform(SYMMETRIES[6])

    def copy(self, *, history: bool = True) -> Board:
        """Return an independent copy, with the history or without; the history is shared.

        A board without its history can't detect repetitions of earlier positions.
        """
        twin = type(self).__new__(type(self))
        twin._mode = self._mode
        twin._info = self._info
        twin._rules = self._rules
        twin._stuck = self._stuck
        twin._may_pass = self._may_pass
        twin._partners_step = self._partners_step
        twin._past = self._past if history else None
        twin._restore(self._snapshot())
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        """Whether position and rules are the same; the history doesn't count."""
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self._mode is other.mode
            and self._rules == other.rules
            and self._snapshot() == other._snapshot()
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (type(self), self.root().position, self._rules, self.moves)

    def __repr__(self) -> str:
        rules = "" if self._rules == RULEBOOK else f", rules={self._rules!r}"
        return f"Board.parse({str(self.position)!r}{rules})"

    def __str__(self) -> str:
        from sumito.drawing import terminal

        return terminal.board(self)

    def _repr_svg_(self) -> str:
        from sumito.drawing import svg

        return svg.board(self)

    def perft(self, depth: int) -> int:
        """Return the number of move sequences of that length: a check of move generators.

        Counted by the kernel where it is available; `perft_by_rules` uses the rules in Python.
        """
        check_whole("depth", depth, 0, DEEPEST_PERFT)
        try:
            from sumito.kernel.positions import perft
        except ImportError:
            return self.perft_by_rules(depth)
        return perft(self, depth)

    def perft_by_rules(self, depth: int) -> int:
        """Return the same count by the Python rules."""
        check_whole("depth", depth, 0, DEEPEST_PERFT)
        return self._count_leaves(depth)

    def _count_leaves(self, depth: int) -> int:
        if depth == 0:
            return 1
        moves = self.legal_moves
        if depth == 1:
            return len(moves)
        total = 0
        for move in list(moves):
            self.push_unchecked(move)
            total += self._count_leaves(depth - 1)
            self.pop()
        return total


def _replayed(kind: type[Board], start: Position, rules: Rules, moves: Iterable[Move]) -> Board:
    """Restore a pickled board."""
    board = kind.at(start, rules=rules)
    for move in moves:
        board.push_unchecked(move)
    return board
