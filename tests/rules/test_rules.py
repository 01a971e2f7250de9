"""The rules for two, sentence by sentence: board, turn, move, sumito, ejection, win.

Each test's name is the sentence it protects. `test_rules_choices.py` has the questions that
rulebooks leave open, `test_rules_modes.py` what changes with more players.
"""

import pytest

from sumito import (
    BLACK,
    CELLS,
    DIRECTIONS,
    MOVES,
    WHITE,
    Board,
    Cell,
    Direction,
    IllegalMoveError,
    IllegalReason,
    InvalidMoveError,
    Move,
    Outcome,
    Reason,
    Rules,
)
from support.scenes import names, place, play, pushed, refuse

ROWS = {
    "a": "12345",
    "b": "123456",
    "c": "1234567",
    "d": "12345678",
    "e": "123456789",
    "f": "23456789",
    "g": "3456789",
    "h": "456789",
    "i": "56789",
}


# The board.


def test_the_board_has_61_cells_in_nine_rows_named_by_letter_and_diagonal() -> None:
    assert [str(cell) for cell in CELLS] == [row + digit for row in ROWS for digit in ROWS[row]]
    assert len(CELLS) == 61


def test_six_directions_as_steps_of_row_and_digit() -> None:
    steps = {"E": (0, 1), "NE": (1, 1), "NW": (1, 0), "W": (0, -1), "SW": (-1, -1), "SE": (-1, 0)}
    assert [str(direction) for direction in DIRECTIONS] == list(steps)
    for direction in DIRECTIONS:
        other = Cell.E5.step(direction)
        assert (other.row - 4, other.digit - 5) == steps[str(direction)]
        assert other.step(direction.opposite) is Cell.E5


def test_around_the_board_runs_the_rim() -> None:
    for cell in CELLS:
        for direction in DIRECTIONS:
            rows, digits = divmod(direction.step + 44, 10)
            row, digit = cell.row + rows - 4, cell.digit + digits - 4
            on_board = 0 <= row <= 8 and str(digit) in ROWS["abcdefghi"[row]]
            assert (cell.step(direction) is not None) is on_board


# Numbers to hold to.


def test_346_groups_of_one_to_three_cells() -> None:
    groups = {
        frozenset(cell.step(direction, n) for n in range(length))
        for cell in CELLS
        for direction in DIRECTIONS
        for length in (1, 2, 3)
        if all(cell.step(direction, n) is not None for n in range(length))
    }
    assert len(groups) == 346


def test_312_in_line_moves_and_960_side_steps_make_1272_names() -> None:
    assert sum(not move.is_side_step for move in MOVES) == 312
    assert sum(move.is_side_step for move in MOVES) == 960
    assert len({str(move) for move in MOVES}) == len(MOVES) == 1272


def test_a_moves_number_follows_the_reading_order_of_cells() -> None:
    assert [move.index for move in MOVES] == list(range(1272))
    in_line = [
        (cell, direction)
        for cell in CELLS
        for direction in DIRECTIONS
        if cell.step(direction) is not None
    ]
    assert [(move.first, move.direction) for move in MOVES[:312]] == in_line
    axis = {(0, 1): 0, (1, 1): 1, (1, 0): 2}
    keys = []
    for move in MOVES[312:]:
        rows, digits = move.cells[1].row - move.first.row, move.cells[1].digit - move.first.digit
        keys.append((CELLS.index(move.first), axis[rows, digits], len(move.cells), move.direction))
    assert keys == sorted(keys)
    assert len(set(keys)) == 960


# The turn.


def test_black_begins_then_turns_alternate() -> None:
    board = Board()
    turns = []
    for _ in range(4):
        turns.append(board.turn)
        board.push(next(iter(board.legal_moves)))
    assert turns == [BLACK, WHITE, BLACK, WHITE]


def test_black_begins_between_two_whatever_the_option_says() -> None:
    assert Board(rules=Rules(first=WHITE)).turn is BLACK


def test_only_the_player_whose_turn_it_is_moves() -> None:
    refuse(Board(), "i9h8", IllegalReason.NOT_YOURS, "i9 is white's, and it is black's turn")
    refuse(Board(), "i8i9h8", IllegalReason.NOT_YOURS, "i8 is white's, and it is black's turn")


def test_an_empty_cell_has_nothing_to_move() -> None:
    refuse(Board(), "e5e6", IllegalReason.EMPTY_CELL, "there is no marble on e5")
    refuse(Board(), "c5c6d5", IllegalReason.EMPTY_CELL, "there is no marble on c6")


