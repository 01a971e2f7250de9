"""Pictures: valid, complete, the same every time, and readable whatever eyes one has."""

import importlib.util
import itertools
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sumito
from sumito import BLACK, BLUE, RED, WHITE, Board, Cell, Mode
from sumito.drawing import scene, svg
from sumito.drawing.svg import Arrow, Mark, Show, Tint

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"

everything = {
    "show": Show.USUAL | Show.LETTERS,
    "arrows": [Arrow(Cell.A1, Cell.C3, tint) for tint in Tint],
    "highlights": dict(zip((Cell.E5, Cell.E6, Cell.E7, Cell.E8), Mark, strict=True)),
}


def read(text):
    return ET.fromstring(text)


def marbles(root):
    """Cell name to (letter, x, y) of each marble on the board."""
    return {
        use.get("data-cell"): (use.get("href")[-1], float(use.get("x")), float(use.get("y")))
        for use in root.iter(f"{SVG}use")
        if use.get("data-cell")
    }


def tray(root):
    """The ejected marbles: (letter, x, y)."""
    found = []
    for use in root.iter(f"{SVG}use"):
        if use.get("data-ejected"):
            x, y = re.match(r"translate\((\S+) (\S+)\)", use.get("transform")).groups()
            found.append((use.get("data-ejected"), float(x), float(y)))
    return found


