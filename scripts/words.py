"""The catalogue of texts: python scripts/words.py update | page FOLDER

The catalogue has five parts: what the page says, what the server says, what the library says
(rules, games, records, engine, lab), what the app in the terminal says, and what the commands say,
their help too. `update` collects every text and adds new ones to each language's files, where they
wait for a translator.
`page` writes the page's texts, one JSON file for each language, for the build. In TypeScript a text
is marked `t("…")`, in Python `N_("…")`, or `NN_("…", "…")` if it has a plural.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "web" / "src"
PACKAGE = ROOT / "src" / "sumito"
SERVER = PACKAGE / "server"
TERMINAL = PACKAGE / "tui"
DOORS = ("cli", "server", "tui")
"""Folders of the package whose texts are parts of their own; all else is the library's."""
LOCALE = ROOT / "src" / "sumito" / "locale"
LANGUAGES = ("de", "fr", "nl")
"""Besides English, which is what is written in the code."""

_NOISE = re.compile(
    r'"(POT-Creation|PO-Revision|Project-Id|Report-Msgid|Last-Trans|Language-Team|Generated)'
)
_ANY_CALL = re.compile(r"(?<![\w.])(?<!function )t\((?!\s*\")")


def typescript(
    file: IO[bytes], keywords: Iterable[str], *_: object, **__: object
) -> Iterator[tuple[int, str, str, list[str]]]:
    """What Babel asks of a language: line, function and text of each marked call.

    Its own reader of JavaScript loses its way in templates within templates.
    """
    source = file.read().decode("utf-8")
    call = re.compile(rf'\b({"|".join(keywords)})\(\s*"((?:[^"\\\n]|\\.)*)"')
    for found in call.finditer(source):
        line = source.count("\n", 0, found.start()) + 1
        yield line, found[1], json.loads(f'"{found[2]}"'), []


def page_texts() -> Iterator[tuple[str, str]]:
    """The texts of the page, each with the file it is in."""
    for file in sorted(PAGE.rglob("*.ts")):
        for _, text, _, _ in extract_from_file(typescript, file, keywords={"t": None}):
            yield text, file.relative_to(ROOT).as_posix()


def unreadable_calls() -> list[str]:
    """Places in the page where a text is not written out, so that nobody could collect it."""
    return [
        f"{file.relative_to(ROOT).as_posix()}: {text[found.start() :][:60]!r}"
        for file in sorted(PAGE.rglob("*.ts"))
        for text in [file.read_text("utf-8")]
        for found in _ANY_CALL.finditer(text)
    ]


Text = str | tuple[str, str]
"""A text, or its singular and its plural."""


def server_texts() -> Iterator[tuple[Text, str]]:
    """The texts of the server, each with the file it is in."""
    return _python_texts(sorted(SERVER.rglob("*.py")))


def library_texts() -> Iterator[tuple[Text, str]]:
    """The texts of rules, games, records, engine and lab, each with the file it is in."""
    files = PACKAGE.rglob("*.py")
    return _python_texts(
        sorted(file for file in files if file.relative_to(PACKAGE).parts[0] not in DOORS)
    )


def _python_texts(files: Iterable[Path]) -> Iterator[tuple[Text, str]]:
    for file in files:
        found = extract_from_file("python", file, keywords={"N_": None, "NN_": (1, 2)})
        for _, text, _, _ in found:
            yield text, file.relative_to(ROOT).as_posix()


def terminal_texts() -> Iterator[tuple[Text, str]]:
    """The texts of the app in the terminal, each with the file it is in."""
    return _python_texts(sorted(TERMINAL.glob("*.py")))


def command_texts() -> Iterator[tuple[Text, str]]:
    """The texts of the command line, each with the file it is in; its help as it is shown."""
    from typer.main import get_command

    from sumito.cli.app import app
    from sumito.cli.help import help_texts

    yield from _python_texts(sorted((PACKAGE / "cli").glob("*.py")))
    yield from ((text, "src/sumito/cli") for text in help_texts(get_command(app)))


PARTS = {
    "page": page_texts,
    "server": server_texts,
    "library": library_texts,
    "terminal": terminal_texts,
    "commands": command_texts,
}


def path_of(part: str, language: str) -> Path:
    """Where a part of the catalogue is kept."""
    return LOCALE / language / "LC_MESSAGES" / f"{part}.po"


def read(part: str, language: str) -> Catalog:
    """A part of the catalogue as it is kept."""
    path = path_of(part, language)
    if not path.exists():
        return Catalog(locale=language, charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update() -> None:
    """Add what is new to the kept files, and drop what nobody says any more."""
    for part, texts in PARTS.items():
        said = dict(texts())
        for language in LANGUAGES:
            catalog = read(part, language)
            for old in [message.id for message in catalog if message.id not in ("", *said)]:
                catalog.delete(old)
            for new in sorted((text for text in said if text not in catalog), key=str):
                catalog.add(new)
            _write(path_of(part, language), catalog)
            missing = sum(1 for message in catalog if message.id and not _is_said(message))
            print(f"{part} {language}: {len(catalog)} texts, {missing} to translate")


def _is_said(message: Message) -> bool:
    """Has the text a translation, in each of its forms?"""
    forms = [message.string] if isinstance(message.string, str) else message.string
    return bool(forms) and all(forms)


def _write(path: Path, catalog: Catalog) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=100)
    # Dates and tools would make every update a change.
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not _NOISE.match(line)), "utf-8")


def write_page(folder: Path) -> None:
    """The page's texts in every language but English, which it speaks by itself."""
    said = sorted({text for text, _ in page_texts()})
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        catalog = read("page", language)
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
