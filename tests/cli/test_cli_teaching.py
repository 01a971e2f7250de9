"""The rules in the terminal, in the reader's language."""

import re

import pytest

from support.catalogues import catalogue_of
from support.optional_parts import REASONS

pytest.importorskip("babel", reason=REASONS["play"])

from typer.main import get_command
from typer.testing import CliRunner

from sumito.cli.app import app
from sumito.cli.help import help_texts
from sumito.cli.language import reader_language, set_language
from sumito.cli.terminal import COMMANDS
from sumito.teaching import LANGUAGES, Figured, rulebook, texts, words


@pytest.fixture(autouse=True)
def terminals_language():
    """What one command was asked to speak is no wish of the next."""
    set_language("")
    yield
    set_language("")


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
                assert said[block.caption] in printed
            else:
                start = re.sub(r"\*", "", said[block.key]).split(".")[0]
                assert start in printed


def test_one_section_is_printed_alone():
    printed = run("rules", "pac")
    assert texts("en")["figure.pac-broken"] in printed
    assert texts("en")["figure.sumito-2-1"] not in printed


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", ["", "40", "80", "200"])
def test_the_words_keep_within_the_columns_there_are(
    language: str, columns: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    lines = CliRunner().invoke(app, ["words", "--language", language]).stdout.splitlines()
    assert max(map(len, lines)) <= int(columns or 80)
    assert len(lines) < (400 if columns == "40" else 200)
    assert not any(line.endswith(" ") for line in lines)


def test_layouts_and_modes_are_called_as_the_reader_calls_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("COLUMNS", "120")
    printed = run("layouts")
    assert "Belgische Margerite" in printed
    assert "drei" in printed
    assert "Belgian Daisy" in run("--language", "en", "layouts")


def test_a_game_in_the_terminal_speaks_the_readers_language_and_knows_plurals():
    moves = "a2b3\nresign\nquit\n"
    typed = ["terminal", "--plain", "--mode", "teams", "--language", "de"]
    said = CliRunner().invoke(app, typed, input=moves).output
    assert "Schwarz und Rot gewinnen (durch Aufgeben)." in said
    assert "Partie zu Ende>" in said


def test_an_error_is_said_in_the_readers_language():
    result = CliRunner().invoke(app, ["--language", "fr", "show", "x/y"])
    assert result.exit_code == 2
    assert "sumito :" in result.output


def test_a_language_that_is_not_there_is_refused_by_every_command():
    result = CliRunner().invoke(app, ["--language", "xx", "layouts"])
    assert result.exit_code == 2
    assert "xx" in result.output


def english_left(printed: str, language: str, *commands: str) -> list[str]:
    """The texts of some commands that stand there in English though they have a translation."""
    program = get_command(app)
    wanted = [program.commands[one] for one in commands] if commands else [program]
    said = {text for one in wanted for text in help_texts(one)}
    known = catalogue_of(language)
    plain = " ".join(re.sub(r"[│╭╮╰╯─]", " ", printed).split())
    return [
        text
        for text in said
        if known[text] != text and re.search(rf"(?<![\w-]){re.escape(text)}(?!\w)", plain)
    ]


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
@pytest.mark.parametrize("commands", [(), ("match",), ("serve",), ("terminal",)])
def test_help_is_in_the_readers_language(language: str, commands: tuple[str, ...]):
    printed = run("--language", language, *commands, "--help")
    assert english_left(printed, language, *commands) == []
    assert catalogue_of(language)["Show this message and exit."] in printed


def test_help_after_help_is_in_its_own_language():
    assert "match [OPTIONEN] {A} {B}" in run("--language", "de", "match", "--help")
    assert "match [OPTIONS] {A} {B}" in run("match", "--help")


def test_the_terminals_language_is_the_helps_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANGUAGE", "nl")
    assert "Gebruik: " in run("--help")
    assert "Gebruik: " in run()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("match --foo", "Die Option --foo gibt es nicht (siehe"),
        ("match a", "Es fehlt das Argument 'B' (siehe"),
        ("match a b c", "Überzählige Argumente (c) (siehe"),
        ("match a b --rounds x", "Falscher Wert für '--rounds' / '-r': das ist keine ganze Zahl"),
        ("match a b --rounds 0", "es muss mindestens 1 sein"),
        ("match a b --rounds", "Die Option '--rounds' braucht einen Wert"),
        ("match a b --sprt 1", "Die Option '--sprt' braucht 2 Werte"),
        ("shwo", "Den Befehl 'shwo' gibt es nicht. Meinst du 'show'?"),
        ("convert", "Es fehlt ein Befehl"),
        ("show --mode four", "'four' ist nicht dabei; es gibt 'two', 'three'"),
        ("check nowhere.apgn", "Die Datei 'nowhere.apgn' gibt es nicht"),
        ("rules chess", "'chess' ist kein Abschnitt"),
        ("match nobody greedy", "'nobody' ist kein Spieler"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_told_so_in_german(typed: str, said: str):
    result = CliRunner().invoke(app, ["--language", "de", *typed.split()])
    assert result.exit_code == 2
    assert result.output.startswith("sumito: ")
    assert said in result.output


def test_a_group_without_a_command_shows_its_help_and_no_empty_complaint():
    result = CliRunner().invoke(app, ["--language", "fr", "lab"])
    assert result.exit_code == 2
    assert "Usage : " in result.output
    assert "sumito :" not in result.output


def test_a_line_game_is_german_to_the_last_line():
    typed = ["terminal", "--plain", "--language", "de"]
    result = CliRunner().invoke(app, typed, input="help\nmoves\na1b2\nundo\ndraw\nja\n")
    assert result.exit_code == 0
    for said in (
        "Eine Seitwärtsbewegung:",
        "undo     den letzten Zug zurücknehmen",
        "Seitwärtsbewegungen (10)",
        "letzter Zug: a1b2",
        "hinausgeschoben von Schwarz: 0, von Weiß: 0",
        "Schwarz am Zug",
        "Weiß, nimmst du Remis an? (ja oder nein)",
    ):
        assert said in result.output
    for command in COMMANDS.values():
        assert command.help not in result.output
    assert not re.search(r"\b(to move|ejected|move|side-steps|draw\?)\b", result.output)


def test_formations_and_their_words_are_german():
    printed = run("--language", "de", "show", "5/6/7/8/2bbw4/8/7/6/5 b 0,0 0 1", "--words")
    for said in ("Wort", "Felder", "Zweigliedrig", "Schwarz", "2 gegen 1, spielbar"):
        assert said in printed
