"""The game in progress: what each command does, and what it refuses."""

from dataclasses import replace

import pytest

import sumito
from sumito import BLACK, BLUE, RED, TOURNAMENT, WHITE, Mode, Move, Outcome, Reason, Rules, errors
from sumito.clock import Delay, Fischer, SuddenDeath
from sumito.commands import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    Award,
    Claim,
    Command,
    DeclineDraw,
    DeclineTakeback,
    Flag,
    Left,
    OfferDraw,
    Play,
    Resign,
    Resume,
    Returned,
)
from sumito.events import (
    CameBack,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Ended,
    Event,
    LeftGame,
    Moved,
    OfferKind,
    Resumed,
    TakebackAccepted,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    WentAway,
)
from sumito.game import Game
from sumito.gamestate import Leaving, Ply

# White's a1 can be shut in by c3b2; far away there is room for everybody else.
SHUT_IN_TWO = "5/6/7/8/9/8/2b4/b5/wb3 b 0,0 0 1"
SHUT_IN_THREE = "4r/6/7/8/9/8/2b4/b5/wb3 b 0,0,0 0 1 three"
LONE_MARBLES = "5/6/7/8/4b4/8/7/6/w4 b 0,0 0 1"
EJECTION_E1 = "4w/6/7/8/wbb6/8/7/6/5 b {} 0 1"


def new(mode="two", **options):
    """A game whose players are called after their colours."""
    seats = {colour: str(colour) for colour in Mode(mode).colours}
    return Game(seats, mode, **options)


def at_position(text, **options):
    start = sumito.position.parse(text)
    return new(start.mode, start=start, **options)


def play(game, *names, at=0):
    """Let whoever's turn it is make each move."""
    for name in names:
        game.apply(Play(game.turn, Move.parse(name)), at)


def play_round(game, plies, at=0):
    """Any legal moves will do."""
    for _ in range(plies):
        game.apply(Play(game.turn, game.legal_moves[0]), at)


def refused(game, command, at, error, match):
    """The command is refused with that error, and the game is as it was."""
    before = game.copy()
    with pytest.raises(error, match=match):
        game.apply(command, at)
    assert game == before


def ending(events):
    assert isinstance(events[-1], Ended)
    return events[-1].outcome


# Setting up.


def test_a_game_is_reached_from_the_package():
    game = sumito.Game(
        seats={BLACK: "Ann", WHITE: "Ben"},
        mode="two",
        layout="standard",
        rules=TOURNAMENT,
        control=sumito.clock.Fischer(600_000, 5_000),
        rated=False,
        start_at=0,
    )
    assert game.board == sumito.Board(rules=TOURNAMENT)
    assert game.seats == {BLACK: "Ann", WHITE: "Ben"}
    assert (game.turn, game.outcome, game.version, game.offers) == (BLACK, None, 0, ())


@pytest.mark.parametrize(
    ("seats", "mode", "match"),
    [
        ({BLACK: "Ann"}, "two", "nobody sits on the white seat"),
        ({BLACK: "Ann", WHITE: "Ben", BLUE: "Cy"}, "two", "no blue seat for 'Cy'"),
        ({BLACK: "Ann", WHITE: "Ben"}, "three", "nobody sits on the red seat"),
    ],
)
def test_every_seat_needs_a_player_and_no_other_has_one(seats, mode, match):
    with pytest.raises(errors.SetupError, match=match):
        Game(seats, mode)


def test_a_game_cant_begin_when_it_is_over():
    with pytest.raises(errors.SetupError, match="over before it begins"):
        new(captured=(6, 0))


def test_setup_refuses_what_makes_no_sense():
    start = sumito.Board().to_position()
    with pytest.raises(errors.SetupError, match="its own marbles"):
        new(start=start, layout="standard")
    with pytest.raises(errors.SetupError, match="2 seats, not 3"):
        sumito.game.Setup(names=("Ann", "Ben", "Cy"), start=start)
    with pytest.raises(errors.SetupError, match="lag_limit"):
        new(lag_limit=-1)
    with pytest.raises(errors.SetupError, match="'600' is not a time control"):
        new(control="600")
    with pytest.raises(errors.SetupError, match="start_at"):
        new(start_at=0.5)


