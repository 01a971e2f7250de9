"""A game at one screen: boards follow the events, everybody at the table agrees at once."""

import pytest

from sumito import BLACK, BLUE, RED, WHITE, Board, Game, errors
from sumito.game import local as local_games
from sumito.game.events import Ended, PlayerEliminated, TakenBack
from sumito.game.local import LocalGame, typed_move
from sumito.rules.rules import Reason

PAIR = {BLACK: "Ann", WHITE: "Ben"}
FOUR = PAIR | {RED: "Cy", BLUE: "Di"}


def first_move(local):
    return local.play(local.game.legal_moves[0])


@pytest.mark.parametrize("text", ["a1b2", "A1B2", " a1 b2 ", "a1-b2", "a1 > b2", "a1–b2"])
def test_what_stands_between_cells_is_left_out(text):
    assert typed_move(text) == "a1b2"


@pytest.mark.parametrize("text", ["", "help", "a1", "a1b2c3d4", "j1a1", "save a1b2"])
def test_what_is_no_move_is_none(text):
    assert typed_move(text) is None


def test_the_boards_follow_moves_and_take_backs():
    local = LocalGame(Game(PAIR))
    first_move(local)
    first_move(local)
    assert [board.ply for board in local.boards] == [1, 2, 3]
    assert local.boards[-1] == local.game.board
    assert isinstance(local.take_back()[-1], TakenBack)
    assert [board.ply for board in local.boards] == [1, 2]


def test_a_take_back_reaches_the_last_move_of_a_person():
    local = LocalGame(Game(PAIR), computers=[WHITE])
    with pytest.raises(errors.SumitoError, match="no move to take back"):
        local.take_back()
    first_move(local)
    with pytest.raises(errors.SumitoError, match="the computer plays"):
        first_move(local)
    local.apply(local_games.commands.Play(WHITE, local.game.legal_moves[0]))
    assert (local.seat, local.last_mover()) == (BLACK, BLACK)
    local.take_back()
    assert local.boards == [Board()]


@pytest.mark.parametrize(("seats", "mode"), [(PAIR, "two"), (FOUR, "teams")])
def test_a_draw_is_agreed_by_one_player_of_each_other_side(seats, mode):
    local = LocalGame(Game(seats, mode))
    (*_, ended) = local.agree_draw()
    assert isinstance(ended, Ended)
    assert (ended.outcome.winner, ended.outcome.reason) == (None, Reason.AGREED)
    with pytest.raises(errors.SumitoError, match="does not agree to draws"):
        LocalGame(Game(PAIR), [WHITE]).agree_draw()


def test_one_who_resigns_among_three_is_news():
    local = LocalGame(Game({BLACK: "Ann", WHITE: "Ben", RED: "Cy"}, "three"))
    happened = local.apply(local_games.commands.Resign(BLACK))
    assert isinstance(happened[0], PlayerEliminated)
    assert local.boards[-1].turn is not BLACK
    assert str(local.news(happened[0])) == "black is out (resignation); the others play on."
    assert str(local.news(happened[0], local.game.seats.get)).startswith("Ann is out")
    assert local.seat is not BLACK


def test_a_fallen_flag_ends_the_game(monkeypatch):
    time = 0
    monkeypatch.setattr(local_games, "now", lambda: time)
    local = LocalGame(Game(PAIR, control="10"))
    time = 9_999
    assert local.check_clock() == []
    assert local.clocks()[BLACK] == 1
    time = 10_000
    (ended,) = local.check_clock()
    assert ended.outcome.reason is Reason.FLAG
    assert local.check_clock() == []


def test_a_restart_keeps_players_rules_and_control():
    local = LocalGame(Game(PAIR, rules="tournament", control="60+1"))
    first_move(local)
    local.restart()
    assert local.boards == [Board(rules="tournament")]
    assert (local.game.seats, str(local.game.control)) == (PAIR, "60+1")
