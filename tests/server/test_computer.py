"""Computer players: moves, offers, and the fairness and bounds of the engine pool."""

import asyncio
from typing import ClassVar

import pytest

from sumito import Board
from sumito.protocol.commands import AskTakeback, OfferDraw, Play
from sumito.protocol.requests import NewGame, SeatComputer, SeatMe
from sumito.protocol.views import LevelView
from sumito.server.base.settings import Settings
from sumito.server.engines import levels as engine_levels
from sumito.server.engines import pool
from sumito.server.engines.pool import EnginePool
from sumito.server.services import open_services

AGAINST_ME = {"black": SeatComputer("a"), "white": SeatMe()}
AGAINST_IT = {"black": SeatMe(), "white": SeatComputer("a")}
LEVELS = [LevelView(name, name.capitalize(), number) for number, name in enumerate("abc", 1)]


class Quick:
    """Plays the first legal move."""

    thinking = 0
    most = 0
    order: ClassVar[list[int]] = []

    async def move(self, board, level, seconds, seed):
        kind = type(self)
        kind.thinking += 1
        kind.most = max(kind.most, kind.thinking)
        kind.order.append(seed)
        await asyncio.sleep(0.005)
        kind.thinking -= 1
        return next(iter(board.legal_moves))

    def close(self):
        pass


class Broken:
    """Fails the first time, then plays."""

    failures = 0

    async def move(self, board, level, seconds, seed):
        if not Broken.failures:
            Broken.failures += 1
            raise RuntimeError("out of order")
        return next(iter(board.legal_moves))

    def close(self):
        pass


@pytest.fixture(autouse=True)
def levels(monkeypatch):
    monkeypatch.setattr(engine_levels, "levels", lambda: LEVELS)
    Quick.order = []
    Quick.most = Quick.thinking = 0


@pytest.fixture
async def services(tmp_path):
    settings = Settings(database=str(tmp_path / "games.sqlite3"), engines=2)
    async with open_services(settings, Quick) as services:
        yield services


async def guest(services):
    return await services.people.ensure_stored(
        await services.people.person(services.people.new_guest())
    )


