"""Boards for the eye: SVG for pages, notebooks and print, signs for a terminal."""

from sumito.drawing import svg, terminal
from sumito.drawing.scene import Show

__all__ = ["Show", "svg", "terminal"]
