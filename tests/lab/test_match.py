"""Matches: paired, counted once, resumable; and the arithmetic of Elo."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sumito import BLACK, WHITE, Colour, Mode, Rules, record
from sumito.cli.app import app
from sumito.engine import Level, Limit
from sumito.engine.memory import available_mb
from sumito.engine.players import Kind, Player
from sumito.engine.ugi import client
from sumito.errors import EngineError, LabError, LayoutError
from sumito.lab.cluster import executor
from sumito.lab.match.elo import Sprt, SprtVerdict, Tally, difference, expected
from sumito.lab.match.openings import openings
from sumito.lab.match.plan import Match
from sumito.lab.match.programs import ResignAdjudicator, UgiGameRunner
from sumito.lab.match.runner import MatchProgress, play_match
from support.optional_parts import REASONS

QUICK = Limit(nodes=200)


def plan(first: str = "engine", second: str = "random", **more: object) -> Match:
    settings: dict[str, object] = {"rounds": 2, "layouts": ("standard",)} | more
    return Match(Player.parse(first, QUICK), Player.parse(second, QUICK), **settings)  # type: ignore[arg-type]


def finish(match: Match, records: Path | None = None) -> MatchProgress:
    *_, last = play_match(match, records)
    return last


def test_elo_and_score_are_inverse() -> None:
    for elo in (-300, -10, 0, 55, 400):
        assert difference(expected(elo)) == pytest.approx(elo)
    assert difference(1) == math.inf
    assert difference(0) == -math.inf


def test_a_tally_counts_rounds() -> None:
    tally = Tally()
    for round in ([1, 1], [1, 0], [0.5, 1], [0, 0]):
        tally.add(round)
    assert (tally.wins, tally.draws, tally.losses, tally.games) == (4, 1, 3, 8)
    assert tally.score == pytest.approx(4.5 / 8)
    low, high = tally.interval
    assert low < tally.elo < high
    assert "+4 =1 -3 (56.2 %)" in str(tally)


def test_pairs_that_always_split_leave_little_doubt() -> None:
    split, mixed = Tally(), Tally()
    for at in range(100):
        split.add([1, 0])
        mixed.add([1, 1] if at % 2 else [0, 0])
    assert split.variance < mixed.variance / 10


def test_a_sequential_test_decides_both_ways_and_waits() -> None:
    test = Sprt(0, 50)
    better, worse, even = Tally(), Tally(), Tally()
    for at in range(200):
        better.add([1, 1] if at % 3 else [1, 0])
        worse.add([0, 0] if at % 3 else [1, 0])
    even.add([1, 0])
    assert test.verdict(better) is SprtVerdict.BETTER
    assert test.verdict(worse) is SprtVerdict.NOT_BETTER
    assert test.verdict(even) is SprtVerdict.GOING_ON


def test_players_are_read() -> None:
    assert Player.parse("friendly").level is Level.FRIENDLY
    assert Player.parse("engine,nodes=50,threads=2,hash=4").limit == Limit(nodes=50)
    assert Player.parse("alpha-beta,depth=4").kind is Kind.ALPHA_BETA
    assert Player.parse("cmd: ./x -y", QUICK).command == "./x -y"
    assert Player.parse("engine", QUICK).limit is QUICK


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nobody", "is not a player; write engine"),
        ("engine", "needs a limit"),
        ("champion", "needs a limit"),
        ("alpha-beta", "needs a depth"),
        ("engine,nodes=many", "'many' is not a number"),
        ("engine,nodes=0", "nodes must be a whole number from 1"),
        ("engine,speed=3", "a player has time, nodes"),
        ("cmd:./x", "needs a limit"),
        ("engine,nodes=10,threads=0", "threads must be a whole number from 1"),
        ("engine,nodes=10,hash=0", "hash_mb must be a whole number from 1"),
        ("engine,nodes=10,hash=99999999", "hash_mb must be"),
        ("engine,time=inf", "time must be"),
        ("engine,depth=999999999999999999999", "depth must be"),
        ("engine,nodes=10,lmp_base=999999999999999999999", "lmp_base is from 0 to 1000, not"),
        ("engine,nodes=10,contempt=-10001", "contempt is from -10000 to 10000, not -10001"),
    ],
)
def test_players_that_are_none(text: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        Player.parse(text)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_the_engine_beats_random_and_greedy(mode: Mode, opponent: str) -> None:
    match = Match(
        Player.parse("engine,nodes=10000"),
        Player.parse(opponent),
        rounds=2,
        mode=mode,
        layouts=("standard", "belgian-daisy") if mode is Mode.TWO else (),
        concurrency=2,
    )
    standing = finish(match)
    assert standing.games == match.games
    # With three seats two are the loser's: the engine alone must win, two engines must share.
    # Of two greedy ones, one may win from the other before the engine can: it wins 97 of 100.
    a_third_decides = mode is Mode.THREE and opponent == "greedy"
    assert standing.tally.score >= (0.9 if a_third_decides else 1)


def test_a_match_is_the_same_again(tmp_path: Path) -> None:
    for name in ("one", "two"):
        finish(plan(second="greedy"), tmp_path / name)
    assert (tmp_path / "one").read_text() == (tmp_path / "two").read_text()


def test_a_level_errs_otherwise_in_every_round(tmp_path: Path) -> None:
    """A round is a match of its own to the kernel: its errors come from the round's seed too."""
    match = plan("newcomer", "engine", rounds=6, plies=0)
    file = tmp_path / "match.apgn"
    finish(match, file)
    games = [game for game in record.read(file) if game.tags["Black"] == "newcomer"]
    assert len({str(next(iter(game.moves))) for game in games}) > 1


