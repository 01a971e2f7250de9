"""Self-play, training and generations: nothing lost, nothing counted twice, all repeatable."""

import gc
import json
import os
import signal
import struct
import subprocess
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sumito import kernel
from sumito.cli.app import app
from sumito.engine import network
from sumito.engine.players import Player
from sumito.errors import ArgumentTypeError, LabError
from sumito.kernel.positions import to_kernel
from sumito.lab.cluster import executor
from sumito.lab.learn import generation, samples, selfplay, train
from sumito.lab.match import runner
from sumito.lab.match.elo import Sprt, SprtVerdict, Tally
from sumito.lab.match.plan import Match
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.modes import Mode
from support.optional_parts import REASONS

QUICK = selfplay.SelfplayPlan(chunks=4, games=2, nodes=20)


def play(plan, folder, workers=2):
    with ThreadPoolExecutor(workers) as pool:
        return list(selfplay.play_games(plan, folder, pool))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_sample_takes_at_most_48_bytes():
    assert kernel.SAMPLE_BYTES <= 48


def test_fair_layouts_are_opened_with_but_those_held_out_and_the_belgian_daisy_most():
    drawn = selfplay.weighted_openings()
    held_out = {str(Board(id).position) for id in selfplay.HELD_OUT}
    assert len(held_out) == 20
    fair = {str(Board(id).position) for id, layout in layouts.of().items() if layout.fair}
    assert set(drawn) == fair - held_out
    most = max(drawn, key=drawn.count)
    assert most.startswith("ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww")


