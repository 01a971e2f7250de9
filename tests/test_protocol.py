"""UGI: what a program may say to the engine, and what comes back."""

from __future__ import annotations

import string
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sumito import Board, Mode
from sumito.engine.ugi import server as ugi
from sumito.engine.ugi.server import Session


class Talk:
    """A session whose answers are kept."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.session = Session(self.lines.append)

    def say(self, *lines: str) -> list[str]:
        """Say lines, wait for a search to end, and give all answers."""
        before = len(self.lines)
        for line in lines:
            self.session.handle(line)
        if self.session._search is not None:
            self.session._search.join()
        return self.lines[before:]


@pytest.fixture
def talk() -> Iterator[Talk]:
    made = Talk()
    yield made
    made.session.close()


def test_the_greeting_names_the_engine_and_its_options(talk: Talk) -> None:
    answers = talk.say("ugi")
    assert answers[0].startswith("id name Sumito")
    assert answers[-1] == "ugiok"
    options = {answer.split()[2] for answer in answers if answer.startswith("option name")}
    assert {"Threads", "Hash", "MultiPV", "Level", "Mode", "Layout"} <= options


def test_ready_at_any_time(talk: Talk) -> None:
    assert talk.say("isready") == ["readyok"]


@pytest.mark.parametrize("go", ["go depth 3", "go nodes 2000", "go movetime 20"])
def test_a_search_ends_with_a_legal_move(talk: Talk, go: str) -> None:
    answers = talk.say("newgame", "position startpos moves a1b2", go)
    board = Board()
    board.push(board.parse_move("a1b2"))
    word, move = answers[-1].split()
    assert word == "bestmove"
    assert board.parse_move(move) in board.legal_moves
    infos = [answer.split() for answer in answers if answer.startswith("info depth")]
    assert infos
    for info in infos:
        assert {"score", "nodes", "nps", "pv"} <= set(info)


@pytest.mark.parametrize("mode", Mode)
def test_every_mode_is_spoken(talk: Talk, mode: Mode) -> None:
    answers = talk.say(f"setoption name Mode value {mode}", "position startpos", "go depth 2")
    assert Board(mode=mode).parse_move(answers[-1].split()[1])


def test_clocks_of_the_player_to_move_are_used(talk: Talk) -> None:
    answers = talk.say("go p1time 40 p2time 600000 p1inc 0 p2inc 0")
    assert answers[-1].startswith("bestmove ")
    answers = talk.say("go btime 40 wtime 600000")
    assert answers[-1].startswith("bestmove ")


def test_several_lines(talk: Talk) -> None:
    answers = talk.say("setoption name MultiPV value 3", "go depth 2")
    ranks = [line.split()[6] for line in answers if line.startswith("info depth 2 ")]
    assert ranks[:3] == ["1", "2", "3"]


def test_stop_ends_an_infinite_search(talk: Talk) -> None:
    answers = talk.say("go infinite", "isready", "position startpos", "stop")
    assert "readyok" in answers
    assert any("searching; say stop first" in answer for answer in answers)
    assert answers[-1].startswith("bestmove ")


def test_queries(talk: Talk) -> None:
    assert talk.say("query gameover", "query p1turn", "query result") == [
        "response false",
        "response true",
        "response none",
    ]
    won = "position fen 5/6/7/8/9/8/7/6/bb3 w 6,0 0 9"
    assert talk.say(won, "query gameover", "query p1turn", "query result") == [
        "response true",
        "response false",
        "response p1win",
    ]
    assert talk.say("go depth 1")[-1] == "bestmove none"


def test_a_win_is_told_in_moves(talk: Talk) -> None:
    fen = "position fen 5/6/7/8/6bbw/8/7/6/w4 b 5,0 0 9"
    assert any(" score mate 1 " in line for line in talk.say(fen, "go depth 3"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("hello", "unknown command 'hello'"),
        ("position", "say it as: position"),
        ("position fen what", "fields"),
        ("position startpos moves a1b2 a1b2", "move 2: a1b2: there is no marble on a1"),
        ("setoption name Threads value many", "not a whole number"),
        ("setoption name Threads value 0", "from 1 to"),
        ("setoption Threads 2", "say it as: setoption"),
        ("setoption name Speed value 2", "no option 'Speed'"),
        ("setoption name Layout value nowhere", "no layout 'nowhere'"),
        ("setoption name Level value godlike", "none of newcomer"),
        ("go depth", "needs a whole number"),
        ("go depth deep", "needs a whole number"),
        ("go sideways 3", "doesn't know 'sideways'"),
        ("query weather", "say it as: query"),
    ],
)
def test_nonsense_is_answered_in_words_and_changes_nothing(
    talk: Talk, line: str, answer: str
) -> None:
    talk.say("position startpos moves a1b2")
    before = talk.say("show")
    said = talk.say(line)
    assert len(said) == 1
    assert said[0].startswith("info string error: ")
    assert answer in said[0]
    assert talk.say("show") == before


WORDS = st.sampled_from(
    [
        "position",
        "startpos",
        "fen",
        "moves",
        "a1b2",
        "go",
        "depth",
        "nodes",
        "1",
        "2",
        "-1",
        "query",
        "result",
        "setoption",
        "name",
        "value",
        "Hash",
        "MultiPV",
        "Mode",
        "three",
        "stop",
        "ugi",
        "isready",
        "newgame",
        "show",
        "movetime",
        "infinite",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.lists(WORDS, max_size=6).map(" ".join),
            st.text(alphabet=string.printable + "é\0", max_size=40),
        ),
        max_size=6,
    )
)
def test_no_line_brings_it_down(lines: list[str]) -> None:
    talk = Talk()
    try:
        for line in lines:
            # A limit that is far away would only make the test long.
            if not (line.startswith("go") and any(c in line for c in "23456789")):
                talk.session.handle(line)
        talk.session.handle("stop")
        assert talk.say("isready")[-1] == "readyok"
    finally:
        talk.session.close()


def test_the_program_talks_until_quit_and_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sumito", "engine"],
        input="ugi\nisready\nposition startpos\ngo depth 3\nquery p1turn\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "ugiok" in done.stdout
    assert "response true" in done.stdout
    assert any(line.startswith("bestmove ") for line in done.stdout.splitlines())


def test_run_reads_lines_from_anywhere() -> None:
    said: list[str] = []
    ugi.run(["isready\n", "quit\n", "isready\n"], said.append)
    assert said == ["readyok"]
