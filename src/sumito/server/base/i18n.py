"""The server's sentences in the reader's language, from the one catalogue in `sumito/locale`.

An English text is its own key. What the library says is a `Sentence`, a template with values, and
is said here like any other text.
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

from sumito.i18n.messages import N_, Sentence, english_plural

__all__ = ["N_", "catalogue", "choose", "languages", "name_of", "plural", "say", "sentence"]

ENGLISH: Final = "en"
_CATEGORIES: Final = ("zero", "one", "two", "few", "many")
"""The plural categories in the order in which gettext has their forms; "other" comes last."""
_ASKED: Final = re.compile(
    r"(?P<language>[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)\s*(;\s*q=(?P<q>[01](\.\d{0,3})?)\s*)?"
)


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
    """All texts of a language by their English; those with a context are the page's own."""
    texts: dict[str, str] = {}
    for file in _files(language):
        for message in read_po(BytesIO(file.read_bytes()), locale=language):
            if message.context is not None:
                continue
            if message.id and isinstance(message.id, str) and isinstance(message.string, str):
                texts[message.id] = message.string or message.id
    return texts


@cache
def plurals(language: str) -> Mapping[str, tuple[str, ...]]:
    """The texts that have a plural, all forms in gettext's order, by their English singular."""
    return {
        message.id[0]: tuple(message.string)
        for file in _files(language)
        for message in read_po(BytesIO(file.read_bytes()), locale=language)
        if isinstance(message.id, tuple) and isinstance(message.string, tuple | list)
    }


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


def plural(language: str, one: str, many: str, count: int) -> str:
    """The form of a text that goes with a number."""
    forms = plurals(language).get(one)
    if forms is None:
        return english_plural(one, many, count)
    rule = Locale.parse(language).plural_form
    used = [category for category in _CATEGORIES if category in rule.tags] + ["other"]
    return forms[min(used.index(rule(count)), len(forms) - 1)]


def sentence(language: str, said: Sentence) -> str:
    """What the library says, an error or an outcome, in a language."""
    texts = catalogue(language)

    def counted(one: str, many: str, count: int) -> str:
        return plural(language, one, many, count)

    return said.say(lambda text: texts.get(text, text), counted)
