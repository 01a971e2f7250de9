"""Every text of the page is in the catalogue, in every language."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.optional_parts import REASONS

pytest.importorskip("babel", reason=REASONS["play"])

SCRIPT = Path(__file__).parents[2] / "scripts" / "catalogues.py"
spec = importlib.util.spec_from_file_location("catalogues_script", SCRIPT)
catalogues = importlib.util.module_from_spec(spec)
spec.loader.exec_module(catalogues)


def placeholders(text):
    return sorted(re.findall(r"{(\w+(?:!r)?)}", text))


def forms(text):
    """The singular and the plural, or the one form there is."""
    return [text] if isinstance(text, str) else list(text)


@pytest.mark.parametrize("part", catalogues.PARTS)
@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_every_text_is_translated(part, language):
    catalog = catalogues.read(part, language)
    said = {text for text, _ in catalogues.PARTS[part]()}
    assert len(said) > 40
    found = {text: catalogues.message_of(catalog, text) for text in said}
    missing = [text for text, one in found.items() if one is None or not all(forms(one.string))]
    assert missing == []
    for text, message in found.items():
        known = {name for form in forms(text.id) for name in placeholders(form)}
        for form in forms(message.string):
            assert set(placeholders(form)) <= known


@pytest.mark.parametrize("part", catalogues.PARTS)
@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_the_catalogue_holds_nothing_that_nobody_says(part, language):
    said = {text for text, _ in catalogues.PARTS[part]()}
    kept = {catalogues.text_of(one) for one in catalogues.read(part, language) if one.id}
    assert kept - said == set()


def test_plurals_and_contexts_of_the_page_are_collected(tmp_path, monkeypatch):
    source = """t("Save"); tc("puzzle", "Save"); tn("{count} game", "{count} games", list.length);
        next(1); tn("one", other, 2); t(text); tc("puzzle", name);"""
    (tmp_path / "page.ts").write_text(source, "utf-8")
    monkeypatch.setattr(catalogues, "PAGE", tmp_path)
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    assert [text for text, _ in catalogues.page_texts()] == [
        catalogues.Text("Save"),
        catalogues.Text("Save", "puzzle"),
        catalogues.Text(("{count} game", "{count} games")),
    ]
    assert [call.split("(")[0] for call in catalogues.unreadable_calls()] == [
        "page.ts: 'tn",
        "page.ts: 't",
        "page.ts: 'tc",
    ]


def test_every_text_of_the_page_is_written_out_where_it_is_said():
    assert catalogues.unreadable_calls() == []


def test_no_text_stands_bare_in_a_template():
    """What stands between tags in a template is a text nobody could translate."""
    bare = re.compile(r">\s*([A-Za-z][^<>${}`=;]*[a-z]{2}[^<>${}`=;]*)<")
    found = [
        f"{file.name}: {match[1]}"
        for file in catalogues.PAGE.rglob("*.ts")
        for template in re.findall(r"html`(.*?)`", file.read_text("utf-8"), re.DOTALL)
        for match in bare.finditer(template)
        if match[1].strip() != "Sumito"
    ]
    assert found == []


def test_the_pages_words_are_written_for_each_language(tmp_path):
    script = SCRIPT.with_name("page_texts.py")
    # Without site-packages: a page is built where nothing is installed.
    subprocess.run([sys.executable, "-I", "-S", script, tmp_path], check=True)
    assert sorted(file.stem for file in tmp_path.iterdir()) == sorted(catalogues.LANGUAGES)
    german = json.loads((tmp_path / "de.json").read_text("utf-8"))
    assert german["Invite friends"] == "Freunde einladen"
    assert german["puzzle\x04Save"] == "Retten"
    assert german["Save"] == "Speichern"
    assert german["You pushed a marble off the board."] == [
        "Du hast eine Kugel vom Brett geschoben.",
        "Du hast {count} Kugeln vom Brett geschoben.",
    ]
    assert "All seats are taken." not in german
