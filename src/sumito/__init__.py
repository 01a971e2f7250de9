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

from sumito.errors import (
    CellError,
    ColourError,
    CommandError,
    IllegalMoveError,
    IllegalReason,
    InvalidMoveError,
    LayoutError,
    ModeError,
    NotationError,
    PositionError,
    RecordError,
    RulesError,
    SumitoError,
)
from sumito.position import Form, Position, PositionBuilder
from sumito.rules import layouts
from sumito.rules.board import Board, Effect, LegalMoves
from sumito.rules.cells import CELLS, DIRECTIONS, Cell, Direction
from sumito.rules.layouts import Layout
from sumito.rules.modes import BLACK, BLUE, RED, WHITE, Colour, Mode
from sumito.rules.move import MOVES, Move
from sumito.rules.notations import Notation
from sumito.rules.rules import RULEBOOK, TOURNAMENT, Outcome, Reason, Rules
from sumito.rules.symmetry import SYMMETRIES, Symmetry

if TYPE_CHECKING:
    from sumito import engine, opening_book, record
    from sumito.drawing import svg
    from sumito.engine import DrawPolicy, Engine, Level, Limit, Score, TimeLeft
    from sumito.game import Game
    from sumito.rules import formations

__version__ = "0.2.0"

# Imported on first access, so that `import sumito` stays quick: a module, or a name in one.
_LAZY = {
    "DrawPolicy": "engine",
    "Engine": "engine",
    "Game": "game",
    "Level": "engine",
    "Limit": "engine",
    "Score": "engine",
    "TimeLeft": "engine",
    "drawing": "",
    "engine": "",
    "formations": "rules.",
    "game": "",
    "opening_book": "",
    "record": "",
    "svg": "drawing.",
}
"""Lazy names: each name's module; each module's package, empty or with a trailing dot."""
_HELPERS = {"ModuleType", "TYPE_CHECKING", "annotations", "importlib"}
"""Names used by this module itself, which are not exported."""


def __getattr__(name: str) -> ModuleType | object:
    if name not in _LAZY:
        raise AttributeError(f"module 'sumito' has no attribute {name!r}")
    home = _LAZY[name]
    if not home or home.endswith("."):
        return importlib.import_module(f"sumito.{home}{name}")
    found: object = getattr(importlib.import_module(f"sumito.{home}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY} - _HELPERS)


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
    "DrawPolicy",
    "Effect",
    "Engine",
    "Form",
    "Game",
    "IllegalMoveError",
    "IllegalReason",
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
    "opening_book",
    "record",
    "svg",
]
