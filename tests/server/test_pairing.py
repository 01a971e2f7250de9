"""Quick pairing: joining, waiting, withdrawing, and terms that don't match."""

import asyncio

import pytest

from sumito.protocol.commands import Abort, Flag
from sumito.protocol.requests import Fischer, Join, NewGame, NoClock, PairingRequest, SuddenDeath
from sumito.server.realtime.hub import Resync
from sumito.server.refusals import Refusal
from sumito.server.scheduler import presence as attendance
from support.in_process import Subscriber, guest, services_in, until

FIVE = SuddenDeath(300_000)
QUICK = PairingRequest(FIVE)
RATED = PairingRequest(FIVE, rated=True)


async def account(services, name):
    person = await guest(services)
    await services.people.sign_up(person, name, "a long enough passphrase", "a browser")
    return await services.people.store.get(person.id)


async def pair(services, person, wanted=QUICK):
    return await services.pairing.pair(person, wanted)


async def waiting(services):
    return [game.id for game in await services.games.lobby.games()]


async def test_the_first_waits_and_the_second_joins(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben = await guest(services), await guest(services)
        first = await pair(services, ann)
        assert (first.status, await waiting(services)) == ("waiting", [first.id])
        second = await pair(services, ben)
        assert (second.id, second.status) == (first.id, "playing")
        assert second.people == {ann.id, ben.id}
        assert await waiting(services) == []


async def test_of_many_at_once_at_most_one_waits(tmp_path):
    async with services_in(tmp_path) as services:
        people = [await guest(services) for _ in range(9)]
        rooms = await asyncio.gather(*(pair(services, person) for person in people))
        assert sorted(room.status for room in rooms) == ["playing"] * 8 + ["waiting"]
        assert len(await waiting(services)) == 1
        for room in rooms:
            assert len(room.people) == (2 if room.status == "playing" else 1)


async def test_who_asks_twice_waits_once(tmp_path):
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        rooms = await asyncio.gather(*(pair(services, ann) for _ in range(4)))
        assert len({room.id for room in rooms}) == 1
        # With another clock one doesn't wait for the first any more.
        other = await pair(services, ann, PairingRequest(Fischer(300_000, 3_000)))
        assert await waiting(services) == [other.id]


@pytest.mark.parametrize(
    "wanted",
    [
        {"start": "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 2 3"},
        {"win_at": 1},
        {"captured": [5, 0]},
        {"layout": "belgian-daisy"},
        {"mode": "three"},
        {"rules": "tournament"},
        {"takebacks": True},
        {"listed": False},
        {"control": NoClock()},
        {"control": SuddenDeath(300_001)},
    ],
)
async def test_an_unequal_game_is_never_joined(tmp_path, wanted):
    async with services_in(tmp_path) as services:
        ann, ben = await guest(services), await guest(services)
        trap = NewGame(**({"control": FIVE, "listed": True} | wanted))
        trap = await services.games.create(ann, trap)
        assert (await pair(services, ben)).id != trap.id


async def test_an_equal_game_that_was_listed_by_hand_is_joined(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben = await guest(services), await guest(services)
        listed = await services.games.create(ann, NewGame(control=FIVE, listed=True))
        assert (await pair(services, ben)).id == listed.id
        # One's own game that was made by hand is left alone.
        mine = await services.games.create(ann, NewGame(control=FIVE, listed=True))
        queued = await pair(services, ann)
        assert queued.id != mine.id


# Rated games.


async def test_a_game_is_rated_if_two_accounts_ask_for_it(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben = await account(services, "annabel"), await account(services, "benjamin")
        await pair(services, ann, RATED)
        room = await pair(services, ben, RATED)
        assert (room.status, room.terms.rated) == ("playing", True)


@pytest.mark.parametrize("first", [RATED, QUICK])
async def test_a_game_is_not_rated_if_only_one_asks_for_it(tmp_path, first):
    async with services_in(tmp_path) as services:
        ann, ben = await account(services, "annabel"), await account(services, "benjamin")
        made = await pair(services, ann, first)
        subscriber = await Subscriber.at(services, made)
        room = await pair(services, ben, QUICK if first is RATED else RATED)
        assert (room.id, room.status, room.terms.rated) == (made.id, "playing", False)
        assert {seat.rating for seat in room.seats.values()} == {None}
        # Stored so, too, and read so by another process.
        services.games.rooms.forget(room.id)
        again = await services.games.room(room.id)
        assert (again.status, again.terms.rated) == ("playing", False)
        if first is RATED:
            # Who waited is told all of the game again, since its terms are others.
            await until(lambda: any(isinstance(one, Resync) for one in subscriber.messages))


async def test_a_guest_asks_for_no_rated_game(tmp_path):
    async with services_in(tmp_path) as services:
        with pytest.raises(Refusal) as refused:
            await pair(services, await guest(services), RATED)
        assert refused.value.code == "account-needed"
        ann = await account(services, "annabel")
        with pytest.raises(Refusal):
            await pair(services, ann, PairingRequest(NoClock(), rated=True))
        assert await waiting(services) == []


async def test_a_rated_game_listed_by_hand_stays_rated(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben = await account(services, "annabel"), await guest(services)
        listed = await services.games.create(ann, NewGame(control=FIVE, listed=True, rated=True))
        assert (await pair(services, ben)).id != listed.id
        assert listed.terms.rated


# Departure the queue.


async def test_a_maker_who_leaves_withdraws(tmp_path):
    async with services_in(tmp_path, away_ms=10) as services:
        ann = await guest(services)
        room = await pair(services, ann)
        await services.presence.enter(room.id, "socket", ann.id)
        await services.scheduler.presence.on_connect(room.id, ann.id)
        await asyncio.sleep(0.1)
        assert room.status == "waiting"
        await services.presence.leave(room.id, "socket")
        await services.scheduler.presence.on_disconnect(room.id, ann.id)
        await until(lambda: room.status == "over")
        assert await waiting(services) == []


async def test_a_game_whose_maker_never_came_is_not_joined(tmp_path, monkeypatch):
    monkeypatch.setattr("sumito.server.games.pairing._ARRIVAL_MS", -1)
    async with services_in(tmp_path) as services:
        room = await pair(services, await guest(services))
        other = await pair(services, await guest(services))
        assert (other.id != room.id, room.status) == (True, "over")
        assert await waiting(services) == [other.id]


async def test_what_waits_after_a_killed_process_is_cleared_away(tmp_path, monkeypatch):
    monkeypatch.setattr(attendance, "_QUEUED_MS", -1_000)
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        room = await pair(services, ann)
        listed = await services.games.create(ann, NewGame(control=FIVE, listed=True))
        await services.scheduler.presence.call_off_idle_games()
        assert (room.status, listed.status) == ("over", "waiting")


async def test_pairing_can_be_stopped(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben = await guest(services), await guest(services)
        room = await pair(services, ann)
        await services.pairing.withdraw(ben.id)
        assert room.status == "waiting"
        await services.pairing.withdraw(ann.id)
        assert room.status == "over"
        again = await pair(services, ann)
        await services.games.command(again.id, ann.id, Abort())
        assert await waiting(services) == []


async def test_an_unreadable_game_keeps_nobody_from_being_paired(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        room = await pair(services, await guest(services))
        fresh = services.games.synced_room

        async def spoilt(game_id):
            if game_id == room.id:
                raise KeyError("nobody")
            return await fresh(game_id)

        monkeypatch.setattr(services.games, "synced_room", spoilt)
        other = await pair(services, await guest(services))
        assert other.id != room.id


async def test_the_api_pairs(ann, ben):
    control = {"kind": "sudden_death", "ms": 301_000}
    first = await ann.post("/api/pairing", {"control": control}, 200)
    assert (first["status"], first["rated"]) == ("waiting", False)
    second = await ben.post("/api/pairing", {"control": control}, 200)
    assert (second["id"], second["status"]) == (first["id"], "playing")
    third = await ann.post("/api/pairing", {"control": control}, 200)
    assert (await ann.http.delete("/api/pairing")).status_code == 204
    assert (await ann.get(f"/api/games/{third['id']}"))["status"] == "over"
    for bad in ({"control": {"kind": "hourglass"}}, {"win_at": 1}, {"start": "x"}, {"rated": 1}):
        await ann.post("/api/pairing", bad, 422)


# What watchers may ask.


async def test_a_watchers_flag_is_refused_without_reading_the_database(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        ann, ben = await guest(services), await guest(services)
        room = await services.games.create(ann, NewGame(control=FIVE, listed=True))
        await services.games.join(ben, room.id, Join())

        async def read(_):
            raise AssertionError("the database was asked")

        monkeypatch.setattr(services.database, "read", read)
        with pytest.raises(Refusal) as refused:
            await services.games.command(room.id, "stranger", Flag())
        assert refused.value.code == "players-only"
