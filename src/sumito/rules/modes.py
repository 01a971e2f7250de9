"""The colours and the four modes: who plays, in which order, and who wins together.

A *side* wins together: one player, or the two partners of a team. A side is named by its first
colour, so `Colour.BLACK` is also the side black+red in the team modes.
"""

from __future__ import annotations

from typing import Final

from sumito.choice import Choice, Numbered
from sumito.errors import ColourError, ModeError
from sumito.i18n.messages import N_
from sumito.validate import parsed


class Colour(Numbered):
    """The colour of a marble, of the seat that plays it, and the name of a side."""

    BLACK = 0
    WHITE = 1
    RED = 2
    BLUE = 3

    @property
    def letter(self) -> str:
        """b, w, r or u, as position texts write it."""
        return "bwru"[self]

    @property
    def label(self) -> str:
        """The name as a template, to be translated."""
        return _COLOURS[self]

    @classmethod
    def _missing_(cls, value: object) -> Colour:
        for colour in cls:
            if value == str(colour):
                return colour
        raise ColourError(
            N_("{text!r} is not a colour; colours are {known}"), text=str(value), known=tuple(cls)
        )

    @classmethod
    def parse(cls, text: str) -> Colour:
        """Return the colour of a letter or a name."""
        for colour in cls:
            if text == colour.letter:
                return colour
        return cls._missing_(text)

    def __str__(self) -> str:
        return self.name.lower()

    def __repr__(self) -> str:
        return f"Colour.{self.name}"


_COLOURS: Final = (N_("black"), N_("white"), N_("red"), N_("blue"))

BLACK, WHITE, RED, BLUE = Colour


class Mode(Choice, error=ModeError, refusal=N_("{text!r} is not a mode; modes are {known}")):
    """The four ways to play; equal to its name, so `board.mode == "teams"` reads well."""

    TWO = "two"
    THREE = "three"
    TEAMS = "teams"
    TEAMS_DOUBLE = "teams-double"

    @property
    def label(self) -> str:
        """The name as a template, to be translated."""
        return _MODES[self]

    @property
    def info(self) -> ModeInfo:
        return _INFO[self]

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours on the board, in the order of their numbers."""
        return self.info.colours

    @property
    def order(self) -> tuple[Colour, ...]:
        """The order of turns."""
        return self.info.order

    @property
    def sides(self) -> tuple[tuple[Colour, ...], ...]:
        """The colours that win together."""
        return self.info.sides

    @property
    def marbles(self) -> int:
        """How many marbles each player starts with (some layouts for two differ)."""
        return self.info.marbles

    def check_colour(self, colour: Colour | str) -> Colour:
        """Return the colour, parsed if it is a name; raise `ColourError` if the mode lacks it."""
        if type(colour) is not Colour:
            colour = parsed("colour", colour, Colour)
        if colour >= len(self.info.colours):
            raise ColourError(
                N_("mode {mode} has no {colour} marbles"),
                code="colour-not-in-mode",
                mode=self,
                colour=colour,
            )
        return colour

    def side(self, colour: Colour | str) -> Colour:
        """Return the side of a colour, named by its first colour."""
        return self.info.side[self.check_colour(colour)]

    def partner(self, colour: Colour | str) -> Colour | None:
        """Return the other colour of the side, `None` for a side of one player."""
        return self.info.partner[self.check_colour(colour)]

    def after(self, colour: Colour | str) -> Colour:
        """Return the colour whose turn follows."""
        return self.info.after[self.check_colour(colour)]

    def __repr__(self) -> str:
        return f"Mode.{self.name}"


class ModeInfo:
    """The properties of a mode and tables derived from them; tuples are indexed by colour."""

    def __init__(
        self, order: tuple[Colour, ...], sides: tuple[tuple[Colour, ...], ...], marbles: int
    ) -> None:
        self.order = order
        self.sides = sides
        self.marbles = marbles
        self.colours = tuple(sorted(order))
        team = {colour: side for side in sides for colour in side}
        self.side = tuple(team[colour][0] for colour in self.colours)
        self.partner = tuple(
            next((other for other in team[colour] if other is not colour), None)
            for colour in self.colours
        )
        self.after = tuple(order[(order.index(colour) + 1) % len(order)] for colour in self.colours)


_MODES: Final = {
    Mode.TWO: N_("two"),
    Mode.THREE: N_("three"),
    Mode.TEAMS: N_("teams"),
    Mode.TEAMS_DOUBLE: N_("teams-double"),
}

_TEAMS: Final = ((BLACK, RED), (WHITE, BLUE))
_INFO: Final = {
    Mode.TWO: ModeInfo((BLACK, WHITE), ((BLACK,), (WHITE,)), 14),
    Mode.THREE: ModeInfo((BLACK, WHITE, RED), ((BLACK,), (WHITE,), (RED,)), 11),
    Mode.TEAMS: ModeInfo((BLACK, WHITE, RED, BLUE), _TEAMS, 9),
    Mode.TEAMS_DOUBLE: ModeInfo((BLACK, RED, WHITE, BLUE), _TEAMS, 9),
}
