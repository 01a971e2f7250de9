"""The differential test: the Python rules and the kernel agree on every position of every mode.

Same legal moves, same position after every move, same outcome, under every rule set the tests know.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

from sumito import MOVES, Board, Colour, Mode, Move, Rules, kernel
from sumito.kernel.positions import kernel_rules, perft, to_kernel
from sumito.rules import layouts
from support.optional_parts import REASONS
from support.strategies import ALL_RULES, random_setup


def outcome_of(position: kernel.Position) -> tuple[Colour | None, str] | None:
    outcome = position.outcome()
    return None if outcome is None else (outcome[0], outcome[1])


def expected_outcome(board: Board) -> tuple[Colour | None, str] | None:
    outcome = board.outcome()
    return None if outcome is None else (outcome.winner, str(outcome.reason))


def assert_agree(board: Board, position: kernel.Position) -> list[int]:
    """Everything that both can be asked has one answer; the legal moves are returned."""
    moves = sorted(move.index for move in board.legal_moves)
    where = str(board.position)
    assert position.text() == where
    assert position.legal() == moves, where
    assert position.count() == len(moves), where
    assert outcome_of(position) == expected_outcome(board), where
    assert (position.turn, tuple(position.captured)) == (board.turn, board.captured)
    assert (position.quiet, position.ply) == (board.quiet, board.ply)
    return moves


def compare_game(board: Board, rng: random.Random, plies: int) -> int:
    """Play at random in both and compare at every ply; how many positions were compared."""
    position = to_kernel(board)
    for ply in range(plies):
        moves = assert_agree(board, position)
        if not moves:
            return ply + 1
        # Ejections more often than chance has them, or random games never come to an end.
        pushing = [i for i in moves if board.effect(MOVES[i]).ejected is not None]
        index = rng.choice(pushing if pushing and rng.random() < 0.5 else moves)
        board.push(MOVES[index])
        position.push(index)
    assert_agree(board, position)
    return plies + 1


def compare_games(mode: Mode, rng: random.Random, positions: int, plies: int) -> None:
    compared = 0
    while compared < positions:
        rules = rng.choice(ALL_RULES)
        layout = rng.choice(list(layouts.of(mode)))
        compared += compare_game(Board(layout, mode, rules=rules), rng, plies)


def compare_setups(mode: Mode, rng: random.Random, count: int) -> None:
    for _ in range(count):
        rules = rng.choice(ALL_RULES)
        compare_game(Board.at(random_setup(rng, mode), rules=rules), rng, 4)


@pytest.mark.parametrize("mode", Mode)
def test_random_games_agree(mode: Mode) -> None:
    compare_games(mode, random.Random(1), positions=2_000, plies=200)


@pytest.mark.parametrize("mode", Mode)
def test_random_setups_agree(mode: Mode) -> None:
    compare_setups(mode, random.Random(2), count=500)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("mode", Mode)
def test_a_great_many_positions_agree(mode: Mode, seed: int) -> None:
    compare_games(mode, random.Random(1_000 + seed), positions=40_000, plies=400)
    compare_setups(mode, random.Random(2_000 + seed), count=5_000)


@pytest.mark.parametrize("mode", Mode)
def test_illegal_moves_are_refused_and_change_nothing(mode: Mode) -> None:
    board = Board(mode=mode)
    position = to_kernel(board)
    for move in MOVES:
        if move not in board.legal_moves:
            with pytest.raises(ValueError, match="legal"):
                position.push(move.index)
            assert position.text() == str(board.position)


def test_the_kernel_names_the_moves_as_python_does() -> None:
    assert [kernel.move_name(move.index) for move in MOVES] == [move.name for move in MOVES]


def test_pop_takes_back() -> None:
    board = Board("belgian-daisy", rules=Rules(repetition=3))
    position = to_kernel(board)
    rng = random.Random(5)
    for _ in range(60):
        move = rng.choice(list(board.legal_moves))
        board.push(move)
        position.push(move.index)
    for _ in range(60):
        board.pop()
        position.pop()
        assert_agree(board, position)


def test_history_reaches_the_kernel_so_that_it_sees_a_repetition_coming() -> None:
    board = Board(rules=Rules(repetition=3))
    there_and_back = ("c3d3", "g7f7", "d3c3", "f7g7")
    for name in (*there_and_back, *there_and_back[:3]):
        board.push(board.parse_move(name))
    position = to_kernel(board)
    assert position.outcome() is None
    position.push(board.parse_move("f7g7").index)
    assert outcome_of(position) == (None, "repetition")


@pytest.mark.parametrize("mode", Mode)
def test_a_board_without_its_whole_past_counts_repetitions_alike(mode: Mode) -> None:
    """A position from a text has been quiet for longer than it has moves to show for it."""
    rng = random.Random(3)
    for case in range(120):
        rules = Rules(repetition=rng.choice((2, 3)), win_at=30)
        board = Board(rng.choice(list(layouts.of(mode))), mode, rules=rules)
        for _ in range(rng.randrange(12)):
            board.push(rng.choice(list(board.legal_moves)))
        if board.outcome() is not None:
            continue
        board = Board.parse(str(board.position), rules=rules)
        leaving = mode is Mode.THREE and case % 2
        for ply in range(24):
            # Three moves of four go back where they came from: positions come again and again.
            back = [
                move
                for move in board.legal_moves
                if len(board.moves) >= len(mode.order)
                and undoes(board, board.moves[-len(mode.order)], move)
            ]
            move = rng.choice(back if back and rng.random() < 0.75 else list(board.legal_moves))
            board.push(move)
            if leaving and ply == 5:
                board.leave(board.turn)
            assert_agree(board, to_kernel(board))
            if board.outcome() is not None:
                break


def undoes(board: Board, earlier: Move, move: Move) -> bool:
    """Does a move take the same marbles back?"""
    return move.direction is earlier.direction.opposite and len(board.effect(move).moved) == len(
        earlier.cells if earlier.is_side_step else board.effect(move).moved
    )


def test_a_repetition_is_seen_after_a_position_from_a_text() -> None:
    rules = Rules(repetition=3)
    board = Board.parse("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 9 10", rules=rules)
    there_and_back = ("c3d3", "g7f7", "d3c3", "f7g7")
    for name in (*there_and_back, *there_and_back[:3]):
        board.push(board.parse_move(name))
    position = to_kernel(board)
    position.push(board.parse_move("f7g7").index)
    board.push(board.parse_move("f7g7"))
    assert expected_outcome(board) == (None, "repetition")
    assert outcome_of(position) == (None, "repetition")


@pytest.mark.parametrize("mode", Mode)
def test_the_kernel_counts_leaves_for_python_too(mode: Mode) -> None:
    board = Board(mode=mode)
    for depth in range(4):
        assert perft(board, depth) == board.perft(depth)
    total = sum(perft(board, 3, first) for first in board.legal_moves)
    assert total == perft(board, 3)
    assert board == Board(mode=mode)


@pytest.mark.parametrize(
    "text",
    ["", "x", "5/6/7/8/9/8/7/6/5 b 0,0 0 1 four", "5/6/7/8/9/8/7/6 b 0,0 0 1", "\0" * 99],
)
def test_bad_position_texts_are_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        kernel.Position(text, **kernel_rules(Rules()))


def _changed(text: str, rng: random.Random) -> str:
    """The text with a character or two put in, left out or changed."""
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(text) + 1)
        new = rng.choice(["", *"bwru123456789/ ,0out:three-x\t"])
        text = text[:at] + new + text[at + rng.randint(0, 1) :]
    return text


def test_the_kernel_takes_and_refuses_the_same_texts_as_python() -> None:
    rng = random.Random(11)
    texts = [
        "11111/6/7/8/9/8/7/6/5 b 0,0 0 1",
        "5/6/7/8/9/8/7/6/5 b 00,0 0 1",
        "5/6/7/8/9/8/7/6/5 b 0,0 0 01",
        "5/6/7/8/9/8/7/6/5 b 0,0 0 1 two",
        "5/6/7/8/9/8/7/6/5 b 61,61 999999 1000000",
        "5/6/7/8/9/8/7/6/5 b 62,0 0 1",
        "5/6/7/8/9/8/7/6/5 b 0,0 0 1000001",
        "bbbbb/bbbbbb/bbbb3/8/9/8/7/6/5 b 0,0 0 1",
        "bbbbb/bbbbbb/bbbb3/8/9/8/7/6/5 b 15,0 0 1",
        "b4/6/7/8/w8/8/7/6/r4 b 0,0,0 0 9 three out:rw",
    ]
    for mode in Mode:
        texts += (_changed(str(random_setup(rng, mode)), rng) for _ in range(1_000))
    verdicts = set()
    for text in texts:
        try:
            wanted: str | None = str(Board.parse(text).position)
        except ValueError:
            wanted = None
        try:
            got: str | None = kernel.Position(text).text()
        except ValueError:
            got = None
        assert got == wanted, text
        verdicts.add(got is None)
    assert verdicts == {True, False}


@pytest.mark.parametrize("mode", Mode)
def test_leaves_made_and_leaves_counted_are_as_many(mode: Mode) -> None:
    position = to_kernel(Board(mode=mode))
    assert position.perft(4, bulk=False) == position.perft(4)


def test_made_leaves_know_pushes_and_ejections() -> None:
    rng = random.Random(9)
    for _ in range(40):
        board = Board.at(random_setup(rng, Mode.TWO, "crowded"))
        position = to_kernel(board)
        assert position.perft(2, bulk=False) == position.perft(2) == board.perft_by_rules(2)


def test_the_stub_tells_of_the_kernel_as_it_is() -> None:
    stubgen = pytest.importorskip("nanobind.stubgen", reason=REASONS["build"])
    native = sys.modules["sumito.kernel._native"]
    stub = stubgen.StubGen(native, include_docstrings=True)
    stub.put(native)
    written = (Path(__file__).parents[2] / "src/sumito/kernel/_native.pyi").read_text(
        encoding="utf-8"
    )
    names = {name for name in dir(native) if not name.startswith("_")}
    for name in names:
        assert name in written, f"{name} is missing: run make stubs"
    # Constants that say what the machine can do differ from one to the next.
    found, expected = (
        re.sub(r"(?m)^([A-Z_]+: bool) = .*$", r"\1", text) for text in (stub.get(), written)
    )
    assert found.split() == expected.split(), "out of date: run make stubs"


def test_a_move_that_failed_high_is_played_when_the_search_is_stopped() -> None:
    """A search cut short while it looks for the exact score of a better move still plays it."""
    fight = kernel.Position("5/2ww2/2wbb2/1wwbbw2/2wbbbw2/2wwbbw1/1wwbb2/2bb2/5 w 1,2 3 41")

    def best(**limit: int) -> tuple[str, int, int]:
        found = kernel.Searcher(hash_mb=1).search(fight, **limit)
        assert found.best is not None
        return kernel.move_name(found.best), found.depth, found.score

    assert best(depth=3) == ("c2b2", 3, -240)
    assert best(nodes=1590) == ("d3c3", 4, -200)  # better by the window, 40, at least
    assert best(depth=4) == ("d3c3", 4, -192)


def test_a_repetition_is_seen_whoever_answered_in_three() -> None:
    """Black is far ahead, and white can bring about a position for the third time."""
    start = "ww1rr/ww2rr/ww3rr/ww4rr/ww5rr/w6r/7/bbbbbb/bbbbb b 5,0,0 0 1 three"
    game = "b6c6 e2e3 f8f7 b3c3 f3f4 f7f8 c3b3 f4f3 f8f7 b3c3 f3f4 f7f8"
    position = kernel.Position(start, repetition=3)
    number = {kernel.move_name(index): index for index in range(kernel.MOVES)}
    for name in game.split():
        position.push(number[name])
    found = kernel.Searcher(hash_mb=1).search(
        position, depth=2, searchmoves=[number["c3b3"]], contempt=0
    )
    assert (found.score, found.pv) == (0, [number["c3b3"], number["f4f3"]])


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ({"noise": 5001}, "noise is from 0 to 5000, not 5001"),
        ({"noise": -1}, "noise"),
        ({"blindness": 1001}, "blindness is from 0 to 1000, not 1001"),
        ({"depth": -1}, "depth"),
    ],
)
def test_a_handicap_out_of_range_is_refused(what: dict[str, int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        kernel.Handicap(**what)  # type: ignore[arg-type]


def test_the_greatest_handicap_never_looks_like_a_certain_win() -> None:
    position = kernel.Position(str(Board("belgian-daisy").position))
    for seed in range(20):
        handicap = kernel.Handicap(noise=5000, blindness=500, seed=seed)
        found = kernel.Searcher(hash_mb=1).search(position, nodes=300, handicap=handicap)
        assert found.win_in is None
        assert abs(found.score) <= 20_000


@pytest.mark.parametrize(("name", "range"), kernel.setting_ranges().items())
def test_every_setting_takes_its_range_and_no_more(name: str, range: tuple[int, int]) -> None:
    position = kernel.Position(str(Board("belgian-daisy").position), repetition=3, ply_limit=20)
    low, high = range
    for value in range:
        searcher = kernel.Searcher(hash_mb=1, tuning={name: value})
        found = searcher.search(position, nodes=2000)
        assert found.win_in is None
        assert abs(found.score) <= 20_000
    for value in (low - 1, high + 1, 2**31 - 1, -(2**31)):
        with pytest.raises(ValueError, match=rf"{name} is from {low} to {high}, not {value}"):
            kernel.Searcher(hash_mb=1, tuning={name: value})


def test_contempt_of_one_search_is_bounded_too() -> None:
    searcher = kernel.Searcher(hash_mb=1)
    with pytest.raises(ValueError, match="contempt is from -10000 to 10000, not 20000"):
        searcher.search(kernel.Position(str(Board().position)), depth=1, contempt=20_000)
    searcher.search(kernel.Position(str(Board().position)), depth=1)  # and it isn't busy


@pytest.mark.network_bound
def test_the_search_looks_at_the_positions_it_is_known_to_look_at() -> None:
    """A change of the search changes this on purpose, and its message names the new figure."""
    assert kernel.bench(10)[0] == 255_047
