"""Who spoke is told by the voice, and not guessed."""

import pytest

from seance.hearing.recogniser import Recogniser
from seance.hearing.speaker_recognition import Speakers
from seance.models import store
from seance.programs.hear import build_grammar


@pytest.fixture
def speakers():
    known = Speakers()
    known.enrol("red", [1.0, 0.1, 0.0])
    known.enrol("blue", [0.0, 1.0, 0.1])
    return known


def test_a_known_voice_is_told(speakers):
    assert speakers.identify([0.9, 0.2, 0.0]) == "red"


def test_a_strange_voice_is_asked_for(speakers):
    assert speakers.identify([0.0, 0.0, -1.0]) is None


def test_a_voice_between_two_is_asked_for(speakers):
    assert speakers.identify([1.0, 1.1, 0.1]) is None


def test_nobody_is_told_before_anybody_has_introduced_themselves():
    assert Speakers().identify([1.0, 0.0, 0.0]) is None


def test_a_forgotten_voice_is_asked_for(speakers):
    speakers.forget("red")
    assert speakers.identify([0.9, 0.2, 0.0]) is None


def test_who_introduced_themselves_is_known_by_their_voice(english, sentences, say, hear):
    recogniser = Recogniser(english, build_grammar(sentences), speaker_model=store.fetch("speaker"))
    for name, voice in (("white", "en-us"), ("blue", "en-us+f2")):
        for text in ("I am the eldest of us", "how much time is left", "what is on the table"):
            recogniser.reset()
            (heard,) = hear(say(text, voice), recogniser)
            recogniser.speakers.enrol(name, heard.voiceprint)
    recogniser.reset()
    told = [heard.speaker for heard in hear(say("how many crows are left", "en-us+f2"), recogniser)]
    recogniser.close()
    assert told == ["blue"]
