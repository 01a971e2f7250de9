"""A newcomer learns the game on a phone: the course, the rulebook and the words."""

import re

import pytest
from playwright.sync_api import expect

from sumito import Board, Move
from sumito.rules.cells import distance
from sumito.teaching import (
    ChooseStep,
    Figured,
    MarkStep,
    PlayStep,
    ShowStep,
    StartStep,
    Step,
    TryStep,
    course,
    figures,
    rulebook,
    texts,
    words,
)
from support.browser import ARTEFACTS, DESKTOP, PHONE

LOCALES = {"en": "en-GB", "de": "de-DE", "nl": "nl-NL", "fr": "fr-FR"}


class Learner:
    """Somebody who does what a step asks for, by taps alone."""

    def __init__(self, visitor, language):
        self.visitor = visitor
        self.page = visitor.page
        self.said = texts(language)

    def begins(self, step: Step):
        expect(self.page.locator(".task")).to_have_text(self.plain(step.task))

    def plain(self, key):
        return self.said[key].replace("*", "")

    def hears(self, key, done):
        answer = self.page.locator(".answer.good" if done else ".answer.wrong")
        expect(answer).to_have_text(self.plain(key))

    def does(self, step: Step):
        match step:
            case PlayStep(want=want):
                self.plays(min(want))
            case TryStep(attempts=attempts):
                self.tries(step.board, min(attempts))
            case MarkStep(cells=cells):
                self.visitor.tap(str(min(cells)))
            case ChooseStep(right=right):
                self.page.locator(".options button").nth(right).tap()
        if isinstance(step, ChooseStep):
            self.hears(f"{step.key}.answer.{step.right}", done=True)
        elif not isinstance(step, ShowStep | StartStep):
            self.hears(f"{step.key}.done", done=True)

    def goes_on(self):
        self.page.locator(".step-buttons .primary").tap()

    def takes(self, move: Move):
        """Take up the row that a move means; of one in line, its rear marble."""
        self.visitor.tap(*dict.fromkeys((str(move.first), str(move.last))))

    def plays(self, move: Move):
        self.takes(move)
        self.tap_at(f"[data-arrow={move.direction.name}] .disc")

    def tries(self, board: Board, move: Move):
        """Go on to where nothing leads: the first hole ahead that isn't one's own, or the frame."""
        self.takes(move)
        if move.is_side_step:
            ends = ((move.first, move.last), (move.last, move.first))
            ahead = max(ends, key=lambda end: distance(end[0].step(move.direction), end[1]))[0]
            self.visitor.tap(str(ahead.step(move.direction)))
            return
        row = [move.first]
        while (after := row[-1].step(move.direction)) is not None and board[after] is board.turn:
            row.append(after)
        if after is not None:
            self.visitor.tap(str(after))
            return
        (x1, y1), (x2, y2) = (self.visitor.middle(str(cell)) for cell in row[-2:])
        self.page.touchscreen.tap(2 * x2 - x1, 2 * y2 - y1)

    def tap_at(self, selector):
        box = self.page.locator(selector).bounding_box()
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def still(visit, device=PHONE, locale="en-GB", **more):
    """Somebody who wants no motion, which also saves the time to look at it."""
    return visit(device, locale=locale, reduced_motion="reduce", **more)


def test_a_newcomer_goes_through_the_whole_course_by_taps_in_german(visit):
    visitor = still(visit, locale="de-DE").go("/")
    learner = Learner(visitor, "de")
    visitor.page.locator(".offer a").tap()
    visitor.page.locator(".course-on .primary").tap()
    for step in (step for lesson in course() for step in lesson.steps):
        learner.begins(step)
        learner.does(step)
        learner.goes_on()
    visitor.page.wait_for_url("**/g/**")
    visitor.sees("a1", "black")
    visitor.sees("i9", "black")
    visitor.page.locator(".ways-button").tap()
    visitor.page.locator(".head a[href='/learn']").tap()
    steps = sum(len(lesson.steps) for lesson in course())
    expect(visitor.page.locator(".course-on small")).to_have_text(f"{steps} von {steps} geschafft")
    expect(visitor.page.locator(".lesson-card .tick")).to_have_count(len(course()))
    visitor.page.locator("a.brand").tap()
    expect(visitor.page.locator(".choice").first).to_be_visible()
    assert visitor.page.locator(".offer").count() == 0


