"""The network as Python meets it: loaded, refused, and asked."""

import subprocess
import sys

import pytest
from hypothesis import given, settings

from sumito import Board, Engine, Limit, kernel
from sumito.cli.ugi_session import UgiSession
from sumito.engine import network
from sumito.engine.players import Player
from sumito.errors import EngineError, NetworkError
from sumito.kernel.positions import to_kernel
from sumito.rules.modes import Mode
from support.strategies import boards


def test_the_package_brings_a_network_for_every_mode_of_at_most_650_kilobytes():
    contents = network.default_bytes()
    assert len(contents) <= 650_000
    loaded = network.load()
    assert loaded is not None
    assert [part.mode for part in loaded.parts] == list(Mode)
    for part in loaded.parts:
        assert part.hidden in (64, 128, 256)
        assert network.training_facts(part)["samples"] > 0


def test_without_a_network_the_evaluation_is_hand_made():
    assert network.load("none") is None
    with Engine(network="none") as by_hand, Engine() as learnt:
        limit = Limit(depth=6)
        assert by_hand.play(Board(), limit).nodes != learnt.play(Board(), limit).nodes


def test_an_engine_takes_a_network_by_its_path(tmp_path):
    path = tmp_path / "same.bin"
    path.write_bytes(network.default_bytes())
    board = Board("belgian-daisy")
    with Engine(network=path) as named, Engine() as usual:
        one, other = (engine.play(board, Limit(depth=7)) for engine in (named, usual))
        assert (one.pv, one.score, one.nodes) == (other.pv, other.score, other.nodes)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda file: b"", "not a network file"),
        (lambda file: b"x" + file[1:], "not a network file"),
        (lambda file: file[:30], "ends within its header"),
        (lambda file: file[:-1], "promises"),
        (lambda file: file + b"x", "not a network file"),
        (lambda file: file + file, "two parts for two"),
        (lambda file: file[:8] + b"\x07" + file[9:], "version 7"),
        (lambda file: file[:12] + b"\x00" + file[13:], "inputs"),
        (lambda file: file[:16] + b"\x07\x00" + file[18:], "hidden layer of 7"),
        (lambda file: file[:-9] + bytes([file[-9] ^ 1]) + file[-8:], "checksum"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_its_name_and_the_reason(tmp_path, change, reason):
    path = tmp_path / "bad.bin"
    path.write_bytes(change(network.default_bytes()))
    with pytest.raises(NetworkError, match=reason) as caught:
        Engine(network=path)
    assert "bad.bin" in str(caught.value)


def test_a_missing_file_is_named():
    with pytest.raises(NetworkError, match=r"nowhere\.bin"):
        Engine(network="nowhere.bin")


@settings(max_examples=40, deadline=None)
@given(boards())
def test_wide_registers_give_what_plain_ones_give(board):
    wide = network.parse(network.default_bytes())
    plain = kernel.Network(network.default_bytes(), disable_simd=True)
    position = to_kernel(board)
    assert wide.value(position) == plain.value(position)


@pytest.mark.parametrize("mode", list(Mode))
def test_every_mode_plays_with_the_network(mode):
    board = Board(mode=mode)
    with Engine() as engine:
        assert engine.play(board, Limit(depth=4)).move in board.legal_moves


def test_a_marble_more_is_better():
    judge = network.load()
    assert judge is not None
    even = "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww b 0,0 10 21"
    ahead = "1w1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww b 1,0 10 21"
    behind = "ww1b1/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww b 0,1 10 21"
    values = [judge.value(to_kernel(Board.parse(text))) for text in (behind, even, ahead)]
    assert values == sorted(values)
    assert values[2] - values[0] > 200


def test_the_protocol_sets_a_network_and_keeps_the_old_one_when_it_is_no_good(tmp_path):
    said: list[str] = []
    session = UgiSession(said.append)
    try:
        session.handle("setoption name Network value none")
        assert said == []
        session.handle(f"setoption name Network value {tmp_path}")
        assert len(said) == 1
        assert "can't read the network" in said[0]
        session.handle("setoption name Network value default")
        session.handle("go depth 3")
        session.wait()
        assert said[-1].startswith("bestmove ")
    finally:
        session.close()


def test_a_player_names_its_network_and_its_numbers():
    player = Player.parse("engine,nodes=100,network=none,lmp_base=6")
    assert player.network == "none"
    assert player.tuning == (("lmp_base", 6),)
    with pytest.raises(EngineError, match="late_bass"):
        Player.parse("engine,nodes=100,late_bass=6")


def test_a_thread_that_outlives_the_interpreter_leaves_no_network_behind():
    code = """
import threading
from sumito.engine import network
network.load()
begun, never = threading.Event(), threading.Event()
def stay(known):
    begun.set()
    never.wait()
threading.Thread(target=stay, args=(dict(vars(network)),), daemon=True).start()
begun.wait()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
