"""Compiles gettext catalogues: `.po` as translators edit it to `.mo` as `gettext` reads it.

The build runs this file as a script, `compiler.py SOURCE TARGET`, with the standard library alone;
a checkout, which has no compiled catalogues, compiles them in memory.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_MAGIC: Final = 0x950412DE
_HEADER_SIZE: Final = 28
_FUZZY: Final = "fuzzy"
_KEYWORD: Final = re.compile(r"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+(\".*)")


def compile_po(source: str) -> bytes:
    """Return the contents of a `.mo` file; fuzzy, obsolete and empty entries are left out.

    Raise `ValueError` with the number of the line that isn't understood.
    """
    return _mo({key: text for key, text in read_po(source).items() if text})


def read_po(source: str) -> dict[str, str]:
    """Return the entries of a `.po` file as a `.mo` file has them.

    In a key the context stands before a `\\4`, the plural after a `\\0`; forms are set apart by
    `\\0`. Raise `ValueError` with the number of the line that isn't understood.
    """
    entries = {}
    for entry in _fields(source):
        forms = [text for name, text in entry.items() if name.startswith("msgstr")]
        if _FUZZY in entry or not forms:
            continue
        key = entry["msgid"]
        if "msgctxt" in entry:
            key = f"{entry['msgctxt']}\4{key}"
        if "msgid_plural" in entry:
            key = f"{key}\0{entry['msgid_plural']}"
        entries[key] = "\0".join(forms) if all(forms) else ""
    return entries


def _fields(source: str) -> Iterator[dict[str, str]]:
    """Yield each entry as its keywords with their texts."""
    entry: dict[str, str] = {}
    keyword = ""
    for number, raw in enumerate(source.splitlines(), 1):
        line = raw.strip()
        if line.startswith(("#", "msgctxt", "msgid ")) and keyword.startswith("msgstr"):
            yield entry
            entry, keyword = {}, ""
        if line.startswith("#,") and "fuzzy" in line:
            entry[_FUZZY] = ""
        if not line or line.startswith("#"):
            continue
        found = _KEYWORD.fullmatch(line)
        if found:
            keyword, line = found[1], found[2]
        if not keyword:
            raise ValueError(f"line {number}: {raw!r} is not understood")
        entry[keyword] = entry.get(keyword, "") + _unquoted(line, number)
    yield entry


def _unquoted(text: str, number: int) -> str:
    try:
        if text.startswith('"'):
            return str(ast.literal_eval(text))
    except (SyntaxError, ValueError):
        pass
    raise ValueError(f"line {number}: {text!r} is not a quoted text")


def _mo(entries: dict[str, str]) -> bytes:
    """Return two tables of lengths and offsets, originals before translations, then all texts."""
    keys = sorted(key.encode() for key in entries)
    texts = [entries[key.decode()].encode() for key in keys]
    offset = _HEADER_SIZE + 16 * len(keys)
    tables = b""
    for one in (*keys, *texts):
        tables += struct.pack("<2I", len(one), offset)
        offset += len(one) + 1
    header = struct.pack(
        "<7I", _MAGIC, 0, len(keys), _HEADER_SIZE, _HEADER_SIZE + 8 * len(keys), 0, 0
    )
    return header + tables + b"".join(one + b"\0" for one in (*keys, *texts))


def main(source: Path, target: Path) -> None:
    """Compile every catalogue below one folder into the same place below another."""
    for path in sorted(source.rglob("*.po")):
        compiled = target / path.relative_to(source).with_suffix(".mo")
        compiled.parent.mkdir(parents=True, exist_ok=True)
        try:
            compiled.write_bytes(compile_po(path.read_text("utf-8")))
        except ValueError as error:
            sys.exit(f"{path}: {error}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
