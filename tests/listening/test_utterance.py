"""Which part of a breath was said by somebody nearer, by its levels and by its words."""

from dataclasses import replace

import numpy as np
import pytest

from seance.listening.cleaning import FRAME, STILLNESS, Cleaner
from seance.listening.grammar import from_phrases, sentence_model
from seance.listening.utterance import Expected, Utterance
from seance.listening.vocabulary import read_vocabulary


@pytest.fixture(scope="module")
def model(english):
    return sentence_model(english, from_phrases(["yes"]), read_vocabulary(english, ["yes"]))


@pytest.fixture
def breath(model):
    """Return an utterance of so many seconds at such levels."""

    def breath(*stretches):
        utterance = Utterance(model, Expected(from_phrases(["yes"]), str), loudness=-26.0)
        for seconds, level in stretches:
            for _ in range(round(seconds / FRAME)):
                utterance.hear(replace(STILLNESS, level=level, loudness=level))
        return utterance

    return breath


def test_somebody_nearer_is_found_after_others(breath):
    nearer, by = breath((1.0, -32.0), (1.5, -20.0), (0.3, -40.0)).loudest()
    assert 1.5 <= len(nearer.sound()) / 16_000 < 2.0
    assert by == pytest.approx(12, abs=1)


def test_where_all_are_alike_nobody_is_nearer(breath):
    assert breath((1.0, -24.0), (1.5, -20.0), (0.3, -40.0)).loudest() is None


def test_one_who_paused_is_not_heard_without_what_was_said_before(breath):
    assert breath((0.5, -20.0), (0.5, -60.0), (1.5, -20.0), (0.3, -60.0)).loudest() is None


def test_one_who_paused_after_a_word_is_not_heard_without_it(breath):
    assert breath((0.2, -20.0), (1.0, -60.0), (1.5, -20.0), (0.3, -60.0)).loudest() is None


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
    """Return an utterance that has heard some sounds in one breath to their end."""

    def heard(*sounds, by_level=lambda level: level):
        model, expected = agreeing
        utterance = Utterance(model, expected, loudness=-20.0)
        for frame in Cleaner().feed(np.concatenate(sounds)):
            utterance.hear(replace(frame, level=by_level(frame.level)))
        utterance.hear_out()
        return utterance

    return heard


@pytest.fixture
def among_others(heard, say):
    """Return an utterance in which somebody near says something while others talk before and after it."""

    def among_others(said, **levels):
        before, after = (say(talk, pause=0.02) * np.float32(0.4) for talk in ("my sister has a garden", "so they say"))
        return heard(before, say(said, pause=0.02), after, **levels)

    return among_others


def test_a_sentence_is_found_among_the_words_of_others(among_others):
    sentence, by = among_others("red agrees with blue").sentence_within()
    assert sentence.hear_out()[0][0] == "red agrees with blue"
    assert 3 <= by <= 15


def test_a_sentence_that_is_no_louder_than_the_rest_is_not_cut_out(among_others):
    assert among_others("red agrees with blue", by_level=lambda _: -20.0).sentence_within() is None


def test_single_words_among_others_are_not_cut_out(among_others):
    assert among_others("yes").sentence_within() is None
