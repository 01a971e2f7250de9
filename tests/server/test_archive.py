"""The archive: adding games once, search, opening explorer, import."""

import asyncio
import random
from collections import defaultdict
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from sumito import Board, Mode, record
from sumito.cli.app import app
from sumito.protocol.commands import Resign
from sumito.record import Record
from sumito.rules import layouts
from sumito.rules.symmetry import SYMMETRIES
from sumito.server.archive.archive import of_record, record_of
from sumito.server.storage import archive_repo
from sumito.server.storage.archive_repo import COUNTED_PLIES, GameSearch, counts
from support.in_process import downgraded, play, services_in, together, until
from support.strategies import play_random


def random_record(rng, mode=Mode.TWO, plies=30, **tags):
    """A game at random, some of them turned: the explorer shouldn't mind."""
    layout = rng.choice(["standard", "belgian-daisy"]) if mode is Mode.TWO else None
    board = Board(layout, mode).transform(rng.choice(SYMMETRIES))
    # Few first moves, so that positions come again.
    for _ in range(2):
        board.push(sorted(board.legal_moves, key=lambda move: move.index)[rng.randrange(3)])
    start = board.copy()
    for _ in range(2):
        start.pop()
    play_random(board, rng, rng.randrange(1, plies))
    results = {Mode.TWO: ["1-0", "0-1", "1/2-1/2", "*"], Mode.THREE: ["1-0-0", "0-0-1"]}
    result = rng.choice(results.get(mode, ["1-0", "0-1"]))
    if (outcome := board.outcome()) is not None:
        result = outcome.result(mode, board.eliminated)
    named = {"Black": rng.choice(["Ann", "Ben"]), "White": rng.choice(["Cas", "Dee"])}
    if rng.random() < 0.5:
        named |= {"BlackElo": str(rng.randrange(1000, 2000)), "WhiteElo": "1500"}
    day = f"2024.{rng.randrange(1, 13):02}.{rng.randrange(1, 29):02}"
    return Record.from_moves(
        start.position, board.moves, tags={"Date": day} | named | tags, result=result
    )


def brute_count(games, position):
    """What the explorer should say of a position, by looking at every game in every direction."""
    turned = {str(Board.parse(position).transform(symmetry).position).split()[:2][0]: symmetry
              for symmetry in reversed(SYMMETRIES)}  # fmt: skip
    turn = position.split()[1]
    asked = Board.parse(position)
    same = [s for s in SYMMETRIES if asked.transform(s).position.marbles == asked.position.marbles]
    counted = defaultdict(lambda: [0, 0, 0, 0])
    for game in games:
        seen = set()
        for board, move in list(zip(game.boards(), game.moves, strict=False))[:COUNTED_PLIES]:
            rows, to_move = str(board.position).split()[:2]
            if to_move != turn or rows not in turned or board.mode is not asked.mode:
                continue
            back = turned[rows].inverse.move(move)
            seen.add(min(symmetry.move(back) for symmetry in same))
        for move in seen:
            row = counted[move]
            row[0] += 1
            if game.result != "*":
                row[{"1": 1, "0": 2, "1/2": 3}[game.result.split("-")[0]]] += 1
    return {move: tuple(row) for move, row in counted.items()}, same


async def test_the_explorer_counts_as_one_who_looks_at_every_game(tmp_path):
    rng = random.Random(1)
    games = [random_record(rng) for _ in range(250)]
    async with services_in(tmp_path) as services:
        await services.archive.store.add([of_record(game) for game in games])
        starts = ("standard", "belgian-daisy", "domination")
        asked = [str(Board(layout).position) for layout in starts]
        asked += [str(board.position) for game in games[:12] for board in list(game.boards())[1:4]]
        for position in asked:
            expected, same = brute_count(games, position)
            told = await services.archive.explore(position)
            found = {}
            board = Board.parse(position)
            for row in told.moves:
                move = board.parse_move(row.move)
                key = min(symmetry.move(move) for symmetry in same)
                found[key] = (row.games, *row.wins, row.draws)
            assert found == expected, position
            assert told.games == sum(row[0] for row in expected.values())
            assert [row.games for row in told.moves] == sorted(
                (row.games for row in told.moves), reverse=True
            )


@pytest.mark.parametrize("mode", [Mode.THREE, Mode.TEAMS])
async def test_the_explorer_knows_every_mode(tmp_path, mode):
    rng = random.Random(2)
    games = [random_record(rng, mode) for _ in range(20)]
    async with services_in(tmp_path) as services:
        assert await services.archive.store.add([of_record(game) for game in games]) == 20
        told = await services.archive.explore(str(games[0].start))
        assert told.games > 0
        assert all(len(row.wins) == len(mode.sides) for row in told.moves)
        assert sum(sum(row.wins) for row in told.moves) == told.games


