"""UGI: what a program may say to the engine, and what comes back."""

from __future__ import annotations

import string
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sumito import RULEBOOK, Board, Mode, Move, Rules
from sumito.cli import ugi_session as ugi
from sumito.cli.ugi_session import UgiSession
from sumito.engine import Limit, TimeLeft
from sumito.engine.ugi.messages import Go
from sumito.engine.ugi.options import rule_values


class Conversation:
    """A session whose answers are kept."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.session = UgiSession(self.lines.append)

    def say(self, *lines: str) -> list[str]:
        """Say lines, wait for a search to end, and give all answers."""
        before = len(self.lines)
        for line in lines:
            self.session.handle(line)
        self.session.wait()
        return self.lines[before:]


@pytest.fixture
def conversation() -> Iterator[Conversation]:
    made = Conversation()
    yield made
    made.session.close()


def test_the_greeting_names_the_engine_and_its_options(conversation: Conversation) -> None:
    answers = conversation.say("ugi")
    assert answers[0].startswith("id name Sumito")
    assert answers[-1] == "ugiok"
    options = {answer.split()[2] for answer in answers if answer.startswith("option name")}
    assert {"Threads", "Hash", "MultiPV", "Level", "Mode", "Layout"} <= options


def test_ready_at_any_time(conversation: Conversation) -> None:
    assert conversation.say("isready") == ["readyok"]


@pytest.mark.parametrize("go", ["go depth 3", "go nodes 2000", "go movetime 20"])
def test_a_search_ends_with_a_legal_move(conversation: Conversation, go: str) -> None:
    answers = conversation.say("newgame", "position startpos moves a1b2", go)
    board = Board()
    board.push(board.parse_move("a1b2"))
    word, move, expects, answer = answers[-1].split()
    assert (word, expects) == ("bestmove", "ponder")
    board.push(board.parse_move(move))
    assert board.parse_move(answer) in board.legal_moves
    infos = [answer.split() for answer in answers if answer.startswith("info depth")]
    assert infos
    for info in infos:
        assert {"score", "nodes", "nps", "pv"} <= set(info)


@pytest.mark.parametrize("mode", Mode)
def test_every_mode_is_spoken(conversation: Conversation, mode: Mode) -> None:
    answers = conversation.say(
        f"setoption name Mode value {mode}", "position startpos", "go depth 2"
    )
    assert Board(mode=mode).parse_move(answers[-1].split()[1])


@pytest.mark.parametrize("go", ["go p1time 40 p1inc 0", "go btime 40", "go btime -5"])
def test_clocks_of_the_player_to_move_are_used(conversation: Conversation, go: str) -> None:
    # Nothing else ends these searches; the other player's clock says nothing.
    answers = conversation.say(f"{go} p2time 600000 wtime 600000")
    assert answers[-1].startswith("bestmove ")
    limit = Go.parse(go.split()[1:], Board()).limit
    assert limit.clock is not None
    assert limit.clock.remaining <= 0.04


def test_another_players_clock_is_no_limit() -> None:
    assert Go.parse(["p2time", "40"], Board()).limit.is_endless


def test_all_limits_of_one_go_are_respected(conversation: Conversation) -> None:
    words = "movetime 5000 depth 7 nodes 900 p1time 60000 p1inc 100 movestogo 3"
    limit = Limit(time=5, depth=7, nodes=900, clock=TimeLeft(60, 0.1, 3))
    assert Go.parse(words.split(), Board()) == Go(limit)
    assert Go.parse(Go(limit).text(Board()).split()[1:], Board()) == Go(limit)
    for other in ("depth 2", "nodes 50"):
        last = [line for line in conversation.say(f"go movetime 600000 {other}") if " pv " in line][
            -1
        ]
        assert int(last.split()[2]) <= 3


def test_a_search_among_some_moves_plays_one_of_them(conversation: Conversation) -> None:
    assert conversation.say("go depth 2 searchmoves a1b2")[-1].startswith("bestmove a1b2 ponder ")
    go = Go(Limit(depth=2), (Move.parse("a1b2"), Move.parse("b1c2")))
    assert Go.parse(go.text(Board()).split()[1:], Board()) == go


def waits_for(conversation: Conversation, text: str) -> None:
    """Until a line begins so."""
    while not any(line.startswith(text) for line in list(conversation.lines)):
        time.sleep(0.001)


def moves_said(conversation: Conversation) -> list[str]:
    return [line for line in conversation.lines if line.startswith("bestmove")]


def test_it_ponders_until_the_move_is_played_and_then_thinks_within_the_limit(
    conversation: Conversation,
) -> None:
    conversation.session.handle("go ponder depth 2")
    waits_for(conversation, "info depth 4 ")  # beyond the limit, which doesn't count yet
    assert not moves_said(conversation)
    conversation.session.handle("position startpos")  # refused: it searches
    assert conversation.lines[-1].endswith("send stop first")
    before = len(conversation.lines)
    conversation.say("ponderhit")
    assert len(moves_said(conversation)) == 1
    depths = [
        line.split()[2] for line in conversation.lines[before:] if line.startswith("info depth")
    ]
    assert depths[-1] == "2"
    assert conversation.say("position startpos moves a1b2", "go depth 1")[-1].startswith(
        "bestmove "
    )


def test_pondering_that_is_stopped_says_its_move_once(conversation: Conversation) -> None:
    conversation.session.handle("go ponder movetime 1")
    waits_for(conversation, "info depth 2 ")
    assert not moves_said(conversation)
    conversation.say("stop")
    assert len(moves_said(conversation)) == 1


def test_pondering_that_finds_the_end_keeps_its_move_to_itself(conversation: Conversation) -> None:
    won = "position fen 5/6/7/8/5bbbw/8/7/6/ww3 b 5,0 0 31"
    conversation.session.handle(won)
    conversation.session.handle("go ponder nodes 100")
    search = conversation.session._search
    assert search is not None
    assert search.analysis.wait()[0].score.plies == 1
    search.reporter.join(0.3)  # it would end, had it no reason to wait
    assert search.reporter.is_alive()
    assert not moves_said(conversation)
    conversation.say("ponderhit")
    assert len(moves_said(conversation)) == 1


@pytest.mark.parametrize("said", [["ponderhit"], ["go depth 1", "ponderhit"]])
def test_a_ponderhit_without_pondering_is_refused(
    conversation: Conversation, said: list[str]
) -> None:
    conversation.say(*said[:-1])
    assert conversation.say(said[-1]) == ["info string error: not pondering; send go ponder first"]


def test_what_is_pondered_on_is_written_as_it_is_read() -> None:
    go = Go(Limit(depth=4), ponders=True)
    assert go.text(Board()) == "go ponder depth 4"
    assert Go.parse(["ponder", "depth", "4"], Board()) == go


def test_the_rules_are_told_by_options(conversation: Conversation) -> None:
    rules = Rules(win_at=2, repetition=4, ply_limit=9, partner_sidestep="none", stuck="draws")
    for name, value in rule_values(rules).items():
        assert conversation.say(f"setoption name {name} value {value}") == []
    conversation.say("position startpos")
    assert conversation.session._board.rules == rules
    conversation.say("position fen 5/6/7/8/9/8/7/6/bb2w w 1,0 0 10")
    assert conversation.say("query gameover", "query result") == ["response true", "response p1win"]
    for name, value in rule_values(RULEBOOK).items():
        conversation.say(f"setoption name {name} value {value}")
    conversation.say("position startpos")
    assert conversation.session._board.rules == RULEBOOK


def test_a_level_errs_the_same_way_with_the_same_seed(conversation: Conversation) -> None:
    conversation.say("setoption name Level value gentle", "position startpos")
    moves = []
    for seed in (*range(8), *range(8)):
        conversation.say(f"setoption name Seed value {seed}", "newgame")
        moves.append(conversation.say("go depth 4")[-1])
    assert moves[:8] == moves[8:]
    assert len(set(moves)) > 1


def test_several_lines(conversation: Conversation) -> None:
    answers = conversation.say("setoption name MultiPV value 3", "go depth 2")
    ranks = [line.split()[6] for line in answers if line.startswith("info depth 2 ")]
    assert ranks[:3] == ["1", "2", "3"]


def test_stop_ends_an_infinite_search(conversation: Conversation) -> None:
    answers = conversation.say("go infinite", "isready", "position startpos", "stop")
    assert "readyok" in answers
    assert any("a search is running; send stop first" in answer for answer in answers)
    assert answers[-1].startswith("bestmove ")


def test_queries(conversation: Conversation) -> None:
    assert conversation.say("query gameover", "query p1turn", "query result") == [
        "response false",
        "response true",
        "response none",
    ]
    won = "position fen 5/6/7/8/9/8/7/6/bb3 w 6,0 0 9"
    assert conversation.say(won, "query gameover", "query p1turn", "query result") == [
        "response true",
        "response false",
        "response p1win",
    ]
    assert conversation.say("go depth 1")[-1] == "bestmove none"


def test_a_win_is_told_in_moves(conversation: Conversation) -> None:
    fen = "position fen 5/6/7/8/6bbw/8/7/6/w4 b 5,0 0 9"
    assert any(" score mate 1 " in line for line in conversation.say(fen, "go depth 3"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("hello", "unknown command 'hello'"),
        ("setoption name Threads value many", "not a whole number"),
        ("setoption name Threads value 0", "from 1 to"),
        ("setoption Threads 2", "usage: setoption"),
        ("setoption name Speed value 2", "no option 'Speed'"),
        ("setoption name Layout value nowhere", "no layout 'nowhere'"),
        ("setoption name Level value godlike", "none of newcomer"),
        ("query weather", "usage: query"),
        ("setoption name Hash value " + "9" * 5000, "is not a whole number"),
        ("setoption name Repetition value 1", "repetition must be a whole number from 2"),
        ("setoption name PlyLimit value -1", "is not a whole number from 0"),
        ("setoption name Network value nowhere.bin", "can't read the network"),
    ],
)
def test_nonsense_is_answered_in_words_and_changes_nothing(
    conversation: Conversation, line: str, answer: str
) -> None:
    conversation.say("position startpos moves a1b2")
    before = conversation.say("show")
    said = conversation.say(line)
    assert len(said) == 1
    assert said[0].startswith("info string error: ")
    assert answer in said[0]
    assert conversation.say("show") == before


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("go depth", "needs a whole number"),
        ("go depth deep", "needs a whole number"),
        ("go sideways 3", "unknown word 'sideways' after go"),
        ("go nodes 99999999999999999999999999", "needs a whole number up to"),
        ("go depth " + "9" * 5000, "needs a whole number up to"),
        ("go movetime 99999999999999999", "needs a whole number up to"),
        ("go searchmoves", "needs at least one move"),
        ("go depth 1 searchmoves a2b3", "a2 is black's"),
    ],
)
def test_a_search_that_is_refused_ends_at_once_without_a_move(
    conversation: Conversation, line: str, answer: str
) -> None:
    conversation.say("position startpos moves a1b2")
    before = conversation.say("show")
    error, end = conversation.say(line)
    assert error.startswith("info string error: ")
    assert answer in error
    assert end == "bestmove none"
    assert conversation.say("show") == before


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("position", "usage: position"),
        ("position fen what", "fields"),
        ("position startpos moves a1b2 a1b2", "move 2: a1b2: there is no marble on a1"),
    ],
)
def test_a_position_that_is_refused_leaves_none(
    conversation: Conversation, line: str, answer: str
) -> None:
    conversation.say("position startpos moves a1b2")
    (said,) = conversation.say(line)
    assert answer in said
    refusal = "info string error: no position is set: the last `position` command was refused"
    assert conversation.say("go nodes 1") == [refusal, "bestmove none"]
    assert conversation.say("query result") == [refusal]
    assert conversation.say("show") == [refusal]
    assert conversation.say("position startpos", "show")[-1].endswith(" b 0,0 0 1")
    conversation.say(line, "newgame")
    assert conversation.say("go nodes 1")[-1].split()[1] != "none"


def test_a_position_that_comes_during_a_search_is_refused_and_not_mistaken_later() -> None:
    said: list[str] = []
    session = UgiSession(said.append)
    session.handle("go infinite")
    session.handle("position startpos moves a1b2")
    assert "info string error: a search is running; send stop first" in said
    session.handle("go depth 1")
    assert not any(line.startswith("bestmove") for line in said)
    session.handle("stop")
    assert said[-1].startswith("bestmove ")
    session.handle("go depth 1")
    assert said[-1] == "bestmove none"
    session.close()


def test_what_is_pondered_on_outlives_a_refused_position(conversation: Conversation) -> None:
    conversation.session.handle("position startpos moves a1b2 i9h8")
    conversation.session.handle("go ponder nodes 50")
    conversation.session.handle("position nonsense")
    (*_, end) = conversation.say("ponderhit")
    board = Board()
    board.push_text("a1b2")
    board.push_text("i9h8")
    assert board.is_legal(Move.parse(end.split()[1]))


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
    conversation = Conversation()
    try:
        for line in lines:
            # A limit that is far away would only make the test long.
            if not (line.startswith("go") and any(c in line for c in "23456789")):
                conversation.session.handle(line)
        conversation.session.handle("stop")
        assert conversation.say("isready")[-1] == "readyok"
    finally:
        conversation.session.close()


def test_the_program_talks_until_quit_and_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sumito", "engine"],
        input="ugi\nisready\nposition startpos\ngo depth 3\nquery p1turn\n",
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert "ugiok" in done.stdout
    assert "response true" in done.stdout
    assert any(line.startswith("bestmove ") for line in done.stdout.splitlines())


def test_run_reads_lines_from_anywhere() -> None:
    said: list[str] = []
    ugi.run(["isready\n", "quit\n", "isready\n"], said.append)
    assert said == ["readyok"]


@pytest.mark.parametrize("words", ["depth 0", "nodes 0", "depth 0 nodes 0"])
def test_a_limit_of_nought_is_the_least_search_and_not_an_endless_one(words: str) -> None:
    limit = Go.parse(words.split(), Board()).limit
    assert 1 in (limit.depth, limit.nodes)
