"""The kernel in WebAssembly: the same rules and the same search as everywhere else.

Node plays positions of random games through it and compares every answer with the Python rules'.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from support.optional_parts import REASONS

pytest.importorskip("fcntl", reason=REASONS["posix"])

import fcntl

from sumito import CELLS, MOVES, Board, Mode, Rules, kernel
from sumito.engine import network
from sumito.kernel.positions import to_kernel
from sumito.rules import layouts
from support import rules_queries
from support.strategies import ALL_RULES, random_setup

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "web/kernel"
START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1"


def run(*command: object, **options: Any) -> str:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=600, check=False, **options
    )
    assert done.returncode == 0, done.stderr[-4000:] or done.stdout[-4000:]
    return done.stdout


NO_COMPILER = 3
"""The exit code of the build where it has to compile and can't."""


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The package, compiled: with each of the kernels."""
    compiler = ROOT / "web/node_modules/.bin/tsc"
    if shutil.which("node") is None or not compiler.exists():
        pytest.skip(REASONS["node"])
    # Tests run in several processes, and one build is enough.
    with (Path(tempfile.gettempdir()) / "sumito-kernel.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        script = ROOT / "scripts/build_wasm.py"
        built = subprocess.run([sys.executable, script, KERNEL / "dist"], check=False)
    if built.returncode == NO_COMPILER:
        pytest.skip(REASONS["wasm"])
    assert built.returncode == 0
    found = {}
    kernels = {
        "simd": "kernel.wasm",
        "relaxed": "kernel-relaxed.wasm",
        "plain": "kernel-plain.wasm",
    }
    for name, wasm in kernels.items():
        out = tmp_path_factory.mktemp(name)
        run(compiler, "-p", KERNEL, "--outDir", out)
        (out / "package.json").write_text('{"type": "module"}')
        for chosen in kernels.values():  # whichever the package takes for the fastest
            shutil.copy(KERNEL / "dist" / wasm, out / chosen)
        for data in ("network.bin", "layouts.json"):
            shutil.copy(ROOT / "src/sumito/data" / data, out / data)
        found[name] = out
    return found


def ask(build: Path, task: str, **asked: object) -> Any:
    script = Path(__file__).parent / "wasm/search.mjs"
    return json.loads(run("node", *node_options(), script, build, task, json.dumps(asked)))


@cache
def node_options() -> list[str]:
    """Return what Node needs to run relaxed SIMD in every version.

    That is a flag before version 21, whose baseline compiler moreover computes it wrongly.
    """
    version = run("node", "--version").removeprefix("v")
    return (
        ["--experimental-wasm-relaxed-simd", "--no-liftoff"]
        if int(version.split(".")[0]) < 21
        else []
    )


def rules_of(rules: Rules) -> dict[str, object]:
    return {
        "winAt": rules.win_at,
        "repetition": rules.repetition or 0,
        "plyLimit": rules.ply_limit or 0,
        "partnerSideStep": str(rules.partner_sidestep),
        "stuck": str(rules.stuck),
    }


def state_of(board: Board, rng: random.Random) -> dict[str, object]:
    outcome = board.outcome()
    texts = [
        (notation, text) for notation, texts in rules_queries.texts(board).items() for text in texts
    ]
    texts += [
        (notation, text)
        for notation in rules_queries.NOTATIONS
        for text in (f"{rng.choice(CELLS)}{rng.choice(CELLS)}", "", 'a1"\\\n', "é1a2")
    ]
    return {
        "position": str(board.position),
        "turn": board.turn,
        "captured": board.captured,
        "quiet": board.quiet,
        "ply": board.ply,
        "mode": board.mode,
        "out": sorted(board.eliminated),
        "occurrences": board.occurrences(),
        "outcome": None if outcome is None else (outcome.winner, str(outcome.reason)),
        "effects": rules_queries.effects(board),
        "why": [
            (move.index, rules_queries.why(board, move))
            for move in rules_queries.some_illegal(board, rng.randrange(len(MOVES)), 25)
        ],
        "formations": rules_queries.formations(board),
        "faults": [
            (line, kernel.mistake_reasons(to_kernel(board), *line))
            for line in rules_queries.lines(board, rng)
        ],
        "read": [
            (notation, text, rules_queries.read(board, text, notation)) for notation, text in texts
        ],
    }


def game_of(board: Board, rng: random.Random, plies: int, every: int) -> dict[str, object]:
    """A random game, and what the rules say of some positions of it."""
    position = str(board.position)
    moves: list[int] = []
    states = [state_of(board, rng)]
    for ply in range(1, plies + 1):
        legal = sorted(board.legal_moves, key=lambda move: move.index)
        if not legal:
            break
        ejecting = [move for move in legal if board.effect(move).ejected is not None]
        move = rng.choice(ejecting if ejecting and rng.random() < 0.5 else legal)
        board.push(move)
        moves.append(move.index)
        asked = ply % every == 0 or not board.legal_moves
        states.append(state_of(board, rng) if asked else None)
    return {
        "position": position,
        "rules": rules_of(board.rules),
        "moves": moves,
        "states": states,
    }


def games_of(mode: Mode, rng: random.Random) -> list[dict[str, object]]:
    games = []
    for rules in ALL_RULES:
        layout = rng.choice(list(layouts.of(mode)))
        games.append(game_of(Board(layout, mode, rules=rules), rng, 120, 12))
        for _ in range(4):
            games.append(game_of(Board.at(random_setup(rng, mode), rules=rules), rng, 3, 1))
    return games


def starts() -> dict[str, object]:
    return {
        mode: [
            (layout.id, layout.name, layout.fair, str(Board(layout.id, mode).position))
            for layout in layouts.of(mode).values()
        ]
        for mode in Mode
    }


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", ["simd", "plain"])
def test_the_rules_agree(builds: dict[str, Path], name: str, mode: Mode, tmp_path: Path) -> None:
    rng = random.Random(7)
    games = games_of(mode, rng)
    file = tmp_path / "games.json"
    file.write_text(json.dumps({"games": games, "starts": starts()}))
    script = Path(__file__).parent / "wasm/compare.mjs"
    compared = run("node", *node_options(), script, builds[name], file)
    states = (state for game in games for state in game["states"])
    assert int(compared) == sum(state is not None for state in states) > 50


def test_a_review_counts_as_the_native_one(builds: dict[str, Path]) -> None:
    losses = [0, 0.01, 0.05, 0.07, 0.1, 0.19, 0.2, 0.5, 1]
    scores = [-1000, -55, -1, 0, 20, 300]
    found = ask(builds["simd"], "review", position=START, losses=losses, scores=scores)
    assert found["verdicts"] == [kernel.verdict(loss) for loss in losses]
    assert found["accuracy"] == pytest.approx(kernel.accuracy(losses))
    assert found["chances"] == pytest.approx(
        [kernel.chance(score, sides) for sides in (2, 3) for score in scores]
    )
    assert found["decided"] == [1, 0]
    assert found["refused"] == "not-yours"


@pytest.mark.parametrize("name", ["simd", "relaxed", "plain"])
def test_the_search_is_the_native_one(builds: dict[str, Path], name: str) -> None:
    expected = kernel.bench(6, network.load())[0]
    assert ask(builds[name], "bench", depth=6)["nodes"] == expected


def test_a_game_by_nodes_is_the_native_one(builds: dict[str, Path]) -> None:
    """Ten plies of a game that is limited by nodes are the same with every kernel."""
    asked = {"position": START, "limits": {"nodes": 2000}, "plies": 10}
    played = {name: ask(build, "game", **asked) for name, build in builds.items()}
    board = Board()
    searcher = kernel.Searcher(1, 16, network=network.load())
    for _ in range(10):
        best = searcher.search(to_kernel(board), nodes=2000).best
        assert best is not None
        board.push(kernel.move_name(best))
    expected = list(map(str, board.moves))
    assert played == dict.fromkeys(builds, expected)


@pytest.mark.parametrize("mode", Mode)
def test_lines_are_the_native_ones(builds: dict[str, Path], mode: Mode) -> None:
    board = Board(mode=mode)
    searcher = kernel.Searcher(1, 16, network=network.load())
    result = searcher.search(to_kernel(board), depth=4, multipv=3)
    found = ask(
        builds["simd"], "lines", position=str(board.position), limits={"depth": 4, "lines": 3}
    )
    assert [line["pv"] for line in found["lines"]] == [
        [kernel.move_name(index) for index in line.pv] for line in result.lines
    ]
    assert [line["score"] for line in found["lines"]] == [
        round(line.score * 100 / kernel.MARBLE) for line in result.lines
    ]
    assert found["lines"][0]["nodes"] == result.nodes
    assert [[line["depth"] for line in lines] for lines in found["reported"]] == [
        [depth] * 3 for depth in range(1, 5)
    ]


@pytest.mark.parametrize("level", ["newcomer", "keen", "master"])
def test_levels_err_as_the_native_ones(builds: dict[str, Path], level: str) -> None:
    from sumito.engine import Level

    handicap = Level.parse(level).to_kernel(5)
    searcher = kernel.Searcher(1, 16, network=network.load())
    result = searcher.search(to_kernel(Board()), handicap=handicap)
    found = ask(builds["simd"], "lines", position=START, limits={"level": level, "seed": 5})
    assert found["lines"][0]["move"] == kernel.move_name(result.best or 0)


def test_a_node_limit_holds(builds: dict[str, Path]) -> None:
    found = ask(builds["simd"], "lines", position=START, limits={"nodes": 3000})
    assert found["lines"][0]["nodes"] <= 3600


@pytest.mark.parametrize("alone", [False, True], ids=["shared memory", "none to share"])
def test_an_endless_search_stops_when_told(builds: dict[str, Path], alone: bool) -> None:
    found = ask(builds["simd"], "stop", position=START, wait=300, alone=alone)
    assert len(found["stopped"]) == 2
    assert found["depths"] == sorted(found["depths"])
    assert found["again"][0]["depth"] == 3


@pytest.mark.parametrize("alone", [False, True], ids=["shared memory", "none to share"])
def test_a_stop_before_anything_is_found_still_has_an_answer(
    builds: dict[str, Path], alone: bool
) -> None:
    found = ask(builds["simd"], "stop", position=START, wait=0, alone=alone)
    assert len(found["stopped"]) == 2


@pytest.mark.parametrize("alone", [False, True], ids=["shared memory", "none to share"])
def test_a_new_search_ends_the_one_before(builds: dict[str, Path], alone: bool) -> None:
    moves = ask(builds["simd"], "replace", position=START, alone=alone)
    assert len(moves) == 3
    assert all(moves)


def test_a_closed_search_says_so(builds: dict[str, Path]) -> None:
    assert "closed" in ask(builds["simd"], "close", position=START)


def test_nonsense_limits_are_refused_in_words(builds: dict[str, Path]) -> None:
    nonsense: list[dict[str, object]] = [
        {"depth": 0},
        {"depth": -1},
        {"nodes": 0},
        {"time": -5},
        {"lines": 0, "depth": 1},
        {"level": "godlike"},
        {"moves": ["z9z9"]},
        {"seed": -1, "depth": 1},
        {"time": 1e99},
    ]
    found = ask(builds["simd"], "nonsense", position=START, limits=nonsense)
    assert len(found["refused"]) == len(nonsense), found["refused"]
    assert all(" " in message for message in found["refused"])


def test_bad_position_texts_are_refused_in_words(builds: dict[str, Path]) -> None:
    texts = ["", "x", START + " four", START[:20], "\0" * 50, "é" * 40, START.replace("b 0", "r 0")]
    for told in ask(builds["simd"], "positions", texts=texts):
        code, message = told
        assert code == "position"
        assert " " in message
    (same,) = ask(builds["simd"], "positions", texts=[START])
    assert same == START


def test_the_kernels_are_small(builds: dict[str, Path]) -> None:
    import gzip

    for build in builds.values():
        assert len(gzip.compress((build / "kernel.wasm").read_bytes(), 9)) <= 150_000


def test_the_package_is_complete(builds: dict[str, Path], tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip(REASONS["node"])
    listing = json.loads(run("npm", "pack", "--dry-run", "--json", cwd=KERNEL))
    names = {file["path"] for file in listing[0]["files"]}
    assert {
        "README.md",
        "dist/index.js",
        "dist/index.d.ts",
        "dist/worker.js",
        "dist/kernel.wasm",
        "dist/kernel-plain.wasm",
        "dist/kernel-relaxed.wasm",
        "dist/network.bin",
        "dist/layouts.json",
        "example/index.html",
    } <= names