def test_equal_plans_give_equal_samples_however_many_work(tmp_path):
    play(QUICK, tmp_path / "one", workers=1)
    play(QUICK, tmp_path / "two", workers=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_self_play_goes_on_where_it_was_left_and_counts_exactly(tmp_path):
    whole = play(QUICK, tmp_path / "whole")[-1]
    with ThreadPoolExecutor(1) as pool:
        steps = selfplay.play_games(QUICK, tmp_path / "parts", pool)
        for progress in steps:
            if progress.chunks == 2:
                break
        steps.close()
    torn = tmp_path / "parts" / ".0123456789abcdef.part"  # as a killed run leaves it
    torn.write_bytes(b"half a chunk")
    (tmp_path / "parts" / "000003.samples").unlink(missing_ok=True)
    assert play(QUICK, tmp_path / "parts")[-1] == whole
    torn.unlink()
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    assert whole.games == 8
    size = sum(
        len(samples.ChunkHeader.load(path)[1]) for path in samples.chunks(tmp_path / "whole")
    )
    assert whole.samples * kernel.SAMPLE_BYTES == size


def test_a_folder_of_another_plan_is_refused(tmp_path):
    play(selfplay.SelfplayPlan(chunks=1, games=1, nodes=20), tmp_path)
    with pytest.raises(LabError, match="another plan"):
        play(selfplay.SelfplayPlan(chunks=1, games=1, nodes=30), tmp_path)


def test_samples_of_two_engines_are_never_mixed(tmp_path, monkeypatch):
    play(replace(QUICK, chunks=1), tmp_path)
    header = samples.ChunkHeader.read(samples.chunk_path(tmp_path, 0))
    assert header.engine == selfplay.engine_signature(b"") > 0
    monkeypatch.setattr(selfplay, "engine_signature", lambda network: header.engine + 1)
    with pytest.raises(LabError, match=r"000000\.samples was played by another engine \(signature"):
        play(QUICK, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["000000.samples"]
    assert play(replace(QUICK, chunks=1), tmp_path)[-1].chunks == 1  # a complete folder may be used


def test_a_worker_with_another_engine_is_refused():
    with pytest.raises(LabError, match="install the same version"):
        selfplay.play_chunk(QUICK, selfplay.engine_signature(b"") + 1, 0)


def test_samples_played_with_other_tuning_are_another_plan(tmp_path):
    play(replace(QUICK, chunks=1), tmp_path)
    with pytest.raises(LabError, match=r"another plan .*tuning none"):
        play(replace(QUICK, tuning={"gain": 30}), tmp_path)
    one, other = ({"gain": 30, "push": 1}, {"push": 1, "gain": 30})
    assert replace(QUICK, tuning=one).tuning_name == replace(QUICK, tuning=other).tuning_name


def test_samples_of_the_second_version_are_read_but_not_added_to(tmp_path):
    play(replace(QUICK, chunks=1), tmp_path)
    path = samples.chunk_path(tmp_path, 0)
    header, played = samples.ChunkHeader.load(path)
    told = asdict(header)
    del told["engine"], told["tuning"]
    text = json.dumps(told).encode()
    path.write_bytes(struct.pack("<8sII", samples.MAGIC, 2, len(text)) + text + played)
    assert samples.ChunkHeader.load(path) == (replace(header, engine=0), played)
    train.Training(train.TrainingConfig(hidden=64, validation=0), [tmp_path])
    with pytest.raises(LabError, match=r"another engine \(signature 0, "):
        play(QUICK, tmp_path)


def test_a_network_names_its_parent_and_its_samples(tmp_path):
    play(QUICK, tmp_path / "samples")
    play(replace(QUICK, seed=2), tmp_path / "aside")
    config = train.TrainingConfig(hidden=64, epochs=1, batch=128)
    first = train.Training(config, [tmp_path / "samples"])
    list(first.run())
    parent = kernel.Network(first.network())
    facts = network.training_facts(parent.parts[0])
    assert facts["parent"] is None
    assert facts["validation_source"] is None
    (source,) = facts["sources"]
    assert source["folder"] == "samples"
    assert source["engines"] == [selfplay.engine_signature(b"")]
    child = train.Training(config, [tmp_path / "samples"], tmp_path / "aside", parent)
    facts = network.training_facts(kernel.Network(child.network()).parts[0])
    assert facts["parent"] == f"{parent.parts[0].checksum:08x}"
    assert facts["sources"] == [source]
    assert facts["validation_source"]["folder"] == "aside"
    assert facts["validation_source"]["checksum"] != source["checksum"]


def test_training_is_the_same_to_the_last_bit_without_wide_registers(tmp_path):
    play(QUICK, tmp_path)
    files = []
    for plain in (False, True):
        trainer = kernel.Trainer(
            hidden=64, second_layer=16, batch=32, ranking_weight=0.4, disable_simd=plain
        )
        for path in samples.chunks(tmp_path):
            trainer.add(samples.ChunkHeader.load(path)[1])
        trainer.begin()
        losses = [trainer.epoch() for _ in range(2)]
        files.append((losses, trainer.file("{}")))
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda file: b"x" + file[1:], "not a file of samples"),
        (lambda file: file[:-1], "samples expected"),
        (lambda file: file[:-1] + bytes([file[-1] ^ 1]), "checksum"),
        (lambda file: file[:8] + b"\x09" + file[9:], "version 9"),
        (lambda file: file[:16] + b"?" + file[17:], "header"),
    ],
)
def test_a_spoilt_chunk_is_refused_with_its_name_and_the_reason(tmp_path, change, reason):
    play(selfplay.SelfplayPlan(chunks=1, games=1, nodes=20), tmp_path)
    path = samples.chunk_path(tmp_path, 0)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(LabError, match=reason) as caught:
        samples.ChunkHeader.load(path)
    assert path.name in str(caught.value)


@pytest.fixture
def matplotlib():
    return pytest.importorskip("matplotlib", reason=REASONS["lab"])


@pytest.mark.usefixtures("matplotlib")
def test_training_is_repeatable_and_leaves_its_loss_as_table_and_picture(tmp_path):
    play(selfplay.SelfplayPlan(chunks=8, games=4, nodes=20), tmp_path / "samples")
    config = train.TrainingConfig(hidden=64, epochs=3, batch=128, validation=200)
    made = []
    for _ in range(2):
        training = train.Training(config, [tmp_path / "samples"])
        losses = [epoch.training for epoch in training.run()]
        assert losses[-1] < losses[0]
        made.append(training.network())
    assert made[0] == made[1]
    training.save(tmp_path / "new.bin")
    (part,) = network.load(tmp_path / "new.bin").parts
    assert network.training_facts(part)["samples"] == training.samples
    assert (tmp_path / "new.csv").read_text().splitlines()[0] == "epoch,training,validation"
    assert len((tmp_path / "new.csv").read_text().splitlines()) == 4
    picture = (tmp_path / "new.svg").read_text()
    assert all(f">{text}</text>" in picture for text in ("Loss by epoch", "training", "validation"))


