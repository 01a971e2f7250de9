"""Leaf counts: how many games of so many plies there are, on which independent programs agree."""

import pytest

from sumito import Board

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
    assert board.perft(depth) == leaves
    assert board == before


def test_no_plies_make_one_game() -> None:
    assert Board().perft(0) == 1


def test_a_finished_game_has_no_moves_to_count() -> None:
    assert Board(captured=(6, 0)).perft(1) == 0
    assert Board(captured=(6, 0)).perft(3) == 0
    assert Board(captured=(5, 0)).perft(1) == 44
