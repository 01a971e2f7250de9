"""Leaf counts: how many games of some plies there are, on which independent programs agree."""

import sys

import pytest

from sumito import Board, Mode, Rules

LEAVES = {
    ("two", "standard"): (44, 1_936, 98_912, 5_045_110, 283_320_928),
    ("two", "belgian-daisy"): (52, 2_692, 149_322, 8_270_666, 483_942_012),
    ("two", "german-daisy"): (80, 6_244, 493_480, 38_240_570),
    ("three", None): (40, 1_587, 62_440),
    ("teams", None): (43, 1_696, 71_767),
    ("teams-double", None): (43, 1_849, 71_767),
}
CASES = [
    pytest.param(
        mode,
        layout,
        depth,
        leaves,
        id=f"{layout or mode}-{depth}",
        marks=[pytest.mark.slow] if leaves > 1_000_000 else [],
    )
    for (mode, layout), counts in LEAVES.items()
    for depth, leaves in enumerate(counts, 1)
]


@pytest.mark.parametrize(("mode", "layout", "depth", "leaves"), CASES)
def test_leaf_counts_are_those_of_the_rules(
    mode: str, layout: str | None, depth: int, leaves: int
) -> None:
    board = Board(layout, mode=mode)
    before = board.copy()
    assert board.perft_by_rules(depth) == leaves
    assert board == before


def test_no_plies_make_one_game() -> None:
    assert Board().perft_by_rules(0) == 1


def test_a_finished_game_has_no_moves_to_count() -> None:
    assert Board(captured=(6, 0)).perft_by_rules(1) == 0
    assert Board(captured=(6, 0)).perft_by_rules(3) == 0
    assert Board(captured=(5, 0)).perft_by_rules(1) == 44


def test_the_kernel_counts_the_same_and_hears_the_rules_and_the_history():
    for mode in Mode:
        assert Board(mode=mode).perft(3) == Board(mode=mode).perft_by_rules(3)
    short = Board(rules=Rules(ply_limit=2))
    assert short.perft(3) == short.perft_by_rules(3) == 0
    board = Board(rules=Rules(repetition=2))
    for text in ("a1b2", "i9h8", "d4c3"):
        board.push_text(text)
    # One reply brings the first position back, and the game ends there.
    assert board.perft(3) == board.perft_by_rules(3) < Board.at(board.position).perft(3)


def test_perft_is_counted_in_python_where_there_is_no_kernel(monkeypatch):
    monkeypatch.setitem(sys.modules, "sumito.kernel.positions", None)
    assert Board().perft(2) == 1936


def test_no_depth_is_the_position_itself():
    assert Board().perft(0) == Board().perft_by_rules(0) == 1
