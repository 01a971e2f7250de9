"""Puzzle results: verified, stored for accounts, and rated once."""

import asyncio
import secrets

import pytest
from sqlalchemy import insert

from sumito.puzzles import Goal, shipped
from sumito.rules.move import MOVES
from sumito.server.ratings.ratings import Rating
from sumito.server.storage import open_database, tables
from sumito.server.storage.puzzles_repo import PuzzleRepository
from support.in_process import guest, services_in
from support.processes import Player, ServerProcess

PASSWORD = "a long enough secret"


async def account(player):
    name = f"p{secrets.token_hex(5)}"
    await player.post("/api/accounts", {"name": name, "password": PASSWORD})
    return player


def solution(puzzle):
    """The moves of the solver's side, by their numbers."""
    board, moves = puzzle.board(), []
    solver = board.mode.side(board.turn)
    for move in puzzle.line:
        if board.mode.side(board.turn) is solver:
            moves.append(move.index)
        board.push(move)
    return moves


def mistake(puzzle):
    """A legal first move that is not the solution's."""
    move = next(
        move
        for move in puzzle.board().legal_moves
        if not puzzle.is_solved_by([move, *puzzle.line])
        and move != puzzle.line[0]
        and not puzzle.is_solved_by([move])
    )
    return [move.index]


async def test_a_first_try_counts_and_a_second_does_not(ann):
    await account(ann)
    puzzle = shipped()[400]
    path = f"/api/puzzles/{puzzle.id}/results"
    first = await ann.post(path, {"moves": solution(puzzle)})
    assert first["rating"] > 1500
    assert (first["tries"], first["solved"], first["counted"]) == (1, 1, True)
    again = await ann.post(path, {"moves": []})
    assert again["counted"] is False
    assert (again["rating"], again["puzzle_rating"]) == (first["rating"], first["puzzle_rating"])
    assert (await ann.get("/api/puzzles/me"))["tries"] == 1
    ratings = (await ann.get("/api/puzzles/ratings"))["ratings"]
    assert ratings[puzzle.id] == first["puzzle_rating"] <= puzzle.rating


async def test_who_fails_falls_and_an_easy_puzzle_tells_more_about_it(ann, ben):
    await account(ann)
    await account(ben)
    easy, hard = shipped()[5], shipped()[-5]
    failed_easy = await ann.post(f"/api/puzzles/{easy.id}/results", {"moves": mistake(easy)})
    failed_hard = await ben.post(f"/api/puzzles/{hard.id}/results", {"moves": []})
    assert failed_easy["rating"] < failed_hard["rating"] < 1500


async def test_a_guest_an_unknown_puzzle_and_nonsense_are_refused(ann):
    path = f"/api/puzzles/{shipped()[0].id}/results"
    assert (await ann.post(path, {"moves": []}, 403))["error"]["code"] == "no-account"
    await account(ann)
    await ann.post("/api/puzzles/nowhere/results", {"moves": []}, 404)
    for moves in ("yes", [-1], [len(MOVES)], [1.5], [None], [0] * 41, 10**30):
        await ann.post(path, {"moves": moves}, 422)
    for body in ({}, {"solved": True}, {"moves": [], "solved": True}):
        await ann.post(path, body, 422)


async def test_who_leaves_leaves_no_results(tmp_path):
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        puzzle = shipped()[3]
        await services.puzzles.add(ann.id, puzzle.id, puzzle.rating, 1, solved=True)
        assert (await services.puzzles.of_person(ann.id)).tries == 1
        await services.people.store.delete(ann.id)
        assert (await services.puzzles.of_person(ann.id)).tries == 0
        assert puzzle.id in await services.puzzles.ratings()


async def test_what_a_client_says_of_itself_solves_nothing(ann):
    """120 times "solved" once took an account to 2,188 points."""
    await account(ann)
    for puzzle in shipped()[:20]:
        await ann.post(f"/api/puzzles/{puzzle.id}/results", {"solved": True}, 422)
        await ann.post(f"/api/puzzles/{puzzle.id}/results", {"moves": mistake(puzzle)})
    standing = await ann.get("/api/puzzles/me")
    assert (standing["tries"], standing["solved"]) == (20, 0)
    assert standing["rating"] < 1500


