"""The engine: plays any seat in any mode, and analyses."""

from sumito.engine.analysis import Analysis, Lines
from sumito.engine.base import AnyEngine, Draws
from sumito.engine.engine import Engine
from sumito.engine.levels import Level
from sumito.engine.limit import Limit, TimeLeft
from sumito.engine.score import Line, Score
from sumito.engine.ugi.client import External

__all__ = [
    "Analysis",
    "AnyEngine",
    "Draws",
    "Engine",
    "External",
    "Level",
    "Limit",
    "Line",
    "Lines",
    "Score",
    "TimeLeft",
]
