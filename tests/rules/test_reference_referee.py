"""Compares the library with the reference referee: moves, positions and results of games."""

import random

import pytest

from sumito import RULEBOOK, Board, Colour, Mode, Move, Rules
from sumito.rules import layouts
from support.reference_referee import Options, ReferenceReferee
from support.strategies import ALL_RULES, STYLES, random_setup


def reference_of(board: Board) -> ReferenceReferee:
    rules = board.rules
    options = Options(
        rules.win_at,
        rules.repetition,
        rules.ply_limit,
        str(rules.stuck),
        str(rules.partner_sidestep),
    )
    return ReferenceReferee.read(str(board.position), options)


def letter(colour: Colour | None) -> str | None:
    return None if colour is None else colour.letter


def agree(board: Board, reference: ReferenceReferee) -> list[str]:
    """Compare a board with the reference; return the legal moves."""
    assert str(board.position) == reference.write()
    outcome = board.outcome()
    assert (outcome and (letter(outcome.winner), outcome.reason)) == reference.outcome()
    names = sorted(map(str, board.legal_moves))
    assert names == sorted(reference.names())
    assert len(board.legal_moves) == len(names)
    assert bool(board.legal_moves) == bool(names)
    return names


def agree_on_all_replies(board: Board, reference: ReferenceReferee, names: list[str]) -> None:
    for name in names:
        board.push(Move.parse(name))
        assert str(board.position) == reference.play(name).write()
        board.pop()


def play_through(board: Board, rng: random.Random, plies: int) -> int:
    """Play a random game on both; return the number of positions compared."""
    reference = reference_of(board)
    for ply in range(plies):
        names = agree(board, reference)
        if not names:
            return ply + 1
        if rng.random() < 0.1:
            agree_on_all_replies(board, reference, names)
        name = rng.choice(names)
        board.push(Move.parse(name))
        reference = reference.play(name)
    return plies


@pytest.mark.parametrize("mode", Mode)
def test_random_games_agree_with_the_reference(mode: Mode) -> None:
    assert games(mode, seed=1, count=4, plies=120) > 300


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_random_games_under_every_option_agree_with_the_reference(rules: Rules) -> None:
    for mode in Mode:
        games(mode, seed=2, count=1, plies=30, rules=rules)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("mode", Mode)
def test_random_setups_agree_with_the_reference(mode: Mode, style: str) -> None:
    setups(mode, style, seed=3, count=45)


@pytest.mark.parametrize("mode", Mode)
def test_shuffling_back_and_forth_agrees_with_the_reference_on_repetition(mode: Mode) -> None:
    """Few marbles that return to earlier cells, so that positions repeat up to a draw."""
    rng = random.Random(5)
    reasons = set()
    for _ in range(12):
        board = Board.at(random_setup(rng, mode, "few"), rules=Rules(repetition=3))
        shuffle(board, rng)
        outcome = board.outcome()
        reasons.add(outcome and outcome.reason)
    assert "repetition" in reasons


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("mode", Mode)
def test_many_random_games_and_setups_agree_with_the_reference(mode: Mode, seed: int) -> None:
    for rules in ALL_RULES:
        games(mode, seed, count=2, plies=200, rules=rules)
        for style in STYLES:
            setups(mode, style, seed, count=40, rules=rules)


def games(mode: Mode, seed: int, count: int, plies: int, rules: Rules = RULEBOOK) -> int:
    rng = random.Random(f"{mode}-{seed}")
    ids = list(layouts.of(mode))
    return sum(
        play_through(Board(rng.choice(ids), mode=mode, rules=rules), rng, plies)
        for _ in range(count)
    )


def setups(mode: Mode, style: str, seed: int, count: int, rules: Rules = RULEBOOK) -> None:
    rng = random.Random(f"{mode}-{style}-{seed}")
    for _ in range(count):
        play_through(Board.at(random_setup(rng, mode, style), rules=rules), rng, 3)


def shuffle(board: Board, rng: random.Random) -> None:
    """Prefer the move that undoes the player's own last one."""
    reference = reference_of(board)
    last: dict[str, str] = {}
    for _ in range(40):
        names = agree(board, reference)
        if not names:
            return
        player = board.turn.letter
        undo = last.get(player, "")[2:] + last.get(player, "")[:2]
        name = undo if undo in names else rng.choice(names)
        last[player] = name
        board.push(Move.parse(name))
        reference = reference.play(name)
