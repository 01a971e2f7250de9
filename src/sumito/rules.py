"""The rule set of a game: the rulebook's rules, and an option for each question it leaves open.

>>> Rules(win_at=4, repetition=3)
Rules(win_at=4, repetition=3)
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final

from sumito.errors import RulesError
from sumito.modes import BLACK, Colour


class PartnerSideStep(StrEnum):
    """May a partner's marbles go along in a side-step?"""

    ANY = "any"
    """Yes, if at least one marble of the group is the player's own."""
    NONE = "none"
    """No, only the player's own marbles side-step."""


class Stuck(StrEnum):
    """What happens to a player who can't act."""

    BY_MODE = "by-mode"
    """For two that player loses; with more players the turn passes."""
    LOSES = "loses"
    """The player loses, or is out in `three`, or the team loses."""
    PASSES = "passes"
    """The turn goes on to the next who can act."""
    DRAWS = "draws"
    """The game is a draw."""


class LeaveThree(StrEnum):
    """What a resignation or a fallen flag does in `three`."""

    OUT = "out"
    """That player is out: turns pass over them, their marbles stay; the last one in wins."""
    ENDS = "ends"
    """The game ends: of the other two, the one who ejected more wins; equal draws."""


class LeaveTeams(StrEnum):
    """What a resignation or a fallen flag does to a team."""

    LOSES = "loses"
    """The team loses."""
    PARTNER = "partner"
    """The partner plays on alone, and may still use the marbles of the one who left."""


class TeamTalk(StrEnum):
    """May partners write to each other during a game?"""

    NONE = "none"
    FREE = "free"


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """A rule set; `RULEBOOK` and `TOURNAMENT` are presets, `dataclasses.replace` changes one."""

    win_at: int = 6
    """How many ejections win."""
    repetition: int | None = None
    """The occurrence of a position at which the game is a draw; None: never."""
    ply_limit: int | None = None
    """After so many plies more ejections win, equal draws; None: no limit."""
    stuck: Stuck = Stuck.BY_MODE
    partner_sidestep: PartnerSideStep = PartnerSideStep.ANY
    first: Colour = BLACK
    """Who begins in three and four; black always begins between two."""
    leave_three: LeaveThree = LeaveThree.OUT
    leave_teams: LeaveTeams = LeaveTeams.LOSES
    team_talk: TeamTalk = TeamTalk.NONE

    def __post_init__(self) -> None:
        # Callers may write the plain words; whoever reads an option finds the enum.
        for name, kind in _ENUMS.items():
            try:
                object.__setattr__(self, name, kind(getattr(self, name)))
            except ValueError:
                words = ", ".join(map(str, kind))
                raise RulesError(f"{name} is one of {words}, not {getattr(self, name)!r}") from None
        self._need_at_least("win_at", 1)
        self._need_at_least("repetition", 2)
        self._need_at_least("ply_limit", 1)

    def _need_at_least(self, name: str, least: int) -> None:
        value = getattr(self, name)
        if value is None and name != "win_at":
            return
        if type(value) is not int or value < least:
            raise RulesError(f"{name} is a whole number from {least} on, not {value!r}")

    def __repr__(self) -> str:
        """Only what differs from the rulebook."""
        said = (
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )
        return f"Rules({', '.join(said)})"


_ENUMS: Final = {
    "stuck": Stuck,
    "partner_sidestep": PartnerSideStep,
    "first": Colour,
    "leave_three": LeaveThree,
    "leave_teams": LeaveTeams,
    "team_talk": TeamTalk,
}

RULEBOOK: Final = Rules()
"""The rulebooks' rules: no draws."""

TOURNAMENT: Final = Rules(repetition=3)
"""As play servers and tournaments have it: the third occurrence of a position is a draw."""

PRESETS: Final = {"rulebook": RULEBOOK, "tournament": TOURNAMENT}


class Reason(StrEnum):
    """Why a game is over."""

    EJECTED = "ejected"
    NO_MOVE = "no-move"
    REPETITION = "repetition"
    PLY_LIMIT = "ply-limit"
    LAST_IN = "last-in"
    RESIGNED = "resigned"
    FLAG = "flag"
    AGREED = "agreed"
    ABANDONED = "abandoned"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning side, named by its first colour, or None for a draw."""

    winner: Colour | None
    reason: Reason
