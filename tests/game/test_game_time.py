"""Clocks, flags, lag and outages; absence, and the claims that follow from it."""

import pytest

from sumito import BLACK, BLUE, RED, WHITE, Move, Outcome, Reason, Rules, errors
from sumito.game.clock import Delay, SuddenDeath
from sumito.game.commands import (
    Abort,
    AcceptDraw,
    Award,
    Claim,
    Disconnect,
    Flag,
    OfferDraw,
    Play,
    Reconnect,
    Resign,
    Resume,
)
from sumito.game.events import Disconnected, Ended, PlayerEliminated, Reconnected, Resumed
from support.games import ending, new, play_round, refused

# Clocks and flags.


def test_blacks_clock_starts_with_the_game_and_the_next_with_the_move():
    game = new(control=SuddenDeath(60_000), start_at=1_000)
    assert game.clocks(at=4_000) == {BLACK: 57_000, WHITE: 60_000}
    play_round(game, 1, at=6_000)
    assert game.clocks(at=8_000) == {BLACK: 55_000, WHITE: 58_000}


def test_delay_charges_nothing_for_a_quick_move():
    game = new(control=Delay(60_000, 3_000))
    play_round(game, 1, at=3_000)
    assert game.plies[0].clock == 60_000


def test_the_rest_of_a_turns_delay_is_known():
    game = new(control=Delay(60_000, 3_000))
    assert [game.delay_left(at) for at in (0, 1_000, 3_000, 50_000)] == [3_000, 2_000, 0, 0]
    play_round(game, 1, at=4_000)
    assert game.delay_left(5_000) == 2_000
    game.apply(Resign(BLACK), 5_000)
    assert game.delay_left(5_000) == 0
    assert new(control=SuddenDeath(60_000)).delay_left(0) == 0


def test_an_end_names_whose_resignation_or_flag_it_was():
    resigned, flagged, drawn = (new("teams", control=SuddenDeath(60_000)) for _ in range(3))
    resigned.apply(Resign(RED), 0)
    flagged.apply(Flag(), 60_000)
    drawn.apply(OfferDraw(WHITE), 0)
    drawn.apply(AcceptDraw(RED), 0)
    assert [game.ended_by for game in (resigned, flagged, drawn)] == [RED, BLACK, None]


def test_without_a_clock_there_is_no_time_to_show():
    assert new().clocks(at=10**9) == {BLACK: None, WHITE: None}
    assert new().deadline is None


def test_a_move_after_the_flag_loses_on_time_whatever_the_score():
    game = new(control=SuddenDeath(60_000), captured=(5, 0))
    events = game.apply(Play(BLACK, Move.parse("a1b2")), at=60_000)
    assert events == (Ended(Outcome(WHITE, Reason.FLAG), BLACK, version=1, at=60_000),)
    assert (game.plies, game.clocks(at=99_000)) == ((), {BLACK: 0, WHITE: 60_000})


def test_flag_is_only_a_request_to_look():
    game = new(control=SuddenDeath(60_000))
    before = game.copy()
    assert game.apply(Flag(), at=59_999) == ()
    assert game == before
    assert game.deadline == 60_000
    assert ending(game.apply(Flag(), at=60_000)) == Outcome(WHITE, Reason.FLAG)


@pytest.mark.parametrize(
    "command", [Resign(WHITE), OfferDraw(WHITE), Abort(BLACK), Disconnect(BLACK)]
)
def test_a_fallen_flag_comes_before_what_a_command_asks(command):
    game = new(control=SuddenDeath(60_000))
    assert ending(game.apply(command, at=60_000)) == Outcome(WHITE, Reason.FLAG)


def test_between_three_a_fallen_flag_puts_its_player_out_and_starts_the_next_clock():
    game = new("three", control=SuddenDeath(60_000))
    assert game.apply(Flag(), 70_000) == (
        PlayerEliminated(BLACK, Reason.FLAG, version=1, at=70_000),
    )
    assert game.turn is WHITE
    assert game.clocks(at=75_000) == {BLACK: 0, WHITE: 55_000, RED: 60_000}


def test_between_three_a_command_goes_on_after_anothers_flag():
    game = new("three", control=SuddenDeath(60_000))
    events = game.apply(Resign(RED), at=60_000)
    assert [type(event) for event in events] == [PlayerEliminated, PlayerEliminated, Ended]
    assert [event.version for event in events] == [1, 2, 3]
    assert game.outcome == Outcome(WHITE, Reason.LAST_IN)


def test_between_three_a_late_move_is_answered_by_ones_own_flag():
    game = new("three", control=SuddenDeath(60_000))
    events = game.apply(Play(BLACK, Move.parse("a1b2")), at=60_000)
    assert [type(event) for event in events] == [PlayerEliminated]
    assert game.plies == ()


def test_in_teams_a_fallen_flag_loses_for_the_team():
    game = new("teams", control=SuddenDeath(60_000))
    assert ending(game.apply(Flag(), at=60_000)) == Outcome(WHITE, Reason.FLAG)


def test_one_who_waits_may_leave_without_touching_the_running_clock():
    game = new("three", control=SuddenDeath(60_000))
    game.apply(Resign(RED), at=20_000)
    assert game.clocks(at=30_000)[BLACK] == 30_000