def test_a_sumito_is_never_compulsory() -> None:
    board = place(black="e7 e8", white="e9 a1")
    assert "e7e8" in names(board)
    assert len(names(board)) > 1


def test_a_turn_is_exactly_one_action_and_there_is_no_pass() -> None:
    board = Board()
    for move in board.legal_moves:
        marbles = board.marbles(BLACK)
        board.push(move)
        assert board.marbles(BLACK) != marbles
        assert board.turn is WHITE
        board.pop()


# Move: in line.


@pytest.mark.parametrize(
    ("black", "after"), [("e4", "e5"), ("e3 e4", "e4 e5"), ("e2 e3 e4", "e3 e4 e5")]
)
def test_one_two_or_three_marbles_in_a_row_move_one_cell_in_line(black: str, after: str) -> None:
    rear = black.split()[0]
    board = place(black=black, white="i5")
    board.push(Move.in_line(Cell.parse(rear), Direction.E))
    assert [str(cell) for cell in board.marbles(BLACK)] == after.split()


@pytest.mark.parametrize("black", ["e1 e2 e3 e4", "e1 e2 e3 e4 e5", "e1 e2 e3 e4 e5 e6 e7"])
def test_never_four(black: str) -> None:
    board = place(black=black, white="i5")
    refuse(board, "e1e2", IllegalReason.FOUR, "four marbles can't move at once")


def test_a_longer_row_may_be_split() -> None:
    board = place(black="e2 e3 e4 e5", white="i5")
    assert {"e3e4", "e4e5", "e5e6", "e2e4f2", "e3e5f3", "e2e3f2", "e2e1", "e2f2"} <= names(board)
    assert "e2e3" not in names(board)
    board.push(Move.parse("e3e4"))
    assert [str(cell) for cell in board.marbles(BLACK)] == ["e2", "e4", "e5", "e6"]


def test_marbles_that_are_not_directly_adjacent_do_not_move_together() -> None:
    board = place(black="e3 e5", white="i5")
    assert [str(cell) for cell in board.effect(Move.parse("e3e4")).moved] == ["e3"]
    refuse(board, "e3e5f3", IllegalReason.EMPTY_CELL, "there is no marble on e4")


def test_marbles_that_are_not_in_a_row_do_not_move_together() -> None:
    with pytest.raises(InvalidMoveError, match="must be the ends of a row of two or three"):
        place(black="e4 e5 f6", white="i5").parse_move("e4f6e5")


def test_in_line_needs_the_cell_ahead_to_be_empty_or_a_sumito() -> None:
    refuse(
        place(black="e4", white="e5"),
        "e4e5",
        IllegalReason.PAC,
        "no sumito: 1 against 1 is a pac",
    )


# Move: side-step.


def test_a_side_step_goes_in_one_of_the_four_directions_off_the_axis() -> None:
    board = place(black="e4 e5", white="i5")
    steps = {name for name in names(board) if len(name) == 6}
    assert steps == {"e4e5f5", "e4e5f4", "e4e5d3", "e4e5d4"}


def test_a_side_step_is_of_two_or_three_marbles() -> None:
    board = place(black="e3 e4 e5 e6", white="i5")
    for move in board.legal_moves:
        assert not move.is_side_step or len(move.cells) in (2, 3)
    with pytest.raises(InvalidMoveError, match="must be the ends of a row of two or three"):
        board.parse_move("e3e6f3")


@pytest.mark.parametrize("blocker", ["f4", "f5", "f6"])
@pytest.mark.parametrize("owner", ["black", "white"])
def test_a_side_step_needs_every_target_cell_empty_and_never_pushes(
    blocker: str, owner: str
) -> None:
    marbles = {"black": "e3 e4 e5", "white": "i5"}
    marbles[owner] += f" {blocker}"
    refuse(
        place(**marbles),
        "e3e5f4",
        IllegalReason.OCCUPIED,
        f"{blocker} is occupied: a side-step never pushes",
    )


def test_a_side_step_reads_from_either_end_and_is_written_from_the_lower() -> None:
    board = place(black="c3 c4 c5", white="i5")
    assert board.parse_move("c5c3d6") is board.parse_move("c3c5d4")
    assert str(board.parse_move("c5c3d6")) == "c3c5d4"