async def until(condition):
    for _ in range(6000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never happened")


async def test_the_computer_answers_a_move_and_begins_if_it_is_black(services):
    ann = await guest(services)
    room = await services.games.create(
        ann, NewGame(seats={"black": SeatComputer("a"), "white": SeatMe()})
    )
    await until(lambda: len(room.game.plies) == 1)
    move = room.game.legal_moves[0].index
    await services.games.command(room.id, ann.id, Play(seat="white", ply=2, move=move))
    await until(lambda: len(room.game.plies) == 3)


async def test_computers_play_among_themselves_in_every_mode(services):
    ann = await guest(services)
    for mode, colours in (("three", 3), ("teams", 4), ("teams-double", 4)):
        seats = dict.fromkeys(("black", "white", "red", "blue")[:colours], SeatComputer("a"))
        room = await services.games.create(ann, NewGame(mode=mode, seats=seats))
        await services.presence.enter(room.id, "watching", ann.id)
        await until(lambda room=room: len(room.game.plies) > 8)


async def test_the_computer_lets_one_take_back_and_declines_draws(services):
    ann = await guest(services)
    room = await services.games.create(
        ann, NewGame(seats={"black": SeatMe(), "white": SeatComputer("a")})
    )
    move = room.game.legal_moves[0].index
    await services.games.command(room.id, ann.id, Play(seat="black", ply=1, move=move))
    await until(lambda: len(room.game.plies) == 2)
    await services.games.command(room.id, ann.id, OfferDraw(seat="black"))
    await until(lambda: not room.game.offers)
    assert room.outcome is None
    await services.games.command(room.id, ann.id, AskTakeback(seat="black"))
    await until(lambda: not room.game.plies)


async def test_an_open_seat_can_be_filled_by_the_computer(services):
    ann = await guest(services)
    room = await services.games.create(ann, NewGame(seats={"black": SeatMe()}))
    await services.games.fill(ann.id, room.id, "white", "b")
    assert room.status == "playing"
    assert room.seats[1].level == "b"


async def test_the_pool_is_bounded_and_everybody_gets_a_turn():
    gate = asyncio.Event()

    class Waiting(Quick):
        async def move(self, board, level, seconds, seed):
            Quick.thinking += 1
            Quick.most = max(Quick.most, Quick.thinking)
            await gate.wait()
            Quick.thinking -= 1
            return next(iter(board.legal_moves))

    engines = EnginePool(2, Waiting)
    works = [asyncio.create_task(engines.move(Board(), "a", None, 0)) for _ in range(10)]
    await until(lambda: Quick.thinking == 2)
    gate.set()
    assert len(await asyncio.gather(*works)) == 10
    assert Quick.most == 2
    await engines.close()


async def test_quick_levels_go_before_slow_ones_that_came_together(monkeypatch):
    monkeypatch.setattr(pool, "monotonic", lambda: 0.0)
    engines = EnginePool(1, Quick)
    await asyncio.gather(
        *(engines.move(Board(), level, None, seed) for seed, level in enumerate("caacb"))
    )
    await engines.close()
    assert Quick.order == [1, 2, 4, 0, 3]


async def test_a_quick_level_doesnt_wait_for_a_slow_one_that_thinks(monkeypatch):
    class Slow(Quick):
        async def move(self, board, level, seconds, seed):
            if level == "z":
                await asyncio.Event().wait()
            return next(iter(board.legal_moves))

    monkeypatch.setattr(engine_levels, "levels", lambda: [*LEVELS, LevelView("z", "Z", 10)])
    engines = EnginePool(1, Slow)
    slow = asyncio.create_task(engines.move(Board(), "z", None, 0))
    assert await engines.move(Board(), "a", None, 1) in Board().legal_moves
    slow.cancel()
    await engines.close()


async def test_a_computer_that_failed_is_asked_again(tmp_path, monkeypatch):
    monkeypatch.setattr("sumito.server.games.decisions.COMPUTER_TIMEOUT_MS", -10_000)
    monkeypatch.setattr("sumito.server.scheduler.scheduler.OVERDUE_S", 0.05)
    Broken.failures = 0
    settings = Settings(database=str(tmp_path / "games.sqlite3"), engines=1)
    async with open_services(settings, Broken) as services:
        ann = await guest(services)
        room = await services.games.create(
            ann, NewGame(seats={"black": SeatComputer("a"), "white": SeatMe()})
        )
        await until(lambda: len(room.game.plies) == 1)
    assert Broken.failures == 1


async def test_an_engine_that_couldnt_be_made_is_made_later():
    tries = []

    def make():
        tries.append(1)
        if len(tries) == 1:
            raise MemoryError
        return Quick()

    engines = EnginePool(1, make)
    with pytest.raises(MemoryError):
        await engines.move(Board(), "a", None, 1)
    assert await engines.move(Board(), "a", None, 2) in Board().legal_moves
    await engines.close()


async def test_a_game_with_a_computer_goes_on_after_a_restart(tmp_path):
    settings = Settings(database=str(tmp_path / "games.sqlite3"), engines=1)

    class Asleep(Quick):
        async def move(self, board, level, seconds, seed):
            await asyncio.Event().wait()

    async with open_services(settings, Asleep) as services:
        ann = await guest(services)
        room = await services.games.create(
            ann, NewGame(seats={"black": SeatComputer("a"), "white": SeatMe()})
        )
    async with open_services(settings, Quick) as services:
        await until(lambda: room.id in [one.id for one in services.games.rooms.open_rooms()])
        room = await services.games.room(room.id)
        await until(lambda: len(room.game.plies) == 1)


async def test_the_engine_plays_over_the_network(ann):
    seats = {"black": {"kind": "me"}, "white": {"kind": "computer", "level": "friendly"}}
    game, _ = await ann.new_game(seats=seats)
    assert (game["seats"][1]["level"], game["seats"][1]["online"]) == ("friendly", True)
    async with ann.socket(game["id"]) as board:
        await board.play("a1b2")
        while len(board.game["moves"]) < 2:
            await board.receive()
        assert board.game["moves"][1]["seat"] == "white"
    thinking = [frame["on"] for frame in board.seen if frame["type"] == "thinking"]
    assert thinking[:1] == [True]


async def test_there_are_ten_levels_by_name(ann):
    levels = (await ann.get("/api/choices"))["levels"]
    assert len(levels) == 10
    assert {"id": "friendly", "name": "Friendly", "number": 3} in levels
    wish = {"seats": {"white": {"kind": "computer", "level": "godlike"}}}
    assert (await ann.post("/api/games", wish, 400))["error"]["code"] == "no-such-level"


def test_less_time_on_the_clock_and_more_waiting_mean_less_thinking():
    calm = engine_levels.seconds_for("c", None, 0)
    assert engine_levels.seconds_for("c", None, 10) < calm
    assert engine_levels.seconds_for("c", 1_000, 0) < calm
    assert engine_levels.seconds_for("a", None, 0) < calm