def test_training_without_samples_says_so(tmp_path):
    with pytest.raises(LabError, match="no samples"):
        train.Training(train.TrainingConfig(), [tmp_path])
    with pytest.raises(LabError, match="not a folder"):
        train.Training(train.TrainingConfig(), [tmp_path / "nowhere"])
    with pytest.raises(LabError, match="64, 128 or 256"):
        train.Training(train.TrainingConfig(hidden=100), [tmp_path])


GENERATION = generation.GenerationPlan(
    selfplay.SelfplayPlan(chunks=2, games=2),
    train.TrainingConfig(hidden=64, epochs=1, batch=128),
    selfplay_nodes=(20, 30),
    validation=1,
    rounds=2,
    games=4,
    match_nodes=20,
)


def generations(plan, folder):
    told = []
    with ThreadPoolExecutor(2) as pool:
        made = list(
            generation.run_generations(
                plan, folder, 0, pool, lambda what, share: told.append(share)
            )
        )
    assert max(told) == 1.0
    return made


@pytest.mark.usefixtures("matplotlib")
@pytest.mark.parametrize("mode", ["two", "three"])
def test_a_generation_is_played_learnt_measured_and_entered(tmp_path, mode):
    plan = replace(GENERATION, samples=replace(GENERATION.samples, mode=mode))
    made = generations(plan, tmp_path)
    assert [g.number for g in made] == [1]
    games = made[0].wins + made[0].draws + made[0].losses
    assert games == (4 if mode == "two" else 6)
    assert made[0].nodes == 20
    assert made[0].validation > 0
    assert generation.ledger(tmp_path) == made
    assert (tmp_path / generation.BEST).exists() == made[0].kept
    page = tmp_path / "page.md"
    page.write_text(f"before\n{generation.BEGIN_MARK}\nold\n{generation.END_MARK}\nafter\n")
    with pytest.raises(LabError, match="another table in the place of the ledger: old"):
        generation.write_page(made, page, tmp_path / "picture.svg")
    assert "old" in page.read_text()
    head = generation.ledger_table([])
    page.write_text(f"before\n{generation.BEGIN_MARK}\n{head}\nold\n{generation.END_MARK}\nafter\n")
    generation.write_page(made, page, tmp_path / "picture.svg")
    text = page.read_text()
    assert "old" not in text
    assert text.startswith("before")
    assert text.endswith("after\n")
    assert "| 1 |" in text


def test_a_generation_is_kept_by_a_sequential_test():
    sprt, tally = Sprt(0, 5), Tally()
    for round in range(4000):  # 51.5 %, with a spread that 200 games could not tell from chance
        tally.add([(0, 1), (0.5, 1), (0.5, 0.5), (0.5, 0.5), (1, 0.5), (0.5, 0)][round % 6])
        if sprt.verdict(tally) is not SprtVerdict.GOING_ON:
            break
    assert sprt.verdict(tally) is SprtVerdict.BETTER
    assert generation.is_better(sprt, tally)
    undecided = Tally()
    undecided.add([1, 0.5])
    assert sprt.verdict(undecided) is SprtVerdict.GOING_ON
    assert generation.is_better(sprt, undecided)
    undecided.add([0, 0])
    assert sprt.verdict(undecided) is SprtVerdict.GOING_ON
    assert not generation.is_better(sprt, undecided)


@pytest.mark.usefixtures("matplotlib")
def test_the_test_of_a_generation_ends_the_match(tmp_path):
    plan = replace(GENERATION, sprt=Sprt(-400, 400), games=200)
    (made,) = generations(plan, tmp_path)
    assert made.wins + made.draws + made.losses < 200


@pytest.mark.usefixtures("matplotlib")
def test_a_generation_broken_off_goes_on_without_learning_or_playing_again(tmp_path):
    whole = generations(GENERATION, tmp_path)
    written = {
        path: path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.suffix in (".samples", ".apgn", ".bin")
    }
    assert {path.name for path in written} >= {"001.bin", "001-anchor.apgn", "anchor.bin"}
    (tmp_path / generation.LEDGER).unlink()  # as if it had stopped before the last line
    (tmp_path / generation.BEST).unlink(missing_ok=True)
    assert generations(GENERATION, tmp_path) == whole
    assert all(path.read_bytes() == contents for path, contents in written.items())
    assert generations(GENERATION, tmp_path)[0].nodes == 30


