"""Names: which characters are allowed, and which names look alike.

A name is written in one script, with letters, digits and a few signs that names have. Two names
that look alike are the same name to their readers, so an account's name is taken for all that
resemble it: other cases, other scripts' twins, accents, 0 and O, rn and m. `confusables.json` has
Unicode's scripts and look-alikes; `scripts/confusables.py` writes it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_right
from functools import cache
from importlib import resources
from typing import Final

from sumito.server.base.i18n import N_
from sumito.server.refusals import BadRequest, InvalidInput

NAMELESS: Final = "?"
"""Who a deleted account's games were played by, as records have it."""
LONGEST: Final = 30
_SIGNS: Final = frozenset(" -_.'’&")
_DIGITS: Final = frozenset("0123456789")
_TOGETHER: Final = (("Han", "Hiragana", "Katakana"), ("Han", "Bopomofo"), ("Han", "Hangul"))
"""Scripts that are written together."""
_CLOSE: Final = str.maketrans({"1": "i", "l": "i", "0": "o", "5": "s", "2": "z"})
"""Beyond Unicode's table: what a hasty eye takes for one another."""
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("ci", "d"))
_FOLDED: Final = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "ĸ": "k", "ƅ": "b", "ʍ": "m",
    "ŋ": "n", "þ": "p", "ɛ": "e", "ε": "e", "є": "e", "π": "n", "τ": "t", "ц": "u", "ω": "w",
    "χ": "x",
}  # fmt: skip
_RESERVED: Final = (
    "admin", "administrator", "anonymous", "computer", "guest", "help", "moderator", "nobody",
    "official", "operator", "owner", "root", "security", "server", "staff", "sumito", "support",
    "system",
)  # fmt: skip
_RESERVED_WORDS: Final = ("admin", "administrator", "moderator", "official", "staff", "sumito")
"""These are reserved as a part of a name, too."""


def clean_name(name: str) -> str:
    """The name with single spaces, or raise `Refusal` if it isn't one."""
    spaced = " ".join(unicodedata.normalize("NFC", name).split())[:LONGEST].rstrip()
    if not spaced:
        raise BadRequest("empty-name", N_("A name needs at least one letter or digit."))
    for char in spaced:
        if char not in _SIGNS and char not in _DIGITS and not _scripts_of(char):
            code = f"U+{ord(char):04X}"
            raise InvalidInput(
                "odd-name",
                N_("A name has letters, digits, spaces and - _ . ' &, but not {character}."),
                character=f"{char} ({code})" if char.isprintable() else code,
            )
    if not _is_of_one_script(spaced):
        raise InvalidInput("mixed-name", N_("A name is written in the letters of one alphabet."))
    if not likeness(spaced):
        raise BadRequest("empty-name", N_("A name needs at least one letter or digit."))
    return spaced


def clean_text(text: str) -> str:
    """A chat line without control characters."""
    seen = "".join(char for char in text if not unicodedata.category(char).startswith("C"))
    cleaned = " ".join(seen.split())
    if not cleaned:
        raise BadRequest("empty-text", N_("This message is empty."))
    return cleaned


def likeness(name: str) -> str:
    """What a name looks like: the same for all names that a hasty eye takes for one another.

    Letters and digits alone count.

    >>> likeness("Аdmin") == likeness("ADM1N") == likeness("adrnin") == likeness("[admin]")
    True
    """
    # A capital and its small letter may have different twins.
    looks = _looks(_looks(name).casefold()).casefold()
    plain = "".join(_FOLDED.get(char, char) for char in looks).translate(_CLOSE)
    for pair, twin in _PAIRS:
        plain = plain.replace(pair, twin)
    return plain[:80]


def is_reserved(name: str) -> bool:
    """Would players take somebody of that name for the people who run the server?"""
    spaced = "".join(" " if char in _SIGNS else char for char in name)
    words = (likeness(word.strip("0123456789")) for word in spaced.split())
    return likeness(name) in _RESERVED_LOOKS or not _IN_CHARGE.isdisjoint(words)


def _looks(text: str) -> str:
    """The letters and digits, each as the one that it resembles."""
    return _bare("".join(_twin(char) for char in _bare(text)))


@cache
def _twin(char: str) -> str:
    """What a letter resembles by Unicode's table, or the letter to which a stroke was added."""
    twin = _table()[1].get(char)
    if twin is None and (match := _MARKED.match(unicodedata.name(char, ""))):
        return match[1].lower()
    return twin or char


_MARKED: Final = re.compile(r"LATIN (?:SMALL|CAPITAL) LETTER (?:[A-Z]+ )?([A-Z]) WITH (?!SMALL)")


def _bare(text: str) -> str:
    """The letters and digits, without accents and without what can't be seen."""
    return "".join(char for char in unicodedata.normalize("NFKD", text) if _counts(char))


@cache
def _counts(char: str) -> bool:
    category = unicodedata.category(char)[0]
    if category == "M":
        # A vowel that is written as a mark, as in the scripts of India.
        return not unicodedata.combining(char) and bool(_scripts_of(char))
    return category in "LN" and char not in _FILLERS


_FILLERS: Final = frozenset("ᅟᅠㅤﾠ")
"""Letters by their category, and yet they show nothing."""


def _is_of_one_script(name: str) -> bool:
    common: set[str] | None = None
    for char in name:
        scripts = _scripts_of(char)
        if scripts:
            # Han goes with Kana as well as with Hangul; these don't go together.
            common = set(scripts) if common is None else common & scripts
    return common is None or bool(common)


@cache
def _scripts_of(char: str) -> frozenset[str]:
    """The scripts in which a letter is written; those written together count as one more."""
    own = {script for script, ranges in _table()[0].items() if _is_in(ord(char), ranges)}
    together = {"+".join(some) for some in _TOGETHER if own.intersection(some)}
    return frozenset(own | together)


def _is_in(code: int, ranges: list[tuple[int, int]]) -> bool:
    place = bisect_right(ranges, (code, 0x110000)) - 1
    return place >= 0 and ranges[place][0] <= code <= ranges[place][1]


@cache
def _table() -> tuple[dict[str, list[tuple[int, int]]], dict[str, str]]:
    """The ranges of each script's letters, and what a letter looks like."""
    text = resources.files(__package__).joinpath("confusables.json").read_text("ascii")
    table = json.loads(text)
    scripts = {
        script: [(start, end) for start, end in ranges]
        for script, ranges in table["scripts"].items()
    }
    return scripts, table["twins"]


_RESERVED_LOOKS: Final = frozenset(map(likeness, _RESERVED))
_IN_CHARGE: Final = frozenset(map(likeness, _RESERVED_WORDS))