async def test_a_search_finds_what_fits_in_pages(tmp_path):
    rng = random.Random(3)
    games = [random_record(rng) for _ in range(60)]
    async with services_in(tmp_path) as services:
        store = services.archive.store
        await store.add([of_record(game) for game in games])

        async def found(**wanted):
            return [record_of(one) for one in await store.search(GameSearch(**wanted), limit=100)]

        assert len(await found()) == 60
        by_ann = await found(player="ann")
        assert 0 < len(by_ann) < 60
        assert all(game.tags["Black"] == "Ann" for game in by_ann)
        daisies = await found(layout="belgian-daisy", mode="two")
        # A start that was turned isn't the layout's own.
        kinds = {layouts.find(game.start.marbles, Mode.TWO).id for game in daisies}
        assert kinds == {"belgian-daisy"}
        assert {game.result for game in await found(result="draw")} == {"1/2-1/2"}
        assert {game.result for game in await found(result="white")} == {"0-1"}
        short = await found(longest=10)
        assert 0 < len(short) < 60
        assert all(len(game.moves) <= 10 for game in short)
        there = await found(position=str(next(iter(games[0].boards())).position))
        assert games[0].moves in [game.moves for game in there]
        pages, before = [], None
        while page := await store.search(GameSearch(), before, 7):
            pages += page
            before = (page[-1].at, page[-1].number)
        assert len({one.number for one in pages}) == 60
        assert [one.at for one in pages] == sorted((one.at for one in pages), reverse=True)


async def test_a_position_is_found_wherever_a_game_reached_it(tmp_path, monkeypatch):
    """Late in a game too, and whether few games did so or many."""
    rng = random.Random(9)
    games = [random_record(rng, plies=150) for _ in range(8)]
    async with services_in(tmp_path) as services:
        store = services.archive.store
        await store.add([of_record(game) for game in games])
        longest = max(games, key=lambda game: len(game.moves))
        assert len(longest.moves) > COUNTED_PLIES + 5
        *_, before, _ = longest.boards()
        for few in (archive_repo.FEW, 1):
            monkeypatch.setattr(archive_repo, "FEW", few)
            for turned in SYMMETRIES[:7:3]:
                wanted = GameSearch(position=str(before.transform(turned).position))
                assert [record_of(one).moves for one in await store.search(wanted)] == [
                    longest.moves
                ]
                assert await store.search(replace(wanted, player="Nobody")) == []
        assert (await services.archive.explore(str(before.position))).games == 0


async def test_games_archived_by_an_older_version_are_found_by_all_their_positions(tmp_path):
    from sqlalchemy import text

    game = random_record(random.Random(10), plies=200)
    while len(game.moves) <= 70:
        game = random_record(random.Random(len(game.moves)), plies=300)
    *_, last = game.boards()
    wanted = GameSearch(position=str(last.position))
    async with services_in(tmp_path) as services:
        store = services.archive.store
        await store.add([of_record(game)])
        keys = [key for key, _ in counts(of_record(game))][60:]

        def as_it_was(connection):
            for key in keys:
                connection.execute(text("DELETE FROM reached WHERE key = :key"), {"key": key})

        await store._database.write(as_it_was)
        assert await store.search(wanted) == []
        await store._database.write(downgraded("0006"))
    async with services_in(tmp_path) as services:
        assert len(await services.archive.store.search(wanted)) == 1


async def test_a_game_comes_once_however_often_it_is_added(tmp_path):
    game = of_record(random_record(random.Random(4)))
    async with services_in(tmp_path) as services:
        assert await services.archive.store.add([game, game]) == 1
        assert await services.archive.store.add([game]) == 0
        assert (await services.archive.explore(game.start)).games == 1


async def test_a_record_of_a_game_played_here_adds_nothing(tmp_path):
    async with services_in(tmp_path) as services:
        ann, _, room = await together(services)
        await play(services, room, ann)
        await services.games.command(room.id, ann.id, Resign(seat="black"))
        await services.archive.add_finished(room.id)
        (game,) = await services.archive.store.search(GameSearch())
        again = next(record.parse(await services.archive.text(game)))
        assert await services.archive.store.add([of_record(again)]) == 0
        again.tags["Source"] = "sumito elsewhere"
        assert await services.archive.store.add([of_record(again)]) == 1