def test_a_side_step_never_leaves_the_board() -> None:
    board = place(black="a1 a2", white="i5")
    assert {name for name in names(board) if len(name) == 6} == {"a1a2b1", "a1a2b2"}


# Sumito.


@pytest.mark.parametrize(
    ("black", "white"),
    [("e3 e4", "e5"), ("e2 e3 e4", "e5"), ("e2 e3 e4", "e5 e6")],
    ids=["2v1", "3v1", "3v2"],
)
def test_sumito_two_against_one_three_against_one_three_against_two(black: str, white: str) -> None:
    rear = black.split()[0]
    for start in (place(black=black, white=white), place(turn="w", black=white, white=black)):
        move = Move.in_line(Cell.parse(rear), Direction.E)
        assert pushed(start, str(move)) == white.split()
        start.push(move)
        for cell in (*black.split(), *white.split()):
            assert start[Cell.parse(cell).step(Direction.E)] is not None
        assert start[rear] is None


@pytest.mark.parametrize(
    ("own", "opposing"), [(m, n) for m in range(1, 7) for n in range(1, 5) if m + n <= 8]
)
def test_sumito_and_nothing_else(own: int, opposing: int) -> None:
    """Rows of every length meet on a line with room behind: the whole table."""
    line = [f"e{digit}" for digit in range(1, 10)]
    board = place(black=line[:own], white=line[own : own + opposing])
    pushes = {(name, len(pushed(board, name))) for name in names(board) if pushed(board, name)}
    rears = {
        (f"e{own - row + 1}e{own - row + 2}", opposing)
        for row in (2, 3)
        if row <= own and row > opposing
    }
    assert pushes == rears


def test_of_four_in_a_row_against_two_three_move_and_the_fourth_stays() -> None:
    board = play(place(black="e1 e2 e3 e4", white="e5 e6"), "e2e3")
    assert [str(cell) for cell in board.marbles(BLACK)] == ["e1", "e3", "e4", "e5"]
    assert [str(cell) for cell in board.marbles(WHITE)] == ["e6", "e7"]


def test_no_sumito_with_a_gap_between() -> None:
    board = place(black="e2 e3", white="e5")
    assert pushed(board, "e2e3") == []
    play(board, "e2e3")
    assert board["e5"] is WHITE


def test_no_sumito_with_a_gap_within_the_pushed_row_the_first_alone_is_pushed() -> None:
    board = place(black="e2 e3", white="e4 e6")
    assert pushed(board, "e2e3") == ["e4"]


def test_no_sumito_off_the_line() -> None:
    board = place(black="e2 e3 e4", white="f5 d4")
    assert all(pushed(board, name) == [] for name in names(board))


def test_no_sumito_with_anything_behind_the_pushed_row_the_attackers_own_too() -> None:
    board = place(black="e2 e3 e5", white="e4")
    refuse(board, "e2e3", IllegalReason.BLOCKED, "e5 behind the pushed marbles is occupied")


def test_no_sumito_names_the_cell_behind() -> None:
    board = place(black="e1 e2 e3 e6", white="e4 e5")
    refuse(board, "e1e2", IllegalReason.BLOCKED, "e6 behind the pushed marbles is occupied")


@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_sumito_at_equal_numbers_pac(size: int) -> None:
    line = [f"e{digit}" for digit in range(1, 10)]
    board = place(black=line[:size], white=line[size : 2 * size])
    refuse(board, "e1e2", IllegalReason.PAC, f"no sumito: {size} against {size} is a pac")


def test_surplus_beyond_three_does_not_count_four_against_three_is_a_pac() -> None:
    board = place(black="e1 e2 e3 e4", white="e5 e6 e7")
    refuse(board, "e2e3", IllegalReason.PAC, "no sumito: 3 against 3 is a pac")
    refuse(board, "e1e2", IllegalReason.FOUR, "four marbles can't move at once")
    other = place(turn="w", black="e1 e2 e3 e4", white="e5 e6 e7")
    refuse(other, "e7e6", IllegalReason.PAC, "no sumito: 3 against 3 is a pac")


def test_no_sumito_of_fewer_against_more() -> None:
    board = place(black="e2 e3", white="e4 e5 e6")
    refuse(board, "e2e3", IllegalReason.OUTNUMBERED, "no sumito: 2 against 3")


