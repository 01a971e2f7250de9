"""A board widget for notebooks: moves played on it are reported to Python.

Needs the extra `notebook`: ``pip install 'sumito[notebook]'``.

    from sumito import Board
    from sumito.notebook import BoardWidget

    widget = BoardWidget(Board())
    widget.on_move(lambda move: print(move))
    widget
"""

from __future__ import annotations

from sumito.notebook.widget import BoardWidget

__all__ = ["BoardWidget"]
