"""Positions as values, and as one line of text: Sumito's own form, and those of other programs."""

from sumito.position.position import Form, Position, parse, write

__all__ = ["Form", "Position", "parse", "write"]
