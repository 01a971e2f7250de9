"""The language the commands speak: what --language says, else the terminal's, else English.

Translations need the catalogue's reader, which comes with the extras; without it all is English.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Annotated, Final

import typer

from sumito.sentence import Plural, Sentence, Template, english_plural
from sumito.teaching import LANGUAGES, texts

_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a terminal says which language it speaks, the strongest first, as gettext reads them."""
_CHOSEN: Final[ContextVar[str]] = ContextVar("language", default="")

LanguageOption = Annotated[
    str,
    typer.Option(
        "--language", metavar="CODE", show_default=False, help=f"One of {', '.join(LANGUAGES)}."
    ),
]


def speak(language: str) -> None:
    """Use a language from now on; an empty one leaves the choice to the terminal."""
    if language:
        texts(language)  # raises for one that isn't there
    _CHOSEN.set(language)


def asked_language(typed: Sequence[str]) -> str:
    """The language that a command line asks for, wherever it does; empty if it is none of ours."""
    for number, word in enumerate(typed):
        name, _, value = word.partition("=")
        if name == "--language":
            code = value or next(iter(typed[number + 1 :]), "")
            return code if code in LANGUAGES else ""
    return ""


def reader_language(wanted: str = "") -> str:
    """The language asked for, else the terminal's, else English."""
    if wanted or _CHOSEN.get():
        texts(wanted or _CHOSEN.get())  # raises for one that isn't there
        return wanted or _CHOSEN.get()
    for variable in _VARIABLES:
        for locale in os.environ.get(variable, "").split(":"):
            code = re.split(r"[_.@-]", locale.lower())[0]
            if code in LANGUAGES:
                return code
            if code:  # an explicit choice of a language that isn't here, or of none ("C")
                return "en"
    return "en"


def translated(said: Sentence) -> str:
    """A sentence in the reader's language."""
    return said.say(translate, _plural)


def translate(text: str) -> str:
    """A template in the reader's language."""
    language = reader_language()
    if language == "en":
        return text
    try:
        from sumito.server import i18n
    except ImportError:
        return text
    return i18n.catalogue(language).get(text, text)


def _plural(one: str, many: str, count: int) -> str:
    language = reader_language()
    try:
        from sumito.server import i18n
    except ImportError:
        return english_plural(one, many, count)
    return i18n.plural(language, one, many, count)


def filled(template: Template, values: Mapping[str, object]) -> str:
    """A template in the reader's language with its values, none of them shortened."""
    if isinstance(template, Plural):
        text = _plural(*template, int(str(values["count"])))
    else:
        text = translate(template)
    return text.format(**{name: _named(value) for name, value in values.items()})


def _named(value: object) -> object:
    """What has a name in every language, in the reader's; all else as it is."""
    label = getattr(value, "label", None)
    return translate(label) if isinstance(label, str) else value