def test_no_sumito_of_one_marble_alone() -> None:
    refuse(
        place(black="e3", white="e4 e5"),
        "e3e4",
        IllegalReason.ALONE,
        "one marble alone can't push, and e4 is occupied",
    )
    refuse(
        place(black="e8", white="e9"), "e8e9", IllegalReason.PAC, "no sumito: 1 against 1 is a pac"
    )


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_three_in_a_row_can_never_be_pushed_along_that_row(direction: Direction) -> None:
    line = [Cell.E5.step(direction, n) for n in range(-4, 5)]
    board = place(black=map(str, line[1:4]), white=map(str, line[4:7]))
    assert all(pushed(board, name) == [] for name in names(board))
    # At the rim as well: three with nothing behind them but the way out.
    edge = place(black=map(str, line[3:6]), white=map(str, line[6:9]))
    assert all(pushed(edge, name) == [] for name in names(edge))


# Ejection.


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
@pytest.mark.parametrize(("own", "opposing"), [(2, 1), (3, 1), (3, 2)])
def test_a_marble_pushed_onto_the_rim_is_out(own: int, opposing: int, direction: Direction) -> None:
    line = [Cell.E5.step(direction, n) for n in range(-4, 5)]
    black, white = line[9 - opposing - own : 9 - opposing], line[9 - opposing :]
    board = place(black=map(str, black), white=[*map(str, white), str(line[0])])
    move = Move.in_line(black[0], direction)
    effect = board.effect(move)
    assert effect.ejected is WHITE
    assert effect.pushed == tuple(white)
    board.push(move)
    assert board.captured == (1, 0)
    assert set(board.marbles(WHITE)) == {*white[1:], line[0]}
    assert set(board.marbles(BLACK)) == {cell.step(direction) for cell in black}
    assert board.quiet == 0


def test_whose_marbles_are_out_is_counted_for_the_side_that_pushed() -> None:
    board = play(place(turn="w", black="e9 a1", white="e7 e8"), "e7e8")
    assert board.captured == (0, 1)


@pytest.mark.parametrize("black", ["e9", "e8 e9", "e7 e8 e9"])
def test_own_marbles_are_never_pushed_off(black: str) -> None:
    board = place(black=black, white="i5")
    assert not any(board.effect(move).ejected for move in board.legal_moves)
    if " " in black:
        rear = Cell.parse(black.split()[0])
        said = "e9 is at the rim: a move can't push its own marbles off"
        refuse(board, str(Move.in_line(rear, Direction.E)), IllegalReason.OWN_RIM, said)


def test_a_marble_at_the_rim_is_not_pushed_off_by_a_side_step_or_at_equal_numbers() -> None:
    board = place(black="e7", white="e8 e9")
    assert all(board.effect(move).ejected is None for move in board.legal_moves)
    equal = place(black="e6 e7", white="e8 e9")
    refuse(equal, "e6e7", IllegalReason.PAC, "no sumito: 2 against 2 is a pac")


# Win.


def test_six_opposing_marbles_ejected_win_at_once() -> None:
    board = place(black="e7 e8", white="e9 a1 a2", captured=(5, 5))
    assert board.outcome() is None
    play(board, "e7e8")
    assert board.captured == (6, 5)
    assert board.outcome() == Outcome(BLACK, Reason.EJECTED)


def test_a_finished_game_has_no_moves_and_says_so() -> None:
    board = play(place(black="e7 e8", white="e9 a1 a2", captured=(5, 0)), "e7e8")
    assert list(board.legal_moves) == []
    assert len(board.legal_moves) == 0
    assert not board.legal_moves
    refuse(board, "a1b1", IllegalReason.GAME_OVER, "the game is over")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        board.parse_move("a1b2")


def test_white_wins_likewise() -> None:
    board = play(place(turn="w", black="e9 a1", white="e7 e8", captured=(5, 5)), "e7e8")
    assert board.outcome() == Outcome(WHITE, Reason.EJECTED)


@pytest.mark.parametrize("win_at", [1, 2, 4, 6])
def test_a_shorter_win_is_at_that_many(win_at: int) -> None:
    rules = Rules(win_at=win_at)
    board = place(black="e7 e8", white="e9 a1", captured=(win_at - 1, 0), rules=rules)
    assert board.outcome() is None
    play(board, "e7e8")
    assert board.outcome() == Outcome(BLACK, Reason.EJECTED)


def test_a_handicap_counts_ejections_from_the_beginning() -> None:
    board = Board(captured=(0, 2))
    assert board.captured == (0, 2)
    assert board.outcome() is None
    assert len(board.legal_moves) == 44
    assert str(board.position).endswith(" b 0,2 0 1")
