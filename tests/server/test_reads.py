"""Reading games: off the event loop, from caches, and past unreadable ones."""

import asyncio
import random
import threading
from types import SimpleNamespace

import msgspec
import pytest
from sqlalchemy import text
from starlette.requests import Request

from sumito import Board
from sumito.protocol.commands import Resign
from sumito.record import Record
from sumito.server.accounts.sessions import Identity
from sumito.server.archive.archive import of_record
from sumito.server.archive.renderings import Renderings
from sumito.server.base import metrics
from sumito.server.base.settings import Settings
from sumito.server.games.account_deletion import delete_account
from sumito.server.limits import Limits
from sumito.server.refusals import Refusal
from sumito.server.storage.archive_repo import GameSearch
from sumito.server.web import accounts, archive, games, operations, players, records
from sumito.server.web.operations import Call, Operation, endpoint
from support.in_process import alone, downgraded, guest, play, services_in, together
from support.strategies import play_random


def long_record(seed=1, plies=60):
    board = Board()
    play_random(board, random.Random(seed), plies)
    tags = {"Date": "2024.05.01", "Black": f"Ann{seed}"}
    return Record.from_moves(Board().position, board.moves, tags=tags, result="1-0")


def call(services, person=None, path=None, **query):
    """A request as a handler sees it."""
    scope = {
        "type": "http",
        "path": "/",
        "headers": [],
        "path_params": path or {},
        "query_string": "&".join(f"{name}={value}" for name, value in query.items()).encode(),
        "client": ("127.0.0.1", 1),
        "app": SimpleNamespace(state=SimpleNamespace(services=services)),
    }
    identity = Identity(person.id if person else "nobody", None, None)
    return Call(Request(scope), services, identity)


@pytest.fixture
def pushed_on(monkeypatch):
    """The threads in which moves were played on a board, and its positions kept."""
    threads = set()
    push = Board.push

    def noting(self, move):
        threads.add(threading.current_thread())
        push(self, move)

    monkeypatch.setattr(Board, "push", noting)
    return threads


async def spoil(services, *changes):
    for change in changes:
        await services.database.write(
            lambda connection, change=change: connection.execute(text(change)) and None
        )


# Off the event loop.


async def test_a_page_of_imported_games_replays_nothing(tmp_path, pushed_on):
    made = [long_record(seed) for seed in range(8)]
    async with services_in(tmp_path) as services:
        await services.archive.store.add([of_record(one) for one in made])
        pushed_on.clear()
        found = await archive.search(call(services))
        assert not pushed_on
    finals = {str(list(one.boards())[-1].position) for one in made}
    assert {game.position for game in found.games} == finals


async def test_records_and_pictures_are_made_in_a_thread_and_once(tmp_path, pushed_on):
    async with services_in(tmp_path) as services:
        ann, room = await alone(services)
        for _ in range(6):
            await play(services, room, ann)
        for handler in (records.get_png, records.get_svg, records.get_apgn):
            pushed_on.clear()
            for ply in ("3", "3"):
                answer = await handler(call(services, path={"id": room.id}, ply=ply))
                assert answer.body
                assert threading.main_thread() not in pushed_on
            assert len(pushed_on) == 1


async def test_a_picture_follows_the_game(tmp_path):
    async with services_in(tmp_path) as services:
        ann, room = await alone(services)
        seen = set()
        for _ in range(3):
            seen.add((await records.get_svg(call(services, path={"id": room.id}))).body)
            seen.add((await records.get_apgn(call(services, path={"id": room.id}))).body)
            await play(services, room, ann)
        assert len(seen) == 6


async def test_a_long_game_is_loaded_in_a_thread(tmp_path, pushed_on):
    async with services_in(tmp_path) as services:
        ann, room = await alone(services)
        for _ in range(50):
            await play(services, room, ann)
        services.games.rooms.forget(room.id)
        pushed_on.clear()
        again = await services.games.room(room.id)
        assert again.board.position == room.board.position
        await services.games.view(again, ann.id)
        assert threading.main_thread() not in pushed_on


