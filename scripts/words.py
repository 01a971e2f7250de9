"""The catalogue of texts: python scripts/words.py update | page FOLDER

`update` collects every text that page and server say into the catalogue and into each language's
file, where new ones wait for a translator. `page` writes the page's texts, one JSON file for each
language, for the build. In TypeScript a text is marked `t("…")`, in Python `N_("…")`.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "web" / "src"
SERVER = ROOT / "src" / "sumito"
LOCALE = ROOT / "src" / "sumito" / "locale"
LANGUAGES = ("de", "en", "fr", "nl")
MARKS = {"N_", "_"}

_CALL = re.compile(r'\bt\(\s*"((?:[^"\\\n]|\\.)*)"')
_ANY_CALL = re.compile(r"(?<![\w.])(?<!function )t\(\s*(?!\")")


def page_texts() -> Iterator[tuple[str, str]]:
    """The texts of the page, each with the file it is in."""
    for file in sorted(PAGE.rglob("*.ts")):
        for found in _CALL.finditer(file.read_text("utf-8")):
            yield json.loads(f'"{found[1]}"'), file.relative_to(ROOT).as_posix()


def unreadable_calls() -> list[str]:
    """Places in the page where a text is not written out, so that nobody could collect it."""
    return [
        f"{file.relative_to(ROOT).as_posix()}: {text[found.start() :][:60]!r}"
        for file in sorted(PAGE.rglob("*.ts"))
        for text in [file.read_text("utf-8")]
        for found in _ANY_CALL.finditer(text)
    ]


def server_texts() -> Iterator[tuple[str, str]]:
    """The texts of the server, each with the file it is in."""
    for file in sorted(SERVER.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id=name), args=[ast.Constant(value=str(text)), *_]
                ) if name in MARKS:
                    yield text, file.relative_to(ROOT).as_posix()


def collect() -> Catalog:
    """A catalogue of everything that is said, without translations."""
    catalog = Catalog(project="sumito", charset="utf-8")
    for text, file in [*page_texts(), *server_texts()]:
        # Without line numbers: the catalogue changes only when a text does.
        catalog.add(text, locations=[(file, 0)])
    return catalog


def path_of(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "messages.po"


def read(language: str) -> Catalog:
    """The catalogue of a language as it is kept."""
    path = path_of(language)
    if not path.exists():
        return Catalog(locale=language, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update() -> None:
    """Bring the kept files in line with what is said."""
    template = collect()
    _write(LOCALE / "messages.pot", template)
    for language in LANGUAGES:
        catalog = read(language)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        for message in catalog:
            if language == "en" and message.id:
                message.string = message.id
        _write(path_of(language), catalog)
        missing = [message.id for message in catalog if message.id and not message.string]
        print(f"{language}: {len(catalog)} texts, {len(missing)} to translate")


def _write(path: Path, catalog: Catalog) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(
            file, catalog, width=100, omit_header=False, sort_output=True, include_lineno=False
        )
    # Dates would make every update a change.
    lines = path.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not re.match(r'#|"(POT-Creation|PO-Revision)-Date', line)]
    path.write_text("".join(kept).lstrip("\n"), "utf-8")


def write_page(folder: Path) -> None:
    """The page's texts in every language but English, which it speaks by itself."""
    said = sorted({text for text, _ in page_texts()})
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        if language == "en":
            continue
        catalog = read(language)
        texts = {text: str(catalog[text].string) for text in said if text in catalog}
        content = json.dumps(texts, ensure_ascii=False, indent=0)
        (folder / f"{language}.json").write_text(content + "\n", "utf-8")


def main() -> None:
    """Do what the command line asks."""
    match sys.argv[1:]:
        case ["update"]:
            update()
        case ["page", folder]:
            write_page(Path(folder))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
