"""The package's catalogues, read by the standard library's gettext.

A language has one catalogue for each domain: library, commands, terminal, server, page. A built
package has them compiled; a checkout has their sources, which are compiled on first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Final

from sumito.errors import LanguageError
from sumito.i18n.compiler import compile_po
from sumito.i18n.messages import N_, Message, Plural

ENGLISH: Final = "en"
"""The language of the texts in the code."""
_COMPILED: Final = ".mo"
_SOURCE: Final = ".po"


@cache
def languages() -> tuple[str, ...]:
    """Return English and every language that has a catalogue."""
    folder = _folder()
    found = {one.name for one in folder.iterdir() if one.is_dir()} if folder.is_dir() else set()
    return (ENGLISH, *sorted(found - {ENGLISH}))


def check_language(language: str, known: Sequence[str] | None = None) -> None:
    """Raise `LanguageError` unless the language is in `known`, or has a catalogue."""
    known = languages() if known is None else known
    if language not in known:
        raise LanguageError(
            N_("no translations for the language {language!r}; available are {known}"),
            language=language,
            known=tuple(known),
        )


@dataclass(frozen=True, slots=True)
class Translator:
    """Translates texts into a language; where catalogues differ, the domain's takes precedence.

    >>> Translator("de").gettext("draw ({reason})")
    'Remis ({reason})'
    """

    language: str = ENGLISH
    domain: str = "library"

    def gettext(self, text: str) -> str:
        """Return the translation of a text; itself if it has none."""
        return translations(self.language, self.domain).gettext(text) if text else ""

    def ngettext(self, one: str, many: str, count: int) -> str:
        """Return the translated form of a text for a count."""
        return translations(self.language, self.domain).ngettext(one, many, count)

    def template(self, template: str | Plural, count: object = 1) -> str:
        """Return the translation of a template; `count` chooses among plural forms."""
        if isinstance(template, Plural):
            return self.ngettext(*template, int(str(count)))
        return self.gettext(template)

    def sentence(self, sentence: Message) -> str:
        """Return a message in the language."""
        return sentence.render(self.gettext, self.ngettext)


@cache
def translations(language: str, domain: str) -> NullTranslations:
    """Return the catalogue of a domain, with those of all others to fall back on.

    Raise `LanguageError` for a language without a catalogue.
    """
    check_language(language)
    if language == ENGLISH:
        return NullTranslations()
    files = _files(language)
    first = _read(files.pop(domain))
    for other in files.values():
        first.add_fallback(_read(other))
    return first


def _read(file: Traversable) -> GNUTranslations:
    contents = file.read_bytes()
    if file.name.endswith(_SOURCE):
        contents = compile_po(contents.decode())
    return GNUTranslations(BytesIO(contents))


def _files(language: str) -> dict[str, Traversable]:
    """The catalogue of each domain, compiled where it is, in a stable order."""
    found: dict[str, Traversable] = {}
    folder = _folder().joinpath(language, "LC_MESSAGES")
    for suffix in (_COMPILED, _SOURCE):
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith(suffix):
                found.setdefault(file.name.removesuffix(suffix), file)
    return found


def _folder() -> Traversable:
    return resources.files("sumito").joinpath("locale")
