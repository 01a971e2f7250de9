"""HTTP endpoints of puzzles: results of accounts, and ratings computed from them."""

from __future__ import annotations

from functools import cache
from typing import Final

from sumito.protocol import requests, views
from sumito.puzzles import Puzzle, shipped
from sumito.rules.move import MOVES
from sumito.server.base.i18n import N_
from sumito.server.ratings.ratings import displayed
from sumito.server.refusals import Forbidden, NotFound
from sumito.server.storage.puzzles_repo import PuzzlePlayer
from sumito.server.web.operations import Call, Operation


async def get_standing(call: Call) -> views.PuzzleStanding:
    """My rating and results with puzzles."""
    return _standing(await call.services.puzzles.of_person(call.identity.id))


async def get_ratings(call: Call) -> views.PuzzleRatings:
    """The ratings of the puzzles that were tried."""
    return views.PuzzleRatings(await call.services.puzzles.ratings())


async def add_result(call: Call) -> views.PuzzleStanding:
    """Save my first attempt at a puzzle; the server verifies the solution."""
    puzzle = _puzzles().get(call.path("id"))
    if puzzle is None:
        raise NotFound("no-such-puzzle", N_("There is no such puzzle."))
    person = await call.person()
    if not person.account:
        raise Forbidden(
            "no-account",
            N_("Puzzle results are saved only for accounts."),
        )
    await call.services.limits.puzzle(person.id)
    moves = [MOVES[index] for index in call.body(requests.PuzzleTry).moves]
    tried = await call.services.puzzles.add(
        person.id,
        puzzle.id,
        puzzle.rating,
        call.services.games.now(),
        solved=puzzle.is_solved_by(moves),
    )
    return _standing(tried.player, tried.puzzle_rating, counted=tried.counted)


def _standing(
    player: PuzzlePlayer, puzzle_rating: int | None = None, *, counted: bool = True
) -> views.PuzzleStanding:
    return views.PuzzleStanding(
        rating=displayed(player.rating),
        tries=player.tries,
        solved=player.solved,
        puzzle_rating=puzzle_rating,
        counted=counted,
    )


@cache
def _puzzles() -> dict[str, Puzzle]:
    """The puzzles there are, by id."""
    return {puzzle.id: puzzle for puzzle in shipped()}


OPERATIONS: Final = (
    Operation("GET", "/api/puzzles/me", get_standing, result=views.PuzzleStanding),
    Operation("GET", "/api/puzzles/ratings", get_ratings, result=views.PuzzleRatings),
    Operation(
        "POST",
        "/api/puzzles/{id}/results",
        add_result,
        requests.PuzzleTry,
        views.PuzzleStanding,
        refusals=(403, 404),
    ),
)
