"""The rules for three and four players, sentence by sentence."""

import pytest

from sumito import (
    BLACK,
    BLUE,
    RED,
    RULEBOOK,
    WHITE,
    Board,
    Colour,
    ColourError,
    IllegalReason,
    Mode,
    Move,
    Outcome,
    Reason,
    Rules,
)
from support.scenes import names, place, play, pushed, refuse

TEAM_MODES = ["teams", "teams-double"]
both_team_modes = pytest.mark.parametrize("mode", TEAM_MODES)


def turns(board: Board, count: int) -> str:
    """The letters of the next players to move."""
    letters = ""
    for _ in range(count):
        letters += board.turn.letter
        board.push(next(iter(board.legal_moves)))
    return letters


# Players, sides, order.


@pytest.mark.parametrize(
    ("mode", "order"),
    [("two", "bw"), ("three", "bwr"), ("teams", "bwru"), ("teams-double", "brwu")],
)
def test_the_turn_order_of_a_mode(mode: str, order: str) -> None:
    assert turns(Board(mode=mode), 2 * len(order)) == 2 * order


@both_team_modes
def test_black_and_red_play_white_and_blue(mode: str) -> None:
    kind = Mode(mode)
    assert kind.sides == ((BLACK, RED), (WHITE, BLUE))
    assert [kind.side(colour) for colour in Colour] == [BLACK, WHITE, BLACK, WHITE]
    assert [kind.partner(colour) for colour in Colour] == [RED, BLUE, BLACK, WHITE]


def test_between_two_and_three_everyone_plays_alone() -> None:
    for mode in (Mode.TWO, Mode.THREE):
        assert [mode.side(colour) for colour in mode.colours] == list(mode.colours)
        assert {mode.partner(colour) for colour in mode.colours} == {None}


@pytest.mark.parametrize("mode", ["three", *TEAM_MODES])
def test_who_begins_is_a_choice_with_more_than_two(mode: str) -> None:
    assert Board(mode=mode).turn is BLACK
    board = Board(mode=mode, rules=Rules(first="red"))
    assert board.turn is RED
    order = "".join(colour.letter for colour in board.mode.order)
    assert turns(board, len(order)) in order * 2


def test_only_a_colour_of_the_mode_can_begin() -> None:
    with pytest.raises(ColourError, match="blue can't begin: mode three has no blue"):
        Board(mode="three", rules=Rules(first=BLUE))


# Three players.


@pytest.mark.parametrize(("near", "far"), [("white", "red"), ("red", "white")])
def test_three_of_ones_own_may_push_two_marbles_of_different_colours(near: str, far: str) -> None:
    board = place(mode="three", black="e2 e3 e4", **{near: "e5", far: "e6"})
    assert pushed(board, "e2e3") == ["e5", "e6"]


def test_opposing_marbles_count_together_whatever_their_colours() -> None:
    board = place(mode="three", black="e1 e2 e3", white="e4 e5", red="e6")
    refuse(board, "e1e2", IllegalReason.PAC, "no sumito: 3 against 3 is a pac")
    mixed = place(mode="three", black="e1 e2", white="e3", red="e4")
    refuse(mixed, "e1e2", IllegalReason.PAC, "no sumito: 2 against 2 is a pac")


@both_team_modes
def test_both_opponents_marbles_count_together_in_teams(mode: str) -> None:
    board = place(mode=mode, black="e1 e2", red="e3 i9", white="e4 e5", blue="e6")
    refuse(board, "e1e2", IllegalReason.PAC, "no sumito: 3 against 3 is a pac")


def test_three_each_player_keeps_what_they_ejected() -> None:
    board = place(mode="three", black="e7 e8 a1", white="e9 e1 e2 f3", red="d1 i9 g9")
    play(board, "e7e8")
    assert board.captured == (1, 0, 0)
    board = place(mode="three", turn="w", black="e9 a5", white="e7 e8", red="i5")
    play(board, "e7e8")
    assert board.captured == (0, 1, 0)


