"""The page's board element as a notebook widget: Python has the rules, the browser has the board.

The board's whole state is one trait and each action of a player one message, so that browser and
Python stay in sync.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from sumito.drawing import scene
from sumito.errors import SumitoError
from sumito.i18n.catalogues import Translator, check_language
from sumito.i18n.environment import environment_language
from sumito.rules.board import Board, Effect
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.validate import check_type

try:
    import anywidget
    import traitlets
except ImportError as error:  # pragma: no cover - depends on what is installed
    raise ImportError(
        "a board in a notebook needs anywidget; install it with: pip install 'sumito[notebook]'"
    ) from error

_BUILT: Final = Path(__file__).parent / "static"


class BoardWidget(anywidget.AnyWidget):
    """A board to play on. `board` is the present game.

    `players` are the colours that may be moved by hand, all of them by default. `language` is that
    of the texts below the board, by default the one that the environment asks for.
    """

    _esm = _BUILT / "widget.js"
    _css = _BUILT / "widget.css"

    shown = traitlets.Dict().tag(sync=True)
    """State shown by the board; set here, read by the browser."""

    def __init__(
        self,
        board: Board | None = None,
        *,
        players: Iterable[Colour | str] | None = None,
        language: str | None = None,
    ) -> None:
        if not _BUILT.is_dir():
            raise FileNotFoundError("the notebook's board hasn't been built yet: run `make web`")
        if board is not None:
            check_type("board", board, Board)
        language = environment_language() if language is None else language
        check_language(language)
        self._translator = Translator(language)
        self.board = Board() if board is None else board
        mode = self.board.mode
        playable = mode.colours if players is None else players
        self.players = tuple(
            colour if isinstance(colour, Colour) else Colour.parse(colour) for colour in playable
        )
        self._listeners: list[Callable[[Move], object]] = []
        super().__init__(shown=self._view(""))
        self.on_msg(self._on_message)

    def on_move(self, call: Callable[[Move], object]) -> Callable[[Move], object]:
        """Register a function to be called with every move played, by hand or by `push`."""
        self._listeners.append(call)
        return call

    def push(self, move: Move | str) -> None:
        """Play a move; raise if it is illegal."""
        played = self.board.parse_move(move) if isinstance(move, str) else move
        self.board.push(played)
        self.refresh()
        for call in list(self._listeners):
            call(played)

    def pop(self) -> Move:
        """Take the last move back."""
        move = self.board.pop()
        self.refresh()
        return move

    def refresh(self) -> None:
        """Update the view after `board` itself was changed."""
        self.shown = self._view("")

    def _on_message(self, _widget: object, content: Any, _buffers: object) -> None:  # noqa: ANN401
        """Handle a message from the browser, which is not trusted."""
        if not isinstance(content, dict):
            return
        try:
            if self.board.turn not in self.players:
                self.refresh()
            elif content.get("type") == "choose":
                self.push(str(content.get("move")))
            elif content.get("type") == "attempt":
                self.board.effect(
                    Move.from_cells(content.get("cells") or (), str(content.get("direction")))
                )
        except SumitoError as error:
            self.shown = self._view(self._translator.sentence(error.problem))

    def _view(self, says: str) -> dict[str, object]:
        board = self.board
        outcome = board.outcome()
        mine = outcome is None and board.turn in self.players
        last = board.last_effect()
        hand = board.mode.colours if mine and board.mode.partner(board.turn) is not None else ()
        side = board.mode.side(board.turn)
        usable = [colour for colour in hand if board.mode.side(colour) is side] or [board.turn]
        return {
            "position": str(board.position),
            "legal": [_effect_data(board.effect(move)) for move in board.legal_moves]
            if mine
            else [],
            "last": None if last is None else _effect_data(last),
            "hand": [str(colour) for colour in usable] if mine else [],
            "turn": None if outcome else str(board.turn),
            "says": says or self._status_text(),
        }

    def _status_text(self) -> str:
        """Return whose turn it is or how the game ended, and the marbles ejected."""
        messages = (scene.status(self.board), scene.score(self.board))
        return ", ".join(map(self._translator.sentence, messages))


def _effect_data(effect: Effect) -> dict[str, object]:
    return {
        "move": effect.move.name,
        "direction": str(effect.direction),
        "moved": [str(cell) for cell in effect.moved],
        "pushed": [str(cell) for cell in effect.pushed],
        "ejected": None if effect.ejected is None else str(effect.ejected),
    }
