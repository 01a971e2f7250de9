"""Ratings: convergence, credit by opponents, farming, networks, concurrency."""

import asyncio
import itertools
import math
import random
import secrets
import statistics
from collections import Counter, defaultdict

import pytest
from sqlalchemy import insert, select, update

from sumito.server.games import rated_games
from sumito.server.ratings.ratings import (
    Credit,
    Opponents,
    RatedResult,
    Rating,
    credit,
    displayed,
    rated,
    trust,
)
from sumito.server.storage import open_database, tables
from sumito.server.storage.ratings_repo import rate_game
from support.in_process import downgraded, services_in
from support.processes import Player, ServerProcess, legal, sign_up

DAY_MS = 86_400_000
CLOCK = {"kind": "sudden_death", "ms": 600_000}


class Ladder:
    """Games between people without a server, all within a month."""

    def __init__(self, network=1.0):
        self.ratings = defaultdict(Rating)
        self.games = defaultdict(Counter)
        self.network = network

    def play(self, winner, loser):
        known = {one: Opponents(self.games[one], self.games[one]) for one in (winner, loser)}
        credits = {}
        for pair in ((winner, loser), (loser, winner)):
            found = credit(*pair, known)
            credits[pair] = Credit(found.weight * self.network, found.trust)
        before = {one: self.ratings[one] for one in (winner, loser)}
        self.ratings |= rated(RatedResult("two", ((winner,), (loser,)), (0, 1)), before, credits)
        self.games[winner][loser] += 1
        self.games[loser][winner] += 1

    def shown(self, person):
        return displayed(self.ratings[person])

    def farm(self, puppets, among, each):
        """Puppets play each other, then all lose to one; returns that one's rating."""
        names = [f"puppet{number}" for number in range(puppets)]
        for _ in range(among):
            for pair in itertools.combinations(names, 2):
                self.play(*pair)
        for name in names * each:
            self.play("main", name)
        return self.shown("main")


@pytest.mark.parametrize(
    ("puppets", "among", "each", "network", "bound"),
    [
        # What took an account to 2,279 when only the number of games counted.
        (5, 5, 5, 1.0, 1850),
        (5, 5, 5, 0.1, 1600),
        (5, 5, 40, 1.0, 2000),
        (19, 3, 10, 0.1, 2000),
        (1, 0, 200, 1.0, 1600),
    ],
)
def test_puppets_lift_nobody_above_a_bound(puppets, among, each, network, bound):
    assert Ladder(network).farm(puppets, among, each) < bound


@pytest.mark.parametrize("seed", range(5))
def test_a_club_of_ten_finds_its_true_strengths(seed):
    rng = random.Random(seed)
    true = {f"member{number}": 1200 + number * 600 / 9 for number in range(10)}
    club = Ladder()
    for _ in range(10):
        pairs = list(itertools.combinations(true, 2))
        rng.shuffle(pairs)
        for one, other in pairs:
            # As openskill sees it: beta is 25/6, and 48 points are a unit.
            chance = 1 / (1 + math.exp((true[other] - true[one]) / 48 / (math.sqrt(2) * 25 / 6)))
            club.play(*((one, other) if rng.random() < chance else (other, one)))
    shown = [club.shown(one) for one in true]
    assert statistics.correlation(shown, list(true.values())) > 0.85
    error = statistics.mean(abs(club.shown(one) - true[one]) for one in true)
    assert error < 110


def test_trust_is_earned_against_distinct_others():
    many = Counter({str(number): 9 for number in range(12)})
    same = Counter({"ben": 500})
    assert trust("ann", "ben", {"ben": Opponents(many)}) == 1
    assert trust("ann", "cas", {"cas": Opponents(same)}) < 0.11
    assert trust("ann", "ben", {"ben": Opponents(Counter({"ann": 500}))}) == 0
    # Those whom Ann has played too vouch for Ben by a half.
    known = {"ben": Opponents(many), "ann": Opponents(many)}
    assert 0.5 < trust("ann", "ben", known) < 0.61


@pytest.mark.parametrize("met", [0, 1, 9, 10**6])
def test_a_game_against_the_same_opponent_counts_less_and_less(met):
    known = {"ann": Opponents({}, {"ben": met})}
    assert credit("ann", "ben", known).weight == pytest.approx(0.05 / (1 + met))