def test_a_tempting_move_is_answered_and_goes_back(visit):
    visitor = still(visit).go("/learn/row/two")
    learner = Learner(visitor, "en")
    learner.plays(Move.parse("e5e6"))
    learner.hears("lesson.row.two.wrong.e5e6", done=False)
    visitor.sees("e5", "black")
    visitor.sees("e6", None)
    learner.plays(Move.parse("e4e5"))
    learner.hears("lesson.row.two.done", done=True)
    assert visitor.barriers() == []
    visitor.page.get_by_role("button", name="Once more").tap()
    visitor.sees("e4", "black")
    expect(visitor.page.locator(".answer.good")).to_have_count(0)


def test_what_the_rules_refuse_is_said_in_their_words(visit):
    visitor = still(visit).go("/learn/row/two")
    visitor.tap("e5", "e9")
    expect(visitor.page.locator(".answer")).to_contain_text("e9 is too far")
    visitor.go("/learn/no-push/gap")
    visitor.tap("g4", "g6")
    expect(visitor.page.locator(".answer")).to_contain_text("g6 is White's")


def test_a_lesson_is_reached_by_link_and_one_that_is_not_there_is_said_so(visit):
    visitor = still(visit).go("/learn/pac")
    expect(visitor.page.locator("h1")).to_have_text("Stand-off: the pac")
    visitor.go("/learn/chess/1")
    expect(visitor.page.locator("h1")).to_have_text("There is no such lesson")
    visitor.go("/learn")
    expect(visitor.page.locator(".lesson-card")).to_have_count(len(course()))
    assert visitor.barriers() == []


@pytest.mark.parametrize("locale", LOCALES.values())
@pytest.mark.parametrize(("lesson", "right"), [("clock/flag", 1), ("det/bind", 0)])
def test_the_way_on_from_a_question_is_in_sight_on_a_phone(visit, lesson, right, locale):
    visitor = still(visit, locale=locale).go(f"/learn/{lesson}")
    page = visitor.page
    page.locator(".options button").nth(right).tap()
    expect(page.locator(".answer.good")).to_be_visible()
    expect(page.locator(".step-buttons .primary")).to_be_in_viewport(ratio=1)
    answer, ways = (page.locator(one).bounding_box() for one in (".answer", ".step-buttons"))
    assert answer["y"] + answer["height"] <= ways["y"] + 1


def test_an_answer_with_an_emphasised_word_stays_one_paragraph(visit):
    visitor = still(visit).go("/learn/pac/equal")
    expect(visitor.page.locator("sumito-board[aria-busy=false]")).to_have_count(1)
    visitor.page.evaluate("document.querySelector('sumito-lesson-board').attempt('e4e5')")
    term = visitor.page.locator(".answer em")
    expect(term).to_have_text("pac")
    assert term.evaluate("term => getComputedStyle(term).display") == "inline"
    assert term.evaluate("term => getComputedStyle(term.parentElement).display") != "flex"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/lobby", "Salon"),
        ("/games", "Parties"),
        ("/leaderboard", "Classements"),
        ("/account", "Compte"),
        ("/players/nobody", "nobody"),
        ("/nowhere/at/all", "Il n’y a rien ici"),
        ("/rules", "Les règles du jeu"),
    ],
)
def test_every_page_has_a_title_in_the_readers_language(visit, path, title):
    visitor = visit(DESKTOP, locale="fr-FR")
    visitor.tolerant = True
    visitor.go(path)
    expect(visitor.page).to_have_title(f"{title} – Sumito")


FIGURES = [block.name for one in rulebook() for block in one.blocks if isinstance(block, Figured)]
BOARDS = sum(len(figures()[name]) for name in FIGURES)


@pytest.mark.parametrize(("language", "locale"), LOCALES.items())
def test_every_figure_stands_on_the_rulebook_page(visit, language, locale):
    visitor = still(visit, locale=locale).go("/rules")
    said = texts(language)
    captions = visitor.page.locator("sumito-figure figcaption")
    expect(captions).to_have_count(len(FIGURES))
    captioned = [said[f"figure.{name}"] for name in FIGURES]
    assert [" ".join(text.split()) for text in captions.all_inner_texts()] == captioned
    expect(visitor.page.locator("sumito-board[aria-busy=false]")).to_have_count(BOARDS)
    titles = visitor.page.locator(".chapter h2").all_inner_texts()
    assert titles == [said[section.title] for section in rulebook()]


