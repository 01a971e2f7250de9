"""Drawings of boards: SVG for pages, notebooks and print, PNG, and text for a terminal."""

from sumito.drawing import svg, terminal
from sumito.drawing.scene import Show

__all__ = ["Show", "svg", "terminal"]
