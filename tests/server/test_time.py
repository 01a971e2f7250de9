"""Clocks over the network: the server's clock decides."""

import pytest


async def test_a_flag_falls_without_anybody_asking(ann, ben, game_of):
    game = await game_of(ann, ben, control={"kind": "sudden_death", "ms": 100})
    async with ben.socket(game["id"]) as white:
        if not white.game["outcome"]:
            await white.until("ended")
        assert white.game["outcome"] == {"winner": "white", "reason": "flag", "by": "black"}
        assert white.game["turn"] is None
        assert white.game["clocks"]["black"] == 0


async def test_a_claimed_flag_is_only_a_request_to_look(ann, ben, game_of):
    game = await game_of(ann, ben, control={"kind": "sudden_death", "ms": 600_000})
    async with ben.socket(game["id"]) as white:
        version = white.game["version"]
        assert await white.do("flag") == version
        assert white.game["outcome"] is None


async def test_the_clock_runs_for_the_player_to_move(ann, ben, game_of):
    control = {"kind": "fischer", "ms": 600_000, "increment_ms": 60_000}
    game = await game_of(ann, ben, control=control)
    async with ann.socket(game["id"]) as black:
        assert black.game["turn"] == "black"
        await black.play("a1b2")
        assert black.game["turn"] == "white"
        assert 600_000 < black.game["clocks"]["black"] <= 660_000
        assert black.game["moves"][0]["clock"] == black.game["clocks"]["black"]


async def test_a_turns_delay_is_told_as_far_as_it_is_left(ann, ben, game_of):
    control = {"kind": "delay", "ms": 600_000, "delay_ms": 300_000}
    game = await game_of(ann, ben, control=control)
    assert 0 < game["delay_left"] <= 300_000
    async with ann.socket(game["id"]) as black:
        await black.play("a1b2")
        told = black.game["delay_left"]
        assert 0 < told <= 300_000
        await black.do("offer_draw", seat="black")
        assert black.game["delay_left"] == told
    assert 0 < (await ann.get(f"/api/games/{game['id']}"))["delay_left"] <= told
    assert (await game_of(ann, ben))["delay_left"] == 0


async def test_a_game_without_a_clock_has_none(ann, ben, game_of):
    game = await game_of(ann, ben)
    assert game["clocks"] is None


async def test_lag_is_measured_here_and_granted_up_to_a_bound(ann, ben, game_of):
    game = await game_of(ann, ben, control={"kind": "sudden_death", "ms": 600_000})
    async with ann.socket(game["id"]) as black:
        ping = await black.until("ping")
        # An answer to no question is no measure, and an old one is cut off.
        await black.send(type="pong", sent=ping["sent"] - 10_000_000)
        await black.send(type="pong", sent=ping["sent"])
        await black.play("a1b2")
        assert black.game["clocks"]["black"] <= 600_000
        refused = await black.ask("play", seat="white", ply=2, move="i9h8", lag=10_000)
        assert refused["code"] == "invalid"


@pytest.mark.parametrize("ms", [0, -1, 10**12, 1.5, "600"])
async def test_a_control_that_makes_no_sense_is_refused(ann, ms):
    refused = await ann.post("/api/games", {"control": {"kind": "sudden_death", "ms": ms}}, 422)
    assert "control.ms" in refused["error"]["message"]