def test_a_figure_lets_one_push_and_says_why_not(visit):
    visitor = still(visit).go("/rules#sumito")
    figure = visitor.page.locator("sumito-figure", has_text="the fourth stays")
    figure.get_by_role("button", name="e1e2").tap()
    expect(figure.locator(".figure-message")).to_contain_text("Four are too many")
    figure.get_by_role("button", name="e2e3").tap()
    expect(figure.locator(".figure-message")).to_have_text("Sumito 3 against 2!")
    expect(figure.locator(".marbles [data-cell=e7]")).to_have_count(1)
    figure.get_by_role("button", name="Put it back").tap()
    expect(figure.locator(".marbles [data-cell=e7]")).to_have_count(0)
    assert visitor.barriers(".rules-tools", "#sumito") == []


A5 = [0, 0, 420, 595]


def pages_of(printed: bytes) -> int:
    """Count the pages of a PDF; raise an `AssertionError` if one isn't A5."""
    sizes = {bytes(size) for size in re.findall(rb"/MediaBox\s*\[([^\]]*)\]", printed)}
    assert [[round(float(n)) for n in size.split()] for size in sizes] == [A5]
    return len(re.findall(rb"/Type\s*/Page\b", printed))


@pytest.mark.parametrize(("language", "locale"), LOCALES.items())
def test_the_rules_are_printed_as_a_booklet_on_a5(visit, language, locale):
    visitor = visit(DESKTOP, locale=locale, color_scheme="dark").go("/rules")
    said = texts(language)
    expect(visitor.page.locator(".booklet h1")).to_have_text(said["rules.title"])
    printed = visitor.page.pdf(prefer_css_page_size=True)
    assert 10 <= pages_of(printed) <= 14
    ARTEFACTS.mkdir(exist_ok=True)
    (ARTEFACTS / f"booklet-{language}.pdf").write_bytes(printed)
    visitor.page.emulate_media(media="print")
    page = visitor.page
    assert page.locator("sumito-board:visible, .head:visible, button:visible").count() == 0
    titles = page.locator(".booklet h2:visible").all_inner_texts()
    chapters = [said[section.title] for section in rulebook()]
    cover, sheets = ["booklet.material.title"], ["words", "booklet.score", "booklet.board"]
    assert titles == [said[one] for one in cover] + chapters + [said[f"{s}.title"] for s in sheets]
    captions = page.locator(".booklet figcaption").all_inner_texts()
    assert captions == [said[f"figure.{name}"] for name in FIGURES]
    for word in words():
        expect(page.locator(".booklet-words dt", has_text=said[word.name]).first).to_be_visible()
    expect(page.locator(".score-sheet tbody tr")).to_have_count(50)
    expect(page.locator(".empty-board .picture-place")).to_have_count(61)


def test_figures_on_paper_show_only_the_part_of_the_board_they_need(visit):
    visitor = visit(DESKTOP).go("/rules")
    visitor.page.emulate_media(media="print")

    def width(caption: str) -> float:
        figure = visitor.page.locator(".booklet figure", has_text=caption).first
        return figure.locator("svg").first.bounding_box()["width"]

    said = texts("en")
    assert width(said["figure.arc"]) < 0.6 * width(said["figure.start-two"])


def test_the_glossary_is_printed_with_all_its_boards(visit):
    visitor = visit(DESKTOP, locale="de-DE").go("/words")
    expect(visitor.page.locator(".word")).to_have_count(len(words()))
    assert 4 <= pages_of(visitor.page.pdf(prefer_css_page_size=True)) <= 7
    visitor.page.emulate_media(media="print")
    assert visitor.page.locator(".head:visible, .word-index:visible, button:visible").count() == 0
    expect(visitor.page.locator(".word-picture .figure-picture:visible")).to_have_count(
        len(words())
    )


def test_the_words_stand_in_four_languages(visit):
    visitor = still(visit, locale="de-DE").go("/words")
    expect(visitor.page.locator(".word")).to_have_count(len(words()))
    lance = visitor.page.locator("#lance")
    expect(lance.locator("h2")).to_have_text("Lanze")
    expect(lance.locator("dd")).to_have_text(["lance", "lans", "lance"])
    expect(lance.locator(".halo")).to_have_count(3)
    assert visitor.barriers(".word-index", "#lance", ".head") == []


