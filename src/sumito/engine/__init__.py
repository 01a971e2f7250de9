"""The engine: play and analysis in every mode."""

from sumito.engine.analysis import Analysis, Variations
from sumito.engine.base import BaseEngine
from sumito.engine.engine import Engine
from sumito.engine.levels import Level
from sumito.engine.limit import Limit, TimeLeft
from sumito.engine.request import DrawPolicy, SearchOptions, SearchRequest
from sumito.engine.score import Score, Variation
from sumito.engine.ugi.client import UgiEngine

__all__ = [
    "Analysis",
    "BaseEngine",
    "DrawPolicy",
    "Engine",
    "Level",
    "Limit",
    "Score",
    "SearchOptions",
    "SearchRequest",
    "TimeLeft",
    "UgiEngine",
    "Variation",
    "Variations",
]