def test_every_shipped_puzzle_is_solved_by_its_line_alone():
    for puzzle in shipped():
        moves = [MOVES[index] for index in solution(puzzle)]
        assert puzzle.is_solved_by(moves)
        assert not puzzle.is_solved_by([])
        assert not puzzle.is_solved_by(moves[:-1])
        assert not puzzle.is_solved_by([*moves, moves[0]])


def test_at_the_end_another_move_may_reach_the_same():
    """A marble pushed off is pushed off, a win a win; anything else is the line's alone."""
    others = 0
    for puzzle in shipped():
        board = puzzle.board()
        for move in puzzle.line[:-1]:
            board.push(move)
        played = [MOVES[index] for index in solution(puzzle)]
        for move in board.legal_moves:
            if move == puzzle.line[-1]:
                continue
            reached = puzzle.goal is Goal.EJECT and board.effect(move).ejected is not None
            if puzzle.goal is Goal.WIN:
                after = board.copy()
                after.push(move)
                outcome = after.outcome()
                winner = outcome.winner if outcome else None
                reached = winner is not None and board.mode.side(winner) is board.mode.side(
                    board.turn
                )
            if len(puzzle.line) % 2 or not reached:
                assert puzzle.is_solved_by([*played[:-1], move]) is reached
            others += reached
        if others > 5:
            break


async def test_an_account_has_only_so_many_results_at_a_time(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3", puzzle_tries="3/hour").start()
    ann = Player(server.url)
    try:
        await account(ann)
        for puzzle in shipped()[:3]:
            await ann.post(f"/api/puzzles/{puzzle.id}/results", {"moves": solution(puzzle)})
        refused = await ann.post(f"/api/puzzles/{shipped()[3].id}/results", {"moves": []}, 429)
        assert refused["error"]["code"] == "too-many"
        assert (await ann.get("/api/puzzles/me"))["tries"] == 3
    finally:
        await ann.close()
        server.stop()


async def person_in(database):
    values = {"id": secrets.token_hex(6), "name": "x", "created_at": 1}
    row = insert(tables.people).values(values)
    await database.write(lambda connection: connection.execute(row) and None)
    return values["id"]


async def test_two_devices_lose_no_result(database):
    """On PostgreSQL their transactions run at once; rows are locked, also those that are new."""
    opened = open_database(str(database))
    await opened.migrate()
    store, count = PuzzleRepository(opened), 12
    try:
        people = [await person_in(opened) for _ in range(3)]
        # Puzzles that nobody has tried before, in other orders, and each twice.
        puzzles = [secrets.token_hex(5) for _ in range(count)]
        await asyncio.gather(
            *(
                store.add(person, puzzle, 1500, 1, solved=True)
                for number, person in enumerate(people)
                for puzzle in (puzzles if number % 2 else puzzles[::-1]) * 2
            )
        )
        for person in people:
            standing = await store.of_person(person)
            assert (standing.tries, standing.solved) == (count, count)
            assert standing.rating.mu > Rating().mu
        ratings = await store.ratings()
        assert all(ratings[puzzle] < 1500 for puzzle in puzzles)
    finally:
        await opened.close()


@pytest.mark.parametrize("count", [0, 1, 19, 10**6])
def test_a_newcomer_says_little_about_a_puzzle(count):
    from sumito.server.ratings.puzzle_ratings import after_try, first_rating

    puzzle = first_rating(1500)
    _, after = after_try(Rating(games=count), puzzle, solved=True)
    _, settled = after_try(Rating(games=19), puzzle, solved=True)
    share = min(1, ((count + 1) / 20) ** 2)
    assert puzzle.mu - after.mu == pytest.approx(share * (puzzle.mu - settled.mu))
