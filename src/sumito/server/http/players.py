"""The HTTP API of players: the best, and one of them."""

from __future__ import annotations

from typing import Final, cast

from sumito.modes import Mode
from sumito.server.game import show
from sumito.server.http.accounts import rating_views
from sumito.server.http.errors import Refusal
from sumito.server.http.operations import Call, Operation
from sumito.server.i18n import N_
from sumito.server.people.ratings import displayed
from sumito.server.wire import scalars, views


async def leaderboard(call: Call) -> views.Leaderboard:
    """The best of a mode."""
    mode = Mode.parse(call.query("mode") or "two")
    best = await call.services.people.store.best(mode)
    return views.Leaderboard(
        cast(scalars.Mode, str(mode)),
        [views.Ranked(name, displayed(one), one.games) for name, one in best],
    )


async def get_player(call: Call) -> views.Profile:
    """A player."""
    store = call.services.people.store
    name = call.path("name")
    person = await store.by_account(name) if name.isprintable() else None
    if person is None or person.account is None:
        raise Refusal("no-such-player", N_("there is no player of that name"), status=404)
    history: dict[scalars.Mode, list[views.RatingPoint]] = {}
    for mode, at, rating, game in await store.history(person.id):
        history.setdefault(cast(scalars.Mode, mode), []).append(views.RatingPoint(at, rating, game))
    games = await call.services.games.store.shown_of_person(person.id, limit=20)
    return views.Profile(
        person.account,
        person.created_at,
        rating_views(await store.ratings(person.id)),
        history,
        show.summaries(games),
    )


OPERATIONS: Final = (
    Operation(
        "GET",
        "/api/leaderboard",
        leaderboard,
        result=views.Leaderboard,
        query=("mode",),
    ),
    Operation("GET", "/api/players/{name}", get_player, result=views.Profile, refusals=(404,)),
)
