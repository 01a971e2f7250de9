"""Every step of every lesson works, every figure is in the rulebook, in all four languages."""

import json
import re
from pathlib import Path

import pytest

from sumito import BLACK, WHITE, Board, Cell, IllegalMoveError, SumitoError, teaching
from sumito.rules import formations
from sumito.rules.cells import Direction, line
from sumito.rules.formations import DETECTORS, find
from sumito.teaching import (
    LANGUAGES,
    ChooseStep,
    Figured,
    MarkStep,
    Passage,
    PlayStep,
    ShowStep,
    StartStep,
    Step,
    TryStep,
    course,
    figures,
    judge,
    rulebook,
    texts,
    words,
)
from sumito.teaching.texts import read

STEPS = [step for lesson in course() for step in lesson.steps]
FORMATIONS = {str(word) for word in DETECTORS}
BY_KEY = {step.key: step for step in STEPS}
PLAYS = [step for step in STEPS if isinstance(step, PlayStep)]
RULEBOOK_FIGURES = json.loads(
    (Path(__file__).parents[1] / "data" / "figures.json").read_text(encoding="utf-8")
)["figures"]


def keys_of(step: Step) -> set[str]:
    keys = {step.task}
    match step:
        case PlayStep(wrong=wrong) | MarkStep(wrong=wrong):
            keys |= {f"{step.key}.done", *(f"{step.key}.wrong.{one}" for one in wrong)}
        case TryStep():
            keys.add(f"{step.key}.done")
        case ChooseStep(options=options):
            keys |= {
                f"{step.key}.{kind}.{n}" for kind in ("option", "answer") for n in range(options)
            }
    return keys


@pytest.mark.parametrize("step", PLAYS, ids=lambda step: step.key)
def test_the_wanted_moves_are_legal_and_accepted(step: PlayStep):
    for move in step.want:
        assert move in step.board.legal_moves
        answer = judge(step, str(move))
        assert answer is not None
        assert answer.done


@pytest.mark.parametrize("step", PLAYS, ids=lambda step: step.key)
def test_tempting_moves_have_an_answer_of_their_own_and_do_not_end_the_step(step: PlayStep):
    for move in step.wrong:
        assert judge(step, str(move)) == teaching.Answer(f"{step.key}.wrong.{move}", done=False)


@pytest.mark.parametrize("step", PLAYS, ids=lambda step: step.key)
def test_every_other_legal_move_is_answered_and_does_not_end_the_step(step: PlayStep):
    for move in step.board.legal_moves:
        answer = judge(step, str(move))
        assert answer is not None
        assert answer.done == (move in step.want)


@pytest.mark.parametrize("step", [s for s in STEPS if isinstance(s, TryStep)], ids=lambda s: s.key)
def test_what_is_to_be_tried_is_refused_with_a_reason(step: TryStep):
    for move in step.attempts:
        with pytest.raises(IllegalMoveError):
            step.board.effect(move)
        answer = judge(step, str(move))
        assert answer is not None
        assert answer.done


def test_a_try_refused_for_the_same_reason_counts_and_a_legal_move_does_not():
    step = BY_KEY["lesson.eject.own-rim"]
    assert judge(step, "e7e8") == judge(step, "e8e9")
    answer = judge(step, "e7d7")
    assert answer is not None
    assert not answer.done
    assert judge(step, "c3c4") is None  # White's marble: the rules say so


def test_a_step_that_asks_to_point_has_marbles_there():
    for step in STEPS:
        if isinstance(step, MarkStep):
            for cell in (*step.cells, *step.wrong):
                assert step.board[cell] is not None
                answer = judge(step, str(cell))
                assert answer is not None
                assert answer.done == (cell in step.cells)


def test_a_question_has_one_right_answer():
    for step in STEPS:
        if isinstance(step, ChooseStep):
            answers = [judge(step, option) for option in range(step.options)]
            assert [answer.done for answer in answers if answer].count(True) == 1


def test_shown_moves_can_be_played_and_the_course_ends_with_a_game():
    for step in STEPS:
        if isinstance(step, ShowStep):
            board = step.board
            for move in step.moves:
                board.push(move)
    last = STEPS[-1]
    assert isinstance(last, StartStep)
    assert Board(last.layout, last.mode).legal_moves


def test_the_rescue_leaves_no_ejection():
    step = BY_KEY["lesson.threat.save"]
    assert isinstance(step, PlayStep)
    for move in step.board.legal_moves:
        board = step.board
        board.push(move)
        lost = any(board.effect(reply).ejected is not None for reply in board.legal_moves)
        assert lost != (move in step.want)


BOOKLET = {
    "A1": "start-two",
    "A2_foxmind": "in-line",
    "A3_foxmind": "side-step",
    "A4.1": "no-push",
    "A4.2": "no-push",
    "A4.3": "no-push",
    "A5": "sumito-2-1",
    "A6": "sumito-3-1",
    "A7_foxmind": "sumito-3-2",
    "A7bis": "four-two",
    "A8": "ejection",
    "A9": "start-three",
    "A9b": "two-colours",
    "A10": "start-teams",
    "A11": "partner",
    "A12": "arc",
    "A13": "block",
    "A14": "triples",
    "S6": "pac",
    "S7": "pac-broken",
}
"""The booklets' figures by their numbers there, and ours."""


