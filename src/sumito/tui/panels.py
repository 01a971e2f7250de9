"""Panels beside the board: players with clocks, moves, chat, and the engine's variations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static
from textual.worker import Worker

from sumito.drawing import scene
from sumito.engine import Engine, Limit, Variation
from sumito.errors import SumitoError
from sumito.game.clock import clock_text
from sumito.i18n.messages import N_
from sumito.record.tree import MoveNumber
from sumito.rules.board import Board
from sumito.rules.modes import BLACK, BLUE, RED, WHITE, Colour
from sumito.tui.localisation import Localiser

SIGNS: Final = {BLACK: "●", WHITE: "○", RED: "◆", BLUE: "◇"}
"""Sign of each colour, distinguishable without colours."""
_INKS: Final = {BLACK: "#9aa0ac", WHITE: "#ffffff", RED: "#ff6a48", BLUE: "#5c9bff"}
_BARS: Final = {BLACK: "#3c414b", WHITE: "#f3eee4", RED: "#e2482c", BLUE: "#1e5ac4"}
_LINES: Final = 3
_LABEL: Final = 6
"""Minimum width of a bar's part, in columns: a sign and a percentage."""
_LIMIT: Final = Limit(time=60.0)
"""Limit of the analysis of one position."""


def sign(colour: Colour) -> Text:
    """Return the sign of a colour, painted."""
    return Text().append(SIGNS[colour], style=f"bold {_INKS[colour]}")


class Players(Static):
    """The players: who is to move, clocks, and marbles ejected by each side."""

    DEFAULT_CSS = "Players { height: auto; padding: 0 1; }"

    def show(
        self,
        board: Board,
        names: Mapping[Colour, str],
        turn: Colour | None,
        clocks: Mapping[Colour, int | None],
        thinking: Colour | None = None,
    ) -> None:
        """Show the players in the order in which they move."""
        width = max(20, self.content_size.width or 34)
        piles = dict(
            zip((side[0] for side in board.mode.sides), scene.ejected_by(board), strict=True)
        )
        lines = []
        for colour in board.mode.order:
            clock = clocks.get(colour)
            time = "" if clock is None else clock_text(clock)
            if colour is thinking:
                time = f"… {time}".rstrip()
            pile = piles.get(colour, ())
            line = Text().append("▶ " if colour is turn else "  ", style="bold #ffd640")
            line.append_text(sign(colour)).append(" ")
            room = width - 6 - len(time) - len(pile)
            style = "bold" if colour is turn else "strike dim" if colour in board.eliminated else ""
            line.append(_cut(names[colour], room).ljust(room), style=style)
            for one in pile:
                line.append_text(sign(one))
            line.append(f"  {time}" if time else "", style="bold")
            lines.append(line)
        self.update(Text("\n").join(lines))


def brief(board: Board, turn: Colour | None, clocks: Mapping[Colour, int | None]) -> Text:
    """Return all players in one line, for a narrow window."""
    parts = []
    for number, side in enumerate(board.mode.sides):
        part = Text()
        for colour in side:
            part.append("▶" if colour is turn else "", style="bold #ffd640").append_text(
                sign(colour)
            )
            clock = clocks.get(colour)
            part.append("" if clock is None else f" {clock_text(clock)} ")
        parts.append(part.append(f" {board.captured[number]}", style="bold"))
    return Text("   ").join(parts)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(0, room - 1)] + "…"


