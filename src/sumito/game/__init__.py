"""A game in progress: players on seats, moves, clocks, offers, and how it ends.

`Game.apply(command, at)` is pure: commands in, events out, the time handed in. What commands mean
stands in `referee`, what events change in `state`.
"""

from sumito.game.game import Game
from sumito.game.state import Departure, Offer, Ply, Setup

__all__ = ["Departure", "Game", "Offer", "Ply", "Setup"]
