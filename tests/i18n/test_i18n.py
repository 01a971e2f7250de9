"""Catalogues: compiled and read by the standard library, and in English where there is none."""

import os
import subprocess
import sys
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest

import sumito
from sumito.errors import LanguageError
from sumito.i18n.catalogues import Translator, check_language, languages
from sumito.i18n.compiler import compile_po, main
from sumito.i18n.environment import environment_language
from sumito.i18n.messages import NN_
from support.optional_parts import REASONS

LOCALE = Path(sumito.__file__).parent / "locale"
HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
NO_BABEL = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "babel":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
"""


def python(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", NO_BABEL + code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    ).stdout


def translations(source):
    return GNUTranslations(BytesIO(compile_po(HEADER + source)))


def test_commands_speak_every_language_without_babel():
    code = "from sumito.cli import main; main()"
    for language, said in (("de", "Schwarz am Zug"), ("fr", "Noir"), ("nl", "zwart aan de beurt")):
        assert said.lower() in python(code, "--language", language, "show").lower()
    assert "Aufruf" in python(code, "--language", "de", "show", "--help")


def test_the_terminal_app_speaks_without_babel():
    pytest.importorskip("textual", reason=REASONS["tui"])
    code = (
        "import sumito.tui.app; from sumito.tui.localisation import Localiser\n"
        "from sumito import Mode; print(Localiser('de').mode(Mode.TWO))"
    )
    assert python(code) == "Zwei Spieler\n"


@pytest.mark.parametrize("language", [one for one in languages() if one != "en"])
@pytest.mark.parametrize("domain", ["commands", "library", "page", "server", "terminal"])
def test_catalogues_read_as_babel_reads_them(language, domain):
    pofile = pytest.importorskip("babel.messages.pofile", reason=REASONS["play"])
    translator = Translator(language, domain)
    with (LOCALE / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        catalogue = pofile.read_po(file, locale=language)
    for message in catalogue:
        if isinstance(message.id, tuple):
            assert translator.ngettext(*message.id, 1) == message.string[0]
            assert translator.ngettext(*message.id, 2) == message.string[1]
        elif message.id and not message.context:
            assert translator.gettext(message.id) == message.string


def test_no_count_is_singular_in_french_alone():
    template = NN_("{count:,} game", "{count:,} games")
    assert Translator("fr", "commands").template(template, 0) == "{count:,} partie"
    assert Translator("de", "commands").template(template, 0) == "{count:,} Partien"
    assert Translator("en", "commands").template(template, 0) == "{count:,} games"


def test_an_unknown_text_and_an_empty_one_stay_what_they_are():
    assert Translator("de").gettext("nobody says this") == "nobody says this"
    assert Translator("de").gettext("") == ""
    assert Translator("de").ngettext("one of these", "{count} of these", 3) == "{count} of these"


def test_a_language_without_catalogue_is_an_error_that_lists_those_there_are():
    known = "en, de, fr, nl"
    with pytest.raises(
        LanguageError, match=f"no translations for the language 'xx'; available are {known}"
    ):
        Translator("xx").gettext("black")
    for language in ("", "EN", "..", "de/LC_MESSAGES", "\0"):
        with pytest.raises(LanguageError):
            check_language(language)


def test_the_environment_chooses_the_language(monkeypatch):
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    assert environment_language() == "en"
    monkeypatch.setenv("LANG", "nl_NL.UTF-8")
    assert environment_language() == "nl"
    monkeypatch.setenv("LANGUAGE", "fr:de")
    assert environment_language() == "fr"
    monkeypatch.setenv("LANGUAGE", "C")
    assert environment_language() == "en"


def test_fuzzy_obsolete_and_empty_entries_are_left_out():
    found = translations(
        """
msgid "kept"
msgstr ""
"behal"
"ten\\n"

#, fuzzy, python-brace-format
msgid "guess"
msgstr "geraten"
msgid "empty"
msgstr ""
#~ msgid "old"
#~ msgstr "alt"
msgctxt "menu"
msgid "play"
msgstr "Spielen"
"""
    )
    assert found.gettext("kept") == "behalten\n"
    assert found.gettext("guess") == "guess"
    assert found.gettext("empty") == "empty"
    assert found.gettext("old") == "old"
    assert found.pgettext("menu", "play") == "Spielen"


@pytest.mark.parametrize(
    "source", ["nonsense", 'text "alone"', 'msgid "open', "msgid 5", 'msgid "a" + "b"']
)
def test_what_is_no_catalogue_is_refused_with_its_line(source):
    with pytest.raises(ValueError, match="line 3: "):
        compile_po(HEADER + source)


def test_the_build_compiles_every_catalogue(tmp_path):
    main(LOCALE, tmp_path)
    compiled = tmp_path / "de" / "LC_MESSAGES" / "library.mo"
    assert GNUTranslations(BytesIO(compiled.read_bytes())).gettext("black") == "Schwarz"
    assert len(list(tmp_path.rglob("*.mo"))) == len(list(LOCALE.rglob("*.po")))
