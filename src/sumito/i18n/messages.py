"""Messages as data: a code, an English template and the values in it.

The library doesn't know its reader's language. Every text for people (errors, reasons, outcomes)
is a `Message`; `str` renders it in English, and `render` in any language for which there
is a gettext catalogue. `N_` and `NN_` mark templates, so that Babel finds them.

>>> message = Message("empty-cell", N_("there is no marble on {cell}"), {"cell": "e5"})
>>> str(message), message.values
('there is no marble on e5', {'cell': 'e5'})
>>> german = {"there is no marble on {cell}": "{cell} ist leer"}
>>> message.render(lambda text: german.get(text, text))
'e5 ist leer'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from os import PathLike
from types import MappingProxyType
from typing import Any, Final, NamedTuple

LONGEST_VALUE: Final = 60
"""The length at which quoted texts are clipped, so that messages stay short."""

LONGEST_PATH: Final = 4096

Gettext = Callable[[str], str]
NGettext = Callable[[str, str, int], str]


class Plural(NamedTuple):
    """A singular and a plural template; the value named `count` selects one."""

    one: str
    many: str


Template = str | Plural
Value = object
"""A value in a template. Enums with a `label`, messages and tuples of them are translated."""

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


def N_(text: str) -> str:
    """Mark a template for the catalogue; it is translated when it is rendered."""
    return text


def NN_(one: str, many: str) -> Plural:
    """Mark a template with a plural."""
    return Plural(one, many)


def english_plural(one: str, many: str, count: int) -> str:
    """Return the English form for a number."""
    return one if count == 1 else many


class Message:
    """A text for people, to be rendered in their language."""

    __slots__ = ("code", "fields", "template")

    code: str
    """A stable name in kebab-case for programs to branch on."""
    template: Template
    """The English text with `{names}`: the key of the translations."""
    fields: Mapping[str, Any]
    """The values with their types: a `Colour` stays one until it is rendered."""

    def __init__(
        self, code: str, template: Template, fields: Mapping[str, Value] = _NONE, /
    ) -> None:
        self.code = code
        self.template = template
        self.fields = {name: _clip(value) for name, value in fields.items()}

    @property
    def values(self) -> dict[str, str | int]:
        """The fields as plain words and numbers, ready for JSON."""
        return {name: plain(value) for name, value in self.fields.items()}

    def render(self, gettext: Gettext = str, ngettext: NGettext = english_plural) -> str:
        """Return the text in a language, by the two functions of its gettext catalogue."""
        if isinstance(self.template, Plural):
            text = ngettext(*self.template, int(self.fields["count"]))
        else:
            text = gettext(self.template)
        if not self.fields:
            return text
        return text.format(
            **{name: _render(value, gettext, ngettext) for name, value in self.fields.items()}
        )

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<Message {self.code}: {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self.code, self.template, self.fields) == (other.code, other.template, other.fields)

    def __hash__(self) -> int:
        return hash((self.code, self.template))


def plain(value: object) -> str | int:
    """Return a value for JSON: a number unchanged, anything else as English text."""
    if type(value) is int:
        return value
    if isinstance(value, tuple):
        return ", ".join(str(plain(each)) for each in value)
    return str(value)


def _clip(value: Value) -> Value:
    """Return a clipped value that can be shown, pickled and stored."""
    if isinstance(value, int) and abs(value) >= 10**LONGEST_VALUE:
        value = hex(value)  # Python refuses to write thousands of decimal digits
    elif isinstance(value, PathLike | BaseException):
        return str(value)[:LONGEST_PATH]  # clipped, a path or a reason would be useless
    elif not isinstance(value, str | int | float | Enum | tuple | Message | None):
        value = str(value)
    if type(value) is str and len(value) > LONGEST_VALUE:
        return value[:LONGEST_VALUE] + "…"
    return value


def _render(value: object, gettext: Gettext, ngettext: NGettext) -> object:
    if isinstance(value, Message):
        return value.render(gettext, ngettext)
    if isinstance(value, Enum):
        label: str | None = getattr(value, "label", None)
        return str(value) if label is None else gettext(label)
    if isinstance(value, tuple):
        return ", ".join(str(_render(each, gettext, ngettext)) for each in value)
    return value