def test_a_handicap_counts_from_the_beginning():
    game = new(captured=(0, 2), rules=Rules(win_at=4))
    assert game.board.captured == (0, 2)


# Moves.


def test_a_move_is_answered_by_what_happened():
    game = new(control=Fischer(600_000, 5_000))
    move = Move.parse("a1b2")
    events = game.apply(Play(BLACK, move), at=10_000)
    assert events == (Moved(BLACK, move, 595_000, version=1, at=10_000),)
    assert game.plies == (Ply(BLACK, move, 10_000, 595_000),)
    assert game.turn is WHITE


def test_only_the_player_whose_turn_it_is_moves():
    refused(new(), Play(WHITE, Move.parse("i5h5")), 0, errors.NotYourTurnError, "black's turn")


def test_an_illegal_move_is_refused_with_the_rule_that_forbids_it():
    refused(new(), Play(BLACK, Move.parse("e5e6")), 0, errors.IllegalMoveError, "no marble on e5")


def test_the_board_handed_out_is_a_copy():
    game = new()
    game.board.push(Move.parse("a1b2"))
    assert game.board == sumito.Board()


@pytest.mark.parametrize("seat", [RED, "black", 0, None])
def test_a_seat_that_the_mode_hasnt_is_refused(seat):
    refused(new(), Resign(seat), 0, errors.NoSuchSeatError, f"no seat {seat}")


def test_the_deciding_ejection_ends_the_game():
    game = at_position(EJECTION_E1.format("5,0"))
    events = game.apply(Play(BLACK, Move.parse("e3e2")), at=0)
    assert ending(events) == Outcome(BLACK, Reason.EJECTED)
    assert (game.turn, game.legal_moves) == (None, ())


def test_a_shorter_win_ends_the_game_sooner():
    game = at_position(EJECTION_E1.format("1,0"), rules=Rules(win_at=2))
    assert ending(game.apply(Play(BLACK, Move.parse("e3e2")), 0)).winner is BLACK


def test_the_third_occurrence_of_a_position_draws():
    game = at_position(LONE_MARBLES, rules=TOURNAMENT)
    there_and_back = ("e5e6", "a1a2", "e6e5", "a2a1")
    play(game, *there_and_back, *there_and_back[:3])
    events = game.apply(Play(WHITE, Move.parse("a2a1")), 0)
    assert ending(events) == Outcome(None, Reason.REPETITION)


def test_between_two_a_player_without_a_move_loses():
    game = at_position(SHUT_IN_TWO)
    assert ending(game.apply(Play(BLACK, Move.parse("c3b2")), 0)) == Outcome(BLACK, Reason.NO_MOVE)


def test_between_three_the_turn_and_the_clock_pass_over_one_without_a_move():
    game = at_position(SHUT_IN_THREE, control=SuddenDeath(10_000))
    events = game.apply(Play(BLACK, Move.parse("c3b2")), at=1_000)
    assert [type(event) for event in events] == [Moved]
    assert game.turn is RED
    assert game.clocks(at=3_000) == {BLACK: 9_000, WHITE: 10_000, RED: 8_000}


def test_where_want_of_a_move_loses_a_take_back_brings_the_player_back():
    game = at_position(SHUT_IN_THREE, rules=Rules(stuck="loses"))
    before = game.board
    events = game.apply(Play(BLACK, Move.parse("c3b2")), 0)
    assert events[1] == LeftGame(WHITE, Reason.NO_MOVE, version=2)
    assert (game.turn, game.out, game.leavings) == (RED, {WHITE}, ())
    game.apply(AskTakeback(BLACK), 0)
    game.apply(AcceptTakeback(RED), 0)
    assert (game.board, game.out) == (before, frozenset())


