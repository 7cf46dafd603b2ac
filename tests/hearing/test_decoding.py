"""A sentence that somebody nearer has said in a breath, cut out of its sound."""

import numpy as np
import pytest

from seance.hearing.decoder_graph import build_model, build_word_graph, graph_words
from seance.hearing.decoding import Expected, Utterance
from seance.hearing.noise_reduction import NoiseReducer
from seance.hearing.vocabulary import read_vocabulary

SENTENCES = ("red agrees with blue", "blue agrees with white", "yes")


def expecting(english, sentences):
    """Return a model that hears *sentences*, and what they amount to."""
    graph = build_word_graph(sentences)
    expected = Expected(
        graph,
        lambda text: text if text in sentences else None,
        is_beginning=lambda text: any(sentence.startswith(text + " ") for sentence in sentences),
    )
    return build_model(english, graph, read_vocabulary(english, graph_words(graph))), expected


def an_utterance(model, expected, *sounds):
    """Return an utterance that has heard some sounds in one breath."""
    utterance = Utterance(model, expected, loudness=-20.0)
    for frame in NoiseReducer().feed(np.concatenate(sounds)):
        utterance.hear(frame)
    return utterance


@pytest.fixture(scope="module")
def agreeing(english):
    return expecting(english, SENTENCES)


@pytest.fixture
def heard(agreeing):
    return lambda *sounds: an_utterance(*agreeing, *sounds)


def test_of_two_sentences_that_sound_alike_the_one_of_fewer_is_likelier(english, say):
    many = ("one", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    sentences = ("red two", "read two", *(f"read {number}" for number in many))
    ways = dict(an_utterance(*expecting(english, sentences), say("red two")).hear_out())
    assert ways["red two"] > 2 * ways["read two"]


def test_of_two_sentences_that_sound_alike_the_one_that_could_not_go_on_is_likelier(english, say):
    sentences = ("red", "read", "read one", "read two")
    ways = dict(an_utterance(*expecting(english, sentences), say("red")).hear_out())
    assert ways["red"] > 1.2 * ways["read"]


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