def test_the_clock_stops_with_the_game():
    game = new(control=SuddenDeath(60_000))
    game.apply(Resign(WHITE), at=20_000)
    assert game.clocks(at=90_000) == {BLACK: 40_000, WHITE: 60_000}
    assert game.deadline is None


@pytest.mark.parametrize(
    ("at", "reason"),
    [(4_999, "time"), (5_000.0, "whole milliseconds"), (None, "whole milliseconds")],
)
def test_time_never_goes_backwards_and_is_whole(at, reason):
    game = new(control=SuddenDeath(60_000))
    play_round(game, 1, at=5_000)
    refused(game, Resign(WHITE), at, errors.TimeError, reason)


def test_lag_is_granted_up_to_the_limit():
    game = new(control=SuddenDeath(60_000), lag_limit=500)
    first, *_ = game.apply(Play(BLACK, Move.parse("a1b2"), lag=9_000), at=2_000)
    assert (first.clock, first.lag) == (58_500, 500)
    assert game.clocks(at=3_000)[WHITE] == 59_000


def test_while_a_move_may_be_on_its_way_nobody_is_flagged():
    game = new(control=SuddenDeath(60_000), lag_limit=500)
    assert game.apply(Flag(), at=60_499) == ()
    assert game.deadline == 60_500
    late = game.copy()
    assert ending(late.apply(Play(BLACK, Move.parse("a1b2"), lag=499), at=60_499)).winner is WHITE
    game.apply(Play(BLACK, Move.parse("a1b2"), lag=500), at=60_499)
    assert game.plies[0].clock == 1


def test_an_outage_is_charged_to_nobody():
    game = new(control=SuddenDeath(60_000))
    play_round(game, 1, at=5_000)
    game.apply(Disconnect(BLACK), 5_000)
    events = game.apply(Resume(stopped_at=10_000), at=900_000)
    assert events == (Resumed(890_000, version=3, at=900_000),)
    assert game.clocks(at=900_000) == {BLACK: 55_000, WHITE: 55_000}
    assert game.away == {BLACK: 895_000}


def test_an_outage_lasts_from_the_last_event_at_most_and_not_into_the_future():
    game = new(control=SuddenDeath(60_000))
    play_round(game, 1, at=5_000)
    refused(game, Resume(stopped_at=7_000), 6_000, errors.TimeError, "after the current time 6000")
    assert game.apply(Resume(stopped_at=5_000), at=5_000) == ()
    assert game.apply(Resume(stopped_at=0), at=8_000)[0].lost == 3_000


# Presence and claims.


def test_a_game_is_claimed_when_the_opponent_has_been_away_for_the_grace_period():
    game = new(away_grace=30_000)
    refused(game, Claim(BLACK), 0, errors.ClaimError, "no opponent has been away for 30 seconds")
    assert game.apply(Disconnect(WHITE), 1_000) == (Disconnected(WHITE, version=1, at=1_000),)
    refused(game, Claim(BLACK), 30_999, errors.ClaimError, "30 seconds")
    drawn = game.copy()
    assert ending(game.apply(Claim(BLACK), 31_000)) == Outcome(BLACK, Reason.ABANDONED)
    assert ending(drawn.apply(Claim(BLACK, Award.DRAW), 31_000)) == Outcome(None, Reason.ABANDONED)


@pytest.mark.parametrize("sign_of_life", [Reconnect(WHITE), OfferDraw(WHITE)])
def test_any_sign_of_life_ends_an_absence(sign_of_life):
    game = new(away_grace=30_000)
    game.apply(Disconnect(WHITE), 0)
    assert game.apply(sign_of_life, 10_000)[0] == Reconnected(WHITE, version=2, at=10_000)
    refused(game, Claim(BLACK), 90_000, errors.ClaimError, "no opponent")


def test_presence_told_twice_is_no_news():
    game = new()
    assert game.apply(Reconnect(WHITE), 0) == ()
    game.apply(Disconnect(WHITE), 0)
    assert game.apply(Disconnect(WHITE), 5) == ()
    assert game.away == {WHITE: 0}


def test_between_three_a_claim_puts_the_absent_out():
    game = new("three", away_grace=1_000)
    game.apply(Disconnect(WHITE), 0)
    refused(game, Claim(RED, Award.DRAW), 2_000, errors.ClaimError, "while black is connected")
    events = game.apply(Claim(RED), 2_000)
    assert events == (PlayerEliminated(WHITE, Reason.ABANDONED, version=2, at=2_000),)
    game.apply(Disconnect(BLACK), 2_000)
    assert ending(game.apply(Claim(RED), 3_000)) == Outcome(RED, Reason.LAST_IN)


@pytest.mark.parametrize("rules", [Rules(), Rules(leave_three="ends")])
def test_between_three_one_alone_at_the_board_wins_by_a_claim(rules):
    game = new("three", away_grace=1_000, rules=rules, captured=(3, 2, 0))
    game.apply(Disconnect(WHITE), 0)
    game.apply(Disconnect(BLACK), 0)
    assert ending(game.apply(Claim(RED), 1_000)).winner is RED


def test_in_teams_one_absent_player_lets_the_others_claim_but_not_the_partner():
    game = new("teams", away_grace=1_000)
    game.apply(Disconnect(BLUE), 0)
    refused(game, Claim(WHITE), 5_000, errors.ClaimError, "no opponent")
    assert ending(game.apply(Claim(RED), 5_000)) == Outcome(BLACK, Reason.ABANDONED)
