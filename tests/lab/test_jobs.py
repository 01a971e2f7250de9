"""Resumable work: what is stored isn't done again, torn ends are dropped, foreign files refused."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from sumito.errors import LabError
from sumito.lab import jobs
from sumito.lab.jobs import Journal

HEADING = {"squares": 2}


class Squares:
    """Squares of numbers, stored in a journal."""

    def __init__(self, journal):
        self.journal = journal
        self.done = dict(map(tuple, journal.entries))

    def is_done(self, number):
        return number in self.done

    def save(self, number, square):
        self.journal.append([number, square])
        self.done[number] = square


def squares(path, numbers, work=lambda number: number**2):
    """Run the jobs with the file; return what was done now and all that is stored."""
    journal = Journal(path, HEADING)
    store = Squares(journal)
    with journal, ThreadPoolExecutor(2) as pool:
        return dict(jobs.run(store, work, numbers, pool)), store.done


def test_a_stored_result_is_not_computed_again(tmp_path):
    path = tmp_path / "squares.jsonl"
    assert squares(path, [1, 2])[0] == {1: 1, 2: 4}
    asked = []
    found, stored = squares(path, [1, 2, 3], lambda number: asked.append(number) or number**2)
    assert (asked, found, stored) == ([3], {3: 9}, {1: 1, 2: 4, 3: 9})


def test_a_result_is_stored_before_the_next_may_fail(tmp_path):
    path = tmp_path / "squares.jsonl"

    def work(number):
        if number == 2:
            raise LabError("no")
        return number**2

    for number in (1, 2):
        with pytest.raises(LabError) if number == 2 else ThreadPoolExecutor(1):
            squares(path, [number], work)
    assert Journal(path, HEADING).entries == [[1, 1]]


@pytest.mark.parametrize("cut", range(1, 7))
def test_a_torn_last_line_is_done_again(tmp_path, cut):
    path = tmp_path / "squares.jsonl"
    squares(path, [1, 2])
    whole = path.read_text()
    path.write_text(whole[:-cut])
    assert squares(path, [1, 2])[1] == {1: 1, 2: 4}
    assert sorted(path.read_text().splitlines()) == sorted(whole.splitlines())


def test_an_unreadable_line_within_is_an_error_with_its_place(tmp_path):
    path = tmp_path / "squares.jsonl"
    squares(path, [1])
    path.write_text(path.read_text() + "[2, \n[3, 9]\n")
    with pytest.raises(LabError, match=r"squares\.jsonl, line 3, can't be read"):
        Journal(path, HEADING)


@pytest.mark.parametrize("text", ["", "hello\n", '{"squares": 3}\n[1, 1]\n'])
def test_a_file_of_another_run_is_left_alone(tmp_path, text):
    path = tmp_path / "squares.jsonl"
    path.write_text(text)
    with pytest.raises(LabError, match="was written by a different run"):
        squares(path, [1])
    assert path.read_text() == text


def test_plans_that_differ_have_different_checksums():
    assert jobs.checksum({"a": 1, "b": 2}) == jobs.checksum({"b": 2, "a": 1})
    assert jobs.checksum({"a": 1}) != jobs.checksum({"a": 2})