def test_three_the_first_to_eject_six_of_any_colours_wins() -> None:
    board = place(mode="three", black="e6 e7", white="e8 a5", red="e9 i5", captured=(5, 5, 5))
    assert board.outcome() is None
    board = place(mode="three", black="e5 e6 e7", white="e8 a5", red="e9 i5", captured=(5, 5, 5))
    assert board.effect(Move.parse("e5e6")).ejected is RED
    play(board, "e5e6")
    assert board.outcome() == Outcome(BLACK, Reason.EJECTED)
    board = place(
        mode="three", turn="r", black="a5", white="e9 a1", red="e7 e8", captured=(5, 5, 5)
    )
    assert play(board, "e7e8").outcome() == Outcome(RED, Reason.EJECTED)


def test_three_another_players_marbles_cannot_be_moved() -> None:
    board = place(mode="three", black="e5", white="a1", red="c3")
    refuse(board, "c3c4", IllegalReason.NOT_YOURS, "c3 is red's, and it is black's turn")


# Teams.


@both_team_modes
def test_teams_a_player_may_use_the_partners_marbles_in_line(mode: str) -> None:
    board = place(mode=mode, black="e3", red="e4 e5", white="a1", blue="i9")
    play(board, "e3e4")
    assert [board[cell] for cell in ("e3", "e4", "e5", "e6")] == [None, BLACK, RED, RED]


@both_team_modes
def test_teams_in_line_the_rear_marble_must_be_the_players_own(mode: str) -> None:
    board = place(mode=mode, black="e4 e5", red="e3", white="a1", blue="i9")
    said = "the rear marble must be your own; e3 is your partner's"
    refuse(board, "e3e4", IllegalReason.PARTNER_REAR, said)
    assert "e4e5" in names(board)


@both_team_modes
def test_teams_the_partners_marbles_count_to_the_three(mode: str) -> None:
    board = place(mode=mode, black="e2", red="e3 e4 e5", white="a1", blue="i9")
    refuse(board, "e2e3", IllegalReason.FOUR, "four marbles can't move at once")


@both_team_modes
@pytest.mark.parametrize(
    ("black", "red", "white", "blue"),
    [
        ("e3", "e4", "e5", ""),
        ("e2", "e3 e4", "e5", "e6"),
        ("e2 e4", "e3", "e5 e6", ""),
        ("e2 e3", "e4", "", "e5 e6"),
    ],
)
def test_teams_the_partners_marbles_count_to_superiority(
    mode: str, black: str, red: str, white: str, blue: str
) -> None:
    board = place(mode=mode, black=black, red=red, white=white, blue=blue)
    rear = int(black[1])
    assert pushed(board, f"e{rear}e{rear + 1}") == [*white.split(), *blue.split()]


@both_team_modes
def test_teams_a_partners_marble_behind_the_opposing_row_blocks_the_push(mode: str) -> None:
    board = place(mode=mode, black="e2 e3", red="e5", white="e4", blue="i9")
    refuse(board, "e2e3", IllegalReason.BLOCKED, "e5 behind the pushed marbles is occupied")


@both_team_modes
def test_teams_a_partners_marble_among_the_opposing_row_blocks_the_push(mode: str) -> None:
    board = place(mode=mode, black="e2 e3 e4", red="e6", white="e5 e7", blue="i9")
    refuse(board, "e2e3", IllegalReason.BLOCKED, "e6 behind the pushed marbles is occupied")


@both_team_modes
def test_teams_a_lone_partner_marble_cannot_be_moved(mode: str) -> None:
    board = place(mode=mode, black="a1", red="e5", white="a5", blue="i9")
    assert {name[:2] for name in names(board)} == {"a1"}
    said = "the rear marble must be your own; e5 is your partner's"
    refuse(board, "e5e6", IllegalReason.PARTNER_REAR, said)


@both_team_modes
def test_teams_a_side_step_needs_at_least_one_own_marble(mode: str) -> None:
    board = place(mode=mode, black="e4", red="e5 e6 e7", white="a5", blue="i9")
    steps = {name for name in names(board) if len(name) == 6}
    assert {"e4e5f4", "e4e6f4"} <= steps
    assert not any(name.startswith(("e5", "e6")) for name in steps)
    said = "at least one marble of a side-step must be your own"
    refuse(board, "e5e6f5", IllegalReason.PARTNER_ONLY, said)
    refuse(board, "e5e7f5", IllegalReason.PARTNER_ONLY, said)
    play(board, "e4e6f4")
    assert [board[cell] for cell in ("f4", "f5", "f6")] == [BLACK, RED, RED]