def test_records_replay_and_say_who_sat_where(tmp_path: Path) -> None:
    file = tmp_path / "match.apgn"
    standing = finish(plan(), file)
    games = list(record.read(file))
    assert [game.tags["Round"] for game in games] == ["1.1", "1.2", "2.1", "2.2"]
    assert [game.tags["Black"] for game in games] == ["engine", "random"] * 2
    assert {game.result for game in games} == {"1-0", "0-1"}
    assert standing.tally.wins == 4


def test_who_both_see_far_behind_for_three_moves_gives_up(tmp_path: Path) -> None:
    files = [tmp_path / "played.apgn", tmp_path / "resigned.apgn"]
    match = plan("engine,nodes=300", "casual", rounds=3)
    for file, resign in zip(files, (0.0, 2.0), strict=True):
        finish(replace(match, resign=resign), file)
    played, resigned = (list(record.read(file)) for file in files)
    ends = [game.tags["Termination"] for game in resigned]
    assert "resigned" in ends
    assert "resigned" not in {game.tags["Termination"] for game in played}
    for whole, cut in zip(played, resigned, strict=True):
        moves, shorter = list(whole.moves), list(cut.moves)
        assert moves[: len(shorter)] == shorter  # the same game, ended sooner
        assert whole.result == cut.result
        assert (len(shorter) < len(moves)) == (cut.tags["Termination"] == "resigned")


def test_who_has_no_opinion_never_gives_up(tmp_path: Path) -> None:
    file = tmp_path / "match.apgn"
    finish(replace(plan(second="random"), resign=0.01), file)
    assert {game.tags["Termination"] for game in record.read(file)} == {"ejected"}


@pytest.mark.parametrize("marbles", [-1, 51, math.inf, math.nan])
def test_marbles_to_resign_at_are_a_few(marbles: float) -> None:
    with pytest.raises(LabError, match="resign must be from 0"):
        plan(resign=marbles)


def test_among_three_games_are_played_out() -> None:
    with pytest.raises(LabError, match="three players"):
        plan(mode=Mode.THREE, resign=1)


def test_a_program_gives_up_too_when_both_have_said_so_for_three_moves(tmp_path: Path) -> None:
    file = tmp_path / "match.apgn"
    program = f"cmd:{sys.executable} -m sumito engine"
    finish(plan(program, "engine,nodes=100", rounds=1, resign=0.3), file)
    for game in record.read(file):
        assert game.tags["Termination"] == "resigned"
        assert game.result in {"1-0", "0-1"}
        assert len(list(game.moves)) >= 6


