"""Games to test with, and the few things tests do with them."""

import pytest

from sumito import Mode, Move, Position
from sumito.game import Game
from sumito.game.commands import Play
from sumito.game.events import Ended


def new(mode="two", **options):
    """A game whose players are called after their colours."""
    seats = {colour: str(colour) for colour in Mode(mode).colours}
    return Game(seats, mode, **options)


def at_position(text, **options):
    start = Position.parse(text)
    return new(start.mode, start=start, **options)


def play(game, *names, at=0):
    """Let the player to move make each move."""
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
