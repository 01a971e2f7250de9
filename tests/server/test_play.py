"""Games from the first seat to the last move, over WebSocket and HTTP."""

import random

import pytest

from sumito import Board, Move
from support.processes import legal, made

ONE_SCREEN = {
    "two": ("black", "white"),
    "three": ("black", "white", "red"),
    "teams": ("black", "white", "red", "blue"),
    "teams-double": ("black", "white", "red", "blue"),
}


async def test_two_people_play_and_each_hears_the_others_move(ann, ben, game_of):
    game = await game_of(ann, ben)
    assert game["status"] == "playing"
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        assert black.game["you"] == ["black"]
        assert white.game["you"] == ["white"]
        await black.play("a1b2")
        moved = await white.until("moved")
        assert (moved["seat"], moved["move"], moved["nacre"]) == (
            "black",
            Move.parse("a1b2").index,
            "a1d4",
        )
        assert moved["moved"] == ["a1", "b2", "c3"]
        await white.play("i9h8")
        await black.until("moved")
        assert made(black.game) == ["a1b2", "i9h8"]
        assert black.game["turn"] == "black"


@pytest.mark.parametrize("mode", ONE_SCREEN)
async def test_one_device_plays_every_mode_to_an_ejection(ann, mode):
    seats = {colour: {"kind": "here"} for colour in ONE_SCREEN[mode]}
    game, links = await ann.new_game(mode=mode, seats=seats, win_at=1)
    assert links == {}
    choose = random.Random(mode)
    async with ann.socket(game["id"]) as board:
        assert board.game["you"] == list(seats)
        while not board.game["outcome"]:
            position = Board.parse((await ann.get(f"/api/games/{game['id']}"))["position"])
            effects = [position.effect(Move.parse(name)) for name in legal(board.game)]
            best = [one for one in effects if one.ejected] or [one for one in effects if one.pushed]
            await board.play(str(choose.choice(best or effects).move))
        assert board.game["outcome"]["reason"] == "ejected"
        assert max(board.game["captured"]) == 1
    seen = await ann.get(f"/api/games/{game['id']}")
    assert made(seen) == made(board.game)


async def test_a_handicap_and_a_shorter_win_are_the_games_own(ann):
    game, _ = await ann.new_game(captured=[1, 0], win_at=2)
    assert game["captured"] == [1, 0]
    assert game["rules"]["win_at"] == 2


