"""Tuning goes on exactly where it was left, keeps to its ranges, and refuses what isn't its own."""

import pytest

from sumito import kernel
from sumito.errors import LabError, SumitoError
from sumito.lab.cluster import executor
from sumito.lab.match import tune
from sumito.lab.match.tune import Parameter, TuningPlan
from support.optional_parts import REASONS

NUMBERS = (Parameter.parse("lmp_base=4:3:5:1"), Parameter.parse("aspiration"))


def plan(**more):
    return TuningPlan(
        NUMBERS, **({"steps": 3, "rounds": 1, "nodes": 30, "layouts": ("star",)} | more)
    )


def steps(wanted, path):
    with executor(workers=1) as pool:
        return list(tune.run_tuning(wanted, path, pool))


def test_a_number_has_the_range_it_is_given_or_one_around_its_start():
    assert Parameter.parse("lmp_base=4:1:12:1") == Parameter("lmp_base", 4, 1, 12, 1)
    usual = Parameter.parse("aspiration")
    assert usual.low < usual.start < usual.high
    assert usual.perturbation >= 1


@pytest.mark.parametrize("name", kernel.settings())
def test_the_range_around_a_start_is_one_the_search_takes(name):
    number = Parameter.parse(name)
    for value in (number.low, number.start, number.high):
        kernel.Player("random", tuning={name: value})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("depth", "not a search parameter"),
        ("", "not a search parameter"),
        ("lmp_base=4", "give start, lowest, highest and perturbation"),
        ("lmp_base=a:b:c:d", "give start, lowest, highest and perturbation"),
        ("lmp_base=4:5:9:1", "must lie within the range"),
        ("lmp_base=4:1:9:0", "must lie within the range"),
        ("lmp_base=4:-1:9:1", "lmp_base is from 0 to 1000"),
        ("use_table=1:0:2:1", "use_table is from 0 to 1"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused(text, reason):
    with pytest.raises(LabError, match=reason):
        Parameter.parse(text)


@pytest.mark.parametrize(
    "wrong", [{"steps": 0}, {"rounds": -1}, {"numbers": ()}, {"numbers": NUMBERS * 2}]
)
def test_a_plan_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(SumitoError):
        TuningPlan(**({"numbers": NUMBERS} | wrong))


def test_a_run_that_was_broken_off_goes_on_exactly(tmp_path):
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    steps(plan(), whole)
    steps(plan(steps=1), broken)
    with broken.open("a") as file:
        file.write('{"step": 1, "sco')  # killed while it wrote
    steps(plan(), broken)
    assert broken.read_text().count("\n") == 4
    made = [[step.step for step in tune.history(path, plan())] for path in (whole, broken)]
    assert made == [[0, 1, 2]] * 2
    first = [tune.history(path, plan())[0].score for path in (whole, broken)]
    assert first[0] == first[1]


def test_numbers_follow_the_winner_within_their_range(tmp_path):
    pytest.importorskip("matplotlib", reason=REASONS["lab"])
    wanted = plan(steps=6, nodes=300)
    values = wanted.start
    for step in steps(wanted, tmp_path / "tune.jsonl"):
        assert (step.values == values) == (step.score == 0)
        assert 3 <= step.values["lmp_base"] <= 5
        values = step.values
    assert "<svg" in tune.picture(wanted, tune.history(tmp_path / "tune.jsonl", wanted))


@pytest.mark.parametrize("text", ["", "something else\n", '{"tuning": {}}\n'])
def test_a_file_of_something_else_is_left_alone(tmp_path, text):
    path = tmp_path / "mine.txt"
    path.write_text(text)
    with pytest.raises(LabError, match="was written by a different run"):
        steps(plan(), path)
    assert path.read_text() == text