def test_a_frozen_set_is_checked_on_and_never_learnt_from(tmp_path):
    play(QUICK, tmp_path / "samples")
    play(replace(QUICK, seed=2), tmp_path / "aside")
    config = train.TrainingConfig(hidden=64, epochs=1, batch=128)
    alone = train.Training(replace(config, validation=0), [tmp_path / "samples"])
    with_set = train.Training(config, [tmp_path / "samples"], tmp_path / "aside")
    assert with_set.samples == alone.samples
    assert [epoch.validation > 0 for epoch in with_set.run()] == [True]
    assert [epoch.validation for epoch in alone.run()] == [0]
    play(replace(QUICK, mode="three"), tmp_path / "three")
    with pytest.raises(LabError, match="samples of mode three, not of mode two"):
        train.Training(config, [tmp_path / "three"])


def test_learning_goes_on_from_a_network_that_fits(tmp_path):
    play(QUICK, tmp_path / "two")
    play(replace(QUICK, mode="teams"), tmp_path / "teams")
    config = train.TrainingConfig(hidden=64, epochs=1, batch=128)
    first = train.Training(config, [tmp_path / "two"])
    list(first.run())
    start = network.parse(first.network())
    still = replace(config, learning_rate=0.0)
    same = train.Training(still, [tmp_path / "two"], start=start)
    list(same.run())
    position = to_kernel(Board("belgian-daisy"))
    assert network.parse(same.network()).value(position) == start.value(position)
    teams = train.Training(
        replace(still, mode="teams", hidden=128), [tmp_path / "teams"], start=start
    )
    list(teams.run())
    assert [part.mode for part in network.parse(teams.network()).parts] == ["teams"]
    with pytest.raises(LabError, match="64 wide can't start one of 128"):
        train.Training(replace(config, hidden=128), [tmp_path / "two"], start=start)
    other = network.parse(teams.network())
    with pytest.raises(LabError, match="no part of the network fits"):
        train.Training(config, [tmp_path / "two"], start=other)


@pytest.mark.parametrize(
    "wrong",
    [
        {"td_lambda": 1.5},
        {"score_weight": -0.1},
        {"held_lead_log_odds": -1.0},
        {"ranking_weight": -1.0},
        {"score_clamp": -1},
        {"score_clamp": 30_001},
        {"mode": "five"},
    ],
)
def test_a_recipe_that_makes_no_sense_is_refused(tmp_path, wrong):
    with pytest.raises(LabError, match=r"from 0 to (1|100|30000)$|no mode is called"):
        train.Training(replace(train.TrainingConfig(), **wrong), [tmp_path])


def test_every_mode_has_a_recipe_that_can_be_followed(tmp_path):
    for mode in Mode:
        play(replace(QUICK, mode=mode), tmp_path / mode)
        config = replace(train.TrainingConfig.default_for(mode), hidden=64, epochs=1)
        assert len(list(train.Training(config, [tmp_path / mode]).run())) == 1


def test_later_scores_change_what_is_learnt_only_when_asked_for(tmp_path):
    play(QUICK, tmp_path)
    config = train.TrainingConfig(hidden=64, epochs=1, batch=128)
    made = set()
    for lookahead in (0.0, 0.5, 1.0):
        training = train.Training(replace(config, td_lambda=lookahead), [tmp_path])
        made.add(tuple(epoch.training for epoch in training.run()))
    assert len(made) == 3


COUNTED = 8


def ends(samples: bytes) -> list[tuple[int, int]]:
    """The winner and the flags of each sample, as they lie in a chunk."""
    size = kernel.SAMPLE_BYTES
    winner, flags = 43, 46
    return [
        (
            int.from_bytes(samples[at + winner : at + winner + 1], "little", signed=True),
            samples[at + flags],
        )
        for at in range(0, len(samples), size)
    ]


def games_of(plies: int, random_side_permille: int = 0) -> bytes:
    """Samples of twelve quick games with a limit of plies."""
    openings = [str(Board("belgian-daisy").position)]
    return kernel.Selfplay(
        openings,
        games=12,
        nodes=50,
        seed=4,
        ply_limit=plies,
        random_side_permille=random_side_permille,
        network=network.load(),
    ).run()


