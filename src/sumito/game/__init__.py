"""A game in progress: players on seats, moves, clocks, offers, and how it ends.

`Game.apply(command, at)` turns a command into events; the time is an argument. `referee` decides
commands, `state` applies events.
"""

from sumito.game.game import Game
from sumito.game.state import Departure, Offer, Ply, Setup

__all__ = ["Departure", "Game", "Offer", "Ply", "Setup"]
