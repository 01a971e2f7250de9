"""The command line: what it prints, what it says when something is wrong, and how it exits."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from textwrap import dedent

import pytest
from typer.testing import CliRunner

import sumito
from sumito import cli, record
from sumito.cli import games as archive
from sumito.cli import static_server
from sumito.cli.app import app
from sumito.rules.formations import Word
from support.optional_parts import REASONS

STANDARD = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1"
PUSH = "5/6/7/8/2bbw4/8/7/6/5 b 0,0 0 1"
GAME = dedent(
    """\
    [Event "Club evening"]
    [Date "2024.03.01"]
    [Black "Ann"]
    [White "Ben"]
    [Variant "standard"]
    [Result "1-0"]
    [Notation "Aba-Pro"]

    1. a1b2 i9h8 2. b2c3 1-0
    """
)
COMMANDS = [
    "show",
    "layouts",
    "moves",
    "perft",
    "words",
    "check",
    "doctor",
    "play",
    "serve",
    "terminal",
    "convert",
    "convert record",
    "convert moves",
    "convert position",
]


def run(line, *more, stdin=None):
    """What a command line gives; `more` are arguments that need no splitting."""
    return CliRunner().invoke(
        app, [*line.split(), *map(str, more)], input=stdin, prog_name="sumito"
    )


def output(line, *more, stdin=None):
    """What a command that succeeds prints."""
    result = run(line, *more, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def failure(line, *more, code=2):
    """The one line that a command says before it gives up."""
    result = run(line, *more)
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr.strip()


def process(*arguments, stdin="", **environment):
    """`python -m sumito` as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "sumito", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | environment,
        timeout=300,
        check=False,
    )


@pytest.fixture(autouse=True)
def _plain_pages(monkeypatch):
    """Output as into a file, whatever the terminal or the build server of the tests asks for."""
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("typer.rich_utils.FORCE_TERMINAL", None)


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.apgn"
    path.write_text(GAME, encoding="utf-8")
    return path


# Help.


