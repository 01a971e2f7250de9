"""Collect the texts to translate into the catalogues: python scripts/catalogues.py update

Each language has five catalogues: page, server, library (rules, games, records, engine, lab),
terminal, and commands with their help. `update` adds new texts, without a translation, to each
language's files and removes unused ones.
In TypeScript a text is marked `t("…")`, with a plural `tn("…", "…", count)`, and with a context,
where the same English has two translations, `tc("context", "…")`; in Python `N_("…")`, or
`NN_("…", "…")` with a plural. `scripts/page_texts.py` writes the page's texts for its build.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "web" / "src"
PACKAGE = ROOT / "src" / "sumito"
SERVER = PACKAGE / "server"
TERMINAL = PACKAGE / "tui"
APPLICATIONS = ("cli", "server", "tui")
"""Folders of the package with catalogues of their own; all else is the library's."""
LOCALE = ROOT / "src" / "sumito" / "locale"
LANGUAGES = ("de", "fr", "nl")
"""Besides English, which is what is written in the code."""

_NOISE = re.compile(
    r'"(POT-Creation|PO-Revision|Project-Id|Report-Msgid|Last-Trans|Language-Team|Generated)'
)
_LITERAL = r'"((?:[^"\\\n]|\\.)*)"'
_CALL = re.compile(rf"(?<![\w.])(t|tn|tc)\(\s*{_LITERAL}(?:\s*,\s*{_LITERAL})?")
_ANY_CALL = re.compile(r"(?<![\w.])(?<!function )(t|tn|tc)\(")
_PAGE_MARKS: dict[str, Any] = {"t": None, "tn": (1, 2), "tc": ((1, "c"), 2)}


def typescript(
    file: IO[bytes], keywords: Iterable[str], *_: object, **__: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """What Babel asks of a language: line, function and texts of each marked call.

    Its own reader of JavaScript loses its way in templates within templates.
    """
    source = file.read().decode("utf-8")
    for found in _CALL.finditer(source):
        line = source.count("\n", 0, found.start()) + 1
        mark, *texts = found.groups()
        first, second = (json.loads(f'"{text or ""}"') for text in texts)
        if mark in keywords and _is_readable(found):
            yield line, mark, first if mark == "t" else (first, second), []


def _is_readable(call: re.Match[str]) -> bool:
    """Has a marked call all its texts written out?"""
    return call[1] == "t" or call[3] is not None


class Text(NamedTuple):
    """A text of the catalogue: its singular and plural if it has one, and its context if any."""

    id: str | tuple[str, str]
    context: str | None = None


def page_texts() -> Iterator[tuple[Text, str]]:
    """The texts of the page, each with the file it is in."""
    for file in sorted(PAGE.rglob("*.ts")):
        yield from _texts(typescript, file, _PAGE_MARKS)


def unreadable_calls() -> list[str]:
    """Places in the page where a text is not written out, so that nobody could collect it."""
    return [
        f"{file.relative_to(ROOT).as_posix()}: {text[found.start() :][:60]!r}"
        for file in sorted(PAGE.rglob("*.ts"))
        for text in [file.read_text("utf-8")]
        for found in _ANY_CALL.finditer(text)
        for call in [_CALL.match(text, found.start())]
        if call is None or not _is_readable(call)
    ]


def server_texts() -> Iterator[tuple[Text, str]]:
    """The texts of the server, each with the file it is in."""
    return _python_texts(sorted(SERVER.rglob("*.py")))


def library_texts() -> Iterator[tuple[Text, str]]:
    """The texts of rules, games, records, engine and lab, each with the file it is in."""
    files = PACKAGE.rglob("*.py")
    return _python_texts(
        sorted(file for file in files if file.relative_to(PACKAGE).parts[0] not in APPLICATIONS)
    )


def _python_texts(files: Iterable[Path]) -> Iterator[tuple[Text, str]]:
    for file in files:
        yield from _texts("python", file, {"N_": None, "NN_": (1, 2)})


def _texts(
    method: str | Callable[..., Any], file: Path, marks: Mapping[str, Any]
) -> Iterator[tuple[Text, str]]:
    for _, text, _, context in extract_from_file(method, file, keywords=marks):
        yield Text(text, context), file.relative_to(ROOT).as_posix()


def terminal_texts() -> Iterator[tuple[Text, str]]:
    """The texts of the app in the terminal, each with the file it is in."""
    return _python_texts(sorted(TERMINAL.glob("*.py")))


def command_texts() -> Iterator[tuple[Text, str]]:
    """The texts of the command line, each with the file it is in; its help as it is shown."""
    from typer.main import get_command

    from sumito.cli.app import app
    from sumito.cli.help import help_texts

    yield from _python_texts(sorted((PACKAGE / "cli").glob("*.py")))
    yield from ((Text(text), "src/sumito/cli") for text in help_texts(get_command(app)))


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


def text_of(message: Message) -> Text:
    """What a message of a catalogue translates."""
    return Text(message.id, message.context)


def message_of(catalog: Catalog, text: Text) -> Message | None:
    """The translation of a text, unless it has none or one without its plural."""
    message = catalog.get(text.id, text.context)
    return message if message is not None and text_of(message) == text else None


def update() -> None:
    """Add new texts and drop unused ones; texts that moved between parts keep their translation."""
    known = {
        language: {
            text_of(message): message.string
            for part in PARTS
            for message in read(part, language)
            if message.id and _is_said(message)
        }
        for language in LANGUAGES
    }
    for part, texts in PARTS.items():
        said = dict(texts())
        for language in LANGUAGES:
            catalog = read(part, language)
            for old in [text_of(message) for message in catalog if message.id]:
                if old not in said:
                    catalog.delete(old.id, old.context)
            for new in sorted((text for text in said if not message_of(catalog, text)), key=str):
                catalog.add(new.id, known[language].get(new), context=new.context)
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


def main() -> None:
    """Do what the command line asks."""
    match sys.argv[1:]:
        case ["update"]:
            update()
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