@pytest.mark.parametrize(
    "command",
    [
        *(Play(seat, Move.parse("b1c1")) for seat in (BLACK, WHITE)),
        Resign(WHITE),
        OfferDraw(BLACK),
        AskTakeback(BLACK),
        Abort(BLACK),
        Claim(WHITE),
        Left(WHITE),
        Flag(),
        Resume(0),
    ],
)
def test_a_finished_game_takes_no_command(command):
    game = new()
    game.apply(Resign(BLACK), 0)
    refused(game, command, 0, errors.GameOverError, "over \\(resigned\\)")


def test_what_is_no_command_is_refused():
    refused(new(), Command(), 0, errors.CommandError, "Command is no command to a game")


# Resigning, with two, three and in teams.


def test_between_two_resigning_loses():
    assert ending(new().apply(Resign(BLACK), 0)) == Outcome(WHITE, Reason.RESIGNED)


def test_between_three_one_who_resigns_is_out_and_the_others_play_on():
    game = new("three")
    events = game.apply(Resign(WHITE), 0)
    assert events == (LeftGame(WHITE, Reason.RESIGNED, version=1),)
    play(game, "a1b2")
    assert (game.turn, game.out) == (RED, {WHITE})
    assert game.leavings == (Leaving(WHITE, Reason.RESIGNED, 0),)
    refused(game, OfferDraw(WHITE), 0, errors.OutOfGameError, "white has left the game")


def test_between_three_the_last_one_in_wins():
    game = new("three")
    game.apply(Resign(WHITE), 0)
    events = game.apply(Resign(BLACK), 0)
    assert ending(events) == Outcome(RED, Reason.LAST_IN)


@pytest.mark.parametrize(("captured", "winner"), [((2, 3, 1), BLACK), ((1, 3, 1), None)])
def test_between_three_an_option_ends_the_game_for_the_one_who_ejected_more(captured, winner):
    game = new("three", captured=captured, rules=Rules(leave_three="ends"))
    assert ending(game.apply(Resign(WHITE), 0)) == Outcome(winner, Reason.RESIGNED)


@pytest.mark.parametrize("mode", ["teams", "teams-double"])
def test_a_team_loses_when_one_of_it_resigns(mode):
    assert ending(new(mode).apply(Resign(RED), 0)) == Outcome(WHITE, Reason.RESIGNED)


def test_an_option_lets_the_partner_play_on():
    game = new("teams", rules=Rules(leave_teams="partner"))
    game.apply(Resign(BLUE), 0)
    assert (game.outcome, game.out) == (None, {BLUE})
    assert ending(game.apply(Resign(WHITE), 0)) == Outcome(BLACK, Reason.LAST_IN)


# Aborting.


def test_a_game_can_be_aborted_until_each_side_has_moved():
    game = new()
    play_round(game, 1)
    assert ending(game.copy().apply(Abort(WHITE), 0)) == Outcome(None, Reason.ABORTED)
    play_round(game, 1)
    refused(game, Abort(WHITE), 0, errors.TooLateError, "resigned, but not aborted")


def test_teams_have_moved_when_one_of_each_has():
    game = new("teams")
    play_round(game, 2)
    refused(game, Abort(RED), 0, errors.TooLateError, "begun")


def test_a_game_that_someone_has_left_cant_be_aborted():
    game = new("three")
    game.apply(Resign(WHITE), 0)
    refused(game, Abort(BLACK), 0, errors.TooLateError, "begun")


# Draw offers.


def test_a_draw_is_agreed_between_two():
    game = new()
    assert game.apply(OfferDraw(BLACK), 0) == (DrawOffered(BLACK, version=1),)
    assert [(offer.kind, offer.seat) for offer in game.offers] == [(OfferKind.DRAW, BLACK)]
    events = game.apply(AcceptDraw(WHITE), 0)
    assert events[0] == DrawAccepted(WHITE, version=2)
    assert ending(events) == Outcome(None, Reason.AGREED)


def test_offering_a_draw_to_one_who_has_offered_it_accepts():
    game = new()
    game.apply(OfferDraw(BLACK), 0)
    assert ending(game.apply(OfferDraw(WHITE), 0)).reason is Reason.AGREED


