"""The rules as an executable specification: cells, moves, boards, layouts, notations, formations.

Nothing here depends on anything but the standard library. `Board.perft`, and the pictures that
`Board` shows of itself, are the only calls to higher layers; they import when they are called.
"""
