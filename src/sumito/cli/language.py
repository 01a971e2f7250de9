"""The language of the commands: from --language, else from the environment, else English."""

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
    """Set the language; an empty one leaves the choice to the environment."""
    if language:
        check_language(language)
    _CHOSEN.set(language)


def asked_language(typed: Sequence[str]) -> str:
    """Return the --language of a command line, wherever it stands; empty if unknown."""
    for number, word in enumerate(typed):
        name, _, value = word.partition("=")
        if name == "--language":
            code = value or next(iter(typed[number + 1 :]), "")
            return code if code in LANGUAGES else ""
    return ""


def reader_language(language: str = "") -> str:
    """Return the requested language, else the environment's, else English."""
    chosen = language or _CHOSEN.get()
    if not chosen:
        return environment_language()
    check_language(chosen)
    return chosen


def translator(language: str = "") -> Translator:
    """Return the translator of a language, by default the reader's."""
    return Translator(reader_language(language), "commands")


def render(message: Message) -> str:
    """Render a message in the reader's language."""
    return translator().sentence(message)


def translate(text: str) -> str:
    """Translate a text into the reader's language."""
    return translator().gettext(text)


def format_message(template: Template, values: Mapping[str, object]) -> str:
    """Translate a template and fill in its values, none of them shortened."""
    text = translator().template(template, values.get("count"))
    return text.format(**{name: _label(value) for name, value in values.items()})


def _label(value: object) -> object:
    """Translate a value that has a label; return all others unchanged."""
    label = getattr(value, "label", None)
    return translate(label) if isinstance(label, str) else value