def test_a_declined_draw_is_gone_and_can_be_offered_anew():
    game = new()
    game.apply(OfferDraw(BLACK), 0)
    assert game.apply(DeclineDraw(WHITE), 0) == (DrawDeclined(WHITE, version=2),)
    refused(game, AcceptDraw(WHITE), 0, errors.NoSuchOfferError, "no draw offer to answer")
    game.apply(OfferDraw(BLACK), 0)
    assert game.offers


def test_one_may_withdraw_ones_own_offer_but_not_accept_or_repeat_it():
    game = new()
    game.apply(OfferDraw(BLACK), 0)
    refused(game, AcceptDraw(BLACK), 0, errors.NoSuchOfferError, "the other side answers")
    refused(game, OfferDraw(BLACK), 0, errors.OfferStandsError, "stands already")
    game.apply(DeclineDraw(BLACK), 0)
    assert game.offers == ()


def test_a_draw_offer_outlasts_the_offerers_move_and_lapses_with_the_answering_one():
    game = new()
    game.apply(OfferDraw(BLACK), 0)
    play_round(game, 1)
    assert game.offers
    events = game.apply(Play(WHITE, game.legal_moves[0]), 0)
    assert [type(event) for event in events] == [DrawDeclined, Moved]
    assert game.offers == ()


def test_an_illegal_move_declines_nothing():
    game = new()
    game.apply(OfferDraw(WHITE), 0)
    refused(game, Play(BLACK, Move.parse("e5e6")), 0, errors.IllegalMoveError, "e5")


def test_between_three_both_others_must_agree():
    game = new("three")
    game.apply(OfferDraw(BLACK), 0)
    game.apply(AcceptDraw(RED), 0)
    assert game.outcome is None
    assert game.offers[0].agreed == {RED}
    refused(game, AcceptDraw(RED), 0, errors.OfferStandsError, "agreed to the draw already")
    assert ending(game.apply(AcceptDraw(WHITE), 0)).reason is Reason.AGREED


def test_between_three_a_move_by_one_who_has_agreed_leaves_the_offer_standing():
    game = new("three")
    game.apply(OfferDraw(RED), 0)
    game.apply(AcceptDraw(BLACK), 0)
    play_round(game, 1)
    assert game.offers
    assert ending(game.apply(AcceptDraw(WHITE), 0)).reason is Reason.AGREED


def test_in_teams_one_of_the_other_team_answers_for_it():
    game = new("teams")
    game.apply(OfferDraw(BLACK), 0)
    refused(game, AcceptDraw(RED), 0, errors.NoSuchOfferError, "the other side answers")
    assert ending(game.apply(AcceptDraw(BLUE), 0)).reason is Reason.AGREED


def test_offers_lapse_when_someone_leaves():
    game = new("three")
    game.apply(OfferDraw(BLACK), 0)
    game.apply(Resign(WHITE), 0)
    assert game.offers == ()
    game.apply(OfferDraw(BLACK), 0)
    assert ending(game.apply(AcceptDraw(RED), 0)).reason is Reason.AGREED


# Take-backs.


@pytest.mark.parametrize(
    ("mode", "played", "asker", "answers", "plies"),
    [
        ("two", 1, BLACK, [WHITE], 1),
        ("two", 2, BLACK, [WHITE], 2),
        ("three", 3, BLACK, [WHITE, RED], 3),
        ("teams", 4, BLACK, [BLUE], 4),
        ("teams-double", 2, BLACK, [WHITE], 2),
        ("teams-double", 4, WHITE, [RED], 2),
    ],
)
def test_a_take_back_goes_to_the_askers_last_move(mode, played, asker, answers, plies):
    game = new(mode)
    play_round(game, played - plies)
    before = game.board
    play_round(game, plies)
    assert [type(event) for event in game.apply(AskTakeback(asker), 0)] == [TakebackAsked]
    for seat in answers:
        events = game.apply(AcceptTakeback(seat), 0)
        assert isinstance(events[0], TakebackAccepted)
    assert events[-1] == TakenBack(plies, version=game.version)
    assert (game.board, game.turn) == (before, asker)
    assert len(game.plies) == played - plies