def test_agreement_counter_resets_on_disagreement() -> None:
    def hear(agreement: ResignAdjudicator, *marbles: float) -> list[Colour | None]:
        return [
            agreement.update(*((BLACK, WHITE) if ply % 2 == 0 else (WHITE, BLACK)), score)
            for ply, score in enumerate(marbles)
        ]

    behind = (-2.0, 2.0) * 3  # as black and white say
    assert hear(ResignAdjudicator(1.5), *behind) == [None] * 5 + [BLACK]
    contested = hear(ResignAdjudicator(1.5), *behind[:4], 1.6, *behind[1:], -2.0)
    assert contested == [None] * 10 + [BLACK]
    assert hear(ResignAdjudicator(2.5), *behind) == [None] * 6
    assert hear(ResignAdjudicator(0), *behind) == [None] * 6  # nobody is asked


def test_an_interrupted_match_goes_on_and_counts_nothing_twice(tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    expected = finish(plan(rounds=4), whole)
    for standing in play_match(plan(rounds=4), torn):
        if standing.games == 3:
            break
    with torn.open("a") as file:
        file.write(whole.read_text()[:150])  # killed in the middle of a line
    standing = finish(plan(rounds=4), torn)
    assert standing.games == expected.games
    assert str(standing.tally) == str(expected.tally)
    rounds = [game.tags["Round"] for game in record.read(torn)]
    assert len(rounds) == len(set(rounds)) == 8
    assert finish(plan(rounds=4), torn).games == 8


def test_another_matchs_file_is_refused(tmp_path: Path) -> None:
    finish(plan(), tmp_path / "file")
    with pytest.raises(LabError, match="holds another match"):
        finish(plan(seed=1), tmp_path / "file")


@pytest.mark.parametrize(
    "other",
    [
        {"first": Player("random", Kind.RANDOM, limit=Limit(nodes=7))},
        {"first": Player("random", Kind.RANDOM, hash_mb=9)},
        {"rules": Rules(win_at=4)},
    ],
)
def test_a_match_with_other_limits_or_rules_is_another_match(
    tmp_path: Path, other: dict[str, object]
) -> None:
    match = replace(plan(), first=Player("random", Kind.RANDOM))
    assert replace(match, rounds=match.rounds + 1).event == match.event
    finish(match, tmp_path / "file")
    with pytest.raises(LabError, match="holds another match"):
        finish(replace(match, **other), tmp_path / "file")


FOREIGN = {
    "letter": "Dear Ann,\n\n[Event to come]\n\nyours, Ben\n",
    "binary": bytes(range(256)) * 9,
    "other games": '[Event "Club evening"]\n[Date "2024.03.01"]\n\n1. a1b2 *\n\n',
    "blank": "\n\n\n",
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_file_that_is_not_the_matchs_own_is_refused_and_stays_as_it_was(
    tmp_path: Path, kind: str
) -> None:
    content = FOREIGN[kind]
    before = content if isinstance(content, bytes) else content.encode()
    file = tmp_path / "file"
    file.write_bytes(before)
    with pytest.raises(LabError, match="name another file"):
        finish(plan(), file)
    assert file.read_bytes() == before


def test_games_of_another_match_after_ones_own_are_refused_and_stay(tmp_path: Path) -> None:
    file = tmp_path / "file"
    finish(plan(rounds=1), file)
    with file.open("a") as more:
        more.write('[Event "Club evening"]\n[Date "2024.03.01"]\n\n1. a1')
    before = file.read_bytes()
    with pytest.raises(LabError, match="Club evening"):
        finish(plan(rounds=2), file)
    assert file.read_bytes() == before


@pytest.mark.parametrize("cut", [1, 30, 400])
def test_a_match_killed_while_it_wrote_goes_on(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "file"
    finish(plan(rounds=1), file)
    whole = file.read_bytes()
    file.write_bytes(whole[:cut])
    assert finish(plan(rounds=1), file).games == 2
    assert file.read_bytes() == whole


def test_a_match_is_the_same_however_many_rounds_are_played_at_a_time(tmp_path: Path) -> None:
    played = []
    for concurrency in (1, 3):
        file = tmp_path / str(concurrency)
        finish(plan(second="greedy", rounds=4, concurrency=concurrency), file)
        played.append({game.tags["Round"]: game.moves for game in record.read(file)})
    assert len(played[0]) == 8
    assert played[0] == played[1]


def test_a_match_ends_when_its_test_is_decided() -> None:
    standing = finish(plan(rounds=200, sprt=Sprt(0, 100)))
    assert standing.verdict is SprtVerdict.BETTER
    assert standing.games < 100


@pytest.mark.parametrize("mode", [Mode.TWO, Mode.THREE])
def test_programs_meet_players_of_the_kernel(tmp_path: Path, mode: Mode) -> None:
    program = f"cmd:{sys.executable} -m sumito engine"
    file = tmp_path / "file"
    match = plan(program, "random", rounds=1, mode=mode, layouts=(), concurrency=2)
    standing = finish(match, file)
    games = list(record.read(file))
    assert standing.games == match.games == len(games)
    # The program plays well, and a player alone against two is named so in the records.
    assert standing.tally.score == 1
    assert {game.tags["Black"] for game in games} == {program, "random"}
    assert all(game.tags["Termination"] != "abandoned" for game in games)


def test_a_program_that_breaks_the_rules_loses_the_game(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    answers = {'ugi': 'ugiok', 'isready': 'readyok', 'go': 'bestmove a1a9'}\n"
        "    if word in answers: print(answers[word], flush=True)\n"
        "    if word == 'quit': break\n"
    )
    file = tmp_path / "file"
    standing = finish(plan(f"cmd:{sys.executable} {bad}", "random", rounds=1), file)
    assert standing.tally.losses == 2
    assert all("illegal move" in game.tags["Termination"] for game in record.read(file))


@pytest.mark.skipif(os.name != "posix", reason=REASONS["posix"])
@pytest.mark.parametrize("deaf_to", ["ugi", "isready", "go"])
def test_a_match_with_a_silent_program_is_broken_off_at_once(
    tmp_path: Path, deaf_to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while it is greeted, and though what it has started itself holds on to its pipes."""
    monkeypatch.setattr(client, "HANDSHAKE_SECONDS", 3600.0)
    asked, silent = tmp_path / "asked", tmp_path / "silent.py"
    silent.write_text(
        "import subprocess, sys\n"
        "subprocess.Popen(['sleep', '3600'])\n"
        f"answers = {{'ugi': 'ugiok', 'isready': 'readyok'}}\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        f"    if word == {deaf_to!r}: open({str(asked)!r}, 'w').close()\n"
        "    elif word in answers: print(answers[word], flush=True)\n"
    )
    match = plan(f"cmd:{sys.executable} {silent}", "random", rounds=1, concurrency=2)
    ended = []

    def play() -> None:
        with executor(workers=2) as pool, UgiGameRunner(match, list(match.openings())) as programs:
            waiting = [pool.submit(programs.play, (0, seating)) for seating in range(2)]
            while not asked.exists():
                assert not any(future.done() for future in waiting)
                time.sleep(0.01)
            pool.stop()
            ended.extend(future.result() for future in waiting if not future.cancelled())

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    thread.join(300)
    assert not thread.is_alive()
    assert ended
    assert set(ended) == {None}


def test_programs_hear_the_rules_of_the_match(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from sumito.cli.ugi_session import UgiSession\n"
        "session = UgiSession(lambda text: print(text, flush=True))\n"
        f"heard = open({str(heard)!r}, 'a')\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('setoption'): print(line.strip(), file=heard, flush=True)\n"
        "    if not session.handle(line): break\n"
    )
    rules = Rules(win_at=1, repetition=3, ply_limit=60)
    finish(plan(f"cmd:{sys.executable} {program}", "random", rounds=1, rules=rules))
    told = heard.read_text().splitlines()
    for option in ("WinAt value 1", "Repetition value 3", "PlyLimit value 60"):
        assert f"setoption name {option}" in told


def test_what_a_program_can_not_have_is_refused() -> None:
    program = Player.parse("cmd:./x", QUICK)
    for change in ({"tuning": (("lmp_base", 6),)}, {"network": "none"}):
        with pytest.raises(EngineError, match="is a program: it takes no network and no tuning"):
            Match(replace(program, **change), Player.parse("random"))  # type: ignore[arg-type]
    with ThreadPoolExecutor(1) as pool, pytest.raises(LabError, match="run on this machine only"):
        next(play_match(Match(program, Player.parse("random")), pool=pool))


@pytest.mark.parametrize(
    "change",
    [
        {"rounds": 0},
        {"rounds": 10**12},
        {"concurrency": 0},
        {"concurrency": 100_000},
        {"plies": -1},
        {"plies": 10**9},
    ],
)
def test_plans_that_make_no_match_are_refused(change: dict[str, object]) -> None:
    (name,) = change
    with pytest.raises(EngineError, match=f"{name} must be"):
        plan(**change)


def test_tables_that_do_not_fit_the_machine_together_are_refused() -> None:
    each = available_mb() // 8
    with pytest.raises(LabError, match="concurrent rounds need"):
        plan(f"engine,nodes=1,hash={each}", f"engine,nodes=1,hash={each}", concurrency=8)


@pytest.mark.parametrize("seed", [-5, 0, 10**30])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    assert finish(plan(rounds=1, seed=seed)).games == 2


def test_an_opening_never_ends_the_game() -> None:
    stream = openings(mode="two", plies=60, rules=Rules(repetition=2))
    for opening in islice(stream, 20):
        assert len(opening.board.moves) == 60
        assert opening.board.outcome() is None
        assert opening.board.captured == (0, 0)


@pytest.mark.parametrize("elos", [(5, 5), (10, 0), (math.nan, 1), (0, math.inf)])
def test_a_sequential_test_needs_two_differences(elos: tuple[float, float]) -> None:
    with pytest.raises(LabError, match="a smaller and a larger difference"):
        Sprt(*elos)


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(LayoutError, match="no layout 'nowhere'"):
        finish(plan(layouts=("nowhere",)))


def test_the_command_line_tells_the_result() -> None:
    command = "match engine,nodes=200 random --rounds 2 --layout standard --sprt 0 100"
    done = CliRunner().invoke(app, command.split())
    assert done.exit_code == 0, done.output
    assert "4 games: +4 =0 -0 (100.0 %)" in done.output
    assert "SPRT: " in done.output


def test_the_command_line_refuses_in_one_line() -> None:
    done = CliRunner().invoke(app, ["match", "nobody", "random"])
    assert done.exit_code == 2
    assert "'nobody' is not a player" in done.output


def test_analysis_on_the_command_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["analyse", "--layout", "belgian-daisy", "--depth", "3", "--lines", "2"]
    )
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.output.splitlines() if "%" in line]
    assert [row[2] for row in rows] == ["3", "3"]
    assert rows[0][4] != rows[1][4]


def test_every_move_of_a_record_is_judged_and_written_down(tmp_path: Path) -> None:
    file, out = tmp_path / "game.apgn", tmp_path / "judged.apgn"
    finish(plan(second="greedy", rounds=1), file)
    done = CliRunner().invoke(
        app, ["analyse", str(file), "--nodes", "100", "--lines", "2", "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    before, after = list(record.read(file)), list(record.read(out))
    rows = [line.split() for line in done.output.splitlines() if "%" in line]
    assert [row[1] for row in rows] == [str(move) for game in before for move in game.moves]
    for old, new in zip(before, after, strict=True):
        assert new.moves == old.moves
        assert all(node.evaluation is not None for node in new.nodes)
        assert new.nodes[-1].evaluation in (100, -100)  # the last move wins
        assert any(node.variations for node in new.nodes)
        for node in new.nodes:
            assert all(other.move is not node.move for other in node.variations)


def test_a_record_says_its_layout_itself_and_a_missing_file_is_no_position(tmp_path: Path) -> None:
    file = tmp_path / "game.apgn"
    finish(plan(second="greedy", rounds=1), file)
    for arguments, told in (
        ([str(file), "--layout", "standard"], "a record has its own layout"),
        ([str(tmp_path / "nowhere.apgn")], "is neither a file nor a position"),
        ([str(tmp_path)], "is a folder"),
        (["--layout", "standard", "--out", str(file)], "--out is for a file of records"),
    ):
        done = CliRunner().invoke(app, ["analyse", "--nodes", "10", *arguments])
        assert done.exit_code == 2
        assert told in done.output


def test_training_looks_at_once_whether_it_can_write(tmp_path: Path) -> None:
    out = tmp_path / "no" / "new.bin"
    done = CliRunner().invoke(app, ["lab", "train", str(tmp_path), "--out", str(out)])
    assert done.exit_code == 2
    assert "No such file or directory" in done.output  # not that there are no samples


def test_bench_prints_its_signature() -> None:
    done = CliRunner().invoke(app, ["bench", "--depth", "4"])
    again = CliRunner().invoke(app, ["bench", "--depth", "4"])
    assert done.exit_code == 0
    assert done.output.split()[:2] == again.output.split()[:2]