def test_without_arguments_it_shows_what_there_is():
    shown = output("")
    assert shown.rstrip() == output("--help").rstrip()
    for command in COMMANDS[:9]:
        assert f"│ {command} " in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_that_begins_as_one_would_type_it(command):
    shown = output(f"{command} --help")
    assert "Example" in shown
    assert f"sumito {command}" in shown.split("Example")[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_no_value_for_flags(command):
    assert "bool" not in output(f"{command} --help")


def test_version():
    assert output("--version") == f"sumito {sumito.__version__}\n"


# Looking at positions.


def test_show_draws_the_start_position_and_its_text():
    lines = output("show").splitlines()
    assert lines[0].split() == ["i", *"wwwww"]
    assert lines[-1] == STANDARD


def test_show_takes_a_position_without_quotes():
    assert output(f"show {PUSH}") == output("show", PUSH)
    assert output(f"show {PUSH}").endswith(f"{PUSH}\n")


def test_show_plays_moves_first_in_any_notation():
    moved = output("show --moves", "A1B2 i9h8")
    assert moved == output("show --notation nacre --moves", "a1d4 i9f6")
    assert moved.endswith(" b 0,0 2 3\n")


def test_show_draws_an_svg_file(tmp_path):
    file = tmp_path / "board.svg"
    assert output("show --mode three --svg", file) == f"drew {file}\n"
    assert ET.parse(file).getroot().tag.endswith("svg")


def test_show_lists_the_formations_by_their_words():
    shown = output(f"show --words {PUSH}")
    assert "2 against 1, playable" in shown
    assert [line.split()[0] for line in shown.splitlines() if "e3 e4" in line] == [
        Word.PAIR,
        Word.GROUP,
        Word.SUMITO,
    ]


def test_show_reads_another_programs_position():
    text = sumito.Board().position.text("playstrategy")
    assert output("show --form playstrategy", *text.split()).endswith(f"{STANDARD}\n")


def test_layouts_lists_all_of_a_mode():
    listed = output("layouts --mode two")
    assert all(f" {id} " in listed for id in sumito.layouts.of("two"))
    assert " teams " not in listed
    assert " teams " in output("layouts")


def test_moves_prints_one_a_line():
    assert len(output("moves").splitlines()) == 44
    assert "a1d4" in output("moves --notation nacre").splitlines()


def test_perft_counts_leaves():
    result = run("perft 3")
    assert result.stdout == "98,912 leaves at depth 3\n"
    assert result.stderr.endswith(" leaves/s\n")
    assert run(f"perft {PUSH} 0").stdout == "1 leaf at depth 0\n"


def test_perft_divides_by_first_moves():
    *moves, total = run("perft --divide 2 --mode three").stdout.splitlines()
    assert len(moves) == 40
    assert sum(int(line.split()[1]) for line in moves) == 1587
    assert total.startswith("1,587 leaves")


def test_words_has_four_languages():
    listed = output("words")
    for words in ("shield", "Panzer", "schild", "bouclier"):
        assert words in listed


# Records.


def test_check_passes_a_record_that_replays(games):
    assert output("check", games) == "1 game, no faults\n"


def test_check_lists_every_fault_with_its_place_and_exits_1(games):
    bad = games.with_name("bad.apgn")
    wrong_move, wrong_result = GAME.replace("2. b2c3", "2. a1b2"), GAME.replace("1-0\n", "0-1\n")
    bad.write_text(f"{wrong_move}\n{GAME}\n{wrong_result}", encoding="utf-8")
    result = run("check", games, bad)
    assert result.exit_code == 1
    first, second, total = result.stdout.splitlines()
    assert first.startswith(f"{bad}: game 1, line 9, move 2, a1b2: ")
    assert "there is no marble on a1" in first
    assert second.startswith(f"{bad}: game 3, line ")
    assert total == "4 games, 2 faults"


def test_check_survives_a_file_that_is_no_record(tmp_path):
    noise = tmp_path / "noise"
    noise.write_bytes(bytes(range(256)) * 4)
    result = run("check", noise)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{noise}: ")


def test_convert_record_writes_another_notation_and_back(games):
    nacre = games.with_name("nacre.apgn")
    assert output("convert record", games, "--to", "nacre", "-o", nacre) == ""
    assert '[Notation "Nacre"]' in nacre.read_text(encoding="utf-8")
    assert output("convert record", nacre, "--to", "aba-pro") == output("convert record", games)


def test_convert_record_can_write_onto_the_file_it_reads(games):
    before = next(record.read(games)).moves
    output("convert record", games, "--to", "nacre", "--output", games)
    assert next(record.read(games)).moves == before
    assert [path.name for path in games.parent.iterdir()] == [games.name]


def test_convert_record_leaves_no_file_when_the_record_is_bad(games):
    games.write_text(GAME.replace("b2c3", "b2b2"), encoding="utf-8")
    target = games.with_name("out.apgn")
    told = failure("convert record", games, "-o", target)
    assert told.startswith(f"sumito: {games}: game 1, line 9, move 2, b2b2: ")
    assert [path.name for path in games.parent.iterdir()] == [games.name]


def test_convert_record_writes_positions(games):
    lines = output("convert record --positions sumito", games).splitlines()
    assert lines[0] == STANDARD
    assert len(lines) == 4


def test_convert_moves():
    assert output("convert moves a1b2 i9h8 --to nacre") == "a1d4 i9f6\n"
    assert output("convert moves a1d4 i9f6 --from nacre") == "a1b2 i9h8\n"
    assert output("convert moves e3e4 --to playstrategy --position", PUSH) == "e3e6\n"


def test_convert_position_and_back():
    kaa = output(f"convert position {PUSH} --to kaa").strip()
    assert output(f"convert position {kaa} --from kaa").startswith(PUSH.split()[0])


# What can go wrong, each in one line.


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "No such command 'nonsense' (see sumito --help)"),
        ("show --layout belgian", "did you mean belgian-daisy"),
        ("show --mode four", "'four' is not one of 'two', 'three', 'teams', 'teams-double'"),
        ("show 5/6/7/8/9x/8/7/6/5 b 0,0 0 1", "row e"),
        (f"show {PUSH} --mode three", "give a position, or a layout and a mode, but not both"),
        ("show --moves a1b2,c3", "move 1: 'a1b2,c3' is not a move"),
        ("convert moves a1b2 a2b3", "move 2: a2b3: a2 is black's, and it is white's turn"),
        ("perft", "DEPTH"),
        ("perft deep", "DEPTH"),
        ("check nowhere.apgn", "'nowhere.apgn' does not exist"),
        ("show --svg nowhere/board.svg", "nowhere/board.svg: No such file or directory"),
        ("convert", "Missing command"),
        ("convert position x", "a position is"),
        ("terminal --red Cas", "mode two has no red for Cas to play"),
        ("terminal --clock soon", "'soon' is not a time control"),
    ],
)
def test_bad_input_is_told_in_one_line_and_exits_2(line, told):
    assert told in failure(line)


