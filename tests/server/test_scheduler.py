"""Background work: flags, outages, presence, idle games, and games that fail."""

import asyncio
import sqlite3
import time
from contextlib import closing
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from sumito import Board
from sumito.protocol.commands import AskTakeback, Chat, Claim, Play, Rematch, Resign
from sumito.protocol.requests import Join, NewGame, SeatComputer, SeatMe, SuddenDeath
from sumito.server.base import metrics
from sumito.server.engines.pool import EnginePool
from sumito.server.games.service import now_ms
from sumito.server.realtime import hub
from sumito.server.refusals import Refusal
from sumito.server.scheduler import computers, presence, scheduler
from sumito.server.sockets.connection import error_frame
from sumito.server.storage import UnavailableError
from sumito.server.storage.archive_repo import GameSearch
from sumito.server.web.records import _exported, export
from support.in_process import (
    FirstMove,
    Subscriber,
    alone,
    guest,
    play,
    services_in,
    together,
    until,
)


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch):
    monkeypatch.setattr(scheduler, "OVERDUE_S", 0.05)
    monkeypatch.setattr(scheduler, "PULSE_S", 0.05)
    monkeypatch.setattr(scheduler, "REFRESH_S", 0.05)


def failures(work):
    return metrics.FAILURES.labels(work)._value.get()


async def spoil(services, room):
    """Make a game unreadable, and overdue."""
    await services.database.write(
        lambda connection: (
            connection.execute(
                text('UPDATE events SET body = \'{"seat":"nobody"}\' WHERE game_id = :id'),
                {"id": room.id},
            )
            and None
        )
    )
    await services.database.write(
        lambda connection: (
            connection.execute(
                text("UPDATE games SET due_at = 1, status = 'playing' WHERE id = :id"),
                {"id": room.id},
            )
            and None
        )
    )
    services.games.rooms.forget(room.id)


async def test_one_game_that_cant_be_read_doesnt_stop_the_flags_of_the_others(tmp_path):
    async with services_in(tmp_path, lag_ms=0) as services:
        _, _, spoilt = await together(services, ms=600_000)
        await spoil(services, spoilt)
        before = failures("check a game")
        await until(lambda: failures("check a game") > before)
        _, _, room = await together(services, ms=150)
        # As if its timer had been lost: the periodic check finds it.
        services.scheduler.clocks._timers.pop(room.id).cancel()
        await services.database.write(
            lambda connection: (
                connection.execute(
                    text("UPDATE games SET due_at = 1 WHERE id = :id"), {"id": room.id}
                )
                and None
            )
        )
        await until(lambda: room.status == "over")
        assert str(room.outcome.reason) == "flag"


async def test_a_broken_game_is_found_at_the_start_too(tmp_path):
    async with services_in(tmp_path) as services:
        _, _, spoilt = await together(services, ms=600_000)
        await spoil(services, spoilt)
        _, _, room = await together(services, ms=600_000)
    async with services_in(tmp_path) as services:
        await until(lambda: room.id in [one.id for one in services.games.rooms.open_rooms()])


async def test_the_pulse_goes_on_after_an_outage_and_nobody_is_charged(tmp_path, monkeypatch):
    monkeypatch.setattr("sumito.server.scheduler.outages.SILENCE_MS", 100)
    async with services_in(tmp_path, lag_ms=0) as services:
        ann, _, room = await together(services, ms=500)
        store, liveness = services.games.store, services.scheduler.outages.store
        pulse, append = liveness.pulse, store.append
        await until(lambda: services.scheduler.clocks.has_timers)
        await asyncio.sleep(0.1)

        async def away(*_):
            raise UnavailableError("no database")

        monkeypatch.setattr(liveness, "pulse", away)
        monkeypatch.setattr(store, "append", away)
        before = failures("pulse")
        await until(lambda: failures("pulse") >= before + 3)
        await asyncio.sleep(0.6)  # longer than Black had
        assert services.scheduler.outages.is_down
        assert room.status == "playing"
        monkeypatch.setattr(liveness, "pulse", pulse)
        monkeypatch.setattr(store, "append", append)
        await until(lambda: not services.scheduler.outages.is_down)
        assert room.status == "playing"
        await play(services, room, ann)
        last = await liveness.last_pulse()
        await asyncio.sleep(0.2)
        assert await liveness.last_pulse() > last


