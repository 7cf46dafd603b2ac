"""A sentence that somebody nearer has said in a breath, cut out of its sound."""

import numpy as np
import pytest

from seance.listening.cleaning import Cleaner
from seance.listening.grammar import from_phrases, sentence_model
from seance.listening.utterance import Expected, Utterance
from seance.listening.vocabulary import read_vocabulary

SENTENCES = ("red agrees with blue", "blue agrees with white", "yes")


@pytest.fixture(scope="module")
def agreeing(english):
    graph = from_phrases(SENTENCES)
    words = {word for sentence in SENTENCES for word in sentence.split()}
    expected = Expected(
        graph,
        lambda text: text if text in SENTENCES else None,
        is_beginning=lambda text: any(sentence.startswith(text + " ") for sentence in SENTENCES),
    )
    return sentence_model(english, graph, read_vocabulary(english, words)), expected


@pytest.fixture
def heard(agreeing):
    """Return an utterance that has heard some sounds in one breath."""

    def heard(*sounds):
        model, expected = agreeing
        utterance = Utterance(model, expected, loudness=-20.0)
        for frame in Cleaner().feed(np.concatenate(sounds)):
            utterance.hear(frame)
        return utterance

    return heard


def test_a_sentence_is_heard_after_other_talk_in_the_same_breath(heard, say):
    talk, sentence = say("my sister has a garden", pause=0.02), say("red agrees with blue", pause=0.02)
    assert heard(talk, sentence).hear_out()[0][0].endswith("red agrees with blue")


def test_a_sentence_is_found_among_the_words_of_others(heard, say):
    before, after = (say(talk, pause=0.02) * np.float32(0.4) for talk in ("my sister has a garden", "so they say"))
    breath = heard(before, say("red agrees with blue", pause=0.02), after)
    breath.hear_out()
    sentence, by = breath.sentence_within(-30.0)
    assert sentence.hear_out()[0][0] == "red agrees with blue"
    assert 2 <= by <= 15
