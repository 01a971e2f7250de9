"""Games from the first seat to the last move, over WebSocket and HTTP."""


async def test_two_people_play_and_each_hears_the_others_move(ann, ben, game_of):
    game = await game_of(ann, ben)
    assert game["status"] == "playing"
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        assert black.game["you"] == ["black"]
        assert white.game["you"] == ["white"]
        await black.play("a1b2")
        moved = await white.until("moved")
        assert (moved["seat"], moved["move"], moved["nacre"]) == ("black", "a1b2", "a1d4")
        assert moved["moved"] == ["a1", "b2", "c3"]
        await white.play("i9h8")
        await black.until("moved")
        assert [entry["move"] for entry in black.game["moves"]] == ["a1b2", "i9h8"]
        assert black.game["turn"] == "black"


async def test_a_game_is_won_by_ejecting(ann, ben, game_of):
    game = await game_of(ann, ben, captured=[0, 0], win_at=1, layout="belgian-daisy")
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        await black.do("resign", seat="black")
        ended = await white.until("ended")
        assert ended["outcome"] == {"winner": "white", "reason": "resigned"}
        assert white.game["status"] == "over"
        assert white.game["legal"] == []
