"""The server's messages in the reader's language, and which language a request wants.

Texts are looked up in the catalogues of `sumito.i18n`; an English text is its own key.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from sumito.i18n.catalogues import ENGLISH, Translator, languages
from sumito.i18n.messages import N_, Message

__all__ = ["ENGLISH", "N_", "choose", "languages", "say", "sentence"]

_MAX_RANGES: Final = 10
_RANGE: Final = re.compile(
    r"(?P<language>[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)\s*(;\s*q=(?P<q>[01](\.\d{0,3})?)\s*)?"
)


def choose(wanted: str | None, header: str = "") -> str:
    """Return a person's own choice of language, else the browser's first known one, else English.

    `header` is an Accept-Language. A regional variant falls back to its language.
    """
    known = {language.casefold().replace("_", "-"): language for language in languages()}
    if wanted is not None and wanted in known.values():
        return wanted
    for tag in _ranked(header):
        for form in (tag, tag.partition("-")[0]):
            if form.casefold() in known:
                return known[form.casefold()]
    return ENGLISH


def _ranked(header: str) -> list[str]:
    """The languages of an Accept-Language header, the most wanted first.

    >>> _ranked("en;q=0.2, de-CH, nl;q=0.5, fr;q=0")
    ['de-CH', 'nl', 'en']
    """
    ranges = []
    for part in header.split(",")[:_MAX_RANGES]:
        match = _RANGE.fullmatch(part.strip())
        if match and float(match["q"] or 1) > 0:
            ranges.append((float(match["q"] or 1), match["language"]))
    return [language for _, language in sorted(ranges, key=lambda one: -one[0])]


@cache
def _translator(language: str) -> Translator:
    return Translator(language, domain="server")


def say(language: str, template: str, **values: Any) -> str:
    """Return a text of the server in a language."""
    text = _translator(language).gettext(template)
    return text.format(**values) if values else text


def sentence(language: str, message: Message) -> str:
    """Return a message of the library, an error or an outcome, in a language."""
    return _translator(language).sentence(message)