async def test_no_flag_falls_while_the_database_is_locked(tmp_path, monkeypatch):
    monkeypatch.setattr("sumito.server.scheduler.outages._PULSE_TIMEOUT_S", 0.2)
    monkeypatch.setattr("sumito.server.scheduler.outages.SILENCE_MS", 500)
    async with services_in(tmp_path, lag_ms=0) as services:
        ann, _, room = await together(services, ms=4_000)
        outages = services.scheduler.outages
        with closing(sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            # The lock lasts longer than Black has; writers wait for it, and fail only later.
            await until(lambda: outages.is_down)
            await until(lambda: services.games.now() > room.game.deadline)
            await asyncio.sleep(0.1)
            assert room.status == "playing"
            other.execute("ROLLBACK")
        await until(lambda: not outages.is_down)
        assert room.status == "playing"
        await play(services, room, ann)


async def test_an_outage_is_given_back_to_all_games_whatever_happens_to_one(tmp_path, monkeypatch):
    monkeypatch.setattr("sumito.server.scheduler.outages.SILENCE_MS", 30_000)
    monkeypatch.setattr(scheduler, "PULSE_S", 3_600)
    async with services_in(tmp_path) as services:
        rooms = [(await together(services, ms=600_000))[2] for _ in range(4)]
        outages, resume, asked = services.scheduler.outages, services.scheduler.outages.resume, []

        async def trouble(room):
            asked.append(room.id)
            if len(asked) == 1:
                raise KeyError("a fault of ours")
            if len(asked) == 2:
                raise UnavailableError("gone again")
            await resume(room)

        monkeypatch.setattr(outages, "resume", trouble)
        outages.mark_down()
        await outages.store.pulse(outages._process, services.games.now() - 60_000)
        with pytest.raises(UnavailableError):
            await outages.pulse()
        assert outages.is_down
        await outages.pulse()
        assert not outages.is_down
        resumed = [room.id for room in rooms if room.version > 2]
        assert sorted(resumed) == sorted({room.id for room in rooms} - {asked[0]})


async def test_a_flag_that_couldnt_be_stored_falls_later(tmp_path, monkeypatch):
    monkeypatch.setattr("sumito.server.scheduler.clocks._FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr("sumito.server.scheduler.clocks._SLACK_MS", 0)
    async with services_in(tmp_path, lag_ms=0) as services:
        _, _, room = await together(services, ms=100)
        append, tries = services.games.store.append, []

        async def away(*about):
            tries.append(1)
            if len(tries) < 2:
                raise UnavailableError("no database")
            await append(*about)

        monkeypatch.setattr(services.games.store, "append", away)
        await until(lambda: room.status == "over")


# Presence.


async def test_a_crowd_of_spectators_is_told_of_once(tmp_path):
    async with services_in(tmp_path) as services:
        _, _, room = await together(services)
        subscriber = await Subscriber.at(services, room)
        for number in range(500):
            person = f"spectator{number}"
            await services.presence.enter(room.id, person, person)
            await services.scheduler.presence.on_connect(room.id, person)
        await until(lambda: subscriber.broadcasts)
        await asyncio.sleep(0.1)
        assert len(subscriber.broadcasts) <= 3
        assert '"spectators":500' in subscriber.broadcasts[-1].frame


async def test_one_who_plays_by_http_cant_be_claimed_against(tmp_path):
    async with services_in(tmp_path, away_ms=10, grace_ms=10) as services:
        ann, ben, room = await together(services, ms=600_000)
        await services.scheduler.presence.on_visit(room.id, ben.id)
        await services.presence.enter(room.id, "socket", ann.id)
        await services.scheduler.presence.on_connect(room.id, ann.id)
        await asyncio.sleep(0.15)
        assert not room.game.away
        refused = await asyncio.gather(
            services.games.command(room.id, ann.id, Claim()), return_exceptions=True
        )
        assert refused[0].code == "claim"


async def test_a_visit_ends_when_nothing_more_is_heard(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "VISIT_S", 0.05)
    async with services_in(tmp_path, away_ms=10, grace_ms=10) as services:
        ann, ben, room = await together(services, ms=600_000)
        await services.presence.enter(room.id, "socket", ann.id)
        await services.scheduler.presence.on_visit(room.id, ben.id)
        await until(lambda: room.game.away)


async def test_a_game_that_waits_for_ever_is_cleared_away(tmp_path, monkeypatch):
    monkeypatch.setattr(presence, "_LISTED_MS", -1000)
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        room = await services.games.create(ann, NewGame(listed=True))
        invited = await services.games.create(ann, NewGame())
        await services.scheduler.presence.call_off_idle_games()
        assert room.status == "over"
        assert invited.status == "waiting"
        assert await services.games.lobby.games() == []


async def test_a_game_that_cant_be_read_keeps_no_other_from_being_cleared_away(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(presence, "_LISTED_MS", -10_000)
    async with services_in(tmp_path) as services:
        rooms = []
        for _ in range(3):
            rooms.append(await services.games.create(await guest(services), NewGame(listed=True)))
        change, before = services.games.change, failures("call off idle games")

        async def spoilt(game_id, *about):
            if game_id == (await services.games.store.stale_waiting(2**60, 0, 0))[0]:
                raise KeyError("nobody")
            return await change(game_id, *about)

        monkeypatch.setattr(services.games, "change", spoilt)
        await services.scheduler.presence.call_off_idle_games()
        assert sorted(room.status for room in rooms) == ["over", "over", "waiting"]
        assert failures("call off idle games") == before + 1


async def test_visits_end_for_all_whatever_happens_to_one(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "VISIT_S", 0.0)
    monkeypatch.setattr(scheduler, "REFRESH_S", 3_600)
    async with services_in(tmp_path) as services:
        checked = []
        for _ in range(3):
            ann, _, room = await together(services)
            await services.presence.visit(room.id, ann.id)

        async def check(game_id):
            checked.append(game_id)
            raise KeyError("nobody")

        monkeypatch.setattr(services.scheduler.presence, "_check_absences", check)
        await services.scheduler.presence.refresh()
        assert len(checked) == 3


async def test_a_game_that_cant_be_read_keeps_nobody_from_signing_in_or_their_records(
    tmp_path,
):
    async with services_in(tmp_path) as services:
        ann, spoilt = await alone(services)
        wanted = NewGame(seats={"black": SeatMe(), "white": SeatMe()})
        room = await services.games.create(ann, wanted)
        for one in (spoilt, room):
            await play(services, one, ann)
        await spoil(services, spoilt)
        owner = await guest(services)
        await services.games.merge_guest(ann.id, owner)
        texts = [
            await _exported(services.games.store, stored)
            async for stored in services.games.store.all_of_person(owner.id)
        ]
        assert sorted(map(bool, texts)) == [False, True]


async def test_who_reads_slowly_keeps_nobody_from_their_records(tmp_path):
    async with services_in(tmp_path) as services:
        ann, room = await alone(services)
        await play(services, room, ann)
        store = services.games.store
        slow = (await _export_of(services, ann)).body_iterator
        await anext(slow)
        assert await anext((await _export_of(services, ann)).body_iterator)
        assert await _exported(store, await store.get(room.id))


async def _export_of(services, person):
    return await export(SimpleNamespace(services=services, identity=person))


async def test_nobody_pushes_the_others_out_of_the_lobby(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben = await guest(services), await guest(services)
        mine = await services.games.create(ann, NewGame(listed=True))
        for _ in range(120):
            await services.games.create(ben, NewGame(listed=True))
        shown = [game.id for game in await services.games.lobby.games()]
        assert mine.id in shown
        assert len(shown) == 4


# Computers.


async def test_computers_that_nobody_watches_stop_playing(tmp_path, monkeypatch):
    monkeypatch.setattr(computers, "_UNWATCHED_S", 0.1)
    monkeypatch.setattr(computers, "_POLL_S", 0.02)
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        seats = {"black": SeatComputer("friendly"), "white": SeatComputer("friendly")}
        room = await services.games.create(ann, NewGame(seats=seats))
        await until(lambda: room.status == "over")
        assert str(room.outcome.reason) == "aborted"
        assert len(room.game.plies) == 0


async def test_one_persons_many_games_dont_stand_before_anothers_one():
    order = []

    class Noting(FirstMove):
        async def move(self, board, level, seconds, seed):
            order.append(seed)
            await asyncio.sleep(0.001)
            return next(iter(board.legal_moves))

    pool = EnginePool(1, Noting)
    many = [
        asyncio.create_task(pool.move(Board(), "champion", None, seed, owner="ann"))
        for seed in range(50)
    ]
    await asyncio.sleep(0)
    await pool.move(Board(), "champion", None, 99, owner="ben")
    assert order.index(99) < 5
    await asyncio.gather(*many)
    await pool.close()


async def test_a_persons_games_share_one_turn_with_the_engine(tmp_path):
    order, gate = [], asyncio.Event()

    class Waiting(FirstMove):
        async def move(self, board, level, seconds, seed):
            order.append(str(board.position))
            await gate.wait()
            return next(iter(board.legal_moves))

    async with services_in(tmp_path, Waiting) as services:
        ann, ben = await guest(services), await guest(services)
        seats = {"black": SeatComputer("champion"), "white": SeatMe()}
        for _ in range(20):
            await services.games.create(ann, NewGame(seats=seats))
        mine = await services.games.create(ben, NewGame(seats=seats, layout="belgian-daisy"))
        await until(lambda: services.engines._waiting_by_owner[ben.id] == 1)
        gate.set()
        await until(lambda: len(order) == 21)
        # One game of Ann's is being thought about when Ben's arrives.
        assert order.index(mine.terms.start) <= 2


async def test_a_game_belongs_to_one_of_its_players_when_its_maker_is_gone(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben, room = await together(services)
        assert computers.owner_of(room) == ann.id
        room.creator = ""
        assert computers.owner_of(room) == min(ann.id, ben.id)


# Time.


async def test_time_doesnt_jump_while_a_process_lives(monkeypatch):
    before = now_ms()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert before <= now_ms() < before + 60_000


async def test_a_move_is_timed_by_its_arrival_and_not_by_the_wait_for_the_lock(tmp_path):
    async with services_in(tmp_path, lag_ms=0) as services:
        ann, _, room = await together(services, ms=60_000)
        arrived = services.games.now()
        async with room.lock:
            index = next(iter(room.board.legal_moves)).index
            message = Play(ply=room.board.ply, move=index)
            moving = asyncio.create_task(
                services.games.command(room.id, ann.id, message, arrived=arrived)
            )
            await asyncio.sleep(0.3)
        await moving
        assert room.game.plies[0].clock > 60_000 - 250


# What is said.


async def test_the_same_line_is_kept_once(tmp_path):
    async with services_in(tmp_path) as services:
        ann, _, room = await together(services)
        for _ in range(2):
            await services.games.command(room.id, ann.id, Chat(ref="x", text="hello"))
        assert len(await services.games.chat.lines(room, ann.id)) == 1


async def test_strangers_neither_write_into_a_finished_game_nor_read_a_private_one(tmp_path):
    async with services_in(tmp_path) as services:
        ann, room = await alone(services)
        cas = await guest(services)
        await services.games.command(room.id, ann.id, Chat(text="to myself"))
        await services.games.command(room.id, ann.id, Resign())
        refused = await asyncio.gather(
            services.games.command(room.id, cas.id, Chat(text="hi")), return_exceptions=True
        )
        assert refused[0].code == "players-only"
        assert len((await services.games.view(room, ann.id)).chat) == 1
        assert (await services.games.view(room, cas.id)).chat == []
        assert await services.archive.store.search(GameSearch()) == []


async def test_a_conversation_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr("sumito.server.games.chat.MOST_LINES", 5)
    async with services_in(tmp_path) as services:
        ann, _, room = await together(services)
        for number in range(5):
            await services.games.command(room.id, ann.id, Chat(ref=f"{number}", text="so"))
        with pytest.raises(Refusal) as refused:
            await services.games.command(room.id, ann.id, Chat(ref="5", text="one more"))
        assert refused.value.code == "chat-full"
        assert "5 Zeilen" in error_frame(refused.value, "de", "5")
        # What was said before may be repeated after a lost connection.
        await services.games.command(room.id, ann.id, Chat(ref="4", text="so"))
        assert len(await services.games.chat.lines(room, ann.id)) == 5


# What one may do.


async def test_at_one_screen_the_last_move_of_either_side_is_taken_back(tmp_path):
    async with services_in(tmp_path) as services:
        ann, room = await alone(services)
        await play(services, room, ann)
        await play(services, room, ann)
        assert "ask_takeback" in (await services.games.view(room, ann.id)).can
        await services.games.command(room.id, ann.id, AskTakeback())
        await until(lambda: len(room.game.plies) == 1)
        await services.games.command(room.id, ann.id, AskTakeback())
        await until(lambda: not room.game.plies)


async def test_a_move_made_stands_unless_the_game_is_friendly(tmp_path):
    async with services_in(tmp_path) as services:
        ann, _, room = await together(services)
        await play(services, room, ann)
        assert "ask_takeback" not in (await services.games.view(room, ann.id)).can
        refused = await asyncio.gather(
            services.games.command(room.id, ann.id, AskTakeback()), return_exceptions=True
        )
        assert refused[0].code == "no-takebacks"
        assert room.terms.preset == "rulebook"


async def test_in_teams_calling_off_is_offered_as_long_as_it_is_possible(tmp_path):
    async with services_in(tmp_path) as services:
        people = [await guest(services) for _ in range(4)]
        room = await services.games.create(people[0], NewGame(mode="teams", listed=True))
        for person in people[1:]:
            await services.games.join(person, room.id, Join())
        for mover in (0, 1):
            can = (await services.games.view(room, people[3].id)).can
            assert ("abort" in can, "resign" in can) == (True, False)
            await play(services, room, people[mover])
        can = (await services.games.view(room, people[3].id)).can
        assert ("abort" in can, "resign" in can) == (False, True)


async def test_a_rematch_is_played_at_todays_ratings(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben = await guest(services), await guest(services)
        for one, name in ((ann, "ann"), (ben, "ben")):
            await services.people.sign_up(one, name, "a long enough passphrase", "a browser")
        ann, ben = [await services.people.store.get(one.id) for one in (ann, ben)]
        room = await services.games.create(
            ann, NewGame(listed=True, rated=True, control=SuddenDeath(600_000))
        )
        await services.games.join(ben, room.id, Join())
        for number in range(40):
            await play(services, room, (ann, ben)[number % 2])
        await services.games.command(room.id, ann.id, Resign())
        ratings = await services.people.store.ratings(ben.id)
        for one in (ann, ben):
            await services.games.command(room.id, one.id, Rematch())
        again = await services.games.room(room.rematch)
        seats = {seat.person_id: seat.rating for seat in again.seats.values()}
        assert (seats[ben.id] is not None) == bool(ratings)
        assert seats[ben.id] != seats[ann.id]
