"""The header of a record: the syntax, order and meaning of its tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from sumito.errors import RecordError, RulesError, SumitoError
from sumito.i18n.messages import N_, Message
from sumito.position import Form, Position
from sumito.record.tree import UNWRITABLE
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.notations import Notation
from sumito.rules.rules import RULEBOOK, UNDECIDED, Outcome, Reason, Rules
from sumito.validate import check_type

Tags = Mapping[str, str]

MANDATORY: Final = ("Event", "Date", "Black", "White", "Variant", "Result", "Notation")
_ORDER: Final = (
    *("Event", "Date", "Black", "White", "Red", "Blue", "Variant", "Result", "Notation"),
    *("Mode", "Rules", "SetUp", "Position", "Termination", "Plies", "Source"),
    *("BlackElo", "WhiteElo", "TimeControl", "Annotator"),
)
"""The order in which tags are written; others follow in their own order."""


def player_tag(colour: Colour) -> str:
    """Return the name of the tag with a player's name: `Black`, `White`, `Red` or `Blue`."""
    return colour.name.capitalize()


UNKNOWN: Final = {"Event": "?", "Date": "????.??.??"} | {
    player_tag(colour): "?" for colour in Colour
}
"""The values of mandatory tags that are missing."""

NOTATIONS: Final = {
    Notation.ABA_PRO: "Aba-Pro",
    Notation.NACRE: "Nacre",
    Notation.PLAYSTRATEGY: "PlayStrategy",
}
CUSTOM: Final = "custom"

