"""The language that the commands speak: of --language, else of the environment, else English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Annotated, Final

import typer

from sumito.i18n.catalogues import Translator, check_language
from sumito.i18n.environment import environment_language
from sumito.i18n.messages import Message, Template
from sumito.teaching import LANGUAGES

_CHOSEN: Final[ContextVar[str]] = ContextVar("language", default="")

LanguageOption = Annotated[
    str,
    typer.Option(
        "--language", metavar="CODE", show_default=False, help=f"One of {', '.join(LANGUAGES)}."
    ),
]


def set_language(language: str) -> None:
    """Use a language from now on; an empty one leaves the choice to the environment."""
    if language:
        check_language(language)
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
    """Return the language asked for, else the environment's, else English."""
    chosen = wanted or _CHOSEN.get()
    if not chosen:
        return environment_language()
    check_language(chosen)
    return chosen


def translator(language: str = "") -> Translator:
    """Return the translator of the language asked for, or of the reader's."""
    return Translator(reader_language(language), "commands")


def translated(said: Message) -> str:
    """A sentence in the reader's language."""
    return translator().sentence(said)


def translate(text: str) -> str:
    """A template in the reader's language."""
    return translator().gettext(text)


def format_message(template: Template, values: Mapping[str, object]) -> str:
    """A template in the reader's language with its values, none of them shortened."""
    text = translator().template(template, values.get("count"))
    return text.format(**{name: _named(value) for name, value in values.items()})


def _named(value: object) -> object:
    """What has a name in every language, in the reader's; all else as it is."""
    label = getattr(value, "label", None)
    return translate(label) if isinstance(label, str) else value
