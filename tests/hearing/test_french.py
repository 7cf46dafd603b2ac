"""French sentences become commands as a night expects them: real vosk, real sound."""

import pytest

from seance.dialogue.grammar.sentences import Sentences
from seance.hearing.recogniser import Recogniser
from seance.models import store
from seance.programs.hear import build_grammar

CARDS = (3, 5, 7, 8, 12, 15, 18, 20, 22, 24, 27, 31, 33, 36, 40, 42, 48, 54)
PSYCHICS = ("red", "blue", "white", "yellow")


@pytest.fixture(scope="module")
def recogniser():
    french = Sentences.load("fr").narrow(cards=CARDS, psychics=PSYCHICS, numbers=())
    recogniser = Recogniser(store.fetch("fr"), build_grammar(french))
    yield recogniser
    recogniser.close()


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("je choisis la carte douze", "place_intuition", {"card": 12}),
        ("je prends la carte trente et un", "place_intuition", {"card": 31}),
        ("rouge choisit la carte douze", "place_intuition", {"psychic": "red", "card": 12}),
        ("jaune choisit la carte trente trois", "place_intuition", {"psychic": "yellow", "card": 33}),
        ("je suis d'accord avec rouge", "bet", {"on": "red", "agrees": True}),
        ("je ne suis pas d'accord avec bleu", "bet", {"on": "blue", "agrees": False}),
        ("carte sept", "place_intuition", {"card": 7}),
        ("il reste combien de temps", "ask_time", {}),
        ("on est prêts", "call_time", {"early": True}),
        ("retourne le sablier", "turn_sand", {}),
    ],
)
def test_a_spoken_sentence_is_its_command(recogniser, hear, say, text, intent, slots):
    recogniser.reset()
    heard = [h.intent for h in hear(say(text, "fr-be+m3"), recogniser) if h.intent is not None]
    assert [(one.name, dict(one.slots)) for one in heard] == [(intent, slots)]


@pytest.mark.parametrize(
    "text",
    [
        "du vin rouge ou du vin blanc",
        "je crois que le fantôme veut nous dire quelque chose",
        "je suis d'accord que c'est étrange",
        "prends ton temps rien ne presse",
        "sept de ces cartes ont de l'eau dessus",
    ],
)
def test_table_talk_is_no_command(recogniser, hear, say, text):
    recogniser.reset()
    assert [h.text for h in hear(say(text, "fr-fr"), recogniser) if h.intent is not None] == []