async def test_renderings_are_bounded_made_once_and_fail_alone():
    made = []

    def make(key, size):
        made.append(key)
        return bytes(size)

    renderings = Renderings(most_bytes=100)
    together = [renderings.get("a", lambda: make("a", 40)) for _ in range(5)]
    assert [len(one) for one in await asyncio.gather(*together)] == [40] * 5
    assert made == ["a"]
    await renderings.get("b", lambda: make("b", 40))
    await renderings.get("a", lambda: make("a", 40))
    await renderings.get("c", lambda: make("c", 40))  # the oldest, b, makes room
    await renderings.get("a", lambda: make("a", 40))
    assert made == ["a", "b", "c"]
    assert len(await renderings.get("huge", lambda: make("huge", 101))) == 101
    await renderings.get("a", lambda: make("a", 40))
    assert made == ["a", "b", "c", "huge"]
    with pytest.raises(ZeroDivisionError):
        await renderings.get("bad", lambda: bytes(1 // 0))
    assert renderings._bytes == sum(map(len, renderings._cache.values())) <= 100


async def test_costly_requests_use_up_the_limit_sooner():
    limits = Limits(Settings(requests="10/minute"))
    await limits.request("192.0.2.1", 6)
    await limits.request("192.0.2.1", 4)
    with pytest.raises(Refusal, match="Too many requests"):
        await limits.request("192.0.2.1")
    # One that costs more than the limit is let through alone.
    await limits.request("192.0.2.2", 100)
    with pytest.raises(Refusal, match="Too many requests"):
        await limits.request("192.0.2.2", 100)


async def test_an_operation_is_charged_what_it_costs(tmp_path):
    async def handler(_):
        """Do it."""

    async with services_in(tmp_path, requests="5/minute") as services:
        costly = endpoint(Operation("GET", "/x", handler, cost=4))
        scope = call(services).request.scope
        statuses = [(await costly(Request(scope | {"method": "GET"}))).status_code for _ in "12"]
        assert statuses == [200, 429]
    assert {one.path: one.cost for one in records.OPERATIONS}["/api/games/{id}.png"] > 1
    assert operations.Operation("GET", "/", handler).cost == 1


async def test_the_migration_fills_in_the_final_positions(tmp_path):
    made = [long_record(seed, plies=20 + seed) for seed in range(5)]
    async with services_in(tmp_path) as services:
        await services.archive.store.add([of_record(one) for one in made])
        ann, _, room = await together(services)
        await play(services, room, ann)
        await services.games.command(room.id, ann.id, Resign(seat="black"))
        await services.archive.add_finished(room.id)
        before = {one.game_id: one.final for one in await search_all(services)}
        assert before[room.id] == str(room.board.position)
        await spoil(
            services,
            "UPDATE archive SET moves = moves || 'AA' WHERE number = 3",
        )
        await services.archive.store._database.write(downgraded("0008"))
    async with services_in(tmp_path) as services:
        after = {one.game_id: one.final for one in await search_all(services)}
        (unreadable,) = [id for id, final in after.items() if final is None]
        assert {**after, unreadable: before[unreadable]} == before
        # It can't be played through, and is shown as it began.
        shown = {one.id: one.position for one in (await archive.search(call(services))).games}
        assert shown[unreadable] == str(Board().position)


async def search_all(services):
    return await services.archive.store.search(GameSearch())


# Games that can't be read.


async def finished(services, count):
    rooms = []
    for _ in range(count):
        ann, _, room = await together(services)
        await play(services, room, ann)
        await services.games.command(room.id, ann.id, Resign(seat="black"))
        rooms.append(room)
    return rooms


async def test_the_archive_goes_on_after_a_game_it_cant_read(tmp_path, caplog):
    async with services_in(tmp_path) as services:
        services.scheduler._archive.add_finished = _nothing
        rooms = await finished(services, 4)
    spoilt = rooms[0].id
    count = metrics.UNREADABLE.labels("archive")._value
    async with services_in(tmp_path) as services:
        # Whatever was archived at the start; one of the games is unreadable from here on.
        await services.scheduler._tasks.stop()
        await spoil(
            services,
            "DELETE FROM archive",
            f"UPDATE events SET body = '{{' WHERE game_id = '{spoilt}'",
        )
        before = count.get()
        for _ in range(3):
            await services.archive.catch_up()
        found = {one.game_id for one in await search_all(services)}
        assert found == {room.id for room in rooms} - {spoilt}
        assert count.get() == before + 1


async def _nothing(*_):
    pass


async def test_an_unreadable_game_is_left_out_of_all_lists(tmp_path):
    async with services_in(tmp_path) as services:
        ann, _, spoilt = await together(services)
        ben, _, room = await together(services)
        for one, person in ((spoilt, ann), (room, ben)):
            await play(services, one, person)
        waiting = await services.games.create(ann, games.requests.NewGame(listed=True))
        await spoil(services, f"UPDATE games SET terms = '{{' WHERE id = '{spoilt.id}'")
        before = metrics.UNREADABLE.labels("list")._value.get()
        live = await games.list_games(call(services, live=1))
        assert [one.id for one in live.games] == [room.id]
        mine = await games.list_games(call(services, ann, mine=1))
        assert [one.id for one in mine.games] == [waiting.id]
        await games.list_games(call(services, live=1))
        assert metrics.UNREADABLE.labels("list")._value.get() == before + 1
        data = msgspec.json.decode((await accounts.export_data(call(services, ann))).body)
        assert [one["id"] for one in data["games"]] == [waiting.id]
        await spoil(services, f"UPDATE games SET terms = '{{' WHERE id = '{waiting.id}'")
        assert await services.games.lobby.games() == []


@pytest.mark.parametrize(
    "change", ["UPDATE games SET terms = '{'", "UPDATE events SET body = '[]' WHERE kind='moved'"]
)
async def test_a_player_of_an_unreadable_game_can_delete_the_account(tmp_path, change):
    async with services_in(tmp_path) as services:
        ann, _, room = await together(services)
        await play(services, room, ann)
        await spoil(services, change)
        services.games.rooms.forget(room.id)
        await delete_account(services.games, ann)
        assert await services.people.store.get(ann.id) is None


# Lists.


async def test_the_librarys_first_page_and_its_search_are_one_list(tmp_path):
    async with services_in(tmp_path) as services:
        await services.archive.store.add([of_record(long_record())])
        (room,) = await finished(services, 1)
        await services.archive.add_finished(room.id)
        first = await games.list_games(call(services, finished=1))
        searched = await games.list_games(call(services, mode="two"))
        assert [one.id for one in first.games] == [one.id for one in searched.games]
        assert first.games[0].id == room.id
        assert len(first.games) == 2


async def test_a_profile_shows_the_last_public_games_however_many_private_ones_follow(tmp_path):
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        await services.people.sign_up(ann, "annabel", "a long enough passphrase", "a browser")
        ann = await services.people.store.get(ann.id)
        public = await services.games.create(ann, games.requests.NewGame(listed=True))
        await services.games.join(await guest(services), public.id, games.requests.Join())
        await play(services, public, ann)
        await services.games.command(public.id, ann.id, Resign())
        for _ in range(25):
            seats = {"black": games.requests.SeatMe(), "white": games.requests.SeatMe()}
            private = await services.games.create(ann, games.requests.NewGame(seats=seats))
            await services.games.command(private.id, ann.id, Resign(seat="black"))
        profile = await players.get_player(call(services, path={"name": "annabel"}))
        assert [one.id for one in profile.games] == [public.id]


# What no database can hold.


@pytest.mark.parametrize(
    "query",
    [
        "games?player=%00",
        "games.apgn?player=%00",
        "games?player=x&before=1-999999999999999",
        "games?before=1-999999999999999",
        "games?shortest=" + "9" * 5000,
    ],
)
async def test_a_query_that_no_database_can_hold_is_refused(ann, query):
    answer = await ann.http.get(f"/api/{query}")
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"]["code"] != "unavailable"


async def test_a_huge_ply_is_refused(ann, ben, game_of):
    game = await game_of(ann, ben)
    for kind in ("svg", "png"):
        for ply in ("0" * 5000, "9" * 5000, "-1", "1e3", "²"):
            answer = await ann.http.get(f"/api/games/{game['id']}.{kind}", params={"ply": ply})
            assert answer.status_code == 422, ply