@pytest.mark.parametrize("theme", svg.Theme)
@pytest.mark.parametrize("mode", Mode)
def test_a_picture_is_xml_in_which_every_reference_leads_to_one_id(mode, theme):
    text = svg.board(Board(mode=mode), theme=theme, **everything)
    ids = [element.get("id") for element in read(text).iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = re.findall(r'(?:href="#|url\(#)(\w+)', text)
    assert used
    assert set(used) <= set(ids)
    assert "@" not in text


@pytest.mark.parametrize("mode", Mode)
def test_every_marble_is_drawn_once_at_its_cell(mode):
    board = Board(mode=mode)
    drawn = marbles(read(svg.board(board)))
    assert {name: letter for name, (letter, _, _) in drawn.items()} == {
        str(cell): colour.letter for colour in mode.colours for cell in board.marbles(colour)
    }
    for name, (_, x, y) in drawn.items():
        cell = Cell.parse(name)
        assert x == pytest.approx(40 * (cell.digit - 5) - 20 * (cell.row - 4), abs=0.06)
        assert y == pytest.approx(-34.641 * (cell.row - 4), abs=0.06)


@pytest.mark.parametrize(("mode", "colour"), [(m, c) for m in Mode for c in m.colours])
def test_the_colour_that_the_board_is_turned_to_sits_at_the_bottom(mode, colour):
    board = Board(mode=mode)
    drawn = marbles(read(svg.board(board, orientation=colour))).values()
    height = {
        other: sum(y for letter, _, y in drawn if letter == other.letter) for other in mode.colours
    }
    assert max(height, key=height.get) is colour


def test_six_turns_are_none_and_three_put_every_marble_opposite():
    board = Board(layout="german-daisy")
    assert svg.board(board, orientation=6) == svg.board(board)
    before, after = (marbles(read(svg.board(board, orientation=n))) for n in (0, 3))
    assert {name: (letter, -x + 0, -y + 0) for name, (letter, x, y) in before.items()} == after


def test_a_colour_without_a_seat_is_refused_by_name():
    with pytest.raises(sumito.ColourError, match=r"blue has no seat .* mode three"):
        svg.board(Board(mode="three"), orientation=BLUE)


def test_ejected_marbles_lie_in_the_rim_before_the_side_that_ejected_them():
    rows = "2www/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/1bbb1"
    board = Board.parse(f"{rows} b 2,3 0 9")
    found = tray(read(svg.board(board)))
    assert (
        sorted((letter, y > 0) for letter, _, y in found) == [("b", False)] * 3 + [("w", True)] * 2
    )
    from_white = tray(read(svg.board(board, orientation=WHITE)))
    assert (
        sorted((letter, y < 0) for letter, _, y in from_white)
        == [("b", False)] * 3 + [("w", True)] * 2
    )
    assert not tray(read(svg.board(board, show=Show.NOTHING)))


def test_fourteen_ejected_marbles_still_fit_into_the_rim():
    board = Board(captured=(14, 0), rules=sumito.Rules(win_at=15))
    assert len(found := tray(read(svg.board(board)))) == 14
    assert all(abs(x) < 115 for _, x, _ in found)


def test_in_three_the_history_tells_who_ejected_whose_marble():
    board = Board.parse("5/6/7/8/bbr3wwr/8/rr5/6/5 w 0,0,0 0 1 three")
    board.push(board.parse_move("e7e8"))
    board.push(board.parse_move("c1c2"))
    assert scene.ejected_by(board) == ((), (RED,), ())


@given(st.data())
def test_in_three_a_bare_position_gets_a_deal_that_fits_its_marbles(data):
    pairs = [(one, other) for one in range(3) for other in range(3) if one != other]
    truth = {pair: data.draw(st.integers(0, 2)) for pair in pairs}
    captured = tuple(sum(n for (by, _), n in truth.items() if by == side) for side in range(3))
    lost = [sum(n for (_, of), n in truth.items() if of == colour) for colour in range(3)]
    start = Board(mode="three").position
    fewer = []
    for colour, mask in enumerate(start.marbles):
        for _ in range(lost[colour]):
            mask &= mask - 1
        fewer.append(mask)
    position = sumito.Position(tuple(fewer), BLACK, captured, mode=Mode.THREE)
    piles = scene.ejected_by(Board.at(position))
    assert tuple(map(len, piles)) == captured
    dealt = list(itertools.chain.from_iterable(piles))
    assert [dealt.count(colour) for colour in Mode.THREE.colours] == lost
    assert all(side not in pile for side, pile in enumerate(piles))


def test_a_team_has_the_marbles_its_opponents_lost():
    board = Board.parse("rrr2/1rrr2/2rr1uu/5uuu/ww4uu1/www5/ww1bb2/w1bbb1/1bbb1 b 3,1 0 9 teams")
    assert scene.ejected_by(board)[0] == (WHITE, BLUE, BLUE)
    assert len(scene.ejected_by(board)[1]) == 1


def test_coordinates_name_all_rows_and_lines_or_none():
    labels = [text.text for text in read(svg.board(Board())).iter(f"{SVG}text")]
    assert sorted(labels) == list("123456789abcdefghi")
    assert not list(read(svg.board(Board(), show=Show.NOTHING)).iter(f"{SVG}text"))


def test_letters_are_drawn_on_the_marbles_on_request():
    texts = list(read(svg.board(Board(mode="teams"), show=Show.LETTERS)).iter(f"{SVG}text"))
    assert [text.text for text in texts] == ["B", "W", "R", "U"]


def test_the_last_move_rings_the_cells_it_left():
    board = Board()
    move = board.parse_move("a1b2")
    board.push(move)
    plain, in_line = (svg.board(board, last_move=last) for last in (None, move))
    assert in_line.count("<circle") == plain.count("<circle") + 1
    assert in_line == svg.board(board, last_move=board.last_effect())
    board.pop()
    side_step = board.parse_move("c3c5d3")
    board.push(side_step)
    assert svg.board(board, last_move=side_step).count("<circle") == plain.count("<circle") + 3


def test_a_bare_move_without_history_is_shown_as_far_as_it_is_known():
    board = Board()
    board.push(board.parse_move("a1b2"))
    without = Board.parse(str(board.position))
    effect = scene.effect_of(without, sumito.Move.parse("a1b2"))
    assert effect == sumito.Effect(sumito.Move.parse("a1b2"), (Cell.A1,), (), None)


def test_arrows_for_a_move_show_what_the_player_s_marbles_do():
    board = Board()
    assert svg.arrows_for(board, sumito.Move.parse("a1b2")) == [Arrow(Cell.A1, Cell.D4)]
    assert svg.arrows_for(board, sumito.Move.parse("c3c5d3"), Tint.GOLD) == [
        Arrow(one, to, Tint.GOLD)
        for one, to in ((Cell.C3, Cell.D3), (Cell.C4, Cell.D4), (Cell.C5, Cell.D5))
    ]
    with pytest.raises(sumito.IllegalMoveError):
        svg.arrows_for(board, sumito.Move.parse("e5e6"))


def test_a_screen_reader_is_told_the_title_and_the_position():
    board = Board()
    board.push(board.parse_move("a1b2"))
    root = read(svg.board(board, last_move=board.last_effect()))
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), desc.get("id")]
    assert title.text == "Abalone board, white to move"
    assert desc.text.startswith("black: a2 a3 a4 a5 b1 b2")
    assert desc.text.endswith("last move: a1b2.")


