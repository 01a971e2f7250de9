"""The rules as an executable specification: cells, moves, boards, layouts, notations, formations.

Depends on the standard library alone. Only `Board.perft` and the rendering methods of `Board` use
higher layers; they import them when called.
"""
