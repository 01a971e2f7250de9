"""The board in a notebook: what is played in the browser comes back to Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.optional_parts import REASONS

pytest.importorskip("anywidget", reason=REASONS["notebook"])
if not (Path(__file__).parent.parent / "src/sumito/notebook/static/widget.js").exists():
    pytest.skip(REASONS["notebook"], allow_module_level=True)

from sumito import BLACK, Board, Move
from sumito.errors import IllegalMoveError, KindError, LanguageError
from sumito.notebook import BoardWidget


def tell(widget: BoardWidget, **content: object) -> None:
    """As the browser does."""
    widget._handle_custom_msg(content, [])


def test_a_move_made_in_the_browser_is_played_in_python() -> None:
    heard: list[Move] = []
    widget = BoardWidget(Board())
    widget.on_move(heard.append)
    tell(widget, type="choose", move="a1b2")
    assert [move.name for move in heard] == ["a1b2"]
    assert widget.board.moves == (Move.parse("a1b2"),)
    assert widget.shown["position"] == str(widget.board.position)
    assert widget.shown["last"]["moved"] == ["a1", "b2", "c3"]
    assert "white to move" in widget.shown["says"]


def test_what_the_rules_forbid_is_explained_and_changes_nothing() -> None:
    widget = BoardWidget()
    for content in (
        {"type": "choose", "move": "i9h8"},
        {"type": "choose", "move": "nonsense"},
        {"type": "choose"},
        {"type": "attempt", "cells": ["i9"], "direction": "SW"},
        {"type": "attempt", "cells": ["a1", "c3"], "direction": "E"},
        {"type": "attempt", "cells": "a1", "direction": None},
        {"type": "attempt"},
    ):
        tell(widget, **content)
        assert widget.board == Board()
        assert "to move" not in widget.shown["says"], content
    tell(widget, type="what", move="a1b2")
    tell(widget)
    assert widget.board == Board()


def test_the_standing_of_teams_names_both_winners_and_the_count() -> None:
    board = Board(mode="teams", captured=(5, 0))
    assert BoardWidget(board).shown["says"] == (
        "black to move, ejected by black+red: 5, by white+blue: 0"
    )
    won = str(board.position).replace("5,0", "6,0")
    assert (
        BoardWidget(Board.parse(won))
        .shown["says"]
        .startswith("black+red win (6 marbles ejected), ")
    )


def test_the_board_speaks_a_language() -> None:
    widget = BoardWidget(language="de")
    assert widget.shown["says"].startswith("Schwarz am Zug, ")
    tell(widget, type="attempt", cells=["e5"], direction="E")
    assert widget.shown["says"] == "auf e5 liegt keine Kugel"
    with pytest.raises(LanguageError):
        BoardWidget(language="xx")


def test_only_a_board_is_shown() -> None:
    with pytest.raises(KindError):
        BoardWidget("5/6/7/8/9/8/7/6/5 b")  # type: ignore[arg-type]


def test_only_the_players_colours_are_moved_by_hand() -> None:
    widget = BoardWidget(Board(), players=["white"])
    assert widget.shown["legal"] == []
    tell(widget, type="choose", move="a1b2")
    assert widget.board.moves == ()
    widget.push("a1b2")
    assert widget.shown["hand"] == ["white"]
    assert len(widget.shown["legal"]) == len(widget.board.legal_moves)
    widget.pop()
    assert widget.board.turn is BLACK


def test_a_program_that_plays_an_illegal_move_gets_the_error() -> None:
    with pytest.raises(IllegalMoveError):
        BoardWidget().push("i9h8")


def test_partners_marbles_may_be_picked_up() -> None:
    widget = BoardWidget(Board(mode="teams"))
    assert widget.shown["hand"] == ["black", "red"]


def test_a_finished_game_offers_nothing() -> None:
    widget = BoardWidget(Board.parse("5/6/7/8/9/8/7/6/bbw2 b 6,0 0 1"))
    assert widget.shown["legal"] == []
    assert widget.shown["turn"] is None
    assert "black wins" in widget.shown["says"]
