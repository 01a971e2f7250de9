"""The game in progress: what each command does, and what it refuses."""

from dataclasses import replace

import pytest

import sumito
from sumito import BLACK, BLUE, RED, TOURNAMENT, WHITE, Move, Outcome, Reason, Rules, errors
from sumito.game import Game
from sumito.game.clock import Fischer, SuddenDeath
from sumito.game.commands import (
    Abort,
    AcceptTakeback,
    AskTakeback,
    Award,
    Claim,
    Command,
    DeclineDraw,
    Disconnect,
    Flag,
    OfferDraw,
    Play,
    Reconnect,
    Resign,
    Resume,
)
from sumito.game.events import DrawAccepted, DrawDeclined, Event, Moved, PlayerEliminated, TakenBack
from sumito.game.state import Departure, Ply
from support.games import at_position, ending, new, play, play_round, refused

# White's a1 can be shut in by c3b2; far away there is room for everybody else.
SHUT_IN_TWO = "5/6/7/8/9/8/2b4/b5/wb3 b 0,0 0 1"
SHUT_IN_THREE = "4r/6/7/8/9/8/2b4/b5/wb3 b 0,0,0 0 1 three"
LONE_MARBLES = "5/6/7/8/4b4/8/7/6/w4 b 0,0 0 1"
EJECTION_E1 = "4w/6/7/8/wbb6/8/7/6/5 b {} 0 1"


# Setting up.


def test_a_game_is_reached_from_the_package():
    game = sumito.Game(
        seats={BLACK: "Ann", WHITE: "Ben"},
        mode="two",
        layout="standard",
        rules=TOURNAMENT,
        control=sumito.game.clock.Fischer(600_000, 5_000),
        rated=False,
        start_at=0,
    )
    assert game.board == sumito.Board(rules=TOURNAMENT)
    assert game.seats == {BLACK: "Ann", WHITE: "Ben"}
    assert (game.turn, game.outcome, game.version, game.offers) == (BLACK, None, 0, ())


@pytest.mark.parametrize(
    ("seats", "mode", "match"),
    [
        ({BLACK: "Ann"}, "two", "the white seat has no player"),
        ({BLACK: "Ann", WHITE: "Ben", BLUE: "Cy"}, "two", "no blue seat for 'Cy'"),
        ({BLACK: "Ann", WHITE: "Ben"}, "three", "the red seat has no player"),
    ],
)
def test_every_seat_needs_a_player_and_no_other_has_one(seats, mode, match):
    with pytest.raises(errors.SetupError, match=match):
        Game(seats, mode)


def test_a_game_cant_begin_when_it_is_over():
    with pytest.raises(errors.SetupError, match="over before it begins"):
        new(captured=(6, 0))


def test_setup_refuses_what_makes_no_sense():
    start = sumito.Board().position
    with pytest.raises(errors.SetupError, match="its own marbles"):
        new(start=start, layout="standard")
    with pytest.raises(errors.SetupError, match="2 seats, not 3"):
        sumito.game.Setup(names=("Ann", "Ben", "Cy"), start=start)
    with pytest.raises(errors.SetupError, match="lag_limit"):
        new(lag_limit=-1)
    with pytest.raises(errors.ArgumentTypeError, match="control is a Control, not 600"):
        new(control=600)
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
    assert events[1] == PlayerEliminated(WHITE, Reason.NO_MOVE, version=2)
    assert (game.turn, game.eliminated, game.departures) == (RED, {WHITE}, ())
    game.apply(AskTakeback(BLACK), 0)
    game.apply(AcceptTakeback(RED), 0)
    assert (game.board, game.eliminated) == (before, frozenset())


@pytest.mark.parametrize(
    "command",
    [
        *(Play(seat, Move.parse("b1c1")) for seat in (BLACK, WHITE)),
        Resign(WHITE),
        OfferDraw(BLACK),
        AskTakeback(BLACK),
        Abort(BLACK),
        Claim(WHITE),
        Disconnect(WHITE),
        Flag(),
        Resume(0),
    ],
)
def test_a_finished_game_takes_no_command(command):
    game = new()
    game.apply(Resign(BLACK), 0)
    refused(game, command, 0, errors.GameOverError, "over .resignation.")


def test_what_is_no_command_is_refused():
    refused(new(), Command(), 0, errors.CommandError, "Command is not a game command")


# Resigning, with two, three and in teams.


def test_between_two_resigning_loses():
    assert ending(new().apply(Resign(BLACK), 0)) == Outcome(WHITE, Reason.RESIGNED)


def test_between_three_one_who_resigns_is_out_and_the_others_play_on():
    game = new("three")
    events = game.apply(Resign(WHITE), 0)
    assert events == (PlayerEliminated(WHITE, Reason.RESIGNED, version=1),)
    play(game, "a1b2")
    assert (game.turn, game.eliminated) == (RED, {WHITE})
    assert game.departures == (Departure(WHITE, Reason.RESIGNED, 0),)
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
    assert (game.outcome, game.eliminated) == (None, {BLUE})
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
        (5_000, Disconnect(RED)),
        (6_000, Resume(5_500)),
        (7_000, Resign(WHITE)),
        (8_000, Reconnect(RED)),
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
    behind.apply_events(events[4:])
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
        ([Event(version=1)], "Event is not a game event"),
        ([TakenBack(1, version=1)], "1 ply can't be taken back"),
        ([DrawAccepted(WHITE, version=1)], "there was no offer .draw."),
        ([DrawDeclined(WHITE, version=1)], "there was no offer .draw."),
    ]:
        with pytest.raises(errors.ReplayError, match=match):
            Game.replay(game.setup, wrong)


def test_following_wrong_events_changes_nothing():
    game, events = whole_story()
    behind = Game.replay(game.setup, events[:3])
    before = behind.copy()
    with pytest.raises(errors.ReplayError):
        behind.apply_events([events[3], events[5]])
    assert behind == before


def test_a_game_shows_who_plays_and_where_it_stands():
    assert repr(new()).startswith("<Game black – white: version 0, wwwww/")
    assert new() != "a game"


def test_a_claim_in_plain_words_is_what_it_says():
    assert Claim(BLACK, "win").award is Award.WIN
    assert Claim(BLACK, "draw").award is Award.DRAW
    with pytest.raises(errors.CommandError, match="a win or a draw, not 'all'"):
        Claim(BLACK, "all")


def test_a_claimed_win_is_a_win_however_it_is_written():
    game = new(away_grace=0)
    game.apply(Disconnect(WHITE), 0)
    assert game.apply(Claim(BLACK, "win"), 0)[-1].outcome.winner is BLACK


@pytest.mark.parametrize("lag", [1.5, "1", None, True])
def test_lag_is_in_whole_milliseconds(lag):
    with pytest.raises(errors.CommandError, match="lag must be in whole milliseconds"):
        Play(BLACK, Move.parse("a1b2"), lag)


def test_play_reads_a_moves_text_and_refuses_what_is_none():
    assert Play(BLACK, "a1b2") == Play(BLACK, Move.parse("a1b2"))
    with pytest.raises(errors.InvalidMoveError, match="'zz' is not a move"):
        Play(BLACK, "zz")
    with pytest.raises(errors.ArgumentTypeError, match="move is a Move, not 5"):
        Play(BLACK, 5)


def test_an_illegal_move_leaves_game_and_offers_as_they_were():
    game = new()
    game.apply(OfferDraw(WHITE), 0)
    before = game.copy()
    refused(game, Play(BLACK, Move.parse("e5e6")), 0, errors.IllegalMoveError, "no marble on e5")
    assert game == before
