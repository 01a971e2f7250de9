"""The server's sentences in the reader's language, from the one catalogue in `sumito/locale`.

An English text is its own key. Sentences of the rules arrive finished ("e6 behind the pushed
marbles is occupied"), so they are matched against their templates and said again in the language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Any, Final

from babel import Locale, negotiate_locale
from babel.messages.pofile import read_po

ENGLISH: Final = "en"
_ASKED: Final = re.compile(
    r"(?P<language>[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)\s*(;\s*q=(?P<q>[01](\.\d{0,3})?)\s*)?"
)


def N_(text: str) -> str:
    """Mark a text for the catalogue; it is translated when it is said."""
    return text


# What `explain` and the referee say, so that it can be said in other languages too.
RULES: Final = (
    N_("the game is over"),
    N_("at least one marble of a side-step must be your own"),
    N_("{cell} is your partner's: only your own may side-step"),
    N_("{cell} is occupied: a side-step never pushes"),
    N_("the rear marble must be your own; {cell} is your partner's"),
    N_("four marbles can't move at once"),
    N_("{cell} is at the rim: nobody pushes a marble of their own off"),
    N_("one marble alone can't push, and {cell} is occupied"),
    N_("{cell} behind the pushed marbles is occupied"),
    N_("no sumito: {own} against {same} is a pac"),
    N_("no sumito: {own} against {opposing}"),
    N_("there is no marble on {cell}"),
    N_("{cell} is {owner}'s, and it is {turn}'s turn"),
    N_("the game is over ({reason})"),
    N_("{seat} has left the game"),
    N_("it is {turn}'s turn, not {seat}'s"),
    N_("the game has begun: it can be resigned, but not aborted"),
    N_("no opponent has been away for {seconds} seconds"),
    N_("no draw can be claimed while {seat} is there"),
    N_("{seat}'s draw offer stands already"),
    N_("a rated game has no take-backs: a played move stands"),
    N_("{seat} has asked for a take-back already"),
    N_("the draw offer is {seat}'s: the other side answers it"),
    N_("the take-back offer is {seat}'s: the other side answers it"),
    N_("{seat}'s side has agreed to the draw already"),
    N_("{seat}'s side has agreed to the take-back already"),
    N_("there is no draw offer to answer"),
    N_("there is no take-back offer to answer"),
    N_("{seat} has no move that could be taken back"),
    N_("the game would be over before it begins ({reason})"),
)
COLOURS: Final = {
    "black": N_("Black"),
    "white": N_("White"),
    "red": N_("Red"),
    "blue": N_("Blue"),
}


@cache
def languages() -> tuple[str, ...]:
    """The languages there is a catalogue for; English always."""
    folder = resources.files("sumito").joinpath("locale")
    found = (
        {one.name for one in folder.iterdir() if one.is_dir()} if folder.is_dir() else set[str]()
    )
    return (ENGLISH, *sorted(found - {ENGLISH}))


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All texts of a language by their English."""
    texts: dict[str, str] = {}
    for file in _files(language):
        for message in read_po(BytesIO(file.read_bytes()), locale=language):
            if message.id and isinstance(message.id, str) and isinstance(message.string, str):
                texts[message.id] = message.string or message.id
    return texts


def _files(language: str) -> list[Traversable]:
    if language not in languages():
        return []
    folder = resources.files("sumito").joinpath("locale", language, "LC_MESSAGES")
    if not folder.is_dir():
        return []
    return sorted(
        (one for one in folder.iterdir() if one.name.endswith(".po")), key=lambda one: one.name
    )


def choose(wanted: str | None, header: str = "") -> str:
    """A person's own choice of language, else the browser's first that we have, else English."""
    if wanted in languages():
        assert wanted is not None
        return wanted
    # A region's language without one of its own falls back to the language itself.
    asked = [form for one in _asked(header) for form in (one, one.split("_")[0])]
    return negotiate_locale(asked, languages()) or ENGLISH


def _asked(header: str) -> list[str]:
    """The languages of an Accept-Language, the most wanted first.

    >>> _asked("en;q=0.2, de-CH, nl;q=0.5, fr;q=0")
    ['de_CH', 'nl', 'en']
    """
    found = []
    for part in header.split(",")[:10]:
        match = _ASKED.fullmatch(part.strip())
        if match and float(match["q"] or 1) > 0:
            found.append((float(match["q"] or 1), match["language"].replace("-", "_")))
    return [language for _, language in sorted(found, key=lambda one: -one[0])]


def name_of(language: str) -> str:
    """A language's own name for itself."""
    return str(Locale.parse(language).get_display_name(language) or language).capitalize()


def say(language: str, template: str, **values: Any) -> str:
    """A text in a language."""
    text = catalogue(language).get(template, template)
    return text.format(**values) if values else text


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (
            template,
            re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[a-z0-9.+-]+)", re.escape(template))),
        )
        for template in RULES
    )


def say_again(language: str, sentence: str) -> str:
    """A finished English sentence of the rules in a language; unknown ones stay as they are."""
    if language == ENGLISH:
        return sentence
    known = catalogue(language).get(sentence)
    if known is not None:
        return known
    for template, pattern in _patterns():
        match = pattern.fullmatch(sentence)
        if match:
            values = {
                name: say(language, COLOURS[value]) if value in COLOURS else value
                for name, value in match.groupdict().items()
            }
            return say(language, template).format(**values)
    return sentence