_VARIANTS: Final = {
    "alien": "alien-attack",
    "belgian": "belgian-daisy",
    "centrifugeuse": "centrifuge",
    "dutch_daisy": "dutch-daisy",
    "german_daisy": "german-daisy",
    "snakes_variant": "snakes-variation",
    "swiss_daisy": "swiss-daisy",
    "the_wall": "the-wall",
}
"""Variant names in files where they differ from the layouts' ids."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAG: Final = re.compile(rf'\[({_NAME.pattern})[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\][ \t]*')
_COUNT: Final = re.compile(r"0|[1-9][0-9]{0,6}")


def parse_tag(line: str, longest: int = 10_000) -> tuple[str, str]:
    """Parse a tag line; return the name and the value."""
    if len(line) > longest:
        raise RecordError(
            N_("a tag has at most {most} characters, this one has {length}"),
            code="tag-too-long",
            most=longest,
            length=len(line),
        )
    match = _TAG.fullmatch(line)
    if not match:
        raise RecordError(
            N_(
                '{text!r} is not a tag; a tag is [Name "value"], with \\" for a quote '
                "and \\\\ for a backslash"
            ),
            code="tag",
            text=line,
        )
    name, value = match[1], re.sub(r"\\(.)", r"\1", match[2])
    _check_writable(name, value)
    return name, value


def write_tag(name: str, value: str) -> str:
    """Return the line of a tag."""
    if not _NAME.fullmatch(name):
        raise RecordError(
            N_("{name!r} is not a tag name; use letters, digits and _"),
            code="tag-name",
            name=name,
        )
    _check_writable(name, value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _check_writable(name: str, value: str) -> None:
    if match := UNWRITABLE.search(value):
        raise RecordError(
            N_("the tag {tag} can't contain the character {character!r}"),
            code="tag-character",
            tag=name,
            character=match[0],
        )


def in_order(tags: Tags) -> dict[str, str]:
    """Return the tags in the order in which they are written."""
    first = {name: tags[name] for name in _ORDER if name in tags}
    return first | dict(tags)


class Header:
    """The parsed tags of a record; each is parsed on first use.

    >>> header = Header({"Variant": "standard", "Notation": "Aba-Pro", "Result": "1-0"})
    >>> header.mode, header.notation, header.result
    (Mode.TWO, <Notation.ABA_PRO: 'aba-pro'>, '1-0')

    A property raises `RecordError` if its tag is missing or can't be read.
    """

    tags: Tags
    """The tags as they were when the header was made."""

    def __init__(self, tags: Tags) -> None:
        check_type("tags", tags, Mapping)
        self.tags = MappingProxyType(dict(tags))

    @cached_property
    def mode(self) -> Mode:
        """The mode; two players if there is no tag `Mode`."""
        try:
            return Mode.parse(self.tags.get("Mode", Mode.TWO))
        except SumitoError as error:
            raise _of_tag("Mode", error) from None

    @cached_property
    def rules(self) -> Rules:
        """The rule set; the rulebook's if there is no tag `Rules`."""
        try:
            return Rules.parse(self.tags.get("Rules", "rulebook"))
        except RulesError as error:
            raise _of_tag("Rules", error) from None

    @cached_property
    def notation(self) -> Notation:
        """The notation of the moves; there is no default."""
        text = self.tag("Notation")
        try:
            return Notation.parse(text)
        except SumitoError as error:
            raise _of_tag("Notation", error) from None

    @cached_property
    def start(self) -> Position:
        """The start position; `Position` takes precedence over `Variant`."""
        mode, variant = self.mode, self.tag("Variant")
        setup, text = self.tags.get("SetUp", "0"), self.tags.get("Position")
        if setup not in ("0", "1"):
            raise RecordError(
                N_('tag SetUp is "1" when there is a Position and else "0", not {text!r}'),
                code="tag-setup",
                text=setup,
            )
        if text is not None:
            if variant == CUSTOM and setup != "1":
                raise RecordError(
                    N_('Variant "custom" needs SetUp "1" beside its Position'), code="tag-setup"
                )
            return _parse_position(text, mode)
        if setup == "1" or variant == CUSTOM:
            why = 'SetUp "1"' if setup == "1" else 'Variant "custom"'
            raise RecordError(N_("{why} needs a tag Position"), code="tag-position", why=why)
        try:
            return layouts.start(_VARIANTS.get(variant, variant), mode, first=self.rules.first)
        except RecordError:
            raise
        except SumitoError as error:
            raise RecordError(
                N_("tag Variant: {problem}; another start needs a tag Position"),
                code="tag-variant",
                problem=error.sentence,
            ) from None

    @cached_property
    def result(self) -> str:
        """The result, which must be possible in the mode."""
        result = self.tag("Result")
        known = _results(self.mode)
        if result not in known:
            raise RecordError(
                N_("tag Result: {result!r} is not a result of mode {mode}; results are {known}"),
                code="tag-result",
                result=result,
                mode=self.mode,
                known=tuple(known),
            )
        return result

    @cached_property
    def plies(self) -> int | None:
        """The number of moves of the game, or `None` if there is no tag `Plies`."""
        text = self.tags.get("Plies")
        if text is None:
            return None
        if not _COUNT.fullmatch(text):
            raise RecordError(
                N_("tag Plies is the number of moves, not {text!r}"), code="tag-plies", text=text
            )
        return int(text)

    @cached_property
    def players(self) -> dict[Colour, str]:
        """The players' names."""
        return {colour: self.tag(player_tag(colour)) for colour in self.mode.colours}

    def tag(self, name: str) -> str:
        """Return the value of a tag; raise `RecordError` if it is missing."""
        if name not in self.tags:
            raise RecordError(N_("the tag {tag} is missing"), code="tag-missing", tag=name)
        return self.tags[name]

    def errors(self) -> Iterator[tuple[str, RecordError]]:
        """Yield the errors in the tags, each with its tag."""
        found: set[Message] = set()
        for name, check in _CHECKS:
            try:
                check(self)
            except RecordError as error:
                # Without a mode, the other tags can't be checked.
                if error.problem not in found:
                    is_position = name == "Variant" and "Position" in self.tags
                    yield ("Position" if is_position and check is _START else name), error
                found.add(error.problem)
        yield from _misplaced([name for name in self.tags if name in MANDATORY])

    def check_plies(self, played: int) -> None:
        """Raise `RecordError` unless the tag `Plies` is the number of moves, if it is there."""
        if self.plies is not None and self.plies != played:
            raise RecordError(
                N_("the tag Plies is {plies}, but {played} are played"),
                code="plies-differ",
                plies=self.plies,
                played=played,
            )