async def test_an_illegal_move_is_explained_and_changes_nothing(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black:
        refused = await black.ask("play", seat="black", ply=1, move="a1a2")
        assert (refused["code"], refused["details"]["reason"]) == ("illegal-move", "four")
        assert refused["message"] == "four marbles can't move at once"
        assert (await ann.get(f"/api/games/{game['id']}"))["version"] == black.game["version"]


async def test_why_names_the_rule_without_playing(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black:
        why = await black.ask("why", cells=["a1"], direction="E")
        assert (why["reason"], why["message"]) == ("four", "four marbles can't move at once")
        why = await black.ask("why", cells=["a1", "c2"], direction="E")
        assert why["reason"] == "no-row"
        why = await black.ask("why", cells=["c4", "c5", "c3"], direction="NE")
        assert why["reason"] is None


async def test_a_move_for_another_ply_is_refused(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black:
        refused = await black.ask("play", seat="black", ply=3, move="a1b2")
        assert refused["code"] == "wrong-ply"


async def test_a_draw_is_agreed(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        await black.do("offer_draw", seat="black")
        await white.until("draw_offered", seat="black")
        assert white.game["offers"]["draw"] == ["black"]
        await white.do("decline_draw", seat="white")
        assert white.game["offers"]["draw"] == []
        await black.do("offer_draw", seat="black")
        await white.until("draw_offered")
        await white.do("accept_draw", seat="white")
        ended = await black.until("ended")
        assert ended["outcome"] == {"winner": None, "reason": "agreed", "by": None}


async def test_among_three_each_sees_who_has_agreed(ann, ben, cas, game_of):
    game = await game_of(ann, ben, cas, mode="three", takebacks=True)
    async with ann.socket(game["id"]) as black, cas.socket(game["id"]) as red:
        await black.do("offer_draw", seat="black")
        assert black.game["offers"]["draw_agreed"] == []
        await ben.command(game["id"], type="accept_draw", seat="white")
        await red.until("draw_accepted", seat="white")
        await black.until("draw_accepted", seat="white")
        for reader in (black, red):
            assert reader.game["offers"]["draw"] == ["black"]
            assert reader.game["offers"]["draw_agreed"] == ["white"]
        assert "accept_draw" in red.game["can"]
        assert "accept_draw" not in (await ben.get(f"/api/games/{game['id']}"))["can"]
        await red.do("accept_draw", seat="red")
        await black.until("ended")
        assert black.game["offers"]["draw_agreed"] == []


async def test_the_partner_of_a_team_is_named_who_resigned(ann, ben, cas, player, game_of):
    dan = player()
    game = await game_of(ann, ben, cas, dan, mode="teams")
    async with cas.socket(game["id"]) as red:
        await ann.command(game["id"], type="resign", seat="black")
        ended = await red.until("ended")
        wanted = {"winner": "white", "reason": "resigned", "by": "black"}
        assert ended["outcome"] == red.game["outcome"] == wanted
    assert (await dan.get(f"/api/games/{game['id']}"))["outcome"] == wanted


async def test_a_takeback_needs_the_others_consent(ann, ben, game_of):
    game = await game_of(ann, ben, takebacks=True)
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        await black.play("a1b2")
        await black.do("ask_takeback", seat="black")
        await white.until("takeback_asked")
        await white.do("accept_takeback", seat="white")
        await black.until("taken_back", plies=1)
        assert black.game["moves"] == []
    seen = await ann.get(f"/api/games/{game['id']}")
    assert seen["position"] == game["start"]


async def test_at_one_device_nobody_has_to_agree_with_oneself(ann):
    game, _ = await ann.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    async with ann.socket(game["id"]) as board:
        await board.play("a1b2")
        await board.do("ask_takeback", seat="black")
        await board.until("taken_back")
        await board.do("offer_draw", seat="black")
        await board.until("ended")


async def test_a_game_is_aborted_only_before_each_side_has_moved(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        await black.play("a1b2")
        await white.until("moved")
        await white.play("i9h8")
        refused = await black.ask("abort", seat="black")
        assert refused["code"] == "too-late"
    game = await game_of(ann, ben)
    await ben.command(game["id"], type="abort", seat="white")
    assert (await ann.get(f"/api/games/{game['id']}"))["outcome"]["reason"] == "aborted"


async def test_a_game_that_nobody_joined_can_be_called_off(ann, ben):
    game, links = await ann.new_game()
    await ann.command(game["id"], type="abort", seat="black")
    refused = await ben.post(
        f"/api/games/{game['id']}/join", {"key": links["any"].split("=")[-1]}, 409
    )
    assert refused["error"]["code"] == "game-over"


async def test_a_rematch_swaps_the_colours(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        await black.do("resign", seat="black")
        await white.until("ended")
        await white.do("rematch", seat="white")
        await black.until("rematch_offered", seat="white")
        assert black.game["offers"]["rematch"] == ["white"]
        await black.do("rematch", seat="black")
        again = (await white.until("rematch"))["id"]
    assert (await ann.get(f"/api/games/{again}"))["you"] == ["white"]
    assert (await ben.get(f"/api/games/{again}"))["status"] == "playing"


async def test_who_resigns_among_three_lets_the_others_play_on(ann, ben, cas, game_of):
    game = await game_of(ann, ben, cas, mode="three")
    async with ben.socket(game["id"]) as white:
        await ann.command(game["id"], type="resign", seat="black")
        left = await white.until("left", seat="black")
        assert left["reason"] == "resigned"
        assert white.game["turn"] == "white"
        assert [seat["out"] for seat in white.game["seats"]] == [True, False, False]
        assert white.game["you"] == ["white"]
        await cas.command(game["id"], type="resign", seat="red")
        ended = await white.until("ended")
        assert ended["outcome"] == {"winner": "white", "reason": "last-in", "by": None}


async def test_lots_are_drawn_for_the_seats(ann):
    seats = {"black": {"kind": "me"}, "white": {"kind": "open"}}
    drawn = [(await ann.new_game(seats=seats, draw_lots=True))[0]["you"] for _ in range(30)]
    assert ["black"] in drawn
    assert ["white"] in drawn


async def test_partners_dont_talk_during_a_team_game(ann):
    seats = {colour: {"kind": "here"} for colour in ONE_SCREEN["teams"]}
    game, _ = await ann.new_game(mode="teams", seats=seats)
    refused = await ann.command(game["id"], 403, type="chat", text="left!")
    assert refused["error"]["code"] == "no-team-talk"
    await ann.command(game["id"], type="resign", seat="red")
    await ann.command(game["id"], type="chat", phrase="good-game")


async def test_chat_reaches_everybody_and_is_kept(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.socket(game["id"]) as black, ben.socket(game["id"]) as white:
        await black.do("chat", seat="black", text="  good\u202e luck\n")
        said = await white.until("chat")
        assert (said["line"]["sender"], said["line"]["text"]) == ("black", "good luck")
    assert (await ben.get(f"/api/games/{game['id']}"))["chat"][0]["text"] == "good luck"


async def test_spectators_hear_the_game_but_dont_talk_into_it(ann, ben, cas, game_of):
    game = await game_of(ann, ben)
    async with cas.socket(game["id"]) as watcher, ann.socket(game["id"]) as black:
        assert watcher.game["you"] == []
        await black.play("a1b2")
        await watcher.until("moved")
        assert black.game["spectators"] == 1
        refused = await watcher.ask("chat", text="take it!")
        assert refused["code"] == "players-only"


async def test_records_and_pictures_of_a_game(ann, ben, game_of):
    import sumito

    game = await game_of(ann, ben, control={"kind": "fischer", "ms": 600000, "increment_ms": 5000})
    await ann.command(game["id"], type="play", seat="black", ply=1, move="a1b2")
    await ben.command(game["id"], type="resign", seat="white")
    text = (await ann.http.get(f"/api/games/{game['id']}.apgn")).text
    (record,) = sumito.record.parse(text)
    assert [str(move) for move in record.moves] == ["a1b2"]
    assert (record.result, record.tags["TimeControl"]) == ("1-0", "600+5")
    assert (await ann.http.get("/api/export.apgn")).text == text
    picture = await ann.http.get(f"/api/games/{game['id']}.svg?ply=0")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "<svg" in picture.text
    await ann.get(f"/api/games/{game['id']}.svg?ply=2", 422)


async def test_my_games_and_the_library_come_in_pages(player):
    dora = player()
    ids = []
    for _ in range(52):
        game, _ = await dora.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
        await dora.command(game["id"], type="resign", seat="black")
        ids.append(game["id"])
    first = await dora.get("/api/games?mine=1")
    rest = await dora.get(f"/api/games?mine=1&before={first['next']}")
    assert sorted(game["id"] for game in first["games"] + rest["games"]) == sorted(ids)
    assert rest["next"] is None
    library = await player().get("/api/games?finished=1")
    # Other tests import games, whose dates may be later.
    played = {game["id"] for game in library["games"] if not game["id"].startswith("i-")}
    assert played <= set(ids)
