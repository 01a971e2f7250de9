"""Messages of the server in the reader's language."""

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sumito.server
from sumito import BLACK, MOVES, WHITE, Board, IllegalMoveError, Move
from sumito.errors import SumitoError
from sumito.game import Game
from sumito.game.commands import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    Claim,
    OfferDraw,
    Play,
    Resign,
)
from sumito.i18n.messages import NN_, Message
from sumito.server.base import i18n as words
from support.catalogues import catalogue_of
from support.processes import Socket

LANGUAGES = ("de", "fr", "nl")


def server_texts():
    for file in Path(sumito.server.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="N_"), args=[ast.Constant(value=text)]):
                    yield text


def placeholders(text):
    return set(re.findall(r"{(\w+)}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_server_is_translated(language):
    catalogue = catalogue_of(language)
    texts = set(server_texts())
    assert len(texts) > 40
    assert [text for text in texts if text not in catalogue] == []
    for text in texts:
        assert placeholders(catalogue[text]) <= placeholders(text), text


@given(st.sampled_from(["two", "three", "teams"]), st.randoms(use_true_random=False))
def test_every_explanation_of_the_rules_is_said_in_german(mode, random):
    board = Board(mode=mode)
    for _ in range(random.randrange(30)):
        board.push(random.choice(list(board.legal_moves)))
    said = []
    for move in random.sample(MOVES, 40):
        try:
            board.effect(move)
        except IllegalMoveError as error:
            said.append(error.problem)
    assert [one for one in said if words.sentence("de", one) == str(one)] == []


def test_every_objection_of_a_game_is_said_in_german():
    game = Game({BLACK: "Ann", WHITE: "Ben"})
    said = []

    def refuse(command):
        with pytest.raises(SumitoError) as error:
            game.apply(command, 0)
        said.append(error.value.sentence)

    refuse(AcceptDraw(WHITE))
    refuse(AcceptTakeback(WHITE))
    refuse(AskTakeback(WHITE))
    refuse(Claim(WHITE))
    refuse(Play(WHITE, Move.parse("i9h8")))
    game.apply(Play(BLACK, Move.parse("a1b2")), 0)
    game.apply(OfferDraw(BLACK), 0)
    refuse(OfferDraw(BLACK))
    refuse(AcceptDraw(BLACK))
    game.apply(AskTakeback(BLACK), 0)
    refuse(AskTakeback(BLACK))
    refuse(AcceptTakeback(BLACK))
    game.apply(Play(WHITE, Move.parse("i9h8")), 0)
    refuse(Abort(WHITE))
    game.apply(Resign(WHITE), 0)
    refuse(Resign(BLACK))
    assert [one for one in said if words.sentence("de", one) == str(one)] == []


@pytest.mark.parametrize(
    ("wanted", "header", "chosen"),
    [
        (None, "", "en"),
        (None, "de-CH,de;q=0.9,en;q=0.8", "de"),
        (None, "pt-BR,nl;q=0.5", "nl"),
        (None, "xx;;;,,*", "en"),
        (None, "en;q=0.1, nl;q=0.9, de;q=0.5", "nl"),
        (None, "de;q=0, fr;q=0.1", "fr"),
        (None, "de;q=nan, fr", "fr"),
        ("fr", "de", "fr"),
        ("xx", "de", "de"),
    ],
)
def test_the_language_is_chosen_or_the_browsers(wanted, header, chosen):
    assert words.choose(wanted, header) == chosen


async def test_an_illegal_move_explains_itself_in_german(player):
    hans = player(**{"Accept-Language": "de"})
    game, _ = await hans.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
    refused = await hans.command(game["id"], 422, type="play", seat="black", ply=1, move="a1a2")
    assert refused["error"]["message"] == "vier Kugeln dürfen nicht auf einmal bewegt werden"
    assert (await hans.get("/api/me"))["language"] == "de"
    assert (await hans.get("/api/me"))["name"].startswith("Gast ")


async def test_a_socket_speaks_the_pages_language(ann, ben, game_of):
    game = await game_of(ann, ben)
    async with ann.raw_socket(f"/ws/games/{game['id']}?language=de") as raw:
        black = Socket(raw)
        await black.hello()
        why = await black.ask("why", cells=["a1", "b1", "c1", "d1"], direction="NE")
        refused = await black.ask("resign", seat="white")
    assert "Reihe" in why["message"]
    assert refused["message"] == "Dieser Platz gehört jemand anderem."


def test_a_text_in_a_context_does_not_replace_the_same_text_without():
    assert words.say("de", "Save") == "Speichern"


def test_a_message_with_a_count_takes_the_plural_form_of_its_language():
    template = NN_("{count} move for {colour}", "{count} moves for {colour}")

    def messages(language):
        values = [{"count": count, "colour": "x"} for count in (0, 1, 2)]
        return [words.sentence(language, Message("moves", template, one)) for one in values]

    assert messages("en") == ["0 moves for x", "1 move for x", "2 moves for x"]
    german, french = messages("de"), messages("fr")
    assert german[0].removeprefix("0") == german[2].removeprefix("2") != german[1].removeprefix("1")
    assert french[0].removeprefix("0") == french[1].removeprefix("1") != french[2].removeprefix("2")
