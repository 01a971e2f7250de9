"""Draw offers and take-backs: who must agree, and what makes an offer lapse."""

import pytest

from sumito import BLACK, BLUE, RED, WHITE, Move, Outcome, Reason, errors
from sumito.game.clock import Fischer
from sumito.game.commands import (
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    DeclineDraw,
    DeclineTakeback,
    OfferDraw,
    Play,
    Resign,
)
from sumito.game.events import (
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Moved,
    OfferKind,
    TakebackAccepted,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
)
from support.games import ending, new, play, play_round, refused

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
    refused(game, AcceptDraw(BLACK), 0, errors.NoSuchOfferError, "only the other side can answer")
    refused(game, OfferDraw(BLACK), 0, errors.OfferStandsError, "already offered a draw")
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
    refused(game, AcceptDraw(RED), 0, errors.OfferStandsError, "already agreed to the draw")
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
    refused(game, AcceptDraw(RED), 0, errors.NoSuchOfferError, "only the other side can answer")
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
    refused(game, AskTakeback(BLACK), 0, errors.TakebackError, "take-backs are not available")


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
    assert (game.turn, game.eliminated) == (RED, {WHITE})


def test_a_take_back_is_asked_for_once_and_answered_by_the_others():
    game = new()
    play_round(game, 2)
    refused(game, AcceptTakeback(WHITE), 0, errors.NoSuchOfferError, "no take-back offer")
    game.apply(AskTakeback(BLACK), 0)
    refused(game, AskTakeback(BLACK), 0, errors.OfferStandsError, "black has already asked")
    refused(game, AskTakeback(WHITE), 0, errors.OfferStandsError, "black has already asked")
    refused(
        game, AcceptTakeback(BLACK), 0, errors.NoSuchOfferError, "only the other side can answer"
    )
    assert game.apply(DeclineTakeback(WHITE), 0) == (TakebackDeclined(WHITE, version=4),)


@pytest.mark.parametrize("asker", [BLACK, WHITE])
def test_any_move_answers_a_take_back_with_no(asker):
    game = new()
    play_round(game, 2)
    game.apply(AskTakeback(asker), 0)
    events = game.apply(Play(BLACK, game.legal_moves[0]), 0)
    assert [type(event) for event in events] == [TakebackDeclined, Moved]
