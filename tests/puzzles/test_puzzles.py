"""Puzzles: each solution is the only one that keeps its goal; how they are made."""

from __future__ import annotations

import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sumito import Board, Mode, Move, kernel, puzzles
from sumito.kernel.positions import to_kernel
from sumito.lab.jobs import Journal
from sumito.lab.puzzles import find, make
from sumito.lab.puzzles.themes import themes_of
from sumito.puzzles import Goal, Puzzle, PuzzleError, PuzzleTheme, shipped

FEWEST = {"two": 1000, "others": 100}


def verify(puzzle: Puzzle, finder: find.Finder) -> None:
    """Look at every reply again, or search as long as the maker did."""
    board = puzzle.board()
    left = puzzle.moves
    for at, move in find.solver_turns(board, puzzle.line):
        if puzzle.goal in (Goal.EJECT, Goal.WIN):
            assert kernel.forcing_moves(to_kernel(at), puzzle.goal, left) == [move.index], puzzle.id
            if left > 1:
                assert not kernel.forcing_moves(to_kernel(at), puzzle.goal, left - 1), puzzle.id
        elif puzzle.goal is Goal.SAVE:
            assert find.in_danger(at)
            assert kernel.safe_moves(to_kernel(at), find.SAVED_FOR) == [move.index], puzzle.id
        else:
            assert stands_out(finder, at) == move, puzzle.id
        left -= 1
    assert left == 0
    for move in puzzle.line:
        board.push(move)
    if puzzle.goal is Goal.WIN:
        assert board.outcome() is not None
    if puzzle.goal is Goal.EJECT:
        assert sum(board.captured) == sum(puzzle.board().captured) + 1


def stands_out(finder: find.Finder, board: Board) -> Move | None:
    """The best move, if it is far better than the second; a better engine may see less of a gap."""
    finder.searcher.clear()
    found = finder.searcher.search(
        to_kernel(board), nodes=find.LONG_NODES, multipv=2, contempt=0
    ).lines
    first, second = (kernel.chance(line.score * 100 / kernel.MARBLE, 2) for line in found)
    return Move.of(found[0].pv[0]) if first - second >= find.GAP / 2 else None


def test_a_sample_of_the_solutions_is_the_only_one() -> None:
    finder = find.Finder.make()
    rng = random.Random(1)
    for goal in Goal:
        of_goal = [one for one in shipped() if one.goal is goal]
        for puzzle in rng.sample(of_goal, min(3, len(of_goal))):
            verify(puzzle, finder)


@pytest.mark.slow
def test_all_solutions_are_the_only_ones() -> None:
    finder = find.Finder.make()
    for puzzle in shipped():
        verify(puzzle, finder)


def test_enough_are_shipped_for_every_mode() -> None:
    modes = Counter(puzzle.mode for puzzle in shipped())
    assert modes[Mode.TWO] >= FEWEST["two"]
    assert sum(modes.values()) - modes[Mode.TWO] >= FEWEST["others"]
    assert set(modes) == set(Mode)
    assert {puzzle.goal for puzzle in shipped()} == set(Goal)


def test_no_position_is_there_twice_however_it_is_turned() -> None:
    assert len({make.key_of(puzzle) for puzzle in shipped()}) == len(shipped())
    assert len({puzzle.id for puzzle in shipped()}) == len(shipped())


def test_a_puzzle_reads_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    puzzles.write(shipped()[:20], file)
    assert make.load(file) == list(shipped()[:20])
    assert shipped()[0].as_json().keys() == {
        "id", "mode", "position", "line", "goal", "in", "themes", "rating",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '[{"id": "x"}]', '[{"position": "nonsense"}]', "\x00\xff"]
)
def test_a_file_that_holds_no_puzzles_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "some.json"
    file.write_text(text, "utf-8")
    if text == "{}":
        assert make.load(file) == []
        return
    with pytest.raises(PuzzleError, match=r"some\.json"):
        make.load(file)


def test_an_ejection_is_proved_only_if_no_reply_prevents_it() -> None:
    # Two against one on row a, and a white marble that could step in between: it can't in time.
    board = Board.parse("w4/6/7/8/9/8/7/6/2bbw b 0,0 0 1")
    assert kernel.forcing_moves(to_kernel(board), "eject", 1) == [Move.parse("a3a4").index]
    # One step away from the rim it can walk off.
    board = Board.parse("5/6/7/8/9/8/7/6/1bbw1 b 0,0 0 1")
    assert kernel.forcing_moves(to_kernel(board), "eject", 1) == []
    assert kernel.forcing_moves(to_kernel(board), "eject", 2) == []


def test_a_proof_that_would_take_too_long_says_nothing() -> None:
    assert kernel.forcing_moves(to_kernel(Board("belgian-daisy")), "eject", 3, 10) is None
    with pytest.raises(ValueError, match="aim"):
        kernel.forcing_moves(to_kernel(Board()), "fly", 1)


def test_a_proof_agrees_with_the_plain_definition() -> None:
    """Against a few lines of Python, on random boards."""
    from support.strategies import random_board

    def forces(board: Board, side: object, moves: int) -> bool:
        mine = board.mode.side(board.turn) is side
        if mine and moves == 0:
            return False
        answers = []
        for move in board.legal_moves:
            if board.effect(move).ejected is not None:
                answers.append(mine)
                continue
            after = board.copy()
            after.push(move)
            answers.append(forces(after, side, moves - mine))
            if answers[-1] is mine:
                return mine
        return any(answers) if mine else bool(answers) and all(answers)

    rng = random.Random(2)
    for _ in range(3):
        board = random_board(rng, Mode.TWO, 120)
        few = list(board.legal_moves)[::15]
        found = kernel.forcing_moves(to_kernel(board), "eject", 2)
        side = board.mode.side(board.turn)
        for move in few:
            after = board.copy()
            if board.effect(move).ejected is not None:
                assert move.index in found
                continue
            after.push(move)
            assert forces(after, side, 1) == (move.index in found)


def test_the_themes_are_those_of_the_key_move_and_the_marble() -> None:
    board = Board.parse("w4/6/7/8/9/8/7/6/2bbw b 0,0 0 1")
    assert themes_of(board, (Move.parse("a3a4"),), Goal.EJECT) == (
        PuzzleTheme.TWO_ONE,
        PuzzleTheme.CORNER,
    )


def test_making_goes_on_where_it_was_left(tmp_path: Path) -> None:
    out = tmp_path / "made.json"
    plan = make.PuzzlePlan(Mode.TWO, count=3, seed=9)
    with ThreadPoolExecutor(1) as pool:
        first = list(make.make_puzzles(plan, out, pool))[-1]
        work = out.with_name("made.json.work").read_text("utf-8")
        again = list(make.make_puzzles(plan, out, pool))
    assert len(first) == 3
    assert again == [first]
    assert out.with_name("made.json.work").read_text("utf-8") == work
    assert sorted(one["id"] for one in json.loads(out.read_text("utf-8"))) == sorted(
        puzzle.id for puzzle in first
    )
    # A line broken off by a kill counts for nothing.
    out.with_name("made.json.work").write_text(work + '{"chunk": "two-9-', "utf-8")
    found = make.Found(Journal(out.with_name("made.json.work")))
    assert {puzzle.id for puzzle in found.by_key.values()} >= {puzzle.id for puzzle in first}