@both_team_modes
def test_teams_a_side_step_may_have_the_own_marble_anywhere_in_the_group(mode: str) -> None:
    for own in ("e4", "e5", "e6"):
        others = {"e4", "e5", "e6"} - {own}
        board = place(mode=mode, black=own, red=others, white="a5", blue="i9")
        assert "e4e6f4" in names(board)


@both_team_modes
def test_teams_by_option_only_own_marbles_side_step(mode: str) -> None:
    rules = Rules(partner_sidestep="none")
    board = place(mode=mode, black="e3 e4", red="e5", white="a5", blue="i9", rules=rules)
    assert "e3e4f3" in names(board)
    refuse(
        board,
        "e3e5f3",
        IllegalReason.PARTNER_SIDE_STEP,
        "e5 is your partner's: only your own may side-step",
    )
    assert "e3e4" in names(board)


@both_team_modes
def test_teams_own_marbles_are_never_pushed_off_by_anyone_on_their_side(mode: str) -> None:
    board = place(mode=mode, black="e7 e8", red="e9", white="a5", blue="i9")
    said = "e9 is at the rim: a move can't push its own marbles off"
    refuse(board, "e7e8", IllegalReason.OWN_RIM, said)


@both_team_modes
@pytest.mark.parametrize(("turn", "own", "side"), [("b", "black", BLACK), ("r", "red", BLACK)])
def test_teams_the_first_team_to_eject_six_of_any_opposing_colours_wins(
    mode: str, turn: str, own: str, side: Colour
) -> None:
    for victim in ("white", "blue"):
        board = place(mode=mode, turn=turn, captured=(5, 5), **{own: "e7 e8", victim: "e9 a1"})
        play(board, "e7e8")
        assert board.captured == (6, 5)
        assert board.outcome() == Outcome(side, Reason.EJECTED)


# Who can't act, with more than two.

CORNERED = {"white": "a1", "black": "a2 b1 b2"}


def test_more_players_the_turn_passes_over_one_who_cannot_act() -> None:
    board = place(mode="three", **CORNERED, red="i9", turn="r")
    play(board, "i9i8")
    assert board.turn is BLACK
    play(board, "a2a3")
    assert board.turn is WHITE


def test_a_pass_is_not_a_ply() -> None:
    board = place(mode="three", white="a1", black="a2 b1 b2 e5", red="i9")
    play(board, "e5e6")
    assert board.turn is RED
    assert (board.ply, board.quiet) == (2, 1)


def test_a_position_whose_player_cannot_act_belongs_to_the_next() -> None:
    assert place(mode="three", **CORNERED, red="i9", turn="w").turn is RED


def test_a_pass_is_taken_back_with_the_move_that_led_to_it() -> None:
    board = place(mode="three", white="a1", black="a2 b1 b2 e5", red="i9")
    play(board, "e5e6")
    board.pop()
    assert board.turn is BLACK


@both_team_modes
def test_teams_the_turn_passes_over_one_who_cannot_act(mode: str) -> None:
    board = place(mode=mode, black="e5 d5", red="", white="a1", blue="i9")
    play(board, "e5e6")
    assert turns(board, 3) == {"teams": "wub", "teams-double": "wub"}[mode]


def everyone_shut_in(rules: Rules) -> Board:
    """Black and white in corners behind marbles of red, who has left."""
    return place(
        mode="three", black="a1", white="i9", red="a2 b1 b2 i8 h8 h9", out="r", rules=rules
    )


def test_if_nobody_can_act_the_game_is_a_draw() -> None:
    board = everyone_shut_in(RULEBOOK)
    assert board.outcome() == Outcome(None, Reason.NO_MOVE)
    assert not board.legal_moves
    assert place(mode="teams").outcome() == Outcome(None, Reason.NO_MOVE)


def test_three_by_option_who_cannot_act_is_out_and_the_last_one_in_wins() -> None:
    rules = Rules(stuck="loses")
    board = place(mode="three", **CORNERED, red="i9", turn="w", rules=rules)
    assert board.eliminated == {WHITE}
    assert board.turn is RED
    assert board.outcome() is None
    assert everyone_shut_in(rules).outcome() == Outcome(WHITE, Reason.LAST_IN)


