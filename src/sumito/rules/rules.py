"""The rule set of a game: the rulebook's rules, and an option for each question it leaves open.

>>> Rules(win_at=4, repetition=3)
Rules(win_at=4, repetition=3)
>>> str(Rules.parse("win_at=4 repetition=3")), str(TOURNAMENT)
('win_at=4 repetition=3', 'tournament')
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any, Final

from sumito.choice import Choice
from sumito.errors import RulesError
from sumito.i18n.messages import N_, NN_, Message, Template
from sumito.rules.modes import BLACK, Colour, Mode
from sumito.validate import check_at_least, parsed


class PartnerSideStep(Choice, error=RulesError):
    """Whether a partner's marbles may take part in a side-step."""

    ANY = "any"
    """Yes, with at least one marble of the player's own."""
    NONE = "none"
    """No, only the player's own marbles side-step."""


class Stuck(Choice, error=RulesError):
    """The consequence of having no legal move."""

    BY_MODE = "by-mode"
    """With two players, the player loses; with more, the turn passes."""
    LOSES = "loses"
    """The player loses; in `three` the player is eliminated, in a team the team loses."""
    PASSES = "passes"
    """The turn passes to the next player who can act."""
    DRAWS = "draws"
    """The game is a draw."""


class LeaveThree(Choice, error=RulesError):
    """The consequence of a resignation or a fallen flag in `three`."""

    OUT = "out"
    """The player is eliminated, the marbles stay; the last player left wins."""
    ENDS = "ends"
    """The game ends: of the other two, the player who ejected more wins; equal draws."""


class LeaveTeams(Choice, error=RulesError):
    """The consequence of a resignation or a fallen flag for a team."""

    LOSES = "loses"
    """The team loses."""
    PARTNER = "partner"
    """The partner plays on alone, and may still use the marbles of the player who left."""


class TeamTalk(Choice, error=RulesError):
    """Whether partners may chat during a game."""

    NONE = "none"
    FREE = "free"


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """A rule set; `RULEBOOK` and `TOURNAMENT` are presets, `dataclasses.replace` changes one.

    `str` is a preset's name, or the options that differ from the rulebook; `parse` reads both.
    """

    win_at: int = 6
    """The number of ejections that wins."""
    repetition: int | None = None
    """The occurrence of a position at which the game is drawn; `None` for never."""
    ply_limit: int | None = None
    """The ply after which more ejections win and equal ones draw; `None` without a limit."""
    stuck: Stuck = Stuck.BY_MODE
    partner_sidestep: PartnerSideStep = PartnerSideStep.ANY
    first: Colour = BLACK
    """The colour that begins with three or four players; with two, black begins."""
    leave_three: LeaveThree = LeaveThree.OUT
    leave_teams: LeaveTeams = LeaveTeams.LOSES
    team_talk: TeamTalk = TeamTalk.NONE

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Parse a preset's name, or options such as `win_at=4 repetition=3`."""
        text = str(text)
        if text in PRESETS:
            return PRESETS[text]
        known = {field.name for field in fields(cls)}
        options: dict[str, Any] = {}
        for word in text.split(" "):
            name, _, value = word.partition("=")
            if name not in known or name in options or not value:
                raise RulesError(
                    N_(
                        "{text!r} is not an option; write rulebook, tournament, or options "
                        "as win_at=4 repetition=3"
                    ),
                    code="rules-text",
                    text=word,
                )
            options[name] = int(value) if _COUNT.fullmatch(value) else value
        return cls(**options)

    def __post_init__(self) -> None:
        # Callers may pass the words instead of enum members.
        for name, kind in _ENUMS.items():
            try:
                object.__setattr__(self, name, kind(getattr(self, name)))
            except ValueError:
                raise RulesError(
                    N_("{name} is one of {known}, not {value!r}"),
                    code="rules-option",
                    name=name,
                    known=tuple(map(str, kind)),
                    value=getattr(self, name),
                ) from None
        check_at_least("win_at", self.win_at, 1, RulesError, "rules-number")
        for name, least in (("repetition", 2), ("ply_limit", 1)):
            if getattr(self, name) is not None:
                check_at_least(name, getattr(self, name), least, RulesError, "rules-number")

    def _changed(self) -> dict[str, object]:
        """The options that differ from the rulebook."""
        values = ((field, getattr(self, field.name)) for field in fields(self))
        return {field.name: value for field, value in values if value != field.default}

    def __str__(self) -> str:
        for name, preset in PRESETS.items():
            if self == preset:
                return name
        return " ".join(f"{name}={value}" for name, value in self._changed().items())

    def __repr__(self) -> str:
        options = (f"{name}={value!r}" for name, value in self._changed().items())
        return f"Rules({', '.join(options)})"