def test_every_figure_of_the_booklets_stands_in_ours():
    shown = {b.name for section in rulebook() for b in section.blocks if isinstance(b, Figured)}
    assert set(BOOKLET) == set(RULEBOOK_FIGURES)
    assert set(BOOKLET.values()) | {"safe"} <= shown
    assert shown <= set(figures())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_of_a_booklet_is_shown_to_readers(language: str):
    for text in texts(language).values():
        assert not re.search(r"\b[AS]\d", text), text


@pytest.mark.parametrize(
    "number",
    [
        n
        for n, f in RULEBOOK_FIGURES.items()
        if ("legal" in f or "illegal" in f) and BOOKLET[n] != "no-push"
    ],
)
def test_a_figure_shows_what_the_booklet_shows(number: str):
    ours = figures()[BOOKLET[number]][0]
    theirs = RULEBOOK_FIGURES[number]
    assert set(theirs.get("legal", ())) <= {str(move) for move in ours.show}
    assert set(theirs.get("illegal", ())) == {str(move) for move in ours.refuse}
    for colour in (BLACK, WHITE):
        assert {str(cell) for cell in ours.board.marbles(colour)} == set(theirs[str(colour)])


def test_the_impossible_pushes_are_blocked_across_a_gap_and_off_the_line():
    (drawn,) = figures()["no-push"]
    (blocked,) = drawn.refuse
    with pytest.raises(IllegalMoveError) as error:
        drawn.board.check(blocked)
    assert error.value.code == "blocked"
    assert not any(drawn.board.effect(move).pushed for move in drawn.board.legal_moves)
    (data,) = read("figures.json")["figures"]["no-push"]
    assert [label["text"] for label in data["labels"]] == ["1", "2", "3"]
    assert len(data["refuse"] + data["cross"]) == 3
    for push in data["cross"]:
        assert drawn.board[Cell.parse(push[:2])] is BLACK


def test_three_in_a_row_are_pushed_along_no_row_but_across_it():
    (drawn,) = figures()["safe"]
    pushed = [drawn.board.effect(move).pushed for move in drawn.board.legal_moves]
    assert max(map(len, pushed)) == 1
    assert all(len(drawn.board.effect(move).pushed) == 1 for move in drawn.show)


def test_the_lines_of_the_broken_pac_hold_the_pac_and_the_push():
    (data,) = read("figures.json")["figures"]["pac-broken"]
    assert [line["names"] for line in data["lines"]] == [["a", "b"], ["c", "d"]]
    (drawn,) = figures()["pac-broken"]
    for drawn_line, move in zip(data["lines"], (*drawn.refuse, *drawn.show), strict=True):
        start, end = Cell.parse(drawn_line["from"]), Cell.parse(drawn_line["to"])
        rear, ahead = Cell.parse(str(move)[:2]), Cell.parse(str(move)[2:])
        (along,) = (one for one in Direction if rear.step(one) is ahead)
        passed = line(start, along)
        assert {rear, ahead, end} <= set(passed)
        assert drawn.board[start] is None
        assert drawn.board[end] is None


def test_figures_obey_the_rules():
    for boards in figures().values():
        for figure in boards:
            for move in figure.show:
                figure.board.effect(move)
            for move in figure.refuse:
                assert move not in figure.board.legal_moves


def needed() -> set[str]:
    keys = {lesson.title for lesson in course()} | {f"course.part.{x.part}" for x in course()}
    for step in STEPS:
        keys |= keys_of(step)
    for section in rulebook():
        keys.add(section.title)
        keys |= {b.key if isinstance(b, Passage) else b.caption for b in section.blocks}
    return keys | {key for word in words() for key in (word.name, word.meaning, word.use)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text(language: str):
    found = texts(language)
    assert needed() <= set(found)
    assert set(found) == set(texts("en"))
    assert all(text.strip() == text and text for text in found.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_emphasis_is_closed(language: str):
    for key, text in texts(language).items():
        assert text.count("*") % 2 == 0, key


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_a_translation_is_not_the_english(language: str):
    same = {
        k for k, v in texts(language).items() if v == texts("en")[k] and " " in v and len(v) > 12
    }
    assert same <= {"figure.pac"}  # Pac: 1–1, 2–2, 3–3


def test_an_unknown_language_is_an_error():
    with pytest.raises(SumitoError, match="xx"):
        texts("xx")


@pytest.mark.parametrize("word", words(), ids=lambda word: word.id)
def test_a_word_has_an_example_in_which_it_is_seen(word: teaching.GlossaryWord):
    board = figures()[word.example][0].board
    if word.id in FORMATIONS:
        seen = {frozenset(found.cells) for found in find(board, word.id)}
        assert frozenset(word.cells) in seen


def test_docs_and_glossary_have_the_same_terms():
    table = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")
    for word in formations.Word:
        key = f"word.{str(word).removesuffix(' move')}"
        names = [texts(language)[f"{key}.name"] for language in ("de", "nl", "fr")]
        assert f"| {word} | {' | '.join(names)} |" in table
        assert all(texts(language)[f"{key}.meaning"] for language in LANGUAGES)