def test_a_rating_without_credit_stands_still():
    nothing = {pair: Credit(0, 0) for pair in (("a", "b"), ("b", "a"))}
    after = rated(RatedResult("two", (("a",), ("b",)), (0, 1)), {}, nothing)
    assert (after["a"].mu, after["a"].sigma, after["a"].games) == (Rating().mu, Rating().sigma, 1)


# In the database.


async def account(services, name=None, at=1):
    """An account without the cost of a password."""
    name = name or f"p{secrets.token_hex(5)}"
    values = {"id": secrets.token_hex(6), "name": name, "account": name, "created_at": at}
    row = insert(tables.people).values(account_key=name.casefold(), likeness=name, **values)
    await services.database.write(lambda connection: connection.execute(row) and None)
    return values["id"]


async def played(database, *people, mode="two", at=DAY_MS, network=1.0, game=None):
    """A rated game that the first of them won, with no events."""
    game = game or secrets.token_hex(6)

    def write(connection):
        connection.execute(
            insert(tables.games).values(
                id=game,
                creator="",
                terms="{}",
                status="over",
                listed=True,
                created_at=at,
                version=1,
                position="",
                moves=10,
            )
        )
        sides = tuple((one,) for one in people)
        places = (0,) + (1,) * (len(people) - 1)
        rate_game(connection, game, RatedResult(mode, sides, places), at, network)

    await database.write(write)


async def points(services, person, mode="two"):
    ratings = await services.people.store.ratings(person)
    return (ratings[mode].mu - Rating().mu) * 48 if mode in ratings else None


async def test_players_who_share_an_address_gain_a_tenth(tmp_path):
    async with services_in(tmp_path) as services:
        near = [await account(services) for _ in range(2)]
        far = [await account(services) for _ in range(2)]
        people = services.people
        now = services.games.now()
        for one in near:
            await people.note_network(one, "2001:db8::1")
        for one, address in zip(far, ("192.0.2.1", "192.0.2.2"), strict=True):
            await people.note_network(one, address)
        for pair in (near, far):
            await played(services.database, *pair, at=now, network=0.1)
        gained = await points(services, near[0]), await points(services, far[0])
        assert gained[0] == pytest.approx(gained[1] / 10)
        # A month later it is forgotten.
        later = now + 31 * DAY_MS
        await played(services.database, *near, at=later, network=0.1)
        assert await points(services, near[0]) - gained[0] > 3 * gained[0]


async def test_networks_of_ipv6_are_those_of_a_household(tmp_path):
    async with services_in(tmp_path) as services:
        ann = await account(services)
        await services.people.note_network(ann, "2001:db8::1")
        await services.people.note_network(ann, "2001:db8::1")
        assert await services.people.knows_network(ann, "2001:db8::ffff")
        assert not await services.people.knows_network(ann, "2001:db8:0:1::1")
        query = select(tables.networks)
        rows = await services.database.read(lambda connection: connection.execute(query).all())
        assert len(rows) == 1
        assert "2001" not in rows[0].network


@pytest.mark.parametrize("gone", ["", "nobody", "deleted"])
async def test_a_game_of_three_is_rated_without_the_one_who_left(tmp_path, gone):
    async with services_in(tmp_path) as services:
        ann, ben = await account(services), await account(services)
        if gone == "deleted":
            gone = await account(services)
            await services.people.store.delete(gone)
        await played(services.database, ann, ben, gone, mode="three")
        assert await points(services, ann, "three") > 0
        assert await points(services, gone, "three") is None