# A game at one keyboard.


def play(*lines, options=""):
    return output(f"terminal {options}", stdin="\n".join(lines) + "\n")


def test_a_typed_move_is_checked_once(monkeypatch):
    check, checked = sumito.Board._checked_segment, []

    def counted(board, move):
        checked.append(move)
        return check(board, move)

    monkeypatch.setattr(sumito.Board, "_checked_segment", counted)
    assert "a1b3" in play("a1b2", "a1b2", "a1b3", "quit")
    assert list(map(str, checked)) == ["a1b2", "a1b2"]  # one that is played, one that can't be


def test_play_takes_moves_in_any_case_and_with_signs_between():
    for typed in ("a1b2", "A1B2", "a1-b2", " a1 b2 "):
        assert "last move: a1b2" in play(typed)


def test_play_explains_an_illegal_move_and_goes_on():
    shown = play("e3e4", "b1c2", options="5/6/7/8/2bbww3/8/7/bb4/5 b 0,0 0 1")
    assert "  e3e4: no sumito: 2 against 2 is a pac" in shown
    assert "last move: b1c2" in shown


def test_play_says_what_it_doesnt_understand():
    assert "'castle' is neither a move nor a command; try help" in play("castle")


def test_play_help_names_every_command():
    shown = play("help")
    for command in ("help", "moves", "undo", "resign", "draw", "save", "quit"):
        assert f"\n  {command} " in shown


def test_play_help_fits_the_notation():
    assert "c3d6" in play("help", options="--notation nacre")
    assert "last move: a1b2" in play("a1d4", options="--notation nacre")


def test_play_undo_takes_one_move_back():
    shown = play("a1b2", "i9h8", "undo", "board")
    assert shown.rstrip().splitlines()[-2].endswith(" w 0,0 1 2")
    assert "there is no move to take back" in play("undo")


def test_play_moves_lists_them_by_what_they_do():
    assert "pushes" in play("moves", options=PUSH)
    assert "44 moves for black" in play("moves")


def test_play_resign_ends_a_game_for_two():
    assert "White wins (resignation)." in play("resign")
    assert "Black wins (resignation)." in play("resign white")


def test_play_knows_that_a_resigned_game_is_over():
    shown = play("resign", "moves", "board", "a1b2", "undo")
    assert "moves\n  the game is over\n" in shown
    assert shown.count("White wins (resignation).") == 2
    assert "a1b2\n  the game is over (resignation)\n" in shown


def test_play_resign_among_three_lets_the_others_play_on():
    shown = play("resign", "resign", options="--mode three")
    assert "black is out (resignation); the others play on." in shown
    assert "Red wins (the last one in the game)." in shown


def test_play_draw_asks_every_other_side():
    assert "Draw (agreed)." in play("draw", "yes")
    assert "black> draw\nwhite, do you accept a draw? (yes or no) no\nwhite declines." in play(
        "draw", "no"
    )
    shown = play("draw", "y", "y", options="--mode three")
    assert "red, do you accept a draw?" in shown
    assert "Draw (agreed)." in shown
    assert "Draw (agreed)." in play("draw", "yes", options="--mode teams")


def test_play_to_the_sixth_ejection():
    shown = play("e7e8", "e1e2", options="5/6/7/8/w5bbw/8/7/6/5 b 5,0 0 1")
    assert "Black wins (6 marbles ejected)." in shown
    assert "game over> e1e2\n  the game is over (ejections)" in shown


def test_play_a_shorter_game():
    options = "5/6/7/8/w5bbw/8/7/6/5 b 0,0 0 1 --win-at 1"
    assert "Black wins (1 marble ejected)." in play("e7e8", options=options)


def test_play_a_move_after_the_flag_fell_is_not_made(monkeypatch):
    seconds = iter(range(0, 1_000_000, 1000))
    for module in ("sumito.cli.terminal", "sumito.game.local"):
        monkeypatch.setattr(f"{module}.now", lambda: next(seconds))
    shown = play("a1b2", options="--clock 2")
    assert "White wins (out of time)." in shown
    assert "last move" not in shown


def test_play_teams_win_together():
    assert "White+blue win (resignation)." in play("resign", options="--mode teams")


