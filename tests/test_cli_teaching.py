"""The rules in the terminal, in the reader's language."""

import re

import pytest
from typer.testing import CliRunner

from sumito.cli.app import app
from sumito.cli.teaching import reader_language
from sumito.teaching import LANGUAGES, Figured, rulebook, texts


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
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
    for words, expected in ((("rules", "chess"), "chess"), (("rules", "--language", "xx"), "xx")):
        result = CliRunner().invoke(app, list(words))
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
