"""Games always end: after deleted accounts, failing engines and failing writes."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from sumito.game import commands as game_commands
from sumito.protocol.commands import Resign
from sumito.protocol.requests import Join, NewGame, SeatComputer, SeatMe, SeatOpen, SuddenDeath
from sumito.record import write
from sumito.server.archive.records import game_record
from sumito.server.base import metrics
from sumito.server.games.account_deletion import delete_account
from sumito.server.games.decisions import apply
from sumito.server.games.writer import Command
from sumito.server.refusals import Refusal, ServerError, Unavailable
from sumito.server.scheduler import computers, scheduler
from sumito.server.storage import Changes, ConflictError, Person, StoredEvent
from support.in_process import FirstMove, guest, play, services_in, together, until

NAMES = ("ann", "ben", "cid")
HIGH_PLY = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 {ply}"


async def account(services, name):
    await services.people.store.give_account(Person(name, name, created_at=1), name, "x")
    return await services.people.store.get(name)


async def three_rated(services, moves=15, **wanted):
    """A rated game of three that has lasted long enough to count."""
    people = [await account(services, name) for name in NAMES]
    wanted = {"control": SuddenDeath(600_000)} | wanted
    seats = {"black": SeatMe(), "white": SeatOpen(), "red": SeatOpen()}
    room = await services.games.create(
        people[0], NewGame(mode="three", rated=True, listed=True, seats=seats, **wanted)
    )
    await services.games.join(people[1], room.id, Join(seat="white"))
    await services.games.join(people[2], room.id, Join(seat="red"))
    for _ in range(moves):
        await play(services, room, people[int(room.game.turn)])
    return people, await services.games.room(room.id)


async def rated_people(services):
    return {name for name in NAMES if await services.people.store.ratings(name)}


async def test_three_rated_players_can_resign_after_one_deleted_the_account(tmp_path):
    async with services_in(tmp_path) as services:
        (ann, ben, _), room = await three_rated(services)
        await delete_account(services.games, ann)
        await services.games.command(room.id, ben.id, Resign())
        room = await services.games.room(room.id)
        assert (room.status, str(room.outcome.winner)) == ("over", "red")
        assert await rated_people(services) == {"ben", "cid"}
        ratings = [(await services.people.store.ratings(name))["three"] for name in ("ben", "cid")]
        assert ratings[0].mu < ratings[1].mu


async def test_a_flag_ends_a_rated_game_of_three_after_a_deleted_account(tmp_path):
    async with services_in(tmp_path) as services:
        (ann, *_), room = await three_rated(services)
        await delete_account(services.games, ann)
        room = await services.games.room(room.id)
        later = services.games.now() + 700_000
        await services.games.execute(
            room.id,
            Command(lambda room, at: apply(room, game_commands.Flag(), at), arrived=later),
        )
        assert (room.status, str(room.outcome.reason)) == ("over", "last-in")
        assert await rated_people(services) == {"ben", "cid"}


async def test_the_last_marble_ends_a_rated_game_of_three_after_a_deleted_account(tmp_path):
    async with services_in(tmp_path) as services:
        (ann, ben, cid), room = await three_rated(services, rules="rulebook", win_at=1)
        await delete_account(services.games, ann)
        room = await services.games.room(room.id)
        people = {"white": ben, "red": cid}
        for _ in range(400):
            if room.status == "over":
                break
            board = room.board
            # Somebody ejects as soon as it is possible; until then everybody goes to the middle.
            best = max(board.legal_moves, key=lambda move: (_ejects(board, move), -_out(move)))
            await play(services, room, people[str(room.game.turn)], best.index)
        assert room.status == "over"
        assert await rated_people(services) == {"ben", "cid"}


def _ejects(board, move):
    return board.effect(move).ejected is not None


def _out(move):
    """Moves in line and towards opponents come first; any order that leads to contact will do."""
    return move.index


async def test_a_person_deleted_in_another_process_is_left_out_when_the_game_is_rated(tmp_path):
    async with services_in(tmp_path) as services:
        (_, ben, _), room = await three_rated(services)
        # The room here still knows Ann; the database doesn't any more.
        await services.people.store.delete("ann")
        await services.games.command(room.id, ben.id, Resign())
        await services.games.command(room.id, "cid", Resign())
        assert room.status == "over"
        assert await rated_people(services) == {"ben", "cid"}


async def test_only_the_same_version_is_a_conflict(tmp_path):
    async with services_in(tmp_path) as services:
        _, room = await three_rated(services, moves=1)
        store = services.games.store
        event = StoredEvent(room.version, 1, "moved", "{}")
        with pytest.raises(ConflictError):
            await store.append(room.id, Changes([event], {}))
        unknown = StoredEvent(1, 1, "moved", "{}")
        with pytest.raises(IntegrityError):
            await store.append("nosuchgame", Changes([unknown], {}))


async def test_an_error_that_is_no_conflict_is_not_tried_again(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        (_, ben, _), room = await three_rated(services)
        tries = []

        async def broken(*_):
            tries.append(1)
            raise IntegrityError("INSERT", {}, ValueError("FOREIGN KEY constraint failed"))

        monkeypatch.setattr(services.games.store, "append", broken)
        with pytest.raises(Refusal) as refused:
            await services.games.command(room.id, ben.id, Resign())
        assert (refused.value.code, type(refused.value), len(tries)) == ("failed", ServerError, 1)


async def test_a_flag_that_can_never_be_stored_is_tried_with_growing_pauses(tmp_path, monkeypatch):
    monkeypatch.setattr(scheduler, "OVERDUE_S", 0.01)
    monkeypatch.setattr("sumito.server.scheduler.clocks._SLACK_MS", 0)
    async with services_in(tmp_path, lag_ms=0) as services:
        (_, _, _), room = await three_rated(services, moves=0, control=SuddenDeath(500))
        tries = []

        async def busy(*_):
            tries.append(1)
            raise ConflictError("somebody else is always first")

        monkeypatch.setattr(services.games.store, "append", busy)
        await until(lambda: tries)
        await asyncio.sleep(0.5)
        # A check is twenty tries, by timer and by period; the next one comes seconds later.
        assert len(tries) <= 40
        assert room.status == "playing"


# Computers that can't move.


class Unable(FirstMove):
    """Fails at every move."""

    async def move(self, board, level, seconds, seed):
        raise RuntimeError("out of order")


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(scheduler, "OVERDUE_S", 0.02)
    monkeypatch.setattr("sumito.server.games.decisions.COMPUTER_TIMEOUT_MS", -10_000)
    monkeypatch.setattr(computers, "FIRST_PAUSE_S", 0.02)


@pytest.mark.parametrize("count", ["1000000", "500000"])
async def test_a_start_far_beyond_any_game_is_refused(tmp_path, count):
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        for counters in (f"0 {count}", f"{int(count) - 1} {count}"):
            start = HIGH_PLY.format(ply=count).replace(f"0 {count}", counters)
            with pytest.raises(ValueError, match="at most"):
                await services.games.create(ann, NewGame(start=start))


async def test_a_computer_that_fails_for_ever_ends_its_game(tmp_path, soon):
    async with services_in(tmp_path, Unable) as services:
        ann = await guest(services)
        seats = {"black": SeatComputer("friendly"), "white": SeatMe()}
        before = metrics.FAILURES.labels("think")._value.get()
        room = await services.games.create(ann, NewGame(seats=seats))
        await until(lambda: room.status == "over")
        assert str(room.outcome.reason) == "aborted"
        assert metrics.FAILURES.labels("think")._value.get() == before + computers.MAX_FAILURES
        assert len(services.scheduler.computers.backoff) == 0
        stored = await services.games.store.get(room.id)
        assert (stored.status, stored.reason, stored.due_at) == ("over", "aborted", None)
        assert '[Termination "aborted"]' in write([game_record(room)])


async def test_a_computer_that_fails_sometimes_goes_on(tmp_path, soon):
    class Moody(FirstMove):
        asked = 0

        async def move(self, board, level, seconds, seed):
            Moody.asked += 1
            if Moody.asked % 2:
                raise RuntimeError("not now")
            return await super().move(board, level, seconds, seed)

    async with services_in(tmp_path, Moody) as services:
        ann = await guest(services)
        seats = {"black": SeatComputer("friendly"), "white": SeatComputer("friendly")}
        room = await services.games.create(ann, NewGame(seats=seats))
        await services.presence.enter(room.id, "watching", ann.id)
        await until(lambda: room.game.ply_count > 2 * computers.MAX_FAILURES)


async def test_a_stored_game_that_the_engine_refuses_is_called_off(tmp_path, soon):
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        seats = {"black": SeatMe(), "white": SeatMe()}
        room = await services.games.create(ann, NewGame(seats=seats))
        spoilt = HIGH_PLY.format(ply=1_000_000)
        await services.database.write(
            lambda connection: (
                connection.execute(
                    text("UPDATE games SET terms = replace(terms, :old, :new) WHERE id = :id"),
                    {"old": room.terms.start, "new": spoilt, "id": room.id},
                )
                and connection.execute(text("UPDATE seats SET kind='computer', level='friendly'"))
                and None
            )
        )
    from sumito.server.engines.pool import EngineThinker

    async with services_in(tmp_path, EngineThinker) as services:
        room = await services.games.room(room.id)
        await services.presence.enter(room.id, "watching", ann.id)
        await services.database.write(
            lambda connection: connection.execute(text("UPDATE games SET due_at = 1")) and None
        )
        await until(lambda: room.status == "over")
        assert str(room.outcome.reason) == "aborted"


async def test_an_outage_is_no_failure_of_the_computer(tmp_path, soon, monkeypatch):
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        seats = {"black": SeatComputer("friendly"), "white": SeatMe()}
        refused = []

        async def away(*_):
            refused.append(1)
            raise Unavailable("unavailable", "the game can't be stored now")

        change = services.games.change
        monkeypatch.setattr(services.games, "change", away)
        room = await services.games.create(ann, NewGame(seats=seats))
        await until(lambda: len(refused) > 2 * computers.MAX_FAILURES)
        monkeypatch.setattr(services.games, "change", change)
        await until(lambda: room.game.ply_count == 1)


@pytest.mark.slow
async def test_sweeping_broken_games_for_long_costs_nothing_that_grows(tmp_path, monkeypatch):
    """Many rounds over games that can't be read or thought about, more than one check takes."""
    monkeypatch.setattr(scheduler, "OVERDUE_S", 3_600)
    monkeypatch.setattr("sumito.server.scheduler.clocks._BATCH", 5)
    async with services_in(tmp_path, Unable) as services:
        ann = await guest(services)
        seats = {"black": SeatComputer("friendly"), "white": SeatMe()}
        rooms = [await services.games.create(ann, NewGame(seats=seats)) for _ in range(20)]
        for room in rooms[:8]:
            await spoil_terms(services, room)
        _, _, last = await together(services, ms=600_000)
        await due_since(services, *rooms, last)
        search_failures = metrics.FAILURES.labels("think")._value
        check_failures = metrics.FAILURES.labels(CHECK)._value
        before = search_failures.get(), check_failures.get()
        clocks, computer_players = services.scheduler.clocks, services.scheduler.computers
        clocks._timers.pop(last.id).cancel()  # as if its process had died
        for _ in range(200):
            await services.scheduler._check_overdue()
            await asyncio.sleep(0)
        # Each failed once or twice and then rests, and the one that is well was looked at.
        assert search_failures.get() - before[0] <= 2 * len(rooms)
        assert check_failures.get() - before[1] <= 2 * len(rooms)
        assert len(clocks.backoff) <= 8
        assert len(computer_players.backoff) <= len(rooms)
        assert last.id in services.scheduler.clocks._timers


CHECK = "check a game"


async def spoil_terms(services, room):
    services.games.rooms.forget(room.id)
    await services.database.write(
        lambda connection: (
            connection.execute(text("UPDATE games SET terms = '{' WHERE id = :id"), {"id": room.id})
            and None
        )
    )


async def due_since(services, *rooms):
    """Let games be overdue, in this order."""
    for at, room in enumerate(rooms, 1):
        await services.database.write(
            lambda connection, at=at, room=room: (
                connection.execute(
                    text("UPDATE games SET due_at = :at WHERE id = :id"), {"at": at, "id": room.id}
                )
                and None
            )
        )