@both_team_modes
def test_teams_by_option_the_team_of_one_who_cannot_act_loses(mode: str) -> None:
    rules = Rules(stuck="loses")
    board = place(mode=mode, white="a1", black="a2 b1 b2", red="i5", turn="w", rules=rules)
    assert board.outcome() == Outcome(BLACK, Reason.NO_MOVE)


@pytest.mark.parametrize("mode", ["three", *TEAM_MODES])
def test_by_option_one_who_cannot_act_draws_the_game(mode: str) -> None:
    rules = Rules(stuck="draws")
    board = place(mode=mode, **CORNERED, red="i5", turn="w", rules=rules)
    assert board.outcome() == Outcome(None, Reason.NO_MOVE)


# Who has left, in three.


def test_three_turns_pass_over_a_player_who_is_out() -> None:
    board = Board(mode="three")
    board.leave(WHITE)
    assert turns(board, 4) == "brbr"
    board = Board(mode="three")
    board.leave(BLACK)
    assert board.turn is WHITE


def test_three_marbles_of_a_player_who_is_out_stay_and_can_be_pushed_and_ejected() -> None:
    board = place(mode="three", black="e7 e8", white="e9", red="i5", out="w")
    assert board["e9"] is WHITE
    play(board, "e7e8")
    assert board.captured == (1, 0, 0)
    assert board.marbles(WHITE) == ()


def test_three_the_last_player_in_wins() -> None:
    board = Board(mode="three")
    board.leave(BLACK)
    assert board.outcome() is None
    board.leave(RED)
    assert board.outcome() == Outcome(WHITE, Reason.LAST_IN)
    assert not board.legal_moves


def test_nobody_leaves_a_game_for_two_and_lets_it_go_on() -> None:
    with pytest.raises(ColourError, match="can't leave and let the others play on in mode two"):
        Board().leave(BLACK)
    with pytest.raises(ColourError, match="blue can't leave"):
        Board(mode="three").leave(BLUE)


@both_team_modes
def test_teams_by_option_a_partner_plays_on_alone_with_both_colours(mode: str) -> None:
    board = place(mode=mode, turn="b", black="e3", red="e4", white="a1", blue="i9", out="r")
    assert turns(board.copy(), 3) == "bwu"
    play(board, "e3e4")
    assert [board[cell] for cell in ("e4", "e5")] == [BLACK, RED]


# Repetition and the ply limit, with more than two.


def test_three_repetition_counts_the_same_marbles_player_and_who_is_out() -> None:
    rules = Rules(repetition=2)
    board = place(mode="three", black="e5", white="a1", red="i9", rules=rules)
    play(board, "e5e6 a1a2 i9i8 e6e5 a2a1")
    assert board.outcome() is None
    play(board, "i8i9")
    assert board.outcome() == Outcome(None, Reason.REPETITION)
    board.pop()
    board.leave(RED)
    assert board.occurrences() == 1
    assert board.outcome() is None


@pytest.mark.parametrize(
    ("captured", "winner"),
    [((3, 2, 1), BLACK), ((1, 2, 3), RED), ((3, 3, 1), None), ((1, 1, 1), None)],
)
def test_three_at_the_ply_limit_most_ejections_win_and_a_tie_for_the_most_draws(
    captured: tuple[int, ...], winner: Colour | None
) -> None:
    rules = Rules(ply_limit=1)
    board = place(mode="three", black="e5", white="a1", red="i9", captured=captured, rules=rules)
    assert play(board, "e5e6").outcome() == Outcome(winner, Reason.PLY_LIMIT)


def test_teams_handicap_counts_by_team() -> None:
    board = Board(mode="teams", captured=(0, 3))
    assert board.captured == (0, 3)
    assert str(board.position).endswith(" b 0,3 0 1 teams")


def test_three_a_position_with_fewer_players_in_is_another_position() -> None:
    """White is shut in and so out; when black goes back, the marbles lie as they lay at first."""
    rules = Rules(stuck="loses", repetition=2)
    board = place(mode="three", black="a3 b1 b2", white="a1", red="i9", rules=rules)
    before = [board.marbles(colour) for colour in (BLACK, WHITE, RED)]
    play(board, "a3a2")
    assert board.eliminated == {WHITE}
    play(board, "i9i8 a2a3 i8i9")
    assert [board.marbles(colour) for colour in (BLACK, WHITE, RED)] == before
    assert board.turn is BLACK
    assert board.outcome() is None