@given(st.text(min_size=1))
def test_any_title_makes_valid_xml_and_is_kept(title):
    found = read(svg.board(Board(), title=title)).find(f"{SVG}title").text or ""
    printable = re.sub(r"[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", title)
    assert re.sub(r"[\t\r\n]", "", found) == printable


def test_a_title_can_t_disturb_the_ids():
    text = svg.board(Board(), title='=@t #@b <&">')
    assert read(text).find(f"{SVG}title").text == '=@t #@b <&">'


def test_the_same_call_gives_the_same_text_and_another_board_other_ids():
    assert svg.board(Board()) == svg.board(Board())
    stems = {
        re.search(r'aria-labelledby="(\w+)t ', text)[1]
        for text in (
            svg.board(Board()),
            svg.board(Board(layout="belgian-daisy")),
            svg.board(Board(), theme="dark"),
            svg.board(Board(), show=Show.NOTHING),
            svg.board(Board(), orientation=3),
        )
    }
    assert len(stems) == 5


@pytest.mark.parametrize("mode", Mode)
def test_a_full_board_with_everything_on_it_stays_small(mode):
    assert len(svg.board(Board(mode=mode), **everything)) < 25_000


def test_the_size_is_a_width_in_pixels_or_left_to_the_page():
    root = read(svg.board(Board(), size=700))
    _, _, width, height = map(float, root.get("viewBox").split())
    assert root.get("width") == "700"
    assert int(root.get("height")) == round(700 * height / width)
    assert read(svg.board(Board(), size=None)).get("width") is None


def test_a_notebook_shows_the_board():
    assert Board()._repr_svg_() == svg.board(Board())


# How the colours look to people who lack one kind of cone: the linear transforms of Machado,
# Oliveira and Fernandes (2009) at full severity.
SIGHT = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def lab(rgb):
    """CIE L*a*b*, in which distances are about as large as they look."""
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1, 1.089)
    x, y, z = (
        max(0, sum(k * v for k, v in zip(row, rgb, strict=True))) / w
        for row, w in zip(to_xyz, white, strict=True)
    )
    f = [t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def seen(colour, sight):
    rgb = linear(colour)
    return lab([sum(k * v for k, v in zip(row, rgb, strict=True)) for row in SIGHT[sight]])


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(sumito.Colour, 2)))
def test_marbles_stay_apart_however_one_sees_colours(one, other, sight):
    a, b = (seen(svg.MARBLES[colour].body, sight) for colour in (one, other))
    assert sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5 > 40


def test_marbles_differ_in_lightness_alone():
    lightness = sorted(seen(marble.body, "full")[0] for marble in svg.MARBLES.values())
    assert min(b - a for a, b in itertools.pairwise(lightness)) > 18


def test_the_committed_figures_are_what_the_library_draws():
    spec = importlib.util.spec_from_file_location("figures", ROOT / "scripts" / "figures.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    drawn = script.figures()
    kept = {path.name: path.read_text("utf-8") for path in script.TARGET.glob("*.svg")}
    stale = sorted(name for name in drawn | kept if drawn.get(name) != kept.get(name))
    assert not stale, "run `make docs`"


def test_the_documents_show_only_figures_that_exist_and_every_figure():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        name for page in pages for name in re.findall(r"figures/([\w-]+\.svg)", page.read_text())
    }
    assert shown == {path.name for path in (ROOT / "docs" / "figures").glob("*.svg")}
