"""Driving the terminal app as a person would."""

import asyncio

from textual.widgets import Static

from sumito import Cell, Mode
from sumito.game import Game
from sumito.game.clock import Control
from sumito.game.local import now
from sumito.tui.app import SumitoApp
from sumito.tui.board import BoardView
from sumito.tui.localisation import Localiser

PATIENCE = 120


def new_game(mode=Mode.TWO, control="-", **more):
    names = dict(zip(mode.colours, ("Ann", "Ben", "Cas", "Dora"), strict=False))
    return Game(names, mode, control=Control.parse(control), start_at=now(), **more)


def app_with(language="en", **more):
    return SumitoApp(Localiser(language), **more)


async def until(pilot, condition):
    """Wait for something that must come; only a failing test waits long."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await pilot.pause(0.02)


async def touch(pilot, *cells):
    view = pilot.app.screen.query_one(BoardView)
    for cell in cells:
        await pilot.click(view, offset=view.cell_offset(Cell.parse(cell)))
        await pilot.pause()


def text(app, selector):
    return str(app.screen.query_one(selector, Static).render())


def board(app):
    return app.screen.session.board
