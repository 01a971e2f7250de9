"""Write the page's catalogues as JSON, one file for each language: scripts/page_texts.py FOLDER

A text is found by its English, with its context before it where it has one; of a text with a
plural, the value has all forms. This needs nothing but the standard library.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src"
sys.path.insert(0, str(PACKAGE))

from sumito.i18n.compiler import read_po  # noqa: E402


def page_catalogue(source: str) -> dict[str, str | list[str]]:
    """Return the translations in the contents of a `.po` file as the page looks them up."""
    entries = {key: text for key, text in read_po(source).items() if key and text}
    return {
        key.partition("\0")[0]: text.split("\0") if "\0" in key else text
        for key, text in sorted(entries.items())
    }


def write_catalogues(folder: Path) -> None:
    """Write the page's texts in every language but English, which stands in the page itself."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((PACKAGE / "sumito/locale").glob("*/LC_MESSAGES/page.po")):
        catalogue = page_catalogue(path.read_text("utf-8"))
        content = json.dumps(catalogue, ensure_ascii=False, indent=0)
        (folder / f"{path.parts[-3]}.json").write_text(content + "\n", "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write_catalogues(Path(sys.argv[1]))
