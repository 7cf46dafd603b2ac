"""Hypotheses of an utterance, and its foreground decoded alone."""

import numpy as np
import pytest

from seance.hearing.decoder_graph import build_model, build_word_graph, graph_words
from seance.hearing.decoding import Utterance
from seance.hearing.foreground import find_by_words
from seance.hearing.noise_reduction import NoiseReducer
from seance.hearing.vocabulary import read_vocabulary

SENTENCES = ("red agrees with blue", "blue agrees with white", "yes")


def model_of(english, sentences):
    """Return a model that decodes *sentences*."""
    graph = build_word_graph(sentences)
    return build_model(english, graph, read_vocabulary(english, graph_words(graph)))


def an_utterance(model, *sounds):
    """Return an utterance of some sounds one after the other."""
    utterance = Utterance(model, loudness_db=-20.0)
    for frame in NoiseReducer().feed(np.concatenate(sounds)):
        utterance.add_frame(frame)
    return utterance


def posteriors(utterance):
    return {hypothesis.text: hypothesis.posterior for hypothesis in utterance.finish()}


@pytest.fixture(scope="module")
def agreeing(english):
    return model_of(english, SENTENCES)


@pytest.fixture
def heard(agreeing):
    return lambda *sounds: an_utterance(agreeing, *sounds)


def test_of_two_sentences_that_sound_alike_the_one_of_fewer_is_likelier(english, say):
    many = ("one", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    sentences = ("red two", "read two", *(f"read {number}" for number in many))
    found = posteriors(an_utterance(model_of(english, sentences), say("red two")))
    assert found["red two"] > 2 * found["read two"]


def test_of_two_sentences_that_sound_alike_the_one_that_could_not_go_on_is_likelier(english, say):
    sentences = ("red", "read", "read one", "read two")
    found = posteriors(an_utterance(model_of(english, sentences), say("red")))
    assert found["red"] > 1.2 * found["read"]


def test_what_is_likeliest_without_more_is_known_while_decoding_goes_on(heard, say):
    utterance = heard(say("yes", pause=0.0))
    assert utterance.likeliest().text == "yes"
    for frame in NoiseReducer().feed(say("red agrees with blue", pause=0.02)):
        utterance.add_frame(frame)
    assert utterance.likeliest().text.endswith("red agrees with blue")
    assert utterance.finish()[0].text.endswith("red agrees with blue")


def test_a_sentence_is_heard_after_other_talk_in_the_same_breath(heard, say):
    talk, sentence = say("my sister has a garden", pause=0.02), say("red agrees with blue", pause=0.02)
    assert heard(talk, sentence).finish()[0].text.endswith("red agrees with blue")


def test_a_sentence_is_found_among_the_words_of_others(heard, say):
    before, after = (say(talk, pause=0.02) * np.float32(0.4) for talk in ("my sister has a garden", "so they say"))
    utterance = heard(before, say("red agrees with blue", pause=0.02), after)
    begin, end, contrast_db = find_by_words(
        utterance.levels_db(),
        -30.0,
        utterance.finish(),
        parse=lambda text: text if text in SENTENCES else None,
        is_prefix=lambda text: any(sentence.startswith(text + " ") for sentence in SENTENCES),
    )
    assert utterance.cut(begin, end).finish()[0].text == "red agrees with blue"
    assert 2 <= contrast_db <= 15