def test_play_tournament_rules_draw_a_third_repetition():
    position = "w4/6/7/8/9/8/7/6/4b b 0,0 0 1"
    shuffle = ["a5b5", "i5h4", "b5a5", "h4i5"] * 2
    assert "draw (repetition)" in play(*shuffle, options=f"--rules tournament {position}")
    assert "draw" not in play(*shuffle, options=position)


def test_play_shows_names_and_clocks():
    shown = play("a1b2", options="--clock 600+5 --black Ann --white white")
    assert "black (Ann) 10:00> a1b2" in shown
    assert "white 10:00> " in shown


def test_play_saves_a_record_that_replays(tmp_path):
    file = tmp_path / "game.apgn"
    shown = play("a1b2", "i9h8", f"save {file}", "resign", f"save {file}", options="--black Ann")
    assert shown.count(f"Saved to {file}.") == 2
    (saved,) = record.read(file)
    assert (saved.tags["Black"], saved.result) == ("Ann", "0-1")
    assert list(map(str, saved.moves)) == ["a1b2", "i9h8"]


def test_play_saves_who_left_a_game_for_three(tmp_path):
    file = tmp_path / "three.apgn"
    play("a1b2", "resign", f"save {file}", options="--mode three --rules tournament")
    (saved,) = record.read(file)
    assert saved.departures == {1: (sumito.WHITE,)}
    assert saved.result == "*"


def test_play_doesnt_write_over_other_peoples_files(games):
    assert f"{games} exists already; choose another name" in play(f"save {games}")
    assert games.read_text(encoding="utf-8") == GAME


def test_play_says_where_it_could_not_save(tmp_path):
    file = tmp_path / "no" / "game.apgn"
    assert f"  {file}: No such file or directory\n" in play(f"save {file}")
    assert "  ~nobody-of-this-name/x: No such file" in play("save ~nobody-of-this-name/x")
    assert "is not a file name" in play("save a\0b")
    assert "no file name given" in play("save")


def test_play_ends_at_quit_whatever_follows():
    shown = play("quit", "a1b2")
    assert shown.endswith("black> quit\n")


# As a process of its own.


def test_the_program_runs_as_a_module():
    done = process("show", "--layout", "belgian-daisy")
    assert (done.returncode, done.stderr) == (0, "")
    board = sumito.Board(layout="belgian-daisy")
    assert done.stdout == f"{board}\n{board.position!s}\n"


def test_a_game_can_be_piped_in():
    done = process("terminal", stdin="a1b2\nresign\nquit\n")
    assert done.returncode == 0
    assert "Black wins (resignation)." in done.stdout


def test_an_error_is_no_traceback():
    done = process("show", "nonsense")
    assert done.returncode == 2
    assert done.stderr.startswith("sumito: ")
    assert done.stderr.count("\n") == 1


def test_results_go_to_their_file_while_a_bar_is_drawn_on_the_terminal():
    pty = pytest.importorskip("pty", reason=REASONS["posix"])
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "sumito", "perft", "--divide", "1"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        timeout=300,
        check=True,
    )
    os.close(theirs)
    assert "leaves/s" in os.read(ours, 100_000).decode()
    os.close(ours)
    assert len(done.stdout.splitlines()) == 45


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason=REASONS["posix"])
def test_a_record_can_be_piped_into_check():
    done = process("check", "/dev/stdin", stdin=GAME)
    assert (done.returncode, done.stdout) == (0, "1 game, no faults\n")


def test_a_terminal_without_accents_still_gets_the_words():
    done = process("words", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "pas de c?t?" in done.stdout


def test_without_the_extra_it_says_what_to_install(tmp_path):
    Path(tmp_path, "typer.py").write_text(
        "raise ModuleNotFoundError('No module named typer', name='typer')", encoding="utf-8"
    )
    done = process("show", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == 'sumito: `sumito show` needs more: pip install "sumito[cli]"\n'


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("show", "cli"),
        ("match", "cli"),
        ("terminal", "tui"),
        ("serve", "play"),
        ("backup", "play"),
        ("games", "play"),
        ("lab", "lab"),
        ("nonsense", "cli"),
    ],
)
def test_a_bare_install_names_the_extra_of_each_command(command, extra, capsys):
    assert static_server.main([command, "--help"]) == 1
    assert capsys.readouterr().err == (
        f'sumito: `sumito {command}` needs more: pip install "sumito[{extra}]"\n'
    )


