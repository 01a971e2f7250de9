"""HTTP endpoints for reference data: layouts, and the choices for a new game."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final, cast, get_args

from sumito.protocol import scalars, views
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.rules import PRESETS
from sumito.server.engines.levels import levels
from sumito.server.games import presenter
from sumito.server.web.operations import Call, Operation


async def list_layouts(call: Call) -> list[views.LayoutView]:
    """The start positions of a mode."""
    mode = Mode.parse(call.query("mode") or "two")
    return [
        views.LayoutView(one.id, one.name, one.fair, str(Board(one.id, mode).position))
        for one in layouts.of(mode).values()
    ]


async def choices(call: Call) -> views.Choices:
    """What one can choose from when making a game."""
    return views.Choices(
        modes=[
            views.ModeChoice(
                cast(scalars.Mode, str(mode)),
                [presenter.colour_name(colour) for colour in mode.colours],
                presenter.sides_of(mode),
            )
            for mode in Mode
        ],
        presets=[
            presenter.rules_view(name, {one: _plain(value) for one, value in asdict(rules).items()})
            for name, rules in PRESETS.items()
        ],
        levels=levels(),
        phrases=list(get_args(scalars.Phrase)),
        analysis_ms=call.services.settings.analysis_ms,
    )


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Colour) else value


OPERATIONS: Final = (
    Operation("GET", "/api/choices", choices, result=views.Choices),
    Operation(
        "GET",
        "/api/layouts",
        list_layouts,
        result=list[views.LayoutView],
        query=("mode",),
    ),
)