async def test_the_history_that_counts_is_bounded(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben = await account(services), await account(services)
        for number in range(4):
            await played(services.database, ann, ben, at=number)
        assert (await services.people.store.ratings(ann))["two"].games == 4


# Who may play rated games.


async def test_a_new_account_plays_rated_games_when_it_has_met_several_others(tmp_path):
    async with services_in(tmp_path) as services:
        now = services.games.now()
        old = [await account(services) for _ in range(3)]
        new = await account(services, at=now)
        person = await services.people.store.get(new)

        async def admit(at):
            await rated_games.admit(services.people, person, "192.0.2.1", services.settings, at)

        for number, other in enumerate(old):
            with pytest.raises(rated_games.Refusal, match="24 hours"):
                await admit(now)
            await finished(services, f"game{number}", new, other)
            # The same opponent again doesn't help.
            await finished(services, f"again{number}", new, other)
        await admit(now)


async def test_an_account_is_old_enough_after_a_day(tmp_path):
    async with services_in(tmp_path) as services:
        now = services.games.now()
        person = await services.people.store.get(await account(services, at=now))
        with pytest.raises(rated_games.Refusal):
            await rated_games.admit(
                services.people, person, "::1", services.settings, now + DAY_MS - 1
            )
        await rated_games.admit(services.people, person, "::1", services.settings, now + DAY_MS)


async def finished(services, game, *people):
    def write(connection):
        values = {"id": game, "creator": "", "terms": "{}", "status": "over", "listed": False}
        values |= {"created_at": 1, "version": 1, "position": "", "moves": 10}
        connection.execute(insert(tables.games).values(values))
        for colour, person in zip(("black", "white"), people, strict=True):
            row = {"game_id": game, "colour": colour, "kind": "person", "name": "x"}
            connection.execute(insert(tables.seats).values(row | {"person_id": person}))

    await services.database.write(write)


async def test_a_new_account_gets_no_rated_game(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3", rated_after_hours=24).start()
    ann = Player(server.url)
    try:
        await sign_up(ann)
        refused = await ann.post("/api/games", {"rated": True, "control": CLOCK}, 403)
        assert refused["error"]["code"] == "account-too-new"
        await ann.new_game(control=CLOCK)
    finally:
        await ann.close()
        said = server.stop()
    assert "Traceback" not in said, said


# Many writers.


async def test_games_of_the_same_people_that_end_together_are_all_rated(database):
    """On PostgreSQL they would deadlock, or lose each other's rating, without an order of locks."""
    opened = open_database(str(database))
    await opened.migrate()
    try:
        services = type("Services", (), {"database": opened})
        people = [await account(services) for _ in range(4)]
        rounds = 5
        pairs = list(itertools.permutations(people, 2)) * rounds
        await asyncio.gather(*(played(opened, *pair) for pair in pairs))
        query = select(tables.ratings.c.games).where(tables.ratings.c.person_id.in_(people))
        counts = await opened.read(lambda connection: list(connection.scalars(query)))
        # Each of the four meets three others twice, once for each colour.
        assert counts == [2 * 3 * rounds] * 4
    finally:
        await opened.close()


# The attack itself.


@pytest.mark.slow
async def test_five_puppets_at_one_address_make_no_champion(tmp_path):
    """74 games of ten plies: once they took an account to 2,279 points in 100 seconds."""
    server = ServerProcess(tmp_path / "games.sqlite3", same_network=10).start()
    try:
        main, *puppets = [Player(server.url) for _ in range(6)]
        name = await sign_up(main)
        for one in puppets:
            await sign_up(one)
        for pair in list(itertools.combinations(puppets, 2)) * 5:
            await win(*pair)
        for one in puppets * 5:
            await win(main, one)
        shown = (await main.get(f"/api/players/{name}"))["ratings"]["two"]
        assert shown["games"] == 25
        assert 1500 < shown["rating"] < 1600
        for one in (main, *puppets):
            await one.close()
    finally:
        said = server.stop()
    assert "Traceback" not in said, said


async def win(ann, ben):
    """A rated game that Ann wins after five moves of each."""
    game, links = await ann.new_game(rated=True, control=CLOCK)
    await ben.accept(links["any"])
    for ply in range(1, 11):
        mover = ann if ply % 2 else ben
        seen = await mover.get(f"/api/games/{game['id']}")
        move = legal(seen)[0]
        await mover.command(game["id"], type="play", seat=seen["turn"], ply=ply, move=move)
    await ben.command(game["id"], type="resign", seat="white")


async def test_the_migration_marks_the_seats_of_accounts(tmp_path):
    async with services_in(tmp_path) as services:
        ann = await account(services, "ann")
        await finished(services, "game", ann, "somebody")
        seats = tables.seats
        owned = update(seats).where(seats.c.person_id == ann).values(name="ann")
        await services.database.write(lambda connection: connection.execute(owned) and None)
    # Back to before the column, and up again.
    import sqlite3

    file = tmp_path / "games.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE seats SET account = 0")
    opened = open_database(str(file))
    try:
        await opened.write(downgraded("0007"))
        await opened.migrate()
        query = select(seats.c.name, seats.c.account).order_by(seats.c.colour)
        rows = await opened.read(lambda connection: connection.execute(query).all())
        assert [tuple(row) for row in rows] == [("ann", True), ("x", False)]
    finally:
        await opened.close()
