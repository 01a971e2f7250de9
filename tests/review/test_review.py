"""Why a move was a mistake: one constructed position a reason, and the formulas of a review."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from sumito import BLACK, Board, Engine, Limit, Mode, Move, Score, kernel
from sumito.cli.app import app
from sumito.errors import IllegalMoveError
from sumito.record import Record, parse, read, write
from sumito.review import MistakeCode, Verdict, accuracy, loss, mistake_reasons
from sumito.review.game import Review, annotate, review
from sumito.review.reasons import SENTENCES
from sumito.review.report import report
from sumito.rules.formations import dets
from support.optional_parts import REASONS

SHOT = "w4/6/7/8/9/8/7/6/2bbw b 0,0 0 1"
"""Black can push a5 off; another white marble stands far away."""


def line(text: str) -> list[Move]:
    return [Move.parse(name) for name in text.split()]


def told(position: str, played: str, better: str, punishment: str = "") -> list[tuple[object, ...]]:
    """Code, count and cells of each reason."""
    board = Board.parse(position)
    found = mistake_reasons(board, Move.parse(played), line(better), line(punishment))
    return [(str(one.code), one.count, " ".join(map(str, one.cells))) for one in found]


def test_an_ejection_that_was_there_is_missed() -> None:
    found = told(SHOT, "a4b5", "a3a4")
    assert found == [("missed-ejection", 1, "a5")]


def test_an_ejection_in_two_names_the_marble_where_it_stands_now() -> None:
    # Pushed to the rim first, then over it.
    position = "5/6/7/8/4bbbw1/8/7/6/w4 b 0,0 0 1"
    found = told(position, "e5d5", "e5e6 a1a2 e6e7", "a1a2 d5e6")
    assert found[0] == ("missed-ejection", 2, "e8")


def test_an_ejection_that_comes_anyway_is_not_missed() -> None:
    position = SHOT
    assert told(position, "a3a4", "a4b5") == []


def test_an_ejection_is_allowed() -> None:
    # Black b6 holds b5 against the pair of white only as long as it stays.
    position = "5/6/7/8/9/8/7/2wwbb/5 b 0,0 0 1"
    found = told(position, "b6c7", "b5b6c6", "b3b4 c7c6 b4b5")
    assert ("allowed-ejection", 2, "b5") in found


def test_a_win_is_missed_and_the_ejection_that_makes_it_is_not_told_twice() -> None:
    found = told(SHOT.replace("0,0", "5,0"), "a4b5", "a3a4")
    assert found == [("missed-win", 1, "")]


def test_a_win_is_allowed() -> None:
    position = "5/6/7/8/4b4/8/7/4b1/2wwb b 0,5 0 1"
    found = told(position, "e5e6", "a5b6", "a3a4")
    assert found[0] == ("allowed-win", 1, "")
    assert "allowed-ejection" not in [code for code, *_ in found]


def test_a_marble_that_loses_its_support_is_ejected() -> None:
    # Three against two along row e; with d8 beside it, e8 could have been held by e9.
    position = "5/6/7/8/4wwwb1/7b/7/6/5 b 0,0 0 1"
    found = told(position, "d8c7", "d8e9", "e5e6 c7b6 e6e7")
    assert found[:2] == [("allowed-ejection", 2, "e8"), ("unsupported", 1, "e8")]
    # A marble that had no neighbour before has lost none.
    found = told("5/6/7/8/4wwwb1/8/6b/6/5 b 0,0 0 1", "c7b6", "c7d8", "e5e6 b6b5 e6e7")
    assert "unsupported" not in [code for code, *_ in found]


def test_a_marble_can_walk_to_where_it_is_ejected() -> None:
    found = told("5/6/7/8/5ww2/7b/7/6/5 b 0,0 0 1", "d8e8", "d8d7")
    assert ("exposed", 1, "e8") not in found
    found = told("5/6/7/8/6ww1/7b/7/6/5 b 0,0 0 1", "d8e9", "d8d7")
    assert found == [("exposed", 1, "e9")]


def test_a_pac_is_given_up() -> None:
    # 2 against 2 in the middle of row e: without e6 the row can be pushed.
    found = told("5/6/7/8/2wwbb3/8/7/6/5 b 0,0 0 1", "e6f6", "e5e6d5")
    assert ("gave-up-pac", 2, "e5") in found


def test_to_leave_a_det_is_no_mistake() -> None:
    # White all around e5; black's e6 leaves its partner alone, which binds White.
    position = "5/6/7/3ww3/3wbb3/3ww3/7/6/5 b 0,0 0 1"
    left = Board.parse(position)
    left.push(Move.parse("e6e7"))
    assert [str(cell) for det in dets(left, BLACK) for cell in det.cells] == ["e5"]
    assert not any("e5" in cells for _, _, cells in told(position, "e6e7", "e5e6"))


def test_a_group_of_five_is_broken_up() -> None:
    found = told("5/6/7/4b3/2bbbb3/8/7/6/4w b 0,0 0 1", "e4d4", "f6f5")
    assert ("broke-group", 5, "e3") in found


def test_a_group_of_four_may_be_broken_up() -> None:
    found = told("5/6/7/8/3bbbb2/8/7/6/4w b 0,0 0 1", "e5d5", "e5e6")
    assert "broke-group" not in [code for code, *_ in found]


def test_the_centre_is_left() -> None:
    found = told("5/6/7/8/4b4/8/7/6/4w b 0,0 0 1", "e5e4", "e5f5")
    assert found == []  # the better move leaves it as well
    found = told("5/6/7/8/3b5/8/7/6/4w b 0,0 0 1", "e4e3", "e4e5")
    assert found == [("left-centre", 1, "e3")]


def test_the_better_move_itself_has_no_faults() -> None:
    assert told(SHOT, "a3a4", "a3a4") == []
    assert told(SHOT, "a3a4", "") == []


def test_an_illegal_line_is_refused_in_words() -> None:
    board = Board.parse(SHOT)
    for played, better, punishment in (("a5b5", "a3a4", ""), ("a3a4", "e5e6", ""),
                                       ("a4b5", "a3a4", "a3a4")):  # fmt: skip
        with pytest.raises(IllegalMoveError):
            mistake_reasons(board, Move.parse(played), line(better), line(punishment))
    with pytest.raises(ValueError, match="illegal"):
        kernel.mistake_reasons(
            kernel.Position(str(board.position)), Move.parse("a5b5").index, [], []
        )


def test_in_three_both_others_eject() -> None:
    position = "5/6/7/8/6rr1/7b/7/6/w4 b 0,0,0 0 1 three"
    assert told(position, "d8e9", "d8d7") == [("exposed", 1, "e9")]


def test_in_teams_a_partner_ejects_for_the_side() -> None:
    position = "w4/6/7/8/9/8/7/6/bbrrw b 0,0 0 1 teams"
    found = told(position, "a1b1", "a2b3 i5i6 a3a4", "i5i6 a3b4")
    assert found[0] == ("missed-ejection", 2, "a5")


def test_every_code_has_a_sentence_that_fills_in() -> None:
    assert set(SENTENCES) == set(MistakeCode)
    board = Board.parse(SHOT.replace("0,0", "5,0"))
    (reason,) = mistake_reasons(board, Move.parse("a4b5"), line("a3a4"))
    assert str(reason) == "the game could have been won at once"


@pytest.mark.parametrize("mode", [Mode.TWO, Mode.THREE, Mode.TEAMS])
def test_the_kernels_chance_is_the_scores(mode: Mode) -> None:
    for value in range(-1000, 1001, 50):
        score = Score(value, mode=mode)
        assert kernel.chance(value, len(mode.sides)) == pytest.approx(score.chance, abs=1e-12)


def test_losses_have_names_and_make_accuracy() -> None:
    assert loss(Score(0), Score(20)) == 0
    assert loss(Score.win(3), Score.loss(2)) == 1
    names = [Verdict.of(each) for each in (0, 0.0499, 0.05, 0.1, 0.19, 0.2, 1)]
    assert names == ["good", "good", "inaccuracy", "mistake", "mistake", "blunder", "blunder"]
    assert [verdict.nag for verdict in Verdict] == [None, 6, 2, 4]
    assert accuracy([]) == accuracy([0, 0]) == 1
    assert accuracy([0, 0.5]) > accuracy([0.5, 0.5]) > 0


# Whole games.


@pytest.fixture
def i18n() -> ModuleType:
    pytest.importorskip("babel", reason=REASONS["play"])
    from sumito.server.base import i18n

    return i18n


def reviewed(moves: str, position: str) -> Review:
    record = Record.new(Board.parse(position))
    record.root.add_line(line(moves))
    with Engine() as engine:
        return review(record, engine, Limit(nodes=3000))


MISSED = "w4/6/7/3www2/9/3bbb2/7/6/2bbw b 0,0 0 1"
"""The centre is even; a5 hangs."""


def test_a_review_marks_the_mistake_says_why_and_shows_what_was_better(i18n: ModuleType) -> None:
    found = reviewed("a4b5 i5i6", MISSED)
    (mistake,) = found.mistakes[:1]
    assert mistake.best.move == Move.parse("a3a4")
    assert mistake.reasons[0].code == "missed-ejection"
    assert found.accuracy(mistake.colour) < 0.9
    german = annotate(found, lambda said: i18n.sentence("de", said))
    first = german.nodes[0]
    assert first.nags in ((2,), (4,))
    assert "die Kugel auf a5 hätte sofort hinausgeschoben werden können" in first.comment
    assert first.evaluation is not None
    assert [str(node.move) for node in german.root.variations] == ["a3a4"]
    assert next(parse(write([german]))) == german


def test_the_report_is_one_page_with_curve_and_boards() -> None:
    found = reviewed("a4b5 i5i6", MISSED)
    found.record.tags["Black"] = "<script>alert(1)</script>"
    page = report([found], language="nl")
    assert page.startswith("<!DOCTYPE html>")
    assert "<script>" not in page
    assert page.count("<article") == len(found.mistakes) >= 1
    assert page.count("<svg") == 1 + len(found.mistakes)
    assert "http" not in page.replace("http://www.w3.org", "")


def test_a_game_without_mistakes_says_so(i18n: ModuleType) -> None:
    page = report([reviewed("a3a4", SHOT)], lambda said: i18n.sentence("fr", said), "fr")
    assert "Aucune erreur" in page


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nowhere.apgn"], "does not exist"),
        (["{empty}"], "no game"),
        (["{club}", "--nodes", "0"], "nodes"),
        (["{club}", "--language", "xx"], "xx"),
        (["{club}", "--report", "/nowhere/at/all.html"], "/nowhere/at"),
        (["README.md"], ""),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], problem: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.apgn"
    empty.write_text("")
    names = {"empty": str(empty), "club": str(Path(__file__).parents[1] / "data/club.apgn")}
    done = CliRunner().invoke(app, ["review", *(text.format(**names) for text in arguments)])
    assert done.exit_code == 2
    assert problem in done.output


def test_the_command_reviews_records_of_every_mode(tmp_path: Path) -> None:
    club = Path(__file__).parents[1] / "data/club.apgn"
    out, page = tmp_path / "out.apgn", tmp_path / "page.html"
    done = CliRunner().invoke(
        app, ["review", str(club), "--nodes", "200", "-o", str(out), "--report", str(page)]
    )
    assert done.exit_code == 0, done.output
    assert len(list(read(out))) == len(list(read(club)))
    assert "accuracy" in done.output
