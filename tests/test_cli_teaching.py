"""The rules in the terminal, in the reader's language."""

import re

import pytest
from typer.testing import CliRunner

from sumito.cli.app import app
from sumito.cli.language import reader_language, speak
from sumito.teaching import LANGUAGES, Figured, rulebook, texts, words


@pytest.fixture(autouse=True)
def terminals_language():
    """What one command was asked to speak is no wish of the next."""
    speak("")
    yield
    speak("")


def run(*typed: str) -> str:
    result = CliRunner().invoke(app, list(typed))
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_rules_and_figures_are_printed_in_every_language(language: str):
    printed = run("rules", "--language", language)
    said = texts(language)
    for section in rulebook():
        assert said[section.title] in printed
        for block in section.blocks:
            if isinstance(block, Figured):
                assert f"{block.number} {said[block.caption]}" in printed
            else:
                start = re.sub(r"\*", "", said[block.key]).split(".")[0]
                assert start in printed


def test_one_section_is_printed_alone():
    printed = run("rules", "pac")
    assert "S7" in printed
    assert "A5" not in printed


def test_a_section_or_language_that_is_not_there_is_named():
    for typed, expected in ((("rules", "chess"), "chess"), (("rules", "--language", "xx"), "xx")):
        result = CliRunner().invoke(app, list(typed))
        assert result.exit_code == 2
        assert expected in result.output


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR"}, "fr"),
        ({"LANGUAGE": "nl:de", "LANG": "de_DE"}, "nl"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_terminal_says_its_language(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert reader_language() == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_are_listed_in_every_language(language: str):
    printed = run("words", "--language", language)
    for word in words():
        assert texts(language)[word.meaning].split()[0] in printed
        for other in LANGUAGES:
            assert texts(other)[word.name].split()[0] in printed


def test_layouts_and_modes_are_called_as_the_reader_calls_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    printed = run("layouts")
    assert "Belgische Margerite" in printed
    assert "drei" in printed
    assert "Belgian Daisy" in run("--language", "en", "layouts")


def test_a_game_in_the_terminal_speaks_the_readers_language_and_knows_plurals():
    moves = "a2b3\nresign\nquit\n"
    typed = ["terminal", "--plain", "--mode", "teams", "--language", "de"]
    said = CliRunner().invoke(app, typed, input=moves).output
    assert "Schwarz und Rot gewinnen (Aufgabe)." in said
    assert "Partie zu Ende>" in said


def test_an_error_is_said_in_the_readers_language():
    result = CliRunner().invoke(app, ["--language", "fr", "show", "x/y"])
    assert result.exit_code == 2
    assert "sumito :" in result.output


def test_a_language_that_is_not_there_is_refused_by_every_command():
    result = CliRunner().invoke(app, ["--language", "xx", "layouts"])
    assert result.exit_code == 2
    assert "xx" in result.output
