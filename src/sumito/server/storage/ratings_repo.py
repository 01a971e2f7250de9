"""Repository of ratings: computed and stored in the transaction that ends a rated game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Final

from sqlalchemy import Connection, insert, select, update

from sumito.server.ratings.ratings import (
    HISTORY,
    RECENT_MS,
    Credit,
    Opponents,
    RatedResult,
    Rating,
    credit,
    displayed,
    rated,
)
from sumito.server.storage import tables
from sumito.server.storage.upsert import insert_missing

NETWORK_MS: Final = 30 * 86_400_000
"""How long the networks of an account are stored."""


def rate_game(
    connection: Connection, game_id: str, result: RatedResult, at: int, same_network: float
) -> None:
    """Store everybody's rating after a game; deleted accounts are left out.

    `same_network` is what a game counts between people who use the same network, from 0 to 1.
    """
    people = sorted(_with_account(connection, result))
    result = result.restricted_to(people)
    if len(result.sides) < 2:
        return
    before = _locked(connection, result.mode, people)
    credits = _credits(connection, result, people, at, same_network)
    after = rated(result, before, credits)
    ratings = tables.ratings
    for person in people:
        rating = after[person]
        connection.execute(
            update(ratings)
            .where(ratings.c.person_id == person, ratings.c.mode == result.mode)
            .values(mu=rating.mu, sigma=rating.sigma, games=rating.games)
        )
        connection.execute(
            insert(tables.rating_history).values(
                person_id=person,
                game_id=game_id,
                mode=result.mode,
                at=at,
                rating=displayed(rating),
            )
        )


def _with_account(connection: Connection, result: RatedResult) -> list[str]:
    """Return the players who have an account, locked against deletion until the commit."""
    people = tables.people
    players = [person for side in result.sides for person in side]
    query = (
        select(people.c.id)
        .where(people.c.id.in_(players), people.c.account.is_not(None))
        .order_by(people.c.id)
        .with_for_update(read=True, key_share=True)
    )
    return list(connection.scalars(query))


def _locked(connection: Connection, mode: str, people: Sequence[str]) -> dict[str, Rating]:
    """Return the players' ratings, locked in order; inserted first if missing."""
    ratings, first = tables.ratings, Rating()
    insert_missing(
        connection,
        ratings,
        [
            {
                "person_id": person,
                "mode": mode,
                "mu": first.mu,
                "sigma": first.sigma,
                "games": first.games,
            }
            for person in people
        ],
    )
    rows = connection.execute(
        select(ratings)
        .where(ratings.c.mode == mode, ratings.c.person_id.in_(people))
        .order_by(ratings.c.person_id)
        .with_for_update()
    )
    return {row.person_id: Rating(row.mu, row.sigma, row.games) for row in rows}


def _credits(
    connection: Connection, result: RatedResult, people: Sequence[str], at: int, same_network: float
) -> dict[tuple[str, str], Credit]:
    known = {person: _opponents(connection, person, result.mode, at) for person in people}
    credits = {pair: credit(*pair, known) for pair in permutations(people, 2)}
    for one, other in combinations(people, 2):
        if _share_network(connection, one, other, at):
            for pair in ((one, other), (other, one)):
                weight = credits[pair].weight * same_network
                credits[pair] = replace(credits[pair], weight=weight)
    return credits


def _opponents(connection: Connection, person: str, mode: str, at: int) -> Opponents:
    """Return the opponents of a person's last rated games of a mode."""
    past, other = tables.rating_history, tables.rating_history.alias()
    last = (
        select(past.c.game_id, past.c.at)
        .where(past.c.person_id == person, past.c.mode == mode)
        .order_by(past.c.at.desc())
        .limit(HISTORY)
        .subquery()
    )
    query = (
        select(other.c.person_id, last.c.at)
        .join(last, last.c.game_id == other.c.game_id)
        .where(other.c.person_id != person)
    )
    games: Counter[str] = Counter()
    recent: Counter[str] = Counter()
    for met, when in connection.execute(query):
        games[met] += 1
        recent[met] += when >= at - RECENT_MS
    return Opponents(games, recent)


def _share_network(connection: Connection, one: str, other: str, at: int) -> bool:
    """Whether two accounts were used from the same network lately."""
    own, theirs = tables.networks, tables.networks.alias()
    query = (
        select(own.c.network)
        .join(theirs, own.c.network == theirs.c.network)
        .where(
            own.c.person_id == one,
            theirs.c.person_id == other,
            own.c.seen_at >= at - NETWORK_MS,
            theirs.c.seen_at >= at - NETWORK_MS,
        )
        .limit(1)
    )
    return connection.scalar(query) is not None