def test_every_why_not_leads_to_its_rule(visit):
    visitor = still(visit).go("/")
    visitor.drag("a1", "a2")
    rule = visitor.page.locator(".hint .rule")
    expect(rule).to_have_attribute("href", "/rules#moving")


def test_words_are_lit_up_in_a_game_and_a_push_is_named(visit):
    position = "5/6/7/8/2bbw4/8/7/6/5_b_0,0_0_1"
    visitor = still(visit, DESKTOP, locale="de-DE").go(f"/analysis?position={position}")
    page = visitor.page
    visitor.sees("e3", "black")
    page.get_by_role("button", name="Formationen benennen").click()
    expect(page.locator(".light-name")).to_have_text(["Sumito 2–1", "Zweigliedrig", "Eingliedrig"])
    visitor.go("/")
    visitor.tap("a1", "d4")
    page.wait_for_url("**/g/**")
    expect(page.locator(".light-name").first).to_have_text("Block")
    page.locator(".formations-switch").click()
    expect(page.locator(".light-name")).to_have_count(0)


def test_a_push_is_named_as_it_happens(visit):
    visitor = still(visit, DESKTOP)
    visitor.new_game(
        layout="belgian-daisy", seats={"black": {"kind": "me"}, "white": {"kind": "here"}}
    )
    visitor.type("a1a2")
    visitor.sees("a1", None)
    # The page shows a move before the server has answered; only then is the next one known.
    visitor.page.wait_for_function(
        "() => document.querySelector('sumito-board').view.legal.some(one => one.move === 'c5b4')"
    )
    visitor.type("c5b4")
    visitor.hint("Sumito 2 against 1, and off the board!")


def test_a_coach_gives_hints_and_lets_one_try_again(visit):
    visitor = still(visit, DESKTOP).go("/learn/first-game/play")
    page = visitor.page
    page.locator(".step-buttons .primary").click()
    coach = page.locator(".coach")
    coach.get_by_role("button", name="What is threatened?").click()
    expect(coach).to_contain_text("Nothing of yours can be pushed off next turn.")
    coach.get_by_role("button", name="Hint").click()
    expect(coach.locator(".coach-message")).to_contain_text("Look at the ")
    expect(page.locator("sumito-board .sign")).to_have_count(0)
    coach.get_by_role("button", name="Show the move").click()
    expect(page.locator("sumito-board .sign").first).to_be_attached()
    visitor.type("a1a2")
    expect(coach.locator(".coach-message")).to_contain_text("That can happen to anybody.")
    assert visitor.barriers(".coach") == []
    coach.get_by_role("button", name="Take it back and try again").click()
    visitor.sees("a1", "black")
    visitor.sees("a3", None)
    page.get_by_role("button", name="Hide coach").click()
    expect(coach).to_have_count(0)


def test_what_the_coach_says_after_a_game_outlives_a_reload(visit):
    visitor = still(visit, DESKTOP).go("/learn/first-game/play")
    page = visitor.page
    page.locator(".step-buttons .primary").click()
    coach = page.locator(".coach")
    expect(coach.get_by_role("button", name="Hint")).to_be_enabled()
    visitor.type("a1a2")
    expect(coach.locator(".coach-message")).to_contain_text("That can happen to anybody.")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    said = coach.locator(".coach-message p")
    expect(said).to_have_count(3)
    expect(said.nth(1)).to_contain_text("Your move 1, a1a2, cost you most.")
    before = said.all_text_contents()
    page.reload()
    expect(said).to_have_text(before)


def test_what_was_learned_goes_with_the_account(visit):
    origin = {"Origin": visit().url}
    account = {"name": "learner", "password": "correct horse"}
    first, second = still(visit, DESKTOP), still(visit, DESKTOP)
    made = first.page.request.post(first.url + "/api/accounts", data=account, headers=origin)
    assert made.status == 201, made.text()
    first.go("/learn/det/find")
    with first.page.expect_response(
        lambda one: "det/find" in (one.request.post_data or "")
    ) as told:
        first.tap("e5")
    assert told.value.json() == {"steps": ["det/find"]}
    second.go("/learn")
    expect(second.page.locator(".course-on small")).to_contain_text("0 of")
    second.page.request.post(second.url + "/api/session", data=account, headers=origin)
    second.go("/learn")
    expect(second.page.locator(".course-on small")).to_contain_text("1 of")