def kept(folder: Path, made: bytes) -> list[Path]:
    """A folder with these samples."""
    count = len(made) // kernel.SAMPLE_BYTES
    header = samples.ChunkHeader(0, 12, count, 50, 3, "none", zlib.crc32(made), Mode.TWO)
    samples.save(folder, header, made)
    return [folder]


def test_a_lead_held_until_the_ply_limit_is_told_from_a_win():
    """Games of sixty plies end by count, games without hurry by six; draws are neither."""
    short = ends(games_of(60))
    assert {bool(flags & COUNTED) for winner, flags in short if winner >= 0} == {True}
    assert {bool(flags & COUNTED) for winner, flags in short if winner < 0} == {False}
    won = [flags for winner, flags in ends(games_of(2000)) if winner >= 0]
    assert won
    assert not any(flags & COUNTED for flags in won)


def test_what_a_held_lead_is_worth_changes_what_is_learnt(tmp_path):
    folders = kept(tmp_path, games_of(60))
    config = train.TrainingConfig(hidden=64, epochs=1, batch=128)
    losses = set()
    for held in (0.0, 0.6, 100.0):
        training = train.Training(replace(config, held_lead_log_odds=held), folders)
        losses.add(next(iter(training.run())).training)
    assert len(losses) == 3


STRAYED = 4


def scores(made: bytes) -> list[int]:
    """What the side to move was told in each sample."""
    size, score = kernel.SAMPLE_BYTES, 32
    return [
        int.from_bytes(made[at + score : at + score + 2], "little", signed=True)
        for at in range(0, len(made), size)
    ]


def test_uneven_games_go_to_the_end_and_their_results_teach_nothing():
    even, uneven = games_of(2000), games_of(2000, random_side_permille=1000)
    assert all(flags & STRAYED for _, flags in ends(uneven))
    assert not all(flags & STRAYED for _, flags in ends(even))
    assert all(kernel.win_in(score) is None for score in scores(even))
    assert any(kernel.win_in(score) for score in scores(uneven))


def test_how_far_ahead_a_won_position_is_can_be_learnt(tmp_path):
    """Chances alone are as good as 1 long before the scores end."""
    folders = kept(tmp_path, games_of(2000, random_side_permille=1000))
    config = train.TrainingConfig(
        hidden=64, epochs=30, batch=128, learning_rate=0.005, validation=0
    )
    won = kernel.Position("w3w/6/2bbb2/w1bbbb1w/2bbbbb2/2bb3w/w6/w5/3ww b 5,0 9 90")
    values = []
    for order in (0.0, 10.0):
        training = train.Training(replace(config, ranking_weight=order), folders)
        list(training.run())
        values.append(kernel.Network(training.network()).value(won))
    assert values[0] + 300 < values[1]


@pytest.mark.usefixtures("matplotlib")
def test_the_usual_recipe_of_a_mode_holds_where_nothing_else_is_asked(tmp_path):
    run = CliRunner().invoke
    folder, out = str(tmp_path / "samples"), str(tmp_path / "new.bin")
    play(replace(QUICK, mode=Mode.THREE), Path(folder))
    told = [
        "lab",
        "train",
        folder,
        "--out",
        out,
        "--epochs",
        "1",
        "--hidden",
        "64",
        "--mode",
        "three",
    ]
    assert run(app, told).exit_code == 0
    facts = network.training_facts(network.load(out).parts[0])
    usual = train.TrainingConfig.default_for(Mode.THREE)
    assert (usual.score_weight, usual.td_lambda, usual.held_lead_log_odds) == (
        facts["score_weight"],
        facts["td_lambda"],
        facts["held_lead_log_odds"],
    )


@pytest.mark.usefixtures("matplotlib")
def test_the_commands_play_learn_and_tell(tmp_path):
    run = CliRunner().invoke
    folder, out = str(tmp_path / "samples"), str(tmp_path / "new.bin")
    played = run(app, ["lab", "selfplay", folder, "--chunks", "1", "--nodes", "5", "-w", "1"])
    assert played.exit_code == 0
    assert "64 games" in played.output
    learnt = run(app, ["lab", "train", folder, "--out", out, "--epochs", "1", "--hidden", "64"])
    assert learnt.exit_code == 0
    told = run(app, ["lab", "network", out])
    assert told.exit_code == 0
    rows = [line.split() for line in told.output.splitlines()]
    assert ["hidden", "64"] in rows
    assert ["epochs", "1"] in rows
    assert run(app, ["lab", "network", folder]).exit_code == 2


