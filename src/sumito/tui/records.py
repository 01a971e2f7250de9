"""The record browser: the games of a file as a list, and a screen to replay one.

A file is scanned in a thread, by tags alone, and a game is read when it is opened, so that large
files are listed at once and scroll smoothly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.widgets import DataTable, DirectoryTree, Footer, Input, Static
from textual.worker import get_current_worker

from sumito import record
from sumito.errors import SumitoError
from sumito.i18n.messages import N_, NN_
from sumito.record import Entry, Record
from sumito.rules.board import Board
from sumito.rules.modes import Colour
from sumito.tui.localisation import Localiser
from sumito.tui.screens import BoardScreen, LocalisedScreen, bindings

_CHUNK: Final = 200
_PAUSE: Final = 0.15
_COLUMNS: Final = (
    ("#", 6),
    (N_("Black"), 18),
    (N_("White"), 18),
    (N_("Result"), 9),
    (N_("Date"), 12),
    (N_("Event"), 26),
    (N_("Start"), 14),
)
_TAGS: Final = ("Black", "White", "Result", "Date", "Event", "Variant")


class BrowserScreen(LocalisedScreen):
    """A file of games as a list; without a file, the folder to choose one from."""

    CSS = """
    BrowserScreen #filter { border: none; height: 1; padding: 0 1; margin: 0 0 1 0; }
    BrowserScreen #summary { height: auto; padding: 0 1; }
    BrowserScreen #summary.-refused { color: $text-warning; text-style: bold; }
    BrowserScreen DataTable { height: 1fr; }
    BrowserScreen DirectoryTree { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        ("slash", "filter", N_("Search")),
        ("o", "files", N_("Another file")),
        ("escape", "leave", N_("Menu")),
    )

    def __init__(self, tr: Localiser, path: Path | None = None) -> None:
        super().__init__(tr)
        self.path = path
        self.entries: list[Entry] = []
        self.matches: list[Entry] = []
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="summary")
        yield Input(
            placeholder=self.tr(N_("Search: a name, an event, a year …")),
            id="filter",
            compact=True,
        )
        table: DataTable[str] = DataTable(cursor_type="row", zebra_stripes=True, id="games")
        for label, width in _COLUMNS:
            table.add_column(self.tr(label), width=width)
        yield table
        yield DirectoryTree(Path.cwd(), id="files")
        yield Footer()

    def on_mount(self) -> None:
        if self.path is None:
            self.action_files()
        else:
            self._open(self.path)

    def _table(self) -> DataTable[str]:
        return self.query_one(DataTable)

    def action_files(self) -> None:
        """Show the files to choose from."""
        self._show_list(False)
        self.say(self.tr(N_("Choose a file of games (.apgn).")))
        self.query_one(DirectoryTree).focus()

    def _show_list(self, is_list: bool) -> None:
        self.query_one(DirectoryTree).display = not is_list
        self._table().display = self.query_one("#filter").display = is_list

    def say(self, text: str, *, is_refused: bool = False) -> None:
        """Show a message."""
        summary = self.query_one("#summary", Static)
        summary.set_class(is_refused, "-refused")
        summary.update(text)

    @on(DirectoryTree.FileSelected)
    def _file_chosen(self, event: DirectoryTree.FileSelected) -> None:
        self._open(event.path)

    def _open(self, path: Path) -> None:
        self.path = path
        self.entries, self.matches = [], []
        self._table().clear()
        self._show_list(True)
        self._table().focus()
        self._scan(path)

    @work(thread=True, exclusive=True, group="scan")
    def _scan(self, path: Path) -> None:
        worker = get_current_worker()
        chunk: list[Entry] = []
        try:
            for entry in record.scan(path):
                if worker.is_cancelled:
                    return
                chunk.append(entry)
                if len(chunk) == _CHUNK:
                    self.app.call_from_thread(self._add, chunk)
                    chunk = []
        except (SumitoError, OSError, UnicodeError) as error:
            self.app.call_from_thread(self.say, self.tr.error(error), is_refused=True)
            return
        self.app.call_from_thread(self._add, chunk)

    def _add(self, chunk: list[Entry]) -> None:
        self.entries += chunk
        terms = self._search_words()
        self._show([entry for entry in chunk if _fits(entry, terms)])

    def _show(self, entries: list[Entry]) -> None:
        self.matches += entries
        self._table().add_rows([_row(entry) for entry in entries])
        self._summarise()

    def _summarise(self) -> None:
        if not self.entries:
            self.say(self.tr(N_("There is no game in {path}."), path=self.path), is_refused=True)
            return
        counted = self.tr(NN_("{count:,} game", "{count:,} games"), count=len(self.matches))
        self.say(f"{self.path}: {counted}")

    def _search_words(self) -> list[str]:
        return self.query_one("#filter", Input).value.lower().split()

    @on(Input.Changed, "#filter")
    def _schedule_search(self) -> None:
        """Search when the typing pauses (debounced)."""
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(_PAUSE, self._search)

    def _search(self) -> None:
        terms = self._search_words()
        self.matches = []
        self._table().clear()
        self._show([entry for entry in self.entries if _fits(entry, terms)])

    @on(Input.Submitted, "#filter")
    def _searched(self) -> None:
        self._table().focus()

    def action_filter(self) -> None:
        self.query_one("#filter", Input).focus()

    def action_leave(self) -> None:
        if self.query_one("#filter", Input).has_focus:
            self._table().focus()
        else:
            self.dismiss()

    @on(DataTable.RowSelected)
    def _selected(self, event: DataTable.RowSelected) -> None:
        entry = self.matches[event.cursor_row]
        try:
            game = entry.read()
            screen = RecordScreen(self.tr, game, entry.number)
        except (SumitoError, OSError) as error:
            self.say(self.tr.error(error), is_refused=True)
            return
        self.app.push_screen(screen)


