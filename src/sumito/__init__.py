"""Sumito: the game of Abalone for two, three and four players.

>>> import sumito
>>> board = sumito.Board()
>>> board.push_text("a1b2")
Move.parse('a1b2')
>>> print(board.position)
wwwww/wwwwww/2www2/8/9/3b4/2bbb2/bbbbbb/1bbbb w 0,0 1 2
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from sumito import layouts
from sumito.board import Board, Effect, LegalMoves
from sumito.cells import CELLS, DIRECTIONS, Cell, Direction
from sumito.errors import (
    CellError,
    ColourError,
    CommandError,
    Illegal,
    IllegalMoveError,
    InvalidMoveError,
    LayoutError,
    ModeError,
    NotationError,
    PositionError,
    RecordError,
    RulesError,
    SumitoError,
)
from sumito.layouts import Layout
from sumito.modes import BLACK, BLUE, RED, WHITE, Colour, Mode
from sumito.move import MOVES, Move
from sumito.notation import Notation
from sumito.position import Form, Position, PositionBuilder
from sumito.rules import RULEBOOK, TOURNAMENT, Outcome, Reason, Rules
from sumito.symmetry import SYMMETRIES, Symmetry

if TYPE_CHECKING:
    from sumito import engine, formations, openings, record
    from sumito.drawing import svg
    from sumito.engine import Draws, Engine, Level, Limit, Score, TimeLeft
    from sumito.game import Game

__version__ = "0.1.0"

# Read when first asked for, so that `import sumito` stays quick.
_LATER = {
    "Draws": "engine",
    "Engine": "engine",
    "Game": "game",
    "Level": "engine",
    "Limit": "engine",
    "Score": "engine",
    "TimeLeft": "engine",
    "drawing": None,
    "engine": None,
    "formations": None,
    "game": None,
    "openings": None,
    "record": None,
    "svg": "drawing",
}
_HELPERS = {"ModuleType", "TYPE_CHECKING", "annotations", "importlib"}
"""What this module needs for itself."""


def __getattr__(name: str) -> ModuleType | object:
    if name not in _LATER:
        raise AttributeError(f"module 'sumito' has no attribute {name!r}")
    home = _LATER[name]
    module = importlib.import_module(f"sumito.{home or name}")
    if not home:
        return module
    found: object = getattr(module, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER} - _HELPERS)


__all__ = [
    "BLACK",
    "BLUE",
    "CELLS",
    "DIRECTIONS",
    "MOVES",
    "RED",
    "RULEBOOK",
    "SYMMETRIES",
    "TOURNAMENT",
    "WHITE",
    "Board",
    "Cell",
    "CellError",
    "Colour",
    "ColourError",
    "CommandError",
    "Direction",
    "Draws",
    "Effect",
    "Engine",
    "Form",
    "Game",
    "Illegal",
    "IllegalMoveError",
    "InvalidMoveError",
    "Layout",
    "LayoutError",
    "LegalMoves",
    "Level",
    "Limit",
    "Mode",
    "ModeError",
    "Move",
    "Notation",
    "NotationError",
    "Outcome",
    "Position",
    "PositionBuilder",
    "PositionError",
    "Reason",
    "RecordError",
    "Rules",
    "RulesError",
    "Score",
    "SumitoError",
    "Symmetry",
    "TimeLeft",
    "engine",
    "formations",
    "layouts",
    "openings",
    "record",
    "svg",
]
