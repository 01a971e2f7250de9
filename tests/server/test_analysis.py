"""The engine for the analysis board: streamed lines, cancellation, a queue with a limit."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from sumito import Board
from sumito.server.engines.analysis import AnalysisEngine
from sumito.server.refusals import Refusal
from support.in_process import guest, services_in
from support.processes import PATIENCE, ServerProcess

START = str(Board().position)
WON_SOON = "5/6/7/8/4bbbww/8/7/6/5 b 5,0 0 1"
LONG = 600_000


@pytest.fixture(scope="module")
def patient(tmp_path_factory):
    """A server whose engine would look for ten minutes."""
    folder = tmp_path_factory.mktemp("analysis")
    server = ServerProcess(folder / "games.sqlite3", analysis_ms=LONG).start()
    yield server
    said = server.stop()
    assert "Traceback" not in said, said


@asynccontextmanager
async def look(player, position=START, lines=2):
    """What is told, as it comes."""
    wanted = {"position": position, "lines": lines}
    async with player.http.stream("POST", "/api/analysis", json=wanted) as answer:
        assert answer.status_code == 200, await answer.aread()
        yield answer.aiter_lines()


async def first(told):
    return json.loads(await asyncio.wait_for(anext(told), PATIENCE))["lines"]


async def rest(told):
    async with asyncio.timeout(PATIENCE):
        return [json.loads(line)["lines"] async for line in told]


async def test_lines_come_deeper_and_deeper_while_the_engine_looks(patient, player):
    async with look(player(patient.url)) as told:
        lines = await first(told)
        assert [len(line["pv"]) > 0 for line in lines] == [True, True]
        assert lines[0]["score"] >= lines[1]["score"]
        deeper = await first(told)
        assert deeper[0]["depth"] > lines[0]["depth"]


async def test_a_win_is_told_in_plies_and_the_look_ends(ann):
    async with look(ann, WON_SOON, 1) as told:
        assert (await rest(told))[-1][0]["win_in"] == 1


async def test_the_next_look_of_somebody_ends_the_one_before(patient, player):
    ann = player(patient.url)
    await ann.get("/api/me")
    async with look(ann) as before:
        await first(before)
        async with look(ann) as after:
            await first(after)
            await rest(before)
            await first(after)


async def test_who_goes_away_frees_the_engine(patient, player):
    ann, ben = player(patient.url), player(patient.url)
    await ann.get("/api/me")
    await ben.get("/api/me")
    async with look(ann) as told:
        await first(told)
    async with look(ben) as told:
        await first(told)


async def test_what_makes_no_sense_is_refused(ann):
    for body in ({}, {"position": START, "lines": 0}, {"position": START, "lines": 6}):
        await ann.post("/api/analysis", body, 422)
    await ann.post("/api/analysis", {"position": "nonsense"}, 422)
    over = "5/6/7/8/4bbb2/8/7/6/5 b 6,0 0 1"
    assert (await ann.post("/api/analysis", {"position": over}, 409))["error"]["code"] == "over"


async def test_a_server_says_whether_its_engine_looks(ann, player, tmp_path):
    assert (await ann.get("/api/choices"))["analysis_ms"] == 20_000
    server = ServerProcess(tmp_path / "games.sqlite3", analysis_ms=0).start()
    try:
        ben = player(server.url)
        assert (await ben.get("/api/choices"))["analysis_ms"] == 0
        refused = await ben.post("/api/analysis", {"position": START}, 503)
        assert refused["error"]["code"] == "no-analysis"
    finally:
        server.stop()


async def test_analyses_queue_for_the_engine_up_to_a_limit():
    engine = AnalysisEngine(1)
    try:
        analyses = [engine.analyse(Board(), 1, 600, f"person {number}") for number in range(32)]
        waiting = [asyncio.ensure_future(anext(one)) for one in analyses]
        await asyncio.wait_for(waiting[0], PATIENCE)
        with pytest.raises(Refusal):
            engine.ensure_capacity("somebody else")
        engine.ensure_capacity("person 7")
        await analyses[0].aclose()
        engine.ensure_capacity("somebody else")
        await asyncio.wait_for(waiting[1], PATIENCE)
    finally:
        await engine.close()
        await asyncio.gather(*waiting, return_exceptions=True)


async def test_an_analysis_never_delays_a_game(tmp_path):
    async with services_in(tmp_path, analysis_ms=LONG) as services:
        ann = await guest(services)
        analysis = services.analysis.analyse(Board(), 1, 600, ann.id)
        await asyncio.wait_for(anext(analysis), PATIENCE)
        moved = services.engines.move(Board(), "champion", None, 1, ann.id)
        assert await asyncio.wait_for(moved, PATIENCE) in Board().legal_moves
        await analysis.aclose()
