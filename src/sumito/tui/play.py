"""The screen of a game: touch the marbles of a row, then where they go, or type the move."""

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
    """A game, shown and played."""

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
        self._sit_down()

    def _sit_down(self) -> None:
        """Turn the board to one's own seat, whenever that is a new one."""
        if self._hands != self.session.local_seats:
            self._hands = self.session.local_seats
            if len(self._hands) == 1:
                (seat,) = self._hands
                self.turns = scene.turns_for(self.session.board, seat)

    # What is shown.

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
        found = selection.targets(self.board, self.selected)
        pushes = {one.cell for one in found if one.effect.pushed}
        return Marks(
            chosen=frozenset(self.selected),
            targets=frozenset(one.cell for one in found) - pushes,
            pushes=frozenset(pushes),
            preview=self._preview(found),
            left=left if not self.selected else frozenset(),
            reached=reached if not self.selected else frozenset(),
            hint=self._hint,
        )

    def _preview(self, found: Sequence[selection.Target]) -> frozenset[Cell]:
        """Where the row would stand if the cell under the mouse were touched."""
        for one in found:
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
        """Offer no key for what can't be done."""
        return self.session.may_chat if action == "chat" else True

    @on(events.Mount)
    async def _begin(self) -> None:
        self.set_interval(_TICK, self._tick)
        await self.session.begin(self._happened)

    async def on_unmount(self) -> None:
        await self.session.close()

    def _tick(self) -> None:
        self.session.tick()
        if any(clock is not None for clock in self.session.clocks().values()):
            self.update_players()

    def _happened(self, news: str) -> None:
        """Show what has changed in the game."""
        self._sit_down()
        self.selected, self._hint = selection.EMPTY, frozenset()
        self.at = len(self.boards) - 1
        if self.is_mounted:
            if news:  # a move alone doesn't wipe out what is being read
                self.say(news)
            self.update()

    # Touches.

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
        """Show the board alone again."""
        view = self.query_one(BoardView)
        view.show(view.colours, self.marks(), self.turns)

    def _play(self, move: Move) -> None:
        self.say("")
        self._attempt(self.session.play(move))

    def _attempt(self, action: Coroutine[Any, Any, None]) -> None:
        """Do something that takes its time, and say why if it can't be done."""
        self.run_worker(self._attempted(action), group="actions")

    async def _attempted(self, action: Coroutine[Any, Any, None]) -> None:
        try:
            await action
        except (SumitoError, OSError) as error:
            self.refuse(error)

    # Typed moves.

    def action_type(self) -> None:
        self.query_one("#typed", Input).focus()

    @on(Input.Submitted, "#typed")
    def _typed(self, event: Input.Submitted) -> None:
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
    def _said(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if text:
            self._attempt(self._say(text))
        else:
            self.query_one(BoardView).focus()

    async def _say(self, text: str) -> None:
        """Say it; what couldn't be said stays in the line."""
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

    # The other keys.

    def action_take_back(self) -> None:
        self._attempt(self.session.do(GameAction.TAKE_BACK))

    def action_hint(self) -> None:
        """Point out the marbles that the engine would move."""
        lines = self.query_one(AnalysisPanel).lines
        if lines and self.is_at_end:
            effect = self.board.effect(lines[0].move)
            self._hint = frozenset(effect.moved)
            self.say(self.tr(N_("The engine would play {move}."), move=str(lines[0].move)))
            self.update_board()
        else:
            if not self.query_one(AnalysisPanel).is_on:
                self.action_analyse()
            self.say(self.tr(N_("The engine begins to think; ask again in a moment.")))

    def action_choose_action(self) -> None:
        actions = self.session.actions()
        if not actions:
            self.say(self.tr(N_("There is nothing else to do now.")))
            return
        named = {str(action): self.tr(ACTION_NAMES[action]) for action in actions}
        self.app.push_screen(DeedMenu(self.tr(N_("What will you do?")), named), self._chosen)

    def _chosen(self, chosen: str | None) -> None:
        if chosen is not None:
            self._attempt(self.session.do(GameAction(chosen)))


def _landing(effect: Effect) -> list[Cell]:
    steps = (cell.step(effect.direction) for cell in effect.moved)
    return [cell for cell in steps if cell is not None]


class DeedMenu(ModalScreen[str | None]):
    """A short list to choose one from."""

    CSS = """
    DeedMenu { align: center middle; }
    DeedMenu > Vertical { width: 44; height: auto; border: round $primary; padding: 1 2;
        background: $surface; }
    DeedMenu Label { text-style: bold; margin: 0 0 1 0; }
    DeedMenu OptionList { height: auto; max-height: 14; border: none; padding: 0; }
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
