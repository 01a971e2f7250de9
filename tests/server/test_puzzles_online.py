"""Results of puzzles: kept for accounts, the first try counts, ratings move both ways."""

import secrets

from inside import guest, services_in
from sumito.puzzles import shipped

PASSWORD = "a long enough secret"


async def account(player):
    name = f"p{secrets.token_hex(5)}"
    await player.post("/api/accounts", {"name": name, "password": PASSWORD})
    return player


async def test_a_first_try_counts_and_a_second_does_not(ann):
    await account(ann)
    puzzle = shipped()[400]
    path = f"/api/puzzles/{puzzle.id}/results"
    first = await ann.post(path, {"solved": True})
    assert first["rating"] > 1500
    assert (first["tries"], first["solved"], first["counted"]) == (1, 1, True)
    again = await ann.post(path, {"solved": False})
    assert again["counted"] is False
    assert (again["rating"], again["puzzle_rating"]) == (first["rating"], first["puzzle_rating"])
    assert (await ann.get("/api/puzzles/me"))["tries"] == 1
    ratings = (await ann.get("/api/puzzles/ratings"))["ratings"]
    assert ratings[puzzle.id] == first["puzzle_rating"] <= puzzle.rating


async def test_who_fails_falls_and_an_easy_puzzle_tells_more_about_it(ann, ben):
    await account(ann)
    await account(ben)
    easy, hard = shipped()[5], shipped()[-5]
    failed_easy = await ann.post(f"/api/puzzles/{easy.id}/results", {"solved": False})
    failed_hard = await ben.post(f"/api/puzzles/{hard.id}/results", {"solved": False})
    assert failed_easy["rating"] < failed_hard["rating"] < 1500


async def test_a_guest_an_unknown_puzzle_and_nonsense_are_refused(ann):
    path = f"/api/puzzles/{shipped()[0].id}/results"
    assert (await ann.post(path, {"solved": True}, 403))["error"]["code"] == "no-account"
    await account(ann)
    await ann.post("/api/puzzles/nowhere/results", {"solved": True}, 404)
    for body in ({}, {"solved": "yes"}, {"solved": True, "more": 1}):
        await ann.post(path, body, 422)


async def test_who_leaves_leaves_no_results(tmp_path):
    async with services_in(tmp_path) as services:
        ann = await guest(services)
        puzzle = shipped()[3]
        await services.puzzles.add(ann.id, puzzle.id, puzzle.rating, 1, solved=True)
        assert (await services.puzzles.of_person(ann.id)).tries == 1
        await services.people.store.forget(ann.id)
        assert (await services.puzzles.of_person(ann.id)).tries == 0
        assert puzzle.id in await services.puzzles.ratings()
