"""Positions as values, and as one line of text: Sumito's own form, and those of other programs.

>>> from sumito import Position
>>> start = Position.parse("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1")
>>> print(start.text("apgn"))
wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b
>>> builder = start.edit()
>>> builder.remove("a1")
Colour.BLACK
>>> builder.set("e5", "black")
>>> print(builder.position)
wwwww/wwwwww/2www2/8/4b4/8/2bbb2/bbbbbb/1bbbb b 0,0 0 1
"""

from sumito.position.builder import PositionBuilder
from sumito.position.value import Form, Position

__all__ = ["Form", "Position", "PositionBuilder"]