def test_a_take_back_restores_the_clocks_to_what_they_were():
    game = new(control=Fischer(60_000, 1_000))
    play(game, "a1b2", at=10_000)
    play(game, "i9h8", at=15_000)
    game.apply(AskTakeback(BLACK), 20_000)
    game.apply(AcceptTakeback(WHITE), 21_000)
    assert game.clocks(at=21_000) == {BLACK: 60_000, WHITE: 60_000}
    assert game.clocks(at=22_000) == {BLACK: 59_000, WHITE: 60_000}


def test_no_offer_outlasts_a_take_back():
    game = new()
    play_round(game, 1)
    game.apply(OfferDraw(BLACK), 0)
    game.apply(AskTakeback(BLACK), 0)
    game.apply(AcceptTakeback(WHITE), 0)
    assert game.offers == ()


def test_a_rated_games_moves_stand():
    game = new(rated=True)
    play_round(game, 1)
    refused(game, AskTakeback(BLACK), 0, errors.TakebackError, "a played move stands")


def test_one_who_hasnt_moved_has_nothing_to_take_back():
    game = new()
    play_round(game, 1)
    refused(game, AskTakeback(WHITE), 0, errors.TakebackError, "white has no move")


def test_nobodys_leaving_is_taken_back():
    game = new("three")
    play_round(game, 1)
    game.apply(Resign(WHITE), 0)
    refused(game, AskTakeback(BLACK), 0, errors.TakebackError, "black has no move")
    play_round(game, 1)
    game.apply(AskTakeback(RED), 0)
    game.apply(AcceptTakeback(BLACK), 0)
    assert (game.turn, game.out) == (RED, {WHITE})


def test_a_take_back_is_asked_for_once_and_answered_by_the_others():
    game = new()
    play_round(game, 2)
    refused(game, AcceptTakeback(WHITE), 0, errors.NoSuchOfferError, "no take-back offer")
    game.apply(AskTakeback(BLACK), 0)
    refused(game, AskTakeback(BLACK), 0, errors.OfferStandsError, "black has asked")
    refused(game, AskTakeback(WHITE), 0, errors.OfferStandsError, "black has asked")
    refused(game, AcceptTakeback(BLACK), 0, errors.NoSuchOfferError, "the other side answers")
    assert game.apply(DeclineTakeback(WHITE), 0) == (TakebackDeclined(WHITE, version=4),)


@pytest.mark.parametrize("asker", [BLACK, WHITE])
def test_any_move_answers_a_take_back_with_no(asker):
    game = new()
    play_round(game, 2)
    game.apply(AskTakeback(asker), 0)
    events = game.apply(Play(BLACK, game.legal_moves[0]), 0)
    assert [type(event) for event in events] == [TakebackDeclined, Moved]


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


def test_without_a_clock_there_is_no_time_to_show():
    assert new().clocks(at=10**9) == {BLACK: None, WHITE: None}
    assert new().deadline is None


def test_a_move_after_the_flag_loses_on_time_whatever_the_score():
    game = new(control=SuddenDeath(60_000), captured=(5, 0))
    events = game.apply(Play(BLACK, Move.parse("a1b2")), at=60_000)
    assert events == (Ended(Outcome(WHITE, Reason.FLAG), version=1, at=60_000),)
    assert (game.plies, game.clocks(at=99_000)) == ((), {BLACK: 0, WHITE: 60_000})


def test_flag_is_only_a_request_to_look():
    game = new(control=SuddenDeath(60_000))
    before = game.copy()
    assert game.apply(Flag(), at=59_999) == ()
    assert game == before
    assert game.deadline == 60_000
    assert ending(game.apply(Flag(), at=60_000)) == Outcome(WHITE, Reason.FLAG)