def _parse_position(text: str, mode: Mode) -> Position:
    # APGN's text has two fields, Sumito's at least five.
    form = Form.APGN if text.count(" ") < 2 else Form.SUMITO
    try:
        position = Position.parse(text, form)
    except SumitoError as error:
        raise _of_tag("Position", error) from None
    if position.mode is not mode:
        raise RecordError(
            N_("Position is of mode {other}, but the game of mode {mode}"),
            code="tag-position-mode",
            other=position.mode,
            mode=mode,
        )
    return position


def start_tags(start: Position, rules: Rules) -> dict[str, str]:
    """Return the tags for a game's start position and rules."""
    tags: dict[str, str] = {}
    if start.mode is not Mode.TWO:
        tags["Mode"] = str(start.mode)
    if rules != RULEBOOK:
        tags["Rules"] = str(rules)
    layout = layouts.find(start.marbles, start.mode)
    if layout is None:
        tags["Variant"] = CUSTOM
    else:
        names = {id: name for name, id in _VARIANTS.items()}
        tags["Variant"] = names.get(layout.id, layout.id)
        if Header(tags).start == start:
            return tags
    tags["SetUp"] = "1"
    tags["Position"] = _position_text(start)
    return tags


def _position_text(start: Position) -> str:
    if start.mode is Mode.TWO:
        text = start.text(Form.APGN)
        if Position.parse(text, Form.APGN) == start:
            return text
    return start.text()


def _of_tag(name: str, error: SumitoError) -> RecordError:
    return RecordError(
        N_("tag {tag}: {problem}"), code=error.code, tag=name, problem=error.sentence
    )


def _results(mode: Mode) -> list[str]:
    sides = len(mode.sides)
    wins = [_win(mode, Colour(side)) for side in range(sides)]
    draws = [
        "-".join(shares)
        for shares in product(("1/2", "0"), repeat=sides)
        if shares.count("1/2") >= 2
    ]
    return [*wins, *draws, UNDECIDED]


def _win(mode: Mode, winner: Colour) -> str:
    return Outcome(winner, Reason.EJECTED).result(mode)


def check_result(result: str, board: Board) -> None:
    """Raise `RecordError` if a result contradicts the final board."""
    if result == UNDECIDED:
        return
    outcome = board.outcome()
    if outcome is not None:
        right = outcome.result(board.mode, board.eliminated)
        if result != right:
            raise RecordError(
                N_("the result is {result}, but the game ended {right} on the board ({reason})"),
                code="result-and-board",
                result=result,
                right=right,
                reason=outcome.reason,
            )
        return
    winners = [
        _win(board.mode, side[0]) for side in board.mode.sides if not board.eliminated >= set(side)
    ]
    drawn = Outcome(None, Reason.AGREED).result(board.mode, board.eliminated)
    if result not in (*winners, drawn):
        raise RecordError(
            N_("the result is {result}, but an eliminated player has no share in it"),
            code="result-of-out",
            result=result,
        )


# The whole header.


def _tag_check(name: str) -> Callable[[Header], object]:
    return lambda header: header.tag(name)


_START: Final = attrgetter("start")
_CHECKS: Final[tuple[tuple[str, Callable[[Header], object]], ...]] = (
    *((name, _tag_check(name)) for name in MANDATORY),
    ("Mode", attrgetter("mode")),
    ("Mode", attrgetter("players")),
    ("Rules", attrgetter("rules")),
    ("Result", attrgetter("result")),
    ("Notation", attrgetter("notation")),
    ("Variant", _START),
    ("Plies", attrgetter("plies")),
)


def _misplaced(names: Iterable[str]) -> Iterator[tuple[str, RecordError]]:
    furthest = -1
    for name in names:
        place = MANDATORY.index(name)
        if place < furthest:
            yield (
                name,
                RecordError(
                    N_("the tag {tag} comes too late: the order is {order}"),
                    code="tag-order",
                    tag=name,
                    order=MANDATORY,
                ),
            )
        furthest = max(furthest, place)