def _row(entry: Entry) -> list[str]:
    return [str(entry.number), *(entry.tags.get(tag, "") for tag in _TAGS)]


def _fits(entry: Entry, terms: Sequence[str]) -> bool:
    text = " ".join(entry.tags.values()).lower()
    return all(word in text for word in terms)


class RecordScreen(BoardScreen):
    """A game of a record, replayed move by move."""

    is_played = False

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        ("left", "look(-1)", N_("Back")),
        ("right", "look(1)", N_("Forward")),
        ("up", "look(-10)", ""),
        ("down", "look(10)", ""),
    )

    def __init__(self, tr: Localiser, game: Record, number: int) -> None:
        super().__init__(tr)
        self.game = game
        self._number = number
        self._boards = list(game.boards())

    @property
    def boards(self) -> Sequence[Board]:
        return self._boards

    @on(events.Mount)
    def _greet(self) -> None:
        if self.game.errors:
            self.refuse(self.game.errors[0])
        else:
            self.say(self.tr(N_("← and → walk through the game, Home and End jump.")))

    def names(self) -> Mapping[Colour, str]:
        tags = self.game.tags
        return {
            colour: tags.get(colour.name.capitalize(), "?") for colour in self.board.mode.colours
        }

    def heading(self) -> str:
        tags = self.game.tags
        parts = [f"#{self._number}", tags.get("Event", ""), tags.get("Date", "")]
        return " · ".join(part for part in parts if part.strip("?. "))

    def clocks(self) -> Mapping[Colour, int | None]:
        """Return what the clocks showed in the displayed position."""
        shown: dict[Colour, int | None] = {}
        for board, node in zip(self._boards[: self.at], self.game.nodes, strict=False):
            shown[board.turn] = node.clock
        return shown

    def turn(self) -> Colour | None:
        return None if self.board.is_over() else self.board.turn

    def status(self) -> str:
        result = self.game.tags.get("Result", "*")
        node = self.game.nodes[self.at - 1] if self.at else self.game.root
        return "  ".join(part for part in (super().status(), result, node.comment) if part)

    def game_record(self) -> Record:
        return self.game
