"""Every option of every command is given nonsense: each time a sentence, never a traceback."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from sumito.cli.app import app
from support.optional_parts import REASONS

HUGE = "99999999999999999999999999"
NUMBERS = ("", "0", "-1", HUGE, "9" * 5000, "1.5", "nan")
FLOATS = ("", "-1", "inf", "-inf", "nan", "1e400", "x")
TEXTS = ("", "x" * 5000, "é\u202e😀", '"', "--", "{0}", "[red]", "a\nb", "\0")
NAMES = ("", "x" * 5000, "[red]", "\0")
"""For options that are one of some words."""
FILES = ("", "{binary}/file", "{folder}", "{binary}", "{empty}", "x" * 5000, "a\0b")
TARGETS = ("", "{binary}/file", "{folder}", "/proc/nothing", "x" * 5000, "a\0b")

STANDARD = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1"

# A command that is quick and works, and what each of its options and arguments takes.
COMMANDS: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "show": (
        "show",
        {
            "POSITION": TEXTS,
            "--layout": NAMES,
            "--mode": NAMES,
            "--form": NAMES,
            "--moves": TEXTS,
            "--notation": NAMES,
            "--svg": TARGETS,
        },
    ),
    "layouts": ("layouts", {"--mode": NAMES}),
    "moves": (
        "moves",
        {
            "POSITION": TEXTS,
            "--layout": NAMES,
            "--mode": NAMES,
            "--form": NAMES,
            "--notation": NAMES,
        },
    ),
    "perft": (
        "perft",
        {
            "DEPTH": NUMBERS,
            "POSITION": TEXTS,
            "--layout": NAMES,
            "--mode": NAMES,
            "--form": NAMES,
        },
    ),
    "words": ("words", {"--language": NAMES}),
    "rules": ("rules", {"SECTION": NAMES, "--language": NAMES}),
    "check": ("check", {"FILES": FILES}),
    "convert record": (
        "convert record {games}",
        {"FILE": FILES, "--to": NAMES, "--positions": NAMES, "--output": TARGETS},
    ),
    "convert moves": (
        "convert moves a1b2",
        {
            "MOVES": TEXTS,
            "--from": NAMES,
            "--to": NAMES,
            "--layout": NAMES,
            "--mode": NAMES,
            "--position": TEXTS,
        },
    ),
    "convert position": (
        f"convert position {STANDARD}",
        {"POSITION": TEXTS, "--from": NAMES, "--to": NAMES},
    ),
    "analyse": (
        "analyse --nodes 20",
        {
            "POSITION": TEXTS + FILES,
            "--layout": NAMES,
            "--mode": NAMES,
            "--form": NAMES,
            "--rules": NAMES,
            "--time": FLOATS,
            "--nodes": NUMBERS,
            "--depth": NUMBERS,
            "--lines": NUMBERS,
            "--threads": (*NUMBERS, "5000"),
            "--hash": (*NUMBERS, "99999999"),
            "--out": TARGETS,
        },
    ),
    "doctor": ("doctor", {}),
    "engine": ("engine", {}),
    "match": (
        "match random greedy --rounds 1 --layout standard",
        {
            "A": (*TEXTS, "engine,", "engine,nodes", "engine,nodes=", "random,nodes=0", "cmd:"),
            "B": ("nobody", "engine,threads=0,nodes=10", "engine,hash=0,nodes=10"),
            "--rounds": NUMBERS,
            "--mode": NAMES,
            "--layout": NAMES,
            "--plies": NUMBERS,
            "--seed": (*NUMBERS, "-5"),
            "--time": FLOATS,
            "--nodes": NUMBERS,
            "--depth": NUMBERS,
            "--concurrency": (*NUMBERS, "100000"),
            "--sprt": ("0", "x", "nan"),
            "--resign": (*FLOATS, "51"),
            "--records": (*TARGETS, "{binary}", "{games}"),
            "--cluster": ("nowhere", "x" * 5000, "tcp://127.0.0.1:1"),
        },
    ),
    "bench": ("bench --depth 1", {"--depth": NUMBERS, "--network": FILES}),
    "lab selfplay": (
        "lab selfplay {samples} --chunks 1 --nodes 1 -w 1",
        {
            "FOLDER": ("{binary}/x", "{binary}", "/proc/nothing", "x" * 5000, "a\0b"),
            "--chunks": ("", "0", "-1", HUGE, "x"),
            "--nodes": ("", "0", "-1", HUGE, "x"),
            "--mode": NAMES,
            "--seed": ("", "-1", HUGE, "x"),
            "--network": FILES,
            "--uneven": ("", "-1", "1001", HUGE, "x"),
            "--workers": ("-1", HUGE, "x", "100000"),
            "--cluster": ("nowhere",),
        },
    ),
    "lab train": (
        "lab train {folder} --out {folder}/new.bin --epochs 1",
        {
            "FOLDERS": FILES,
            "--out": TARGETS,
            "--hidden": NUMBERS,
            "--second-layer": NUMBERS,
            "--epochs": NUMBERS,
            "--learning-rate": FLOATS,
            "--score-weight": FLOATS,
            "--td-lambda": NUMBERS,
            "--held-lead-log-odds": NUMBERS,
            "--ranking-weight": NUMBERS,
            "--mode": NAMES,
            "--validation": FILES,
            "--from": FILES,
            "--seed": NUMBERS,
            "--threads": (*NUMBERS, "5000"),
        },
    ),
    "lab generation": (
        "lab generation --hours x",
        {
            "--hours": FLOATS,
            "--mode": NAMES,
            "--folder": ("{binary}",),
            "--chunks": NUMBERS,
            "--nodes": NUMBERS,
            "--rounds": NUMBERS,
            "--hidden": NUMBERS,
            "--second-layer": NUMBERS,
            "--epochs": NUMBERS,
            "--workers": NUMBERS,
            "--cluster": ("nowhere",),
            "--sprt": ("x", "nan", "inf"),
            "--games": NUMBERS,
            "--page": FILES,
        },
    ),
    "lab tune": (
        "lab tune tuned.jsonl lmp_base=4:3:5:1 --steps 1 --rounds 1 --nodes 10 -w 1 -l star",
        {
            "FILE": (*TARGETS, "{binary}", "{games}"),
            "NUMBERS": TEXTS,
            "--steps": ("", "0", "-1", HUGE, "x"),
            "--rounds": ("", "0", "-1", HUGE, "x"),
            "--nodes": ("", "0", "-1", HUGE, "x"),
            "--layout": NAMES,
            "--network": FILES,
            "--seed": ("", "-1", HUGE, "x"),
            "--workers": ("-1", HUGE, "x", "100000"),
            "--cluster": ("nowhere",),
        },
    ),
    "lab levels": (
        "lab levels --rounds 1 -w 1 --layout nonsense",
        {
            "--mode": NAMES,
            "--rounds": ("", "0", "-1", HUGE, "x"),
            "--layout": NAMES,
            "--time": FLOATS,
            "--seed": ("", "-1", HUGE, "x"),
            "--workers": ("-1", HUGE, "x", "100000"),
            "--cluster": ("nowhere",),
        },
    ),
    "lab network": ("lab network", {"FILE": FILES}),
    # What would be served is not tried: only what must be refused.
    "play": (
        "play --no-browser --port x",
        {"--port": ("", "-1", "x", HUGE), "--database": ()},
    ),
    "serve": (
        "serve",
        {
            "--host": (),
            "--port": ("", "-1", "65536", "x", HUGE),
            "--database": (
                "{binary}/x",
                "{folder}",
                "{binary}",
                "/proc/nothing",
                "x" * 5000,
                "ftp://x",
            ),
            "--redis": (),
            "--workers": ("", "0", "-1", "x", HUGE, "2"),
            "--engines": ("", "-1", "x", HUGE),
            "--log": ("", "x"),
            "--log-level": ("", "x"),
        },
    ),
    "site": ("site", {"OUT": ("{binary}", "{games}", "/proc/nothing/x")}),
    "backup": (
        "backup copy.sqlite3 --database {games}",
        {"FILE": ("{games}", "{folder}", "/no/such/x"), "--database": ("{folder}", "{binary}/x")},
    ),
    "migrate": ("migrate --database {games} --dry-run", {"--database": ("{folder}", "{binary}/x")}),
    "games import": (
        "games import {games} --database {folder}/new.sqlite3",
        {
            "FILE…": FILES,
            "--database": ("{folder}", "{binary}/x", "{binary}", "/proc/nothing", "ftp://x"),
        },
    ),
    "lab puzzles": (
        "lab puzzles {folder}/new.json --count 1 -w 1",
        {
            "OUT": ("{binary}/x", "{folder}", "/proc/nothing", "x" * 5000, "a\0b"),
            "--count": ("", "0", "-1", HUGE, "x"),
            "--mode": NAMES,
            "--record": ("", "{folder}", "nowhere", "x" * 5000, "a\0b"),
            "--seed": ("", "-1", HUGE, "x"),
            "--workers": ("-1", HUGE, "x", "100000"),
            "--cluster": ("nowhere",),
        },
    ),
    "lab openings": (
        "lab openings {folder}/new.txt --nodes 1 -w 1 -l mosaic",
        {
            "OUT": ("{binary}/x", "{binary}", "{folder}", "/proc/nothing", "x" * 5000, "a\0b"),
            "--nodes": ("", "0", "-1", HUGE, "x"),
            "--mode": NAMES,
            "--layout": NAMES,
            "--network": FILES,
            "--workers": ("-1", HUGE, "x", "100000"),
            "--cluster": ("nowhere",),
        },
    ),
    "terminal": (
        "terminal",
        {
            "POSITION": TEXTS,
            "--layout": NAMES,
            "--mode": NAMES,
            "--form": NAMES,
            "--notation": NAMES,
            "--rules": NAMES,
            "--win-at": NUMBERS,
            "--clock": (*TEXTS, HUGE, "nan", "inf", "1e9", "-1", "0"),
            "--black": TEXTS,
            "--white": TEXTS,
            "--red": TEXTS,
            "--blue": TEXTS,
            "--level": NAMES,
            "--records": FILES,
            "--server": TEXTS,
            "--language": NAMES,
        },
    ),
    "review": (
        "review {games} --nodes 20",
        {
            "FILE": FILES,
            "--out": TARGETS,
            "--report": TARGETS,
            "--time": FLOATS,
            "--nodes": NUMBERS,
            "--depth": NUMBERS,
            "--threads": (*NUMBERS, "5000"),
            "--language": NAMES,
        },
    ),
}


def leaves(command: object, path: tuple[str, ...] = ()) -> dict[str, object]:
    """Every command that can be typed, by its words."""
    children = getattr(command, "commands", None)
    if children is None:
        return {" ".join(path): command}
    return {
        name: leaf
        for word, child in children.items()
        for name, leaf in leaves(child, (*path, word)).items()
    }


def test_the_table_has_every_option_of_every_command() -> None:
    known = leaves(get_command(app))
    assert set(COMMANDS) == set(known)
    for name, command in known.items():
        there = set()
        for option in command.params:  # type: ignore[attr-defined]
            if option.param_type_name == "argument":
                there.add(option.metavar or option.name)
            elif not option.is_flag:
                there.add(option.opts[0])
        assert {one.upper() for one in there} == {one.upper() for one in COMMANDS[name][1]}, name


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """Files for the nonsense to be about."""
    folder, binary, empty = tmp_path / "folder", tmp_path / "binary", tmp_path / "empty"
    games, samples = tmp_path / "games.apgn", tmp_path / "samples"
    folder.mkdir()
    binary.write_bytes(bytes(range(256)) * 40)
    empty.touch()
    games.write_text(
        '[Event "Club"]\n[Date "2024.03.01"]\n[Black "Ann"]\n[White "Ben"]\n'
        '[Variant "standard"]\n[Result "*"]\n[Notation "Aba-Pro"]\n\n1. a1b2 i9h8 *\n\n'
    )
    found = {
        "folder": folder,
        "binary": binary,
        "empty": empty,
        "games": games,
        "samples": samples,
    }
    return {name: str(path) for name, path in found.items()}


@cache
def commands() -> TyperGroup:
    """The tree of commands. To build it takes ten times as long as to refuse a line."""
    return get_command(app)


def format_message(text: str, places: dict[str, str]) -> str:
    for name, path in places.items():
        text = text.replace(f"{{{name}}}", path)
    return text


def refused(command: str, option: str, value: str, places: dict[str, str]) -> str:
    """What is wrong with how a command took a value; nothing if it took it well."""
    words = [format_message(word, places) for word in COMMANDS[command][0].split()]
    value = format_message(value, places)
    given = [value] if option.isupper() else [option, *([value] * (2 if option == "--sprt" else 1))]
    if option == "A":
        words[1] = value
        given = []
    elif option == "B":
        words[2] = value
        given = []
    elif option in ("FILE", "FOLDER", "FOLDERS", "OUT") and len(words) > len(command.split()):
        words[len(command.split())] = value
        given = []
    with CliRunner().isolation(input="") as (_, errors, _):
        try:
            commands().main([*words, *given], "sumito")
        except SystemExit as end:
            code = end.code
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        stderr = errors.getvalue().decode()
    if code not in (0, 1, 2):
        return f"exit code {code}"
    if code == 2 and not (stderr.startswith("sumito: ") and stderr.count("\n") == 1):
        return f"told in more than a line: {stderr[:200]!r}"
    if len(stderr) > 6000:
        return f"told at length: {len(stderr)}"
    return ""


DATABASE_COMMANDS = ("backup", "games import")


@pytest.mark.parametrize(
    ("command", "option"),
    [(command, option) for command, (_, options) in COMMANDS.items() for option in options],
)
def test_nonsense_is_refused_in_a_sentence(
    command: str,
    option: str,
    places: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    if command in DATABASE_COMMANDS:
        pytest.importorskip("alembic", reason=REASONS["play"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sumito.lab.cluster.CONNECT_SECONDS", 0.2)
    # It changes the tree for good; how help is translated is tested elsewhere.
    monkeypatch.setattr("sumito.cli.app.translate_help", lambda group: None)
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    faults = {}
    for value in COMMANDS[command][1][option]:
        fault = refused(command, option, value, places)
        if fault:
            faults[value[:40]] = fault
    assert not faults
    for path, content in before.items():
        assert path.read_bytes() == content, f"{path.name} was written to"


@pytest.mark.parametrize("command", ["words", "moves", "layouts", "perft 2 --divide", "engine"])
def test_a_reader_that_goes_away_is_no_fault(command: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen(
        [sys.executable, "-m", "sumito", *command.split()],
        stdin=subprocess.PIPE,
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        os.close(write)
        assert running.stdin is not None
        assert running.stderr is not None
        with contextlib.suppress(OSError):
            running.stdin.write("ugi\nisready\ngo depth 2\n")
            running.stdin.close()
        told = running.stderr.read()
        running.wait(timeout=300)
    assert "Traceback" not in told
    assert "BrokenPipe" not in told
    assert running.returncode in (1, 141)  # click says 1 where it meets the closed pipe itself
