"""The game screen: select the marbles of a row and its target, or type the move."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from sumito.drawing import scene
from sumito.errors import SumitoError
from sumito.game.local import typed_move
from sumito.i18n.messages import N_
from sumito.record import Record
from sumito.rules.board import Board, Effect
from sumito.rules.cells import Cell
from sumito.rules.modes import Colour
from sumito.rules.move import Move
from sumito.rules.notations import Notation
from sumito.tui import selection
from sumito.tui.board import BoardView
from sumito.tui.localisation import Localiser
from sumito.tui.panels import AnalysisPanel, Chat
from sumito.tui.picture import Marks
from sumito.tui.screens import BoardScreen, bindings, trail
from sumito.tui.session import ACTION_NAMES, GameAction, GameSession

_TICK: Final = 0.2


class GameScreen(BoardScreen):
    """A game that can be played."""

    DEFAULT_CSS = """
    GameScreen #typed, GameScreen #chat-line { height: 1; border: none; padding: 0 1;
        background: $surface; }
    GameScreen #chat-line { display: none; }
    GameScreen.-chats #chat-line { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        ("u", "take_back", N_("Take back")),
        ("m", "type", ""),
        ("h", "hint", N_("Hint")),
        ("c", "chat", N_("Chat")),
        ("x", "choose_action", N_("More …")),
    )
    first_keys = ("x", "c", "u", "h")

    def __init__(
        self, tr: Localiser, session: GameSession, notation: Notation = Notation.ABA_PRO
    ) -> None:
        super().__init__(tr)
        self.session = session
        self.notation = notation
        self.selected: selection.Selection = selection.EMPTY
        self._pointed: Cell | None = None
        self._hint: frozenset[Cell] = frozenset()
        self._hands: frozenset[Colour] = frozenset()
        self._face_own_seat()

    def _face_own_seat(self) -> None:
        """Turn the board to the client's seat, when that changes."""
        if self._hands != self.session.local_seats:
            self._hands = self.session.local_seats
            if len(self._hands) == 1:
                (seat,) = self._hands
                self.turns = scene.turns_for(self.session.board, seat)

    # Views.

    @property
    def boards(self) -> Sequence[Board]:
        return self.session.boards

    def heading(self) -> str:
        return self.session.heading()

    def names(self) -> Mapping[Colour, str]:
        return self.session.names

    def turn(self) -> Colour | None:
        return self.session.turn() if self.is_at_end else self.board.turn

    def clocks(self) -> Mapping[Colour, int | None]:
        return self.session.clocks()

    def thinking(self) -> Colour | None:
        return self.session.thinking

    def status(self) -> str:
        if not self.is_at_end:
            return self.tr(
                N_("After move {number} of {all}; End returns to the game."),
                number=self.at,
                all=len(self.boards) - 1,
            )
        return self.session.status()

    def game_record(self) -> Record:
        return self.session.record()

    def marks(self) -> Marks:
        left, reached = trail(self.board)
        if not self.is_at_end:
            return Marks(left=left, reached=reached)
        next_targets = selection.targets(self.board, self.selected)
        pushes = {one.cell for one in next_targets if one.effect.pushed}
        return Marks(
            chosen=frozenset(self.selected),
            targets=frozenset(one.cell for one in next_targets) - pushes,
            pushes=frozenset(pushes),
            preview=self._preview(next_targets),
            left=left if not self.selected else frozenset(),
            reached=reached if not self.selected else frozenset(),
            hint=self._hint,
        )

    def _preview(self, next_targets: Sequence[selection.Target]) -> frozenset[Cell]:
        """Return where the row would stand after selecting the cell under the mouse."""
        for one in next_targets:
            if one.cell is self._pointed:
                return frozenset(_landing(one.effect))
        return frozenset()

    def compose_below(self) -> ComposeResult:
        typed = Input(
            placeholder=self.tr(N_("m: type a move, such as a1b2 or c3c5d4")),
            id="typed",
            compact=True,
            max_length=30,
        )
        yield typed
        yield Input(
            placeholder=self.tr(N_("c: say something to the others")),
            id="chat-line",
            compact=True,
            max_length=300,
        )

    def update(self) -> None:
        self.set_class(self.session.may_chat, "-chats")
        self.query_one(Chat).show(self.session.chat)
        super().update()

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's
    ) -> bool | None:
        """Hide the keys of actions that are not possible."""
        return self.session.may_chat if action == "chat" else True

    @on(events.Mount)
    async def _begin(self) -> None:
        self.set_interval(_TICK, self._tick)
        await self.session.begin(self._show_news)

    async def on_unmount(self) -> None:
        await self.session.close()

    def _tick(self) -> None:
        self.session.tick()
        if any(clock is not None for clock in self.session.clocks().values()):
            self.update_players()

    def _show_news(self, news: str) -> None:
        """Show the changed game and its news."""
        self._face_own_seat()
        self.selected, self._hint = selection.EMPTY, frozenset()
        self.at = len(self.boards) - 1
        if self.is_mounted:
            if news:  # a move without news keeps the message being read
                self.say(news)
            self.update()

    # Selected cells.

    @on(BoardView.Touched)
    def _touched(self, event: BoardView.Touched) -> None:
        if not self.is_at_end:
            self.action_look(len(self.boards))
            return
        try:
            self._check_turn()
            touched = selection.select(self.board, self.selected, event.cell)
        except SumitoError as error:
            self.refuse(error)
            return
        if isinstance(touched, Move):
            self._play(touched)
        else:
            self.selected = touched
            self.say("")
            self.update()

    def _check_turn(self) -> None:
        turn = self.session.turn()
        if turn is None:
            raise SumitoError(N_("nobody is to move: {status}"), status=self.session.status())
        if not self.session.local_seats:
            raise SumitoError(N_("you are watching this game"))
        if turn not in self.session.local_seats:
            raise SumitoError(N_("it is {turn}'s turn"), turn=turn)

    @on(BoardView.Pointed)
    def _pointed_at(self, event: BoardView.Pointed) -> None:
        self._pointed = event.cell
        if self.selected:
            self.update_board()

    def update_board(self) -> None:
        """Redraw the board."""
        view = self.query_one(BoardView)
        view.show(view.colours, self.marks(), self.turns)

    def _play(self, move: Move) -> None:
        self.say("")
        self._run_action(self.session.play(move))

    def _run_action(self, action: Coroutine[Any, Any, None]) -> None:
        """Run an action in a worker, and show its error if it fails."""
        self.run_worker(self._run_and_report(action), group="actions")

    async def _run_and_report(self, action: Coroutine[Any, Any, None]) -> None:
        try:
            await action
        except (SumitoError, OSError) as error:
            self.refuse(error)

    # Typed moves and chat.

    def action_type(self) -> None:
        self.query_one("#typed", Input).focus()

    @on(Input.Submitted, "#typed")
    def _play_typed(self, event: Input.Submitted) -> None:
        text = typed_move(event.value) or event.value.strip()
        if not text:
            self.query_one(BoardView).focus()
            return
        try:
            self._check_turn()
            move = self.session.board.parse_move(text, notation=self.notation)
        except SumitoError as error:
            self.refuse(error)
            return
        event.input.clear()
        self._play(move)

    def action_chat(self) -> None:
        self.query_one("#chat-line", Input).focus()

    @on(Input.Submitted, "#chat-line")
    def _send_typed(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if text:
            self._run_action(self._send_chat(text))
        else:
            self.query_one(BoardView).focus()

    async def _send_chat(self, text: str) -> None:
        """Send a chat line; keep the text if that fails."""
        await self.session.say(text)
        self.query_one("#chat-line", Input).clear()

    def action_leave(self) -> None:
        if isinstance(self.focused, Input):
            self.query_one(BoardView).focus()
        elif self.selected:
            self.selected = selection.EMPTY
            self.update()
        else:
            self.dismiss()

    # Other keys.

    def action_take_back(self) -> None:
        self._run_action(self.session.do(GameAction.TAKE_BACK))

    def action_hint(self) -> None:
        """Mark the marbles that the engine would move."""
        lines = self.query_one(AnalysisPanel).lines
        if lines and self.is_at_end:
            effect = self.board.effect(lines[0].move)
            self._hint = frozenset(effect.moved)
            self.say(self.tr(N_("The engine would play {move}."), move=str(lines[0].move)))
            self.update_board()
        else:
            if not self.query_one(AnalysisPanel).is_on:
                self.action_analyse()
            self.say(self.tr(N_("The engine is starting; try again in a moment.")))

    def action_choose_action(self) -> None:
        actions = self.session.actions()
        if not actions:
            self.say(self.tr(N_("No other action is possible now.")))
            return
        named = {str(action): self.tr(ACTION_NAMES[action]) for action in actions}
        self.app.push_screen(ActionMenu(self.tr(N_("Choose an action")), named), self._chosen)

    def _chosen(self, chosen: str | None) -> None:
        if chosen is not None:
            self._run_action(self.session.do(GameAction(chosen)))


def _landing(effect: Effect) -> list[Cell]:
    steps = (cell.step(effect.direction) for cell in effect.moved)
    return [cell for cell in steps if cell is not None]


class ActionMenu(ModalScreen[str | None]):
    """A short list of actions."""

    CSS = """
    ActionMenu { align: center middle; }
    ActionMenu > Vertical { width: 44; height: auto; border: round $primary; padding: 1 2;
        background: $surface; }
    ActionMenu Label { text-style: bold; margin: 0 0 1 0; }
    ActionMenu OptionList { height: auto; max-height: 14; border: none; padding: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(("escape", "dismiss(None)", ""))

    def __init__(self, title: str, options: Mapping[str, str]) -> None:
        super().__init__()
        self._title = title
        self._options = options

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(self._title)
            yield OptionList(*(Option(text, id=id) for id, text in self._options.items()))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)
