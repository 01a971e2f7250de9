"""Upload of finished games that were played in a page."""

import random

import pytest

from sumito import Board, Move, Rules
from support.processes import made

TWO = {"black": {"kind": "me"}, "white": {"kind": "computer", "level": "gentle"}}
HERE = {"black": {"kind": "me"}} | {
    colour: {"kind": "here", "name": f"The {colour} one"} for colour in ("white", "red", "blue")
}


def numbers(*names):
    return [Move.parse(name).index for name in names]


def played(mode, rng, win_at=1):
    """The moves of a random game up to its first ejections."""
    board = Board(mode=mode, rules=Rules(win_at=win_at))
    while board.outcome() is None:
        effects = [board.effect(move) for move in board.legal_moves]
        best = [one for one in effects if one.ejected] or [one for one in effects if one.pushed]
        board.push(rng.choice(best or effects).move)
    return board


async def hand_over(player, status=201, **fields):
    """Hand a game over; returns the stored game, or the refusal."""
    answer = await player.http.post("/api/games/finished", json={"ref": "local-1"} | fields)
    assert answer.status_code == status, answer.text
    if status != 201:
        return answer.json()
    assert set(answer.json()) == {"id"}
    return await player.get(f"/api/games/{answer.json()['id']}")


@pytest.mark.parametrize("mode", ["two", "three", "teams", "teams-double"])
async def test_a_finished_game_of_any_mode_is_kept_and_found_on_every_device(ann, mode):
    board = played(mode, random.Random(mode))
    seats = {str(colour): HERE[str(colour)] for colour in board.mode.colours}
    game = {"mode": mode, "seats": seats, "win_at": 1}
    moves = [move.index for move in board.moves]
    kept = await hand_over(ann, game=game, moves=moves, begun_at=1_700_000_000_000)
    assert kept["status"] == "over"
    assert kept["outcome"]["reason"] == "ejected"
    assert kept["position"] == str(board.position)
    assert kept["created_at"] == 1_700_000_000_000
    assert kept["seats"][1]["name"] == "The white one"
    again = await ann.get(f"/api/games/{kept['id']}")
    assert made(again) == [str(move) for move in board.moves]
    mine = await ann.get("/api/games?mine=1")
    assert [one["id"] for one in mine["games"]] == [kept["id"]]


async def test_a_game_handed_over_twice_is_kept_once(ann, ben):
    wanted = {
        "game": {"seats": TWO},
        "moves": numbers("a1b2", "i9h8"),
        "ended": {"reason": "resigned", "winner": "white"},
    }
    first = await hand_over(ann, **wanted)
    assert (await hand_over(ann, **wanted))["id"] == first["id"]
    assert (await hand_over(ben, **wanted))["id"] != first["id"]
    assert first["outcome"] == {"winner": "white", "reason": "resigned", "by": "black"}
    assert first["seats"][1]["level"] == "gentle"


@pytest.mark.parametrize(
    ("control", "clocks", "left"),
    [
        ({"kind": "sudden_death", "ms": 60_000}, [50_000, 59_000, 49_000], [49_000, 59_000]),
        (
            {"kind": "fischer", "ms": 60_000, "increment_ms": 5_000},
            [63_000, 65_000, 61_000],
            [61_000, 65_000],
        ),
        (
            {"kind": "delay", "ms": 60_000, "delay_ms": 3_000},
            [60_000, 57_000, 58_000],
            [58_000, 57_000],
        ),
    ],
)
async def test_the_clocks_are_kept(ann, control, clocks, left):
    kept = await hand_over(
        ann,
        game={"seats": TWO, "control": control},
        moves=numbers("a1b2", "i9h8", "a2b3"),
        clocks=clocks,
        ended={"reason": "resigned", "winner": "black"},
    )
    assert [move["clock"] for move in kept["moves"]] == clocks
    assert [kept["clocks"][colour] for colour in ("black", "white")] == left


async def test_a_fallen_flag_and_an_agreed_draw_are_ends_too(ann):
    control = {"kind": "sudden_death", "ms": 60_000}
    flag = await hand_over(
        ann,
        game={"seats": TWO, "control": control},
        moves=numbers("a1b2"),
        clocks=[50_000],
        ended={"reason": "flag", "winner": "black"},
    )
    assert flag["outcome"] == {"winner": "black", "reason": "flag", "by": "white"}
    three = {colour: HERE[colour] for colour in ("black", "white", "red")}
    draw = await hand_over(
        ann,
        ref="local-2",
        game={"mode": "three", "seats": three},
        moves=[],
        ended={"reason": "agreed", "winner": None},
    )
    assert draw["outcome"] == {"winner": None, "reason": "agreed", "by": None}


@pytest.mark.parametrize("by", ["black", "red"])
async def test_it_is_kept_which_partner_resigned(ann, by):
    four = {colour: HERE[colour] for colour in ("black", "white", "red", "blue")}
    kept = await hand_over(
        ann,
        game={"mode": "teams", "seats": four},
        moves=numbers("b3c3"),
        ended={"reason": "resigned", "winner": "white", "by": by},
    )
    assert kept["outcome"] == {"winner": "white", "reason": "resigned", "by": by}


async def test_two_of_three_may_leave(ann):
    three = {colour: HERE[colour] for colour in ("black", "white", "red")}
    kept = await hand_over(
        ann,
        game={"mode": "three", "seats": three},
        moves=numbers("b3c3"),
        left=[{"seat": "white", "after": 1}, {"seat": "black", "after": 1}],
    )
    assert kept["outcome"] == {"winner": "red", "reason": "last-in", "by": None}


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"moves": numbers("a1b2")}, 409, "not-over"),
        ({"moves": []}, 409, "not-over"),
        ({"moves": numbers("a1b2", "a1b2")}, 422, "illegal-move"),
        ({"moves": [9999]}, 422, "invalid"),
        ({"moves": [0] * 3000}, 422, "invalid"),
        ({"game": {"seats": {"black": {"kind": "me"}}}, "moves": []}, 422, "open-seat"),
        ({"moves": [], "ended": {"reason": "aborted"}}, 422, "invalid"),
        ({"ref": "", "moves": []}, 422, "invalid"),
        ({"moves": [], "left": [{"seat": "red", "after": 0}]}, 422, "no-such-seat"),
        ({"moves": [], "ended": {"reason": "resigned", "winner": "red"}}, 422, "no-such-seat"),
    ],
)
async def test_what_was_never_so_is_refused_in_words(ann, fields, status, code):
    answer = await hand_over(ann, status, **({"game": {"seats": TWO}} | fields))
    assert answer["error"]["message"]
    if code:
        assert answer["error"]["code"] == code


async def test_nobody_gets_a_rating_or_a_place_in_the_library_by_it(ann):
    wish = {"seats": TWO, "rated": True, "listed": True}
    kept = await hand_over(
        ann, game=wish, moves=numbers("a1b2"), ended={"reason": "resigned", "winner": "black"}
    )
    assert not kept["rated"]
    library = await ann.get("/api/games?finished=1")
    assert kept["id"] not in [one["id"] for one in library["games"]]