@pytest.mark.parametrize("command", [Resign(WHITE), OfferDraw(WHITE), Abort(BLACK), Left(BLACK)])
def test_a_fallen_flag_comes_before_what_a_command_asks(command):
    game = new(control=SuddenDeath(60_000))
    assert ending(game.apply(command, at=60_000)) == Outcome(WHITE, Reason.FLAG)


def test_between_three_a_fallen_flag_puts_its_player_out_and_starts_the_next_clock():
    game = new("three", control=SuddenDeath(60_000))
    assert game.apply(Flag(), 70_000) == (LeftGame(BLACK, Reason.FLAG, version=1, at=70_000),)
    assert game.turn is WHITE
    assert game.clocks(at=75_000) == {BLACK: 0, WHITE: 55_000, RED: 60_000}


def test_between_three_a_command_goes_on_after_anothers_flag():
    game = new("three", control=SuddenDeath(60_000))
    events = game.apply(Resign(RED), at=60_000)
    assert [type(event) for event in events] == [LeftGame, LeftGame, Ended]
    assert [event.version for event in events] == [1, 2, 3]
    assert game.outcome == Outcome(WHITE, Reason.LAST_IN)


def test_between_three_a_late_move_is_answered_by_ones_own_flag():
    game = new("three", control=SuddenDeath(60_000))
    events = game.apply(Play(BLACK, Move.parse("a1b2")), at=60_000)
    assert [type(event) for event in events] == [LeftGame]
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


@pytest.mark.parametrize("at", [4_999, 5_000.0, None])
def test_time_never_goes_backwards_and_is_whole(at):
    game = new(control=SuddenDeath(60_000))
    play_round(game, 1, at=5_000)
    refused(game, Resign(WHITE), at, errors.TimeError, "time")


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
    game.apply(Left(BLACK), 5_000)
    events = game.apply(Resume(stopped_at=10_000), at=900_000)
    assert events == (Resumed(890_000, version=3, at=900_000),)
    assert game.clocks(at=900_000) == {BLACK: 55_000, WHITE: 55_000}
    assert game.away == {BLACK: 895_000}


def test_an_outage_lasts_from_the_last_event_at_most_and_not_into_the_future():
    game = new(control=SuddenDeath(60_000))
    play_round(game, 1, at=5_000)
    refused(game, Resume(stopped_at=7_000), 6_000, errors.TimeError, "can't be over by 6000")
    assert game.apply(Resume(stopped_at=5_000), at=5_000) == ()
    assert game.apply(Resume(stopped_at=0), at=8_000)[0].lost == 3_000


# Presence and claims.


def test_a_game_is_claimed_when_the_opponent_has_been_away_for_the_grace_period():
    game = new(away_grace=30_000)
    refused(game, Claim(BLACK), 0, errors.ClaimError, "no opponent has been away for 30 seconds")
    assert game.apply(Left(WHITE), 1_000) == (WentAway(WHITE, version=1, at=1_000),)
    refused(game, Claim(BLACK), 30_999, errors.ClaimError, "30 seconds")
    drawn = game.copy()
    assert ending(game.apply(Claim(BLACK), 31_000)) == Outcome(BLACK, Reason.ABANDONED)
    assert ending(drawn.apply(Claim(BLACK, Award.DRAW), 31_000)) == Outcome(None, Reason.ABANDONED)


@pytest.mark.parametrize("sign_of_life", [Returned(WHITE), OfferDraw(WHITE)])
def test_any_sign_of_life_ends_an_absence(sign_of_life):
    game = new(away_grace=30_000)
    game.apply(Left(WHITE), 0)
    assert game.apply(sign_of_life, 10_000)[0] == CameBack(WHITE, version=2, at=10_000)
    refused(game, Claim(BLACK), 90_000, errors.ClaimError, "no opponent")


def test_presence_told_twice_is_no_news():
    game = new()
    assert game.apply(Returned(WHITE), 0) == ()
    game.apply(Left(WHITE), 0)
    assert game.apply(Left(WHITE), 5) == ()
    assert game.away == {WHITE: 0}