async def test_a_finished_public_game_is_archived_and_another_is_not(tmp_path):
    async with services_in(tmp_path) as services:
        ann, _, room = await together(services)
        await play(services, room, ann)
        await services.games.command(room.id, ann.id, Resign(seat="black"))
        found = []

        async def look():
            found[:] = await services.archive.store.search(GameSearch())
            return found

        for _ in range(500):
            if await look():
                break
        assert [one.game_id for one in found] == [room.id]
        assert found[0].winner == "white"
        (shown,) = await services.archive.summaries(found)
        assert (shown.id, shown.imported, shown.moves) == (room.id, False, 1)
        told = await services.archive.explore(str(Board().position))
        assert [(row.games, row.wins, row.last_game) for row in told.moves] == [
            (1, [0, 1], room.id)
        ]
        ann, _, hidden = await together(services)
        hidden.listed = False
        await services.archive.add_finished(hidden.id)  # it isn't even over
        assert len(await look()) == 1


async def test_what_ended_while_nobody_looked_is_added_at_the_start(tmp_path):
    async with services_in(tmp_path) as services:
        ann, _, room = await together(services)
        await play(services, room, ann)
        services.scheduler._archive.add_finished = _nothing
        await services.games.command(room.id, ann.id, Resign(seat="black"))
        assert await services.archive.store.missing() == [room.id]
    async with services_in(tmp_path) as services:
        archived = []

        def there():
            return bool(archived)

        async def watch():
            while not archived:
                archived.extend(await services.archive.store.search(GameSearch()))

        await watch()
        await until(there)
        assert archived[0].game_id == room.id


async def _nothing(*_):
    pass


async def test_the_api_explores_searches_and_downloads(ann, tmp_path, database):
    rng = random.Random(5)
    file = tmp_path / "some.apgn"
    games = [random_record(rng, Red="", Event=f"Test {number}") for number in range(3)]
    for game in games:
        game.tags.pop("Red")
        game.tags["Black"] = "Zebulon"
    record.write(games, file)
    command = ["games", "import", str(file), "--database", str(database)]
    done = await asyncio.to_thread(CliRunner().invoke, app, command)
    assert "3 games added" in done.output, done.output
    listed = await ann.get("/api/games?player=zebulon")
    assert len(listed["games"]) == 3
    assert listed["next"] is None
    assert all(game["imported"] for game in listed["games"])
    answer = await ann.http.get("/api/games.apgn?player=Zebulon")
    again = list(record.parse(answer.text))
    assert sorted(str(game.moves) for game in again) == sorted(str(game.moves) for game in games)
    one = await ann.http.get(f"/api/games/{listed['games'][0]['id']}.apgn")
    assert next(record.parse(one.text)).tags["Black"] == "Zebulon"
    told = await ann.get(f"/api/openings?position={games[0].start}")
    assert told["games"] >= 1
    assert set(told["moves"][0]) == {
        "move", "games", "wins", "draws", "rating", "last_at", "last_game", "last_players",
    }  # fmt: skip
    await ann.get("/api/games/i-nosuchgame.apgn", 404)


@pytest.mark.parametrize(
    "query",
    [
        "openings", "openings?position=nonsense", "games?position=%00", "games?mode=five",
        "games?layout=nowhere", "games?since=yesterday", "games?until=9999-12-31",
        "games?shortest=-1", "games?longest=1e9", "games?result=purple",
        "games.apgn?mode=x",
    ],
)  # fmt: skip
async def test_nonsense_is_refused_in_words(ann, query):
    answer = await ann.get(f"/api/{query}", 422)
    assert answer["error"]["message"]


async def test_a_bad_cursor_is_refused(ann):
    for cursor in ("x", "1-", "-1", "1-x", "9" * 40 + "-1"):
        await ann.get(f"/api/games?player=ann&before={cursor}", 400)


def test_an_import_names_bad_games_and_goes_on(tmp_path):
    good = random_record(random.Random(6))
    text = record.write([good])
    file = tmp_path / "mixed.apgn"
    file.write_text(text + "\n" + text.replace("1. ", "1. zz99 ", 1) + "\n" + text, "utf-8")
    database = str(tmp_path / "games.sqlite3")
    done = CliRunner().invoke(app, ["games", "import", str(file), "--database", database])
    assert done.exit_code == 1
    assert "1 games added, 1 were there already, 1 can't be read" in done.output
    assert "game 2" in done.output
    missing = CliRunner().invoke(app, ["games", "import", "nowhere.apgn", "--database", database])
    assert missing.exit_code == 2


def test_the_key_is_that_of_the_turned_board_and_no_other():
    from sumito import kernel
    from sumito.kernel.positions import to_kernel

    rng = random.Random(8)
    keys = set()
    for _ in range(30):
        board = play_random(Board("belgian-daisy"), rng, 20)
        turned = {
            kernel.canonical_keys(to_kernel(board.transform(symmetry)))[0][0]
            for symmetry in SYMMETRIES
        }
        assert len(turned) == 1
        keys |= turned
    assert len(keys) == 30