@pytest.mark.skipif(sys.platform != "linux", reason=REASONS["linux"])
@pytest.mark.parametrize(
    "command",
    [
        "lab selfplay {folder} --chunks 4 --nodes 200000 -w 2",
        "lab openings {folder} --nodes 1000000000 -w 2",
        "match engine,time=300 engine,time=300 --rounds 2 -c 2",
        "match champion random --time 300 --rounds 1",
        "analyse --time 300",
        "bench --depth 60",
        "perft 12",
    ],
)
def test_ctrl_c_ends_a_command_within_a_moment(tmp_path, command, cpu_seconds_to_start):
    words = command.format(folder=tmp_path / "samples").split()
    running = subprocess.Popen(
        [sys.executable, "-m", "sumito", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_until_busy(running.pid, cpu_seconds_to_start + 0.5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=120)  # the work itself would take longer
    finally:
        running.kill()
        running.wait()
    assert running.returncode == 130
    assert "Traceback" not in err
    assert not list((tmp_path / "samples").glob("*.samples")), out


@pytest.fixture(scope="module")
def cpu_seconds_to_start():
    """How much processor time a command takes that does next to nothing."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "sumito", "perft", "1"], check=True, capture_output=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def wait_until_busy(pid, cpu_seconds):
    """Wait until a process has worked for so long."""
    ticks = os.sysconf("SC_CLK_TCK")
    for _ in range(15_000):
        user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        if (int(user) + int(system)) / ticks > cpu_seconds:
            return
        time.sleep(0.02)
    pytest.fail("it never began to work")


@pytest.fixture
def cluster(tmp_path):
    """A real scheduler with two workers, each a process of its own."""
    pytest.importorskip("distributed", reason=REASONS["lab"])
    file = tmp_path / "scheduler.json"
    environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__DAEMON": "False"}

    def start(*arguments):
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--scheduler-file", str(file)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=tmp_path,
        )

    started = [start("scheduler", "--port", "0", "--no-dashboard", "--no-show")]
    started += [
        start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)
    ]
    try:
        deadline = time.monotonic() + 300
        # The file is there a moment before the address is in it.
        while not (file.exists() and file.read_text()) and time.monotonic() < deadline:
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(tmp_path, cluster):
    address, workers = cluster
    plan = selfplay.SelfplayPlan(chunks=12, games=4, nodes=60)
    with executor(address) as pool:
        counts = []
        for progress in selfplay.play_games(plan, tmp_path / "cluster", pool):
            counts.append(progress.chunks)
            if progress.chunks == 3:
                workers[0].send_signal(signal.SIGKILL)
        assert counts == list(range(13))
        players = (Player.parse(text) for text in ("engine,nodes=50", "engine,nodes=20"))
        contest = Match(*players, rounds=4, layouts=("belgian-daisy",))
        standings = list(runner.play_match(contest, pool=pool))
        assert [standing.games for standing in standings][-1] == 8
        assert standings[-1].tally.games == 8
    play(plan, tmp_path / "here")
    assert contents(tmp_path / "cluster") == contents(tmp_path / "here")


def test_a_cluster_that_does_not_answer_is_named(monkeypatch):
    distributed = pytest.importorskip("distributed", reason=REASONS["lab"])
    monkeypatch.setattr("sumito.lab.cluster.CONNECT_SECONDS", 0.2)
    gc.disable()
    try:
        with (
            pytest.raises(LabError, match=r"127\.0\.0\.1:1"),
            executor("tcp://127.0.0.1:1"),
        ):
            pass
        # One that is collected later, while another client starts, waits for itself for ever.
        assert not [one for one in gc.get_objects() if isinstance(one, distributed.Client)]
    finally:
        gc.enable()


@pytest.mark.parametrize("workers", [-1, 257, 10**30, 1.5, None, "2", True])
def test_so_many_workers_are_an_error_of_the_lab(workers: object) -> None:
    with pytest.raises(LabError, match="workers must be"), executor(workers=workers):  # type: ignore[arg-type]
        pass


def test_an_address_of_a_cluster_is_a_text() -> None:
    with pytest.raises(ArgumentTypeError), executor(8786):  # type: ignore[arg-type]
        pass
