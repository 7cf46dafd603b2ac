"""The words that the ghost types, in all languages."""

import pytest

from seance.dialogue.ghost_commands import COMMANDS, NotAnOrder, parse_order
from seance.ghost_words import BadGhostWords, GhostWords, Order, ghost_order
from seance.rules import Psychic
from tests.foreign_text import EACH_OTHER_LANGUAGE
from tests.languages import EACH_LANGUAGE

VIEW = {"phase": "visions", "shared_vision": None}


def parse(typed: str, language: str) -> dict[str, object]:
    return parse_order(typed, VIEW, GhostWords.load(language))


@EACH_LANGUAGE
@pytest.mark.parametrize("order", Order)
def test_every_word_means_its_order(language, order):
    texts = GhostWords.load(language).texts
    assert {parse(word, language)["command"] for word in texts.orders[order]} == {COMMANDS[order]}


@EACH_LANGUAGE
def test_every_example_is_an_order(language):
    texts = GhostWords.load(language).texts
    assert [parse(example, language)["command"] for example in texts.examples] == [
        "give_vision",
        "use_crow",
        "turn_sand",
        "manifest",
        "choose_culprit",
        "lay_shared_vision",
    ]


@EACH_OTHER_LANGUAGE
@pytest.mark.parametrize("typed", GhostWords.load("en").texts.examples)
def test_english_orders_mean_the_same_everywhere(language, typed):
    assert parse(typed, language) == parse(typed, "en")


@pytest.mark.parametrize(
    ("typed", "fields"),
    [
        ("vision rouge 2", {"command": "give_vision", "psychic": "red", "count": 2}),
        ("réponse blanche non", {"command": "manifest", "psychic": "white", "correct": False}),
        ("Reponse noir : oui", {"command": "manifest", "psychic": "black", "correct": True}),
        ("bleu d'accord avec violet", {"command": "bet", "by": "blue", "on": "purple", "agrees": True}),
        ("bleu n'est pas d'accord avec violet", {"command": "bet", "by": "blue", "on": "purple", "agrees": False}),
        ("jaune 7", {"command": "place_intuition", "psychic": "yellow", "card": 7}),
    ],
)
def test_french_orders(typed, fields):
    assert parse(typed, "fr") == fields


@pytest.mark.parametrize("text", ["ghost sand", "Fantôme sable", "  FANTOME, sable", "ghost"])
def test_the_word_for_the_ghost_is_known_in_every_language(text):
    assert ghost_order(text) in ("sand", "sable", "")


@pytest.mark.parametrize("text", ["", "...", "the ghost spoke", "le fantôme a parlé", "ghosts", "7 ghost"])
def test_other_words_are_not_the_ghosts(text):
    assert ghost_order(text) is None


def test_the_house_says_what_it_does_not_understand_and_gives_examples():
    with pytest.raises(NotAnOrder, match=r"« abracadabra » ne veut rien dire ici\. Par exemple : vision rouge 2, "):
        parse(" abracadabra ", "fr")
    assert "Par exemple : coupable 2" in GhostWords.load("fr").explain_incomplete("coupable")


@pytest.mark.parametrize("missing", [f"orders.{Order.CROW}", f"colours.{Psychic.BLACK}", "yes", "unknown"])
def test_a_missing_word_is_named_when_it_is_loaded(tmp_path, monkeypatch, missing):
    folder = tmp_path / "xx"
    folder.mkdir()
    (folder / "language.toml").write_text(
        'name = "X"\nletters = "abc"\ngenders = ["m"]\nplural_forms = "nplurals=1; plural=0;"\nfold = {}\n'
    )
    keys = [f"orders.{order}" for order in Order] + [f"colours.{psychic}" for psychic in Psychic]
    keys += ["ghost", "yes", "no", "examples"]
    lines = dict.fromkeys(keys, '["x"]') | {"unknown": '"x"', "incomplete": '"x"'}
    (folder / "ghost.toml").write_text("".join(f"{key} = {text}\n" for key, text in lines.items() if key != missing))
    monkeypatch.setenv("SEANCE_VOICES", str(tmp_path))
    with pytest.raises(BadGhostWords, match=rf"{folder}/ghost\.toml.*{missing}.* is missing"):
        GhostWords.load("xx")
