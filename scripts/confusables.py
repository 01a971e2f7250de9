"""Write the table of letters by which names of people are checked: which script they belong to,
and which of them look alike.

    pip install confusable_homoglyphs regex
    python scripts/confusables.py

The pairs that look alike are those of Unicode's confusables.txt (https://www.unicode.org/reports/tr39/,
Unicode License V3), as the package `confusable_homoglyphs` (MIT) carries them; scripts and other
properties are those that `regex` (Apache-2.0) knows. Only the data is used, and neither package is
needed to run a server.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any, Final

TABLE: Final = Path(__file__).parent.parent / "src/sumito/server/confusables.json"
# The scripts that Unicode recommends for identifiers (UAX 31, table 5).
_SCRIPTS: Final = (
    "Arabic", "Armenian", "Bengali", "Bopomofo", "Cyrillic", "Devanagari", "Ethiopic", "Georgian",
    "Greek", "Gujarati", "Gurmukhi", "Han", "Hangul", "Hebrew", "Hiragana", "Kannada", "Katakana",
    "Khmer", "Lao", "Latin", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu",
    "Thaana", "Thai", "Tibetan",
)  # fmt: skip
# Of the scripts with cases, the letters that living languages write names with: no phonetic,
# historic or mathematical ones, which are there to be told from the common ones by experts.
_LIVING: Final = {
    "Latin": ((0x41, 0x24F), (0x1E00, 0x1EFF)),
    "Greek": ((0x386, 0x3CE), (0x1F00, 0x1FFF)),
    "Cyrillic": ((0x400, 0x45F), (0x48A, 0x52F)),
}
_CASED: Final = frozenset({"Lu", "Ll"})
_LETTERS: Final = frozenset({"Lu", "Ll", "Lo", "Lm", "Mn", "Mc", "Nd"})
_PROLONGED: Final = "ー"
"""Belongs to Hiragana and Katakana; other letters of no script belong into no name."""
_LEFT_TO_RIGHT: Final = "\u200e"
_LAST: Final = 0xFFFF


def main() -> None:
    """Write the table."""
    table = {
        "scripts": {script: list(_ranges(_members(script))) for script in _SCRIPTS},
        "twins": dict(sorted(_twins().items())),
    }
    text = json.dumps(table, ensure_ascii=True, separators=(",", ":"))
    TABLE.write_text(text + "\n", "utf-8")
    sys.stdout.write(f"{TABLE}: {len(text)} characters, {len(table['twins'])} pairs\n")


def _members(script: str) -> Iterator[int]:
    import regex

    of_script = regex.compile(rf"\p{{Script_Extensions={script}}}")
    of_none = regex.compile(r"\p{Script=Common}|\p{Default_Ignorable_Code_Point}")
    living = _LIVING.get(script, ((0, _LAST),))
    categories = _CASED if script in _LIVING else _LETTERS
    for start, end in living:
        for code in range(start, end + 1):
            char = chr(code)
            if unicodedata.category(char) not in categories or not of_script.match(char):
                continue
            if of_none.match(char) and char != _PROLONGED:
                continue
            if unicodedata.normalize("NFKC", char) == char:
                yield code


def _ranges(codes: Iterable[int]) -> Iterator[list[int]]:
    start = end = None
    for code in codes:
        if end is not None and code == end + 1:
            end = code
            continue
        if start is not None and end is not None:
            yield [start, end]
        start = end = code
    if start is not None and end is not None:
        yield [start, end]


def _twins() -> dict[str, str]:
    """What each letter or digit looks like: of letters that look alike, the same for all."""
    twins = {}
    for group in _groups():
        first = min(group, key=_plainness)
        for one in group:
            looks = _bare(first)
            if len(one) == 1 and one != looks and _bare(one) == one and looks:
                twins[one] = looks
    for code in range(_LAST + 1):
        # What looks like a smaller capital: Unicode takes it for different.
        name = unicodedata.name(chr(code), "")
        letter = name.removeprefix("LATIN LETTER SMALL CAPITAL ")
        if letter != name and len(letter) == 1:
            twins[chr(code)] = letter
    return {one: _resolved(twins, looks) for one, looks in twins.items()}


def _resolved(twins: dict[str, str], text: str) -> str:
    return "".join(twins.get(char, char) for char in text)


def _groups() -> Iterator[set[str]]:
    """Texts that look alike, most of them of one letter."""
    file = resources.files("confusable_homoglyphs").joinpath("confusables.json")
    pairs: dict[str, list[dict[str, Any]]] = json.loads(file.read_text("utf-8"))
    near = defaultdict(set)
    for found_one, others in pairs.items():
        one = found_one.strip(_LEFT_TO_RIGHT)
        for other in others:
            # Letters of scripts from right to left stand between marks of direction.
            twin = other["c"].strip(_LEFT_TO_RIGHT)
            near[one].add(twin)
            near[twin].add(one)
    seen: set[str] = set()
    for one in sorted(near):
        group, found = set(), {one} - seen
        while found:
            group |= found
            found = {other for each in found for other in near[each]} - group
        seen |= group
        if group:
            yield group


def _plainness(text: str) -> tuple[bool, int, int, str]:
    """Orders texts that look alike: those that come down to a letter or digit of ASCII first."""
    bare = _bare(text)
    return (not (bare.isascii() and bare), len(bare), len(text), text)


def _bare(text: str) -> str:
    """Letters and digits alone, without marks."""
    folded = unicodedata.normalize("NFKD", text)
    return "".join(char for char in folded if unicodedata.category(char)[0] in "LN")


if __name__ == "__main__":
    main()
