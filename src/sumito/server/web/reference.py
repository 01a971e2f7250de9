"""The HTTP API of what there is: layouts, levels, languages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final, cast, get_args

from sumito.protocol import scalars, views
from sumito.rules import layouts
from sumito.rules.board import Board
from sumito.rules.modes import Colour, Mode
from sumito.rules.rules import PRESETS
from sumito.server.base import i18n as words
from sumito.server.engines import pool as computer
from sumito.server.games import presenter
from sumito.server.refusals import no_such_language
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
                [presenter.name(colour) for colour in mode.colours],
                presenter.sides_of(mode),
            )
            for mode in Mode
        ],
        presets=[
            presenter.rules_view(name, {one: _plain(value) for one, value in asdict(rules).items()})
            for name, rules in PRESETS.items()
        ],
        levels=computer.levels(),
        phrases=list(get_args(scalars.Phrase)),
        analysis_ms=call.services.settings.analysis_ms,
    )


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Colour) else value


async def list_levels(_: Call) -> list[views.LevelView]:
    """The computer's strengths."""
    return computer.levels()


async def get_words(call: Call) -> dict[str, str]:
    """All texts of a language by their English."""
    language = call.path("language")
    if language not in words.languages():
        raise no_such_language(language, status=404)
    return dict(words.catalogue(language))


OPERATIONS: Final = (
    Operation("GET", "/api/choices", choices, result=views.Choices),
    Operation(
        "GET",
        "/api/layouts",
        list_layouts,
        result=list[views.LayoutView],
        query=("mode",),
    ),
    Operation(
        "GET",
        "/api/levels",
        list_levels,
        result=list[views.LevelView],
        refusals=(503,),
    ),
    Operation(
        "GET",
        "/api/words/{language}",
        get_words,
        result=dict[str, str],
        refusals=(404,),
    ),
)
