"""What holds on every board, whatever was played."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sumito import (
    CELLS,
    DIRECTIONS,
    MOVES,
    SYMMETRIES,
    TOURNAMENT,
    Board,
    Colour,
    Direction,
    IllegalMoveError,
    IllegalReason,
    InvalidMoveError,
    Move,
    Notation,
    Position,
    Symmetry,
)
from support.strategies import (
    ALL_RULES,
    boards,
    boards_with_a_move,
    marble_counts,
    positions,
    snapshot,
    taken_back,
)

any_rules = st.sampled_from(ALL_RULES)
symmetries = st.sampled_from(SYMMETRIES)


@given(boards_with_a_move())
def test_marbles_are_conserved(played: tuple[Board, Move]) -> None:
    """A marble stays, or leaves by an ejection that is counted for the side that made it."""
    board, move = played
    before, captured, side = marble_counts(board), board.captured, board.mode.side(board.turn)
    ejected = board.effect(move).ejected
    board.push(move)
    if ejected is not None:
        assert board.mode.side(ejected) is not side
        before[ejected] -= 1
        captured = tuple(count + (at == side) for at, count in enumerate(captured))
    assert marble_counts(board) == before
    assert board.captured == captured


@given(boards_with_a_move())
def test_ply_counts_actions_and_quiet_counts_since_the_last_ejection(
    played: tuple[Board, Move],
) -> None:
    board, move = played
    ply, quiet = board.ply, board.quiet
    ejected = board.effect(move).ejected
    board.push(move)
    assert board.ply == ply + 1
    assert board.quiet == (0 if ejected is not None else quiet + 1)


@given(boards(rules=any_rules))
def test_taking_a_move_back_restores_everything(board: Board) -> None:
    before, hashed = snapshot(board), hash(board.position)
    for move in list(board.legal_moves):
        board.push(move)
        assert board.pop() is move
        assert snapshot(board)[:3] == before[:3]
    assert snapshot(board) == before
    assert hash(board.position) == hashed


@given(boards(rules=any_rules, most_plies=40))
def test_a_game_can_be_taken_back_to_its_start_and_played_again(board: Board) -> None:
    end, start = board.copy(), board.copy()
    moves = taken_back(start)
    for move in reversed(moves):
        start.push(move)
    assert start == end
    assert snapshot(start) == snapshot(end)


def test_a_board_without_a_past_has_no_move_to_take_back() -> None:
    with pytest.raises(IndexError, match="no move to take back"):
        Board().pop()


@given(boards_with_a_move(rules=any_rules))
def test_the_fast_push_does_what_the_checked_one_does(played: tuple[Board, Move]) -> None:
    board, move = played
    fast = board.copy()
    board.push(move)
    fast.push_unchecked(move)
    assert snapshot(board) == snapshot(fast)


@given(boards(rules=any_rules))
@settings(max_examples=30)
def test_every_legal_move_is_taken_and_every_other_refused_with_a_reason(board: Board) -> None:
    legal = set(board.legal_moves)
    before = snapshot(board)
    for move in MOVES:
        assert (move in board.legal_moves) is (move in legal)
        if move in legal:
            board.push(move)
            board.pop()
            continue
        with pytest.raises(IllegalMoveError) as caught:
            board.push(move)
        assert caught.value.reason in IllegalReason
        assert caught.value.move == str(move)
        assert str(caught.value).startswith(f"{move}: ")
    assert snapshot(board) == before


@given(boards())
def test_legal_moves_can_be_counted_listed_asked_and_printed(board: Board) -> None:
    moves = board.legal_moves
    listed = list(moves)
    assert len(moves) == len(listed) == len(set(listed))
    assert bool(moves) is bool(listed)
    assert repr(moves).startswith(f"<{len(listed)} legal moves: ")
    assert all(str(move) in repr(moves) for move in listed)
    assert moves.count() == len(listed)
    assert all(move in moves and move.name in moves for move in listed)
    assert sum(moves.count(move) for move in MOVES) == len(listed)
    with pytest.raises(InvalidMoveError, match="'zz' is not a move"):
        assert "zz" not in moves


@given(boards())
def test_what_a_move_is_said_to_do_is_what_it_does(board: Board) -> None:
    for move in board.legal_moves:
        effect, before = board.effect(move), board.copy()
        side = board.mode.side(board.turn)
        assert all(board.mode.side(board[cell]) is side for cell in effect.moved)
        assert all(board.mode.side(board[cell]) is not side for cell in effect.pushed)
        board.push(move)
        expected = {cell: before[cell] for cell in CELLS}
        going = (*effect.moved, *effect.pushed)
        expected |= dict.fromkeys(going)
        for cell in going:
            landing = cell.step(move.direction)
            if landing is None:
                assert cell is effect.pushed[-1]
                assert before[cell] is effect.ejected
            else:
                expected[landing] = before[cell]
        assert {cell: board[cell] for cell in CELLS} == expected
        assert (effect.ejected is not None) is (sum(board.captured) > sum(before.captured))
        board.pop()


@given(boards())
def test_an_effect_names_its_cells_from_the_rear_on(board: Board) -> None:
    for move in board.legal_moves:
        effect = board.effect(move)
        assert effect.moved[0] is move.first
        if not move.is_side_step:
            row = (*effect.moved, *effect.pushed)
            assert list(row) == [move.first.step(move.direction, n) for n in range(len(row))]
            assert len(effect.pushed) < len(effect.moved) <= 3
        else:
            assert effect.moved == move.cells
            assert effect.pushed == ()


@given(boards(), st.sampled_from(Notation))
def test_reading_what_was_written_gives_the_move_in_every_notation(
    board: Board, notation: Notation
) -> None:
    texts = [board.notate(move, notation=notation) for move in board.legal_moves]
    read = [board.parse_move(text, notation=notation) for text in texts]
    assert read == list(board.legal_moves)
    assert len(set(texts)) == len(texts)


@given(boards(), symmetries)
def test_symmetries_commute_with_legality(board: Board, symmetry: Symmetry) -> None:
    turned = board.transform(symmetry)
    assert {symmetry.move(move) for move in board.legal_moves} == set(turned.legal_moves)
    # A board that is turned has no past, and so no repetition; all else ends alike.
    assert turned.outcome() == board.outcome()


@given(boards_with_a_move(), symmetries)
def test_symmetries_commute_with_moves(played: tuple[Board, Move], symmetry: Symmetry) -> None:
    board, move = played
    turned = board.transform(symmetry)
    turned.push(symmetry.move(move))
    board.push(move)
    assert turned == board.transform(symmetry)


@given(boards(), symmetries)
def test_a_symmetry_is_undone_by_its_inverse(board: Board, symmetry: Symmetry) -> None:
    assert board.transform(symmetry).transform(symmetry.inverse) == board


@given(symmetries, symmetries)
def test_symmetries_combine(one: Symmetry, other: Symmetry) -> None:
    both = one.then(other)
    for cell in CELLS:
        assert both.cell(cell) is other.cell(one.cell(cell))
    for direction in DIRECTIONS:
        assert both.direction(direction) is other.direction(one.direction(direction))


@given(symmetries, st.sampled_from(CELLS), st.sampled_from(DIRECTIONS))
def test_symmetries_keep_neighbours(symmetry: Symmetry, cell: int, way: Direction) -> None:
    neighbour = cell.step(way)
    carried = symmetry.cell(cell).step(symmetry.direction(way))
    assert carried is (None if neighbour is None else symmetry.cell(neighbour))


def test_the_twelve_symmetries_are_all_different() -> None:
    assert len({tuple(map(symmetry.cell, CELLS)) for symmetry in SYMMETRIES}) == 12
    assert [symmetry.index for symmetry in SYMMETRIES] == list(range(12))
    assert all(Symmetry.parse(str(symmetry)) is symmetry for symmetry in SYMMETRIES)


@given(boards())
def test_a_boards_text_reads_back_as_the_same_board(board: Board) -> None:
    again = Board.parse(str(board.position))
    assert again == board
    assert str(again.position) == str(board.position)
    assert eval(repr(board), {"Board": Board}) == board


@given(positions())
def test_a_positions_text_reads_back_as_the_same_position(position: Position) -> None:
    assert Position.parse(position.text()) == position


@given(positions())
def test_a_board_of_a_position_is_at_that_position_but_for_turns_that_pass(
    position: Position,
) -> None:
    board = Board.at(position)
    told = board.position
    assert told.marbles == position.marbles
    assert (told.quiet, told.ply, told.eliminated) == (
        position.quiet,
        position.ply,
        position.eliminated,
    )
    if board.has_move(position.turn):
        assert told == position


@given(boards_with_a_move(rules=any_rules))
def test_a_copy_goes_its_own_way(played: tuple[Board, Move]) -> None:
    board, move = played
    before = snapshot(board)
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert snapshot(twin) == before
        twin.push(move)
        assert twin != board
        assert snapshot(board) == before
    twin = board.copy()
    board.push(move)
    assert snapshot(twin) == before


@given(boards(), boards())
def test_equal_boards_have_equal_positions_and_equal_texts(one: Board, other: Board) -> None:
    assert (one == other) is (str(one.position) == str(other.position))
    twin = Board.parse(str(one.position))
    assert twin == one
    assert hash(twin.position) == hash(one.position)
    assert one != str(one.position)
    assert one != Board.parse(str(one.position), rules=TOURNAMENT)


@given(boards(rules=any_rules))
def test_a_board_survives_pickling(board: Board) -> None:
    assert snapshot(pickle.loads(pickle.dumps(board))) == snapshot(board)


@given(st.sampled_from(MOVES))
def test_a_move_is_made_once(move: Move) -> None:
    assert Move.of(move.index) is move
    assert Move.parse(str(move)) is move
    assert pickle.loads(pickle.dumps(move)) is move
    assert copy.copy(move) is copy.deepcopy(move) is move
    assert eval(repr(move), {"Move": Move}) is move


@given(boards())
def test_a_board_tells_what_lies_on_each_cell(board: Board) -> None:
    for cell in CELLS:
        owner = board[cell]
        assert board[str(cell)] is owner
        for colour in board.mode.colours:
            assert (cell in board.marbles(colour)) is (owner is colour)
    counted = sum(len(board.marbles(Colour(colour))) for colour in board.mode.colours)
    assert counted + board.empty_mask.bit_count() == 61
