"""The players' words: the rulebook's figures, and what must hold on any board."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sumito import BLACK, BLUE, RED, SYMMETRIES, WHITE, Board, Cell, Colour, Mode, Position
from sumito.errors import SumitoError
from sumito.rules import formations as fm
from sumito.rules.cells import CELLS, DIRECTIONS, distance, mask_of
from sumito.rules.formations import Within, Word

FIGURES = json.loads(
    Path(__file__).parents[1].joinpath("data/figures.json").read_text(encoding="utf-8")
)["figures"]


def cells(names):
    return tuple(map(Cell.parse, names.split() if isinstance(names, str) else names))


def placed(mode=Mode.TWO, turn=BLACK, **marbles):
    """A board with the marbles named by colour, as `black="e3 e4"`."""
    masks = tuple(mask_of(cells(marbles.get(str(colour), ""))) for colour in mode.colours)
    return Board.at(Position(masks, turn, (0,) * len(mode.sides), mode=mode))


def figure(name):
    sides = {key: FIGURES[name].get(key, []) for key in ("black", "white")}
    return placed(**sides)


@st.composite
def boards(draw, modes=tuple(Mode)):
    """Marbles close together, the colours mixed: many rows that meet."""
    rng = draw(st.randoms(use_true_random=False))
    mode = draw(st.sampled_from(modes))
    centre = rng.choice(CELLS)
    counts = [rng.randint(1, mode.marbles) for _ in mode.colours]
    near = sorted(CELLS, key=lambda cell: distance(cell, centre) + rng.random() * 2)
    spots = near[: sum(counts) + rng.randint(0, 8)]
    rng.shuffle(spots)
    masks = []
    for count in counts:
        masks.append(mask_of(spots[:count]))
        del spots[:count]
    return Board.at(Position(tuple(masks), BLACK, (0,) * len(mode.sides), mode=mode))


def shapes(found):
    return {formation.cells for formation in found}


# The figures.


def test_figure_a12_is_an_arc():
    board = figure("A12")
    assert shapes(fm.arcs(board, BLACK)) == {cells("e4 e5 f6")}
    assert not fm.lances(board, BLACK)
    assert not fm.shields(board, BLACK)


def test_figure_a13_is_the_block_and_only_one():
    board = figure("A13")
    assert shapes(fm.blocks(board, BLACK)) == {tuple(sorted(cells(FIGURES["A13"]["black"])))}


@pytest.mark.parametrize("shape", [Word.LANCE, Word.ARC, Word.SHIELD])
def test_figure_a14_shows_the_three_triples(shape):
    board = placed(black=FIGURES["A14"][shape])
    (triple,) = fm.triples(board, BLACK)
    assert (triple.shape, triple.cells) == (shape, cells(FIGURES["A14"][shape]))
    assert [each.word for each in fm.find(board, Word.LANCE, Word.ARC, Word.SHIELD)] == [shape]


@pytest.mark.parametrize(
    ("name", "strength"), [("A5", "2-1"), ("A6", "3-1"), ("A7_foxmind", "3-2"), ("A7bis", "4-2")]
)
def test_figures_a5_to_a7_are_playable_sumitos(name, strength):
    (sumito,) = fm.sumitos(figure(name), BLACK)
    assert f"{len(sumito.row)}-{len(sumito.opposing)}" == strength
    assert sumito.playable
    assert not sumito.ejecting
    assert FIGURES[name]["legal"] == [str(sumito.moves[-1])]


def test_figure_a8_is_a_sumito_that_ejects():
    (sumito,) = fm.sumitos(figure("A8"), BLACK)
    assert sumito.playable
    assert sumito.ejecting
    assert sumito.opposing == cells([FIGURES["A8"]["ejects"]])


def test_figure_a4_1_is_a_sumito_but_not_playable_with_the_cell_behind_occupied():
    from_left, from_right = fm.sumitos(figure("A4.1"), BLACK), fm.sumitos(figure("A4.1"), WHITE)
    (blocked,) = from_left
    assert blocked.behind is Cell.E6
    assert not blocked.playable
    # Two whites face the lone black marble on e6 as well.
    (other,) = from_right
    assert other.row == cells("e4 e5")
    assert other.playable


def test_figure_a4_2_a_gap_between_is_no_meeting():
    assert not fm.find(figure("A4.2"), Word.SUMITO, Word.PAC)


def test_figure_a4_3_off_the_line_three_marbles_are_no_more_than_the_one_that_touches():
    board = figure("A4.3")
    assert not fm.find(board, Word.SUMITO)
    (pac,) = fm.find(board, Word.PAC)
    assert (pac.row, pac.opposing) == (cells("c4"), cells("d5"))


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_figure_s6_shows_pacs_of_one_two_and_three(strength):
    row = FIGURES["S6"]["rows"][strength - 1]
    (pac,) = fm.find(placed(**row), Word.PAC)
    assert pac.strength == strength
    assert (pac.row, pac.opposing) == (cells(row["black"]), cells(row["white"]))


def test_figure_s7_has_a_pac_on_one_line():
    (pac,) = fm.find(figure("S7"), Word.PAC)
    assert pac.row == cells("e3 e4 e5")


def test_figure_a9b_three_push_two_of_two_colours():
    own, one, other = (FIGURES["A9b"][key] for key in ("own", "opp1", "opp2"))
    board = placed(Mode.THREE, black=own, white=one, red=other)
    (sumito,) = fm.sumitos(board, BLACK)
    assert sumito.opposing == cells("e5 e6")
    assert sumito.playable


@pytest.mark.parametrize("example", FIGURES["A11"]["examples"], ids=str)
def test_figure_a11_a_team_pushes_from_the_players_own_rear(example):
    board = placed(
        Mode.TEAMS,
        black=example["own"],
        red=example["partner"],
        white=example["opp1"],
        blue=example.get("opp2", ""),
    )
    rears = {move.first for sumito in fm.sumitos(board, BLACK) for move in sumito.moves}
    whole_row = min(cells(example["own"] + example["partner"]))
    assert (whole_row in rears) == ("illegal" not in example)


# The table, word by word.


def test_a_singleton_has_no_neighbour_of_its_colour():
    board = placed(black="e5 a1 a2", white="e6")
    assert shapes(fm.singletons(board, BLACK)) == {cells("e5")}
    assert shapes(fm.singletons(board, WHITE)) == {cells("e6")}


def test_a_pair_is_a_group_of_exactly_two():
    board = placed(black="e5 f6 a1 a2 a3")
    assert shapes(fm.pairs(board, BLACK)) == {cells("e5 f6")}


def test_a_lance_in_a_longer_row_is_a_lance_but_no_triple():
    board = placed(black="e2 e3 e4 e5")
    assert shapes(fm.lances(board, BLACK)) == {cells("e2 e3 e4"), cells("e3 e4 e5")}
    assert not fm.lances(board, BLACK, Within.TRIPLE)
    assert not fm.triples(board, BLACK)


def test_a_hexagon_around_a_marble_holds_six_shields_three_lances_and_twelve_arcs():
    board = placed(black="e5 e4 e6 d4 d5 f5 f6")
    assert len(fm.shields(board, BLACK)) == 6
    assert len(fm.lances(board, BLACK)) == 3
    assert len(fm.arcs(board, BLACK)) == 12


def test_a_block_lies_in_any_of_three_ways():
    for turn in SYMMETRIES[:3]:
        board = figure("A13").transform(turn)
        assert len(fm.blocks(board, BLACK)) == 1


def test_three_rows_of_three_with_a_bend_are_no_block():
    assert not fm.blocks(placed(black="d4 d5 d6 e5 e6 e7 f5 f6 f7"), BLACK)


def test_four_against_three_is_a_pac_of_three():
    (pac,) = fm.find(placed(black="e1 e2 e3 e4", white="e5 e6 e7"), Word.PAC)
    assert pac.strength == 3
    assert not fm.find(placed(black="e1 e2 e3 e4", white="e5 e6 e7"), Word.SUMITO)


def test_three_against_one_can_push_with_two_or_with_three():
    (sumito,) = fm.sumitos(figure("A6"), BLACK)
    assert list(map(str, sumito.moves)) == ["e3e4", "e2e3"]


def test_a_det_needs_four_opposing_neighbours_and_no_own_one():
    around = "e4 e6 d4 d5"
    assert shapes(fm.dets(placed(black="e5", white=around), BLACK)) == {cells("e5")}
    assert not fm.dets(placed(black="e5", white="e4 e6 d4"), BLACK)
    assert not fm.dets(placed(black="e5 f6", white=around), BLACK)


@pytest.mark.parametrize(
    ("lone", "around", "is_det"),
    [
        ("a1", "a2 b1 b2", True),
        ("a1", "a2 b1", False),
        ("i9", "i8 h8 h9", True),
        ("a3", "a2 a4 b3 b4", True),
        ("a3", "a2 a4 b3", False),
    ],
)
def test_at_the_rim_a_marble_with_only_opposing_neighbours_is_a_det(lone, around, is_det):
    found = fm.dets(placed(black=lone, white=around), BLACK)
    assert shapes(found) == ({cells(lone)} if is_det else set())


def test_a_det_of_two_opposing_colours_and_none_among_partners():
    among = {"white": "e4 e6", "red": "d4 d5"}
    assert fm.dets(placed(Mode.THREE, black="e5", **among), BLACK)
    assert not fm.dets(placed(Mode.TEAMS, black="e5", **among), BLACK)
    assert fm.dets(placed(Mode.TEAMS, black="e5", white="e4 e6", blue="d4 d5"), BLACK)


def test_partners_rows_count_together_in_a_pac():
    board = placed(Mode.TEAMS, black="e4", red="e5", white="e6", blue="e7")
    (pac,) = fm.find(board, Word.PAC)
    assert (pac.colour, pac.strength) == (BLACK, 2)


def test_with_three_players_a_pac_may_be_seen_from_one_side_only():
    board = placed(Mode.THREE, black="e4", white="e5", red="e6")
    assert not fm.pacs(board, BLACK)
    assert {pac.opposing for pac in fm.pacs(board, WHITE)} == {cells("e4"), cells("e6")}
    assert not fm.pacs(board, RED)


def test_a_sumito_belongs_to_the_partner_whose_marble_pushes():
    board = placed(Mode.TEAMS, black="e3", red="e4", white="e5")
    assert fm.sumitos(board, BLACK)
    assert not fm.sumitos(board, RED)
    assert not fm.sumitos(board, BLUE)


def test_only_formations_can_be_found():
    with pytest.raises(
        SumitoError, match="'side-step' is not a formation; formations are singleton, "
    ):
        fm.find(Board(), Word.SIDE_STEP)


def test_formations_say_what_they_are():
    found = fm.find(placed(black="e2 e3 e4", white="e5"), Word.TRIPLE, Word.SUMITO)
    assert list(map(str, found)) == [
        "triple: black lance e2 e3 e4",
        "sumito: black e2 e3 e4 E against e5",
    ]


# What holds on any board.


def pushing(board):
    """The pushing moves that the rules allow, and whether each ejects."""
    effects = map(board.effect, board.legal_moves)
    return {effect.move: effect.ejected is not None for effect in effects if effect.pushed}


def with_turn(board: Board, colour: Colour) -> Board:
    start = board.position
    return Board.at(
        Position(start.marbles, colour, start.captured, start.quiet, start.ply, start.mode)
    )


@given(boards())
def test_a_playable_sumito_is_a_legal_push_and_the_other_way_round(board):
    for colour in board.mode.colours:
        turned = with_turn(board, colour)
        if turned.turn is not colour:
            continue  # it can't act, so the turn passed
        found = {
            move: sumito.ejecting
            for sumito in fm.sumitos(turned, colour)
            if sumito.playable
            for move in sumito.moves
        }
        assert found == pushing(turned)


@given(boards(modes=(Mode.TWO, Mode.TEAMS)))
def test_a_pac_of_two_sides_is_seen_from_both(board):
    by_black = {(pac.row, pac.opposing) for pac in fm.pacs(board, BLACK)}
    by_white = {(pac.opposing[::-1], pac.row[::-1]) for pac in fm.pacs(board, WHITE)}
    assert by_black == by_white


@given(boards(modes=(Mode.TWO, Mode.TEAMS, Mode.TEAMS_DOUBLE)))
def test_two_rows_that_meet_are_a_sumito_or_a_pac_for_one_of_two_sides(board):
    met = fm.find(board, Word.SUMITO, Word.PAC)
    contacts = {
        frozenset((cell, there))
        for cell in CELLS
        for way in DIRECTIONS
        if (there := cell.step(way)) is not None
        and board[cell] is not None
        and board[there] is not None
        if board.mode.side(board[cell]) is not board.mode.side(board[there])
    }
    assert {frozenset((each.row[-1], each.opposing[0])) for each in met} == contacts


@given(boards())
def test_groups_share_out_the_marbles_and_contain_the_smaller_formations(board):
    for colour in board.mode.colours:
        groups = fm.groups(board, colour)
        assert sorted(cell for group in groups for cell in group.cells) == sorted(
            board.marbles(colour)
        )
        by_size = {size: {g.cells for g in groups if len(g.cells) == size} for size in (1, 2, 3)}
        assert shapes(fm.singletons(board, colour)) == by_size[1]
        assert shapes(fm.pairs(board, colour)) == by_size[2]
        assert shapes(fm.triples(board, colour)) == by_size[3]
        assert len(fm.triples(board, colour)) == len(by_size[3])


@given(boards())
def test_a_det_is_a_singleton_with_four_opposing_neighbours(board):
    for colour in board.mode.colours:
        for det in fm.dets(board, colour):
            near = [
                board[there] for way in DIRECTIONS if (there := det.cells[0].step(way)) is not None
            ]
            side = board.mode.side(colour)
            opposing = [one for one in near if one is not None and board.mode.side(one) != side]
            assert len(opposing) >= min(4, len(near))
            assert colour not in near


@given(boards(), st.sampled_from(SYMMETRIES))
def test_formations_turn_and_mirror_with_the_board(board, symmetry):
    def seen(found, carry):
        return sorted(
            (formation.word, formation.colour, sorted(map(carry, formation.cells)))
            for formation in found
        )

    assert seen(fm.find(board), symmetry.cell) == seen(
        fm.find(board.transform(symmetry)), lambda cell: cell
    )
