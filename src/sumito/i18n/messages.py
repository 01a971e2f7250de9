"""Sentences as data: a code, an English template and the values in it.

The library never decides in which language it is read. What it says to people (errors, reasons,
outcomes) is a `Sentence`; `str` says it in English, and `say` in any language for which there is
a gettext catalogue. `N_` and `NN_` mark templates, so that Babel finds them.

>>> sentence = Sentence("empty-cell", N_("there is no marble on {cell}"), {"cell": "e5"})
>>> str(sentence), sentence.values
('there is no marble on e5', {'cell': 'e5'})
>>> sentence.say(lambda text: {"there is no marble on {cell}": "{cell} ist leer"}.get(text, text))
'e5 ist leer'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from os import PathLike
from types import MappingProxyType
from typing import Any, Final, NamedTuple

LONGEST_VALUE: Final = 60
"""Longer texts are cut where they are quoted: a sentence stays one, whatever was typed."""

LONGEST_PATH: Final = 4096

Gettext = Callable[[str], str]
NGettext = Callable[[str, str, int], str]


class Plural(NamedTuple):
    """A template for one and one for many; the value named `count` decides."""

    one: str
    many: str


Template = str | Plural
Value = object
"""What goes into a template. Enums with a `label`, sentences and tuples of them are translated."""

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


def N_(text: str) -> str:
    """Mark a template for the catalogue; it is translated when it is said."""
    return text


def NN_(one: str, many: str) -> Plural:
    """Mark a template with a plural."""
    return Plural(one, many)


def english_plural(one: str, many: str, count: int) -> str:
    """One, or any other number."""
    return one if count == 1 else many


class Sentence:
    """Something to say to a person, in whatever language they read."""

    __slots__ = ("code", "fields", "template")

    code: str
    """A stable name in kebab-case for programs to branch on."""
    template: Template
    """The English text with `{names}`: the key of the translations."""
    fields: Mapping[str, Any]
    """What goes in, with its type: a `Colour` stays one until it is said."""

    def __init__(
        self, code: str, template: Template, fields: Mapping[str, Value] = _NONE, /
    ) -> None:
        self.code = code
        self.template = template
        self.fields = {name: _kept(value) for name, value in fields.items()}

    @property
    def values(self) -> dict[str, str | int]:
        """The fields as plain words and numbers, ready for JSON."""
        return {name: plain(value) for name, value in self.fields.items()}

    def say(self, gettext: Gettext = str, ngettext: NGettext = english_plural) -> str:
        """The sentence in the language of these two functions, as gettext catalogues have them."""
        if isinstance(self.template, Plural):
            text = ngettext(*self.template, int(self.fields["count"]))
        else:
            text = gettext(self.template)
        if not self.fields:
            return text
        return text.format(
            **{name: _said(value, gettext, ngettext) for name, value in self.fields.items()}
        )

    def __str__(self) -> str:
        return self.say()

    def __repr__(self) -> str:
        return f"<Sentence {self.code}: {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return (self.code, self.template, self.fields) == (other.code, other.template, other.fields)

    def __hash__(self) -> int:
        return hash((self.code, self.template))


def plain(value: object) -> str | int:
    """A value for JSON: numbers as they are, all else as its English word."""
    if type(value) is int:
        return value
    if isinstance(value, tuple):
        return ", ".join(str(plain(each)) for each in value)
    return str(value)


def _kept(value: Value) -> Value:
    """What can be said, sent to another process and stored, however long it was."""
    if isinstance(value, int) and abs(value) >= 10**LONGEST_VALUE:
        value = hex(value)  # Python refuses to write thousands of decimal digits
    elif isinstance(value, PathLike | BaseException):
        return str(value)[:LONGEST_PATH]  # half a path, half a reason help nobody
    elif not isinstance(value, str | int | float | Enum | tuple | Sentence | None):
        value = str(value)
    if type(value) is str and len(value) > LONGEST_VALUE:
        return value[:LONGEST_VALUE] + "…"
    return value


def _said(value: object, gettext: Gettext, ngettext: NGettext) -> object:
    if isinstance(value, Sentence):
        return value.say(gettext, ngettext)
    if isinstance(value, Enum):
        label: str | None = getattr(value, "label", None)
        return str(value) if label is None else gettext(label)
    if isinstance(value, tuple):
        return ", ".join(str(_said(each, gettext, ngettext)) for each in value)
    return value
