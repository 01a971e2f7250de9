"""Stored events: replay, catching up with the store, old numberings, disconnects during commits."""

import asyncio
from dataclasses import replace

import msgspec
from sqlalchemy import text

from sumito.protocol.commands import AskTakeback, Play
from sumito.protocol.requests import NewGame, SeatComputer, SeatMe
from sumito.server.games.room import Room
from sumito.server.realtime.hub import MAX_QUEUED_BYTES, DirectFrame, Subscription
from sumito.server.storage import ConflictError, StoredEvent, UnavailableError
from sumito.server.storage.database import SqliteDatabase
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


async def test_a_guest_who_signs_in_during_a_game_plays_on_after_a_restart(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben, room = await together(services)
        await play(services, room, ann)
        owner = await guest(services)
        await services.games.merge_guest(ben.id, owner)
        room = await services.games.room(room.id)
        await play(services, room, owner)
    async with services_in(tmp_path) as services:
        again = await services.games.room(room.id)
        assert len(again.game.plies) == 2
        assert again.version == again.game.version
        await play(services, again, ann)
        assert len(again.game.plies) == 3


async def test_games_stored_by_the_old_numbering_are_read(tmp_path):
    """These are the rows of a guest who signed in after the first move, as they used to be."""
    async with services_in(tmp_path) as services:
        _, _, room = await together(services)
        stored = await services.games.store.get(room.id)
    rows = [
        ("joined", '{"seat":"white","name":"Guest 1"}'),
        ("started", "{}"),
        ("moved", '{"seat":"black","move":"a1b2","clock":null,"lag":0}'),
        ("joined", '{"seat":"white","name":"ben"}'),
        ("moved", '{"seat":"white","move":"i9h8","clock":null,"lag":0}'),
        ("draw_offered", '{"seat":"white"}'),
        ("moved", '{"seat":"black","move":"b2c3","clock":null,"lag":0}'),
        ("ended", '{"outcome":{"winner":null,"reason":"agreed"}}'),
        ("rematch_offered", '{"seat":"white"}'),
    ]
    entries = [StoredEvent(at + 1, stored.created_at, *row) for at, row in enumerate(rows)]
    read = Room(stored, entries)
    assert [str(ply.move) for ply in read.game.plies] == ["a1b2", "i9h8", "b2c3"]
    assert read.version == len(rows)
    assert read.status == "over"


async def test_terms_without_a_word_on_takebacks_allow_them(tmp_path):
    async with services_in(tmp_path) as services:
        _, room = await alone(services)
        stored = await services.games.store.get(room.id)
    terms = msgspec.json.decode(stored.terms)
    del terms["takebacks"]
    old = msgspec.json.encode(terms).decode()
    assert Room(replace(stored, terms=old), []).terms.takebacks


async def test_who_hangs_up_during_the_commit_has_moved_for_everybody(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        ann, ben, room = await together(services)
        subscriber = await Subscriber.at(services, room)
        append, held = services.games.store.append, asyncio.Event()

        async def slowly(*about):
            held.set()
            await asyncio.sleep(0.05)
            await append(*about)

        monkeypatch.setattr(services.games.store, "append", slowly)
        moving = asyncio.create_task(play(services, room, ann))
        await held.wait()
        moving.cancel()
        await asyncio.gather(moving, return_exceptions=True)
        await until(lambda: room.version in subscriber.versions)
        assert len(room.game.plies) == 1
        await play(services, room, ben)
        assert len(room.game.plies) == 2


async def test_a_computer_answers_one_who_hung_up(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        seats = {"black": SeatMe(), "white": SeatComputer("friendly")}
        room = await services.games.create(ann, NewGame(seats=seats))
        append = services.games.store.append

        async def slowly(*about):
            await asyncio.sleep(0.05)
            await append(*about)

        monkeypatch.setattr(services.games.store, "append", slowly)
        moving = asyncio.create_task(play(services, room, ann))
        await asyncio.sleep(0.02)
        moving.cancel()
        await until(lambda: len(room.game.plies) == 2)


async def test_who_finds_the_store_ahead_tells_everybody(tmp_path, monkeypatch):
    # Two processes on one file, as only Redis allows them; here it carries no news.
    monkeypatch.setattr(SqliteDatabase, "claim", lambda _, *, shared: None)
    async with services_in(tmp_path) as services:
        ann, ben, room = await together(services)
        async with services_in(tmp_path) as other:
            elsewhere = await other.games.room(room.id)
            await play(other, elsewhere, ann)
        subscriber = await Subscriber.at(services, room)
        move = next(iter(elsewhere.board.legal_moves)).index
        await services.games.command(room.id, ben.id, Play(ply=elsewhere.board.ply, move=move))
        await until(lambda: room.version in subscriber.versions)
        assert elsewhere.version in subscriber.versions


async def test_a_change_that_was_stored_although_the_database_went_away_is_told(
    tmp_path, monkeypatch
):
    async with services_in(tmp_path) as services:
        ann, _, room = await together(services)
        subscriber = await Subscriber.at(services, room)
        append = services.games.store.append

        async def lost(*about):
            await append(*about)
            raise UnavailableError("the connection broke")

        monkeypatch.setattr(services.games.store, "append", lost)
        before = room.version
        refused = await asyncio.gather(play(services, room, ann), return_exceptions=True)
        assert refused[0].code == "unavailable"
        monkeypatch.setattr(services.games.store, "append", append)
        await until(lambda: before + 1 in subscriber.versions)
        assert len(room.game.plies) == 1


async def test_a_conflict_that_never_ends_is_said_to_be_busy(tmp_path, monkeypatch):
    async with services_in(tmp_path) as services:
        ann, _, room = await together(services)

        async def never(*_):
            raise ConflictError(room.id)

        monkeypatch.setattr(services.games.store, "append", never)
        refused = await asyncio.gather(play(services, room, ann), return_exceptions=True)
        assert refused[0].code == "busy"


async def test_a_thought_about_another_position_isnt_played(tmp_path):
    """After a take-back it may be the same ply, and another position."""
    asked = asyncio.Event()

    class Slow(FirstMove):
        async def move(self, board, level, seconds, seed):
            asked.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                return next(iter(board.legal_moves))

    async with services_in(tmp_path, Slow) as services:
        ann = await guest(services)
        seats = {"black": SeatMe(), "white": SeatComputer("friendly")}
        room = await services.games.create(ann, NewGame(seats=seats))
        await play(services, room, ann)
        await asked.wait()
        first = room.board.position
        thought = services.scheduler.computers._think(room, room.turn_seat, first)
        thinking = asyncio.create_task(thought)
        await asyncio.sleep(0.01)
        await services.games.command(room.id, ann.id, AskTakeback())
        await until(lambda: not room.game.plies)
        other = list(room.board.legal_moves)[5].index
        await services.games.command(room.id, ann.id, Play(ply=room.board.ply, move=other))
        thinking.cancel()
        await asyncio.gather(thinking, return_exceptions=True)
        assert len(room.game.plies) == 1
        assert room.board.position != first


def test_a_queue_is_bounded_in_bytes():
    queue = Subscription("x")
    dropped = []
    queue.on_overrun = lambda: dropped.append(True)
    queue.put(DirectFrame("x" * 2 * MAX_QUEUED_BYTES))
    assert not queue.is_overrun
    queue.put(DirectFrame("y"))
    assert queue.is_overrun
    assert dropped == [True]
    queue.put(DirectFrame("z"))
    assert dropped == [True]


async def test_an_event_is_small_even_with_all_legal_moves(tmp_path):
    async with services_in(tmp_path) as services:
        ann, ben, room = await together(services, ms=600_000)
        subscriber = await Subscriber.at(services, room)
        people = {0: ann, 1: ben}
        for ply in range(40):
            await play(services, room, people[ply % 2])
        await until(lambda: room.version in subscriber.versions)
        moves = [one for one in subscriber.messages if getattr(one, "first", 0)]
        sizes = [len(one.frames[-1]) + len(max(one.mine.values(), key=len)) + 10 for one in moves]
        assert max(sizes) < 600


async def test_old_lines_of_chat_are_read_after_the_migration(tmp_path):
    """A database of the first version, with a line as it was written then."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine

    from sumito.server.storage import database

    file = tmp_path / "games.sqlite3"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config = Config()
        folder = database.__file__.replace("database.py", "migrations")
        config.set_main_option("script_location", folder)
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(
            text(
                "INSERT INTO games VALUES ('g', 'p', '{}', 'over', 1, 1, 1, 1, 0, '', 0, '', '', 0)"
            )
        )
        body = '{"from":"white","at":5,"preset":"hello"}'
        connection.execute(text("INSERT INTO chat VALUES (1, 'g', 5, :body)"), {"body": body})
    engine.dispose()
    async with services_in(tmp_path) as services:
        ((id, line),) = await services.games.chat.store.lines("g")
        assert (id, msgspec.json.decode(line)) == (
            1,
            {"id": 0, "sender": "white", "at": 5, "phrase": "hello"},
        )
