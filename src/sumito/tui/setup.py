"""The form for a new game: mode, start position, players, rules and clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select, Static

from sumito.engine import Level
from sumito.errors import SumitoError
from sumito.game import Game
from sumito.game.clock import Control, NoClock
from sumito.game.local import now
from sumito.i18n.messages import N_
from sumito.rules import layouts
from sumito.rules.modes import Colour, Mode
from sumito.rules.rules import PRESETS
from sumito.tui.localisation import Localiser
from sumito.tui.screens import bindings

HERE: Final = "here"
OPEN: Final = "open"
"""Player of a seat who is no level: a person here, or an invited one."""


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The terms of a new game; a seat is `HERE`, `OPEN` or a level's name."""

    mode: Mode = Mode.TWO
    layout: str | None = None
    preset: str = "rulebook"
    control: Control = field(default_factory=NoClock)
    seats: Mapping[Colour, str] = field(default_factory=dict)

    def levels(self) -> dict[Colour, Level]:
        """Return the seats that the computer plays, with their levels."""
        return {
            colour: Level.parse(who)
            for colour, who in self.seats.items()
            if who not in (HERE, OPEN)
        }

    def game(self, tr: Localiser) -> Game:
        """Return the game, for this keyboard."""
        levels = self.levels()
        names = {
            colour: tr.level(levels[colour]) if colour in levels else tr.colour(colour)
            for colour in self.mode.colours
        }
        return Game(
            names,
            self.mode,
            self.layout,
            rules=PRESETS[self.preset],
            control=self.control,
            start_at=now(),
        )


class SetupForm(ModalScreen[GameTerms | None]):
    """A form for the terms of a game."""

    CSS = """
    SetupForm { align: center middle; }
    SetupForm > VerticalScroll { width: 64; height: auto; max-height: 100%; border: round $primary;
        padding: 0 2; background: $surface; }
    SetupForm Horizontal { height: auto; }
    SetupForm Label { width: 18; padding: 0 1 0 0; }
    SetupForm Select { width: 1fr; }
    SetupForm Select > SelectCurrent { border: none; padding: 0 1; height: 1; }
    SetupForm Select { height: 1; }
    SetupForm Input { width: 1fr; border: none; height: 1; }
    SetupForm #title { text-style: bold; margin: 0 0 1 0; }
    SetupForm #problem { color: $text-warning; height: auto; }
    SetupForm #buttons { margin: 1 0 0 0; align-horizontal: right; }
    SetupForm Button { margin: 0 0 0 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(("escape", "dismiss(None)", ""))

    def __init__(self, tr: Localiser, *, is_online: bool = False, against: str = HERE) -> None:
        super().__init__()
        self.tr = tr
        self.is_online = is_online
        self._against = OPEN if is_online else against

    def compose(self) -> ComposeResult:
        tr = self.tr
        with VerticalScroll():
            yield Static(tr(N_("A new game")), id="title")
            yield from self._choice(
                "mode", N_("Mode"), [(tr.mode(mode), str(mode)) for mode in Mode], Mode.TWO
            )
            yield from self._choice("layout", N_("Start"), _layouts(Mode.TWO), layouts.STANDARD)
            for colour in Colour:
                who = HERE if colour is Colour.BLACK else self._against
                yield from self._choice(f"seat-{colour}", colour.label, self._players(), who)
            presets = [
                (tr(N_("Rulebook: no draws")), "rulebook"),
                (tr(N_("Tournament: draw at the third repetition")), "tournament"),
            ]
            yield from self._choice("rules", N_("Rules"), presets, "rulebook")
            with Horizontal():
                yield Label(tr(N_("Clock")))
                yield Input(
                    placeholder=tr(N_("none; or seconds, as 600 or 600+5")),
                    id="clock",
                    compact=True,
                )
            yield Static(id="problem")
            with Horizontal(id="buttons"):
                yield Button(tr(N_("Cancel")), id="cancel", compact=True)
                yield Button(tr(N_("Play")), id="play", variant="primary", compact=True)

    def _choice(
        self, id: str, label: str, options: list[tuple[str, str]], value: str
    ) -> ComposeResult:
        with Horizontal(id=f"row-{id}"):
            yield Label(_capital(self.tr(label)))
            yield Select(options, value=str(value), allow_blank=False, id=id, compact=True)

    def _players(self) -> list[tuple[str, str]]:
        me = self.tr(N_("Me") if self.is_online else N_("At this keyboard"))
        others = [(self.tr(N_("An invited person")), OPEN)] if self.is_online else []
        levels = [
            (self.tr(N_("Computer, {level}"), level=self.tr.level(level)), str(level))
            for level in Level
        ]
        return [(me, HERE), *others, *levels]

    def on_mount(self) -> None:
        self._show_seats(Mode.TWO)
        self.query_one("#play", Button).focus()

    @on(Select.Changed, "#mode")
    def _mode_changed(self, event: Select.Changed) -> None:
        mode = Mode.parse(str(event.value))
        self._show_seats(mode)
        select = self.query_one("#layout", Select)
        select.set_options(_layouts(mode))
        select.value = layouts.get(None, mode).id

    def _show_seats(self, mode: Mode) -> None:
        for colour in Colour:
            self.query_one(f"#row-seat-{colour}").display = colour in mode.colours

    @on(Button.Pressed, "#cancel")
    def _cancel(self) -> None:
        self.dismiss(None)

    @on(Button.Pressed, "#play")
    @on(Input.Submitted)
    def _done(self) -> None:
        try:
            self.dismiss(self._terms())
        except SumitoError as error:
            self.query_one("#problem", Static).update(self.tr.error(error))

    def _terms(self) -> GameTerms:
        mode = Mode.parse(self._value("mode"))
        clock = self.query_one("#clock", Input).value.strip() or "-"
        return GameTerms(
            mode=mode,
            layout=self._value("layout"),
            preset=self._value("rules"),
            control=Control.parse(clock),
            seats={colour: self._value(f"seat-{colour}") for colour in mode.colours},
        )

    def _value(self, id: str) -> str:
        return str(self.query_one(f"#{id}", Select).value)


def _layouts(mode: Mode) -> list[tuple[str, str]]:
    return [(one.name, id) for id, one in layouts.of(mode).items()]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
