"""Whatever a file or a caller comes up with: a record that holds, or an error that says where."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sumito import Board, Mode, RecordError, record
from sumito.record import Node, Record
from support.records import PIECES, TAGS, damage, random_game, text

CLUB = (Path(__file__).parents[1] / "data" / "club.apgn").read_text(encoding="utf-8")
PLAYED = [record.write(Record.from_board(random_game(7, mode, 12))) for mode in Mode]
FILES = [CLUB, *PLAYED, CLUB + PLAYED[1] + text()]


def check_holds(source):
    """Every record is faulty, each fault with its place, or it can be written and read again."""
    games = list(record.parse(source, errors="collect"))
    faults = [fault for game in games for fault in game.errors]
    for fault in faults:
        assert fault.game is not None
        assert fault.line is not None
        assert 1 <= fault.line <= source.count("\n") + source.count("\r") + 1
        assert str(fault).startswith(f"game {fault.game}, line {fault.line}")
        assert fault.reason
    for game in games:
        if not game.errors:
            written = record.write(game)
            assert list(record.parse(written)) == [game]
            assert record.write(record.parse(written)) == written
    if faults:
        with pytest.raises(RecordError) as caught:
            list(record.parse(source))
        assert str(caught.value) == str(faults[0])
    else:
        assert list(record.parse(source)) == games
    return games


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_reads_or_says_what_is_wrong(source):
    games = check_holds(source)
    assert bool(games) == bool(source.removeprefix("\ufeff").strip())


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25), st.booleans())
def test_any_move_text_reads_or_says_what_is_wrong(pieces, blanks):
    check_holds(text((" " if blanks else "").join(pieces)))


@st.composite
def damaged_files(draw):
    """A good file with some places changed, lost, doubled or moved."""
    source = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 4))):
        source = damage(
            source,
            draw(st.integers(0, len(source))),
            draw(st.integers(0, 12)),
            lambda pieces: draw(st.sampled_from(pieces) | st.text(max_size=3)),
        )
    return source


@settings(deadline=None, max_examples=200)
@given(damaged_files())
def test_a_damaged_file_is_refused_or_still_holds(source):
    check_holds(source)


@settings(deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_a_file_cut_short_loses_only_its_last_game(source, data):
    cut = data.draw(st.integers(0, len(source)))
    whole = list(record.parse(source))
    games = check_holds(source[:cut])
    assert games[:-1] == whole[: max(0, len(games) - 1)]
    assert not any(game.errors for game in games[:-1])


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(0, len(CLUB)))
def test_any_bytes_in_a_file_are_read_or_refused(tmp_path_factory, junk, at):
    path = tmp_path_factory.mktemp("fuzz") / "junk.apgn"
    raw = CLUB.encode()
    path.write_bytes(raw[:at] + junk + raw[at:])
    for game in record.read(path, errors="collect"):
        for fault in game.errors:
            assert fault.line is not None


LETTERS = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
WORDS = st.sampled_from([*PIECES, "word", "[%csl", '[Event "x"]', "[a"])
TALK = (st.text(LETTERS, max_size=200) | st.lists(WORDS, max_size=60).map(" ".join)).map(
    # What a comment can't hold is another test's matter.
    lambda talk: re.sub(r"[{}\x00]|\[%(clk|eval|out)", "", talk)
)


@st.composite
def lines(draw, board, depth=0):
    """The root of a random tree of play from a board with all that can be said about it."""
    board = board.copy()
    choose = random.Random(draw(st.integers(0, 999)))
    root = last = Node(comment=draw(TALK))
    for _ in range(draw(st.integers(1 if depth else 0, 4))):
        moves = list(board.legal_moves)
        if not moves:
            break
        branches = draw(st.integers(0, 2)) if depth < 2 else 0
        node = Node(
            choose.choice(moves),
            comment=draw(TALK),
            clock=draw(st.none() | st.integers(0, 10**9)),
            evaluation=draw(st.none() | st.floats(-1e6, 1e6)),
            nags=draw(st.lists(st.integers(0, 255), max_size=3, unique=True)),
        )
        following = last.attach(node)
        for _ in range(branches):
            other = draw(lines(board, depth + 1))
            if other.next:
                other.next.opening_comment = other.comment
                last.attach(other.next)
        board.push(node.move)
        last = following
    return root


@settings(deadline=None)
@given(lines(Board()), st.text(LETTERS, max_size=20))
def test_whatever_is_written_reads_back_the_same(root, event):
    game = Record(TAGS | {"Event": event}, root)
    written = record.write(game)
    assert list(record.parse(written)) == [game]
    assert record.write(record.parse(written)) == written


@pytest.mark.parametrize(
    "piece", ["{a} ", "(1. a2b3) ", "{[%clk ", "( ", "1. ", "a1b2 ", "[%eval ", '[Event "', "\\"]
)
def test_ten_thousand_of_anything_are_read_or_refused(piece):
    many = piece * 10_000
    check_holds(text(f"1. a1b2 {many} *"))
    check_holds(text(f"1. a1b2 {{{many}}} *"))
    check_holds(text(Event=many))
