"""A position as an immutable value: marbles, turn and counts, without rules or history.

`Position.parse` reads a text, `str` writes it; each form of text has a module in this package.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Final

from sumito.choice import Choice
from sumito.errors import NotationError, PositionError
from sumito.i18n.messages import N_
from sumito.position import sumito
from sumito.rules.cells import BOARD, Mask, cells_of
from sumito.rules.modes import Colour, Mode
from sumito.validate import check_at_least, check_type, parsed

if TYPE_CHECKING:
    from sumito.position.builder import PositionBuilder

LARGEST_START: Final = 15
"""The most marbles of a colour in any layout for two."""

MOST_CAPTURED: Final = 61
MOST_PLIES: Final = 1_000_000
"""The bounds of a position's counts, within the kernel's number types."""


class Form(
    Choice,
    error=NotationError,
    refusal=N_("{text!r} is not a form of position text; forms are {known}"),
    code="form",
):
    """The form of a position text; each has a module of its name."""

    SUMITO = "sumito"
    PLAYSTRATEGY = "playstrategy"
    APGN = "apgn"
    KAA = "kaa"


@dataclass(frozen=True, slots=True)
class Position:
    """A position without rules or history; raise `PositionError` if no game could reach it."""

    marbles: tuple[Mask, ...]
    """The cells of each colour of the mode, in the order of the colours."""
    turn: Colour
    captured: tuple[int, ...]
    """The number of marbles each side has ejected, in the order of sides."""
    quiet: int = 0
    """Plies since the last ejection."""
    ply: int = 1
    """The number of the coming ply, from 1."""
    mode: Mode = Mode.TWO
    eliminated: frozenset[Colour] = frozenset()
    """The players who are eliminated and passed over."""

    @classmethod
    def unchecked(
        cls,
        marbles: tuple[Mask, ...],
        turn: Colour,
        captured: tuple[int, ...],
        quiet: int,
        ply: int,
        mode: Mode,
        eliminated: frozenset[Colour],
    ) -> Position:
        """Create a position without checks, for values that are known to be valid."""
        position = object.__new__(cls)
        put = object.__setattr__
        put(position, "marbles", marbles)
        put(position, "turn", turn)
        put(position, "captured", captured)
        put(position, "quiet", quiet)
        put(position, "ply", ply)
        put(position, "mode", mode)
        put(position, "eliminated", eliminated)
        return position

    @classmethod
    def parse(cls, text: str, form: Form | str = Form.SUMITO) -> Position:
        """Parse a position text; raise `PositionError` with the column if it is invalid."""
        if not isinstance(text, str):
            raise PositionError(
                N_("a position is a text, not {kind}"), code="not-text", kind=type(text).__name__
            )
        if form == Form.SUMITO:
            return cls(*sumito.parse(text))
        found: Position = _module(form).parse(text)
        return found

    def text(self, form: Form | str = Form.SUMITO) -> str:
        """Return the position text; raise `PositionError` if the form can't express it."""
        if form == Form.SUMITO:
            return sumito.write(self)
        form = Form.parse(form)
        if self.mode is not Mode.TWO:
            raise PositionError(
                N_("{form} is for two players; this is a position of mode {mode}"),
                code="form-mode",
                form=form,
                mode=self.mode,
            )
        written: str = _module(form).write(self)
        return written

    def __str__(self) -> str:
        return sumito.write(self)

    def edit(self) -> PositionBuilder:
        """Return a builder that starts from this position."""
        from sumito.position.builder import PositionBuilder

        return PositionBuilder(self)

    def __post_init__(self) -> None:
        check_type("marbles", self.marbles, tuple)
        check_type("captured", self.captured, tuple)
        object.__setattr__(self, "mode", parsed("mode", self.mode, Mode))
        object.__setattr__(self, "turn", parsed("turn", self.turn, Colour))
        check_type("eliminated", self.eliminated, frozenset)
        self._check_turn()
        self._check_counts()
        self._check_marbles()

    def _check_turn(self) -> None:
        turn, mode = self.turn, self.mode
        if turn not in mode.colours:
            raise PositionError(
                N_("{colour} can't be to move: mode {mode} has no {colour}"),
                code="turn-not-in-mode",
                colour=turn,
                mode=mode,
            )
        if not self.eliminated:
            return
        if mode is Mode.TWO:
            raise PositionError(
                N_("no player can be eliminated in mode {mode}: a player who leaves loses"),
                code="out-of-two",
                mode=mode,
            )
        if not self.eliminated <= set(mode.colours):
            raise PositionError(
                N_("an eliminated player has no seat in mode {mode}"),
                code="out-not-in-mode",
                mode=mode,
            )
        if len(self.eliminated) == len(mode.colours):
            raise PositionError(N_("at least one player must not be eliminated"), code="all-out")
        if turn in self.eliminated:
            raise PositionError(
                N_("{colour} can't be both to move and eliminated"), code="turn-out", colour=turn
            )

    def _check_counts(self) -> None:
        sides = len(self.mode.sides)
        if len(self.captured) != sides:
            raise PositionError(
                N_("mode {mode} has {sides} sides, but captured has {counts} counts"),
                code="captured-counts",
                mode=self.mode,
                sides=sides,
                counts=len(self.captured),
            )
        for count in self.captured:
            check_at_least("captured", count, 0, PositionError, "count")
        check_at_least("quiet", self.quiet, 0, PositionError, "count")
        check_at_least("ply", self.ply, 1, PositionError, "count")
        if self.quiet >= self.ply:
            raise PositionError(
                N_("quiet is {quiet}, but only {played} plies have been played"),
                code="quiet-too-large",
                quiet=self.quiet,
                played=self.ply - 1,
            )
        if max(self.captured) > MOST_CAPTURED or self.ply > MOST_PLIES:
            raise PositionError(
                N_("captured is at most {captured} a side, and ply at most {ply}"),
                code="count-too-large",
                captured=MOST_CAPTURED,
                ply=MOST_PLIES,
            )

    def _check_marbles(self) -> None:
        colours = self.mode.colours
        if len(self.marbles) != len(colours):
            raise PositionError(
                N_("mode {mode} has {colours} colours of marbles, not {given}"),
                code="marble-colours",
                mode=self.mode,
                colours=len(colours),
                given=len(self.marbles),
            )
        taken = 0
        for mask in self.marbles:
            if mask & ~BOARD:
                raise PositionError(N_("a marble lies outside the board"), code="outside")
            if mask & taken:
                raise PositionError(
                    N_("two marbles lie on {cell}"),
                    code="two-on-a-cell",
                    cell=next(cells_of(mask & taken)),
                )
            taken |= mask
        most = self._most_marbles()
        for colour, mask in zip(colours, self.marbles, strict=True):
            if mask.bit_count() > most:
                raise PositionError(
                    N_("{colour} has {marbles} marbles; mode {mode} has {most} each"),
                    code="too-many-marbles",
                    colour=colour,
                    marbles=mask.bit_count(),
                    mode=self.mode,
                    most=most,
                )

    def _most_marbles(self) -> int:
        """Return the most marbles of a colour: 15 only in games where both started with 15."""
        if self.mode is not Mode.TWO:
            return self.mode.marbles
        black, white = (mask.bit_count() for mask in self.marbles)
        by_black, by_white = self.captured
        began_larger = min(black + by_white, white + by_black) >= LARGEST_START
        return LARGEST_START if began_larger else self.mode.marbles


def _module(form: Form | str) -> ModuleType:
    """Import the module of a form on first use, so that `import sumito` stays quick."""
    return importlib.import_module(f"sumito.position.{Form.parse(form)}")
