"""The tags of a record: which must be there, in what order, and what they mean for the game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Final

from sumito.errors import RecordError, RulesError, SumitoError
from sumito.i18n.messages import N_, Sentence
from sumito.position import Form, Position
from sumito.record.tree import UNWRITABLE
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.notations import Notation
from sumito.rules.rules import RULEBOOK, UNDECIDED, Outcome, Reason, Rules

Tags = Mapping[str, str]

MANDATORY: Final = ("Event", "Date", "Black", "White", "Variant", "Result", "Notation")
_ORDER: Final = (
    *("Event", "Date", "Black", "White", "Red", "Blue", "Variant", "Result", "Notation"),
    *("Mode", "Rules", "SetUp", "Position", "Termination", "Plies", "Source"),
    *("BlackElo", "WhiteElo", "TimeControl", "Annotator"),
)
"""How tags are written; any others follow in the order they came."""

UNKNOWN: Final = {"Event": "?", "Date": "????.??.??"} | {
    colour.name.capitalize(): "?" for colour in Colour
}
"""What stands for a mandatory tag that nobody gave."""

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
"""The names that files use where they differ from the ids of our layouts."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAG: Final = re.compile(rf'\[({_NAME.pattern})[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\][ \t]*')
_COUNT: Final = re.compile(r"0|[1-9][0-9]{0,6}")


def parse_tag(line: str, longest: int = 10_000) -> tuple[str, str]:
    """The name and the value of a tag line."""
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
    """The line of a tag."""
    if not _NAME.fullmatch(name):
        raise RecordError(
            N_("{name!r} is not a name for a tag: letters, digits and _ make one"),
            code="tag-name",
            name=name,
        )
    _check_writable(name, value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _check_writable(name: str, value: str) -> None:
    if match := UNWRITABLE.search(value):
        raise RecordError(
            N_("the tag {tag} can't have the character {character!r} in it"),
            code="tag-character",
            tag=name,
            character=match[0],
        )


def in_order(tags: Tags) -> dict[str, str]:
    """The tags as they are written."""
    first = {name: tags[name] for name in _ORDER if name in tags}
    return first | dict(tags)


# What the tags say.


def mode_of(tags: Tags) -> Mode:
    """The mode; two players where nothing is said."""
    try:
        return Mode.parse(tags.get("Mode", Mode.TWO))
    except SumitoError as error:
        raise _of_tag("Mode", error) from None


def notation_of(tags: Tags) -> Notation:
    """How the moves are written; there is no default, since nothing can guess it."""
    text = _need(tags, "Notation")
    try:
        return Notation.parse(text)
    except SumitoError as error:
        raise _of_tag("Notation", error) from None


def rules_of(tags: Tags) -> Rules:
    """The rule set; the rulebook's where nothing is said."""
    try:
        return Rules.parse(tags.get("Rules", "rulebook"))
    except RulesError as error:
        raise _of_tag("Rules", error) from None


def start_of(tags: Tags) -> Position:
    """Where the game begins; where Variant and Position disagree, Position holds."""
    mode, variant = mode_of(tags), _need(tags, "Variant")
    setup, text = tags.get("SetUp", "0"), tags.get("Position")
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
    rules = rules_of(tags)
    try:
        return layouts.start(_VARIANTS.get(variant, variant), mode, first=rules.first)
    except SumitoError as error:
        raise RecordError(
            N_("tag Variant: {problem}; another start needs a tag Position"),
            code="tag-variant",
            problem=error.sentence,
        ) from None


def _parse_position(text: str, mode: Mode) -> Position:
    # APGN's text has two fields, ours five at least.
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
    """The tags that tell where a game begins, and by which rules."""
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
        if start_of(tags) == start:
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


def plies_of(tags: Tags) -> int | None:
    """How many moves the game is said to have."""
    text = tags.get("Plies")
    if text is None:
        return None
    if not _COUNT.fullmatch(text):
        raise RecordError(
            N_("tag Plies is the number of moves, not {text!r}"), code="tag-plies", text=text
        )
    return int(text)


def check_plies(tags: Tags, played: int) -> None:
    """Does the tag Plies say how many moves are played?"""
    plies = plies_of(tags)
    if plies is not None and plies != played:
        raise RecordError(
            N_("the tag Plies is {plies}, but {played} are played"),
            code="plies-differ",
            plies=plies,
            played=played,
        )


def _of_tag(name: str, error: SumitoError) -> RecordError:
    return RecordError(
        N_("tag {tag}: {problem}"), code=error.code, tag=name, problem=error.sentence
    )


def _need(tags: Tags, name: str) -> str:
    if name not in tags:
        raise RecordError(N_("the tag {tag} is missing"), code="tag-missing", tag=name)
    return tags[name]


# Results.


def result_of(tags: Tags) -> str:
    """The result, if it is one that the mode can have."""
    mode, result = mode_of(tags), _need(tags, "Result")
    known = _results(mode)
    if result not in known:
        raise RecordError(
            N_("tag Result: {result!r} is no result of mode {mode}; there are {known}"),
            code="tag-result",
            result=result,
            mode=mode,
            known=tuple(known),
        )
    return result


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
    """A result may come from beyond the board, but it can't contradict it."""
    if result == UNDECIDED:
        return
    outcome = board.outcome()
    if outcome is not None:
        right = outcome.result(board.mode, board.out)
        if result != right:
            raise RecordError(
                N_("the result is {result}, but the game ended {right} on the board ({reason})"),
                code="result-and-board",
                result=result,
                right=right,
                reason=outcome.reason,
            )
        return
    winners = [_win(board.mode, side[0]) for side in board.mode.sides if not board.out >= set(side)]
    drawn = Outcome(None, Reason.AGREED).result(board.mode, board.out)
    if result not in (*winners, drawn):
        raise RecordError(
            N_("the result is {result}, but a player who is out has no share in it"),
            code="result-of-out",
            result=result,
        )


# All together.


def check(tags: Tags) -> Iterator[tuple[str, RecordError]]:
    """What is wrong with the tags, each with the tag it lies in."""
    said: set[Sentence] = set()
    for name, look in _CHECKS:
        try:
            look(tags)
        except RecordError as error:
            # A mode that isn't one leaves nothing to say about the rest.
            if error.problem not in said:
                yield ("Position" if look is start_of and "Position" in tags else name), error
            said.add(error.problem)
    yield from _misplaced([name for name in tags if name in MANDATORY])


def _name_check(name: str) -> Callable[[Tags], object]:
    return lambda tags: _need(tags, name)


def _check_players(tags: Tags) -> None:
    for colour in mode_of(tags).colours:
        _need(tags, colour.name.capitalize())


_CHECKS: Final[tuple[tuple[str, Callable[[Tags], object]], ...]] = (
    *((name, _name_check(name)) for name in MANDATORY),
    ("Mode", mode_of),
    ("Mode", _check_players),
    ("Rules", rules_of),
    ("Result", result_of),
    ("Notation", notation_of),
    ("Variant", start_of),
    ("Plies", plies_of),
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