@pytest.mark.parametrize(
    "command", [["serve"], ["backup", "copy.sqlite3"], ["games", "import", "games.apgn"]]
)
def test_without_the_servers_packages_its_commands_name_their_extra(command, tmp_path):
    (tmp_path / "games.apgn").write_text(GAME)
    for package in ("sqlalchemy", "starlette", "alembic"):
        (tmp_path / f"{package}.py").write_text(
            f"raise ModuleNotFoundError('No module named {package}', name='{package}')"
        )
    done = subprocess.run(
        [sys.executable, "-m", "sumito", *command],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)},
    )
    assert done.returncode == 2
    assert "sumito[play]" in done.stderr
    assert "Traceback" not in done.stderr


posix = pytest.mark.skipif(os.name != "posix", reason=REASONS["posix"])
PRINTING = ["--help", "show --help", "layouts", "moves", "perft --divide 2", "rules", "words"]


@posix
@pytest.mark.parametrize("command", [*PRINTING, "check {file}", "convert record {file} --to nacre"])
def test_a_reader_who_goes_away_ends_a_command_as_the_signal_would(command, tmp_path):
    file = tmp_path / "games.apgn"
    file.write_text(GAME * 50)
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [sys.executable, "-m", "sumito", *command.format(file=file).split()],
        stdout=theirs,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, "")


@posix
@pytest.mark.parametrize("command", PRINTING)
def test_a_closed_output_is_said_in_one_line(command):
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m sumito {command} >&-'],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert (done.returncode, done.stderr) == (2, "sumito: standard output is closed\n")


@posix
def test_closed_streams_harm_nobody_who_needs_none(tmp_path):
    file, out = tmp_path / "games.apgn", tmp_path / "out.apgn"
    file.write_text(GAME)
    command = f'exec "{sys.executable}" -m sumito convert record {file} -o {out} <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], check=False).returncode == 0
    assert list(record.read(out)) == list(record.read(file))
    command = f'exec "{sys.executable}" -m sumito engine <&-'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("command", "shows"),
    [
        ("check -", "1 game, no faults"),
        ("convert record - --to nacre", "1. a1d4"),
        ("analyse - --nodes 1", "Ann – Ben"),
        ("review - --nodes 1", "accuracy: Ann"),
    ],
)
def test_a_dash_stands_for_standard_input(command, shows):
    assert shows in output(command, stdin=GAME)


def test_a_dash_may_stand_for_games_to_import(tmp_path):
    pytest.importorskip("sqlalchemy", reason=REASONS["play"])
    database = tmp_path / "games.sqlite3"
    shown = output("games import - --database", database, stdin=GAME)
    assert "1 games added" in shown


def test_standard_input_that_is_no_text_is_named_by_line():
    done = subprocess.run(
        [sys.executable, "-m", "sumito", "check", "-"],
        input=GAME.encode() + b'\n[Event "\x8f"]\n\n*\n',
        capture_output=True,
    )
    assert done.returncode == 1
    assert b"line 11: byte 9 of the line, 0x8f, is not UTF-8" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(shell):
    script = process(_SUMITO_COMPLETE=f"source_{shell}").stdout
    assert "_SUMITO_COMPLETE" in script
    words = {"COMP_WORDS": "sumito conv", "COMP_CWORD": "1"}
    words |= {"_TYPER_COMPLETE_ARGS": "sumito conv", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    assert "convert" in process(_SUMITO_COMPLETE=f"complete_{shell}", **words).stdout


def test_a_table_that_does_not_fit_is_named_by_its_option():
    told = failure("analyse --hash 99999999")
    assert "Invalid value for '--hash': 99999999 MB are out of range: 1 to " in told
    assert "hash_mb" not in told
    assert "'--hash'" in failure("analyse --hash 0")


@pytest.mark.parametrize(("option", "value"), [("--hidden", 100), ("--second-layer", 5)])
def test_layers_have_the_sizes_that_the_kernel_knows(option, value, tmp_path):
    told = failure("lab train", tmp_path, "--out", tmp_path / "x.bin", option, value)
    assert f"'{option}': {value} is not one of " in told


def test_an_import_loses_no_game_between_batches():
    found = iter(range(2 * archive.BATCH + 1))
    batches = [archive._take(found) for _ in range(4)]
    assert [game for batch in batches for game in batch] == list(range(2 * archive.BATCH + 1))
    assert max(map(len, batches)) == archive.BATCH


def test_ctrl_c_while_the_program_starts_is_no_traceback(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_main", interrupted)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 130