def test_between_three_a_claim_puts_the_absent_out():
    game = new("three", away_grace=1_000)
    game.apply(Left(WHITE), 0)
    refused(game, Claim(RED, Award.DRAW), 2_000, errors.ClaimError, "while black is there")
    events = game.apply(Claim(RED), 2_000)
    assert events == (LeftGame(WHITE, Reason.ABANDONED, version=2, at=2_000),)
    game.apply(Left(BLACK), 2_000)
    assert ending(game.apply(Claim(RED), 3_000)) == Outcome(RED, Reason.LAST_IN)


@pytest.mark.parametrize("rules", [Rules(), Rules(leave_three="ends")])
def test_between_three_one_alone_at_the_board_wins_by_a_claim(rules):
    game = new("three", away_grace=1_000, rules=rules, captured=(3, 2, 0))
    game.apply(Left(WHITE), 0)
    game.apply(Left(BLACK), 0)
    assert ending(game.apply(Claim(RED), 1_000)).winner is RED


def test_in_teams_one_absent_player_lets_the_others_claim_but_not_the_partner():
    game = new("teams", away_grace=1_000)
    game.apply(Left(BLUE), 0)
    refused(game, Claim(WHITE), 5_000, errors.ClaimError, "no opponent")
    assert ending(game.apply(Claim(RED), 5_000)) == Outcome(BLACK, Reason.ABANDONED)


# Events again.


def whole_story():
    """A game for three in which a bit of everything happens, with its events."""
    game = new("three", control=Fischer(60_000, 500), lag_limit=100)
    events = []
    for at, command in [
        (1_000, Play(BLACK, Move.parse("a1b2"), lag=70)),
        (2_000, OfferDraw(BLACK)),
        (2_500, DeclineDraw(WHITE)),
        (3_000, AskTakeback(BLACK)),
        (3_100, AcceptTakeback(WHITE)),
        (3_200, AcceptTakeback(RED)),
        (4_000, Play(BLACK, Move.parse("a2b3"))),
        (5_000, Left(RED)),
        (6_000, Resume(5_500)),
        (7_000, Resign(WHITE)),
        (8_000, Returned(RED)),
        (99_000, Flag()),
    ]:
        events += game.apply(command, at)
    return game, events


def test_the_events_of_a_game_make_it_again():
    game, events = whole_story()
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    assert game.outcome == Outcome(BLACK, Reason.LAST_IN)
    again = Game.replay(game.setup, events)
    assert again == game
    assert again.plies == game.plies


def test_one_who_missed_events_can_follow_from_there():
    game, events = whole_story()
    behind = Game.replay(game.setup, events[:4])
    assert behind != game
    behind.follow(events[4:])
    assert behind == game


def test_replay_refuses_events_that_are_not_the_games_story():
    game, events = whole_story()
    moved = events[0]
    for wrong, match in [
        (events[1:], "event 2 can't follow event 0"),
        ([*events, replace(moved, version=len(events) + 1, at=10**9)], "after the end"),
        ([moved, replace(events[1], at=0)], "at 0 is before 1000"),
        ([replace(moved, seat=WHITE)], "it was black's turn"),
        ([replace(moved, clock=60_000)], "can't have shown 60000 ms"),
        ([replace(moved, move=Move.parse("e5e6"))], "event 1: e5e6: there is no marble on e5"),
        ([Event(version=1)], "Event is no event"),
        ([TakenBack(1, version=1)], "1 plies can't be taken back"),
        ([DrawAccepted(WHITE, version=1)], "there was no draw offer"),
        ([DrawDeclined(WHITE, version=1)], "there was no draw offer"),
    ]:
        with pytest.raises(errors.ReplayError, match=match):
            Game.replay(game.setup, wrong)


def test_following_wrong_events_changes_nothing():
    game, events = whole_story()
    behind = Game.replay(game.setup, events[:3])
    before = behind.copy()
    with pytest.raises(errors.ReplayError):
        behind.follow([events[3], events[5]])
    assert behind == before


def test_a_game_shows_who_plays_and_where_it_stands():
    assert repr(new()).startswith("<Game black – white: version 0, wwwww/")
    assert new() != "a game"