_COUNT: Final = re.compile(r"0|[1-9][0-9]{0,6}")


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
"""The rules of play servers and tournaments: a position's third occurrence is a draw."""

PRESETS: Final = {"rulebook": RULEBOOK, "tournament": TOURNAMENT}


class Reason(Choice, error=RulesError):
    """The reason why a game ended."""

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

    @property
    def label(self) -> str:
        """The reason as a template, to be translated; `sentence` says how many were ejected."""
        template = _REASONS[self]
        return template if isinstance(template, str) else N_("ejections")

    def sentence(self, rules: Rules | str = RULEBOOK) -> Message:
        """Return the reason in words."""
        rules = parsed("rules", rules, Rules)
        fields = {"count": rules.win_at} if self is Reason.EJECTED else {}
        return Message(self.value, _REASONS[self], fields)


_REASONS: Final[dict[Reason, Template]] = {
    Reason.EJECTED: NN_("{count} marble ejected", "{count} marbles ejected"),
    Reason.NO_MOVE: N_("no move left"),
    Reason.REPETITION: N_("repetition"),
    Reason.PLY_LIMIT: N_("move limit reached"),
    Reason.LAST_IN: N_("the last one in the game"),
    Reason.RESIGNED: N_("resignation"),
    Reason.FLAG: N_("out of time"),
    Reason.AGREED: N_("agreed"),
    Reason.ABANDONED: N_("left the game"),
    Reason.ABORTED: N_("aborted"),
}


DRAW: Final = "draw"
"""The text in place of a winner in a drawn outcome."""

UNDECIDED: Final = "*"
"""The result of a game in progress or with an unknown end."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning side, named by its first colour, or None for a draw.

    >>> str(Outcome(BLACK, Reason.EJECTED)), str(Outcome(None, Reason.AGREED))
    ('black: ejected', 'draw: agreed')
    """

    winner: Colour | None
    reason: Reason

    @classmethod
    def parse(cls, text: str) -> Outcome:
        """Parse an outcome: the winner or `draw`, and the reason."""
        winner, colon, reason = str(text).partition(": ")
        if str(text) == Reason.ABORTED:
            return cls(None, Reason.ABORTED)
        if not colon:
            raise RulesError(
                N_("{text!r} is not an outcome; write it as black: ejected or draw: agreed"),
                code="outcome",
                text=text,
            )
        return cls(None if winner == DRAW else Colour.parse(winner), Reason(reason))

    def __str__(self) -> str:
        if self.reason is Reason.ABORTED:
            return str(self.reason)
        return f"{DRAW if self.winner is None else self.winner}: {self.reason}"

    def result(self, mode: Mode | str = Mode.TWO, out: frozenset[Colour] = frozenset()) -> str:
        """Return the result as in records; eliminated players have no share in a draw."""
        mode = parsed("mode", mode, Mode)
        if self.reason is Reason.ABORTED:
            return UNDECIDED
        if self.winner is not None:
            return "-".join("1" if side[0] is self.winner else "0" for side in mode.sides)
        return "-".join("0" if out.issuperset(side) else "1/2" for side in mode.sides)

    def sentence(self, mode: Mode | str = Mode.TWO, rules: Rules | str = RULEBOOK) -> Message:
        """The outcome for people: `black+red win (6 marbles ejected)`."""
        mode = parsed("mode", mode, Mode)
        reason = self.reason.sentence(rules)
        if self.reason is Reason.ABORTED:
            return reason
        if self.winner is None:
            return Message("draw", N_("draw ({reason})"), {"reason": reason})
        winners = next(side for side in mode.sides if side[0] is self.winner)
        template = (
            N_("{winner} wins ({reason})") if len(winners) == 1 else N_("{winner} win ({reason})")
        )
        return Message("won", template, {"winner": side_name(winners), "reason": reason})


def side_name(side: tuple[Colour, ...]) -> Message:
    """Return the name of a side: `black`, or `black+red`."""
    if len(side) == 1:
        return Message("side", "{one}", {"one": side[0]})
    return Message("team", N_("{one}+{other}"), {"one": side[0], "other": side[1]})
