"""The questions that rulebooks leave open, as two players meet them: each an option."""

import dataclasses

from sumito import (
    BLACK,
    RULEBOOK,
    TOURNAMENT,
    WHITE,
    Board,
    Illegal,
    Outcome,
    Reason,
    Rules,
)
from sumito.rules.rules import LeaveTeams, LeaveThree, PartnerSideStep, Stuck, TeamTalk
from support.scenes import place, play, refuse

SHUT_IN = {"black": "a1", "white": "a2 b1 b2 a3 b3 c1 c2 c3"}


def test_two_a_player_without_a_legal_move_loses() -> None:
    board = place(**SHUT_IN)
    assert not board.legal_moves
    assert board.turn is BLACK
    assert board.outcome() == Outcome(WHITE, Reason.NO_MOVE)
    other = place(turn="w", black=SHUT_IN["white"], white="a1")
    assert other.outcome() == Outcome(BLACK, Reason.NO_MOVE)


def test_two_a_player_without_a_legal_move_can_draw_by_option() -> None:
    board = place(**SHUT_IN, rules=Rules(stuck="draws"))
    assert board.outcome() == Outcome(None, Reason.NO_MOVE)


def test_two_a_player_without_a_legal_move_can_pass_by_option() -> None:
    board = place(**SHUT_IN, rules=Rules(stuck="passes"))
    assert board.turn is WHITE
    assert board.outcome() is None
    play(board, "c1d1")
    assert board.turn is WHITE
    play(board, "b1c1")
    assert board.turn is BLACK


def test_a_player_without_marbles_has_no_move() -> None:
    assert place(white="e5").outcome() == Outcome(WHITE, Reason.NO_MOVE)


SHUFFLE = "e5e6 a1a2 e6e5 a2a1"


def lone_pair(rules: Rules) -> Board:
    return place(black="e5", white="a1", rules=rules)


def test_tournament_the_third_occurrence_is_a_draw() -> None:
    board = play(lone_pair(TOURNAMENT), f"{SHUFFLE} e5e6 a1a2 e6e5")
    assert board.occurrences() == 2
    assert board.outcome() is None
    play(board, "a2a1")
    assert board.occurrences() == 3
    assert board.outcome() == Outcome(None, Reason.REPETITION)
    refuse(board, "e5e6", Illegal.GAME_OVER, "the game is over")


def test_rulebook_repetition_is_never_a_draw() -> None:
    board = play(lone_pair(RULEBOOK), " ".join([SHUFFLE] * 5))
    assert board.occurrences() == 6
    assert board.outcome() is None


def test_repetition_needs_the_same_player_to_move() -> None:
    rules = Rules(repetition=2)
    both_go_round = play(lone_pair(rules), "e5e6 a1b1 e6f6 b1b2 f6e5 b2a1")
    assert both_go_round.outcome() == Outcome(None, Reason.REPETITION)
    # Black goes round in three moves, white there and back in two: same marbles, white to move.
    out_of_step = play(lone_pair(rules), "e5e6 a1b1 e6f6 b1a1 f6e5")
    assert [out_of_step[cell] for cell in ("e5", "a1")] == [BLACK, WHITE]
    assert out_of_step.turn is WHITE
    assert out_of_step.outcome() is None


def test_repetition_count_restarts_at_every_ejection() -> None:
    rules = Rules(repetition=2)
    board = place(black="e7 e8 a1", white="e9 i5 h9 h8 i9", rules=rules)
    play(board, "a1a2 i5h5 a2a1")
    before = board.occurrences()
    play(board, "h5g5 e7e8")
    assert board.captured == (1, 0)
    assert before == board.occurrences() == 1
    # What stood before the ejection can't stand again; what stands now is counted from here.
    play(board, "g5g6 a1a2 g6g5 a2a1")
    assert board.outcome() == Outcome(None, Reason.REPETITION)


def test_repetition_is_forgotten_when_moves_are_taken_back() -> None:
    board = play(lone_pair(TOURNAMENT), f"{SHUFFLE} {SHUFFLE}")
    assert board.outcome() is not None
    board.pop()
    assert board.outcome() is None
    play(board, "a2b2")
    assert board.outcome() is None


def test_the_ply_limit_more_ejections_win() -> None:
    board = place(black="e5", white="a1", captured=(2, 1), rules=Rules(ply_limit=2))
    play(board, "e5e6")
    assert board.outcome() is None
    play(board, "a1a2")
    assert board.outcome() == Outcome(BLACK, Reason.PLY_LIMIT)
    refuse(board, "e6e5", Illegal.GAME_OVER, "the game is over")


def test_the_ply_limit_equal_ejections_draw() -> None:
    board = place(black="e5", white="a1", captured=(2, 2), rules=Rules(ply_limit=2))
    assert play(board, "e5e6 a1a2").outcome() == Outcome(None, Reason.PLY_LIMIT)


def test_no_ply_limit_unless_asked_for() -> None:
    assert RULEBOOK.ply_limit is None
    assert TOURNAMENT.ply_limit is None
    board = Board.parse("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 9000 9001")
    assert board.outcome() is None


def test_the_checks_come_in_order_ejected_no_move_repetition_ply_limit() -> None:
    last = play(
        place(black="e7 e8", white="e9 a1", captured=(5, 5), rules=Rules(ply_limit=1)), "e7e8"
    )
    assert last.outcome() == Outcome(BLACK, Reason.EJECTED)
    shut_in = play(
        place(turn="w", black="a1", white="a2 b1 b2 a3 b3 c1 c2 d3", rules=Rules(ply_limit=1)),
        "d3c3",
    )
    assert shut_in.outcome() == Outcome(WHITE, Reason.NO_MOVE)
    again = play(lone_pair(Rules(repetition=2, ply_limit=4)), SHUFFLE)
    assert again.outcome() == Outcome(None, Reason.REPETITION)


def test_the_rulebook_and_tournament_rules_differ_in_repetition_only() -> None:
    assert Rules() == RULEBOOK
    assert dataclasses.replace(RULEBOOK, repetition=3) == TOURNAMENT


def test_every_choice_is_an_option_with_the_stated_default() -> None:
    assert RULEBOOK.win_at == 6
    assert RULEBOOK.repetition is None
    assert RULEBOOK.stuck is Stuck.BY_MODE
    assert RULEBOOK.partner_sidestep is PartnerSideStep.ANY
    assert RULEBOOK.first is BLACK
    assert RULEBOOK.leave_three is LeaveThree.OUT
    assert RULEBOOK.leave_teams is LeaveTeams.LOSES
    assert RULEBOOK.team_talk is TeamTalk.NONE
