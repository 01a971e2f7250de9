"""Write the golden files of the page's tests: scripts/golden.py [--check] [name…]

What exists both in Python and in the page's TypeScript is computed here by the Python side, for
fixed inputs, and written to `tests/data/golden/`. The page's tests check TypeScript against it.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests/data/golden"
sys.path.insert(0, str(ROOT / "tests"))

import msgspec  # noqa: E402

from sumito import RULEBOOK, Board, Colour, Mode, Notation, record  # noqa: E402
from sumito.engine import Level  # noqa: E402
from sumito.errors import PositionError  # noqa: E402
from sumito.game import Game  # noqa: E402
from sumito.game.clock import Clock, Control, Delay, Fischer, NoClock, SuddenDeath  # noqa: E402
from sumito.game.commands import Play, Resign  # noqa: E402
from sumito.game.state import Setup  # noqa: E402
from sumito.position import Form, Position  # noqa: E402
from sumito.protocol.requests import NewGame  # noqa: E402
from sumito.record import Node, Record  # noqa: E402
from sumito.record.header import start_tags  # noqa: E402
from sumito.rules import layouts  # noqa: E402
from sumito.rules.rules import PRESETS  # noqa: E402
from sumito.server.base.settings import Settings  # noqa: E402
from sumito.server.engines.levels import seconds_for  # noqa: E402
from sumito.server.games.abilities import abilities, taking_back  # noqa: E402
from sumito.server.games.presenter import rules_view  # noqa: E402
from sumito.server.games.rematch import next_seat  # noqa: E402
from sumito.server.games.terms import agree  # noqa: E402
from support.records import PIECES, damage, random_game, text  # noqa: E402

Case = dict[str, Any]

# Records.

_CLUB: Final = (ROOT / "tests/data/club.apgn").read_text(encoding="utf-8")
_ODD_CHARACTERS: Final = "\t\x0b\x0c\x1c\x1f\x85\xa0\u2028\u3000\ufeff\ud800\0é𝔸"
_TAG_VALUES: Final[dict[str, list[str | None]]] = {
    "Mode": ["two", "three", "teams", "teams-double", "five", "", "Two"],
    "Red": ["r", None],
    "Blue": ["u", None],
    "Rules": [
        *("rulebook", "tournament", "win_at=1", "win_at=0", "win_at=4 repetition=3", ""),
        *("repetition=1", "stuck=never", "win_at=4 win_at=4", "first=red", "first=pink"),
        *("leave_teams=loses", "win_at=x", "constructor=1", "ply_limit=3", "win_at=6"),
    ],
    "SetUp": ["0", "1", "2"],
    "Position": [
        "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b",
        "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/4b w",
        "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbb2-2b0w b",
        "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbb2 b 0,2 3 9",
        "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1",
        "nonsense",
    ],
    "Variant": ["standard", "belgian", "belgian-daisy", "custom", "three", "teams", "constructor"],
    "Result": ["*", "1-0", "0-1", "1/2-1/2", "0-1-0", "1/2-0-1/2", "2-0", "1-0-0", None],
    "Notation": ["Aba-Pro", "aba-PRO", "Nacre", "PlayStrategy", "Chess", None],
    "Plies": ["0", "2", "02", "x", "3"],
    "Event": ["?", 'quoted \\" \\\\', "bad \\n", "tab\t", "𝔸 é", None],
    "Date": [None, "2024"],
    "constructor": ["x"],
    "Board": ["1"],
}


def _short_game(rng: random.Random, mode: Mode) -> str:
    """A good record with comments, marks, clocks, evaluations and variations."""
    board = Board(mode=mode)
    root = node = Node(comment=rng.choice(["", "before the first move"]))
    for _ in range(rng.randint(0, 6)):
        moves = list(board.legal_moves)
        child = Node(
            rng.choice(moves),
            comment=rng.choice(["", "", "so", "a [bracket] and [more b] text " * 3, "𝔸" * 30]),
            clock=rng.choice([None, None, 0, 598_000, 61_001, 3_599_999_999]),
            evaluation=rng.choice([None, None, -0.0, 1.0, -1.25, 1e-7, 1.5e-300, 123456789.5]),
            nags=rng.sample(range(256), rng.choice([0, 0, 1, 2])),
        )
        following = node.attach(child)
        if rng.random() < 0.4:
            other = node.attach(
                Node(rng.choice(moves), opening_comment=rng.choice(["", "or else"]))
            )
            deeper = board.copy()
            assert other.move is not None
            deeper.push(other.move)
            for move in rng.sample(list(deeper.legal_moves), 2):
                other.attach(Node(move))
        assert child.move is not None
        board.push(child.move)
        node = following
    tags = Record.from_board(board).tags | {"Event": rng.choice(["x", "𝔸"])}
    tags.pop("Plies", None)
    return record.write(Record(tags, root))


def _fuzzed_games(rng: random.Random) -> Iterator[str]:
    files = [_CLUB, *(_short_game(rng, mode) for mode in Mode)]
    files += [record.write(Record.from_board(random_game(7, mode, 4))) for mode in Mode]
    games = _CLUB.split("\n\n[")
    small = [*files[1:], games[0] + "\n", files[5] + files[6], text()]
    yield from files
    yield from ("", " \n\t\n", "\ufeff", "{", "*", "\r", '[Event "x"', "\n\n1. a1b2 *\n")
    for _ in range(50):
        yield _short_game(rng, rng.choice(list(Mode)))
    for _ in range(130):
        source = rng.choice(small)
        for _ in range(rng.randint(1, 4)):
            source = damage(source, rng.randint(0, len(source)), rng.randint(0, 12), rng.choice)
        yield source


def _fuzzed_texts(rng: random.Random) -> Iterator[str]:
    for _ in range(110):
        pieces = rng.choices(PIECES, k=rng.randint(1, 12))
        yield text(rng.choice(["", " "]).join(pieces))
    for _ in range(120):
        names = rng.sample(list(_TAG_VALUES), rng.choice([1, 1, 1, 2, 3]))
        tags = {name: rng.choice(_TAG_VALUES[name]) for name in names}
        if rng.random() < 0.5 and tags.get("Mode") in ("three", "teams", "teams-double"):
            tags = {"Red": "r", "Blue": "u", "Variant": str(tags["Mode"])[:5], "Result": "*"} | tags
        yield text(rng.choice(["1. a1b2 i9h8 *", "*", "1. a1b2 i9h8 1-0", "1. a1d4 *"]), **tags)


def _chosen_texts() -> Iterator[str]:
    for first, second in (("Date", "Event"), ("Black", "Event"), ("Notation", "Result")):
        lines = text().split("\n")
        at, to = (
            next(n for n, line in enumerate(lines) if name in line) for name in (first, second)
        )
        lines.insert(to, lines.pop(at))
        yield "\n".join(lines)
        yield text().replace(f"[{first} ", f"[{second} ")
    for comment in (
        *("[%clk 0:00:09] [%clk 0:00:09]", "[%clk soon]", "[%clk 0:60:00]", "[%eval 1,12]"),
        *("[%eval +1.50] x", "[%eval 1e5]", "[%eval 1] [%eval 2]", "[%out pink]", "[%out white]"),
        *("[%clk", "[%clkx 1]", "[%out", "[%eval]", "[[%clk 0:00:01]]", "[%emt 0:00:01] x"),
        *(f"a{one}b" for one in _ODD_CHARACTERS),
    ):
        yield text(f"1. a1b2 {{{comment}}} i9h8 *")
    for moves in (
        *("{[%clk 0:00:01]} 1. a1b2 *", "1. a1b2 $256 *", "1. a1b2 $00001 *", "1. a1b2 $0255 *"),
        *("1. a1b2 {[%clk 0:00:09]} {[%clk 0:00:09]} *", "1. a1b2 {[%eval 1]} {[%eval 1]} *"),
        *("1. a1b2 } *", "1. a1b2 { *", "1. a1b2 (1. a2b3) ; rest } {\n*", "1. a1b2 ! ?! !! ! *"),
        *("1. a1b2 (1. a2b3 (1. a2b3 1... i9h8)) *", "1. a1b2 " + "(1. a2b3 " * 60 + "*"),
        *("1. a1b2 {[%out black]} *", "1. a1b2 1... *", "1. *", "1.... a1b2 *", "1.\xa0a1b2\x1c*"),
        *(
            "1. a1b2 i9h8 2. a2b2 *",
            "1. i9h8 *",
            "1. a1c3 *",
            "1. a1 *",
            "1. a1b2c3 *",
            "1. e5f5 *",
        ),
    ):
        yield text(moves)
    for name in ("Rules", "Result", "Plies"):
        yield from (text("*", **{name: value}) for value in _TAG_VALUES[name])
    three = {"Mode": "three", "Red": "r", "Variant": "three"}
    for moves in (
        *("{[%out white]} 1. a1b2 *", "1. a1b2 {[%out white] [%out white]} *"),
        *("1. a1b2 {[%out white]} (1. a2b3) *", "1. a1b2 {[%out white] [%out red]} *"),
        *("1. {[%out white]} a1b2 *", "1. a1b2 ({[%out white]} 1. a2b3) *"),
        *("1. a1b2 {[%out white] [%out red] [%out black]} 1-0-0", "1. a1b2 {[%out blue]} *"),
    ):
        yield text(moves, **three)
    yield text("1. a1b2 {[%out white]} 0-1-0", **three, Result="0-1-0")
    yield text("1. a1b2 {[%out white]} 1/2-0-1/2", **three, Result="1/2-0-1/2")


def _node_fields(node: Node) -> Case:
    fields: Case = {
        "comment": node.comment,
        "clock": node.clock,
        "evaluation": node.evaluation,
        "nags": list(node.nags),
        "outs": [str(colour) for colour in node.departures],
        "opening": node.opening_comment,
    }
    return {name: value for name, value in fields.items() if value not in (None, "", [])}


def _tree(root: Node) -> list[list[Any]]:
    """The nodes in order: the place of the parent, the move, and what is said there."""
    places = {id(root): 0}
    rows: list[list[Any]] = [[-1, "", _node_fields(root)]]
    for node in root.walk():
        places[id(node)] = len(rows)
        rows.append([places[id(node.parent)], str(node.move), _node_fields(node)])
    return [row if row[2] else row[:2] for row in rows]


def _game(game: Record) -> Case:
    case: Case = {
        "tags": game.tags,
        "tree": _tree(game.root),
        "errors": [[error.code, error.line] for error in game.errors],
    }
    if not game.errors:
        case["start"] = str(game.start)
        case["written"] = record.write(game, notation="aba-pro")
    return case


def records() -> list[Case]:
    """What reading and writing make of good, damaged and hostile texts."""
    cases = []
    rng = random.Random(24)
    for source in dict.fromkeys([*_fuzzed_games(rng), *_fuzzed_texts(rng), *_chosen_texts()]):
        games = [_game(game) for game in record.parse(source, errors="collect")]
        case: Case = {"text": source, "games": games}
        # Written back unchanged, it needs no second copy in the file.
        if len(games) == 1 and games[0].get("written") == source:
            games[0]["written"] = True
        cases.append(case)
    return cases


# Clocks.


def clocks() -> list[Case]:
    """What the clocks show after starts, moves and stops, at good times and bad ones."""
    rng = random.Random(3)
    controls: list[Control] = [
        *(NoClock(), SuddenDeath(1), SuddenDeath(60_000), Fischer(1, 0), Fischer(60_000, 2_000)),
        *(Fischer(1_000, 60_000), Delay(60_000, 3_000), Delay(1, 0), Delay(5_000, 60_000)),
        SuddenDeath(9_999_999_999),
    ]
    return [_clock_case(rng, control) for control in controls for _ in range(2)]


def _clock_case(rng: random.Random, control: Control) -> Case:
    seats = rng.choice([2, 2, 3, 4])
    clock, at = Clock.of(control, seats), 0
    steps = []
    for _ in range(8):
        at += rng.choice([0, 1, 999, 2_999, 3_000, 3_001, 20_000, 70_000])
        if clock.running is None:
            done, seat = "start", rng.randrange(seats)
            clock = clock.start(seat, at)
        else:
            done, seat = rng.choice(["press", "press", "look", "stop"]), clock.running
            if done == "press":
                clock = clock.press(at)
            elif done == "stop":
                clock = clock.stop(at)
        later = at + rng.choice([0, 1, 2_500, 61_000])
        shown = {
            "left": [clock.remaining(seat, later) for seat in range(seats)],
            "free": clock.free(later),
            "flagged": [clock.flagged(seat, later) for seat in range(seats)],
        }
        steps.append({"do": done, "seat": seat, "at": at, "later": later, **shown})
    return {"control": _control(control), "seats": seats, "steps": steps}


def _control(control: Control) -> object:
    kinds = {NoClock: "none", SuddenDeath: "sudden_death", Fischer: "fischer", Delay: "delay"}
    return {"kind": kinds[type(control)]} | asdict(control)


# Modes, levels, layouts and rematches.


def tables() -> list[Case]:
    """Modes, rules, levels, layouts and the seats of a rematch, each a case of its own."""
    cases: list[Case] = [_rules_case(one) for one in _WANTED_RULES]
    for mode in Mode:
        cases.append(
            {
                "about": "mode",
                "mode": str(mode),
                "colours": [str(colour) for colour in mode.colours],
                "order": [str(colour) for colour in mode.order],
                "sides": [[str(colour) for colour in side] for side in mode.sides],
                "side_of": {str(one): str(mode.side(one)) for one in mode.colours},
            }
        )
        cases.append(
            {
                "about": "rematch",
                "mode": str(mode),
                "moves_to": {str(one): str(next_seat(mode, one)) for one in mode.colours},
            }
        )
        cases.append(
            {
                "about": "layouts",
                "mode": str(mode),
                "default": layouts.get(None, mode).id,
                "starts": _starts(mode),
            }
        )
    for level in Level:
        for left in (None, 0, 100, 599, 600, 3_000, 30_000, 600_000):
            seconds = seconds_for(str(level), left, 0)
            cases.append(
                {"about": "time", "level": str(level), "left": left, "ms": round(seconds * 1000, 6)}
            )
    cases.append(
        {
            "about": "levels",
            "names": [str(level) for level in Level],
            "play_openings": [str(level) for level in Level if level.uses_opening_book],
        }
    )
    return cases


_WANTED_RULES: Final[list[Case]] = [
    {},
    *({"mode": str(mode), "rules": preset} for mode in Mode for preset in PRESETS),
    {"win_at": 3},
    {"rules": {"win_at": 4}},
    {"rules": {"win_at": 4}, "win_at": 3},
    {"rules": {"preset": "tournament", "repetition": None, "ply_limit": 200}},
    {"rules": {"repetition": 5, "stuck": "draws"}},
    {
        "mode": "teams",
        "rules": {
            "preset": "tournament",
            "partner_sidestep": "none",
            "leave_teams": "partner",
            "team_talk": "free",
        },
    },
    {"mode": "three", "rules": {"leave_three": "ends", "stuck": "passes"}},
]
"""What somebody asks for; the page has no choice of who begins."""


def _rules_case(wanted: Case) -> Case:
    terms = agree(msgspec.convert(wanted, NewGame), Settings())
    rules = msgspec.to_builtins(rules_view(terms.preset, terms.rules))
    return {"about": "rules", "wanted": wanted, "rules": rules}


def _starts(mode: Mode) -> dict[str, Any]:
    known = layouts.of(mode).values()
    return {one.id: [str(layouts.start(one.id, mode)), one.fair] for one in known}


# Positions and the names of moves.

_START: Final = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb"
_PLAYSTRATEGY: Final = "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS"
_POSITIONS: Final = {
    Form.SUMITO: [
        *(f"{_START} b 0,0 0 1", "x", "", f"{_START}  b 0,0 0 1", f"{_START} r 0,0 0 1"),
        *(
            f"{_START} b 0,0 5 1",
            f"{_START} b 0 0 1",
            f"{_START} b 0,00 0 1",
            f"{_START} b 0,0 0 0",
        ),
        *(
            f"{_START} b 0,0 0 1 five",
            f"{_START} b 0,0 0 1 two out:b",
            *(f"{_START} b 0,0 0 1 two x y", f"{_START} b 0,0 1 1", f"{_START} w 0,0 1 2"),
        ),
        *(f"{_START}/5 b 0,0 0 1", f"{_START[6:]} b 0,0 0 1", f"6{_START[5:]} b 0,0 0 1"),
        *(f"w{_START} b 0,0 0 1", f"11{_START[2:]} b 0,0 0 1", f"q{_START[1:]} b 0,0 0 1"),
        "bbbbb/bbbbbb/2bbb2/8/9/8/2www2/wwwwww/wwwwb b 0,0 0 1",
        f"{_START} b 62,0 0 1",
        f"{_START} b 0,0 0 1000001",
        *(f"{_START} b 0,0 0 1 three out:{out}" for out in ("b", "bw", "wb", "u", "", "bwr", "x")),
    ],
    Form.APGN: [
        *(f"{_START} b", f"{_START} w", f"{_START}-5b4w w", f"{_START}-5b w", f"{_START}- b"),
        *(f"{_START}-05b4w b", _START, f"{_START} b b", f"{_START} r", f"{_START}-0b0w b"),
    ],
    Form.PLAYSTRATEGY: [
        *(
            f"{_PLAYSTRATEGY} 0 0 b 0 1",
            f"{_PLAYSTRATEGY} 0 0 w 3 20",
            f"{_PLAYSTRATEGY} 0 x b 0 1",
        ),
        *(f"{_START} 0 0 b 0 1", f"{_PLAYSTRATEGY} 0 0 b 0 0", f"{_PLAYSTRATEGY} 0 0 b 0"),
    ],
    Form.KAA: [
        *("0a12b123_1i56", "0_0", "00_0", "0a12", "0a12_0a1", "0a11_0", "0a9_0", "0x_0", "_"),
        "0a12_0b1_",
    ],
}


def positions() -> list[Case]:
    """Good and bad position texts of all forms, and moves in all notations."""
    rng = random.Random(5)
    cases: list[Case] = []
    for mode in Mode:
        board = random_game(11, mode, 30)
        text = str(board.position)
        texts = [text, *(damage(text, rng.randint(0, len(text)), 1, rng.choice) for _ in range(15))]
        cases += [_position_case(one, Form.SUMITO) for one in texts]
        for move in rng.sample(list(board.legal_moves), 12):
            names = {str(one): board.notate(move, notation=one) for one in Notation}
            cases.append({"position": text, "move": str(move), "names": names})
    cases += [_position_case(one, form) for form, texts in _POSITIONS.items() for one in texts]
    return cases


def _position_case(text: str, form: Form) -> Case:
    case: Case = {"text": text, "form": str(form)}
    try:
        position = Position.parse(text, form)
    except PositionError as error:
        return case | {"error": [error.code, error.column]}
    ours = {"position": str(position)}
    return case | ours | {"tag": start_tags(position, RULEBOOK).get("Position")}


# Games: what may be done on seats at one screen, and how far a take-back goes.


def games() -> list[Case]:
    """What people at one screen may do at some moments of random games."""
    rng = random.Random(9)
    return [_game_case(rng, mode) for mode in Mode for _ in range(14)]


def _game_case(rng: random.Random, mode: Mode) -> Case:
    people = [colour for colour in mode.colours if rng.random() < 0.6] or [mode.colours[-1]]
    start = layouts.start(None, mode)
    game = Game.begin(Setup(names=("?",) * len(mode.colours), start=start))
    for _ in range(rng.randint(0, 7)):
        assert game.turn is not None
        game.apply(Play(game.turn, rng.choice(list(game.legal_moves))), 0)
        if mode is Mode.THREE and not game.eliminated and rng.random() < 0.15:
            game.apply(Resign(rng.choice(mode.colours)), 0)
    back = taking_back(_room(game, people), game, people)
    plies = list(reversed(game.plies))
    return {
        "mode": str(mode),
        "people": [str(colour) for colour in people],
        "start": str(start),
        "moves": [str(ply.move) for ply in game.plies],
        "left": [[str(one.seat), one.plies] for one in game.departures],
        "can": _can(game, people),
        "back": 0
        if back is None
        else 1 + next(n for n, one in enumerate(plies) if one.seat is back),
    }


def _can(game: Game, people: list[Colour]) -> list[str]:
    """What at least one of the people may do; nobody has to ask the others for a move back."""
    room = _room(game, people)
    found = {one for colour in people for one in abilities(room, str(colour), 0)}
    return sorted(found - {"chat"})


def _room(game: Game, people: list[Colour]) -> Any:  # noqa: ANN401
    """As much of the server's room as tells who may do what: each person on a seat."""
    seats = {
        colour: SimpleNamespace(
            kind="person" if colour in people else "computer",
            person_id=str(colour) if colour in people else None,
        )
        for colour in game.mode.colours
    }
    return SimpleNamespace(
        game=game,
        mode=game.mode,
        status="playing" if game.outcome is None else "over",
        rematch=None,
        cancelled=False,
        seats=seats,
        seats_of=lambda person: [colour for colour in seats if str(colour) == person],
        terms=SimpleNamespace(takebacks=True, rated=False, rule_set=RULEBOOK),
    )


FILES: Final[dict[str, Callable[[], object]]] = {
    "clocks": clocks,
    "games": games,
    "positions": positions,
    "records": records,
    "tables": tables,
}


def content(name: str) -> str:
    """The text of one golden file: one case per line."""
    lines = (json.dumps(row, sort_keys=True, separators=(",", ":")) for row in FILES[name]())
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    names = [name for name in arguments if name != "--check"] or list(FILES)
    stale = []
    for name in names:
        file, new = FOLDER / f"{name}.json", content(name)
        if not check:
            FOLDER.mkdir(parents=True, exist_ok=True)
            file.write_text(new, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != new:
            stale.append(file.name)
    if stale:
        print(f"Out of date: {', '.join(stale)}. Run scripts/golden.py.", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