class Moves(VerticalScroll, can_focus=False):
    """The moves so far, with the displayed one marked."""

    DEFAULT_CSS = "Moves { height: 1fr; min-height: 3; padding: 0 1; }"

    def compose(self) -> ComposeResult:
        yield Static(id="move-text")

    def show(self, boards: Sequence[Board], at: int) -> None:
        """Show the moves that led from the first board to the last."""
        text, line = self._written(boards, at)
        self.query_one("#move-text", Static).update(text)
        self.scroll_to(y=max(0, line - self.size.height // 2), animate=False)

    def _written(self, boards: Sequence[Board], at: int) -> tuple[Text, int]:
        first = boards[0]
        count = MoveNumber.at(first)
        text, line, marked = Text(), -1, 0
        for ply, board in enumerate(boards[1:], 1):
            before = boards[ply - 1]
            move = _last_move(board)
            following = count.next(before.mode, before.turn)
            label = following.label(count)
            if ply == 1 or not label.endswith("..."):
                line += 1
                text.append(("\n" if ply > 1 else "") + f"{label:<6}", style="dim")
            count = following
            if ply == at:
                marked = line
            text.append(f" {move:<6} ", style="reverse bold" if ply == at else "")
        return text, marked


def _last_move(board: Board) -> str:
    try:
        return str(board.peek())
    except IndexError:  # a player was eliminated just after it
        return "–"


class Chat(VerticalScroll, can_focus=False):
    """The chat, scrolled to its end; hidden while it is empty."""

    DEFAULT_CSS = """
    Chat { height: auto; max-height: 7; padding: 0 1; border-top: solid $primary; display: none; }
    Chat.-on { display: block; }
    """

    def compose(self) -> ComposeResult:
        yield Static(id="chat-lines")

    def show(self, lines: Sequence[tuple[str, str]]) -> None:
        """Show chat lines: sender and text."""
        self.set_class(bool(lines), "-on")
        paragraphs = (Text.assemble((f"{who}: ", "bold"), text) for who, text in lines)
        self.query_one("#chat-lines", Static).update(Text("\n").join(paragraphs))
        self.call_after_refresh(self.scroll_end, animate=False)


class AnalysisPanel(Vertical):
    """Engine analysis: a bar of winning chances, and the best variations."""

    DEFAULT_CSS = """
    AnalysisPanel { height: auto; padding: 0 1; border-top: solid $primary; display: none; }
    AnalysisPanel.-on { display: block; }
    """

    def __init__(self, tr: Localiser, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._tr = tr
        self._engine: Engine | None = None
        self._worker: Worker[None] | None = None
        self.lines: tuple[Variation, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static(id="bar")
        yield Static(id="lines")

    @property
    def is_on(self) -> bool:
        return self.has_class("-on")

    def toggle(self, board: Board) -> None:
        """Start or stop the analysis."""
        self.toggle_class("-on")
        self.think_about(board)

    def think_about(self, board: Board) -> None:
        """Analyse a position instead of the previous one."""
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        self.lines = ()
        if self.is_on:
            self._worker = self.run_worker(self._think(board), exclusive=True, group="analysis")

    def on_unmount(self) -> None:
        if self._engine is not None:
            self._engine.close()

    async def _think(self, board: Board) -> None:
        if board.is_over():
            self._say(self._tr(N_("The game is over.")))
            return
        self._say(self._tr(N_("The engine is thinking …")))
        try:
            if self._engine is None:
                self._engine = Engine(hash_mb=32)
            async with self._engine.analysis(board, _LIMIT, variations=_LINES) as analysis:
                async for lines in analysis:
                    self._show(board, lines)
        except SumitoError as error:
            self._say(self._tr.error(error))

    def _say(self, text: str) -> None:
        self.query_one("#bar", Static).update("")
        self.query_one("#lines", Static).update(text)

    def _show(self, board: Board, lines: tuple[Variation, ...]) -> None:
        self.lines = lines
        width = max(10, self.content_size.width or 30)
        self.query_one("#bar", Static).update(chance_bar(lines[0], board, width))
        text = Text()
        for line in lines:
            score = self._score(line)
            text.append(f"{score:>7} ", style="bold")
            played = _cut(" ".join(map(str, line.pv)), max(6, width - 8))
            text.append(played + "\n")
        text.append(
            self._tr(
                N_("depth {depth}, {speed:,} positions a second"),
                depth=lines[0].depth,
                speed=lines[0].nodes_per_second,
            ),
            style="dim",
        )
        self.query_one("#lines", Static).update(text)

    def _score(self, line: Variation) -> str:
        plies = line.score.plies
        if plies is None:
            return f"{line.score.marbles:+.2f}"
        return f"{'+' if line.score.is_win else '−'}#{plies}"


def chance_bar(line: Variation, board: Board, width: int) -> Text:
    """Return a bar of winning chances: the first side's part on the left, then the others'."""
    mover = board.mode.side(board.turn)
    chance = line.score.chance
    others = [side[0] for side in board.mode.sides if side[0] is not mover]
    shares = {mover: chance} | {side: (1 - chance) / len(others) for side in others}
    text = Text()
    left = width - _LABEL * len(shares)
    for number, side in enumerate(sorted(shares)):
        is_last = number == len(shares) - 1
        extra = left if is_last else round((width - _LABEL * len(shares)) * shares[side])
        left -= extra
        ink = "#202020" if side is WHITE else "#ffffff"
        label = f"{shares[side]:.0%}" if side is mover or len(shares) == 2 else ""
        room = _LABEL + extra
        text.append(f"{SIGNS[side]} {label}".ljust(room)[:room], style=f"{ink} on {_BARS[side]}")
    return text
