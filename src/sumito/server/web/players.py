"""HTTP endpoints of players: leaderboard and profiles."""

from __future__ import annotations

from typing import Final, cast

from sumito.protocol import scalars, views
from sumito.rules.modes import Mode
from sumito.server.base.i18n import N_
from sumito.server.games import presenter
from sumito.server.ratings.ratings import displayed
from sumito.server.refusals import NotFound
from sumito.server.web.accounts import rating_views
from sumito.server.web.operations import Call, Operation


async def leaderboard(call: Call) -> views.Leaderboard:
    """The leaderboard of a mode."""
    mode = Mode.parse(call.query("mode") or "two")
    best = await call.services.people.store.leaderboard(mode)
    return views.Leaderboard(
        cast(scalars.Mode, str(mode)),
        [views.LeaderboardEntry(name, displayed(one), one.games) for name, one in best],
    )


async def get_player(call: Call) -> views.Profile:
    """A player."""
    store = call.services.people.store
    name = call.path("name")
    person = await store.by_account(name) if name.isprintable() else None
    if person is None or person.account is None:
        raise NotFound("no-such-player", N_("There is no player of that name."))
    history: dict[scalars.Mode, list[views.RatingPoint]] = {}
    for mode, at, rating, game in await store.rating_history(person.id):
        history.setdefault(cast(scalars.Mode, mode), []).append(views.RatingPoint(at, rating, game))
    games = await call.services.games.store.shown_of_person(person.id, limit=20)
    return views.Profile(
        person.account,
        person.created_at,
        rating_views(await store.ratings(person.id)),
        history,
        presenter.summaries(games),
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
